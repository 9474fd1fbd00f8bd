"""What a message refers back to: "as I said", "刚才说的", a quoted passage of an earlier message, its number."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from localagent.memory.language import words
from localagent.messages import Role
from localagent.policy import Extracted, Said

from ._clauses import TASK
from ._own_words import mask, sentences
from ._torn import understood

IMPORTANCE = 0.6
# How far back is looked, and how long a quoted passage has to be.
LOOK_BACK = 40
SHORTEST_QUOTE = 12
SHORTEST_QUOTE_ZH = 6

# Of characters: a longer message names more than one thing.
LONGEST_NAMING = 100

# So much of what the reference is about must stand in the sentence.
SHARED_PART = 0.33

_OWN = re.compile(
    r"\b(?:as|like|what|which|the \w+) (?:I|I've|I have|I had|I'd) (?:just |already |previously |once )?(?:said|"
    r"mentioned|told you|wrote|explained|described|"
    r"noted|pointed out|asked for|listed)\b|\bI(?:'ve| have)? (?:already |just )(?:said|mentioned|told you)\b|"
    r"\bmy (?:earlier|previous) (?:message|point|remark)\b"
    r"|(?:我|俺)(?:刚才|刚刚|之前|前面|上次|早先|先前|已经|昨天|一开始)*(?:说的?|说过|提到|提过|讲过|讲的|"
    r"告诉过?你|写的)|(?<!你)(?:刚才|刚刚|之前|前面|上次|上面)(?:说的|提到的?|提过的?|讲的|谈到的|聊到的|讨论的)",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"\b(?:as|like|what|which|the \w+) you (?:just |already |previously )?(?:said|mentioned|told me|wrote|"
    r"suggested|explained|proposed|recommended|described|listed)\b|\byou (?:said|mentioned|told me|suggested|"
    r"proposed|recommended) (?:earlier|before|above|that)\b"
    r"|\byour (?:earlier|previous|first|last) (?:message|answer|suggestion|point|proposal|idea)\b"
    r"|(?:正如|就像|像|按|按照|照)?你(?:刚才|刚刚|之前|前面|上次|先前)*(?:说的|说过|提到|提过|讲的|建议的|推荐的|"
    r"提议的|写的)",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"\bas (?:we )?(?:discussed|agreed|mentioned|stated|noted|described)(?: earlier| before| above)?\b|(?:我们|"
    r"咱们)(?:刚才|之前|上次|前面)*(?:说好|讨论|聊|谈|约定)(?:的|过|到)",
    re.I,
)
_NUMBER = re.compile(
    r"\b(?:message|msg)\s?(?:no\.? ?|number )?#?(\d{1,12})\b|(?<!\w)#(\d{1,12})\b|(?:消息|"
    r"第)\s?#?(\d{1,12})\s?(?:条|号)?(?:消息)?",
    re.I,
)
_QUOTE = re.compile(r'"([^"\n]{4,300})"|“([^”\n]{4,300})”|「([^」\n]{4,300})」|^[ \t]*>[ \t]?(.{4,300})$', re.M)

_ANSWER = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|no|nope|ok|okay|sure|right|correct)\b|(?:是|好|对|行|嗯|不|不是)[的啊呀吧]?[，,。.!！])",
    re.I,
)


def referred(
    message: Said, text: str, masked: str, earlier: Sequence[Said], extract: Callable[[Said], Sequence[Extracted]]
) -> list[Extracted]:
    """The sentences of earlier messages that this one refers to, each with the id of its message."""
    before = [said for said in earlier[-LOOK_BACK:] if said.role in ("user", "assistant") and said.text.strip()]
    if not before:
        return []
    found = [*_numbered(masked, before), *_quoted(text, before), *_pointed_at(message.role, masked, before)]
    different = dict.fromkeys(found)
    return [entry for said, sentence in list(different)[:4] for entry in _entries(said, sentence, extract)]


def said_last(earlier: Sequence[Said], text: str) -> str:
    """The user's message before, if it is a single statement, and `text` is no answer to what was asked about it."""
    if _ANSWER.match(text):
        return ""
    last = next((said.text.strip() for said in reversed(earlier) if said.role == "user"), "")
    masked = mask(last[:LONGEST_NAMING])
    found = list(sentences(masked))
    alone = len(last) <= LONGEST_NAMING and len(found) == 1 and not found[0].asks and "\0" not in masked
    return last.rstrip(" .。!！") if alone and not TASK.match(last) and understood(last) else ""


def _entries(said: Said, sentence: str, extract: Callable[[Said], Sequence[Extracted]]) -> list[Extracted]:
    """As the rules see the sentence; a fact where they see nothing in it."""
    seen = extract(replace(said, text=sentence)) or [Extracted("fact", sentence.strip(" .。!！"), sentence)]
    return [
        replace(one, message_id=said.message_id, importance=max(IMPORTANCE, one.importance or 0.0)) for one in seen
    ]  # fmt: skip


def _numbered(masked: str, before: Sequence[Said]) -> list[tuple[Said, str]]:
    numbers = {int(next(filter(None, match.groups()))) for match in _NUMBER.finditer(masked)}
    return [
        (said, stated[0]) for said in before if said.message_id in numbers and (stated := _stated(said.text))
    ]  # fmt: skip


def _quoted(text: str, before: Sequence[Said]) -> list[tuple[Said, str]]:
    """The whole sentence of a passage that an earlier message has word for word."""
    found = []
    for match in _QUOTE.finditer(text):
        quote = next(filter(None, match.groups())).strip()
        long_enough = SHORTEST_QUOTE_ZH if re.search(r"[\u4e00-\u9fff]", quote) else SHORTEST_QUOTE
        if len(quote) < long_enough:
            continue
        for said in reversed(before):
            sentence = next((one for one in _stated(said.text) if quote.rstrip(".。!！") in one), None)
            if sentence:
                found.append((said, sentence))
                break
    return found


def _pointed_at(role: Role, masked: str, before: Sequence[Said]) -> list[tuple[Said, str]]:
    """Of those that are meant, the sentence with the most words in common; the newer of equals."""
    found = []
    for pattern, roles in (
        (_OWN, (role,)),
        (_THEIRS, ("assistant" if role == "user" else "user",)),
        (_SHARED, ("user", "assistant")),
    ):
        for match in list(pattern.finditer(masked))[:2]:
            start = max(masked.rfind(sign, 0, match.start()) for sign in ".!?。！？\n") + 1
            ends = [place for sign in ".!?。！？\n" if (place := masked.find(sign, match.end())) >= 0]
            rest = masked[start : match.start()] + " " + masked[match.end() : min(ends, default=len(masked))]
            asked = set(words(rest, asking=True))
            scored = [
                (len(asked & set(words(sentence))), index, -place, said, sentence)
                for index, said in enumerate(before)
                if said.role in roles
                for place, sentence in enumerate(_stated(said.text))
            ]
            best = max(scored, key=lambda entry: entry[:3], default=None)
            if best is not None and best[0] >= max(1, SHARED_PART * len(asked)):
                found.append((best[3], best[4]))
    return found


def _stated(text: str) -> list[str]:
    """A message's sentences that state something."""
    text = text[:4000]
    masked = mask(text)
    return [
        words
        for one in sentences(masked)
        if not one.asks and not TASK.match(masked[one.start : one.end]) and len(words := text[one.start : one.end]) >= 4
        if not words.endswith((":", "："))
    ]
