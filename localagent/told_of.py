"""What a request to forget names by having been told: "the sertraline thing", "scrap everything on the savings plan",
"I'd rather you didn't keep the bit about the summer house", 安眠药那件事别记着了, 别再记得我开什么车了. Pure.

"Delete everything in the folder" and "drop the table" are work: what deletes must name what was told, and no file.
"""

from __future__ import annotations

import re

from localagent.courtesy import AS_UNSAID_ZH, PLEADS_ZH
from localagent.persons import OWNED, PEOPLE

_WISH = (
    r"(?:(?:go ahead and|feel free to|I need you to|I(?:'d| would) (?:rather|prefer (?:it )?(?:if|that)) you"
    r"(?: (?:just|please))?|I(?: don't| do not|'d rather not| would rather not) want you to|I(?:'d| would) rather you)"
    r" )?+"
)
_KEEP = r"(?:remember|keep|hold on to|hang on to|store|save|retain)"
_FORGETS = (
    rf"(?:forget|un-?(?:say|remember|know|hear)|(?<=you )forgot|"
    rf"stop (?:remembering|keeping)|(?:don't|do not|didn't|did not|never|not) {_KEEP}"
    rf"|(?<=want you to ){_KEEP})"
)
_DELETES = (
    r"(?:delete|erase|drop|scrap|remove|wipe|discard|purge|get rid of|"
    r"(?<=you )(?:deleted|erased|dropped|scrapped|removed))"
)
_SAID = (
    r" (?:I(?:'ve| have)?(?: just| ever)? (?:said|told you|mentioned|wrote|shared)|(?:that )?you(?:'ve| have)?"
    r" (?:know|remember|noted|saved|stored|got|have))"
)
_WHOLE = (
    r"(?:everything|anything|all(?: that| of (?:that|what))?|what(?:ever)?|the (?:thing|bit|part|stuff)s?(?: that)?)"
)
_OF = r"(?:about|on|regarding|concerning|to do with|related to|relating to)"
_X = r"(?P<{}>[^,:;]{{2,60}})"
_NAME = r"(?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Today|Tomorrow|Let)[A-Z])[\w-]+"
_TOLD = re.compile(
    rf"^{_WISH}(?:{_FORGETS}|{_DELETES}) {_WHOLE}{_SAID} {_OF} {_X.format('said')}$"
    rf"|^{_WISH}{_FORGETS} (?:everything|anything|all|the (?:thing|bit|part|stuff)s?) {_OF} {_X.format('whole')}$"
    rf"|^{_WISH}{_DELETES} (?:everything|anything|all) (?:about|regarding|concerning|"
    rf"on(?= (?:my|our) (?:{PEOPLE}|{OWNED})\b)) {_X.format('gone')}$"
    rf"|^{_WISH}(?:scrap(?:ped)?|drop(?:ped)?) (?:everything|anything) on {_X.format('on')}$"
    rf"|^{_WISH}{_FORGETS} (?:about )?(?:all )?(?:the|that|this|my|our) (?:whole )?"
    r"(?P<thing>[\w'-]+(?: [\w'-]+){0,3}?) (?:thing|business|stuff|affair|saga|idea|plans?|news|story)$"
    r"|^(?:let's )?(?:pretend|act (?:as if|as though|like)|make believe)(?: that)? I(?:'d| had|'ve| have)? "
    r"(?:never|not|didn't|hadn't)(?: ever)? (?:tell|told|say|said|mention(?:ed)?|bring up|brought up|speak|spoken)"
    rf"(?: you)?(?: anything| a word)?(?: to you)?(?: {_OF}| of)? {_X.format('unsaid')}$"
    rf"|^{_WISH}{_FORGETS} (?:about )?(?P<theirs>{_NAME}(?:'s|(?<=s)') \w[\w' -]{{1,40}})$",
    re.IGNORECASE,
)
# "I never said anything about Marek, ok?"; without the question it may be a denial.
_DENIED = re.compile(
    r"(?:so |remember, )?I(?:'ve)? never (?:said|told you|mentioned|breathed)(?: anything| a (?:word|thing))?"
    r"(?: (?:about|of))? (?P<x>[^,:;.?!]{2,60}?),? "
    r"(?:ok(?:ay)?|right|all right|alright|got it|understood|agreed|deal)[?!. ]*"
    r"|我(?:从来|可|压根)?没有?(?:[跟对和向]你)?[说提讲]过(?P<x2>[^，,。？?]{2,14}?)(?:的事情?)?[，,]"
    r"(?:好吧|行吧|懂了?吧|知道了?吧|明白吧)[?？。！! ]*",
    re.IGNORECASE,
)
# "Forget the last thing", "the small stuff".
_ANY_THING = re.compile(
    r"(?:last|first|second|third|next|previous|other|same|right|wrong|whole|main|only|best|worst|most|more|important|"
    r"small|little|big|funny|good|bad|new|old|easy|hard|boring|fancy|silly|stupid|real|usual|basic|extra|one|two|\w{1,10}est)"
    r"(?: \w+)?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:me|it|that|this|them|him|her|you|us|these|those)", re.IGNORECASE)
