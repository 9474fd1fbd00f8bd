"""What the commands of memory share: opening it, settling what was written, reading durations and filters."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import typer

from localagent import bilingual_shown as say
from localagent.abort import AbortSignal
from localagent.bilingual import BY_WORDS, Language, joined, kind_name, language_of, language_of_most
from localagent.cli import options, process
from localagent.environment import Environment
from localagent.errors import Aborted, LocalAgentError, UsageError
from localagent.memory.kinds import Kind, Origin, Scope

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build import Workspace
    from localagent.build_memory import MemoryHome
    from localagent.memory.entries import Memory
    from localagent.memory.filters import Filter
    from localagent.memory.searching import Search
    from localagent.recall import Result

# How long a command waits after its work until what it wrote is found by its meaning too.
SETTLE_S = 5.0
# Where the agent wants no memories in its prompts, a person who searches still wants some.
TOP_K = 5
# Of a list so many entries tell the language.
NEWEST = 10
# What a passage may have in the fields that have few values.
KINDS = (*get_args(Kind), "message")
_VALUES = {"kind": KINDS, "scope": get_args(Scope), "origin": get_args(Origin), "source": ("memory", "message")}
# An entry's id, or a beginning of it that says more than the time.
_ID = re.compile(r"(?=.*\d)(?=.*[a-z])[0-9a-z]{6,16}")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_DURATION = re.compile(rf"(?:\d+(?:\.\d+)?[{''.join(_UNITS)}])+", re.IGNORECASE)
_SPAN = re.compile(rf"(\d+(?:\.\d+)?)([{''.join(_UNITS)}])", re.IGNORECASE)


@dataclass(frozen=True)
class Opened:
    """Everything a command needs. Ctrl-C sets `abort`."""

    env: Environment
    workspace: Workspace
    loaded: LoadedAgent
    home: MemoryHome
    abort: AbortSignal

    def thread_label(self, thread_id: str) -> str:
        """Its name, else its title, else its id; empty for none, and for one of another machine."""
        thread = self.workspace.threads(self.loaded).thread(thread_id) if thread_id else None
        return (thread.name or thread.title or thread.id) if thread is not None else ""

    def language_of(self, memories: Sequence[Memory]) -> Language:
        """In which most of these entries are, as far as they are the newest of a list."""
        return language_of_most([memory.text for memory in memories[:NEWEST]])

    def settle(self, language: Language = "en", *, seconds: float | None = SETTLE_S) -> None:
        """Embed and index what waits, for a short while, or with a bar until all is done (None). What is written is
        durable and found by its words anyway: whatever goes wrong here is a notice."""
        try:
            with ExitStack() as stack:
                bar = process.progress_bar(self.env, "embedding", unit="pieces")
                progress = stack.enter_context(bar) if seconds is None else _unseen
                trouble = self.home.drain(self.abort, progress, seconds=seconds)
        except Aborted:
            raise
        except LocalAgentError as error:
            trouble = str(error)
        from localagent.render_memory import waiting_text

        left = self.home.queue().passages
        if trouble:
            process.say(self.env, say.BY_WORDS_UNTIL(language, why=trouble))
        elif left:
            process.say(self.env, waiting_text(left, language))
        self.tell_parked(language)

    def tell_parked(self, language: Language = "en") -> None:
        state = self.home.queue()
        if state.parked:
            process.say(
                self.env, say.PARKED(language, **process.numbered(state.parked, "piece"), error=state.last_error)
            )


def _unseen(done: int, total: int) -> None:
    """Progress of what takes no time."""


@contextmanager
def open_memory(context: typer.Context, agent: str | None, settings: Sequence[str] | None = None) -> Iterator[Opened]:
    """The memory of the agent that the command line or discovery leads to. `settings`: what `--set` says."""
    from localagent.agent_folder import load_agent
    from localagent.build import open_workspace

    env = options.environment(context)
    with process.stop_on_signals() as abort, open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        loaded = load_agent(env, agent=agent, overrides=process.overrides(settings))
        for notice in loaded.notices:
            process.say(env, notice)
        with workspace.memory(loaded) as home:
            yield Opened(env, workspace, loaded, home, abort)


def duration(text: str) -> float:
    """Seconds of `30d`, `12h`, `2w` or `1d12h`. UsageError for anything else."""
    if not _DURATION.fullmatch(text.strip()):
        raise UsageError(f"{text!r} is no duration", hint="As in: 30d, 12h, 2w, 1d12h (s, m, h, d and w)")
    return sum(float(number) * _UNITS[unit.lower()] for number, unit in _SPAN.findall(text))


def filter_of(kinds: Sequence[str], text: str | None) -> Filter | None:
    """What `--kind` (any of them) and `--filter` (JSON) say together."""
    from localagent.memory.filters import both, parse_filter

    try:
        data = json.loads(text) if text is not None else {}
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, ValueError) else "it is nested too deep"
        hint = """As in: --filter '{"kind": "fact", "said_at": {"$gte": "2026-03-01"}}'"""
        raise UsageError(f"--filter is not JSON: {said}", hint=hint) from error
    where = parse_filter(data)
    if where is not None:
        _known_values(where)
    return both(parse_filter({"kind": list(kinds)}) if kinds else None, where)


def _known_values(where: Filter) -> None:
    """UsageError for a value that no passage has: nothing would ever be found."""
    from localagent.memory.filters import Group

    if isinstance(where, Group):
        for member in where.members:
            _known_values(member)
    elif where.field in _VALUES:
        for value in where.value if isinstance(where.value, tuple) else (where.value,):
            known(where.field, str(value), _VALUES[where.field])


def kinds_of(given: Sequence[str] | None) -> Sequence[str]:
    """What `--kind` may say. UsageError with the kinds there are."""
    for kind in given or ():
        known("kind", kind, KINDS)
    return given or ()


def nothing_listed(state: str, given: Sequence[str] | None) -> str:
    """What is said where a list is empty."""
    if state == "active" and not given:
        return "nothing is remembered yet; say it in a conversation, or: localagent memory add TEXT"
    what = ", ".join(filter(None, ("" if state == "all" else state, " or ".join(given or ()))))
    return f"nothing fits{what and f' ({what})'}; everything: localagent memory list --state all"


def known(what: str, value: str, values: Sequence[str]) -> None:
    """UsageError for one that is not among the values there are, with the nearest of them."""
    if value in values:
        return
    near = difflib.get_close_matches(value.lower(), values, n=1)
    nearest = f"Did you mean {near[0]!r}? " if near else ""
    raise UsageError(f"there is no {what} {value!r}", hint=f"{nearest}There are: {', '.join(values)}.")


def words_of(text: str, what: str, hint: str = "") -> str:
    """A text of the command line. UsageError (with the hint) if it is empty, without a word, or no UTF-8."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(f"{what} is not UTF-8 text")
    if not any(map(str.isalnum, text)):
        raise UsageError(f"{what} {'has no word in it' if text.strip() else 'is empty'}", hint=hint)
    return text.strip()


