"""What of a message is worth remembering, by rules for English and Chinese.

Own words are told from quoted ones, sentences are split into clauses, and each clause that states a decision, a wish,
something about the speaker, a task, an appointment or a value gives one entry, in the speaker's words. Questions,
suppositions and the material of a task give none. `_rules.py` has the patterns, `_own_words.py` what is quoted,
`_dates.py` when something falls due, `_references.py` what "as I said" refers to.

Measured on the labelled sentences of the project's tests (tests/policies).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from localagent.policy import Extracted, Said

from ._dates import due_at, names_day
from ._own_words import Sentence, mask, sentences
from ._references import referred
from ._rules import (
    CANCELLED,
    CANCELLED_NOT,
    COMING,
    COMING_NOT,
    EVENT_NOUN,
    FINISHED,
    FINISHED_NOT,
    LATE_RULES,
    RULES,
    STEPS,
    Rule,
    states_value,
)

# Of a message, at most as many characters are looked at, and as many entries taken.
MAX_TEXT = 20_000
MAX_ENTRIES = 12

_FILLER = re.compile(
    r"(?:(?:and|but|also|so|then|plus|because|oh|ok|okay|well|actually|hey|hi|hello|thanks|thank you|yes|yeah|"
    r"yep|no|nope|sure|"
    r"right|great|good|perfect|fine|cool|alright|by the way|btw|fyi|anyway|in addition|besides|one more thing|wait|hmm|"
    r"sorry|correction|update|note|good morning|just so you know|for the record|for your information|for reference|"
    r"first|second|finally|lastly|oh and|honestly|personally|i think|i guess|in fact)(?:[,:!.]| -| –) *"
    r"|(?:and|but|also|so|plus|because) |(?:please )?(?:be aware|know) that "
    r"|(?:对了|另外|还有|顺便说一下|顺便说|顺便|嗯|哦|噢|啊|好的|好吧|好|行|你好|谢谢|是的|没错|不是|不|不对|"
    r"其实|补充一下|更正一下|更正|跟你说|告诉你|说一下)[，,。：:！! ] *"
    r"|(?:另外|而且|并且|同时|然后|但是|但|不过|所以|因为|顺便|其实|还有(?=我|请|就是))(?=\S))+",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"(?:,|;| -| –| —)? (?:and|but|also|so|plus)(?: also| then| please)? (?=(?:I|I'm|I've|I'll|my|we|we've|we're|"
    r"our|please|don't|do not|"
    r"never|always|let's|remind|call|the|no|from now|remember|keep|answer|reply)\b)"
    r"|[,;] (?=(?:I|I'm|I've|I'll|my|we|we've|we're|our|please(?= \w)|don't|do not|never|always|let's|remind|what|how|"
    r"which|where|"
    r"when|why|who|do you|does|did|can you|could you|would you|will you|should|is it|is there|are there|any|so)\b)"
    r"|(?:[，；]|(?<=[\u4e00-\u9fff]),|, ?(?=[\u4e00-\u9fff]))(?=[^，；]{2})|(?<=[\u4e00-\u9fff])(?:并且|而且|同时)",
    re.IGNORECASE,
)
# It says how long the rest holds.
_OPENING = re.compile(
    r"(?:and |so |please |ok |okay )*(?:from now on|from here on|going forward|in (?:the )?future|by default|"
    r"as a rule|next time|please|(?:remember|note|keep in mind|remember this)(?=$))"
    r"|(?:那|请|你|我们|咱们)*(?:从现在开始|从现在起|从今天起|从今以后|今后|往后|以后|从此|默认|下次|每次|请)"
    r"|(?:请|麻烦你?|帮我|一定要?|你)*(?:记住|记一下|记下来?|牢记|备忘)(?:了|哦|啊|一下)?"
    r"|(?:每次|每当|凡是|只要)[^，,]{1,16}",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|may|have you|has|had|am I|what|which|who|"
    r"whom|whose|"
    r"where|when(?! I| you| we| the|ever)|why|how|any chance|isn't|aren't|don't you|doesn't|won't|wouldn't)\b(?!n't)"
    r"|(?:吗|呢|么|没有啊|不成)[。.!！?？]*$|^(?:你|您)(?:是|会|能|有|知道|觉得|喜欢|记得|还记得|认为|可以|叫什么)"
    r"|什么|怎么(?!都|也|样都)|为什么|哪[里个些儿位种天年]|(?<!不)多少|几[点号个岁月](?!前|后|后)|是不是|能不能|"
    r"要不要|可不可以|有没有|会不会|该不该|如何|谁(?!都)|是否|多久|多大|应不应该",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"^(?:if|suppose|supposing|imagine|assume|assuming|what if|let's say|let's pretend|let's imagine|let us|say|"
    r"hypothetically|pretend|in case|unless|"
    r"for example|e\.g\.|for instance|even if|as if|act as|act like|you are|you're|play|roleplay|role-play|wish|"
    r"I wish|maybe|perhaps|"
    r"had I|were I|whether|in theory|theoretically)\b"
    r"|^(?:如果|假如|假设|要是|倘若|万一|想象|设想|比如|例如|譬如|假装|扮演|即使|就算|你是(?!不是)|你现在是|也许|"
    r"可能|或许|哪怕|理论上|假使|除非|无论)",
    re.IGNORECASE,
)
# A wish that hangs on a condition is one all the same, if it is put as an order.
_CONDITION = re.compile(
    r"^(?:if|when|whenever|for|in|as for|regarding|before|after|on|with|unless|at)\b|^(?:如果|要是|当|凡是|只要|"
    r"无论|关于|对于|在|除非|遇到|涉及)|(?:时|的时候|的话|前|后)$",
    re.I,
)
_TASK = re.compile(
    r"^(?:please |can you |could you |would you |will you |now |then |I want you to |I need you to |"
    r"I'd like you to |help me |let's )*"
    r"(?:write|draft|compose|translate|summari[sz]e|explain|rewrite|rephrase|paraphrase|generate|give me|show me|"
    r"tell me|list|create|"
    r"describe|fix|check|find|search|look up|calculate|compute|convert|implement|make (?:me |up |a |an |the )|suggest|"
    r"recommend|tell|say|repeat|read|print|output|sort|compare|analy[sz]e|plan|design|code|debug|refactor|review|"
    r"proofread|"
    r"continue|finish the|complete the|correct|improve|edit|answer (?:the|this|as)|reply to (?:the|this|him|her|"
    r"them)|help me|simulate|act|role-?play|invent|brainstorm|"
    r"count|solve|draw|teach me|quiz me|define|outline|name (?:three|five|ten|some|a)|send (?:an?|the))\b"
    r"|^(?:这里|此处|这段|这句|这道题|其他的?|其余)|\b(?:use|put|add) .{1,40} here\b|^here,"
    r"|^(?:请|麻烦你?|帮我|帮忙|你|能不能|能否|可以|可不可以|给我|再|先|现在|继续|我想让你|我要你|我需要你|"
    r"我想请你|把)*"
    r"(?:写(?!好|完|代码要)|翻译|总结|概括|解释(?!要|得|的)|改写|润色|生成|列出|列一|讲一?个|讲讲|画|查|搜索|"
    r"搜一|算|计算|推荐|介绍|分析|检查|修改|做一[个份首]|编|起草|设计|"
    r"实现|说说|说一[个句]|告诉我|举|描述|比较|续写|扮演|校对|列举|造句|模仿|出[一几]?道|想[一几]个|整理一下|"
    r"给我.{0,4}[个份首篇段]|来[一首]|回答(?:这|下面|以下)|把.{1,20}(?:翻译|改|写|译|转换|换)成)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"^(?:please |can you |could you |you should |so |just |also |will you )*(?:remember|keep in mind|"
    r"bear in mind|make a note|take note|note down|note|memori[sz]e|don't forget|do not forget|save|write down)"
    r"(?: this| the following| for (?:me|later|next time|the future)| down| of this| please)?(?: that |: ?|, |"
    r" - ?| (?=(?:my|I|I'm|we|our|the)\b)|[.!]?$)"
    r"|^(?:请|麻烦你?|你|帮我|要|给我|那|可以|能不能|一定要?|务必)*(?:记住|记一下|记下来?|记录一下|牢记|记好|"
    r"备注一下|备忘|别忘了(?=我|：|:)|不要忘了?(?=我|：|:))(?:这一?点|这个|这件事|一下|以下|哦|啊|吧|"
    r"了)*(?:[，,：: ]+|$|(?=[我他她这那明下今我们公项服路\w]))",
    re.IGNORECASE,
)
_REMEMBER_NOT = re.compile(
    r"\b(?:remember|note) (?:when|how|what|where|why|if|to|the (?:time|day|good))\b|\bsave (?:me|money|time|the|"
    r"your)\b|记住了吗|记住没|^note[:,]? (?:to|for)\b",
    re.I,
)
_IMPERATIVE = re.compile(
    r"^(?:please |always |never |don't |do not |no |use |keep |answer |reply |write |call |be |stop |avoid |"
    r"speak )|^(?:请|不要|别|用|回答|回复|以后|每次|总是)",
    re.I,
)
_REPLACES = re.compile(
    r"\b(?:not any ?more|any ?more|no longer|instead|now|changed?|changes|moved?|switch(?:ed|ing)?|actually|correction|"
    r"rescheduled|postponed|cancel\w*|called off|rather than|used to|new|updated?|replac\w+|from .{1,30} to|"
    r"stopped|quit|"
    r"pushed|brought forward|wait|drop(?:ping)?|revert\w*|delayed|turns out)\b|n't .{1,40} any ?more"
    r"|改成|改为|改到|改用|改在|改了|改叫|换成|换了|换到|换用|不再|再也不|取消|更正|现在|推迟|提前|延期|延后|"
    r"移到|挪到|搬到|搬去|而不是|作废|调整为|变成|变为|不是.{1,20}是|不.{1,12}了|新的?|戒了|更新",
    re.IGNORECASE,
)
_THREAD = re.compile(
    r"\b(?:in|for|during|throughout) (?:this|our|the current|the rest of (?:this|our|the)) (?:conversation|chat|"
    r"thread|session|discussion|dialog(?:ue)?|talk)\b|\bfor now\b|\bfor the moment\b|\btoday only\b"
    r"|(?:这次|本次|这个|此次|这场|这轮|当前)(?:对话|会话|聊天|谈话|讨论|交流)|这次(?!的?(?:会议|考试|旅行|出差|"
    r"项目|发布))|暂时|今天的对话",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\b(?:password|passphrase|passcode|api key|secret key|private key|access token|cvv|pin(?: code)?|"
    r"social security|ssn|credit card)\b|密码|口令|密钥|身份证号|银行卡号|信用卡号|验证码",
    re.I,
)
_LEANS = re.compile(
    r"^(?:it|this|that|they|these|those|he|she)(?:'s|'re|'ll)?\b|^(?:它|这个|那个|这(?!周|个月|次|里|学期)|"
    r"那(?!么|就|咱|我)|他|她|他们|她们|其)",
    re.I,
)
_STRONG = re.compile(
    r"\b(?:so|very|really|extremely|incredibly|absolutely|totally|love|hate|adore|terrified|furious|thrilled|"
    r"heartbroken|devastated)\b|!{2,}|！{2,}|非常|特别|超级|太|极其|崩溃|绝望|气死|最",
    re.I,
)
_REPORTED_WISH = re.compile(
    r"\b(?:he|she|they|(?-i:[A-Z]\w+)|boss|friend|teacher|someone|people) (?:always |once |just )?(?:said|says|"
    r"told|tells|asked|wrote|thinks|claims|suggested|wants|prefers|likes|decided)\b|(?:他|她|他们|别人|有人|大家|"
    r"老师|同事|朋友|老板)(?:们)?(?:总|都|常|也)?(?:说|让|叫|告诉|问|觉得|建议|希望)",
    re.I,
)
_EVERYWHERE = frozenset(("preference", "profile", "habit", "relationship"))
_TAG_QUESTION = re.compile(
    r"^(?:好吗|可以吗|行吗|好不好|行不行|可以么|ok|okay|please|alright|will you|would you|could you)[?？]?$", re.I
)
_LIST_HEAD = re.compile(
    r"^\W{0,4}(?:next steps?|to-?dos?|action items?|下一步|接下来|待办(?:事项)?|后续步骤)\W{0,6}$", re.I
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """Part of a sentence, by its place in the text; `own`: where its own words begin, after "and", "please note"."""

    start: int
    end: int
    own: int
    asks: bool = False
    supposes: bool = False


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    rule: Rule
    explicit: bool = False


def importance(message: Said, earlier: Sequence[Said]) -> list[Extracted]:
    """What to keep of a message. Of an assistant's: the next steps it names, and what it refers back to; of a tool's:
    nothing."""
    if message.role not in ("user", "assistant"):
        return []
    found: list[Extracted] = []
    text = message.text[:MAX_TEXT]
    masked = mask(text)
    before: Sentence | None = None
    under_head = False
    for sentence in sentences(masked):
        if message.role == "assistant":
            words = masked[sentence.start : sentence.end]
            under_head = bool(_LIST_HEAD.match(words)) or (under_head and _is_bullet(masked, sentence.start))
            found += _steps(message, text, masked, sentence, under_head)
        else:
            found += _statements(message, text, masked, sentence, before)
        before = sentence
        if len(found) >= MAX_ENTRIES:
            break
    found += referred(message, text, masked, earlier, lambda said: importance(said, ()))
    return _without_doubles(found)[:MAX_ENTRIES]


def _is_bullet(masked: str, start: int) -> bool:
    line = masked.rfind("\n", 0, start) + 1
    return line < start and not masked[line:start].isspace()


def _without_doubles(found: Sequence[Extracted]) -> list[Extracted]:
    kept: dict[str, Extracted] = {}
    for entry in found:
        key = " ".join(entry.text.lower().split())
        other = kept.get(key)
        kept[key] = replace(other, explicit=other.explicit or entry.explicit) if other else entry
    return list(kept.values())


def _steps(message: Said, text: str, masked: str, sentence: Sentence, listed: bool) -> Iterator[Extracted]:
    """A next step that the assistant names."""
    start = _own_start(masked, sentence.start, sentence.end)
    words = masked[start : sentence.end]
    if sentence.asks or _LIST_HEAD.match(words) or len(words) < 4:
        return
    rule = next((rule for rule in STEPS if rule.fits(words)), None)
    if rule is None and listed:
        rule = STEPS[0]
    if rule is not None:
        yield _entry(message, text, _Hit(start, sentence.end, rule), sentence, None)


def _statements(
    message: Said, text: str, masked: str, sentence: Sentence, before: Sentence | None
) -> Iterator[Extracted]:
    """The entries of a sentence: one a clause that states something, with what belongs to it beside it."""
    clauses = _clauses(masked, sentence)
    task = bool(_TASK.match(masked[clauses[0].own : sentence.end])) if clauses else False
    supposed = False
    hits: list[_Hit] = []
    prefix: int | None = None
    for clause in clauses:
        supposed = supposed or clause.supposes
        hit = None if clause.supposes else _classify(message, text, masked, clause, task=task, supposed=supposed)
        if hit is not None:
            start = hit.start if prefix is None or hit.explicit else prefix
            hits.append(replace(hit, start=start))
            prefix = None
        elif hits and _belongs(masked, clause):
            hits[-1] = replace(hits[-1], end=clause.end)
        elif _CONDITION.search(masked[clause.own : clause.end]) or _is_topic(message, masked, clause):
            prefix = clause.own if prefix is None else prefix
        else:
            prefix = None
    for hit in hits:
        yield _entry(message, text, hit, sentence, before)


def _clauses(masked: str, sentence: Sentence) -> list[_Clause]:
    cuts = [(sentence.start, sentence.start)]
    cuts += [match.span() for match in _BOUNDARY.finditer(masked, sentence.start, sentence.end)]
    ends = [start for start, _ in cuts[1:]] + [sentence.end]
    spans: list[tuple[int, int]] = []
    for cut, end in zip(cuts, ends, strict=True):
        if spans and _OPENING.fullmatch(masked[spans[-1][0] : spans[-1][1]].strip(" ,，")):
            spans[-1] = (spans[-1][0], end)
        elif masked[cut[1] : end].strip():
            spans.append((cut[1], end))
    tagged = bool(spans) and bool(_TAG_QUESTION.match(masked[spans[-1][0] : spans[-1][1]].strip()))
    made = []
    for index, (start, end) in enumerate(spans):
        own = _own_start(masked, start, end)
        words = masked[own:end]
        last = index == len(spans) - 1
        asks = (sentence.asks and (last or len(spans) == 1) and not tagged) or bool(_ASKS.search(words))
        made.append(_Clause(start, end, own, asks, bool(_SUPPOSES.match(words))))
    return made


def _own_start(masked: str, start: int, end: int) -> int:
    while start < end and masked[start] in " ,，、;；\t":
        start += 1
    filler = _FILLER.match(masked, start, end)
    return filler.end() if filler and filler.end() < end else start


def _belongs(masked: str, clause: _Clause) -> bool:
    """Whether a clause that states nothing by itself goes on with the one before."""
    words = masked[clause.start : clause.end].strip()
    if clause.asks or clause.supposes or re.match(r"[A-Za-z]", words):
        return bool(re.match(r"(?:because|since|so that|which|who|unless|except|instead|not)\b", words, re.IGNORECASE))
    return not re.match(
        r"(?:你|他|她|这|那(?!里)|今天|但|不过|另外|然后|顺便|天气|谢谢|哈|对吧|是吧|对吗|怎么|请|帮)", words
    )


def _is_topic(message: Said, masked: str, clause: _Clause) -> bool:
    """A short beginning that the next clause needs: a day, a subject."""
    words = masked[clause.own : clause.end].strip(" ,，")
    return 0 < len(words) <= 12 and bool(re.match(r"[\u4e00-\u9fff]", words)) and (
        names_day(words, message.said_at) or words.startswith(("关于", "对于", "至于", "以后", "从", "今后"))
    )  # fmt: skip


def _classify(message: Said, text: str, masked: str, clause: _Clause, *, task: bool, supposed: bool) -> _Hit | None:
    words = masked[clause.own : clause.end].strip()
    explicit = _REMEMBER.match(words)
    if explicit and not _REMEMBER_NOT.search(words) and not re.search(r"(?:吗|没有?)[?？]?$", words):
        start = clause.own + explicit.end()
        content = masked[start : clause.end].strip(" .。!！:：\n")
        if content:
            rule = _rule_of(message, content, task=False, supposed=False, asks=False) or _fallback(content)
            return _Hit(start, clause.end, rule, explicit=True)
        return None
    rule = _rule_of(message, words, task=task, supposed=supposed, asks=clause.asks)
    if rule is None:
        return None
    if _SECRET.search(words) and rule.kind in ("fact", "profile") and not _REPLACES.search(words):
        return None  # not by itself; what somebody asked to be remembered may change
    if rule.kind in ("preference", "decision") and not rule.marked and _reported(words):
        return None
    return _Hit(clause.own, clause.end, rule)


def _reported(words: str) -> bool:
    return bool(_REPORTED_WISH.search(words)) and not re.search(r"\bI\b|\b[Ww]e\b|我", words)


def _fallback(content: str) -> Rule:
    kind = "preference" if _IMPERATIVE.match(content) else "fact"
    return _made(kind, 0.8)


def _made(kind: str, weight: float) -> Rule:
    return next(replace(rule, importance=weight) for rule in (*RULES, *LATE_RULES) if rule.kind == kind)


_EVENT_RULE = _made("event", 0.6)
_CANCELLED_RULE = _made("event", 0.61)
_FINISHED_RULE = _made("todo", 0.3)
_VALUE_RULE = _made("fact", 0.6)


def _rule_of(message: Said, words: str, *, task: bool, supposed: bool, asks: bool) -> Rule | None:
    """The first rule that fits a clause."""
    coming = names_day(words, message.said_at) and COMING.search(words) and not COMING_NOT.search(words)
    for rule in RULES:
        if (task and not rule.marked) or (supposed and not rule.standing) or (asks and not rule.asked):
            continue
        if rule.fits(words):
            return _EVENT_RULE if coming and rule.kind == "relationship" else rule
    if task or supposed or asks:
        return None
    if CANCELLED.search(words) and not CANCELLED_NOT.search(words):
        return _CANCELLED_RULE
    if FINISHED.search(words) and not FINISHED_NOT.search(words):
        return _FINISHED_RULE
    timed = EVENT_NOUN.search(words) and not COMING_NOT.search(words) and due_at(words, message.said_at) is not None
    if coming or timed:
        return _EVENT_RULE
    late = next((rule for rule in LATE_RULES if rule.fits(words)), None)
    return late or (_VALUE_RULE if states_value(words) else None)


def _entry(message: Said, text: str, hit: _Hit, sentence: Sentence, before: Sentence | None) -> Extracted:
    """The clause in the speaker's words; with the sentence before it, where it begins with "it" or "that"."""
    said = _trimmed(text[hit.start : hit.end])
    evidence_start = sentence.start
    if before is not None and _LEANS.match(said) and not hit.explicit:
        said = f"{_trimmed(text[before.start : before.end])}; {said}"
        evidence_start = before.start
    rule, whole = hit.rule, text[sentence.start : sentence.end]
    scope = "thread" if _THREAD.search(whole) and rule.kind in ("preference", "style", "persona") else None
    weight = rule.importance
    if hit.explicit:
        weight = max(weight, 0.85)
    dated = rule.kind in ("event", "todo", "decision", "fact") and (rule.kind != "fact" or EVENT_NOUN.search(whole))
    return Extracted(
        kind=rule.kind,
        text=said,
        evidence=text[evidence_start : sentence.end].strip(),
        importance=weight,
        scope=scope or ("all" if rule.kind in _EVERYWHERE else "agent"),
        subject=rule.subject,
        emotion=_emotion(rule.kind, whole),
        due_at=due_at(said, message.said_at) if dated and rule is not _FINISHED_RULE else None,
        explicit=hit.explicit,
        replaces=rule in (_CANCELLED_RULE, _FINISHED_RULE) or bool(_REPLACES.search(whole)),
    )


def _emotion(kind: str, words: str) -> float:
    """How strong a feeling it tells of, 0-1."""
    strong = bool(_STRONG.search(words))
    if kind == "emotion":
        return 0.8 if strong else 0.5
    return 0.3 if strong and kind in ("preference", "relationship", "event") else 0.0


def _trimmed(words: str) -> str:
    words = " ".join(words.split()).strip(" ,，;；、-–—:：*_")
    return re.sub(r"[.。!！]+$", "", words)
