"""A sentence's clauses: where one statement ends and the next begins, which of them ask, and which suppose."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ._amounts import of_nothing
from ._dates import names_day
from ._manners import IN_DOUBT
from ._own_words import Sentence, points_back
from ._retold import HANDS_ON
from ._told import asks_only, meant_before

_FILLER = re.compile(
    r"(?:(?:and|but|also|so|then|plus|because|oh|ok|okay|well|actually|hey|hi|hello|thanks|thank you|yes|yeah|"
    r"yep|no|nope|sure|"
    r"right|great|good|perfect|fine|cool|alright|by the way|btw|fyi|anyway|no wait|oh wait|wait no|i mean|"
    r"i meant|rather|in addition|besides|one more thing|wait|hmm|"
    r"sorry|correction|update|note|good morning|just so you know|for the record|for your information|for reference|"
    r"first|second|finally|lastly|oh and|honestly|personally|i think|i guess|in fact)(?:[,:!.]| -| –) *"
    r"|(?:and |but |oh |also )*(?:by the way|btw|incidentally),? |"
    r"(?:and|but|also|so|plus|because) |(?:please )?(?:be aware|know) that "
    r"|(?:one |a |another |some |my |two )?(?:\w+ )?(?:rules?|requests?|preferences?|wish|wishes|favou?r|conditions?)"
    r"(?: [^:.!?\n]{0,40})?: +"
    r"|(?:先|再|还)?(?:说|定|提)?[^，。：:我你]{0,6}(?:规矩|要求|偏好|请求)(?:是)?[:：] *"
    r"|(?:对了|另外|还有|顺便说一下|顺便说|顺便|嗯|哦|噢|啊|好的|好吧|好|行|你好|谢谢|是的|没错|不是|不|不对|"
    r"其实|补充一下|更正一下|更正|跟你说|告诉你|说一下)[，,。：:！! ] *"
    r"|(?:另外|而且|并且|同时|然后|但是|但|不过|所以|因为|顺便|其实|还有(?=我|请|就是))(?=\S))+",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[,;.] (?=(?:and |but |oh,? |also,? )*(?:by the way|btw|incidentally)\b)| (?=(?:and|but|also),? (?:by the way|"
    r"btw)\b)|"
    r"(?:,|;| -| –| —)? (?:and|but|also|so|plus)(?: also| then| please)? (?=(?:I|I'm|I've|I'll|my|we|we've|we're|"
    r"our|please|don't|do not|"
    r"never|always|let's|remind|call|the|no|from now|remember|keep|answer|reply)\b)"
    r"|, but (?=(?:(?:can|could|would|will|do) you|what|how|why|thanks|thank you|you)\b)"
    r"|[,;] (?=(?:I|I'm|I've|I'll|my|we|we've|we're|our|please(?= \w)|don't|do not|never|always|let's|remind|what|how|"
    r"which|where|"
    r"when|why|who|do you|does|did|can you|could you|would you|will you|should|is it|is there|are there|any|so)\b)"
    r"|,(?= the (?:\w+ ){1,2}(?:is|are|costs) )"
    r"|(?:[，；]|(?<=[\u4e00-\u9fff]),|, ?(?=[\u4e00-\u9fff]))(?=[^，；]{2})|(?<=[\u4e00-\u9fff])(?:并且|而且|同时)",
    re.IGNORECASE,
)
# It says how long the rest holds.
_OPENING = re.compile(
    r"(?:and |so |please |ok |okay )*(?:from now on|from here on|going forward|in (?:the )?future|by default|"
    r"as a rule|next time|please|(?:keep in mind|remember this)(?=$))"
    r"|(?:那|请|你|我们|咱们)*(?:从现在开始|从现在起|从今天起|从今以后|今后|往后|以后|从此|默认|下次|每次|请)"
    r"|(?:每次|每当|凡是|只要)[^，,]{1,16}",
    re.IGNORECASE,
)
# "Eva and I"
_NAME = re.compile(
    r"(?!(?:Thanks|Sure|Yes|Yeah|Yep|No|Nope|Hi|Hello|Hey|Ok|OK|Okay|Great|Right|Good|Fine|Cool|Nice|Perfect|Sorry|Well|"
    r"Agreed|Correct|True|Also|Now|Then|So|And|But|Today|Yesterday|Still)$)[A-Z][\w'’-]+"
)
# "Emma, my niece, has asthma"
_WHO_IS = re.compile(r", (?:my|our) (?:[\w'’-]+ ){0,3}[\w-]+, (?=[a-z])")
_ASKS = re.compile(
    r"^(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|may|have you|has|had|am I|what|which|who|"
    r"whom|whose|"
    r"where|when(?! I| you| we| the|ever)|why|how|any chance|isn't|aren't|don't you|doesn't|won't|wouldn't)\b(?!n't)"
    r"|\basks? (?:how|what|why|when|whether|if|where|who|which)\b|^(?:my|(?:one|a) last|one more|(?:a )?quick|"
    r"another|next) question\b"
    r"|\b(?:what|where|who|whom|when|which|how (?:much|many|old|long|often))\b(?: \w+){0,2},? again[.!]*$"
    r"|一问[:：]|列给我"
    r"|(?:吗|呢|么|没有啊|不成)[。.!！?？]*$|^(?:你|您)(?:是|会|能|有|知道|觉得|喜欢|记得|还记得|认为|可以|叫什么)"
    r"|什么|(?<!不)怎么(?!都|也|样都)|为什么|哪[里个些儿位种天年]|[去在到住上]哪[。.]*$|(?<!不)多少|几[点号个岁月](?!前|后|后)|(?:周|星期|礼拜)几|是不是|能不能|"
    r"最后一问|有个问题|"
    r"要不要|可不可以|有没有|会不会|该不该|如何|谁(?!都)|是否|多久|多大|应不应该"
    # As people talk: 我对啥过敏来着, 我弟现在干啥, 我怀孕几周了, 你知道我住哪个区不.
    r"|(?<![没无])啥(?![都也的]|时候都|说啥)|(?<![不别])咋(?!呼|舌|都|也)|来着[。.]*$|记得[吧没][。.!！]*$|几[周个天年](?:了|来着)[。.]*$|"
    r"[^，,。不就才也都还偏]不[。.]*$|哪(?=[^怕]{0,6}[不来吗呢])",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"^(?:if|suppose|supposing|imagine|assume|assuming|what if|let's say|let's pretend|let's imagine|let us|say|"
    r"hypothetically|pretend|in case|unless|"
    r"for example|e\.g\.|for instance|even if|as if|act as|act like|you are|you're|play|roleplay|role-play|wish|"
    r"I wish|(?:ha(?:ha)*|lol|oh|man),? (?:if|I wish)|maybe|perhaps|"
    r"had I|were I|whether|in theory|theoretically)\b"
    r"|^(?:[哈嘿呵唉哎嗯呃啊，, ]*(?:(?:[我咱他她]们?|我[^，。主重需只尤]{1,2})(?:现在|哪天|以后|真|也)*)?"
    r"(?:如果|假如|要是(?!的)|倘若|万一|假使)|假设|想象|设想|比如|例如|譬如|假装|扮演|即使|就算|你是(?!不是)|你现在是|也许|"
    r"可能|或许|哪怕|理论上|除非|无论|(?:真|好|多(?:么)?|我?(?:真|好|多(?:么)?))(?:希望|想)(?:自己|我)?(?:也|就|现在)*(?:[会能是]|有个?))",
    re.IGNORECASE,
)
TASK = re.compile(
    r"^(?:please |can you |could you |would you |will you |now |then |I want you to |I need you to |"
    r"I'd like you to |help me |let's )*"
    r"(?:write|draft|compose|translate|summari[sz]e|explain|rewrite|rephrase|paraphrase|generate|give me|show me|"
    r"tell me|list|create|"
    r"describe|fix|check|find|search|look up|calculate|compute|convert|implement|make (?:me |up |a |an |the )|suggest|"
    r"recommend|tell|say|repeat|read|print|output|sort|compare|analy[sz]e|plan|design|code|debug|refactor|review|"
    r"proofread|"
    r"continue|finish the|complete the|correct|improve|edit|answer (?:the|this|as)|reply to (?:the|this|him|her|"
    r"them)|help me|simulate|act|role-?play|invent|brainstorm|"
    r"count|solve|estimate|guess|sketch|propose|draw|teach me|quiz me|define|outline|name (?:three|five|ten|some|"
    r"a)|send (?:an?|the))\b"
    r"|^.{0,20}给我(?:来|写|列|发|做|一[份个段])"
    r"|^(?:这里|此处|这段|这句|这道题|其他的?|其余)|\b(?:use|put|add) .{1,40} here\b|^here,"
    r"|^(?:请|麻烦你?|帮我|帮忙|你|能不能|能否|可以|可不可以|给我|再|先|现在|继续|我想让你|我要你|我需要你|"
    r"我想请你|把)*"
    r"(?:写(?!好|完|代码要)|翻译|总结|概括|解释(?!要|得|的|可以|不用)|改写|润色|生成|列出|列一|讲一?个|讲讲|画|查|搜索|"
    r"搜一|算(?!了)|计算|推荐|介绍|分析|检查|修改|做一[个份首]|编|起草|设计|"
    r"实现|说说|说一[个句]|告诉我|举|描述|比较|续写|扮演|校对|列举|审|看一下|看看|核对|列给我|排一下|造句|模仿|"
    r"出[一几]?道|想(?:[一几]?个|一?[点下些])|整理一下|"
    r"给我.{0,4}[个份首篇段]|来[一首]|回答(?:这|下面|以下)|把[这那][段篇句封份首]|把.{1,20}(?:翻译|改|写|译|转换|换)成)",
    re.IGNORECASE,
)
# Tasks whose material may stand in the sentences beside them, and those that make something up.
WORKS_ON = re.compile(
    r"(?:please |now |then |help me )*"
    r"(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct (?:this|the|my|any)|spell-?check|polish"
    r"|shorten|fix (?:the|my|any) (?:grammar|spelling|typos?|text)|role-?play|pretend|imagine|simulate"
    r"|you are an? (?!great|good|real|true|genius|star|angel|life)"
    r"|(?:invent|make up|tell|write)\b[^.!?]{0,40}\b(?:stor(?:y|ies)|poem|novel|scene|dialogue|script|tale|song|lyrics"
    r"|monologue|joke|fiction|character|play|chapter|novella|plot|essay))\b|how (?:many|much|old|far|long) \w+[^?]*\?"
    r"|(?:请|麻烦你?|帮我|帮忙|你|能不能|可以|给我|再|先)*(?:把[^，。]{1,10})?(?:翻译|译成|润色|校对|改写|续写|总结|概括"
    r"|改病句|纠正(?:一下)?(?:语法|错别字)|扮演|假装|想象|设想|是一?[个名位]"
    r"|[写编讲](?:一?[个篇首段]|[^，。？]{0,14}的)[^，。？]{0,14}(?:故事|诗|小说|童话|剧本|歌|对话|台词|笑话|段子|独白|作文))"
    r"|.{0,30}(?:还剩|一共|总共)[^，。]{0,6}(?:多少|几)",
    re.IGNORECASE,
)
# What is said beside a task is no part of it.
ASIDE = re.compile(
    r"[\s,，]*(?:and |but |oh,? |also,? )*(?:by the way|btw|incidentally|just so you know|fyi)\b|"
    r"[\s,，]*(?:对了|另外|顺[便带](?:[说提]|告诉你)|还有[，,]|跟你说|告诉你)",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(
    r"^(?:好吗|可以吗|行吗|好不好|行不行|可以么|ok|okay|please|alright|will you|would you|could you)[?？]?$", re.I
)
# A wish that hangs on a condition is one all the same, if it is put as an order.
CONDITION = re.compile(
    r"^(?:if|when|whenever|for|in|as for|regarding|before|after|on|with|unless|at|except|apart from|aside from|"
    r"other than)\b|^(?:除|如果|要是|当|凡是|只要|"
    r"无论|关于|对于|在|除非|遇到|涉及)|(?:时|的时候|的话|前|后)$",
    re.I,
)
# A value of what the clause before names, of somebody or something else than the speaker: 房租涨了，现在6200.
_HEADLESS = re.compile(
    r"[，,]? ?(?:现在|目前|如今|一共|总共|共)?(?:是|有|要|变成|装的是|用的是)?"
    r"[\d一二两三四五六七八九十百千万][^，。我你他她]{0,30}[。.!！]?$"
)
# "... with my wife and my two kids", "..., my daughter on Fridays": more of the same, and no statement by itself.
_ONLY_NAMED = re.compile(
    r"(?:my|our|the|no)(?: (?!(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|must|should|got|went|"
    r"came|took|[a-z]+ed)\b)[\w-]+){1,5}[.!]*$",
    re.IGNORECASE,
)
_AGE = re.compile(r"岁")
_GREETS = re.compile(
    r"(?:hi|hello|hey|thanks|ok(?:ay)?|yes|no|sure)\b|(?:你好|您好|大家好|嗨|谢谢|好的?|是的?|嗯)", re.IGNORECASE
)
_HEADED = re.compile(r"(?![我你您他她它咱这那请])[\u4e00-\u9fffA-Za-z]\S{1,30}$")


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence, by its place in the text; `own`: where its own words begin, after "and", "please note";
    `told`: what follows asks to remember it."""

    start: int
    end: int
    own: int
    asks: bool = False
    supposes: bool = False
    told: bool = False


