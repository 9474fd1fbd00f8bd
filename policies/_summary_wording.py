"""How people say what they decided, wish for and have still to do without the words that say so.

General language only: what kinds of texts and things there are, and how somebody takes to them.
"""

from __future__ import annotations

import re

from ._rule import any_of
from ._summary_details import details

_ME = r"\b(?:I|me|my|mine|myself|we|us|our|I'm|I've|I'd)\b"
# What an assistant makes, and what it is made of.
_MATTER = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|texts?|prose|paragraphs?|walls? of"
    r"|sentences?|lists?|bullets?|tables?|grids?|columns?|rows|charts?|graphs?|diagrams?|drawings?|pictures?"
    r"|examples?|code|snippets?|scripts?|commands?|one-liners?|steps?|checklists?|outlines?|headings?|headlines?"
    r"|titles?|jargon|abbreviations?|acronyms?|units?|metric|imperial|celsius|fahrenheit|decimals?|fractions?"
    r"|percent\w*|currenc\w+|amounts?|prices?|figures?|numbers?|dates?|times?|clock|time zones?|tone|wording"
    r"|words?|phrases?|emojis?|exclamation|adjectives?|e-?mails?|letters?|messages?|drafts?|notes?|documents?"
    r"|recipes?|instructions?|manuals?|screens?|page|font|links?|names?|nicknames?|variables?|comments?|spelling"
    r"|passive|questions?|options?|alternatives|comparisons?|details?|reports?|plans?|schedules?|agendas?"
    r"|calendars?|spreadsheets?|voice|audio|video|english|french|german|spanish|chinese|latin)"
)
# How somebody takes to it.
_TAKES = (
    r"(?:reads? (?:best|better|well|easier|like)|lands?|sticks?(?! to)|clicks?|slides? (?:right )?(?:off|past)"
    r"|bounces? off|gloss\w* over|glaz\w+|skims?|skip(?:s|ping)?|loses? (?:me|track|the thread|my)"
    r"|lose (?:the thread|track|me|my)|drift\w*|drown\w*|zone[sd]? out|tune[sd]? out|switch(?:es)? off|nod off"
    r"|fall(?:s)? asleep|can(?:'t|not| not) (?:stand|bear|take in|read|follow|parse|abide|picture|hold|see"
    r"|stomach)|hives|allerg\w+|cring\w+|headaches?|itch\w*|annoy\w*|bothers?|irritat\w+|drives? (?:me|us)"
    r"|makes? (?:me|us|my)|trips? (?:me|us) up|confus\w+|helps? me|works? (?:best|better|well|for me|for us)"
    r"|(?:easier|harder|hard|easy|best|better|useless|wasted|lost|fine|enough|plenty|poison|torture|pain\w*|no use"
    r"|no good|Greek) (?:for|on|to|with) (?:me|us|my)|suits? (?:me|us)|my (?:\w+ )?(?:eyes?|brain|head|mind|memory"
    r"|attention|stomach|patience|ears?|thumbs?|hands?)\b|hate[sd]?|detest\w*|loath\w+|dread|rather|prefer\w*"
    r"|happie(?:r|st)|patience|wired|(?:I|we) (?:only |just |always |never |mostly )?(?:think|count|work|live"
    r"|dream|reckon|measure|read|write|learn|listen|cook|sew|plan) (?:in|by|from|on|with|best)\b|(?:is|are) (?:no"
    r"|half an?|not an?) \w+ (?:to|for) (?:me|us)|(?:half|no) an? \w+ to (?:me|us)|never (?:reads?|looks?|opens?"
    r"|uses?|gets?|makes?)|(?:start|begin)s? (?:with|from)|puts? me off|turns? me off|wear(?:s)? me|tires? me"
    r"|lost on me|beats? (?:any|a|every)|worth (?:more|a|ten|a thousand))"
)
# Of everything that the assistant will ever hand over.
_WHATEVER = (
    r"\b(?:whatever|anything|everything|whichever|whenever|each time|any (?:\w+ ){1,4}"
    r"|every (?:\w+ ){1,3})\s?(?:that )?you(?:'ll|'d)? (?:\w+ )?(?:hand|give|write|send|show|tell|make|draft"
    r"|produce|propose|suggest|paste|quote|list|put|word|print|cite|name|read)\b"
    r"|\bany(?:thing)?\b[^.;]{2,60}\b(?:in it\b|reads\b|goes\b|comes\b|has to\b|must\b|needs to\b|should\b"
    r"|belongs\b)|\b(?:more|longer|bigger|later|anything (?:over|beyond|past|above"
    r"|longer)) (?:than )?[^.;]{2,40}\b(?:and|means) (?:I|I'm|I've|my|me)\b"
)
_DEVICE = (
    r"\b(?:my|our) (?:\w+ ){0,2}(?:terminal|shell|editor|keyboard|screen|monitor|phone|tablet|laptop|machine"
    r"|computer|browser|printer|calendar|reader|screen reader|spreadsheet|oven|kitchen|glasses|hearing|eyesight"
    r"|ruler|scales?|thermometer)\b[^.]{0,40}\b(?:speaks?|runs?|shows?|reads?|only|can't|cannot|doesn't|is|has"
    r"|uses?|counts?|knows?|takes?|measures?|chokes?)\b"
)
# A wish for good that is put as a question.
POLITELY = any_of(
    r"^(?:also|and|oh|one more thing|by the way)?,? ?(?:can|could|would|will) you (?:please )?(?:stop|not|never|"
    r"always|avoid|quit)\b",
    r"^(?:你)?(?:能不能|可不可以|可以|能)(?:请)?(?:别|不要|少|以后|每次)",
)
# What went wrong before must not be done again.
_WARNS = (
    r"\b(?:burn(?:ed|t) (?:by|on|twice|once)|bit (?:me|us)|bitten by|never again|the hard way|pitfalls?|traps?"
    r"|blacklisted|banned|forbidden|blocked by|is not allowed|aren't allowed|isn't allowed)\b|有个坑|踩过?坑"
    r"|吃过[^，。]{0,4}亏|拉黑|被(?:禁|封|拦)|不让|不准|不允许|禁止|碰不得|用不得|使不得|再也不敢"
)
WISH = any_of(
    _WARNS,
    POLITELY.pattern,
    rf"^(?=.*{_ME})(?!.*\b(?:you wrote|you sent|attached)\b).*\b(?:runs? of text|walls? of|prose|paragraphs"
    rf"|long texts?|"
    r"long sentences|short lines|bullets|bullet points|jargon|acronyms|abbreviations|emojis?|exclamation|adjectives|"
    r"fahrenheit|celsius|metric|imperial|inches|24-hour|12-hour|dyslexi\w+|colou?r-?blind)\b",
    r"^(?=.*(?:我|你)).*(?:大段|长段|长句|符号|括号|感叹号|形容词|术语|缩写|语气|口吻|字号|小数点|色盲|色弱|套话"
    r"|客套|官腔)",
    r"^[^，。]{0,14}别(?:写|说|用|叫|放|加|带|提|讲|弄|发|念|喊|跟)",
    rf"^(?=.*{_ME})(?=.*\b{_MATTER}\b).*\b{_TAKES}",
    rf"{_WHATEVER}",
    rf"\b{_MATTER}\b.{{0,60}}\breads? (?:best|better|well|easier)\b",
    rf"\b(?:keep|leave|spare) (?:me|us|it|them|things|your|the) .{{0,30}}\b{_MATTER}\b",
    r"\b(?:everybody|everyone|people|colleagues?|folks|the (?:team|crew|kids|whole \w+)|friends|they all|nobody"
    r"|we all)\b[^.]{0,30}\b(?:calls?|shortens?|knows?|addresses?) (?:me|it|him|her|them|us)\b",
    r"\b(?:goes|go|going) by\b|\bknown (?:here |around here |to \w+ )?as\b|\bnickname\w*\b|\bcall(?:s|ed)? me\b",
    r"\b(?:I|we) (?:always|never|only ever|don't ever|won't ever) (?:want|read|open|use|accept|work|touch|answer"
    r"|take|eat|drink|write|sign|buy)\b",
    r"\b(?:always|never) (?:\w+ ){0,3}(?:to|for|with|without|in|before|after) (?:me|us|my|our)\b",
    r"\b(?:I|we) (?:won't|will not|refuse to|flatly|do not|don't) (?:have|want|accept|allow|do|touch|take"
    r"|use) (?!to\b|it\b|that\b|this\b)|\bunder no circumstances\b|\bno \w+ (?:anywhere )?near\b",
    r"(?:你|您)[^，。]{0,10}(?:别|不要|少|不用|不许|甭)|别(?:给我|再|跟我|老|总|动不动|一上来|整|来)",
    r"我(?:们|这人)?(?:坚决|绝|死活|从来|向来|就是|一向)?(?:不要|不想要|不碰|不收|不认|不接受|不吃|不爱|没法"
    r"|看不得|听不得|见不得)|(?:坚决|绝对|死活|打死)不|看(?:图|表|数)[^，。]{0,4}(?:快|慢|行|懂)",
    r"(?:超过|多于|一(?:长|多|绕|复杂|快|吵))[^，。]{0,12}[，]?(?:我|就|便)",
    r"我(?:[^，。]{0,10})(?:更|最|宁愿|宁可|喜欢|偏好|习惯|讨厌|受不了)",
    r"^(?=.*(?:我|咱|人))(?=.*(?:回答|回复|答案|文字|大段|长段|段落|长文|列表|清单|表格?|图|例子|代码|脚本|命令"
    r"|步骤|格式|单位|语气|称呼|术语|缩写|英文|中文|数字|金额|价格|日期|时间|邮件|通知|消息|标题|字号|屏幕|方案"
    r"|结论|对比|文案|说明|语音|长句|套话|客套|形容词|感叹号|选项|条目|一条条|一条一条|一二三)).*(?:走神|头疼|头痛"
    r"|头大|头晕|晕|眼花|看不下去|看不进|看不懂|看得进|看得完|看到最后|记不住|记得住|记得牢|受不了|忍不了|听不进"
    r"|烦|膈应|别扭|难受|犯困|睡着|跳过|划过去|顺眼|顺手|舒服|一目了然|好懂|踏实|放心|过敏|鸡皮疙瘩|没底|没耐心"
    r"|不吃|最清楚|更清楚|心里|脑子|眼睛|反应|白写|不认|只认|只看|只用|只会|才看|才懂|才放心|直接关|费劲|吃力|出戏"
    r"|发毛|起疑|尴尬|火大)",
    r"(?:都|一般|一律|大家|同事|客户|家里|店里|组里|这边)[^，。]{0,8}(?:叫|喊|管|称)(?:我|他|她|它|这)|外号|简称"
    r"|喊我|叫我",
    r"(?:才算|就等于没|等于没|算不上|不作数|才叫)(?!.*昨天)",
    r"凡是|只要(?:是|涉及|提到)|但凡|不管(?:什么|哪)|一律|任何时候",
)  # fmt: skip
_DEVICE_WISH = any_of(_DEVICE)

