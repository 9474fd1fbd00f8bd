"""Whether a statement makes an exception to another one, or speaks of a narrower case of it: "I love mushrooms in soup
though", of "I don't like mushrooms". What it is an exception to still holds. Pure.
"""

from __future__ import annotations

import re

from localagent.statements import Statement, statement

_EXCEPTS = re.compile(
    r"\bthough\b|\bexcept\b|\bapart from\b|\bother than\b|\bwith the exception\b|\bunless\b|\bas long as\b"
    r"|\b(?:but|just|only) (?:when|if|on|in|at|for|with|during|while)\b|^(?:but |just |only )"
    r"|\bonly\b.{1,40}?\b(?:when|if|on|in|at|during|while)\b"
    r"|除了|除非|例外|只有|只要|^(?:不过|但是?|可是|就)(?!现在|已经|是)|(?<!不)只(?:在|是|有|限|能)",
    re.IGNORECASE,
)
# What is so no more is no exception to it.
_OVER = re.compile(
    r"\b(?:any ?more|any longer|no longer|now|these days|nowadays|instead|after all)\b|不再|现在|以后|改|从今|再也",
    re.IGNORECASE,
)

# Not "from this week", nor a day of it.
_ONCE = re.compile(
    r"\b(?:just (?:this|for) (?:once|today|this)|only (?:today|this week|this time)|"
    r"(?<!from )(?<!starting )(?<!since )this "
    r"(?:week|time|once)|for (?:today|tonight|once)|today only|tonight only)\b"
    r"|(?<!从)这一?(?:周|次|回|星期|礼拜)(?![一二三四五六日天末起开])|临时|停课?一次|就今天|只有今天",
    re.IGNORECASE,
)


def only_once(text: str, other: str) -> bool:
    """Whether it is so one time only, of something that the other one says of every time."""
    return bool(_ONCE.search(text)) and not _ONCE.search(other)


def is_exception(new: Statement, old: Statement, corrects: bool) -> bool:
    """Whether the newer one leaves the older one as it is, for all but a case of its own. It says more than the older
    one of what that is about, and either that it is an exception, or the opposite of that case alone."""
    plain = new.text.strip()
    excepts = bool(_EXCEPTS.search(plain)) and not _OVER.search(plain)
    more = statement(_EXCEPTS.sub(" ", plain)).content - old.content
    if not more or not new.content & old.content:
        return False
    if excepts:
        return True
    return not corrects and new.denies != old.denies and old.content < new.content and (new.likes or old.likes)
