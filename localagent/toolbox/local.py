"""The tools of an agent's files, as the loop calls them."""

from __future__ import annotations

import difflib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.calls import CallResult
from localagent.errors import ConfigError
from localagent.messages import ToolCallPart
from localagent.toolbox.arguments import bind, quoted
from localagent.toolbox.capping import capped
from localagent.toolbox.paths import absolute
from localagent.toolbox.running import Outcome, Running, attempt

if TYPE_CHECKING:
    from localagent.tool import Bound, Effect, Tool, ToolContext, ToolSpec

# At the end of the program, what was left behind has so long to end.
CLOSING_S = 2.0


class LocalToolbox:
    """`context` makes what a tool may use, for a call with this signal; what it says of `abort`, `count` and
    `result_tokens` is replaced. `default_timeout_s` holds for tools without a limit of their own. Thread-safe.

    Raises ConfigError when a tool is not called as it is listed.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool],
        context: Callable[[AbortSignal], ToolContext],
        *,
        default_timeout_s: float,
        result_tokens: int,
        count: Callable[[str], int],
    ) -> None:
        for name, tool in tools.items():
            if tool.spec.name != name:
                raise ConfigError(f"the tool that is listed as {name!r} is called {tool.spec.name!r}", where="tools")
        self._tools = dict(tools)
        self._context = context
        self._default_timeout_s = default_timeout_s
        self._result_tokens = result_tokens
        self._count = count
        self._lock = threading.Lock()
        self._left_behind: list[Running] = []

    def specs(self) -> Sequence[ToolSpec]:
        return [tool.spec for tool in self._tools.values()]

    def effects(self, name: str) -> frozenset[Effect]:
        tool = self._tools.get(name)
        return frozenset() if tool is None else tool.effects

    def shown(self, call: ToolCallPart) -> str:
        tool, checked = self._tools.get(call.name), self._checked(call)
        if tool is None or tool.shown is None or isinstance(checked, CallResult):
            return listed(call)
        said, fault = attempt(partial(tool.shown, *checked[0], **checked[1]), self._made(AbortSignal()))
        return f"(it cannot say what it would do: {fault})\n{listed(call)}" if fault else said

    def paths(self, call: ToolCallPart) -> Sequence[str]:
        tool, checked = self._tools.get(call.name), self._checked(call)
        if tool is None or not tool.paths or isinstance(checked, CallResult):
            return []
        roots = self._made(AbortSignal()).roots
        found = [absolute(named, roots) for name in tool.paths for named in _named(checked[1].get(name))]
        return [os.fspath(path) for path in found if path is not None]

    def refusal(self, call: ToolCallPart) -> CallResult | None:
        checked = self._checked(call)
        return checked if isinstance(checked, CallResult) else None

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        abort.raise_if_aborted()
        started = time.monotonic()
        checked = self._checked(call)
        if isinstance(checked, CallResult):
            return checked
        tool = self._tools[call.name]
        limit_s = self._default_timeout_s if tool.timeout_s is None else tool.timeout_s
        with abort.child(timeout_s=limit_s, what=f"the tool {call.name}") as within:
            work = partial(tool.function, *checked[0], **checked[1])
            running = Running(work, self._made(within), call.name)
            outcome = running.wait()
            if outcome is None:
                with self._lock:
                    self._left_behind = [one for one in self._left_behind if not one.ended(0)] + [running]
            abort.raise_if_aborted()
        if outcome is None or outcome.stopped:
            outcome = _too_long(limit_s, still_runs=outcome is None)
        text, left_out = capped(outcome.text, self._result_tokens, self._count)
        return CallResult(
            call,
            text,
            is_error=outcome.is_error,
            retry=outcome.retry,
            seconds=time.monotonic() - started,
            left_out=left_out,
        )

    def close(self) -> None:
        """Wait a little for what was told to stop: it may have processes to end."""
        until = time.monotonic() + CLOSING_S
        with self._lock:
            left, self._left_behind = self._left_behind, []
        for running in left:
            running.ended(until - time.monotonic())

    def _made(self, abort: AbortSignal) -> ToolContext:
        return replace(self._context(abort), abort=abort, count=self._count, result_tokens=self._result_tokens)

    def _checked(self, call: ToolCallPart) -> Bound | CallResult:
        """What the function is called with, or why it cannot be."""
        tool = self._tools.get(call.name)
        if tool is None:
            return unknown_tool(call, list(self._tools))
        bound = bind(tool, call.arguments)
        if isinstance(bound, str):
            text = f"{call.name} was not called: {bound} Mend the arguments and call it again."
            return CallResult(call, text, is_error=True, ran=False, retry=True)
        return bound


def unknown_tool(call: ToolCallPart, names: Sequence[str]) -> CallResult:
    """The refusal of a call of what there is not."""
    near = difflib.get_close_matches(call.name.casefold(), names, 3, 0.5)
    there = f"Did you mean {' or '.join(near)}?" if near else ""
    listed = f"There are: {', '.join(names)}." if names else "There are no tools: answer without."
    text = " ".join(part for part in (f"There is no tool {quoted(call.name)}.", there, listed) if part)
    return CallResult(call, text, is_error=True, ran=False)


def listed(call: ToolCallPart) -> str:
    """A call with all of its arguments, one a line; the lines of a text stand behind bars of their own. No two calls
    are listed alike."""
    given: object = call.arguments  # a model may give anything
    if not isinstance(given, Mapping):
        return f"{call.name} {_json(given)}"
    return "\n".join([call.name, *(line for name, value in given.items() for line in _argument(str(name), value))])


def _argument(name: str, value: object) -> list[str]:
    name = name if name.isidentifier() else _json(name)
    if not isinstance(value, str):
        return [f"  {name}: {_json(value)}"]
    if "\n" not in value:
        return [f'  {name}: "{value}"']
    return [f"  {name}:", *(f"    | {line}" for line in value.split("\n"))]


def _named(value: object) -> Iterator[str]:
    """The paths in an argument: one, or several in a list."""
    if isinstance(value, str | Path):
        yield os.fspath(value)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _named(one)


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # a number of thousands of digits
        return quoted(value)


def _too_long(limit_s: float, *, still_runs: bool) -> Outcome:
    ended = "did not stop when it was told to, and may still be at work" if still_runs else "was stopped"
    text = f"The tool took longer than {limit_s:g} s and {ended}. Ask it for less, or answer in another way."
    return Outcome(text, is_error=True)
