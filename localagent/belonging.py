"""Whose something is that a request names: the user's own pension or their brother's, their dog or the neighbour's.
English and Chinese. Pure.
"""

from __future__ import annotations

import re

from localagent.owners import owner
from localagent.persons import of_somebody_else_s, persons_in
from localagent.statements import statement

# Theirs is what an animal of the user's has.
_ANIMALS = frozenset(("dog", "cat", "狗", "猫"))
_MINE = re.compile(
    r"\b(?:my|our)\b|我们?家?的|^(?:I|we)\b(?!['’]d\b| (?:told|said|mentioned|want|would|need|think|asked)\b)"
    r"|^我(?![跟和对向给]你|[说讲提]|告诉|[想要让叫]你|觉得|[之以]前|刚|上次)",
    re.IGNORECASE,
)
_OWN_THING = re.compile(
    r"\b(?:my|our) (?=(?P<t>[\w-]+(?: [\w-]+){0,2}))|我们?家?的?(?P<t2>[^我，。的]{1,2})", re.IGNORECASE
)


def of_another(text: str, named: str) -> bool:
    """Whether an entry is of somebody else than what a request names: of the user ("my pension", "I smoke") or of one
    close to them ("my brother's pension")."""
    if statement(text).content <= statement(named).content:
        return False  # in its own words
    if of_somebody_else_s(text, named):
        return True
    whose = owner(text)
    root = "" if whose.speaks else whose.who.split(" of ")[-1]
    if not root or root in _ANIMALS:
        return False
    who = persons_in(named) - _ANIMALS
    if who:
        return root not in who and not who & persons_in(text)
    return bool(_MINE.search(named)) and not _names_own(text, named)


def _names_own(text: str, named: str) -> bool:
    """Whether a statement about somebody else names the user's own thing: "my neighbour walks my dog"."""
    content = statement(named).content
    own = (f"my {match['t']}" if match["t"] else f"我{match['t2']}" for match in _OWN_THING.finditer(text))
    return any(statement(thing).content & content for thing in own if not persons_in(thing) - _ANIMALS)