DECIDED_OUTRIGHT = any_of(
    r"\b(?:we|I)(?:'ve| have)? (?:\w+ )?(?:decided|agreed|settled)\b(?! (?:yet|if|whether))",
    r"\b(?:talked|went|thought|argued) (?:it|this|that) (?:through|over|out)\b.*[,:]",
    r"(?<!没)(?<!未)(?<!再)决定(?!不了|权)",
    r"(?:碰过?头|碰了头|开完会|商量(?:过|好|完|妥)|谈妥|说好了|合计过)(?=.{0,12}[：:，])",
)
DECIDED = any_of(
    r"^(?:[\w'-]+ ){1,4}(?:then|it is)\b",
    r"\b(?:it is|that's it|and that's (?:final|that)|^final(?=[:,])|settled|deal|sold|decided|decision|agreed"
    r"|approved|signed off|ruled out|off the table|voted|opted|chose|chosen|picked)\b",
    r"\b(?:we|I)(?:'re| are|'m| am) (?:going (?:with|for)|not (?:doing|going|touching|using|taking)|sticking|keeping|"
    r"dropping|using|staying|skipping|closing|taking)\b",
    r"\b(?:we|I)(?:'ll| will) (?:go with|take|use|keep|stick|drop|skip|have|do without|make do|stay|run|hold|open"
    r"|close|print|order|charge|serve|start)\b",
    r"\b(?:wins?|won|beats?|gets the (?:job|nod))\b(?!.*\bprize)",
    r"\b(?:change of plans?|new plan|the plan is(?: now)?|from now on|as of)\b",
    r"\b(?:stays?|remains?|goes|go|moves?) (?:on|in|at|with|to|where|as|under|out)\b",
    r"\bno (?:\w+ ){1,3}(?:anywhere|at all|whatsoever|this (?:year|time|season)|before|after|without|until)\b",
    r"\b(?:talked|spoke|discussed|sat down|met|went over|agreed|argued|cleared) (?:\w+ ){0,4}with\b",
    r"(?:碰过?头|碰了头|开完会|开了会|聊完|聊过|商量|谈过|谈完|讨论过|对过|合计)",
    r"决定|定了|定下|敲定|拍板|说定|商定|约定|选定|选了|就用|就按|就选|就走|就这么|最后(?:还是)?(?:用|选|定|走)"
    r"|还是用|砍掉|不做了|不搞了|改成|改用|改为|换成|统一用|统一按|说好|商量好|批了|同意了?|一致|确定(?:了|用|在"
    r"|下来)|从今往后|定在|不再(?!说|见)|作废|放弃|保留|只做|先不做|不上",
)
OPEN = any_of(
    r"\bstill (?:need|have|has|to|owe|owed|owes|wait\w*|pending|open|missing|un\w+|not|no|on my|in my|lies?|lying"
    r"|sits?|sitting|haven't|hasn't)\b",
    r"\b(?:haven't|hasn't|have not|has not|nobody has|no one has|not been|never got (?:round|around)|not yet|yet "
    r"to)\b",
    r"\bon my (?:\w+ )?(?:desk|plate|list|mind|conscience|to-?do)\b|\bhang\w* over (?:me|us)\b|\bmy (?:to-?do"
    r"|list)\b",
    r"\b(?:remind me|remember to|must remember|don't let me forget|not forget|don't forget)\b",
    r"\b(?:I|we|she|he|they)(?:'ve| have|'s| has)? (?:really |also |still |first |just )*(?:(?:need|needs|have|has"
    r"|got|ought|promised|mean|meant|keep meaning) to|must|should|need (?!no|not)) (?!say|admit|think|ask you"
    r"|be\b)\w+",
    r"\b(?:I|we)(?:'ll| will) (?!be\b|see\b|say\b|take that|tell you)\w+ .{0,60}\b(?:before|by|when|once|after|on"
    r"|next|tomorrow|later|this|as soon)\b",
    r"\b(?:wait(?:ing|s)? (?:for|on)|owes? (?:me|us)|I owe|we owe|"
    r"(?<!\ban )(?<!\bthe )(?<!\beach )(?<!\bevery )(?:outstanding|overdue)"
    r"|due (?:on|by|in|next|before)|"
    r"unsigned|unpaid|unsent|unopened|unanswered|unread|unfinished|unbooked|untouched|undone|unconfirmed|half-done|"
    r"half-finished|gathering dust|loose ends?)\b",
    r"\b(?:next step|next up|to-?do|action item)\b|\b(?:sits?|sitting|lies?|lying|parked|stuck) (?:on|in|at"
    r"|with) (?:my|our|the|his|her|\w+'s)\b",
    r"\bbefore (?:\w+ ){1,6}(?:I|we) (?:need|must|have|want)\b|\bthe day after\b.*\bI\b",
    r"还没|尚未|没来得及|还欠|还差|欠着|还得|待办|得(?:去|找|把|给|跟|先|赶|打|补|买|问|订|写)|要(?:去|找|把|跟|给"
    r"|赶|补|打电话|买|问|订|写|交|续|约)|记得(?:要|去|把|给|提醒)|别忘|提醒我|回头(?:我|要|再|得|去|把|找)|改天"
    r"|等.{0,14}(?:回复|回信|批|签|到货|回来|确认|通知|盖章)|躺在|压在|搁在|放着|拖着|悬着|挂着|晾着|没人(?:管|接"
    r"|动|认领|去)|一直没|下一步|接下来(?:我|要|得)|截止|之前(?:要|得)|打算|准备(?:去|找|把|给|下|明|后|周)"
    r"|一[页张个封份笔件条]都没|没(?:签|交|寄|发|付|订|买|装|弄|写|做|动|录|还|回|办|约|盖|填|拆|排)|未(?:签|交|付"
    r"|完成|处理)",
)
DONE = any_of(
    r"\b(?:done|sent|finished|signed|booked|paid|fixed|installed|ordered|delivered|called|shipped|submitted|ticked"
    r"|crossed off|sorted|handed (?:in|over|back)|filed|mailed|posted|collected|picked up|returned|renewed"
    r"|completed?|closed|confirmed|cleaned|replaced|bought|printed|asked|answered|written|wrote|spoke|spoken"
    r"|talked|measured|tested|repaired|scanned|exported|deleted|removed|behind (?:me|us)|out of the way"
    r"|gone (?:off|out|through)|went (?:off|out|through)|arrived|came through|all set|off my (?:list|desk|plate"
    r"|back))\b",
    r"(?:好|完|掉|到|妥|上|齐|清|上去|出去|下来|回来|过去|进去)了|搞定|办妥|寄出|发出|已经?(?!经有)|(?:交|签|付|发"
    r"|寄|买|订|装|写|做|改|补|录|还|回|约|填|删|取|送|换|问|谈|盖)(?:好|完|过|上|掉)?了|完成|收到|到手|划掉|弄好",
)
_DONE_NOT = any_of(
    r"\b(?:not|never|isn't|hasn't|haven't|to be|until|once|when|unless|if|needs?|must|should|will|before|still|yet|"
    r"half|want)\b|n't\b|还没|没有?(?=[^，。]{0,6}(?:好|完))|尚未|等|要是|如果|之前|再|还差|一半|快"
)
# It takes back or replaces what was said before.
CORRECTS = any_of(
    r"\b(?:correction|corrected|correcting|change of plans?|change (?:our|my) minds?|changed (?:our|my|his|her"
    r"|their) minds?|scrap (?:that|the)|scratch that|strike that|I was wrong|we were wrong|I misspoke|misread"
    r"|mistyped|miscounted|I mixed|turned? out|turns out|make (?:that|it) \w+|update:|updated|revised?|recount\w*"
    r"|supersed\w*|void|overruled|after all|(?:true|real|right|correct|actual|proper) (?:\w+ )?(?:number|figure"
    r"|count|date|total|name|price|amount|value|address|time|version|answer)|instead(?: of)?|rather than|no longer"
    r"|not any ?more|any ?more|from now on|moved (?:to|from|back|forward)|moves to|moving (?:it )?to"
    r"|pushed (?:back|to|forward)|brought forward|postponed|rescheduled|replac(?:ed?|es|ing)|swapp?(?:ed|ing)?"
    r"|switch(?:ed|ing)? (?:to|from|back)|is off|are off|called off|cancell?ed|dropped|dropping|not \w+ but"
    r"|used to be|wasn't right|isn't right|is out|(?:is|are|it's|we're|I'm|am) now|changes to|no more"
    r"|(?:the|our|my|this|that) (?:\w+ ){1,3}(?:changes|changed|has changed|have changed|is changing|will change)"
    r"|new (?:\w+ ){1,3}?(?:is|are|will be)|new [\w ]{2,30}:|the new \w+|went up|went down|raised|lowered|cut to"
    r"|down to|up to now)\b|\bnew [\w ]{2,30}:",
    r"改了|现在(?:是|为|改|用|变|定|成)|更正|纠正|改成|改为|改到|改用|改在|改走|改叫|改回|换成|换到|换用|换了|作废"
    r"|说错|记错|搞错|算错|数错|写错|弄错|看错|重新(?:数|算|统计|核|量|盘|清点|定)|其实是|实际(?:是|为|上|数)"
    r"|应该是|不是.{1,20}(?:而是|，是|，?应该)|推翻|推迟|提前|延到|延期|顺延|挪到|挪|移到|调整|调到|不再|取消"
    r"|以.{1,8}为准|新的?[^，。]{1,6}(?:是|为|：|:|定)|从现在起|从今天起|从今往后|变成|变更|变卦|计划有变|计划变"
    r"|有变|变了|不.{1,8}了(?![^，。])|涨到|降到|加到|减到|最新",
)
# What the words behind it, up to the next sign, no longer are; and what those before it are not.
_GONE_BEHIND = re.compile(
    r"(?:\b(?:instead of|rather than|no longer|replac(?:es|ed|ing)|drop|dropping|dropped|scrap|scrapping|scrapped"
    r"|ditch\w*|cancel\w*|forget|(?:switch\w*|mov\w+|chang\w+|went|goes|swapp?\w*) (?:\w+ ){0,3}from|not)\s"
    r"|n['’]t\s(?=\d))(?:(?:the|a|an|about|using|use|on|in|at|with) )*|不再用?|不用|放弃|取消|推翻|弃用|换掉|撤掉"
    r"|不是|别用|不要|不走|不去|不选|不找|(?:从|由)(?=[^，。；]{1,20}(?:改|换|挪|移|搬|调))",
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
_ANNOUNCES = re.compile(
    r"\b(?:correction|change of plans?|scrap that|scratch that|I was wrong|I misspoke|update)\b|更正|纠正|说错"
    r"|记错|搞错|算错",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:[^,;，；。]|,(?=\d))+[,;，；。]?")
# It says itself that it is to be kept.
FOR_THE_RECORD = any_of(
    r"\b(?:for the (?:file|record|notes|minutes|books)|worth (?:writing down|noting|remembering|keeping)"
    r"|write (?:this|it|that) down|make a note|take note|note that|keep in mind|remember that|one rule|house rule"
    r"|rule before|in writing|since nobody wrote)\b",
    r"记一下|记一笔|记住|记下|备个案|存个档|备忘|留个底|说个(?:事实|规矩)|规矩|补充一(?:点|个)|交代一(?:下|句)",
)
REACTION = any_of(
    r"^(?:(?:oh|ah|ha|haha|hah|ok|okay|well|yes|yeah|yep|no|right|sure|fine|good|great|nice|neat|lovely|perfect"
    r"|brilliant|excellent|fair|clever|sharp|smart|cool|thanks|thank|cheers|noted|understood|agreed|exactly|true"
    r"|indeed|point|makes?|sounds?|looks?|love|like|that's|that is|that was|that helps?|that makes|that settles"
    r"|you're|you were|what a|how|so|morning|hello|hi|hey|good morning|evening|still|got it|will do|taken"
    r"|all (?:\w+ )?taken|phew|ouch|ugh|wow|sold|deal|back|here (?:it|we|you|is|are|'s)|here's|see you|talk|bye"
    r"|goodnight|good night)\b)",
    r"^(?:好|行|对|嗯|哦|噢|哈|谢|明白|懂了?|收到|有道理|有意思|不错|厉害|可以|辛苦|没错|确实|原来|太|早|晚上|你好"
    r"|在吗|赞|妙|这(?:个|招|办法|样|就)|那就|听你的|学到|长见识|受教|回来了|继续|先这样|下班|晚安|拜拜|再见|笑死"
    r"|绝了)",
)
# ... behind which stands what was chosen.
ANSWER = re.compile(
    rf"(?:(?:{REACTION.pattern})(?: \w+)?[^\w,，:：]{{0,3}}[,，:：]\s*|(?:so|then)\s|那就?"
    r"|(?:好|行|对)[^，。]{0,3}，)"
    r"(?!(?:I|you|he|she|it|that|they|we|this|there|what|thanks?|no|yes|very|so)\b|[你您他她它这我谢])(?=\w)",
    re.IGNORECASE,
)
# How somebody likes it.
PRAISE = any_of(
    r"^(?:(?:a |what a |very |really )*(?:good|nice|great|neat|lovely|sharp|clever|smart|fair|brilliant|excellent"
    r"|perfect|cool|fine|solid) (?:call|point|ideas?|catch|thinking|one|lines?|tone|eyes?|questions?|find|thought"
    r"|job|work|stuff|touch|tip|advice|answer|news)|(?:I|we) (?:really |do |quite )?(?:like|love|enjoy) (?:that|it|this"
    r"|how|your))\b|\b(?:is|was)(?: \w+)? (?:a nice touch|appreciated)\b|\bappreciated\b",
    r"^(?:真是)?(?:好|妙|不错|高|厉害|漂亮)(?:主意|点子|建议|办法|问题|招|眼力|思路)"
    r"|^[^，。]{0,6}这(?:个|招|主意|办法|点|句|段)[^，。]{0,6}(?:好|妙|狠|赞|真实|不错|漂亮)",
)
# A question, or that something comes, without saying it.
ANNOUNCED = any_of(
    r"^(?:(?:a |another |one |quick |next |last |my |the )*questions?|query)\s*[:,]|^(?:问题|请问|问一下)[:：，]",
    r"^(?:(?:please|and|now|also),? )*remind me (?:again )?(?:what|where|who|whose|which|why|how|whether)\b",
    r"^(?:请|麻烦|你|再|帮我)*提醒(?:一下)?我(?:一下)?[^，。]*(?:什么|怎么|哪[个里些儿天]|谁|多少|几[点号个])",
    r"^(?:(?:a |one |another |small )*(?:correction|change of plans?|update)\b(?!\s*:))[^,:;]*$",
    r"^(?:更正|纠正|计划有变|有变化?|说错)[^，：:；]{0,8}$",
)
# Tells of how the day went.
NARRATES = any_of(
    r"^(?:\w+ed|held|ran|got|went|copying|running|trying|working|spent|sent) |\b(?:I|we)(?:'ve| have)? (?:just "
    r"|also |only |finally |then |nearly |almost )*(?:\w+ed|spent|slept|ate|got|had|saw|went|came|felt|thought"
    r"|read|ran|sat|stood|took|fell|heard|found|lost|woke|drank|made|forgot|knew|was|were)\b",
    r"(?:今天|昨天|刚才|刚刚|昨晚|早上|中午|上午|下午)[^，。]{0,14}(?:了|着)|哈哈|笑|累|困|下雨|天气|食堂|堵车"
    r"|咖啡|猫|狗",
)
TODAY = any_of(r"\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|just now)\b")


# One topic, and what is said of it.
TOPIC = any_of(
    r"^(?:(?:on|about|for|as for|regarding|as to|with) (?:the |our |my )?[^:,]{2,40}[:,]|(?:the |our "
    r"|my )[A-Za-z][\w'-]*(?: [\w'-]+){0,2}[:,]|[A-Za-z][\w'-]*(?: [\w'-]+){0,2}:) (?=\S)(?!.{0,12}$)",
    r"^[^，。：:]{2,8}(?:这块|方面|那边|这边|这件事|这事|这一块|上)[，：:]|^[^，。：:]{2,8}[：:]",
)
# ... so named that it is meant to be kept.
NAMED_TOPIC = any_of(
    r"^(?:on|about|as for|regarding|as to) (?:the |our |my )?[^:,.]{2,30}: (?!.{0,12}$)",
    r"^(?:关于)?[^，。：:]{2,8}(?:这块|方面|这件事|这事|这一块|的事)[，：]",
)
# How things always are, or have to be.
RULED = any_of(
    r"\b(?:must|may not|cannot|can't|only|always|never|has to|have to|not allowed|at most|at least|no more than"
    r"|limits?|maximum|minimum|every|each|per|strictly)\b",
    r"必须|不能|不许|不得|只(?!是|好|要)|一律|坚决|绝对|完全|最多|最少|至少|上限|限|不超过|每",
)
# A reason, an aside, how somebody feels about it.
BESIDE_THE_POINT = any_of(
    r"^(?:because|since|as|so|otherwise|which|who|and|but|though|although|or so|I (?:think|guess|hope|know)"
    r"|by the way|bless|obviously|honestly|really|of course|don't|ha|mind|mind you|thank\w*|sadly|luckily"
    r"|apparently|incidentally|everything included|whatever)\b",
    r"^(?:因为|所以|不过|但|反正|不然|否则|这样|免得|省得|上次|主要|而且|毕竟|估计|听说|据说|结果|说是|以免|要不"
    r"|怪不得|好在|幸亏|难怪|真|太|挺|也|都|就|超|少|老是|基本|哈|唉|可惜|没想到|居然|果然|那会儿|到时候)",
)
# Asked for once, of the assistant.
ASKED_FOR = any_of(
    r"^(?:now|next|then|and|ok|okay|so|please|again|finally|also|first)?,? ?(?:please )?(?:set|lay|include|assume"
    r"|just|make|put|turn|take|pretend|estimate|sum|walk|read|have a look|look|spell|break|name|pick|rank|rewrite"
    r"|redo|add|remove|change|try|use|tell|give|write|draft|sketch|explain|show|list|check|help|say|do|convert"
    r"|translate|calculate|work out|figure out|suggest|propose|describe|compare|prepare|send|fill|run|go (?:on"
    r"|ahead|through)|let me (?:have|see)|I(?:'d| would) (?:like|love|want) (?:a|an|the|some|you to)|I (?:want"
    r"|need) (?:a|an|the|some|you to)|time for)\b",
    r"^(?:now|next),? (?:the|a|an|for|to) ",
    r"^(?:here(?:'s| is| are| comes?)|this is|below|attached|see)\b",
    r"\b(?:have|take) a (?:quick |close )?look (?:at|into|over|please)\b",
    r"[你您](?:先|再)?(?:看看|看一[看下眼]|瞧瞧|审一下|查一下)",
    r"^(?:那|请|麻烦|帮|给我|替我|再|先|来|接着|顺手|顺带|最后|然后|现在)*(?:排|告诉|检查|假设|推荐|介绍)(?![了过完]|我们?)"
    r"|^给[^，。]{1,6}(?:写|发|打|做|画|列|回)(?![了过])"
    r"|[写改说讲弄译](?:得|成)?[^，。了]{1,4}(?:一?点儿?|一?些)(?:$|[，。！])",
    r"^(?:那|请|麻烦|帮|给我|替我|再|先|来|接着|顺手|顺带|最后|然后|现在)*(?:写|列|算|画|拟|出|做|整理|起草|解释"
    r"|讲讲?|说说|看看|查|改|翻|总结|比较|给我|帮我|替我|来[一个段份条张]|发我)|(?:帮我|给我|替我|你(?:来|给"
    r"|帮))[^，。]{0,6}(?:写|列|算|画|拟|出|做|整理|起草|解释|讲|看|查|改|翻|排|想|理)|^(?:这是|下面是|以下是|附上"
    r"|贴|如下)",
)
STANDING = any_of(
    r"\b(?:always|never|any|every|each|whenever|from now on|at all times|all)\b",
    r"都|一律|每次|凡是|以后|别|不要|永远|所有|但凡|只要",
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


def correcting(words: str) -> str:
    """All from where it announces a correction; else the clauses that take something back, each with the one before
    it, and with the one behind it if they tell no value. All, if none does."""
    announced = _ANNOUNCES.search(words)
    if announced:
        return words[announced.start() :]
    parts = [match[0] for match in _PART.finditer(words)]
    cues = [at for at, part in enumerate(parts) if CORRECTS.search(part)]
    if not cues:
        return words
    wanted = {at for cue in cues for at in (cue - 1, cue) if at >= 0}
    if not any(details(parts[at]).has("number", "date", "time", "code", "name") for at in cues):
        wanted |= {at + 1 for at in cues if at + 1 < len(parts)}
    return "".join(parts[at] for at in sorted(wanted))


def says_what_holds(clause: str) -> bool:
    """It decides, leaves open, takes back or rules something, or wishes for it."""
    return any(pattern.search(clause) for pattern in (DECIDED, OPEN, CORRECTS, RULED, WISH))
