"""How people say what they decided, wish for and have still to do without the words that say so.

General language only: what kinds of texts and things there are, and how somebody takes to them.
"""

from __future__ import annotations

import re

from ._rule import any_of

_ME = r"\b(?:I|me|my|mine|myself|we|us|our|I'm|I've|I'd)\b"
# What an assistant makes, and what it is made of.
_MATTER = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|texts?|prose|paragraphs?|walls? of"
    r"|sentences?|"
    r"lists?|bullets?|tables?|grids?|columns?|rows|charts?|graphs?|diagrams?|drawings?|pictures?|examples?|code|"
    r"snippets?|scripts?|commands?|one-liners?|steps?|checklists?|outlines?|headings?|headlines?|titles?|jargon|"
    r"abbreviations?|acronyms?|units?|metric|imperial|celsius|fahrenheit|decimals?|fractions?|percent\w*|currenc\w+|"
    r"amounts?|prices?|figures?|numbers?|dates?|times?|clock|time zones?|tone|wording|words?|phrases?|emojis?|"
    r"exclamation|adjectives?|e-?mails?|letters?|messages?|drafts?|notes?|documents?|recipes?|instructions?|manuals?|"
    r"screens?|page|font|links?|names?|nicknames?|variables?|comments?|spelling|passive|questions?|options?|"
    r"alternatives|comparisons?|details?|reports?|plans?|schedules?|agendas?|calendars?|spreadsheets?|voice|audio|"
    r"video|english|french|german|spanish|chinese|latin)"
)
# How somebody takes to it.
_TAKES = (
    r"(?:reads? (?:best|better|well|easier|like)|lands?|sticks?(?! to)|clicks?|slides? (?:right )?(?:off|past)"
    r"|bounces? "
    r"off|gloss\w* over|glaz\w+|skims?|skip(?:s|ping)?|loses? (?:me|track|the thread|my)|lose (?:the thread|track"
    r"|me|my)"
    r"|drift\w*|drown\w*|zone[sd]? out|tune[sd]? out|switch(?:es)? off|nod off|fall(?:s)? asleep|can(?:'t|not| not) "
    r"(?:stand|bear|take in|read|follow|parse|abide|picture|hold|see|stomach)|hives|allerg\w+|cring\w+|headaches?|"
    r"itch\w*|annoy\w*|bothers?|irritat\w+|drives? (?:me|us)|makes? (?:me|us|my)|trips? (?:me|us) up|confus\w+|"
    r"helps? me|works? (?:best|better|well|for me|for us)|(?:easier|harder|hard|easy|best|better|useless|wasted|lost|"
    r"fine|enough|plenty|poison|torture|pain\w*|no use|no good|Greek) (?:for|on|to|with) (?:me|us|my)"
    r"|suits? (?:me|us)"
    r"|my (?:\w+ )?(?:eyes?|brain|head|mind|memory|attention|stomach|patience|ears?|thumbs?|hands?)\b|hate[sd]?|"
    r"detest\w*|loath\w+|dread|rather|prefer\w*|happie(?:r|st)|patience|wired|(?:I|we) (?:only |just |always |never |"
    r"mostly )?(?:think|count|work|live|dream|reckon|measure|read|write|learn|listen|cook|sew|plan) (?:in|by|from|on|"
    r"with|best)\b|(?:is|are) (?:no|half an?|not an?) \w+ (?:to|for) (?:me|us)|(?:half|no) an? \w+ to (?:me|us)|"
    r"never (?:reads?|looks?|opens?|uses?|gets?|makes?)|(?:start|begin)s? (?:with|from)|puts? me off|turns? me off|"
    r"wear(?:s)? me|tires? me|lost on me|beats? (?:any|a|every)|worth (?:more|a|ten|a thousand))"
)
# Of everything that the assistant will ever hand over.
_WHATEVER = (
    r"\b(?:whatever|anything|everything|whichever|any (?:\w+ ){1,4}(?:you|that|with|for)|every (?:\w+ ){0,2}(?:you)|"
    r"whenever|when(?:ever)? you|each time|the (?:things?|stuff|texts?|\w+) you) (?:\w+ ){0,3}?(?:hand|give|write|"
    r"send|show|tell|make|draft|produce|propose|suggest|paste|quote|list|put|word|print|cite|with|goes|reads"
    r"|should)\b"
)
_DEVICE = (
    r"\b(?:my|our) (?:\w+ ){0,2}(?:terminal|shell|editor|keyboard|screen|monitor|phone|tablet|laptop|machine"
    r"|computer|"
    r"browser|printer|calendar|reader|screen reader|spreadsheet|oven|kitchen|glasses|hearing|eyesight|ruler|scales?|"
    r"thermometer)\b[^.]{0,40}\b(?:speaks?|runs?|shows?|reads?|only|can't|cannot|doesn't|is|has|uses?|counts?|knows?|"
    r"takes?|measures?|chokes?)\b"
)
WISH = any_of(
    rf"^(?=.*{_ME})(?=.*\b{_MATTER}\b).*\b{_TAKES}",
    rf"{_WHATEVER}",
    rf"\b{_MATTER}\b.{{0,60}}\breads? (?:best|better|well|easier)\b",
    rf"\b(?:keep|leave|spare) (?:me|us|it|them|things|your|the) .{{0,30}}\b{_MATTER}\b",
    r"\b(?:everybody|everyone|people|colleagues?|folks|the (?:team|crew|kids|whole \w+)|friends|they all|nobody"
    r"|we all)"
    r"\b[^.]{0,30}\b(?:calls?|shortens?|knows?|addresses?) (?:me|it|him|her|them|us)\b",
    r"\b(?:goes|go|going) by\b|\bknown (?:here |around here |to \w+ )?as\b|\bnickname\w*\b|\bcall(?:s|ed)? me\b",
    r"\b(?:I|we) (?:always|never|only ever|don't ever|won't ever) (?:want|read|open|use|accept|work|touch|answer"
    r"|take|"
    r"eat|drink|write|sign|buy)\b",
    r"\b(?:always|never) (?:\w+ ){0,3}(?:to|for|with|without|in|before|after) (?:me|us|my|our)\b",
    r"我(?:[^，。]{0,10})(?:更|最|宁愿|宁可|喜欢|偏好|习惯|讨厌|受不了)",
    r"^(?=.*(?:我|咱|人))(?=.*(?:回答|回复|答案|文字|大段|长段|段落|长文|列表|清单|表格?|图|例子|代码|脚本|命令"
    r"|步骤|格式|单位|"
    r"语气|称呼|术语|缩写|英文|中文|数字|金额|价格|日期|时间|邮件|通知|消息|标题|字号|屏幕|方案|结论|对比|文案"
    r"|说明|语音|长句|"
    r"套话|客套|形容词|感叹号|选项|条目|一条条|一条一条|一二三)).*(?:走神|头疼|头痛|头大|头晕|晕|眼花|看不下去"
    r"|看不进|"
    r"看不懂|看得进|看得完|看到最后|记不住|记得住|记得牢|受不了|忍不了|听不进|烦|膈应|别扭|难受|犯困|睡着|跳过"
    r"|划过去|顺眼|"
    r"顺手|舒服|一目了然|好懂|踏实|放心|过敏|鸡皮疙瘩|没底|没耐心|不吃|最清楚|更清楚|心里|脑子|眼睛|反应|白写"
    r"|不认|只认|"
    r"只看|只用|只会|才看|才懂|才放心|直接关|费劲|吃力|出戏|发毛|起疑|尴尬|火大)",
    r"(?:都|一般|一律|大家|同事|客户|家里|店里|组里|这边)[^，。]{0,8}(?:叫|喊|管|称)(?:我|他|她|它|这)|外号|简称"
    r"|喊我|叫我",
    r"(?:才算|就等于没|等于没|算不上|不作数|才叫)(?!.*昨天)",
    r"凡是|只要(?:是|涉及|提到)|但凡|不管(?:什么|哪)|一律|任何时候",
)  # fmt: skip
_DEVICE_WISH = any_of(_DEVICE)

