"""A command of the system's shell."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

from pydantic import Field

from localagent.tool import tool, tool_context
from localagent.toolbox.processes import run_command, without_secrets

LONGEST_S = 600


def shown(command: str, timeout_s: int = 60) -> str:
    roots = tool_context().roots
    return f"run in {roots[0] if roots else '(no folder is open)'}, for at most {timeout_s} s:\n{command}"


# A little longer than the command may take: what it said by then is told.
@tool(effects=["runs code", "reads", "writes", "network"], timeout_s=LONGEST_S + 10, shown=shown)
def run_shell(
    command: Annotated[str, Field(min_length=1, description="One command line, as in a terminal.")],
    timeout_s: Annotated[int, Field(ge=1, le=LONGEST_S, description="Seconds after which it is stopped.")] = 60,
) -> str:
    """Run a command in the user's working folder and get what it prints and its exit code.

    Use it for what no other tool does: building, testing, searching in files, git. It has no input and no terminal:
    give options instead of waiting for questions. Everything it starts ends with it, also what is put into the
    background. Keys and passwords are not in its environment.
    """
    context = tool_context()
    if not context.roots:
        raise ValueError("No folder is open to you: nothing can be run. Tell the user so.")
    with context.abort.child(timeout_s=timeout_s) as within:
        finished = run_command(
            [*_shell(context.variables.get("PATH")), command],
            folder=context.roots[0],
            variables=without_secrets(context.variables),
            abort=within,
        )
    context.abort.raise_if_aborted()
    if finished.code is None:
        ended = f"Stopped after {timeout_s} s, before it ended."
    elif finished.code < 0:
        ended = f"Ended by signal {-finished.code}."
    else:
        ended = f"Exit code {finished.code}."
    if finished.killed:
        ended += f" {finished.killed} processes that it had left running were ended."
    return f"{ended}\n{finished.output or '(it printed nothing)'}"


def _shell(path: str | None) -> list[str]:
    if sys.platform == "win32":
        return ["cmd.exe", "/d", "/s", "/c"]
    return [shutil.which("bash", path=path) or "/bin/sh", "-c"]
