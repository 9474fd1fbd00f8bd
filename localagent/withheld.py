"""What of a conversation belongs in no summary of it, whatever memory made of it: what the user asks to forget or not
to note, and these requests themselves. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from localagent.forgetting import Request, asked_to_forget
from localagent.memory.language import sentences
from localagent.persons import of_somebody_else_s, whose
from localagent.policy import Said
from localagent.repetitions import clauses_of
from localagent.statements import statement
from localagent.summary import SummaryItem
from localagent.taken_back import takes_back
from localagent.unsaid import not_to_note

# So few words of a request all name what it means, of more so large a share.
FEW, NAMES = 2, 3 / 4
_MINE = re.compile(r"\b(?:I|my|we|our)\b|[我咱]", re.IGNORECASE)
_BESIDE = frozenset("he she his her their its 他 她 它 和 与 跟".split())


def withheld(
    items: Sequence[SummaryItem], said: Sequence[Said], outdated: Mapping[int, Sequence[str]]
) -> dict[int, list[str]]:
    """`outdated` (of messages, by their ids, sentences that no summary holds) and what these messages, in their order,
    ask to leave out: of their own, of one another and of those that the items of the summary so far are from."""
    found = {message_id: list(told) for message_id, told in outdated.items()}
    before = [(item.message_id, item.quote) for item in items]
    last: Said | None = None
    for message in said:
        if message.role == "user":
            back = takes_back(message.text)
            requests = list(asked_to_forget(message.text))
            own = [*not_to_note(message.text), *(one.asked for one in requests), *([back] if back else [])]
            found.setdefault(message.message_id, []).extend(own)
            if back and last is not None:
                found.setdefault(last.message_id, []).append(last.text)
            for request in requests:
                for message_id, sentence in _named(request, before):
                    found.setdefault(message_id, []).append(sentence)
            last = message
        before += [(message.message_id, sentence.strip()) for sentence in sentences(message.text)]
    return found


def _named(request: Request, before: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The clauses that say something of what is to be forgotten; the sentences, where no clause of them does by itself,
    or everything about somebody is meant. "My pension" is not my brother's."""
    about = statement(request.about).content - _BESIDE
    everything_of_it = request.named == "all"
    if not (request.of_memory or everything_of_it) or request.named == "everything" or not about:
        return
    least = len(about) if len(about) <= FEW else NAMES * len(about)
    mine = bool(_MINE.search(request.about)) and not whose(request.about)

    def names(text: str) -> bool:
        meant = len(about & statement(text).content) >= least
        return meant and not (whose(text) if mine else of_somebody_else_s(text, request.about))

    for message_id, sentence in before:
        clauses = [clause for clause in clauses_of(sentence) if names(clause)] if mine or not everything_of_it else []
        for found in clauses or ([sentence] if names(sentence) else ()):
            yield message_id, found