def clauses(masked: str, sentence: Sentence) -> list[Clause]:
    meant = meant_before(masked[sentence.start : sentence.end])
    if meant is not None:
        made = clauses(masked, replace(sentence, end=sentence.start + meant, asks=False))
        return [*made[:-1], *(replace(clause, told=True) for clause in made[-1:])]
    cuts = [(sentence.start, sentence.start)]
    for match in _BOUNDARY.finditer(masked, sentence.start, sentence.end):
        if match[0] != "," or not points_back(masked, cuts[-1][1], *match.span()):
            cuts.append(match.span())
    ends = [start for start, _ in cuts[1:]] + [sentence.end]
    spans: list[tuple[int, int]] = []
    for cut, end in zip(cuts, ends, strict=True):
        before = masked[spans[-1][0] : spans[-1][1]].strip(" ,，") if spans else ""
        with_me = (
            masked[cut[0] : cut[1]].strip() == "and" and _NAME.fullmatch(before) and masked.startswith("I ", cut[1])
        )
        of_them = bool(_NAME.fullmatch(before)) and bool(_WHO_IS.match(masked, cut[0]))
        value = _HEADED.match(before) and _HEADLESS.match(masked, cut[0], end) and not _AGE.search(masked, cut[0], end)
        of_it = of_nothing(masked[own_start(masked, cut[1], end) : end]) and not _GREETS.match(before)
        if spans and (
            _OPENING.fullmatch(before)
            or asks_only(before)
            or HANDS_ON.fullmatch(before)
            or with_me
            or of_them
            or value
            or of_it
        ):
            spans[-1] = (spans[-1][0], end)
        elif masked[cut[1] : end].strip():
            spans.append((cut[1], end))
    tagged = bool(spans) and bool(_TAG_QUESTION.match(masked[spans[-1][0] : spans[-1][1]].strip()))
    made = []
    for index, (start, end) in enumerate(spans):
        own = own_start(masked, start, end)
        words = masked[own:end]
        last = index == len(spans) - 1
        asks = (sentence.asks and (last or len(spans) == 1) and not tagged) or bool(_ASKS.search(words))
        supposes = bool(_SUPPOSES.match(words)) and not IN_DOUBT.fits(words)
        made.append(Clause(start, end, own, asks, supposes))
    return made


