"""What somebody asks to have remembered, in so many words: "remember: ...", "记住，……"."""

from __future__ import annotations

import re

from ._doings import NOT_TO_FORGET
from ._people import ABOUT_ME_ZH, KIN_ZH
from ._secrets import secret

_LEAD = (
    r"(?:please |can you |could you |you should |so |just |also |will you |and |but |always |make sure (?:that )?"
    r"(?:you |to )|be sure to |you (?:must|have to|need to) |help me |(?:I want|I'd like|I would like|I need) you to |"
    r"for (?:future reference|next time|later|the future),? )*"
)
_NEVER_FORGET = (
    r"(?:(?:don't|dont|do not|never|you (?:must|should|may|can) (?:not|never)|you mustn't)(?: you)?(?:,? ever)? forget)"
)
_LEAD_ZH = r"(?:请|麻烦你?|你|帮我|替我|要|得|给我|那|可以|能不能|可|千万|一定要?|务必|永远|绝对|都)*"
_NEVER_FORGET_ZH = r"(?:(?:别|不要|不能|不可以?|不许|不准)(?:再)?忘(?:记|掉)?了?)"
_REMEMBER = re.compile(
    rf"^{_LEAD}(?:remember|keep in mind|bear in mind|(?:make|keep) a (?:note|record)|take note|note down|note|"
    rf"memori[sz]e|save|write down|(?:keep|store)(?= this:)|{_NEVER_FORGET})(?: of(?= (?:my|our|the)\b))?"
    r"(?: this| the following| for (?:me|later|next time|the future)| down| of this| please)?(?: that |: ?|, |"
    r" - ?| (?=(?:my|I|I'm|we|our|the|\w+'s)\b)|[.!]?$)"
    rf"|^{_LEAD_ZH}(?:(?:记住|记着|记一[下哈]|记下来?|记[到倒]起|记[到倒](?=[，,：:]|$)|记录一下|牢记|记好|备注一下|备忘)(?:这一?点|这个|这件事|一下|以下|哦|啊|吧|"
    r"了)*(?:[，,：: ]+|$|(?=[我他她这那明下今我们公项服路\w]))"
    rf"|(?:{_NEVER_FORGET_ZH}|记得)(?:这一?点|这个|这件事|哦|啊|吧)*(?:[，,]?(?=我)|[：:]))",
    re.IGNORECASE,
)
# Behind what it means: "..., please remember that", "... . Don't forget it.", ……，记住.
_THAT = r"(?:that|this|it)"
_WISH = (
    rf"(?:{_LEAD}(?:(?:remember|note|save|store|keep|memori[sz]e|{_NEVER_FORGET})(?: {_THAT})?|"
    rf"(?:keep|bear) {_THAT} in mind|(?:write|note|jot) {_THAT} down|(?:make|take) (?:a )?note(?: of {_THAT})?)"
    r"(?: for (?:me|later|next time|the future))?(?:,? (?:please|ok|okay|will you|would you|thanks|thank you))*"
    rf"|{_LEAD_ZH}(?:记住|记(?:录|下来?|着点?|好|牢|一?[下哈]|[到倒]?起|[到倒])|牢记|备注一下|存(?:一下|下来?|好)|{_NEVER_FORGET_ZH})"
    r"(?:这一?点|这个|这件事|一下|它|哦|啊|吧|了|哈|好吗|可以吗|行吗|谢谢|[，,])*)"
)
_BEHIND = re.compile(
    rf"(?:[,;.!，；。！(（\n]|\s[-–—]|(?<=[A-Za-z\d#*])(?=\s?(?:你|请|帮|给|麻烦)))\s*+{_WISH}[.!?。！？~～)）\s]*$",
    re.IGNORECASE,
)
# Of what is only to be stored, a secret is meant to be remembered: "store my card number ...", 把门禁码2290存一下.
_STORES = re.compile(
    rf"^{_LEAD}(?:store|keep|add to your notes(?: that)?) (?=(?:my|our|the)\b)|"
    rf"^{_LEAD_ZH}(?:把|(?:保存|存)(?:一下|好|下来?)?)",
    re.IGNORECASE,
)
_SOMEWHERE = re.compile(r"\b(?:in|into|on|at|with) (?:the|an?|my|our)\b|[里中上]$", re.IGNORECASE)
_WITH_BA = re.compile(rf"{_LEAD_ZH}把(?P<what>[^，。；\n]{{2,40}}?)(?:给我|帮我|都|先)*{_WISH}[.。！!\s]*")
_ALONE = re.compile(rf"\W*+{_WISH}\W*+", re.IGNORECASE)
# "I met her in Rome, remember?" asks nobody to.
_ASKED_FOR = re.compile(r"\b(?:(?:can|could|would|will) you|please|okay?)\b|[能可行好请]", re.IGNORECASE)
# Of characters.
SHORTEST = 5
# What says nothing that could be meant ("Hi there", "that's great", 好的), or is no statement: "add salt to the soup".
_NO_STATEMENT = re.compile(
    r"\W*+(?:(?:that|this|it|these|those|thanks?|hi|hello|hey|okay|ok|great|good|yes|no|please|so|well|sorry|don't|do|"
    r"never|if|when|unless|suppose|imagine|maybe|perhaps|what|who|how|why|where)\b|[这那好谢你您嗨嗯哦别不]|请(?:你|千万)*[别不勿])|"
    r".*(?:如果|要是|万一|假如|的话)",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\W*+(?:(?:and|but|also|so|by the way),? )*(?:(?:I|we|my|our|the|his|her|their|he|she|they|an?|there|all|every\w*|"
    r"nobody)\b|(?-i:[A-Z])[\w'-]+ (?:[a-z]+(?:ed|s)|can|will)\b)|"
    r".*(?:\b(?:is|are|was|were|has|have|had)\b|\w'[sm] |: )|"
    r"(?:[^\u4e00-\u9fff]*+[\u4e00-\u9fff]){3}",
    re.IGNORECASE,
)
# What is only called by its name, with nothing said of it: "my shoe size", "我的鞋码".
_BARE = re.compile(
    r"(?:(?:(?i:my|our|his|her|their)|(?i:my|our) [a-z]+['’]s|[A-Z]\w+['’]s)(?: (?!(?:is|are|was|were|has|have|had|can|"
    r"will|must|does?|needs?|likes?|hates?|wants?)\b)(?:[a-z-]+|[A-Z]{2,6})){1,3}|me|us|him|her|them|it|this|that)"
    rf"|我(?:们|家|们家)*(?:的?{ABOUT_ME_ZH}|(?:[^，。的是叫有在\d]{{0,8}}的)+"
    rf"(?:{KIN_ZH}|(?!{KIN_ZH})[^，。是叫有在\d]{{1,4}}))?"
)
_WORTH_NOTING = re.compile(
    r".{0,60}?\b(?:write|note|jot) (?:it|this|that) down(?::|,| -) *|.{0,60}?\b(?:worth (?:writing down|noting|"
    r"remembering|keeping)|"
    r"for the (?:file|record|notes|minutes))(?:: *|, *| (?=the\b|our\b|my\b|we\b))"
    r"|(?!.{0,4}待办).{0,20}?(?:记一[下哈]|记[到倒]起|记一笔|备个案|存个档|补充一个情况|补充一点|说个事实)[:：，,] *",
    re.IGNORECASE,
)
# What a value is of, named before the words that ask to note it: 手机号你记一下：138..., "my locker, note it down: B7".
_NAMED_AHEAD = re.compile(
    r"(?:^|[，。；,.;\n])\s*(?P<of>[^，。；,.;\n]{2,40}?)[，,]?(?: and)?\s*"
    r"(?:(?:你|请|帮我|给我|麻烦|再|也|please|can you|could you)\s*)*"
    r"(?:记(?:一[下哈笔]|[到倒]起?)|\b(?:write|note|jot) (?:it|this|that) down)\s*[:：，, ]*$",
    re.IGNORECASE,
)
_VALUE_ALONE = re.compile(r"[\u4e00-\u9fff]?[A-Za-z\d#*+._@-]{3,40}(?:[ -]\d{2,8}){0,5}")
_NOT = re.compile(r"\b(?:not|never|no|nothing|\w+n't)\b|[别不没勿]", re.IGNORECASE)
_POLITE = re.compile(rf"(?:please |can |could |would |will |能|可以|请|麻烦|{_NEVER_FORGET})", re.IGNORECASE)
_REMEMBER_NOT = re.compile(
    r"\b(?:remember|note) (?:when|how|what|where|why|if|to|the (?:time|day|good))\b|\bsave (?:me|money|time|the|"
    r"your)\b|记住了吗|记(?:住|[到倒]起?)没|^note[:,]? (?:to|for)\b",
    re.I,
)
_TO_BE_DONE = re.compile(NOT_TO_FORGET, re.IGNORECASE)


def told(words: str, *, asks: bool) -> int | None:
    """Where in a clause that asks to remember something this begins; None for other clauses. `asks`: it is put as a
    question."""
    found = _REMEMBER.match(words) or _WORTH_NOTING.match(words)
    if found is None and (stores := _STORES.match(words)) is not None and _is_given(words[stores.end() :]):
        found = stores
    if found is not None and found.re is _WORTH_NOTING and _NOT.search(found[0].replace("’", "'")):
        return None  # "not for the minutes: ..." asks for the contrary
    if found is None or _REMEMBER_NOT.search(words) or _TO_BE_DONE.match(words) or (asks and not _POLITE.match(words)):
        return None
    return found.end()


def named_ahead(before: str, content: str) -> str:
    """What the value that `before` asks to note is of, with a colon; empty where the content is no bare value."""
    ahead = _NAMED_AHEAD.search(before) if _VALUE_ALONE.fullmatch(content) else None
    of = ahead["of"].strip() if ahead else ""
    return f"{of}{': ' if of.isascii() else '：'}" if of else ""


def meant_before(words: str) -> int | None:
    """Where in a sentence ends what its last words ask to remember; None where they do not."""
    with_ba = _WITH_BA.fullmatch(words)
    if with_ba is not None and _is_given(with_ba["what"]):
        return with_ba.end("what")
    found = _BEHIND.search(words.replace("’", "'"))
    if found is None or not _is_asked(found[0]):
        return None
    before = words[: found.start()]
    stated = _STATED.match(before) and not _NO_STATEMENT.match(before) and len(before) >= SHORTEST
    return found.start() if stated else None


def asks_behind(statement: str, wish: str) -> bool:
    """Whether a sentence says nothing but that what the one before it states is to be remembered."""
    return asks_only(wish) and meant_before(f"{statement}\n{wish}") is not None


def asks_only(words: str) -> bool:
    """Whether a clause says nothing but that something is to be remembered."""
    return bool(_ALONE.fullmatch(words.replace("’", "'")))


def _is_given(words: str) -> bool:
    """Whether it is a secret with its value, and no place where one is to be put."""
    return secret(words, "fact") and bool(re.search(r"\d", words)) and not _SOMEWHERE.search(words)


def _is_asked(wish: str) -> bool:
    return not re.search(r"[?？]", wish) or bool(_ASKED_FOR.search(wish))


def says_nothing(words: str) -> bool:
    """Whether what is to be remembered is only named."""
    return bool(_BARE.fullmatch(words.strip(" ,，.。!！?？:：\n")))
