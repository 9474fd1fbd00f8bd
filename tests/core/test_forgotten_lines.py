"""What is forgotten, edited or pruned is in no line of the summary from the very next prompt on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from compressing import CONFIG, Room, chatting, lists, opened_rooms

from localagent import prune
from localagent.abort import AbortSignal
from localagent.memory.entries import Memories, Memory
from localagent.policy import Policies, Retention
from localagent.repetitions import forget_for_good, repetitions

CHATTER = ["Tell me about the moon.", "给我讲讲太阳。"]


@pytest.fixture
def rooms(tmp_path: Path, policies: Policies) -> Iterator[Callable[..., Room]]:
    with ExitStack() as stack:
        yield stack.enter_context(opened_rooms(tmp_path, policies, CONFIG))


def forget(memories: Memories, memory: Memory) -> None:
    forget_for_good(memories, [memory.id])


def edit(memories: Memories, memory: Memory) -> None:
    memories.edit(memory.id, text="It is otherwise", said=repetitions(memories, memory))


def delete_faded(memories: Memories, memory: Memory) -> None:
    planned = prune.Pruned(memory, Retention(0.0, "archive", ""), 0.0)
    prune.carry_out(memories, [planned], delete=True)


SAID = [
    ("My salary is 4200 euros. I like tea.", {}, "4200", "tea"),
    ("我的工资是4200元。我喜欢喝茶。", {}, "4200", "喝茶"),
    ("I'm vegetarian and allergic to nuts, and my wife Ana is a nurse.", {}, "Ana", "allergic to nuts."),
    (
        "I live in Oslo, my daughter Mia is five.",
        {"other_facts": ["Lives in Oslo, daughter Mia is five"]},
        "Oslo",
        "my daughter Mia is five",
    ),
    (
        "I have an appointment with Dr. Weber on Friday because of my knee, and I live in Oslo.",
        {"next_steps": ["Appointment with Dr. Weber on Friday, knee, lives in Oslo"]},
        "Oslo",
        "Dr. Weber on Friday because of my knee.",
    ),
]


@pytest.mark.parametrize("goes", [forget, edit, delete_faded])
@pytest.mark.parametrize(("said", "proposed", "gone", "stays"), SAID)
def test_it_is_in_no_prompt_from_the_next_one_on(
    rooms: Callable[..., Room],
    said: str,
    proposed: dict[str, list[str]],
    gone: str,
    stays: str,
    goes: Callable[[Memories, Memory], None],
) -> None:
    room = rooms(model=chatting(lists(**proposed)))
    room.fill([said, *CHATTER])
    list(room.talk.compact(abort=AbortSignal()))
    assert room.memory is not None and gone in room.texts()
    (memory,) = (one for one in room.memory.memories.select() if gone in one.text)
    goes(room.memory.memories, memory)
    room.say("And now?", drain=False)
    assert gone not in room.prompt()[0] and stays in room.prompt()[0]
    shown = room.summaries.shown(room.talk.thread.id)
    assert not any(gone in item.text for version in shown for item in version.items)
    list(room.talk.compact(abort=AbortSignal()))
    assert gone not in room.texts() and stays in room.texts()


@pytest.mark.parametrize("said", ["My salary is 4200 euros.", "我的工资是4200元。"])
def test_an_entry_that_is_edited_back_is_said_again(rooms: Callable[..., Room], said: str) -> None:
    room = rooms()
    room.fill([said, *CHATTER])
    list(room.talk.compact(abort=AbortSignal()))
    assert room.memory is not None
    memories = room.memory.memories
    (memory,) = memories.select()
    for text in ("It is otherwise", "It is 4300 now"):
        memories.edit(memory.id, text=text)
        assert memories.hidden_in(1) == [memory.text]
        room.say("And now?", drain=False)
        assert "4200" not in room.prompt()[0]
    memories.archive([memory.id])
    memories.restore(memory.id)
    assert memories.hidden_in(1) == [memory.text]
    memories.edit(memory.id, text=memory.text)
    room.say("And then?", drain=False)
    assert memories.hidden_in(1) == [] and "4200" in room.prompt()[0]
