"""`python -m localagent`."""

from localagent.cli.main import main

main()
