"""What a wish of silence names of what was said just before: "don't tell a soul about the job, I hand in my notice on
Monday", 二胎的事谁都还不知道，你别说出去.

Such a message says something itself, so it does not only take back the one before it. What it names is as little to
be told as what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from localagent.memory.base import StoredMessage
from localagent.memory.entries import Memories, Memory
from localagent.memory.filters import Condition
from localagent.memory.language import sentences
from localagent.noted import has
from localagent.repetitions import said_after
from localagent.spoken import spoken
from localagent.statements import statement, words_in
from localagent.written import Unclear

# Messages of the user that a wish may name something of, and entries of a thread that are looked through.
MOST_TURNS = 3
MOST_OF_A_THREAD = 200
# A message has at least this share of the words that a topic is named with.
LEAST_SHARE = 0.5

_NOUNS = r"(?:the|my|our|his|her|their) (?:[\w'’-]+ ){0,3}?[\w'’-]+|(?-i:[A-Z])[\w'’-]+(?: [\w'’-]+){0,2}?"
_ENDS = (
    r"(?= (?:though|yet|either|please|to|with|and|but|is|was|stays?|goes|never|must|should|can|just)\b|[,;:.!?—–]|$)"
)
# "... about the job though", "the thing with Dafydd", "Colin's cancer, he hasn't said", "the loan bit stays here".
_TOPIC = re.compile(
    rf"\b(?:about|regarding|concerning|as for) (?P<a>{_NOUNS}){_ENDS}"
    rf"|\bthe (?:thing|bit|part|stuff|business|news) (?:about|with|of|on) (?P<b>{_NOUNS}){_ENDS}"
    r"|^\W*(?P<c>(?:(?-i:[A-Z])[\w-]+|(?:my|our|his|her|their) [\w-]+)['’]s [\w-]+|the [\w-]+)(?=, )"
    r"|\b(?:the|my|that|our) (?P<d>(?:[\w'’-]+ ){1,3}?)(?:thing|bit|part|stuff|business|news)\b",
    re.IGNORECASE,
)
_TOPIC_ZH = re.compile(
    r"(?:^|[，,。；;])(?:关于|有关)?(?P<z>(?!我?[跟和对]你)[^，,。；;这那的]{1,12}?)(?:的?[这那]?[个件些]?事情?(?![做忙多少])|[这那]一?[条件个]事?|这事儿?)"
)

# "I got the job! I start in May."
_GOES_ON = re.compile(r"\W*(?:(?:and|so|but) )?(?:I|we|it|he|she|they|that|there)\b|\W*[我他她它这那]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """`going`: entries of the messages before, each with the wish that names them; `passages`: with the ids of their
    messages, sentences that are not recalled any more; `unclear`: those of them of which nothing was noted; `wishes`:
    those that name something of before."""

    going: tuple[tuple[Memory, str], ...] = ()
    passages: tuple[tuple[int, str], ...] = ()
    unclear: tuple[Unclear, ...] = ()
    wishes: frozenset[str] = frozenset()

    def has(self, asked: str) -> bool:
        """Whether a request is one of these wishes."""
        return any(asked in wish or wish in asked for wish in self.wishes)


# Nothing of before.
NOTHING_OF_BEFORE = SpokenOf()


def spoken_of(
    memories: Memories, message: StoredMessage, earlier: Sequence[StoredMessage], wishes: Sequence[str]
) -> SpokenOf:
    """`wishes`: the sentences of a message of the user that are wishes of silence; `earlier`: the messages before it in
    its thread, oldest first."""
    turns = [one for one in earlier if one.message.role == "user" and one.status != "undone" and one.remembered]
    active = memories.select(Condition("thread_id", "$eq", message.thread_id), limit=MOST_OF_A_THREAD) if turns else []
    going: dict[str, tuple[Memory, str]] = {}
    passages: list[tuple[int, str]] = []
    unclear: list[Unclear] = []
    named: set[str] = set()
    for wish in wishes:
        topics = [statement(topic).content for topic in topics_of(wish)]
        said = next((one for one in reversed(turns[-MOST_TURNS:]) if _names(spoken(one).text, topics)), None)
        if said is None:
            continue
        made = [memory for memory in active if memory.message_id == said.id]
        hidden = [(said.id, one) for one in _saying(spoken(said).text, topics)]
        meant = [memory for memory in made if any(has(one, memory.evidence) for _, one in hidden)] or made
        going |= {memory.id: (memory, wish) for memory in meant if not said_after(memories, memory, message)}
        unclear += [] if meant else [Unclear(" ".join(one for _, one in hidden), (), tuple(hidden), before=True)]
        passages += hidden
        named.add(wish)
    once, asked = tuple(dict.fromkeys(passages)), tuple(dict.fromkeys(unclear))
    return SpokenOf(tuple(going.values()), once, asked, frozenset(named))


def topics_of(wish: str) -> Iterator[str]:
    """What a wish names as what it is about."""
    for match in (*_TOPIC.finditer(wish), *_TOPIC_ZH.finditer(wish)):
        yield next(one for one in match.groups() if one)


def _saying(text: str, topics: Sequence[frozenset[str]]) -> Iterator[str]:
    """The sentences of a message that name it, and those behind them that go on."""
    goes_on = False
    for sentence in map(str.strip, sentences(text)):
        goes_on = _names(sentence, topics) or (goes_on and bool(_GOES_ON.match(sentence)))
        if goes_on:
            yield sentence


def _names(text: str, topics: Sequence[frozenset[str]]) -> bool:
    content = statement(text).content
    common = [(words_in(topic & content), words_in(topic)) for topic in topics]
    return any(shared >= 1 and shared >= LEAST_SHARE * words for shared, words in common)
