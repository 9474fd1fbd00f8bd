"""The classifier that comes along, with its real embedder: sentences and pairs here are none that its weights were made
from. `python -m benchmarks.classifier` measures it on the data."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from benchmarks import classifier as making
from localagent.abort import AbortSignal
from localagent.build_classifier import ClassifierBuilder
from localagent.errors import InternalError
from localagent.heard import LEAST
from localagent.linking import BESIDE, REPLACED, facts
from localagent.memory.calibration import Calibrated
from localagent.memory.classifying import Silence
from localagent.memory.embedded import EmbeddedE5
from localagent.memory.embedders import EmbedderTable
from localagent.memory.embedding import RawEmbedder, Vectors
from localagent.memory.entries import Add, NewMemory
from localagent.memory.late import LateEmbedder
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.neighbours import Neighbours
from localagent.memory.network import Network
from localagent.memory.passages import Passages
from localagent.memory.trained_classifier import KINDS, TrainedClassifier, Weights
from localagent.memory.vectors import VectorStore
from localagent.memory.word_embedder import WordEmbedder
from localagent.second_look import NOTED

# Each is noted, as one of the kinds.
WORTH = {
    "My twin brother drives the night bus in Oslo": "relationship",
    "Our spaniel is scared of thunderstorms": "relationship habit",
    "I get migraines from red wine": "profile habit",
    "We spend every August at my aunt's cabin": "habit",
    "I'd rather you gave me the code without comments": "preference",
    "我双胞胎弟弟在奥斯陆开夜班公交": "relationship",
    "我家的狗怕打雷": "relationship habit",
    "我一喝红酒就偏头痛": "profile habit",
    "每年八月我们都去姨妈的小木屋": "habit",
    "给我代码的时候别加注释": "preference",
}
# None is.
NOT_WORTH = [
    "Could you rename the variable in that loop?", "The parser crashes on empty lines", "Thanks, that was quick",
    "Move the heading above the picture", "It looks like rain over there", "The stock market fell again",
    "把循环里的变量改个名字", "解析器遇到空行就崩", "谢谢，真快", "把标题挪到图片上面", "那边好像要下雨", "股市又跌了",
]  # fmt: skip
OUTDATED = [
    ("I work nights at the bakery", "I've swapped to early shifts at the bakery"),
    ("Our spaniel is called Pepper", "Pepper had to be put down on Sunday"),
    ("I take the ferry to the office", "These days I cycle to the office"),
    ("我在面包房上夜班", "我换成早班了"),
    ("我坐轮渡去公司", "我现在骑车去公司"),
    ("我们的狗叫胡椒", "胡椒周日走了"),
]
HOLDS = [
    ("I work nights at the bakery", "My brother works days at the bakery"),
    ("Our spaniel is called Pepper", "I like my soup with pepper"),
    ("I take the ferry to the office", "The office has a new coffee machine"),
    ("I work nights at the bakery", "I'm allergic to cats"),
    ("我在面包房上夜班", "我弟弟在面包房上白班"),
    ("我坐轮渡去公司", "公司新买了咖啡机"),
]

WISHES: dict[str, Silence] = {
    "Please keep that between you and me": "wish",
    "No need to hold on to what I just told you": "wish",
    "I'm seeing a lawyer about the divorce, but nobody at home may find out": "confided",
    "We're expecting a baby and haven't told our parents yet, so not a word": "confided",
    "Take the bit about my debts off your list": "forget",
    "You can bin what you have on my old job": "forget",
    "刚才那句话你就当没听见": "wish",
    "这事到你这儿为止，别往外说": "wish",
    "我在看律师准备离婚，家里人都还不知道，别说漏了": "confided",
    "我怀孕了，还没跟爸妈讲，先替我瞒着": "confided",
    "我欠债那条从你那儿划掉吧": "forget",
    "我以前那份工作的事，你别再留着了": "forget",
}
NO_WISHES = [
    "Delete the third paragraph", "Take the eggs off the shopping list", "Don't forget that I'm allergic to nuts",
    "I forgot my umbrella on the bus", "We threw out the old carpet", "My sister can keep a secret", "Keep it short",
    "把第三段删了", "购物清单上把鸡蛋去掉", "别忘了我对坚果过敏", "我把伞忘在公交上了", "旧地毯我们扔了", "说短一点",
]  # fmt: skip


@pytest.fixture(scope="module")
def embedder() -> Iterator[Calibrated]:
    made = Calibrated(EmbeddedE5(), lambda fingerprint: None, lambda fingerprint, data: None)
    made.load(AbortSignal())
    yield made
    made.close()


@pytest.fixture
def classifier(embedder: Calibrated) -> TrainedClassifier:
    return TrainedClassifier(lambda abort: embedder, lambda vector, limit: [], AbortSignal())


def test_most_of_what_is_worth_remembering_is_seen_and_nothing_else(classifier: TrainedClassifier) -> None:
    worth = dict(zip(WORTH, classifier.kinds(list(WORTH)), strict=True))
    seen = {text: guess for text, guess in worth.items() if guess.probability >= NOTED}
    assert len(seen) >= 6, worth
    assert sum(guess.kind in WORTH[text].split() for text, guess in seen.items()) >= len(seen) - 1, seen
    others = classifier.kinds(NOT_WORTH)
    assert [text for text, guess in zip(NOT_WORTH, others, strict=True) if guess.probability >= NOTED] == []


def test_most_wishes_of_silence_are_heard_and_nothing_else(classifier: TrainedClassifier) -> None:
    heard = dict(zip(WISHES, classifier.silences(list(WISHES)), strict=True))
    right = [text for text, (silence, likely) in heard.items() if likely >= LEAST[silence] and silence == WISHES[text]]
    assert len(right) >= 9, heard
    others = dict(zip(NO_WISHES, classifier.silences(NO_WISHES), strict=True))
    assert [text for text, (silence, likely) in others.items() if likely >= LEAST[silence]] == [], others
    assert classifier.silences([]) == []


def test_most_of_what_is_outdated_is_seen_and_nothing_else(classifier: TrainedClassifier) -> None:
    def likely(pairs: list[tuple[str, str]]) -> list[float]:
        return [classifier.outdated(new, [old], [facts(new, old)])[0] for old, new in pairs]

    assert sum(value >= BESIDE for value in likely(OUTDATED)) >= 3, likely(OUTDATED)
    assert all(value < REPLACED for value in likely(HOLDS)), likely(HOLDS)


def test_several_are_judged_as_each_by_itself(classifier: TrainedClassifier) -> None:
    texts = [*WORTH, *NOT_WORTH, "", "\0", "🦊" * 400, "\ud83d alone", "שלום"]
    together = classifier.kinds(texts)
    apart = [classifier.kinds([text])[0] for text in texts]
    assert [one.kind for one in together] == [one.kind for one in apart]
    assert np.allclose([one.probability for one in together], [one.probability for one in apart], atol=0.02)
    assert classifier.kinds([]) == [] and classifier.outdated("new", [], []) == []


def test_the_weights_were_made_from_the_data(embedder: Calibrated) -> None:
    """Whoever changes the data, the facts or the marks makes them anew: python -m benchmarks.classifier --write."""
    sentences, pairs = (
        making.sentences("sentences", making.LETTERS)[::80],
        [pair for pair in making.pairs() if pair.label != "random"][::48],
    )
    classifier = TrainedClassifier(lambda abort: embedder, lambda vector, limit: [], AbortSignal())
    guesses = classifier.kinds([one.text for one in sentences])
    right = [(guess.probability >= 0.5) == (one.kind > 0) for guess, one in zip(guesses, sentences, strict=True)]
    assert sum(right) >= 0.9 * len(right), (sum(right), len(right))
    likely = [classifier.outdated(pair.new, [pair.old], [facts(pair.new, pair.old)])[0] for pair in pairs]
    # Of those that are alike; 0 is said of the others.
    outdated = np.array([value for value, pair in zip(likely, pairs, strict=True) if value and pair.label in "rp"])
    holds = np.array([value for value, pair in zip(likely, pairs, strict=True) if value and pair.label == "k"])
    assert (outdated[:, None] > holds).mean() >= 0.8


def test_the_data_is_well_formed() -> None:
    sentences, pairs = making.sentences("sentences", making.LETTERS), making.pairs()
    assert {one.kind for one in sentences} == set(range(len(KINDS) + 1)) and all(one.group for one in sentences)
    assert {pair.label for pair in pairs} == {"r", "p", "k", "random"}
    assert all(pair.old.strip() and pair.new.strip() for pair in pairs)
    wishes, told = making.sentences("wishes", making.SILENCE_LETTERS), making.lives()
    assert {one.kind for one in wishes} == {0, 1, 2, 3} and all(one.group for one in wishes)
    for life in told.values():
        assert all(place < at for at, one in enumerate(life) for place in (*one.outdates, *one.may))
        assert all(bool(one.outdates) == (one.label in ("r", "p")) for one in life)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", None])
def test_weights_that_cannot_be_read_are_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InternalError) as raised:
        Weights.load(path)
    assert str(path) in str(raised.value.where)


def test_weights_are_the_same_when_they_are_read_again(tmp_path: Path) -> None:
    weights = Weights.load()
    weights.save(tmp_path / "again.npz")
    again = Weights.load(tmp_path / "again.npz")
    assert np.array_equal(weights.directions, again.directions)
    for one, other in (
        (weights.kinds, again.kinds),
        (weights.silences, again.silences),
        (weights.outdated, again.outdated),
    ):
        assert all(np.array_equal(getattr(one, part.name), getattr(other, part.name)) for part in fields(Network))


def test_threads_may_ask_at_once(classifier: TrainedClassifier) -> None:
    found: list[float] = []

    def ask(text: str) -> None:
        found.append(classifier.kinds([text])[0].probability)

    threads = [threading.Thread(target=ask, args=(text,)) for text in WORTH]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(WORTH)


class Home:
    """A data folder with entries and the vectors of an embedder."""

    def __init__(self, folder: Path, raw: RawEmbedder, name: str) -> None:
        self.ledger = SqliteLedger(folder / "ledger.sqlite3")
        self.database = self.ledger.database
        self.passages = Passages(self.database, "default")
        self.memories = SqliteMemories(self.database, self.passages)
        self.late = LateEmbedder(EmbedderTable(self.database), lambda: name, lambda chosen: raw)
        self.store: VectorStore | None = None

    def fill(self, texts: list[str]) -> None:
        self.memories.write([Add(NewMemory("habit", text, scope="all")) for text in texts])
        embedder = self.late.load(AbortSignal())
        active = EmbedderTable(self.database).active()
        assert active is not None
        self.store = VectorStore(self.database, "default", active, folder=None, server=None, say=print)
        rows = self.store.missing(100)
        found = self.passages.get(rows)
        self.store.store(rows, embedder.embed_passages([one.text for one in found], AbortSignal()))

    def vectors(self) -> VectorStore | None:
        return self.store

    def builder(self) -> ClassifierBuilder:
        return ClassifierBuilder(self.database, "default", self.late, self.vectors, AbortSignal())

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        self.late.close()
        self.ledger.close()


def test_the_nearest_entries_are_those_that_count(tmp_path: Path) -> None:
    home = Home(tmp_path, EmbeddedE5(), "embedded")
    assert home.builder().get() is None  # not loaded yet
    home.fill(["I bake rye bread", "My bicycle is red", "Loaves are my weekend thing", "The tax office wrote"])
    classifier = home.builder().get()
    assert classifier is not None
    texts = {memory.id: memory.text for memory in home.memories.select()}
    found = classifier.nearest("I make bread on Saturdays", 4)
    assert {texts[memory_id] for memory_id, _ in found[:2]} == {"I bake rye bread", "Loaves are my weekend thing"}
    cosines = [cosine for _, cosine in found]
    assert cosines == sorted(cosines, reverse=True) and 1 > cosines[1] > cosines[2] + 0.1
    home.memories.archive([found[0][0]])
    assert found[0][0] not in dict(classifier.nearest("I make bread on Saturdays", 4))
    other = Neighbours(home.database, "other", home.vectors)
    assert other.nearest(np.ones(384, np.float32) / 384**0.5, 4) == []
    home.close()


class Foreign(WordEmbedder):
    """Another model than the one that the weights were made with."""

    @property
    def name(self) -> str:
        return "ollama:other"


def test_beside_another_embedder_it_has_its_own_and_knows_no_neighbours(tmp_path: Path) -> None:
    home = Home(tmp_path, Foreign(), "ollama:other")
    home.fill(["I bake rye bread"])
    builder = home.builder()
    classifier = builder.get()
    assert classifier is not None and classifier is builder.get()
    assert classifier.nearest("I make bread on Saturdays", 4) == []
    assert classifier.kinds(["Our spaniel is scared of thunderstorms"])[0].probability > 0.5
    builder.close()
    builder.close()
    home.close()


def test_who_wants_no_model_gets_none(tmp_path: Path) -> None:
    home = Home(tmp_path, WordEmbedder(), "words")
    home.fill(["I bake rye bread"])
    assert home.builder().get() is None
    home.close()


def test_vectors_are_of_the_whole_text_or_of_its_beginning(embedder: Calibrated) -> None:
    asked: list[list[str]] = []

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(embedder, name)

        def embed_passages(self, texts: list[str], abort: AbortSignal) -> Vectors:
            asked.append(texts)
            return embedder.embed_passages(texts, abort)

    counting = Counting()
    classifier = TrainedClassifier(lambda abort: counting, lambda vector, limit: [], AbortSignal())  # type: ignore[arg-type,return-value]
    classifier.kinds(["I bake rye bread", "I bake rye bread", "x" * 5000])
    classifier.outdated("I bake rye bread", ["My bicycle is red"], [facts("I bake rye bread", "My bicycle is red")])
    assert [[len(text) for text in texts] for texts in asked] == [[16, 500], [17]]  # nothing twice
