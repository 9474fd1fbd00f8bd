"""How the assistant is to talk, put as an order or a permission: "talk to me like a friend", "swear all you like",
"if you don't know, say so", 跟我说话随便点, 不清楚的先问我, 温度都用摄氏度.

What makes it a standing wish and no order for one answer: it says "with me", or it is of answers of any kind and of no
"this", "it" or "the". An order that somebody else gives the speaker is none to the assistant (`OF_OTHERS`).
"""

from __future__ import annotations

from localagent.courtesy import PLEASE

from ._rule import Rule, any_of

# What somebody else wants of the speaker, or of another: 老板叫我……, "my boss wants me to".
OF_OTHERS = any_of(
    r"^(?!你|您|请|麻烦|拜托|希望|以后|今后|往后|从|别|不|就|还是|算了|那|可以|直接|每次|都|在|"
    r"用)[^，。我你您]{1,8}?(?:叫|让|喊|要求|嘱咐|劝|逼|催|提醒|建议|教|求|希望|规定)(?:我|咱|我们|她|他|大家|"
    r"员工|我们都)",
    r"^我(?!(?:都|也|就|只|还|更|真|很|是|最|想|能|以后|一直)*(?:希望|想|要|需要|喜欢|求|请|拜托|让|"
    r"叫)?你)[^，。你您]{0,6}?(?:叫|让|喊|要求|嘱咐|劝|逼|催|提醒|建议|求|希望)(?:我|他|她)",
    r"\b(?:told|tells|asked|asks|wants?|wanted|expects?|advised|begged|ordered|warned) (?:me|us|him|her|"
    r"them) (?:not )?to\b",
    r", (?:the|my|his|her|our) \w+ (?:said|says|told (?:me|us)|keeps? saying)\b|, (?:he|she|they) (?:said|says|"
    r"told)\b",
)
# What answers are made of, in the plural: "the list" is one answer's.
_PARTS = (
    r"(?:(?:numbered |long |short |big |huge |dense |plain |simple |simpler |shorter |easy |easier |fancy |"
    r"technical |complicated |corporate |swear |curse |rude |filler |medical |legal |stupid |silly |cheesy |"
    r"rhetorical ){0,2}(?:lists|paragraphs|sentences|lines|words|(?:blocks|walls) of text|jargon|slang|idioms|"
    r"jokes|puns|metaphors|analogies|examples|quotes|swearing|profanity|sarcasm|irony|hedging|lectures?|lecturing|"
    r"small ?talk|flattery|buzzwords|abbreviations|acronyms|emojis?|smileys|exclamation (?:marks|points)|"
    r"bullet(?: ?points|s)|tables|headings|disclaimers|apologies|pleasantries|warnings|compliments|"
    r"follow-up questions|names))"
)
_HOW = (
    r"(?:short|brief|simple|casual|formal|informal|light|friendly|professional|polite|honest|real|blunt|direct|"
    r"gentle|kind|patient|strict|harsh|serious|funny|sarcastic|concise|humble|critical|tough|frank|straight|soft|rude)"
)
_NO = (
    rf"{PLEASE}(?:(?:do not|don['’]?t|never|stop|quit|avoid|refrain from|try not to|no need to|there(?:['’]s| is) no "
    r"need to|(?:you )?(?:don['’]?t|do not|needn['’]?t) (?:have|need) to) (?:(?:ever|always|constantly) )?)"
)
_TALK = r"(?:talk|speak|write|chat|explain things|answer|reply|respond|text)"
# To the speaker, by a verb of talk that is of no one thing.
_TO_ME = (
    r"(?:swear|curs|cuss|ly|lie|lectur|patroni[sz]|talk down|preach|shout|yell|sugar-?coat|babysit|baby|coddl|nag|"
    r"flatter|judg|condescend)(?:e|ing)?(?: (?:at|to|with|for))? (?:me|things|everything)\b"
)
_ANY_TIME = (
    r"(?:(?:apologi[sz]|hedg|rambl|moraliz|moralis|swear|wrapp?|sound|over-?explain|beat(?: around)?|beating|brag|"
    r"gush)(?:e|ing)?\b(?! (?:(?:at|to|about|on|for|with) )?(?:the|this|that|it|my|your|him|her|them)\b)|mak(?:e|"
    r"ing) (?:things|stuff|facts|sources) up|treat(?:ing)? me (?:like|as)\b|bring(?:ing)? up (?!this|that|it\b|"
    r"the rear))"
)