DECIDED = any_of(
    r"\b(?:it is|that's it|and that's (?:final|that)|final|settled|deal|sold|decided|decision|agreed|approved|"
    r"signed off|ruled out|off the table|voted|opted|chose|chosen|picked)\b",
    r"\b(?:we|I)(?:'re| are|'m| am) (?:going (?:with|for)|not (?:doing|going|touching|using|taking)|sticking|keeping|"
    r"dropping|using|staying|skipping|closing|taking)\b",
    r"\b(?:we|I)(?:'ll| will) (?:go with|take|use|keep|stick|drop|skip|have|do without|make do|stay|run|hold|open"
    r"|close|"
    r"print|order|charge|serve|start)\b",
    r"\b(?:wins?|won|beats?|gets the (?:job|nod))\b(?!.*\bprize)",
    r"\b(?:change of plans?|new plan|the plan is(?: now)?|from now on|as of)\b",
    r"\b(?:stays?|remains?|goes|go|moves?) (?:on|in|at|with|to|where|as|under|out)\b",
    r"\bno (?:\w+ ){1,3}(?:anywhere|at all|whatsoever|this (?:year|time|season)|before|after|without|until)\b",
    r"决定|定了|定下|敲定|拍板|说定|商定|约定|选定|选了|就用|就按|就选|就走|就这么|最后(?:还是)?(?:用|选|定|走)"
    r"|还是用|"
    r"砍掉|不做了|不搞了|改成|改用|改为|换成|统一用|统一按|说好|商量好|批了|同意了?|一致|确定(?:了|用|在|下来)"
    r"|从今往后|定在|"
    r"不再(?!说|见)|作废|放弃|保留|只做|先不做|不上",
)
OPEN = any_of(
    r"\bstill (?:need|have|has|to|owe|owed|owes|wait\w*|pending|open|missing|un\w+|not|no|on my|in my|lies?|lying"
    r"|sits?|"
    r"sitting|haven't|hasn't)\b",
    r"\b(?:haven't|hasn't|have not|has not|nobody has|no one has|not been|never got (?:round|around)|not yet|yet "
    r"to)\b",
    r"\bon my (?:\w+ )?(?:desk|plate|list|mind|conscience|to-?do)\b|\bhang\w* over (?:me|us)\b|\bmy (?:to-?do"
    r"|list)\b",
    r"\b(?:remind me|remember to|must remember|don't let me forget|not forget|don't forget)\b",
    r"\b(?:I|we|she|he|they)(?:'ve| have|'s| has)? (?:really |also |still |first |just )*(?:need|have|has|got"
    r"|ought|must|"
    r"should|promised) (?:to )?(?!say|admit|think|ask you|be\b)\w+",
    r"\b(?:I|we)(?:'ll| will) (?!be\b|see\b|say\b|take that|tell you)\w+ .{0,60}\b(?:before|by|when|once|after|on"
    r"|next|"
    r"tomorrow|later|this|as soon)\b",
    r"\b(?:wait(?:ing|s)? (?:for|on)|owes? (?:me|us)|I owe|we owe|outstanding|overdue|due (?:on|by|in|next|before)|"
    r"unsigned|unpaid|unsent|unopened|unanswered|unread|unfinished|unbooked|untouched|undone|unconfirmed|half-done|"
    r"half-finished|gathering dust|loose ends?)\b",
    r"\b(?:next step|next up|to-?do|action item)\b|\b(?:sits?|sitting|lies?|lying|parked|stuck) (?:on|in|at"
    r"|with) (?:my|"
    r"our|the|his|her|\w+'s)\b",
    r"\bbefore (?:\w+ ){1,6}(?:I|we) (?:need|must|have|want)\b|\bthe day after\b.*\bI\b",
    r"还没|尚未|没来得及|还欠|还差|欠着|还得|待办|得(?:去|找|把|给|跟|先|赶|打|补|买|问|订|写)|要(?:去|找|把|跟"
    r"|给|赶|补|"
    r"打电话|买|问|订|写|交|续|约)|记得(?:要|去|把|给|提醒)|别忘|提醒我|回头(?:我|要|再|得|去|把|找)|改天"
    r"|等.{0,14}(?:回复|回信|批|签|"
    r"到货|回来|确认|通知|盖章)|躺在|压在|搁在|放着|拖着|悬着|挂着|晾着|没人(?:管|接|动|认领|去)|一直没|下一步"
    r"|接下来(?:我|要|得)|"
    r"截止|之前(?:要|得)|打算|准备(?:去|找|把|给|下|明|后|周)|一[页张个封份笔件条]都没|没(?:签|交|寄|发|付|订|买"
    r"|装|弄|写|做|动|录|还|"
    r"回|办|约|盖|填|拆|排)|未(?:签|交|付|完成|处理)",
)
DONE = any_of(
    r"\b(?:done|sent|finished|signed|booked|paid|fixed|installed|ordered|delivered|called|shipped|submitted|ticked|"
    r"crossed off|sorted|handed (?:in|over|back)|filed|mailed|posted|collected|picked up|returned|renewed|completed?|"
    r"closed|confirmed|cleaned|replaced|bought|printed|asked|answered|written|wrote|spoke|spoken|talked|measured|"
    r"tested|repaired|scanned|exported|deleted|removed|behind (?:me|us)|out of the way|off my (?:list|desk|plate|"
    r"back))\b",
    r"(?:好|完|掉|到|妥|上|齐|清)了|搞定|办妥|寄出|发出|已经?(?!经有)|(?:交|签|付|发|寄|买|订|装|写|做|改|补|录"
    r"|还|回|约|填|删|取|送|换|问|"
    r"谈|盖)(?:好|完|过|上|掉)?了|完成|收到|到手|划掉|弄好",
)
_DONE_NOT = any_of(
    r"\b(?:not|never|isn't|hasn't|haven't|to be|until|once|when|unless|if|needs?|must|should|will|before|still|yet|"
    r"half|want)\b|n't\b|还没|没有?(?=[^，。]{0,6}(?:好|完))|尚未|等|要是|如果|之前|再|还差|一半|快"
)
# It takes back or replaces what was said before.
CORRECTS = any_of(
    r"\b(?:correction|corrected|correcting|change of plans?|change (?:our|my) minds?|changed (?:our|my|his|her"
    r"|their) "
    r"minds?|scrap (?:that|the)|scratch that|strike that|I was wrong|we were wrong|I misspoke|misread|mistyped|"
    r"miscounted|I mixed|turned? out|turns out|make (?:that|it) \w+|update:|updated|revised?|recount\w*"
    r"|supersed\w*|void|"
    r"overruled|after all|(?:true|real|right|correct|actual|proper) (?:\w+ )?(?:number|figure|count|date|total|name|"
    r"price|amount|value|address|time|version|answer)|instead(?: of)?|rather than|no longer|not any ?more|any ?more|"
    r"from now on|moved (?:to|from|back|forward)|moves to|moving (?:it )?to|pushed (?:back|to|forward)|brought "
    r"forward|"
    r"postponed|rescheduled|replac(?:ed?|es|ing)|swapp?(?:ed|ing)?|switch(?:ed|ing)? (?:to|from|back)|"
    r"is off|are off|called off|cancell?ed|dropped|dropping|not \w+ but|used to be|wasn't right|isn't right|is out|"
    r"no more|new (?:\w+ ){1,3}?(?:is|are|will be)|new [\w ]{2,30}:|the new \w+|went up|went down|raised|lowered"
    r"|cut to|"
    r"down to|up to now)\b|\bnew [\w ]{2,30}:",
    r"更正|纠正|改成|改为|改到|改用|改在|改走|改叫|改回|换成|换到|换用|换了|作废|说错|记错|搞错|算错|数错|写错"
    r"|弄错|看错|重新(?:数|算|统计|核|"
    r"量|盘|清点|定)|其实是|实际(?:是|为|上|数)|应该是|不是.{1,20}(?:而是|，是|，?应该)|推翻|推迟|提前|延到|延期"
    r"|顺延|挪到|挪|移到|"
    r"调整|调到|不再|取消|以.{1,8}为准|新的?[^，。]{1,6}(?:是|为|：|:|定)|从现在起|从今天起|从今往后|变成|变更"
    r"|变卦|计划有变|计划变|"
    r"有变|变了|不.{1,8}了(?![^，。])|涨到|降到|加到|减到|最新",
)
# What the words behind it, up to the next sign, no longer are; and what those before it are not.
_GONE_BEHIND = re.compile(
    r"\b(?:instead of|rather than|no longer (?:the |a |an |on |in |at |with |using |use )?"
    r"|replac(?:es|ed|ing) (?:the )?"
    r"|(?:drop|dropping|dropped|scrap|scrapping|scrapped|ditch\w*|cancel\w*|forget) (?:the |about )?"
    r"|(?:switch\w*|mov\w+|chang\w+|went|goes|swapp?\w*) (?:\w+ ){0,3}from|not)\s"
    r"|不再用?|不用|放弃|取消|推翻|弃用|换掉|撤掉|不是|别用|不要|不走|不去|不选|不找|从|由",
    re.IGNORECASE,
)
_GONE_BEFORE = re.compile(
    r"\s(?:is|are|was|were|has been|have been|gets|got)\s+(?:now\s+)?(?:off(?! to)|out\b|dead|dropped|cancell?ed|void"
    r"|wrong|burned|history|scrapped|no longer|gone|replaced)"
    r"|作废|取消|不要了|不用了|改成|改为|改到|改用|换成|换到|推翻|废掉|撤了|黄了|不算了|算错|错了",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,.;:!?，。；：！？](?!\d)|改成|改为|改到|改用|换成|换到|[到了](?=\W|$)")