def show_results(opened: Opened, asked: Search, top_k: int | None, min_score: float | None, *, as_json: bool) -> None:
    """Search and print. The agent's own limits where none are given."""
    from localagent.cli.output import print_flowing, print_json
    from localagent.render_memory import result_lines, waiting_text

    env, policy = opened.env, opened.loaded.config.context_policy
    least = policy.memory_search_min_score if min_score is None else min_score
    most = (policy.memory_search_top_k or TOP_K) if top_k is None else top_k
    language = language_of(asked.text)
    results, degraded = opened.home.search(asked, top_k=most, min_score=least, abort=opened.abort)
    if degraded:
        process.say(env, BY_WORDS(language, why=degraded))
    elif waiting := opened.home.waiting():
        process.say(env, waiting_text(waiting, language))
    if not results:
        process.say(env, _nothing(opened, asked, most, least, language))
    if as_json:
        print_json(env, [_with_thread(opened, result) for result in results])
    elif results:
        now = env.now()
        shown = [result_lines(one, opened.thread_label(one.passage.thread_id), now, language) for one in results]
        print_flowing(env, "\n\n".join(shown))


def print_entries(opened: Opened, memories: Sequence[Memory], language: Language, *, with_state: bool) -> None:
    from localagent.cli.output import print_table
    from localagent.render_memory import age, listed

    now = opened.env.now()
    since = opened.home.memories.corrections([memory.id for memory in memories])
    rows = []
    for memory in memories:
        marks = [say.STATES[memory.state](language)] if with_state and memory.state != "active" else []
        marks += [say.PINNED(language)] if memory.pinned else []
        marks += [] if memory.scope == "all" else [say.ONLY[memory.scope](language)]
        text = listed(memory, since.get(memory.id, ()), language)
        if marks:
            text = say.MARKED(language, text=text, marks=joined(marks, language))
        rows.append((memory.id, kind_name(memory.kind, language), age(now - memory.created_at, language), text))
    headers = [say.HEADERS[name](language) for name in ("id", "kind", "written", "text")]
    print_table(opened.env, headers, rows)


def _nothing(opened: Opened, asked: Search, most: int, least: float, language: Language) -> str:
    """Why a search found nothing, and how to find something."""
    from localagent.memory.language import words

    nearest, _ = opened.home.search(asked, top_k=most, min_score=0.0, abort=opened.abort)
    if not nearest:
        return (say.NO_FIT if asked.where is not None else say.NOTHING_THERE)(language)
    best = max(result.ranked.score for result in nearest)
    told = say.NOTHING_SCORES(language, least=least, best=best)
    return told if words(asked.text, asking=True) else told + say.SAY_WHAT(language)


def tell_id(opened: Opened, text: str) -> None:
    """Whoever searches for an id means the entry."""
    if _ID.fullmatch(text):
        with suppress(UsageError):
            memory = opened.home.memories.get(text)
            process.say(opened.env, say.IS_ENTRY(language_of(memory.text), id=memory.id))


def _with_thread(opened: Opened, result: Result) -> dict[str, object]:
    from localagent.render_memory import result_json

    return {**result_json(result), "thread": opened.thread_label(result.passage.thread_id) or None}
