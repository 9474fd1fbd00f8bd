"""Running what an agent chose to end a turn or to judge its output: stop conditions, output processors, scorers.

Each look is an `Evaluation`, also of a mechanism that fails: the turn goes on without its word, and the record says so.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from localagent.abort import AbortSignal
from localagent.config import AgentConfig
from localagent.errors import LocalAgentError
from localagent.messages import JsonObject
from localagent.quality import (
    Ask,
    Evaluation,
    Form,
    Mechanisms,
    Output,
    Processed,
    Score,
    Scorer,
    TurnView,
    missing_sections,
)

# How the check of an answer's form is called in the record of a turn. No processor of a file can be.
FORM = "--schema"

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a scorer said; no score: why it did not."""

    name: str
    score: Score | None
    problem: str
    seconds: float


class Completion:
    """The mechanisms of one agent. Raises only what ends the turn anyway (`Aborted`)."""

    def __init__(self, config: AgentConfig, mechanisms: Mechanisms, form: Form | None = None) -> None:
        """`mechanisms` has every name that `config` chose; they fail with errors of `localagent.errors`. `form`: its
        check comes after the chosen processors, as the one called `FORM`."""
        self._loop = config.loop
        self._form = form
        self._required = config.completion
        self._mechanisms = mechanisms
        self._asking = threading.Lock()

    @property
    def processing(self) -> bool:
        """Whether outputs are looked at before they count."""
        return bool(self._loop.output_processors) or self._form is not None

    @property
    def judging(self) -> bool:
        """Whether an answer may be sent back after it was given."""
        required = self._required
        return bool(required.scorers or required.required_tools or required.required_sections)

    def stop(self, turn: TurnView) -> list[Evaluation]:
        """After a completed step: `max_steps`, then every stop condition, whatever the others say. The verdicts are
        "stop", "go on" and "failed"; `ended` is for whoever ends the turn."""
        step = _step(turn)
        spent = "stop" if step >= self._loop.max_steps else "go on"
        found = [Evaluation(step, "max_steps", "max_steps", spent, f"step {step} of {self._loop.max_steps}")]
        for name in self._loop.stop_when:
            condition = self._mechanisms.stop_conditions[name]
            why, problem, seconds = _timed(partial(condition, turn))
            verdict = "failed" if why is None else "stop" if why else "go on"
            found.append(Evaluation(step, "stop_when", name, verdict, why or problem, seconds))
        return found

    def process(self, output: Output, retries_left: int) -> tuple[Processed, list[Evaluation]]:
        """The processors in the order of the configuration; each sees the text that the one before left. All are asked,
        so that a retry is told everything at once. Without retries left the output is accepted as it is.

        The verdicts are "accept", "replace", "retry", "no retry left", "skipped" (it judges final answers, and this
        output asks for tools) and "failed"."""
        step, text, wanted = output.turn.steps[-1].number if output.turn.steps else 1, output.text, []
        found = []
        checks = [(name, self._mechanisms.processors[name]) for name in self._loop.output_processors]
        if self._form is not None:
            checks.append((FORM, self._form.check))
        for name, processor in checks:
            if output.asks_for_tools and name not in self._mechanisms.every_output:
                found.append(Evaluation(step, "output_processor", name, "skipped", "the output asks for tools"))
                continue
            shown = Output(text, output.asks_for_tools, output.turn)
            said, problem, seconds = _timed(partial(processor, shown))
            verdict, reason = ("failed", problem) if said is None else (str(said.verdict), said.reason)
            if said is not None and said.verdict == "replace":
                text = said.text
            elif said is not None and said.verdict == "retry" and retries_left > 0:
                wanted.append(said.reason)
            elif verdict == "retry":
                verdict = "no retry left"
            found.append(Evaluation(step, "output_processor", name, verdict, reason, seconds))
        if wanted:
            return Processed("retry", output.text, "\n".join(wanted)), found
        return Processed("accept" if text == output.text else "replace", text), found

    def score(self, turn: TurnView, ask: Ask, abort: AbortSignal) -> tuple[bool, str, list[Evaluation]]:
        """Whether the final answer (the text of the last step) may stand; if not, what the model should be told.

        Required tools and sections are required; of the scorers all, or any one, must agree. What was late or failed is
        "not judged": nothing the model could mend, so it neither sends it back nor counts as a yes. The last evaluation
        is the outcome: "done", "not done" or "not judged". Raises Aborted when the turn is called off.
        """
        step = _step(turn)
        required = self._requirements(turn, step)
        judged = self._judge(turn, ask, abort)
        found = [*required, *(_evaluation(step, one) for one in judged)]
        against = [one.reason for one in required if one.verdict == "not done"]
        said = [one.score for one in judged if one.score is not None]
        refused = [score.reason for score in said if not score.value]
        enough = self._required.strategy == "any" and any(score.value for score in said)
        against += [] if enough else refused
        if not found:
            return True, "", []
        silent = len(judged) - len(said)
        if against:
            verdict, reason = "not done", f"{len(against)} of {len(found)} say that something is missing"
        elif silent and not enough:
            verdict, reason = "not judged", f"{silent} of {len(judged)} scorers gave no judgement; the answer stands"
        else:
            verdict, reason = "done", ""
        found.append(Evaluation(step, "completion", self._required.strategy, verdict, reason))
        return not against, "\n".join(dict.fromkeys(filter(None, against))), found

    def _requirements(self, turn: TurnView, step: int) -> list[Evaluation]:
        found = []
        ran = {call.tool for call in turn.called if not call.is_error}
        failed = {call.tool for call in turn.called} - ran
        if self._required.required_tools:
            missing = [name for name in self._required.required_tools if name not in ran]
            said = [f"{name} (its calls failed)" if name in failed else name for name in missing]
            reason = f"Call these tools before you answer; they have not run: {', '.join(said)}." if said else ""
            found.append(_requirement(step, "required_tools", reason))
        if self._required.required_sections:
            absent = missing_sections(turn.steps[-1].text if turn.steps else "", self._required.required_sections)
            reason = f"The answer lacks sections with these headings: {', '.join(absent)}." if absent else ""
            found.append(_requirement(step, "required_sections", reason))
        return found

    def _judge(self, turn: TurnView, ask: Ask, abort: AbortSignal) -> list[_Judged]:
        """What every scorer says, in the order of the configuration."""
        names, limit_s = self._required.scorers, self._required.timeout_s
        if not names:
            return []
        answers: queue.SimpleQueue[_Judged | None] = queue.SimpleQueue()
        with abort.child(timeout_s=limit_s, what="judging the answer (completion.timeout_s)") as limit:
            work = [self._job(name, turn, self._one_at_a_time(ask, limit), limit, answers) for name in names]
            for jobs in [[job] for job in work] if self._required.parallel else [work]:
                # What does not heed the signal is left behind; it must not keep the program from ending.
                threading.Thread(target=_run, args=(jobs,), name="scorer", daemon=True).start()
            limit.on_abort(lambda: answers.put(None))
            arrived: dict[str, _Judged] = {}
            while len(arrived) < len(names) and (one := answers.get()) is not None:
                arrived[one.name] = one
        abort.raise_if_aborted()
        late = f"it did not answer within {limit_s:g} s (completion.timeout_s)"
        return [arrived.get(name) or _Judged(name, None, late, limit_s) for name in names]

    def _job(
        self, name: str, turn: TurnView, ask: Ask, limit: AbortSignal, answers: queue.SimpleQueue[_Judged | None]
    ) -> Callable[[], None]:
        scorer: Scorer = self._mechanisms.scorers[name]

        def job() -> None:
            if limit.aborted:  # those before it took all the time there was
                return
            score, problem, seconds = _timed(lambda: scorer(turn, ask, limit))
            if not limit.aborted:
                answers.put(_Judged(name, score, problem, seconds))

        return job

    def _one_at_a_time(self, ask: Ask, limit: AbortSignal) -> Ask:
        """A local model serves one caller at a time; whoever still waits when the time is over does not get to it."""

        def asking(task: str, schema: JsonObject | None, given: AbortSignal) -> str:
            with given.child() as both:
                forget = limit.on_abort(lambda: both.abort(limit.error))
                try:
                    while not self._asking.acquire(timeout=0.05):
                        both.raise_if_aborted()
                    try:
                        both.raise_if_aborted()
                        return ask(task, schema, both)
                    finally:
                        self._asking.release()
                finally:
                    forget()

        return asking


def _timed(work: Callable[[], Answer]) -> tuple[Answer | None, str, float]:
    """The answer, or None and what went wrong; seconds."""
    started = time.monotonic()
    try:
        return work(), "", time.monotonic() - started
    except LocalAgentError as error:
        return None, str(error), time.monotonic() - started


def _run(jobs: Sequence[Callable[[], None]]) -> None:
    for job in jobs:
        job()


def _step(turn: TurnView) -> int:
    return turn.steps[-1].number if turn.steps else 1


def _requirement(step: int, name: str, reason: str) -> Evaluation:
    return Evaluation(step, "completion", name, "not done" if reason else "done", reason)


def _evaluation(step: int, one: _Judged) -> Evaluation:
    if one.score is None:
        return Evaluation(step, "completion", one.name, "not judged", one.problem, one.seconds)
    verdict = "done" if one.score.value else "not done"
    return Evaluation(step, "completion", one.name, verdict, one.score.reason, one.seconds)
