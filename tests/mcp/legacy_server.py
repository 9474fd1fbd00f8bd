"""An MCP server of the time before `server/discover`, written by hand: one tool, which changes the list."""

from __future__ import annotations

import json
import sys


def say(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    names = ["grow"]
    for line in sys.stdin:
        request = json.loads(line)
        method, number = request.get("method"), request.get("id")
        if method == "initialize":
            version = request["params"]["protocolVersion"]
            info = {"name": "legacy", "version": "1"}
            result: object = {
                "protocolVersion": version,
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": info,
            }
        elif method == "tools/list":
            result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}
        elif method == "tools/call":
            names.append(f"grown_{len(names)}")
            say(method="notifications/tools/list_changed")
            result = {"content": [{"type": "text", "text": names[-1]}]}
        elif number is None:
            continue
        else:
            say(id=number, error={"code": -32601, "message": "Method not found"})
            continue
        say(id=number, result=result)


if __name__ == "__main__":
    main()
