"""The contracts of policies: what the files of an agent's `policies/` folder decide, on what, and in which form.

A policy is a function called like its file. All are plain calculations: no files, no network, no state. The default
ones are in the repository's `policies/`; an agent's own file takes the place of the default of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from localagent.memory.entries import Kind, Memory, Scope, Subject
from localagent.messages import Role
from localagent.summary import SummaryItem


@dataclass(frozen=True, slots=True)
class Said:
    """A message as a policy sees it: the words of its speaker, without what was attached or quoted in labels.

    `role` is who speaks; `said_at` epoch seconds; `message_id` the ledger's.
    """

    role: Role
    text: str
    said_at: float
    message_id: int


@dataclass(frozen=True, slots=True)
class Extracted:
    """One thing worth remembering, as a statement that can be understood by itself.

    `evidence` is the passage it was taken from, word for word. `message_id`: the message it comes from, where that is
    an earlier one (a reference back). `explicit`: the speaker asked for it to be remembered. `replaces`: the words
    say that something else held before ("not any more", "改成"). `importance` None: the kind's own; at most 0.3 of
    what `replaces`: it takes the place and the kind of whatever it corrects, and an event that corrects nothing is
    not kept.
    """

    kind: Kind
    text: str
    evidence: str
    importance: float | None = None
    scope: Scope = "agent"
    subject: Subject = "user"
    emotion: float = 0.0
    due_at: float | None = None
    message_id: int | None = None
    explicit: bool = False
    replaces: bool = False


class ImportancePolicy(Protocol):
    def __call__(self, message: Said, earlier: Sequence[Said]) -> Sequence[Extracted]:
        """What to keep of `message` (user, assistant or tool), given the messages before it, oldest first. Most
        messages give nothing. What is returned for other roles than the user cannot become a preference or decision:
        the engine sees to that."""
        ...


class UndecidedPolicy(Protocol):
    def __call__(self, message: Said, found: Sequence[Extracted]) -> Sequence[str]:
        """Sentences of a user's `message`, word for word, of which `importance` took nothing (`found` is what it took),
        though they may hold something: no questions, no material of a task, no one else's words. The classifier
        decides of them."""
        ...


def all_decided(message: Said, found: Sequence[Extracted]) -> Sequence[str]:
    """No sentence is left to the classifier."""
    return ()


@dataclass(frozen=True, slots=True)
class Question:
    """What recall is asked. `text` is the request with its context, `asks_time`: it asks when something was.

    `score_of` maps a cosine to 0-1 for the embedder in use (see `Embedder.score`); 0 where there are no vectors.
    """

    text: str
    asks_time: bool
    score_of: Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that may be recalled, with what was measured of it.

    `row` numbers passages: row + 1 and row - 1 are its neighbours in the same session of the same thread, if they
    are there. `cosine` with the question (-1 to 1); `keyword`: BM25 weight (0: none of the words; no upper bound);
    `keyword_share`: the share of the question's rare words that it has (0-1). `day`: said on the day that was asked
    for (1), the day after or in that month (0.5). `asks`: share of the text that asks; `ends_asking`: it ends with a
    question; `times`: it says when something was; `named`: the question names its speaker. `retention` 0-1, 1 for
    messages. `is_memory`: an entry, not a passage of a message. `embedded`: it has a vector; without one (it was
    written a moment ago, or the embedder does not answer) `cosine` is 0 and the words stand alone.
    """

    row: int
    session: str
    cosine: float
    keyword: float
    keyword_share: float
    day: float
    asks: float
    ends_asking: bool
    times: bool
    named: bool
    is_memory: bool
    retention: float = 1.0
    embedded: bool = True


@dataclass(frozen=True, slots=True)
class Ranked:
    """`rank` orders (higher is better, no unit); `score` is absolute, 0-1, and what `min_score` is compared with;
    `vector` and `keyword` are its parts, 0-1."""

    row: int
    rank: float
    score: float
    vector: float
    keyword: float


class RecallPolicy(Protocol):
    def __call__(self, question: Question, candidates: Sequence[Candidate]) -> Sequence[Ranked]:
        """Every candidate, best first."""
        ...


Fate: TypeAlias = Literal["keep", "archive"]


@dataclass(frozen=True, slots=True)
class Retention:
    """`score` 0-1; `fate` and, in words, why."""

    score: float
    fate: Fate
    reason: str


class RetentionPolicy(Protocol):
    def __call__(self, memory: Memory, now: float, threshold: float) -> Retention:
        """How well an entry is kept at `now` (epoch seconds); below `threshold` it is archived, unless it is exempt."""
        ...


@dataclass(frozen=True, slots=True)
class Compressing:
    """What is to be shortened. `messages` are those newly covered, oldest first (user, assistant, tool); `items` the
    summary so far; `proposed` what the model made of the messages, as far as they bear it out; `outdated`: of messages,
    by their ids, the sentences that were corrected or taken back since. The result may have at most `limit` tokens as
    `count`ed by the sum of its items' lines."""

    messages: Sequence[Said]
    items: Sequence[SummaryItem]
    proposed: Sequence[SummaryItem]
    outdated: Mapping[int, Sequence[str]]
    limit: int
    count: Callable[[str], int]


class SummarizationPolicy(Protocol):
    def __call__(self, given: Compressing) -> Sequence[SummaryItem]:
        """The items of the next version, in the order in which they were said. No detail of the user's own statements
        (numbers, names, paths, dates, negations) may be lost without need: what `proposed` lacks is kept in the
        message's own words. An item that takes the place of earlier ones names them (`replaces`). Pure and quick: it
        also stands in for a model that fails."""
        ...


@dataclass(frozen=True, slots=True)
class Policies:
    """Those of one agent."""

    importance: ImportancePolicy
    recall: RecallPolicy
    retention: RetentionPolicy
    summarization: SummarizationPolicy
    undecided: UndecidedPolicy = all_decided