# Of one answer, or of one text.
_ONE_ANSWER = any_of(
    OF_OTHERS.pattern,
    r"\b(?:this|the|that|my) (?:\w+ )?(?:one|letter|e-?mail|essay|text|report|speech|story|poem|article|post|"
    r"message|chapter|card|invitation|cv|resume|song|script)s?\b",
    r"\b(?:tomorrow|tonight|today|this (?:time|week|morning|evening|afternoon|once|one)|just once|right now)\b",
    r"\?$",
)
MANNERS = Rule("preference", any_of(
    rf"^{PLEASE}(?:keep|make|use|write|have|give me) {_PARTS}? ?(?:\w+ ){{0,3}}?(?:with|for|"
    rf"to) me(?:,? please)?[.!]*$",
    rf"^{PLEASE}(?:keep|make) (?:all |your |any |the )?{_PARTS} (?:very |nice and |as )?{_HOW}",
    rf"^{PLEASE}(?:keep (?:it|things)|be|stay) (?:\w+ ){{0,3}}?{_HOW}(?:er)? (?:with|to|towards?) me\b",
    rf"^{PLEASE}(?:{_TALK}|sound) (?:more |less )?(?:like|as if|as though) (?!this\b|that\b|the (?:above|last)\b)",
    rf"^{_NO}(?:{_TO_ME}|{_ANY_TIME}|(?:explain\w*|repeat\w*) (?:the |every)?(?:basics|obvious|everything|"
    rf"my question)|be(?:ing)? (?:so|too|that|overly|all) |(?:tell|remind)\w* me (?:to|how|"
    rf"that) .{{1,60}}(?:every|all the) time|us(?:e|ing) (?:so (?:many|much) |any |too many )?{_PARTS}|"
    rf"(?:more than|over) \w+ {_PARTS}|sound\w* like )",
    r"^(?:stop|quit) telling me (?:to|how|what)\b",
    rf"^{PLEASE}(?:never (?:ever )?|stop )(?:guess|assum|speculat)(?:e|ing)?\b|^{PLEASE}don['’]?t (?:guess|"
    rf"assume),? (?:anything|if|when|ask|say|tell me)\b",
    rf"^{PLEASE}treat me (?:like|as)\b|^{PLEASE}use (?:she/her|he/him|they/them)\b",
    rf"^{PLEASE}(?:push back|object|speak up|tell me(?: straight)?|say so|correct me|stop me|call me out) (?:when|if|"
    r"whenever) (?:you (?:think|feel|see|notice) )?(?:I['’]m|I am|I['’]ve|my \w+ is) (?:wrong|mistaken|being|"
    r"making|talking)",
    rf"^{PLEASE}[\w-]+ [^,.;]{{3,40}} before you (?:answer|reply|respond|write back)\b",
    rf"^{PLEASE}(?:pls )?(?:no more than|not more than|at most|max|maximum|only|up to) [^,.;]{{1,40}} (?:per|an|"
    rf"every|each) "
    r"(?:answer|reply|message|response)\b",
    r"^I(?:['’]d like| want| need| prefer) (?:all |my )?(?:numbers|dates|times|prices|amounts|temperatures|"
    r"distances|weights|measurements) (?:in|as)\b",
    r"^(?:when|whenever) I(?:['’]m| am| feel| get| vent| cry| complain| rant)\b[^,.;]{0,30}?(?:, (?:please |"
    r"just )*listen\b|,? (?:please |just )*(?:do not|don['’]?t|never) (?:give|tell|lecture|try|offer|argue|joke|"
    r"preach|ask))\b",
    rf"^{PLEASE}(?:avoid|no more|less|fewer|no|(?:use|make|tell|add) (?:me )?(?:fewer|less|more|no|simpler|"
    rf"shorter|only|plain)|enough with|drop|skip|cut(?: out)?)(?: the| your| all| these| any)* {_PARTS}(?=$|"
    rf"[.,!;]| with me\b| "
    r"(?:please|when|in (?:your|any|every|all)|at all|any ?more)\b)",
    rf"^{PLEASE}(?:you can |you may |feel free to |it['’]s (?:ok|okay|fine) to |don['’]?t be afraid to |"
    rf"you['’]re allowed to )"
    r"(?:swear|curse|cuss|joke|disagree(?! with (?!me))|push back|contradict|be (?:blunt|rude|honest|direct|funny|"
    r"sarcastic)|roast me|"
    rf"correct me|use {_PARTS})\b(?! (?:in|for|from|of) (?!any|all|every))(?! (?:in|for) (?:the|this|my)\b)",
    rf"^{PLEASE}(?:swear|curse|cuss|joke|tease me|disagree) (?:all|as much as|as often as|whenever) you (?:like|"
    rf"want)\b",
    rf"^{PLEASE}(?:ask|check with) me (?:first )?(?:before (?:you|\w+ing)|instead of|rather than|if you(?:['’]re|"
    rf" are) (?:not sure|unsure)|"
    r"when (?:in doubt|something))\b(?! (?:i|we|he|she|they)\b)",
    rf"^{PLEASE}(?:only |just |ask )?(?:me )?one (?:question|thing|topic|idea|step(?= at a time,? (?:please|"
    rf"when))) at a time\b",
    rf"^{PLEASE}go back to (?:calling|addressing) me (?!at\b|on\b|in\b|every\b|later\b)\w",
    rf"^{PLEASE}(?:use|give me|write) (?:kilomet\w+|met(?:er|re)s|miles|grams|kilos|pounds|ounces|euros|dollars|"
    rf"celsius|"
    r"fahrenheit|metric|dd/mm\S*|mm/dd\S*|(?:12|24)[- ]hour)\b.{0,40}\b(?:with me|to me|when you|not|instead of|"
    r"rather than)\b",
), 0.8, _ONE_ANSWER, standing=True)  # fmt: skip
# What is to come first in an answer, of no certain one.
_FIRST = (
    r"(?:the |a |your )?(?:short |main |final |actual |direct )?(?:conclusion|answer|result|bottom line|gist|"
    r"point|verdict|takeaway|upshot|tl;?dr)"
)
# Orders that look like a task, or like a question, and are none.
MANNERS_ASKED = Rule("preference", any_of(
    rf"^{PLEASE}(?:give|tell|show) me {_FIRST} first\b",
    rf"^{PLEASE}(?:always )?(?:start|begin|lead|open) with {_FIRST}\b",
    rf"^{PLEASE}(?:put|say|state) {_FIRST} (?:first|up ?front|at the (?:top|start|beginning))\b",
    rf"^{PLEASE}{_TALK} (?:(?:to|with|for) me|things) (?:\w+ )?(?:(?:in(?! (?:the|\d+|an? (?:minute|moment|hour|"
    rf"bit|while|week|day))\b)|like|as|the way|using|without|step by step)\b|{_HOW}(?:ly|er)?\b)",
    rf"^{PLEASE}(?:write|give|quote|spell|format) (?:me )?(?:all )?(?:numbers|dates|times|prices|amounts|units|"
    r"temperatures|distances|weights|measurements) (?:as|in)\b(?!.* (?:in|for|of|on) (?:the|this|my|our)\b)",
    rf"^(?:can|could|would|will) you (?:please |just )*(?:stop|quit|avoid|not) (?:{_TO_ME}|{_ANY_TIME})",
), 0.8, _ONE_ANSWER, standing=True, marked=True, asked=True)  # fmt: skip
# What is to be done in doubt: an order, though it begins with "if".
IN_DOUBT = Rule("preference", any_of(
    rf"^{PLEASE}(?:(?:if|when|whenever|where) (?:you(?:['’]re| are| do)? ?(?:not|n['’]t|don['’]t|aren['’]t|"
    rf"can['’]t)? ?"
    r"(?:ever )?(?:know|sure|certain|understand|unsure|in doubt|lost)\b[^,]{0,30}|(?:something|anything|it|"
    r"my question)(?:['’]s| is| seems) (?:unclear|not clear|ambiguous|vague)|in doubt),? (?:please |just |always |"
    r"then )*(?:ask(?: me)?(?! [^mif])|say (?:so|that|it|you)|tell me|admit|check with me|don['’]t (?:guess|make)))\b",
    r"^(?:你|请|要是|如果|遇到|万一|凡是)*(?:不|没)(?:太|大|是很)?(?:清楚|确定|知道|明白|懂|会|理解|看懂|"
    r"把握)(?:的|了|的话|的地方|的时候)*[，,]?(?:你|就|先|请|直接|尽管|都|要)*(?:问我|先问|直?说(?:不知道|不会|"
    r"不清楚|不懂)|直说|告诉我|跟我说|说一声|别[猜编说瞎乱])",
    r"^(?:你|请|要是|如果)*拿不准(?:的|时候|时|的话|就)*[，,]?(?:你|就|先|请|直接)*(?:直?说|问我?|告诉|别)",
), 0.8, standing=True)  # fmt: skip

