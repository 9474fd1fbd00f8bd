"""What limits a statement: "I'm vegetarian, but I eat fish", "..., except on Sundays", 我吃素，但吃鱼. Both are one."""

from __future__ import annotations

import re

from ._life_zh import PERSON_ZH
from ._news import REPLACES
from ._rule import any_of

# What may have an exception: what is so of somebody, and what they want.
MAY_BE_LIMITED = ("habit", "profile", "relationship", "preference")
_EXCEPT = re.compile(
    r"[.,;。，；\s]{0,6}+(?:(?:and|but) )?(?:except\b|apart from\b|unless\b|other than\b|with the exception\b|"
    r"aside from\b|(?:但是?|不过)?(?:除了|除非|除去|唯独|仅限|只有|例外))",
    re.IGNORECASE,
)
_AFTER_CLAUSE = re.compile(r"[,，] ?")
_LEFT_OUT_ZH = re.compile(r"[，,；][^，。]{1,12}(?:除外|例外|不算)[。.!！]*$")
_BUT = re.compile(
    r"[.,;。，；\s]{0,6}+(?:(?:but|though|although|yet|however)\b,? ?|但是?|不过|可是|可(?!以|能)|然而|却|只是)", re.I
)
# What is not, or is not done; "vegetarian" and "allergic" say so of what one eats.
_DENIES = re.compile(
    r"\b(?:not|never|no|nothing|none|hate|dislike|cannot|avoid|rarely|hardly|seldom|without|vegetarian|vegan|teetotal\w*|"
    r"allergic|intolerant)\b|n['’]t\b|不(?!过|错|同|仅|但)|没(?!事|问题|关系)|别|吃(?:纯)?素|素食|(?<![不没])过敏|讨厌|戒|很少|从不|忌|怕",
    re.IGNORECASE,
)
# It is said to the assistant, of this moment or of what was, or is of somebody else.
_OF_ELSE = re.compile(
    r"\b(?:you|your|let['’]s|please|thanks?|today|now|did|didn['’]t|was|were|had|yesterday)\b|[你您请谢]|帮我|今天|现在|刚才|昨天",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    rf"(?P<they>[他她它]|(?:he|she|they)\b)|{PERSON_ZH}|(?:my|our|his|her|their) (?!own\b)[a-z]+\b", re.I
)

# It cannot be told without what it limits.
_LEANS = re.compile(r"^(?![我咱])[\u4e00-\u9fff]|\b(?:it|them|there|one|ones|so|either)\b", re.IGNORECASE)
_CONCEDES = re.compile(r"(?:although|though|even though|while|虽然|尽管)", re.IGNORECASE)
_ONCE = re.compile(r"\bthis (?:time|once|one)\b|这[次回一]", re.IGNORECASE)
# What two statements may both be of: food, likes, languages, getting around, work, sleep, home, smoking, pastimes.
_TOPICS = tuple(
    any_of(pattern)
    for pattern in (
        r"\b(?:eat|drink|cook|taste|vegetarian|vegan|teetotal\w*|allergic|intolerant|meat|fish|eggs?|cheese|milk|beer|wine|"
        r"glass|pint|coffee|tea)\b|[吃喝忌尝素荤酒]|过敏",
        r"\b(?:like|love|hate|dislike|enjoy|prefer|adore|avoid)\b|喜欢|爱|讨厌|怕",
        r"\b(?:speak|understand|read|write|know|learn\w*|say)\b|[懂说讲读写听]",
        r"\b(?:drive|cycle|bike|walk|run|swim|fly|ride|travel|take the)\b|[骑走跑坐飞]|开车",
        r"\b(?:work|job|office|shifts?)\b|工作|上班|加班",
        r"\b(?:sleep|get up|bed|awake|nap)\b|[睡醒]|起床|熬夜",
        r"\b(?:live|stay|home|rent)\b|住",
        r"\b(?:smoke|vape)\b|[烟抽]",
        r"\b(?:watch|play|listen)\b|[看玩]",
    )
)
_WORD = re.compile(r"[a-z]{4,}|[\u4e00-\u9fff]{2}", re.IGNORECASE)


def _of_one_topic(said: str, after: str) -> bool:
    """Whether two statements are about the same: "I don't drink, but I work at BP" are two."""
    common = {word.lower() for word in _WORD.findall(said)} & {word.lower() for word in _WORD.findall(after)}
    return bool(common or _LEANS.search(after) or any(topic.search(said) and topic.search(after) for topic in _TOPICS))


def limits(said: str, rest: str, kind: str, *, states: bool) -> bool:
    """Whether what follows a statement of this kind, with the word that joins it, leaves something out of it: an
    exception, or what is so where the statement is not, or is not where it is. `states`: it is a statement itself."""
    if kind not in MAY_BE_LIMITED:
        return False
    if _EXCEPT.match(rest) or _LEFT_OUT_ZH.match(rest):
        return True
    but = _BUT.match(rest) or (_AFTER_CLAUSE.match(rest) if _CONCEDES.match(said) else None)
    if but is None:
        return False
    after = rest[but.end() :]
    other = _OF_OTHERS.match(after)
    if _OF_ELSE.search(after) or REPLACES.search(after) or (other and not (other["they"] and _OF_OTHERS.match(said))):
        return False
    if _CONCEDES.match(said) or (kind == "preference" and not states and not _ONCE.search(after)):
        return True
    if states and not _of_one_topic(said, after):
        return False
    denied = bool(_DENIES.search(said))
    return (denied or kind != "profile" or bool(_LEANS.search(after))) and denied is not bool(_DENIES.search(after))