def of_nothing_at_all(masked: str, clause: Clause) -> bool:
    """Whether a clause leaves out of what it is, and nothing before it can say that."""
    before = masked[: clause.start].strip(" ,，.。!！\n")
    return of_nothing(masked[clause.own : clause.end]) and (not before or bool(_GREETS.fullmatch(before)))


def own_start(masked: str, start: int, end: int) -> int:
    while start < end and masked[start] in " ,，、;；\t":
        start += 1
    filler = _FILLER.match(masked, start, end)
    return filler.end() if filler and filler.end() < end else start


def belongs(masked: str, clause: Clause) -> bool:
    """Whether a clause that states nothing by itself goes on with the one before."""
    words = masked[clause.start : clause.end].strip()
    if masked[max(0, clause.start - 4) : clause.start].endswith(("and ", ", ")) and _ONLY_NAMED.match(words):
        return not clause.asks
    if clause.asks or clause.supposes or re.match(r"[A-Za-z]", words):
        return bool(
            re.match(
                r"(?:because|since|so that|which|who|unless|except|instead|not|the (?:other|rest))\b",
                words,
                re.IGNORECASE,
            )
        )
    return not re.match(
        r"(?:[^，。]{0,6}(?:最多|至多|不超过)|你|他|她|这|那(?!里)|今天|但|不过|另外|然后|顺便|天气|谢谢|哈|对吧|是吧|对吗|怎么|请|帮)"
        r"|[去到]了?[^，。]{0,8}(?:旅[游行]|度假|玩|散心)|[真太](?:[好棒烦累难]|开心|高兴|可惜)",
        words,
    )


def is_topic(masked: str, clause: Clause, said_at: float) -> bool:
    """A short beginning that the next clause needs: a day, a subject."""
    words = masked[clause.own : clause.end].strip(" ,，")
    return 0 < len(words) <= 12 and bool(re.match(r"[\u4e00-\u9fff]", words)) and (
        names_day(words, said_at) or words.startswith(("关于", "对于", "至于", "以后", "从", "今后"))
    )  # fmt: skip