# What is worked on.
_WORK = re.compile(
    r"\b(?:files?|folders?|director(?:y|ies)|drafts?|sections?|paragraphs?|sentences?|slides?|tables?|columns?|rows?|"
    r"pages?|docs?|documents?|code|functions?|class(?:es)?|modules?|tests?|readme|branch(?:es)?|e-?mails?|letters?|"
    r"essays?|texts?|articles?|scripts?|recipes?|(?:spread)?sheets?|lists?|chapters?|presentations?|decks?|reports?|"
    r"configs?|repo(?:sitory)?|commits?|comments?|lines?|logs?|databases?|dis[ck]s?|drives?|sticks?|desktop|servers?|"
    r"whiteboard|board|partitions?|cards?|laptop|phone|website|site|api|output|answers?|summary|cv|resume|"
    r"translation|posts?|blog|wiki|changelog|prompt|agenda|minutes|menu|staging|production)\b|\w[._/]\w|`",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",? (?:all of it|every (?:bit|word) of it|every (?:bit|word)|the (?:whole )?lot|completely|entirely)$"
)
_GOES_ON = re.compile(r"\b(?:and|then|but|so|instead) \w+ (?:the|a|an|me|it|us|your|with|on)\b", re.IGNORECASE)

_FORGETS_ZH = r"(?:忘掉|忘了|忘记|抹掉|删掉|删除|清除|(?:别|不要|不用|不必)再?(?:记[得着住]?|留着?|保留|存着?))"
_SAID_ZH = r"我(?:刚才|刚刚|以前|之前|上次|曾经|跟你|对你|和你|向你)*(?:说|讲|提|告诉你?)[过到]?的(?:那个|那些)?"
_AFFAIR_ZH = r"(?:的|[那这]一?(?:件|回|档子|码)?)(?:所有|全部)?事情?"
_TOLD_ZH = re.compile(
    rf"^(?P<verb>{_FORGETS_ZH})(?P<said>{_SAID_ZH})?(?:关于)?(?P<of>[^，,的说]{{1,8}}(?:的[^，,的说]{{1,6}}?)?){_AFFAIR_ZH}$"
)
_FIRST_ZH = re.compile(
    rf"^(?:关于)?(?!我[都也已])(?P<of>[^，,的说忘]{{1,8}}?)(?:{_AFFAIR_ZH}|[那这]一?[件条段])[，,]?"
    rf"{PLEADS_ZH}"
    r"(?:忘掉|抹掉|删掉|忘了(?=吧)|(?P<not>(?:别|不要|不用|不必)再?(?:记[得着住]?|留着?|保留|存着?)))(?:吧|了){0,2}$"
)
_UNSAID_ZH = re.compile(rf"^(?:咱们?|我们)?{AS_UNSAID_ZH}(?<=过)(?P<of>[^，,]{{2,14}}?)(?:{_AFFAIR_ZH})?$")
_ASKS_ZH = re.compile(r"^(?:忘掉|(?:别|不要|不用|不必)再?记[得着住]?)(?P<of>我[^，,]{1,14}?)(?:的事|这件?事)?$")
_WHAT_ZH = re.compile(r"(?:什么|哪(?:一?[个家里儿款种辆条])?|多少|几|怎么)")
_VAGUE_ZH = re.compile(r"[这那它他她]|别的|其他|刚才|什么|一切|所有")
_LAST_ZH = re.compile(r"(?:吧|了|吗|呢|啊|好吗|好不好|谢谢|[，,。.！!？? ])+$")
# A time and what no person does then, of whatever the clause before named; 下周手术 is the user's.
_THEN_ZH = re.compile(
    r"(?:(?:[今明后去前]年|[今明后]天|下个?(?:月|周|星期)|[\d一二三四五六七八九十零]{1,4}[年月日号]|[年月]?[底初]|就|才|要){1,5}+)"
    r"(?:到期|过期|失效|生效|截止|期满|届满|作废|续签|续费|还清|开庭)了?"
)