# 回答, 回我消息, 跟我说话: that the assistant talks, of no one thing.
_REPLY_ZH = (
    r"(?:[回答]我?(?:消息|信息|微信|话|复|问题|我)|[跟给和对同]我(?:说话|讲话|说|讲|聊天?|解释|回复?|发(?:消息|"
    r"信息)?|写)|(?:说话|讲话|聊天|说事|讲(?:东西|事|嘢|题))|回答(?:我?的?问题)?|回复|回我|回话|答复)"
)
_WHEN_ZH = r"(?:的时候|时候?|时|的话)?"
_DIALECT_ZH = r"(?:[\u4e00-\u9fff]{1,3}(?<![的说电笑神废好实真坏听对通会讲白谎鬼情多少])话|方言|白话|普通话|人话)"
_TONE_ZH = (
    rf"(?:{_DIALECT_ZH}|(?:[^，。这那]|[这那]种){{1,8}}(?:口气|语气|口吻|腔调|调调|风格|态度|方式)|中文|英文|"
    rf"英语|汉语|繁体字?|"
    r"简体字?|粤语|国语|日语|法语|德语|俄语|韩语)"
)
_MANNER_ZH = (
    r"(?:简短|简洁|简单|直接|直白|详细|精简|礼貌|正式|口语|通俗|严谨|具体|委婉|幽默|温柔|客气|专业|随便|随意|慢|"
    r"快|短|轻松|活泼|温和|耐心|严厉|严格|狠|凶|毒舌|接地气|热情|冷静|干脆|利索|正经|亲切|大声|细|清楚|坦白|坦率|"
    r"诚实|长|啰嗦|长气|机械|死板|生硬|肉麻)"
)
_BIT_ZH = r"(?:一?点|一?些)"
_NOT_ZH = (
    r"(?:不要|别|不许|不准|请勿|不用|不必|用不着|少)(?:再|老是?|总是?|动不动就?|一直|每次|随便|每句话?|都|给我|"
    r"跟我|对我|和我|这么|那么|太|瞎|乱|净|光|只|来|在)*"
)
# ... of a reply: 说话不用喊了 is no wish.
_REPLY_NOT_ZH = (
    r"(?:不要|别|请勿|少(?=[用说讲加带])|"
    r"(?:不用|不必)(?=再|每次|那么|这么|太|总|老|都|[加带]|解释|铺垫|客))"
)
_LEAD_ZH = r"(?:你|请|麻烦|拜托|以后|千万|在|平时|回答|回复|每句话?|每段|开头|结尾|最后|末尾|里面?|中|的)*"
_AGAIN_ZH = r"(?:不要|别|不许|不用|不必)(?:给我|跟我|对我|在)*(?:再(?!见)|老是?|总是?|动不动就?|每次|每句话?)"
# Ways of talking that nobody wants of one answer alone.
_BAD_ZH = (
    r"(?:绕(?:弯|圈|来|$)|绕(?=[。！!]?$)|说教|打官腔|官腔|客套|套话|拽|掉书袋|[爆骂说讲]?(?:脏话|粗口)|爆粗|骂人|"
    r"大道理|鸡汤|中英|夹(?:杂|英|中|着)|敷衍|啰[嗦里]|唠叨|整(?:太|那么|这么|得)|铺垫|阴阳怪气|拍马|撒娇|卖萌|"
    r"油嘴|剧透|打比方|兜圈|车轱辘|糊弄|忽悠|哄我|惯着我|训我|教育我|教训我|奉承|恭维|道歉|抱歉|劝我[去看做]|"
    r"让我去看|叫我去看|列[一1]|说您|叫您|称您)"
)
_MEASURES_ZH = (
    r"(?:摄氏度?|华氏度?|公里|英里|米|英尺|公斤|千克|克|斤|磅|毫升|升|杯|人民币|美元|欧元|日元|24小时制?|"
    r"12小时制?|二十四小时制?|十二小时制?|公制|英制|阳历|公历|农历|阴历|阿拉伯数字|全角|半角)"
)
_MEASURED_ZH = (
    r"(?:温度|气温|体温|长度|距离|路程|重量|体重|时间|日期|金额|货币|价格|价钱|钱数?|单位|分量|用量|份量|容量|"
    r"面积|身高|速度|数字|标点|菜谱)(?:单位|格式|里的?[用份分]?量?)?"
)
_ONE_ANSWER_ZH = any_of(
    OF_OTHERS.pattern,
    r"这[道题段篇封份句张首个次]|那[道题段篇封份句张首个次]|本题|下面这|上面这|是什么|什么意思|今晚|明天|今天|"
    r"等下|待会|等会",
    r"[？?吗么]$|^你(?:以后)?(?:每次)?(?:回答|回复)我?(?:得|都)(?:很|挺|太|好|真)",
    r"(?:写|说|讲|来|回答|翻译)我?一[个段首篇封份下遍句]|祝福|文案|作文|[首封篇]信",
)
MANNERS_ZH = Rule("preference", any_of(
    rf"^{_LEAD_ZH}{_NOT_ZH}(?:[^，。你他她它了]{{0,6}}?{_BAD_ZH}|(?:自己)?[编猜](?:我|故事|$|"
    rf"[，。！!]))(?![^，。]{{0,2}}了)",
    r"^(?:你)?(?:觉得|看|发现|要是)?我(?:说|做|写|想)?(?:得)?(?:错|不对|有错|有问题)了?，?(?:你)?(?:就|要|请|直接|"
    r"尽管|得)*(?:直说|指出|告诉我|纠正|说出来|提醒我|跟我说)",
    rf"^(?!这|那){_MEASURED_ZH}(?:都|一律|就)*(?:(?:写成|写作|标成)(?![^，。]{{0,6}}了)|(?:都|"
    rf"一律)按[^，。]{{1,8}}(?:给我|算|写|报))",
    # 以后回我消息……: any order of how to reply from now on.
    rf"^(?:你|请|那|就|麻烦|希望|拜托)*(?:以后|今后|往后|从今以后|平时|每次|从现在起){{1,2}}(?:你|请|"
    rf"在)*{_REPLY_ZH}{_WHEN_ZH}(?=..)(?!了|的)",
    rf"^(?:你|请|那|就|麻烦|希望你?|拜托|最好|还是|我要你|我想让你|我想你|想让你|要你|"
    rf"算了)*{_REPLY_ZH}{_WHEN_ZH}[，,]?(?:你|请|就|都|要|得|最好|尽量|还是|能不能|可以|一?定要|必须){{0,3}}(?:先|"
    rf"{_REPLY_NOT_ZH}|用{_TONE_ZH}|多[举用讲说给加]|像|直接|稍微|得?{_MANNER_ZH}{_BIT_ZH}|[短少]{_BIT_ZH})",
    rf"^(?:你|请|那|就|麻烦|希望你?|拜托|最好|还是|都|一直|尽量|给我|跟我|咱们?)*用{_TONE_ZH}(?:来|都|跟我|和我|"
    rf"同我|对我|给我)*"
    r"(?:说话|讲话|聊天?|回答|回复|回我|说|讲|跟我[说讲聊]|倾偈|交流|沟通)(?:就行|就好|吧|就可以)?[。.!！]*$",
    rf"^(?:你)?(?:跟我|和我|对我)(?:就|都)?(?:说|讲){_DIALECT_ZH}(?:就行|就好|吧|就可以)?[。.!！]*$",
    rf"^(?:我)?(?:希望|想让|想要|要|请)?你(?:跟我|对我|和我|给我|以后|能|都|可以|说话|讲话|讲|说|"
    rf"回答){{1,3}}(?:得|再|更|尽量|稍微)*{_MANNER_ZH}{_BIT_ZH}",
    r"^(?:你|请|就|以后|要|最好|希望你?)*像[^，。这那]{1,8}?(?:一样|那样|似的|那么|样)地?(?:跟我|和我|给我|"
    r"对我(?!的)|陪我|回我)(?!生气|发火)",
    r"^(?:你|请)?(?:可以|尽管|随便|放心|大胆|能)(?:跟我|对我|多|也|随便|时不时)*(?:[说爆骂讲](?:脏话|粗口)|骂人|"
    r"开玩笑(?![地的])|怼我|吐槽|毒舌|直说|批评我|反驳我|纠正我)",
    r"^(?:多|少)(?:点|些|跟我|来点|来些|给我)*(?:开(?:点|些)?玩笑|举(?:点|些|几个)?例|打比方|夸我|鼓励我)",
    r"^(?:你)?有(?:话|什么|啥|问题)(?:你)?(?:就|尽管|请)?直[说讲]|^(?:我)?(?:只|就)?(?:要|想)听(?:你说)?(?:真话|"
    r"实话|大实话)(?=$|[，。！](?!可|但))",
    r"^(?:你|请|每?次|一){0,3}一?次只?(?:能)?(?:问|说|讲|给|教|列|发)(?:我)?一(?:个|件|步|条|道)(?!.{0,4}了)",
    rf"^(?!这|那){_MEASURED_ZH}(?:都|就|一律|统一|请|你|要|给我|以后|全部?)*(?:用|按|以|换成|写成){_MEASURES_ZH}",
    r"^我(?:问|要|发|贴|说)(?:你)?[^，。我]{1,8}(?:，|你)?(?:就|都)(?:只|直接|用|别)*(?:给|回|答|"
    r"发)(?:我)?(?=.)(?!钱)",
    r"^[^，。这那他她]{0,6}?(?:就|都)?(?:不用|别|不必|用不着)(?:再)?[跟给对]我(?:解释|科普|铺垫|普及|客套|重复|讲解)",
    r"^(?:你|请|就|还是|以后|都|那)*(?:说|讲)(?:随便|随意|慢|通俗|直白|接地气|口语化?|温柔|客气)(?:一?点|些)",
    # 算了不喊你用四川话了: what was wished is taken back.
    rf"^(?:算了|那|我|以后|现在|就|，)*(?:不|别)(?:再)?(?:喊|叫|让|要求?|要)?你?(?:再)?(?:用|说|"
    rf"讲){_TONE_ZH}(?:跟我|和我|回我|回答|说话?|讲话?)*了",
    rf"^(?:还是)?{_DIALECT_ZH}(?:回我|跟我说|说|讲)?(?:就行|就好|就可以)了?[。.!！]*$",
    # 十点前别给我打电话, 周末别找我
    r"^(?:请|麻烦)?(?!这|本|下|明|后天|今|现在)[^，。我你]{1,8}?(?:前|后|以前|以后|之前|之后|周末|节假日|晚上|"
    r"早上|中午|[一二三四五六日天])(?:都|就|请|你|千万)*(?:不要|别|请勿|不许|不能)(?:再)?(?:给我(?:打(?:电话)?|"
    r"发消息|发信息|来电)|打(?:我)?电话|打扰我|吵我|找我|提醒我|叫我)",
), 0.8, _ONE_ANSWER_ZH, standing=True)  # fmt: skip
# Orders of how not to talk, though they have a verb of a task or a word of questions.
MANNERS_ASKED_ZH = Rule("preference", any_of(
    r"^(?:你|请|都|要|就|每次|以后|最好){0,4}(?:先|直接)(?:说|给|讲|上|写|列|报|来|告诉)(?:我|出|个)?(?:结论|答案|"
    r"重点|结果|要点|核心|干货)",
    # 老, 总, 每次: what it does again and again.
    rf"^{_LEAD_ZH}{_AGAIN_ZH}(?:[^，。他她它]{{0,6}}?{_BAD_ZH}|(?:跟我|给我|对我|都|开头|"
    rf"结尾){{0,3}}(?:[问说提讲催列夸笑劝]|用(?=\w)|重复|[让叫]我(?=[去看找多])))",
    r"^(?:别|不要|不用)(?:再)?给我(?:推荐|列|贴|(?:发|加|推)(?=链接|表情|图|视频|长|一|英文|文字))",
    r"^(?:回答|回复|每句话?|每段|每次|每条)+的?(?:开头|结尾|最后|末尾)(?:都|也|就|请)*(?:别|不要|不用)|^(?:开头|"
    r"结尾|最后|末尾)(?:都|也|就|请)*(?:别|不要|不用)(?:再|老|总|每次|都)",
    r"^(?:在)?(?:列|推荐|翻译|解释|举|写(?:代码|邮件|文章|东西)|算(?!账)|讲(?![课话])|"
    r"给我[写列讲])[^，。这那]{0,6}(?:的时候|时)，?[^，。这那]{0,4}?(?:最多|别|不要|用(?!的|了)|只|尽量|按|"
    r"[多少](?=[举写用加说给])|附上?|标)",
    rf"^你?{_REPLY_ZH}(?:能不能|可不可以|能否|可以)(?:再|稍微|都|尽量)*(?:{_MANNER_ZH}{_BIT_ZH}|[短少长]{_BIT_ZH}|别)",
    rf"^(?:以后)?给我发(?:消息|信息|微信)(?:的时候|时)?(?:请|都)*{_NOT_ZH}",
), 0.8, _ONE_ANSWER_ZH, standing=True, marked=True, asked=True)  # fmt: skip
