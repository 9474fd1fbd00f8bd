"""`python -m localagent`."""

import sys

try:
    from localagent.cli.main import main
except KeyboardInterrupt:  # before anything was begun
    sys.exit(130)

main()
