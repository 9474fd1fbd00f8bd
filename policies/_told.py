"""What somebody asks to have remembered, in so many words: "remember: ...", "记住，……"."""

from __future__ import annotations

import re

_REMEMBER = re.compile(
    r"^(?:please |can you |could you |you should |so |just |also |will you )*(?:remember|keep in mind|"
    r"bear in mind|make a note|take note|note down|note|memori[sz]e|don't forget|do not forget|save|write down)"
    r"(?: this| the following| for (?:me|later|next time|the future)| down| of this| please)?(?: that |: ?|, |"
    r" - ?| (?=(?:my|I|I'm|we|our|the|\w+'s)\b)|[.!]?$)"
    r"|^(?:请|麻烦你?|你|帮我|要|给我|那|可以|能不能|一定要?|务必)*(?:记住|记一下|记下来?|记录一下|牢记|记好|"
    r"备注一下|备忘|别忘了(?=我|：|:)|不要忘了?(?=我|：|:))(?:这一?点|这个|这件事|一下|以下|哦|啊|吧|"
    r"了)*(?:[，,：: ]+|$|(?=[我他她这那明下今我们公项服路\w]))",
    re.IGNORECASE,
)
_WORTH_NOTING = re.compile(
    r".{0,60}?\b(?:write|note|jot) (?:it|this|that) down(?::|,| -) *|.{0,60}?\b(?:worth (?:writing down|noting|"
    r"remembering|keeping)|"
    r"for the (?:file|record|notes|minutes))(?:: *|, *| (?=the\b|our\b|my\b|we\b))"
    r"|(?!.{0,4}待办).{0,20}?(?:记一下|记一笔|备个案|存个档|补充一个情况|补充一点|说个事实)[:：，,] *",
    re.IGNORECASE,
)
_POLITE = re.compile(r"(?:please |can |could |would |will |能|可以|请|麻烦)", re.IGNORECASE)
_REMEMBER_NOT = re.compile(
    r"\b(?:remember|note) (?:when|how|what|where|why|if|to|the (?:time|day|good))\b|\bsave (?:me|money|time|the|"
    r"your)\b|记住了吗|记住没|^note[:,]? (?:to|for)\b",
    re.I,
)


def told(words: str, *, asks: bool) -> int | None:
    """Where in a clause that asks to remember something this begins; None for other clauses. `asks`: it is put as a
    question."""
    found = _REMEMBER.match(words) or _WORTH_NOTING.match(words)
    if found is None or _REMEMBER_NOT.search(words) or (asks and not _POLITE.match(words)):
        return None
    return found.end()
