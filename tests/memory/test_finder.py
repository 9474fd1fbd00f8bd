"""Search over words and vectors: who may see what, what comes back, and what happens without vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from memories_home import Home

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed, Interrupted, ModelUnreachable
from localagent.memory.embedders import EmbedderTable
from localagent.memory.embedding import Embedder, Vectors
from localagent.memory.entries import Memory, NewMemory, Supersede
from localagent.memory.filters import Filter, parse_filter
from localagent.memory.finder import END_CHARACTERS, Finder
from localagent.memory.finding import EACH, VectorSearch
from localagent.memory.found_row import FoundRow
from localagent.memory.index import Hit
from localagent.memory.keywords import Keywords
from localagent.memory.passages import Passages
from localagent.memory.searching import Found, Line, Search
from localagent.memory.vectors import VectorHit, VectorStore
from localagent.memory.word_embedder import WordEmbedder
from localagent.messages import ToolCallPart, assistant, tool_result, user


class Words(WordEmbedder):
    """Counts its calls; `failure` is raised instead."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.failure: Exception | None = None

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        self.asked += texts
        if self.failure is not None:
            raise self.failure
        return super().embed_queries(texts, abort)

    def score(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))


@dataclass
class World:
    """A home of one tenant, with its vectors compared exactly."""

    home: Home
    tenant: str
    passages: Passages
    vectors: VectorSearch
    store: VectorStore
    embedder: Words
    abort: AbortSignal

    def finder(self, retention: Callable[[Memory, float], float] = lambda memory, now: 0.5) -> Finder:
        keywords = Keywords(self.home.ledger.database, self.tenant)
        return Finder(self.passages, keywords, lambda: self.vectors, lambda: self.embedder, retention, self.home.clock)

    def embed(self) -> None:
        while rows := self.store.missing(500):
            texts = self.passages.texts(rows)
            self.store.store(list(texts), self.embedder.embed_passages(list(texts.values()), self.abort))

    def find(self, text: str, **more: object) -> Found:
        while self.passages.take_changed():
            pass
        self.embed()
        return self.finder().find(Search(text, **{"agent": "a", **more}), self.abort)  # type: ignore[arg-type]

    def texts(self, text: str, **more: object) -> set[str]:
        found = self.find(text, **more)
        return {one.text for one in self.passages.get([candidate.row for candidate in found.candidates])}

    def say(self, thread: str, *texts: str) -> None:
        for number, text in enumerate(texts):
            self.home.ledger.append(thread, assistant(text) if number % 2 else user(text))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., World]]:
    home = Home(tmp_path / "ledger.sqlite3")
    made: list[World] = []

    def world(tenant: str = "default") -> World:
        database = home.ledger.database
        embedder = Words()
        row = EmbedderTable(database).add(embedder.load(AbortSignal()), active=True)
        store = VectorStore(database, tenant, row, folder=None, server=None, say=print)
        made.append(World(home, tenant, Passages(database, tenant), store, store, embedder, AbortSignal()))
        return made[-1]

    yield world
    for one in made:
        one.store.close()
    home.close()


@pytest.fixture
def world(make: Callable[..., World]) -> World:
    return make()


def test_entries_and_messages_by_words_and_likeness(world: World) -> None:
    thread = world.home.ledger.create_thread("a").id
    world.say(thread, "The router moved to the cellar", "noted", "咖啡放在橱柜里")
    memory = world.home.add("The router's address is 10.0.9.1", scope="all")
    found = world.find("where is the router?")
    by_text = {one.text: candidate for candidate in found.candidates for one in world.passages.get([candidate.row])}
    assert by_text.keys() == {"The router moved to the cellar", "noted", "咖啡放在橱柜里", memory.text}
    entry, message = by_text[memory.text], by_text["The router moved to the cellar"]
    assert (entry.is_memory, entry.retention, message.is_memory, message.retention) == (True, 0.5, False, 1.0)
    assert min(entry.keyword, message.keyword, entry.cosine, message.cosine) > 0
    assert 0 < message.keyword_share <= 1
    assert by_text["noted"].row == message.row + 1 and by_text["noted"].session == message.session
    assert (found.degraded, found.question.text) == ("", "where is the router?")
    assert found.question.score_of(0.3) == 0.3


