"""What a policy took of a message, as entries. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.forgetting import Request
from localagent.heard import Hearing
from localagent.memory.base import StoredMessage, Thread
from localagent.memory.entries import Kind, Memories, NewMemory, Origin
from localagent.messages import Role
from localagent.policy import Extracted, Said
from localagent.repetitions import told_again
from localagent.spoken import spoken
from localagent.unsaid import repeats_in_confidence

# What may be made of words that are not the user's.
OF_OTHERS: tuple[Kind, ...] = ("todo", "fact", "event")


def entry_of(extracted: Extracted, texts: dict[int, Said], said: Said, thread: Thread) -> NewMemory | None:
    """The entry, or None: of words that nobody said, and of kinds that their speaker cannot give."""
    source = texts.get(extracted.message_id if extracted.message_id is not None else said.message_id)
    text = extracted.text.strip()
    if source is None or not text or not has(source.text, extracted.evidence):
        return None
    origin = _origin(source.role)
    if origin != "user" and extracted.kind not in OF_OTHERS:
        return None
    return NewMemory(
        kind=extracted.kind,
        text=text,
        origin=origin,
        scope=extracted.scope,
        subject=extracted.subject,
        agent=thread.agent,
        thread_id=thread.id,
        message_id=source.message_id,
        evidence=extracted.evidence,
        importance=extracted.importance,
        emotion=extracted.emotion,
        due_at=extracted.due_at,
    )


def _origin(role: Role) -> Origin:
    return "user" if role == "user" else "tool" if role == "tool" else "assistant"


def has(text: str, evidence: str) -> bool:
    """Whether the passage is in the text, but for its spaces."""
    passage = " ".join(evidence.split())
    return bool(passage) and passage in " ".join(text.split())


def repeated_to(
    memories: Memories, said: Said, earlier: Sequence[StoredMessage], hearing: Hearing, known: Sequence[str] = ()
) -> list[str]:
    """Sentences of an answer that say again what the request, or one before it, asked not to remember; but for those
    that are `known` to repeat what was forgotten."""
    request = last_of_user(earlier) if said.role == "assistant" else None
    if request is None:
        return []
    confided = repeats_in_confidence(request.text, said.text, hearing.of(request.text))
    before = (one for one in told_again(memories, said.text, earlier) if not any(has(one, clause) for clause in known))
    return list(dict.fromkeys((*confided, *before)))


def last_of_user(earlier: Sequence[StoredMessage]) -> Said | None:
    """What the user said last, if it is not taken back."""
    return next(
        (spoken(one) for one in reversed(earlier) if one.message.role == "user" and one.status != "undone"), None
    )


def silenced(
    new: NewMemory, silent: Sequence[str], unsaid: Sequence[str], requests: Sequence[Request], message: StoredMessage
) -> bool:
    """What is to be forgotten is not noted because it was named, or referred back to."""
    if any(has(one, new.text) or has(one, new.evidence) for one in silent):
        return True
    if any(has(new.evidence, one) for one in unsaid):  # with the sentence before it
        return True
    return any(has(one.asked, new.text) or new.message_id != message.id for one in requests if one.named != "perhaps")
