"""Long-term memory, for the model to write into."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from localagent.errors import LocalAgentError
from localagent.tool import tool, tool_context

MOST_CHARACTERS = 2000

Kind: TypeAlias = Literal["profile", "preference", "habit", "relationship", "event", "decision", "todo", "fact"]


@tool(effects=["reads"])
def memory_write(
    text: Annotated[str, Field(description="One statement, understandable by itself, in the user's language.")],
    kind: Annotated[Kind, Field(description="What it is; fact if unsure.")] = "fact",
    importance: Annotated[float | None, Field(ge=0, le=1, description="0 to 1; leave it out if unsure.")] = None,
) -> dict[str, str]:
    """Remember one statement for later conversations.

    Use it when the user asks you to remember something, or for a result of your own work that will still matter in
    weeks. What the user says about themselves is remembered without you. Not for greetings, guesses, passwords, or
    what stands in this conversation anyway. One statement a call, with names and dates instead of "he" and
    "tomorrow".
    """
    memory = tool_context().memory
    if memory is None:
        raise ValueError("Memory is switched off: nothing was stored. Tell the user so, and do not call it again.")
    statement = " ".join(text.split())
    if not statement:
        raise ValueError("text is empty: nothing was stored. Give one whole sentence.")
    if len(statement) > MOST_CHARACTERS:
        raise ValueError(
            f"text has {len(statement)} characters, at most {MOST_CHARACTERS} are taken: nothing was stored. "
            "Give the one statement that matters."
        )
    if importance is not None and not 0 <= importance <= 1:
        raise ValueError(f"importance is {importance:g}, not from 0 to 1: nothing was stored. Leave it out if unsure.")
    try:
        noted = memory.write(statement, kind, importance)
    except LocalAgentError as error:
        raise ValueError(f"Nothing was stored: {error}") from error
    stored = {"stored_as": noted.memory.kind, "id": noted.memory.id, "text": noted.memory.text}
    if noted.known:
        stored["note"] = "It was remembered before; it counts as said again."
    elif noted.memory.kind != kind:
        stored["note"] = (
            f"Stored as {noted.memory.kind}: a {kind} can only come from the user's own words. "
            "If it is one, ask the user to say it."
        )
    return stored