def test_what_is_told_of_a_candidate(world: World) -> None:
    start = datetime(2026, 5, 8, 9).timestamp()
    lines = [("Ana", "Shall we go on holiday?"), ("Bo", "yes, last week I booked it"), ("Cy", "nice 假期")]
    rows = world.passages.add_said(
        "s", [Line(text, who, start + 60 * n) for n, (who, text) in enumerate(lines)], agent="a"
    )
    found = {one.row: one for one in world.find("When did Ana talk of the holiday on 8 May?").candidates}
    question, answer = found[rows[0]], found[rows[1]]
    assert (question.asks, question.ends_asking, question.times, question.named, question.day) == (
        1,
        True,
        False,
        True,
        1,
    )
    assert (answer.asks, answer.ends_asking, answer.times, answer.named) == (0, False, True, False)
    asked = world.find("When did Ana talk of the holiday on 8 May?").question
    assert asked.asks_time
    assert not world.find("Ana?").question.asks_time
    assert {one.day for one in world.find("五月的假期 2026年5月").candidates} == {0.5}


def test_scopes(world: World) -> None:
    mine, other = (world.home.ledger.create_thread(agent).id for agent in ("a", "b"))
    second = world.home.ledger.create_thread("a").id
    world.say(mine, "router in my thread")
    world.say(second, "router in my other thread")
    world.say(other, "router of another agent")
    for scope, agent, thread in [
        ("all", "b", ""),
        ("agent", "a", ""),
        ("agent", "b", ""),
        ("thread", "a", mine),
        ("thread", "a", second),
    ]:
        world.home.add(f"router entry {scope} {agent} {thread}", scope=scope, agent=agent, thread_id=thread)
    entries = {"router entry all b", "router entry agent a", f"router entry thread a {mine}"}
    messages = {"router in my thread", "router in my other thread"}
    here = {"agent": "a", "thread_id": mine}
    assert world.texts("router", **here) == entries | messages
    assert world.texts("router", **here, all_threads=False) == entries | {"router in my thread"}
    assert world.texts("router", **here, messages=False) == entries
    assert world.texts("router", **here, memories=False) == messages
    assert world.texts("router", **here, memories=False, messages=False) == set()
    assert world.texts("router", agent="c") == {"router entry all b"}
    assert world.texts("router", agent="a\ud800") == {"router entry all b"}


@pytest.mark.parametrize(
    "where",
    [{}, {"agent": "b"}, {"scope": "agent"}, {"$or": [{"agent": "b"}, {"agent": "a"}]}, {"thread_id": {"$ne": "x"}}],
)
def test_no_argument_reaches_another_tenant_or_agent(make: Callable[..., World], where: dict[str, object]) -> None:
    theirs = make("other")
    thread = theirs.home.ledger.create_thread("a", tenant="other").id
    theirs.say(thread, "their router secret")
    theirs.home.add("their router entry", tenant="other", scope="all")
    theirs.find("router")  # embedded
    mine = make()
    mine.home.add("b's own router", agent="b", scope="agent")
    mine.home.add("my router", agent="a")
    query = parse_filter(where)  # type: ignore[arg-type]
    for hidden in (False, True):
        found = mine.texts("router secret", thread_id=thread, where=query, hidden=hidden)
        assert found <= {"my router"}
        assert found or "agent" in where
    theirs_row = next(
        row for (row,) in mine.home.ledger.database.query("SELECT row FROM passages WHERE tenant = 'other'")
    )
    assert mine.finder().passages([int(str(theirs_row))]) == []


def test_filters(world: World) -> None:
    thread = world.home.ledger.create_thread("a").id
    world.say(thread, "router said", "router answered")
    world.home.add("router fact", agent="a")
    world.home.add("router event", kind="event", agent="a", origin="tool")
    for where, expected in [
        ({"source": "memory"}, {"router fact", "router event"}),
        ({"kind": {"$in": ["event", "message"]}}, {"router event", "router said", "router answered"}),
        ({"speaker": "assistant"}, {"router answered"}),
        ({"origin": {"$nin": ["user"]}}, {"router event", "router answered"}),
        ({"said_at": {"$gte": "2100-01-01"}}, set()),
        ({"$or": [{"kind": "fact"}, {"thread_id": thread}]}, {"router fact", "router said", "router answered"}),
    ]:
        assert world.texts("router", where=parse_filter(where)) == expected  # type: ignore[arg-type]


def test_the_hidden_are_found_but_crowd_nothing_out(world: World) -> None:
    """Hundreds that fit better, and one that counts."""
    archived = [world.home.add(f"router router password {n}", kind="event", agent="a").id for n in range(3 * EACH)]
    world.home.memories().archive(archived)
    world.home.add("a remark on the router and much else, such as the cellar, its door and its lamp", agent="a")
    world.home.add("路由器", agent="a")
    for text in ("router password", "password of the router 路由器"):
        assert "a remark on the router and much else, such as the cellar, its door and its lamp" in world.texts(text)
    found = world.find("router password")
    states = {one.memory.state for one in world.passages.get([c.row for c in found.candidates]) if one.memory}
    assert states == {"active", "archived"}
    for entries in (40, 90):
        assert len(world.find("router password", hidden=True, entries=entries).candidates) == entries


