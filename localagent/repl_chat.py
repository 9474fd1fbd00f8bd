"""What the conversation at a terminal talks to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from localagent.abort import AbortSignal
from localagent.errors import LocalAgentError

if TYPE_CHECKING:
    from localagent.calls import Approver
    from localagent.conversation import Conversation


class Chat(Protocol):
    """What the REPL talks to; `cli.converse` makes it."""

    @property
    def agent(self) -> str:
        """The agent's name."""
        ...

    @property
    def history(self) -> Path:
        """Where what was typed is kept."""
        ...

    @property
    def begins_with(self) -> str:
        """The title of a thread that is gone on with; empty for a new one."""
        ...

    def start(self) -> None:
        """Begin to load the model in the background. Called once, when the prompt is on the screen."""
        ...

    def poll(self) -> str | None:
        """One line about what loading is doing; None when it is over. Cheap."""
        ...

    def ready(self) -> Conversation | None:
        """The conversation, once the model is loaded. Cheap."""
        ...

    def conversation(self, abort: AbortSignal) -> Conversation:
        """Wait for the model. Raises LocalAgentError; after an error, tries again."""
        ...

    def remedy(self, error: LocalAgentError) -> str:
        """A question to which yes means `apply_remedy`; empty if nothing can be done here."""
        ...

    def apply_remedy(self, abort: AbortSignal, progress: Callable[[int, int], None]) -> None:
        """Do it; `progress` is told bytes done and in all."""
        ...

    def switch_model(self, name: str, abort: AbortSignal) -> None: ...

    def notices(self) -> list[str]:
        """What the user should know and was not told yet; each line once."""
        ...

    def ask_through(self, approver: Approver) -> None:
        """Who is asked before a tool may run. Called once, before `start`."""
        ...