_REACH = 60
# It says itself that it is to be kept.
FOR_THE_RECORD = any_of(
    r"\b(?:for the (?:file|record|notes|minutes|books)|worth (?:writing down|noting|remembering|keeping)"
    r"|write (?:this|it|"
    r"that) down|make a note|take note|note that|keep in mind|remember that|one rule|house rule|rule before|in "
    r"writing|"
    r"since nobody wrote)\b",
    r"记一下|记一笔|记住|记下|备个案|存个档|备忘|留个底|说个(?:事实|规矩)|规矩|补充一(?:点|个)|交代一(?:下|句)",
)
REACTION = any_of(
    r"^(?:(?:oh|ah|ha|haha|hah|ok|okay|well|yes|yeah|yep|no|right|sure|fine|good|great|nice|neat|lovely|perfect"
    r"|brilliant|"
    r"excellent|fair|clever|sharp|smart|cool|thanks|thank|cheers|noted|understood|agreed|exactly|true|indeed|point|"
    r"makes?|sounds?|looks?|love|like|that's|that is|that was|that helps?|that makes|that settles|you're|you were"
    r"|what a|"
    r"how|so|morning|hello|hi|hey|good morning|evening|still|got it|will do|taken|all (?:\w+ )?taken|phew|ouch"
    r"|ugh|wow|"
    r"sold|deal|back|here (?:it|we|you|is|are|'s)|here's|see you|talk|bye|goodnight|good night)\b)",
    r"^(?:好|行|对|嗯|哦|噢|哈|谢|明白|懂了?|收到|有道理|有意思|不错|厉害|可以|辛苦|没错|确实|原来|太|早|晚上"
    r"|你好|在吗|赞|妙|"
    r"这(?:个|招|办法|样|就)|那就|听你的|学到|长见识|受教|回来了|继续|先这样|下班|晚安|拜拜|再见|笑死|绝了)",
)
# Tells of how the day went.
NARRATES = any_of(
    r"\b(?:I|we) (?:just |also |only |finally |then |nearly |almost )*(?:\w+ed|spent|slept|ate|got|had|saw|went|came|"
    r"felt|thought|read|ran|sat|stood|took|fell|heard|found|lost|woke|drank|made|forgot|knew|was|were)\b",
    r"(?:今天|昨天|刚才|刚刚|昨晚|早上|中午|上午|下午)[^，。]{0,14}(?:了|着)|哈哈|笑|累|困|下雨|天气|食堂|堵车"
    r"|咖啡|猫|狗",
)


def wishes(words: str) -> bool:
    return bool(WISH.search(words) or _DEVICE_WISH.search(words))


def finished(words: str) -> bool:
    """It says that something is done."""
    return bool(DONE.search(words)) and not _DONE_NOT.search(words)


def given_up(words: str) -> list[str]:
    """What it says does not hold any more, as it is named there."""
    behind = [words[match.end() : match.end() + _REACH] for match in _GONE_BEHIND.finditer(words)]
    before = [words[max(0, match.start() - _REACH) : match.start()] for match in _GONE_BEFORE.finditer(words)]
    return [_BREAK.split(part, maxsplit=1)[0] for part in behind] + [_BREAK.split(part)[-1] for part in before]
