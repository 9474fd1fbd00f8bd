"""What a clause names that asks with a word for forgetting: "forget that I like tea", "delete the memory about my
rent", 忘掉我喜欢喝茶这件事, and what kinds of things requests name. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from localagent.courtesy import PLEADS_ZH, PLEASE, PLEASE_ZH
from localagent.persons import of_kin_alone, person_in

# statement  "that I like tea": the entries that say this
# subject    "my birthday", "about the door code": the entry about it
# all        "everything about my sister": all entries about it
# slot       "where I live", "where my sister lives": the entry that gives it; `about` is the name of the slot
# everything "forget everything": nothing; a sentence is not enough for that
# free       "lose the bit about my pay": what it names stands among other words
# quoted     'delete "I like tea"': the entry in these words
# name, own  "get rid of ING", "drop my asthma": entries that name it; they are asked about
# quiet      "never mind my birthday", which is heard as a wish of silence, and
# alone      "my bus route, you can let that go": entries that share its words
# perhaps    what is not surely heard as a request: those are asked about
Named: TypeAlias = Literal[
    "statement", "subject", "all", "slot", "everything", "free", "quoted", "name", "own", "quiet", "alone", "perhaps"
]
_TOLD = (
    r"(?:what(?:ever)?|that|everything|anything|all(?: that)?|the (?:fact|thing|things|part|bit)s?(?: that)?)"
    r"(?: (?:I|you)(?:'ve| have| had)?(?: just| ever)? (?:said|told you|mentioned|wrote|know|remember|learned|noted|"
    r"saved|stored|asked you))?"
)
_FORGET = re.compile(
    rf"^{PLEASE}(?:forget|un-?(?:say|remember|know|hear)) (?P<f>.+)$"
    rf"|^{PLEASE}(?:delete|erase|remove|wipe|clear|drop|discard)(?: from your memory)? (?P<d>.+)$"
    rf"|^{PLEASE}(?:stop remembering|no longer remember|(?:don't|do not|you (?:don't|do not) (?:have|need) to) "
    r"remember) (?P<s>.+)$",
    re.IGNORECASE,
)
# "Delete ..." is about memory only if it says so.
OF_MEMORY = re.compile(
    r"\b(?:from|out of|in) (?:your |the )?(?:memory|memories|notes|mind)\b|\b(?:memory|memories|note|entry)\b"
    r"|\bwhat(?:ever)? you (?:know|remember|have (?:noted|stored))\b|\beverything you (?:know|remember)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"^(?:(?:the |any |your )?(?:memory|memories|note|entry|entries)(?: that says)? (?:that|about|of|on)? ?)?"
    rf"(?:{_TOLD} )?(?:(?:that|about|of|on|regarding|concerning) )?(?=\S)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:everything|anything|all|what(?:ever)? (?:I|you)|the things|(?:all )?(?:the |your )?memories)\b", re.IGNORECASE
)
TAILS = re.compile(
    r"(?:,? (?:please|thanks|thank you|any ?more|any longer|again|ok(?:ay)?|from (?:your |the )?memory|from now on)"
    r"|[.!?。！？ ])+$",
    re.IGNORECASE,
)
_ASKED_TO = re.compile(r"^(?:I (?:asked|told) you to|I wanted you to|to) ", re.IGNORECASE)
_DECIDED = re.compile(
    r"^(?:the |our |my )?(?:decision|plan|wish|preference|request|rule|instruction) (?:to|of|for|that) ", re.IGNORECASE
)
# For the moment, or an order that is not meant for memory.
_NOT_MEANT = re.compile(
    r"\b(?:for (?:a|one|the|this) (?:moment|second|minute|while|now)|for now|this time|right now|instead)\b"
    r"|^(?:it|that|this|about (?:it|that|this)|him|her|them|me|everything|all|what I said|I (?:said|asked|mentioned)"
    r"(?: that| anything)?|to\b.*|the (?:above|rest|previous|last|first)\b.*|how\b.*|if\b.*|who\b.*|where\b.*)$",
    re.IGNORECASE,
)
FORGET_WORD_ZH = r"(?:忘掉|忘了|忘记|忘却|遗忘|删除|删掉|删了|清除|抹掉|去掉|移除)"
_FORGET_ZH = re.compile(
    rf"^{PLEASE_ZH}(?:忘掉|忘了|忘记|忘却|遗忘)(?P<f>.{{2,}})$"
    rf"|^{PLEASE_ZH}(?:不要再|别再|不必再|不用再|不要|不用|不必|别)(?:记住|记得|记着|记(?![错不录]))(?P<s>.{{2,}})$"
    rf"|^{PLEASE_ZH}(?:删除|删掉|清除|抹掉|去掉|移除)(?P<d>.{{2,}})$"
    rf"|^{PLEADS_ZH}把(?P<b>.{{2,}}?)(?:都|全|从|给|通通|也|(?:你的)?(?:记忆|"
    rf"脑子)(?:里|中)?)*{FORGET_WORD_ZH}(?:吧|了|掉|[。.！!]|好吗)*$",
)
_OF_MEMORY_ZH = re.compile(r"记忆|记录|你(?:所)?(?:知道|记得|记住)|关于")
_ALL_ZH = re.compile(r"一切|所有|全部|(?:事|内容|话)$|都$")
_EVERY_ZH = re.compile(r"一切|所有|[都全]|通通|统统")
_LEADS_ZH = re.compile(
    r"^(?:我(?:刚才|以前|之前|曾经|跟你|对你|和你|向你|告诉你?|说过?|提过?|讲过?|让你|叫你|要你|希望你)+的?|"
    r"你(?:所)?(?:知道|记得|记住|存)的?)?(?:关于|有关)?"
)
_TAILS_ZH = re.compile(
    r"(?:的?(?:这件事|这事|这回事|这一点|这点|那件事|那事|这条(?:记忆|记录|信息)?|(?:记忆|记录|信息)|一切|所有(?:事|"
    r"内容|东西)?|全部|事情?|内容|话|决定|要求)|吧|了|吗|呢|嘛|啊|好吗|好不好|行吗|行不行?|可以吗|就[好行]|谢谢|"
    r"[，,。.！!？? ])+$"
)
_NOT_MEANT_ZH = re.compile(
    r"^(?:提醒|通知|告诉|先|暂时|它|他|她|这|那|一切|所有|刚才|我?说的?$|带|拿|关(?!于))|怎么|什么"
)
# What a question names, by what would answer it.
_SLOTS = (
    ("home", re.compile(r"^(?:about )?where (?:I|we) (?:live|am living)$|^my (?:home )?address$|"
                        r"^我(?:家)?(?:现在)?(?:住在?|家在)"
                        r"(?:哪里?|哪儿|什么地方)|^我的?(?:住址|住处|地址)$", re.IGNORECASE)),
    ("employer", re.compile(r"^(?:about )?(?:where|who) I work(?: for| at)?$|^my employer$|^我(?:现在)?在(?:哪里?|哪儿|"
                            r"什么公司|哪家公司)(?:工作|上班)|^我的(?:公司|雇主|单位)$", re.IGNORECASE)),
    ("name", re.compile(r"^what (?:I'm|I am) called$|^what my name is$|^我叫什么", re.IGNORECASE)),
    ("age", re.compile(r"^how old I am$|^my age$|^我(?:今年)?(?:多大|几岁)|^我的年[龄纪]$", re.IGNORECASE)),
)  # fmt: skip
_WHERE = re.compile(r"(?:about )?(?:where|who) ", re.IGNORECASE)
_EVERYTHING = re.compile(
    rf"^{PLEASE}(?:forget|delete|erase|wipe|clear)(?: about)? (?:everything|all of it|it all|all)"
    r"(?: (?:that )?you (?:know|remember)(?: about me)?| about me| in your memory|"
    r" I(?:'ve| have)? (?:ever )?told you)?$"
    rf"|^{PLEASE}(?:forget|delete|erase|(?:don't|do not) (?:remember|keep|note|save|store)) "
    r"(?:everything|anything|all(?: of it)?|whatever)(?: (?:that )?I(?:'ve| have)? (?:said|told you|mentioned|wrote))? "
    r"(?:today|tonight|so far|this (?:morning|week|evening))$"
    rf"|^{PLEASE_ZH}(?:(?:别|不要|不用)(?:记|存|留)(?:住|着|下)?|忘[掉了记]|删[掉除])(?:今天|今晚|这次|刚才)(?:我)?[说讲聊](?:过)?的"
    r"(?:一切|所有|全部|任何)?(?:话|东西|内容|事情?)?(?:吧|了)?$"
    rf"|^{PLEASE_ZH}(?:把)?(?:(?:一切|所有的?(?:事情?|记忆|东西|内容)?|全部|全|统统|通通|什么)(?:都|给我)*"
    r"(?:忘掉|忘了|忘记|清空|删掉|删除)"
    r"|(?:忘掉|忘了|忘记|清空|删除)(?:一切|所有(?:的?(?:事情?|记忆|东西|内容))?|全部(?:记忆|内容)?|你的记忆))(?:吧|了)?$",
    re.IGNORECASE,
)

# "Where my husband works": what says that he works somewhere.
_ASKED = re.compile(
    r"^(?:about )?(?:where|when|who|what time|"
    r"which (?:school|company|hospital|city|street)|how (?:old|much|tall|heavy|often))"
    r" (?P<of>(?:I|we|my|our) .+)$",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"[在去到]?(?:哪(?:里|儿|个|家|所|天|年)?|什么(?:时候|地方|公司|学校|单位|时间|病)|多少(?:钱|岁)?|几(?:点|岁|号|月)|多大)"
)
# The speaker is who would forget: "I wish I could forget my wedding", 我想忘掉我的生日.
_SIGH = re.compile(
    r"\b(?:I|we)(?:['’]\w+)?,? (?:(?:I|we|want(?:ed)?|wish|would|love|like|need|try(?:ing)?|tried|can|could|can['’]?t|"
    r"cannot|couldn['’]?t|won['’]?t|will|never|not|ever|just|really|only|still|always|often|have|had|should|must|going|"
    r"gonna|hope|hoping|long(?:ing)?|am|do|don['’]?t|did|didn['’]?t|rather|prefer|better|simply|badly|so|to|"
    r"that),? ){0,9}+(?:forget|un-?remember|(?<=could )(?:erase|delete|wipe|undo))\b"
    r"|\b(?:help(?:s|ed)? (?:me|us)(?: to)?|how (?:to|(?:do|can|could|should) (?:I|we)(?: ever)?)|"
    r"(?:try(?:ing)?|hard|impossible|easier|unable|want(?:ing)?) to) forget\b"
    # What happened to something.
    r"|\baccidentally (?:deleted|erased|wiped|binned)\b|\b(?:got|was|were) (?:deleted|erased|wiped)\b",
    re.IGNORECASE,
)
_SIGH_ZH = re.compile(
    r"(?:^|[，,。！!… ])(?:我们?|咱们?|真的?|好|多么?|很|太|还是|也|就|只|一直|总|正|在|现在|[唉哎啊])*"
    r"(?:不?想要?|不?愿意?|(?:希望|但愿|盼着?)(?:我|自己)?(?:能|可以)?|[恨巴]不得|努力|尽[量力]|试[着图]|尝试着?|打算|决定|无法|没法|难以|"
    r"(?:怎[么样]|如何|什么时候|几时)?才?能(?<!^能)(?<![，,]能)|(?:要是|如果|假如)我?(?:真|也)?能|(?<=我)(?:要|得|会)|怎[么样]|如何|学[会着])"
    r"(?:把[^，,。你您]{1,12})?(?:彻底|完全|快点?|赶紧|早点|永远|真的|再|也|都|全|去|就)*(?:忘[掉了记却]|抹[掉去])|忘不[掉了]"
    r"|不小心(?:[就又都给]|把[^，,。]{1,12})?[忘删抹]|误删"
)


def sighs(sentence: str) -> bool:
    """Whether its speaker is who wishes, tries or is unable to forget, and nobody is asked for it."""
    return bool(_SIGH.search(sentence) or _SIGH_ZH.search(sentence))


def plainly_asked(clause: str) -> tuple[str, Named] | None:
    """What it names and how; None where it asks for nothing."""
    plain = TAILS.sub("", clause.replace("’", "'"))
    if _EVERYTHING.match(plain):
        return plain, "everything"
    return _of_a_slot(clause) or _english(clause) or _chinese(clause)


def _of_a_slot(sentence: str) -> tuple[str, Named] | None:
    plain = TAILS.sub("", sentence.replace("’", "'"))
    match = _FORGET.match(plain) or _FORGET_ZH.match(plain)
    if match is None or re.search(r"(?:^不|不要|别)忘", sentence):
        return None
    groups = match.groupdict()
    named = next(groups[name] for name in ("f", "s", "d", "b") if groups.get(name))
    named = re.sub(r"(?:的?(?:这件事|事情?|信息))$", "", named)
    slot = next((slot for slot, pattern in _SLOTS if pattern.search(named)), None)
    if slot is not None:
        return slot, "slot"
    asks = _WHERE.match(named)
    who = person_in(named[asks.end() :] if asks else named)
    own = f"{asks[0] if asks else ''}{who.own}"
    theirs = next((slot for slot, pattern in _SLOTS if who.who and pattern.search(own)), None)
    whose = f"{who.who} {who.name}".strip()
    return (f"{theirs} of {whose}", "slot") if theirs in ("home", "employer") else None


def _english(sentence: str) -> tuple[str, Named] | None:
    plain = sentence.replace("’", "'")
    match = _FORGET.match(TAILS.sub("", plain))
    if match is None:
        return None
    named = match["f"] or match["d"] or match["s"]
    if (asked_of := _asked_of_whom(named)) is not None:
        return asked_of, "subject"
    if _NOT_MEANT.search(named) or (match["d"] and not OF_MEMORY.search(plain)):
        return None
    lead = _LEADS.match(named)
    about = named[lead.end() :] if lead else named
    states = bool(re.match(r"(?:that|the (?:fact|memory|note|entry) that)\b", named, re.IGNORECASE))
    order = _ASKED_TO.match(about) or _DECIDED.match(about)
    about = about[order.end() :] if order else about
    states = states or bool(order) or bool(re.match(r"(?:I|we|my \w+ (?:is|are|has))\b(?!'s)", about))
    if not re.search(r"\w", about):
        return None
    return about, "all" if _ALL.match(named) else "statement" if states else "subject"


def _chinese(sentence: str) -> tuple[str, Named] | None:
    match = _FORGET_ZH.match(sentence.rstrip("。.！!？? "))
    if match is None or re.search(r"(?:^不|不要|别)忘", sentence) or re.match(r"你?忘(?:记|了).+[吗么]", sentence):
        return None
    named = match["f"] or match["s"] or match["d"] or match["b"]
    removes = bool(match["d"] or (match["b"] and not re.search(r"忘", sentence)))
    if _NOT_MEANT_ZH.search(named) or (removes and not _OF_MEMORY_ZH.search(sentence)):
        return None
    about = re.sub(r"从?(?:你的)?(?:记忆|脑子)(?:里|中)?(?:删除|删掉)?$", "", named)
    lead = _LEADS_ZH.match(about)
    topic = bool(re.search(r"关于|有关", about))
    body = about[lead.end() :] if lead else about
    body = _TAILS_ZH.sub("", body)
    if not re.search(r"\w", body):
        return None
    if (asked_of := _asked_of_whom(body)) is not None:
        return asked_of, "subject"
    if topic:
        return body, "all" if _ALL_ZH.search(named) or removes else "subject"
    affairs = re.search(r"的(?:所有|全部)?(?:事情?|一切)[都全吧了]*$", about)
    if affairs is not None and (_EVERY_ZH.search(sentence) or of_kin_alone(body)):
        return body, "all"
    states = not re.fullmatch(r"(?:我|我们)的\w{1,8}|\w{1,8}", body) or bool(re.search(r"[是在有叫住对喜爱用要]", body))
    return body, "statement" if states else "subject"


def _asked_of_whom(named: str) -> str | None:
    """Of "where my husband works", that he works; None for what is no question about the user or theirs."""
    asks = _ASKED.match(named)
    if asks is not None:
        return None if re.match(r"I (?:said|asked|told|mentioned|was|am)\b", asks["of"]) else asks["of"]
    return _ASKED_ZH.sub("", named) if named.startswith("我") and _ASKED_ZH.search(named) else None
