"""What was said by mistake: a statement as it was meant, and the one with another word in that place ("I have two
brothers", "sorry, I meant two cousins"; 我对花生过敏, 说错了，是核桃). English and Chinese. Pure.
"""

from __future__ import annotations

import re

from localagent.memory.entries import Memory, NewMemory

_MISTAKE = re.compile(
    r"\b(?:no,? wait|wait,? no|sorry|i (?:actually |really )?meant?|correction|typo|mistake|oops|"
    r"(?:scratch|strike) that|wrong|should have said)\b|不对|[说写打讲记]错了|口误|笔误|更正|我是说",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")


def said_by_mistake(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether `new` is put together from what was said by mistake and the words that mend it, and `old`, of an earlier
    message of that conversation, is the same in all but those words."""
    if not _MISTAKE.search(new.evidence) or new.text in new.evidence or _MISTAKE.search(new.text):
        return False
    if old.thread_id != new.thread_id or old.message_id is None or old.message_id == new.message_id:
        return False
    words, before = (_PIECE.findall(text.lower().rstrip(".。!！ ")) for text in (new.text, old.text))
    begins = _alike(words, before)
    ends = _alike(words[begins:][::-1], before[begins:][::-1])
    meant, mistaken = words[begins : len(words) - ends], before[begins : len(before) - ends]
    return bool(begins and meant and mistaken) and 2 * (begins + ends) >= len(before)


def _alike(words: list[str], others: list[str]) -> int:
    """With how many words both begin."""
    pairs = zip(words, others, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(words), len(others)))