def test_a_superseded_entry_is_told(world: World) -> None:
    old = world.home.add("The router is at 10.0.7.1", agent="a")
    new = NewMemory("fact", "The router is at 10.0.9.1", agent="a")
    world.home.memories().write([Supersede(old.id, new)])
    found = world.find("router")
    entries = {one.text: one.memory for one in world.passages.get([c.row for c in found.candidates])}
    states = {text: memory.state for text, memory in entries.items() if memory}
    assert states == {"The router is at 10.0.7.1": "superseded", "The router is at 10.0.9.1": "active"}


def test_many_of_another_agent_crowd_nothing_out(world: World) -> None:
    for number in range(3 * EACH):
        world.home.add(f"router {number}", kind="event", agent="b")
    world.home.add("the router stands in the cellar beside the boiler", agent="a")
    assert world.texts("router") == {"the router stands in the cellar beside the boiler"}


def test_messages_of_one_thread_among_many(world: World) -> None:
    mine, other = (world.home.ledger.create_thread("a").id for _ in range(2))
    world.say(other, *(f"router {number}" for number in range(3 * EACH)))
    world.say(mine, "what the router in the cellar is for")
    assert world.texts("router", thread_id=mine, all_threads=False) == {"what the router in the cellar is for"}


def test_what_a_tool_gave_in_another_thread_is_left_out_where_it_is_not_wanted(world: World) -> None:
    mine, other = (world.home.ledger.create_thread("a").id for _ in range(2))
    call = ToolCallPart("1", "fetch_url", {"url": "https://example.org/boilers"})
    for thread, text in ((mine, "the boiler here is blue"), (other, "the boiler there is red")):
        world.say(thread, "is there a boiler?")
        world.home.ledger.append(thread, assistant("", [call]))
        world.home.ledger.append(thread, tool_result(call, text))
        world.home.ledger.append(thread, tool_result(call, f"Not run: {text}", is_error=True))
    asked = {"is there a boiler?"}
    assert world.texts("boiler", thread_id=mine) == asked | {"the boiler here is blue", "the boiler there is red"}
    assert world.texts("boiler", thread_id=mine, results=False) == asked | {"the boiler here is blue"}


def test_context_is_for_the_vector_alone(world: World) -> None:
    world.home.add("the boiler was repaired in May", agent="a")
    found = world.find("and that one?", context="when was the boiler repaired?\nin May")
    assert world.embedder.asked == ["when was the boiler repaired?\nin May\nand that one?"]
    (one,) = found.candidates
    assert one.keyword == 0 and one.cosine > 0.3
    assert found.question.text == world.embedder.asked[0]


@pytest.mark.parametrize("text", ["", " \n ", "\U0001f600", "\x00\ud800", "?", "\u202eשלום"])
def test_odd_questions(world: World, text: str) -> None:
    world.home.add("something", agent="a")
    found = world.find(text)
    assert not found.degraded
    assert len(found.candidates) <= 1


def test_a_very_long_question_is_asked_by_its_ends(world: World) -> None:
    world.home.add("the boiler was repaired", agent="a")
    for text in ("boiler? " + "x " * 100_000, "字" * 100_000 + " boiler?"):
        (one,) = world.find(text).candidates
        assert one.keyword > 0
    assert max(map(len, world.embedder.asked)) <= 2 * END_CHARACTERS + 1


def test_without_vectors_words_are_searched_alone(world: World) -> None:
    world.home.add("the boiler was repaired", agent="a")
    world.home.add("the lamp was not", agent="a")
    world.find("boiler")
    world.embedder.failure = EmbeddingFailed("the model is ill", hint="Give it tea.")
    found = world.find("the boiler")
    assert "the model is ill" in found.degraded and "tea" in found.degraded
    assert [(one.cosine, one.keyword > 0) for one in found.candidates] == [(0.0, True)]
    assert found.question.score_of(1.0) == 0.0
    world.embedder.failure = None
    assert world.find("the boiler").degraded == ""
    for vectors, embedder in ((None, world.embedder), (world.store, None)):
        keywords = Keywords(world.home.ledger.database, "default")
        none: Callable[[], Embedder | None] = lambda embedder=embedder: embedder  # type: ignore[misc]  # noqa: E731
        finder = Finder(world.passages, keywords, lambda vectors=vectors: vectors, none, lambda m, n: 1.0)  # type: ignore[misc]
        found = finder.find(Search("boiler", agent="a"), world.abort)
        assert found.degraded and len(found.candidates) == 1


