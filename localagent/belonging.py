"""Whose something is: the user's own pension or their brother's, their dog or the neighbour's. English and Chinese.
Pure.
"""

from __future__ import annotations

import re

from localagent.persons import of_somebody_else_s, person_in, persons_in
from localagent.statements import statement

# Theirs is what an animal of the user's has.
_ANIMALS = frozenset(("dog", "cat", "狗", "猫"))
# "My cousin" by the father's side or the mother's.
_COUSIN_ZH = re.compile(r"[表堂](?=[哥姐弟妹])")
_NAMED = re.compile(
    r"(?P<n>[A-Z][\w-]+)(?:['’]s (?!a\b|an\b|the\b|not\b|\w+ing\b)| (?:lives|works|likes|loves|hates|prefers|earns|"
    r"drinks|eats|smokes|drives|plays|owns|studies)\b)"
    r"|(?P<n2>[小老阿](?![区时学说程心吃组家师是人年])[\u4e00-\u9fff])(?=喜欢|爱|[住在是有叫每也的家想要月])"
)
_MINE = re.compile(
    r"\b(?:my|our)\b|我们?家?的|^(?:I|we)\b(?!['’]d\b| (?:told|said|mentioned|want|would|need|think|asked)\b)"
    r"|^我(?![跟和对向给]你|[说讲提]|告诉|[想要让叫]你|觉得|[之以]前|刚|上次)",
    re.IGNORECASE,
)
_OWN_THING = re.compile(
    r"\b(?:my|our) (?=(?P<t>[\w-]+(?: [\w-]+){0,2}))|我们?家?的?(?P<t2>[^我，。的]{1,2})", re.IGNORECASE
)


def owner(text: str) -> str:
    """Of whom a statement is, in small letters; empty for the user, and for nobody in particular."""
    plain = _COUSIN_ZH.sub("", text)
    chinese = bool(re.match(r"(?![我咱])[\u4e00-\u9fff]", plain))
    who = person_in(plain).who or (person_in(f"我{plain}").who if chinese else "")
    root = who.split(" of ")[-1]
    if root and root not in _ANIMALS:
        return root
    named = None if root else _NAMED.match(plain)
    return (named["n"] or named["n2"]).lower() if named is not None else ""


def of_another(text: str, named: str) -> bool:
    """Whether an entry is of somebody else than what a request names: of the user ("my pension", "I smoke") or of one
    close to them ("my brother's pension")."""
    if of_somebody_else_s(text, named):
        return True
    whose = owner(text)
    if not whose:
        return False
    who = persons_in(_COUSIN_ZH.sub("", named)) - _ANIMALS
    if who:
        return whose not in who and not who & persons_in(text)
    return bool(_MINE.search(named)) and not _names_own(text, named)


def _names_own(text: str, named: str) -> bool:
    """Whether a statement about somebody else names the user's own thing: "my neighbour walks my dog"."""
    content = statement(named).content
    own = (f"my {match['t']}" if match["t"] else f"我{match['t2']}" for match in _OWN_THING.finditer(text))
    return any(statement(thing).content & content for thing in own if not persons_in(thing) - _ANIMALS)
