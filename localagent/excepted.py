"""What a request to forget leaves out: "drop my asthma, not my son's", 忘掉我的哮喘，不是我儿子的. English and Chinese.
Pure.
"""

from __future__ import annotations

import re

from localagent.owners import owner
from localagent.persons import persons_in
from localagent.statements import statement

# Not "forget that I like tea, not coffee", which is one statement: what is left out is told apart by whose it is.
_EXCEPT = re.compile(
    r"(?:[,;] ?|\((?:but )?|[-–—] ?| )(?:(?:but |and )?(?:not|rather than|instead of|except(?: for)?)|"
    r"(?<=[,;(–—] )(?:but )?(?:keep|leave)|but (?:keep|leave)) "
    r"(?P<y>(?:my|our|his|her|their|the|mine|hers|theirs|(?-i:[A-Z])[\w-]*['’]s)\b[\w'’ -]{0,40})[).!?\s]*$"
    r"|[，,；;]\s*(?:但是?|而)?(?:不是|别动|别忘|不包括|不要动|保留|留着)(?P<y2>[^，。,]{1,16}?)(?:哦|啊|吧|就行)?[。.！!\s]*$",
    re.IGNORECASE,
)
_MINE = re.compile(r"\bmine\b|\b(?:my|our) own\b|^我自己|^我的?$", re.IGNORECASE)


def excepted(text: str) -> tuple[str, str]:
    """A request without what it leaves out, and that; it is empty where nothing is left out."""
    match = _EXCEPT.search(text)
    if match is None or not re.search(r"\w", text[: match.start()]):
        return text, ""
    return text[: match.start()], (match["y"] or match["y2"]).strip()


def is_excepted(text: str, left_out: str) -> bool:
    """Whether an entry is of those whom, or of what, a request leaves out."""
    if not left_out:
        return False
    who = persons_in(left_out)
    if who:
        return bool(who & persons_in(text))
    if _MINE.search(left_out):
        return owner(text).speaks
    content = statement(left_out).content
    return bool(content) and content <= statement(text).content