def test_stop_means_stop(world: World) -> None:
    world.home.add("the boiler was repaired", agent="a")
    world.embedder.failure = Interrupted("stop")
    with pytest.raises(Interrupted):
        world.find("boiler")
    abort = AbortSignal()
    abort.abort()
    with pytest.raises(Interrupted):
        world.finder().find(Search("boiler"), abort)


class Shared:
    """Vectors of a server that other homes use too; it may fail."""

    def __init__(self, own: VectorStore) -> None:
        self.own = own
        self.foreign: list[Hit] = []
        self.failure: Exception | None = None

    def query(self, vector: Vectors, limit: int, where: Filter | None = None) -> list[VectorHit]:
        if self.failure is not None:
            raise self.failure
        others = [VectorHit(-1, hit.cosine, hit) for hit in self.foreign]
        return [*others, *self.own.query(vector, limit, where)][:limit]

    def cosines(self, vector: Vectors, rows: Sequence[int]) -> dict[int, float]:
        assert all(row > 0 for row in rows)
        return self.own.cosines(vector, rows)

    def known(self, rows: Iterable[int], where: Filter) -> dict[int, FoundRow | None]:
        return self.own.known(rows, where)


def foreign(key: str, text: str, **more: object) -> Hit:
    labels = {"source": "memory", "kind": "fact", "origin": "user", "scope": "all", "agent": "a", "thread_id": ""}
    said_at = datetime(2026, 5, 8, 9).timestamp()
    return Hit(key, 0.7, text, {**labels, "speaker": "", "said_at": said_at, **more})  # type: ignore[dict-item]


def test_passages_of_other_homes(world: World) -> None:
    world.home.add("the boiler was repaired", agent="a")
    world.embed()
    world.vectors = shared = Shared(world.store)
    shared.foreign = [
        foreign("h2.abcd1234.0", "routers are in the cellar"),
        foreign(
            "h2.77.0", "the router hums", source="message", kind="message", scope="agent", speaker="Ana", origin="user"
        ),
        foreign("h2.78.0", "of another agent", source="message", kind="message", scope="agent", agent="b"),
        foreign("h2.efgh.0", "of another thread", scope="thread", thread_id="t"),
        foreign("h2.ijkl.0", "of a kind unknown here", kind="dream"),
    ]
    finder = world.finder()
    found = finder.find(Search("router on 8 May 2026", agent="a"), world.abort)
    rows = [one.row for one in found.candidates if one.row < 0]
    passages = {one.text: one for one in finder.passages(rows)}
    assert passages.keys() == {"routers are in the cellar", "the router hums", "of a kind unknown here"}
    assert all(abs(one - other) > 1 for one in rows for other in rows if one != other)  # nobody's neighbours
    entry = passages["routers are in the cellar"].memory
    assert entry is not None and (entry.id, entry.kind, entry.state) == ("abcd1234", "fact", "active")
    message = passages["the router hums"]
    assert (message.key, message.speaker, message.memory, message.message_id) == ("h2.77.0", "Ana", None, None)
    candidate = next(one for one in found.candidates if one.row == passages["routers are in the cellar"].row)
    assert (candidate.cosine, candidate.day, candidate.is_memory, candidate.retention) == (0.7, 1.0, True, 0.5)
    assert candidate.keyword > 0 and 0 < candidate.keyword_share <= 1
    again = finder.find(Search("router", agent="a"), world.abort)
    assert {one.row for one in again.candidates if one.row < 0} == set(rows)  # the same ones
    own = next(one.row for one in again.candidates if one.row > 0)
    assert [one.row for one in finder.passages([rows[0], own, -999, 5, rows[1]])] == [rows[0], own, rows[1]]


def test_a_server_that_is_away(world: World) -> None:
    world.home.add("the boiler was repaired", agent="a")
    world.vectors = shared = Shared(world.store)
    shared.failure = ModelUnreachable("nobody answers at 127.0.0.1:8000")
    found = world.find("boiler")
    assert "127.0.0.1:8000" in found.degraded
    assert len(found.candidates) == 1


def test_what_another_process_wrote_is_found(world: World) -> None:
    """By its words at once, whatever the state of its vector."""
    finder = world.finder()
    assert not finder.find(Search("zebra", agent="a"), world.abort).candidates
    other = Home(world.home.path)
    other.add("a zebra crossed the road", agent="a")
    other.close()
    (one,) = finder.find(Search("zebra", agent="a"), world.abort).candidates
    assert one.keyword > 0 and one.cosine == 0
    world.embed()
    (one,) = finder.find(Search("zebra", agent="a"), world.abort).candidates
    assert one.cosine > 0
