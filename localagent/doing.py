"""The calls of a turn: whether each may run, running them, and what the model and the record are told of it."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from typing import TypeAlias

from localagent.abort import AbortSignal
from localagent.calls import CallResult, Decision, Toolbox, canonical
from localagent.config_loop import LoopConfig
from localagent.errors import LocalAgentError
from localagent.events import ToolFinished, ToolStarted, TurnEvent
from localagent.messages import ToolCallPart
from localagent.record import CallRecord
from localagent.tool import READS

# Whether a call may run: "allow" or "deny", with the reason. Where somebody is asked, it waits for the answer. Raises
# Aborted.
Permit: TypeAlias = Callable[[ToolCallPart, Toolbox, AbortSignal], Decision]
# Is given each result, and why the call was allowed or refused (empty: nobody decided).
Keep: TypeAlias = Callable[[CallResult, str], None]

AT_ONCE = 8
# Characters of a result that the record of the turn holds.
NOTED = 200
# So many steps in a row with nothing but calls that a limit refused, and the model is offered no more.
MOST_REFUSED_STEPS = 2
STOPPED = "It was stopped before it ended. What it had done until then is not undone."
NOT_BEGUN = "Not run: the turn was stopped before it began."


def only_reading(call: ToolCallPart, toolbox: Toolbox, abort: AbortSignal) -> Decision:
    """Allow what does nothing but read."""
    beyond = toolbox.effects(call.name) - READS
    if not beyond:
        return Decision("allow", "it only reads")
    return Decision("deny", f"{call.name} {', '.join(sorted(beyond))}, and nobody can be asked")


class Doing:
    """Runs the calls of one turn. `keep` is given each result before its event leaves, in the order of the calls."""

    def __init__(self, toolbox: Toolbox, permit: Permit, limits: LoopConfig) -> None:
        self._toolbox = toolbox
        self._permit = permit
        self._limits = limits
        self._asked: Counter[str] = Counter()
        self._retries: Counter[str] = Counter()
        self._count = 0
        self._refused_steps = 0
        self.exhausted = ""

    def run(self, calls: Sequence[ToolCallPart], keep: Keep, abort: AbortSignal) -> Generator[TurnEvent]:
        """All calls of a step: at once if they only read, else one after the other. Afterwards `exhausted` says why the
        model should be offered no more; empty: it may. Raises Aborted. However it ends, each call has a result that was
        kept, and if anybody still looks, its event."""
        kept: list[CallResult] = []
        seen: list[ToolFinished] = []

        def keeping(result: CallResult, approval: str) -> None:
            keep(result, approval)
            kept.append(result)

        try:
            for event in self._run(calls, keeping, abort):
                if isinstance(event, ToolFinished):
                    seen.append(event)
                yield event
        except LocalAgentError:
            self._not_begun(calls, kept, keeping)
            told = [id(event.call) for event in seen]
            yield from (_finished(result) for result in kept if id(result.call) not in told)
            raise
        finally:
            self._not_begun(calls, kept, keeping)

    def _not_begun(self, calls: Sequence[ToolCallPart], kept: Sequence[CallResult], keep: Keep) -> None:
        """Of calls at once, one that was refused may have a result before one that was to run has begun."""
        have = {id(result.call) for result in kept}
        with contextlib.suppress(LocalAgentError):  # what ended the step is what the user has to hear
            for call in [one for one in calls if id(one) not in have]:
                keep(CallResult(call, NOT_BEGUN, is_error=True, ran=False), "")

    def _run(self, calls: Sequence[ToolCallPart], keep: Keep, abort: AbortSignal) -> Generator[TurnEvent]:
        together = len(calls) > 1 and all(self._toolbox.effects(call.name) <= READS for call in calls)
        limited = 0
        refusal = ""
        for batch in [calls] if together else [[call] for call in calls]:
            results: dict[int, CallResult] = {}
            approvals: dict[int, str] = {}
            for at, call in enumerate(batch):
                refused = self._beyond_limits(call)
                if refused is not None:
                    limited, refusal = limited + 1, refused.text
                refused = refused or self._toolbox.refusal(call)
                if refused is None:
                    refused, approvals[at] = self._permitted(call, abort)
                if refused is not None:
                    results[at] = refused
            yield from self._work(batch, results, lambda at: keep(results[at], approvals.get(at, "")), abort)  # noqa: B023
            for result in results.values():
                self._learn(result)
        self._refused_steps = self._refused_steps + 1 if limited == len(calls) else 0
        if self._refused_steps >= MOST_REFUSED_STEPS:
            self.exhausted = refusal

    def _beyond_limits(self, call: ToolCallPart) -> CallResult | None:
        """Why a call is not even looked at."""
        limits, name = self._limits, call.name
        self._asked[_key(call)] += 1
        if self._count >= limits.max_tool_calls:
            text = f"Not run: a turn has at most {limits.max_tool_calls} calls of tools. Answer with what you have."
        elif self._asked[_key(call)] > limits.max_identical_calls:
            text = (
                f"Not run: you have called {name} with exactly these arguments {limits.max_identical_calls} times, and "
                "its result stands above. Use it, or call something else."
            )
        elif self._retries[name] > limits.max_tool_retries:
            text = f"Not run: the calls of {name} have failed {self._retries[name]} times. Answer without it."
        else:
            self._count += 1
            return None
        return CallResult(call, text, is_error=True, ran=False)

    def _permitted(self, call: ToolCallPart, abort: AbortSignal) -> tuple[CallResult | None, str]:
        decision = self._permit(call, self._toolbox, abort)
        if decision.verdict == "allow":
            return None, _decided(decision)
        why = f": {decision.reason}" if decision.reason else ""
        then = "Call it again if it is still wanted." if decision.again else "Do not call it again; go on without it."
        text = f"Not run: the call of {call.name} was not allowed{why}. {then}"
        return CallResult(call, text, is_error=True, ran=False, denied=True), _decided(decision)

    def _work(
        self,
        batch: Sequence[ToolCallPart],
        results: dict[int, CallResult],
        keep: Callable[[int], None],
        abort: AbortSignal,
    ) -> Generator[TurnEvent]:
        """Run what has no result yet, and put the results in. However it ends, what had begun has one."""
        started: dict[int, float] = {}
        kept = 0
        try:
            for at, call in enumerate(batch):
                if at not in results:
                    started[at] = time.monotonic()
                    yield ToolStarted(call, self._toolbox.shown(call))
            done = list(results)
            if len(started) == 1:
                (only,) = started
                results[only] = self._toolbox.run(batch[only], abort)
            elif started:
                yield from self._at_once(batch, list(started), results, abort)
            for at in range(len(batch)):
                kept = at + 1  # whatever comes of it: no result is kept twice
                keep(at)
            yield from (_finished(results[at]) for at in range(len(batch)) if at in done or len(started) == 1)
        finally:
            for at, call in list(enumerate(batch))[kept:]:
                if at in started and at not in results:
                    seconds = time.monotonic() - started[at]
                    results[at] = CallResult(call, STOPPED, is_error=True, seconds=seconds)
                if at in results:
                    keep(at)

    def _at_once(
        self, batch: Sequence[ToolCallPart], places: Sequence[int], results: dict[int, CallResult], abort: AbortSignal
    ) -> Generator[TurnEvent]:
        with abort.child() as stop, ThreadPoolExecutor(min(AT_ONCE, len(places)), "tool") as pool:
            try:
                work = partial(self._toolbox.run, abort=stop)
                running: dict[Future[CallResult], int] = {pool.submit(work, batch[at]): at for at in places}
                for future in as_completed(running):
                    results[running[future]] = future.result()
                    yield _finished(results[running[future]])
            finally:
                stop.abort()  # whoever leaves early leaves nothing running

    def _learn(self, result: CallResult) -> None:
        name = result.call.name
        if result.retry:
            self._retries[name] += 1
        elif result.ran and not result.is_error:
            self._retries[name] = 0


def _key(call: ToolCallPart) -> str:
    """Equal for calls of the same with the same."""
    try:
        return f"{call.name} {canonical(call.arguments)}"
    except (ValueError, RecursionError):  # numbers of thousands of digits, lists a thousand deep
        return call.name


def _finished(result: CallResult) -> ToolFinished:
    return ToolFinished(result.call, result.text, result.is_error, result.ran, result.seconds, result.denied)


def _decided(decision: Decision) -> str:
    return f"{decision.verdict}: {decision.reason}" if decision.reason else decision.verdict


def recorded(step: int, result: CallResult, approval: str) -> CallRecord:
    """A call for the record of its turn."""
    return CallRecord(
        step=step,
        id=result.call.id,
        tool=result.call.name,
        arguments=result.call.arguments,
        approval=approval,
        ran=result.ran,
        is_error=result.is_error,
        seconds=result.seconds,
        text=result.text if len(result.text) <= NOTED else f"{result.text[: NOTED - 1]}…",
        left_out=result.left_out,
        linked=result.linked,
    )
