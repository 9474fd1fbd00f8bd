"""One call of a tool's function: in a thread of its own, under the abort signal and its clock. The function may do
anything, and whatever it does becomes a text for the model."""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from localagent.errors import Aborted, LocalAgentError
from localagent.tool import ToolContext, ToolRetry, using
from localagent.toolbox.descriptors import gathering
from localagent.toolbox.printing import Printed, printing

# So long a call has to end after it was told to, before it is left behind.
GRACE_S = 0.7
# What a call goes through before the tool's own code.
OURS = "localagent."
NOTHING = "(the tool gave nothing back)"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a function gave, as text. `stopped`: it ended because the signal was set."""

    text: str
    is_error: bool = False
    retry: bool = False
    stopped: bool = False


class Running:
    """A call that has begun."""

    def __init__(self, work: Callable[[], object], context: ToolContext, name: str) -> None:
        self._work = work
        self._context = context
        self._printed = Printed()
        self._outcome: Outcome | None = None
        self._gathered = ExitStack()
        self._gathered.enter_context(gathering(self._printed))
        self._ending = threading.Lock()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"tool {name}", daemon=True)
        self._thread.start()

    def wait(self) -> Outcome | None:
        """What it gave; None if it goes on though its signal was set."""
        detach = self._context.abort.on_abort(self._woken.set)
        try:
            self._woken.wait()
        finally:
            detach()
        self.ended(GRACE_S)
        self._gather_no_more()  # also of a call that is left behind: the terminal is the program's again
        return self._outcome

    def ended(self, timeout_s: float) -> bool:
        """Whether it ends within so many seconds."""
        self._thread.join(max(timeout_s, 0))
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with using(self._context), printing(self._printed):
                outcome = self._done()
            self._gather_no_more()
            self._outcome = self._with_printed(outcome)
        finally:
            self._woken.set()

    def _gather_no_more(self) -> None:
        with self._ending:
            self._gathered.close()

    def _done(self) -> Outcome:
        try:
            return as_text(self._work())
        except ToolRetry as error:
            return Outcome(_said(error), is_error=True, retry=True)
        except Aborted as error:
            return Outcome(_said(error), is_error=True, stopped=self._context.abort.aborted)
        except BaseException as error:  # the tool may do anything, SystemExit and KeyboardInterrupt included
            return Outcome(_said(error), is_error=True)

    def _with_printed(self, outcome: Outcome) -> Outcome:
        printed = self._printed.getvalue().strip()
        if not printed:
            return outcome
        more = f"\n[… {self._printed.left_out:,} characters left out …]" if self._printed.left_out else ""
        gave = "" if outcome.text == NOTHING else f"{outcome.text}\n\n"
        return Outcome(f"{gave}Printed:\n{clean(printed)}{more}", outcome.is_error, outcome.retry, outcome.stopped)


def attempt(work: Callable[[], str], context: ToolContext) -> tuple[str, str]:
    """What a function of a tool's file says, and nothing; or nothing, and in a line why it fails."""
    printed = Printed()
    try:
        with using(context), printing(printed), gathering(printed):
            gave: object = work()
    except (Exception, SystemExit) as error:  # the tool may do anything
        said = words_of(error)
        if not said or not isinstance(error, ToolRetry | ValueError | LocalAgentError):
            said = f"{type(error).__name__}{f': {said}' if said else ''}{_place(error)}"
        return "", " ".join(clean(said).split())
    if isinstance(gave, str):
        return gave, ""
    return "", f"it gave a {type(gave).__name__}, which is no text"


def as_text(value: object) -> Outcome:
    """What a tool gave back: a text as it is, else as JSON. Bytes and what never ends are errors."""
    if isinstance(value, str):
        return Outcome(clean(value))
    if value is None:
        return Outcome(NOTHING)
    if isinstance(value, bytes | bytearray | memoryview):
        size = memoryview(value).nbytes
        return Outcome(f"The tool gave back {size:,} bytes that are no text: they cannot be shown.", is_error=True)
    if isinstance(value, Iterator):
        kind = type(value).__name__
        return Outcome(f"The tool gave back a {kind}, which is neither text nor data: a fault in it.", is_error=True)
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        plain = to_jsonable_python(value)
    except (PydanticSerializationError, ValueError, TypeError) as error:
        kind, said = type(value).__name__, " ".join(str(error).split())[:200]
        return Outcome(f"The tool gave back a {kind} that cannot be shown as text: {said}", is_error=True)
    return Outcome(clean(json.dumps(plain, ensure_ascii=False)))


def clean(text: str) -> str:
    """Without NUL and halves of surrogate pairs, which neither a database nor a server takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def words_of(error: BaseException) -> str:
    """What an error says of itself, at most 2000 characters; may be nothing."""
    try:
        return str(error).strip()[:2000]
    except Exception:  # an exception class of the tool's own
        return ""


def _said(error: BaseException) -> str:
    """The words of an error. Of those that are meant for the model, as ValueError is, they are enough."""
    said = words_of(error)
    kind = type(error).__name__
    if said and isinstance(error, ToolRetry | ValueError | LocalAgentError):
        return clean(said)
    place = _place(error)
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return clean(f"The tool tried to end the program ({kind}{place}). It was called, but gave nothing back.")
    return clean(f"The tool failed with {kind}{f': {said}' if said else ''}{place}. What it did before that is done.")


def _place(error: BaseException) -> str:
    """` (tools/count.py:12)`: the innermost line of the tool's own files, or of what it calls them by."""
    frames = [
        (frame.f_globals.get("__name__", ""), frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not str(frame.f_globals.get("__name__")).startswith(OURS)
    ]
    own = [(file, line) for name, file, line in frames if name.partition(".")[0] == frames[0][0].partition(".")[0]]
    if not own:
        return ""
    file, line = own[-1]
    return f" ({'/'.join(Path(file).parts[-2:])}:{line})"
