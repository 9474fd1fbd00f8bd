"""What of a conversation belongs in no summary of it, whatever memory made of it: what the user asks to forget or not
to note, and these requests themselves. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from localagent.courtesy import AS_UNSAID_ZH, PLEASE
from localagent.forgetting import MOST_CHARACTERS, Request, asked_to_forget
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

# Somebody is told what to keep, or not to. Broader than what makes an entry go: here only a line of a summary is lost.
_LEAD = rf"^\W*{PLEASE}(?:you )?{PLEASE}"
_SAID = r"\bwhat (?:I|we)(?:'ve| have)? (?:\w+ )?(?:said|told|mentioned|wrote)\b"
_FROM = r"\b(?:from|off|out of|in) your (?:memory|memories|notes?|notebook|lists?|records?|books?|files?|mind|head)\b"
_WHAT = (
    rf"(?:{_SAID}|{_FROM}|\b(?:that|how|where) (?:I|my|we|our)\b"
    r"|\bthe (?:fact|thing|bit|part|story|business|matter) (?:that|about|with|where|of|on)\b)"
)
_KEEP = r"(?:keep|hang on to|hold on to|remember|note|retain|record|write down|memori[sz]e)"
_TOLD_TO = re.compile(
    rf"{_LEAD}(?:forget|erase|unlearn)\b[^.!?\n]{{0,80}}?{_WHAT}"
    rf"|{_LEAD}(?:strike|wipe|scratch|delete|remove|discard|purge|scrub|scrap|cross out|drop|take)\b"
    rf"[^.!?\n]{{0,80}}?(?:{_SAID}|{_FROM})"
    rf"|{_LEAD}(?:needn't|need not|don't|do not|shouldn't|must not|mustn't|never)(?: (?:have|need) to)? {_KEEP}\b"
    rf"[^.!?\n]{{0,80}}?{_WHAT}"
    rf"|\bI(?: don't|'d rather not| do not) want you to {_KEEP}\b|\bI'd (?:rather|prefer it if) you didn't {_KEEP}\b",
    re.IGNORECASE,
)
_TOLD_TO_ZH = re.compile(
    r"从[^，。！？]{0,6}(?:笔记|记忆|本子|记录|脑子|单子|名单|档案)[^，。！？]{0,3}(?:抹|删|划|擦|勾|清|去)"
    rf"|{AS_UNSAID_ZH}"
    r"|(?:^|[，,；;]|请|你|帮我|麻烦)把[^，。！？]{1,30}(?:忘|抹|删|划)(?:了|掉|去)(?:吧|好吗|行吗)?[。.！!？?\s]*$"
    r"|不(?:想|希望|愿意?)(?:让|要)?[你您](?:再)?(?:记|留|保?存)"
    r"|(?:这个|这[事条句话]|这件事|那件事|的事|这事)[你就也都可]{0,3}(?:别|不要|不用|甭)(?:再|给我|帮我|往)?(?:写|记|留|保?存)"
    r"|(?:别|不要|不用)把[^，。！？]{1,30}(?:记|写|存|放)(?:进|下|到|在|上)"
)


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
            own += _told_to(message.text)
            found.setdefault(message.message_id, []).extend(own)
            if back and last is not None:
                found.setdefault(last.message_id, []).append(last.text)
            for request in requests:
                for message_id, sentence in _named(request, before):
                    found.setdefault(message_id, []).append(sentence)
            last = message
        before += [(message.message_id, sentence.strip()) for sentence in sentences(message.text)]
    return found


def _told_to(text: str) -> Iterator[str]:
    """Sentences that tell the assistant to drop something from what it knows, or not to keep it."""
    for sentence in map(str.strip, sentences(text[:MOST_CHARACTERS])):
        plain = sentence.replace("’", "'")
        if _TOLD_TO.search(plain) or _TOLD_TO_ZH.search(plain):
            yield sentence


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