def of_what_went_before(text: str) -> bool:
    """Whether a clause says when something ends or begins without naming it: 明年八月到期."""
    return bool(_THEN_ZH.fullmatch(text))


def is_any_thing(about: str) -> bool:
    """Whether what a request names is a place in the talk or nothing special: "the last one", "the small stuff"."""
    return bool(_ANY_THING.fullmatch(re.sub(r"^(?:the|that|this|your) ", "", about, flags=re.IGNORECASE)))


def is_work(text: str) -> bool:
    """Whether it speaks of what is worked on, as a file."""
    return bool(_WORK.search(text))


def told_of(request: str, polite: bool) -> tuple[str, bool] | None:
    """What a sentence names, without its "please", and whether as a statement; None where it names nothing that was
    told. `polite`: whether it was asked for, so that 忘了开会的事 is no news of its writer."""
    match = _TOLD.match(_TAIL.sub("", request))
    if match is not None:
        about = next(one for one in match.groups() if one)
        any_thing = bool(match["thing"] and _ANY_THING.fullmatch(about)) or bool(_PRONOUN.fullmatch(about))
        works = is_work(request) or bool(_GOES_ON.search(about)) or bool(re.search(r"\bfrom\b", about))
        return None if any_thing or works else (about, False)
    return _told_of_zh(request, polite)


def denied(sentence: str) -> tuple[str, bool] | None:
    """What its writer wants never to have said, as `told_of` gives it."""
    match = _DENIED.fullmatch(sentence.replace("’", "'"))
    about = (match["x"] or match["x2"]) if match is not None else ""
    vague = (
        not about
        or bool(_PRONOUN.fullmatch(about) or _VAGUE_ZH.match(about))
        or about.startswith(("that ", "I ", "我"))
    )
    return None if vague else (about, False)


def _told_of_zh(request: str, polite: bool) -> tuple[str, bool] | None:
    plain = _LAST_ZH.sub("", request)
    match = _TOLD_ZH.match(plain)
    if match is not None:
        news = match["verb"] in ("忘了", "忘记") and not (
            match["said"] or polite or request.rstrip("。！!").endswith("吧")
        )
        # What the user is or does ("我喜欢喝茶这件事") is a statement, which others see to.
        return None if news or "我" in match["of"] or _VAGUE_ZH.match(match["of"]) else (match["of"], False)
    match = _UNSAID_ZH.match(plain)
    if match is not None:
        return None if _VAGUE_ZH.match(match["of"]) else (match["of"], False)
    match = _FIRST_ZH.match(request.rstrip("。！!~ "))
    if match is not None:
        of_user = match["of"].startswith("我")
        vague = _VAGUE_ZH.match(match["of"]) or (of_user and not match["not"])
        return None if vague else (match["of"], of_user and bool(re.search(r"[是在有叫住对喜爱用要]", match["of"])))
    match = _ASKS_ZH.match(plain)
    if match is None or not _WHAT_ZH.search(match["of"]) or re.search(r"[说讲问提]", match["of"]):
        return None
    return _WHAT_ZH.sub("", match["of"]), True
