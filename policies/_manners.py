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
    r"^(?!你|您|请|麻烦|拜托|希望|以后|今后|往后|从|别|不|就|还是|算了|那|可以|直接|每次|都|在|用)[^，。我你您]{1,8}?"
    r"(?:叫|让|喊|要求|嘱咐|劝|逼|催|提醒|建议|教|求|希望|规定)(?:我|咱|我们|她|他|大家|员工|我们都)",
    r"^我(?!(?:都|也|就|只|还|更|真|很|是|最|想|能|以后|一直)*(?:希望|想|要|需要|喜欢|求|请|拜托|让|"
    r"叫)?你)[^，。你您]{0,6}?(?:叫|让|喊|要求|嘱咐|劝|逼|催|提醒|建议|求|希望)(?:我|他|她)",
    r"\b(?:told|tells|asked|asks|wants?|wanted|expects?|advised|begged|ordered|warned) (?:me|us|him|her|"
    r"them) (?:not )?to\b",
    r", (?:the|my|his|her|our) \w+ (?:said|says|told (?:me|us)|keeps? saying)\b|, (?:he|she|they) (?:said|says|told)\b",
)
# What answers are made of, in the plural: "the list" is one answer's.
_PARTS = (
    r"(?:(?:numbered |long |short |big |huge |dense |plain |simple |simpler |shorter |easy |easier |fancy |technical |"
    r"complicated |corporate |swear |curse |rude |filler |medical |legal |stupid |silly |cheesy |rhetorical ){0,2}"
    r"(?:lists|paragraphs|sentences|lines|words|(?:blocks|walls) of text|jargon|slang|idioms|jokes|puns|metaphors|"
    r"analogies|examples|quotes|swearing|profanity|sarcasm|irony|hedging|lectures?|lecturing|small ?talk|flattery|"
    r"buzzwords|abbreviations|acronyms|emojis?|smileys|exclamation (?:marks|points)|bullet(?: ?points|s)|tables|"
    r"headings|disclaimers|apologies|pleasantries|warnings|compliments|follow-up questions|names))"
)
_HOW = (
    r"(?:short|brief|simple|casual|formal|informal|light|friendly|professional|polite|honest|real|blunt|direct|gentle|"
    r"kind|patient|strict|harsh|serious|funny|sarcastic|concise|humble|critical|tough|frank|straight|soft|rude)"
)
_NO = (
    rf"{PLEASE}(?:(?:do not|don['’]?t|never|stop|quit|avoid|refrain from|try not to|no need to|there(?:['’]s| is) no "
    r"need to|(?:you )?(?:don['’]?t|do not|needn['’]?t) (?:have|need) to) (?:(?:ever|always|constantly) )?)"
)
_TALK = r"(?:talk|speak|write|chat|explain things|answer|reply|respond|text)"
# To the speaker, by a verb of talk that is of no one thing.
_TO_ME = (
    r"(?:swear|curs|cuss|ly|lie|lectur|patroni[sz]|talk down|preach|shout|yell|sugar-?coat|babysit|baby|coddl|nag|"
    r"flatter|"
    r"judg|condescend)(?:e|ing)?(?: (?:at|to|with|for))? (?:me|things|everything)\b"
)
_ANY_TIME = (
    r"(?:apologi[sz]|hedg|rambl|moraliz|moralis|swear|guess|assum|speculat|wrapp?|sound|over-?explain|beat(?: around)?|"
    r"beating|brag|gush)(?:e|ing)?\b(?! (?:the|this|that|it|my)\b)"
)

# Of one answer, or of one text.
_ONE_ANSWER = any_of(
    OF_OTHERS.pattern,
    r"\b(?:this|the|that|my) (?:\w+ )?(?:one|letter|e-?mail|essay|text|report|speech|story|poem|article|post|message|"
    r"chapter|card|invitation|cv|resume|song|script)s?\b",
    r"\b(?:tomorrow|tonight|today|this (?:time|week|morning|evening|afternoon|once|one)|just once|right now)\b",
    r"\?$",
)
MANNERS = Rule("preference", any_of(
    rf"^{PLEASE}(?:keep|make|use|write|have|give me) {_PARTS}? ?(?:\w+ ){{0,3}}?(?:with|for|to) me(?:,? please)?[.!]*$",
    rf"^{PLEASE}(?:keep|make) (?:all |your |any |the )?{_PARTS} (?:very |nice and |as )?{_HOW}",
    rf"^{PLEASE}(?:keep (?:it|things)|be|stay) (?:\w+ ){{0,3}}?{_HOW}(?:er)? (?:with|to|towards?) me\b",
    rf"^{PLEASE}(?:{_TALK}|sound) (?:more |less )?(?:like|as if|as though) (?!this\b|that\b|the (?:above|last)\b)",
    rf"^{_NO}(?:{_TO_ME}|{_ANY_TIME}|(?:explain\w*|repeat\w*) (?:the |every)?(?:basics|obvious|everything|my question)|"
    rf"be(?:ing)? (?:so|too|that|overly|all) |(?:tell|remind)\w* me (?:to|how|that) .{{1,60}}(?:every|all the) time|"
    rf"us(?:e|ing) (?:so (?:many|much) |any |too many )?{_PARTS}|(?:more than|over) \w+ {_PARTS}|sound\w* like )",
    r"^(?:stop|quit) telling me (?:to|how|what)\b",
    rf"^{PLEASE}(?:avoid|no more|less|fewer|no|(?:use|make|tell|add) (?:me )?(?:fewer|less|more|no|simpler|shorter|"
    rf"only|plain)|enough with|drop|skip|cut(?: out)?)(?: the| your| all| these| any)* {_PARTS}(?=$|[.,!;]| with me\b| "
    r"(?:please|when|in (?:your|any|every|all)|at all|any ?more)\b)",
    rf"^{PLEASE}(?:you can |you may |feel free to |it['’]s (?:ok|okay|fine) to |don['’]?t be afraid to |"
    rf"you['’]re allowed to )"
    r"(?:swear|curse|cuss|joke|disagree|push back|contradict|be (?:blunt|rude|honest|direct|funny|sarcastic)|roast me|"
    rf"correct me|use {_PARTS})\b(?! (?:in|for) (?:the|this|my)\b)",
    rf"^{PLEASE}(?:swear|curse|cuss|joke|tease me|disagree) (?:all|as much as|as often as|whenever) you (?:like|"
    rf"want)\b",
    rf"^{PLEASE}(?:ask|check with) me (?:first )?(?:before|instead of|rather than|if you(?:['’]re| are) (?:not sure|"
    rf"unsure)|"
    r"when (?:in doubt|something))\b(?! (?:i|we|he|she|they)\b)",
    rf"^{PLEASE}(?:only |just |ask )?(?:me )?one (?:question|step|thing|topic|idea) at a time\b",
    rf"^{PLEASE}go back to (?:calling|addressing) me (?!at\b|on\b|in\b|every\b|later\b)\w",
    rf"^{PLEASE}(?:use|give me|write) (?:kilomet\w+|met(?:er|re)s|miles|grams|kilos|pounds|ounces|euros|dollars|"
    rf"celsius|"
    r"fahrenheit|metric|dd/mm\S*|mm/dd\S*|(?:12|24)[- ]hour)\b.{0,40}\b(?:with me|to me|when you|not|instead of|"
    r"rather than)\b",
), 0.8, _ONE_ANSWER, standing=True)  # fmt: skip
# Orders that look like a task, or like a question, and are none.
# What is to come first in an answer, of no certain one.
_FIRST = (
    r"(?:the |a |your )?(?:short |main |final |actual |direct )?"
    r"(?:conclusion|answer|result|bottom line|gist|point|verdict|takeaway|upshot|tl;?dr)"
)
MANNERS_ASKED = Rule("preference", any_of(
    rf"^{PLEASE}(?:give|tell|show) me {_FIRST} first\b",
    rf"^{PLEASE}(?:always )?(?:start|begin|lead|open) with {_FIRST}\b",
    rf"^{PLEASE}(?:put|say|state) {_FIRST} (?:first|up ?front|at the (?:top|start|beginning))\b",
    rf"^{PLEASE}{_TALK} (?:(?:to|with|for) me|things) (?:\w+ )?(?:(?:in|like|as|the way|using|without)\b|"
    rf"{_HOW}(?:ly|er)?\b)",
    rf"^(?:can|could|would|will) you (?:please |just )*(?:stop|quit|avoid|not) (?:{_TO_ME}|{_ANY_TIME})",
), 0.8, _ONE_ANSWER, standing=True, marked=True, asked=True)  # fmt: skip
# What is to be done in doubt: an order, though it begins with "if".
IN_DOUBT = Rule("preference", any_of(
    rf"^{PLEASE}(?:(?:if|when|whenever|where) (?:you(?:['’]re| are| do)? ?(?:not|n['’]t|don['’]t|aren['’]t|"
    rf"can['’]t)? ?"
    r"(?:ever )?(?:know|sure|certain|understand|unsure|in doubt|lost)\b[^,]{0,30}|(?:something|anything|it|my question)"
    r"(?:['’]s| is| seems) (?:unclear|not clear|ambiguous|vague)|in doubt),? (?:please |just |always |then )*"
    r"(?:ask|say|tell me|admit|check with me|don['’]t (?:guess|make)))\b",
    r"^(?:你|请|要是|如果|遇到|万一|凡是)*(?:不|没)(?:太|大|是很)?(?:清楚|确定|知道|明白|懂|会|理解|看懂|把握)"
    r"(?:的|了|的话|的地方|的时候)*[，,]?(?:你|就|先|请|直接|尽管|都|要)*"
    r"(?:问我|先问|直?说(?:不知道|不会|不清楚|不懂)|直说|告诉我|跟我说|说一声|别猜|别编)",
    r"^(?:你|请|要是|如果)*拿不准(?:的|时候|时|的话|就)*[，,]?(?:你|就|先|请|直接)*(?:直?说|问我?|告诉|别)",
), 0.8, standing=True)  # fmt: skip

# 回答, 回我消息, 跟我说话: that the assistant talks, of no one thing.
_REPLY_ZH = (
    r"(?:[回答]我?(?:消息|信息|微信|话|复|问题|我)|[跟给和对同]我(?:说话|讲话|说|讲|聊天?|解释|回复?|发(?:消息|"
    r"信息)?|写)|"
    r"(?:说话|讲话|聊天|说事|讲(?:东西|事|嘢|题|课))|回答|回复|回我|回话|答复)"
)
_WHEN_ZH = r"(?:的时候|时候?|时|的话)?"
_DIALECT_ZH = r"(?:[\u4e00-\u9fff]{1,3}(?<![的说电笑神废好实真坏听对通会讲白谎鬼情多少])话|方言|白话|普通话|人话)"
_TONE_ZH = (
    rf"(?:(?:{_DIALECT_ZH})|(?:[^，。这那]|[这那]种){{1,8}}(?:口气|语气|口吻|腔调|调调|风格|态度|方式)|中文|英文|英语|汉语|繁体字?|"
    r"简体字?|粤语|国语|日语|法语|德语|俄语|韩语)"
)
_MANNER_ZH = (
    r"(?:简短|简洁|简单|直接|直白|详细|精简|礼貌|正式|口语|通俗|严谨|具体|委婉|幽默|温柔|客气|专业|随便|随意|慢|快|短|"
    r"轻松|活泼|温和|耐心|严厉|严格|狠|凶|毒舌|接地气|热情|冷静|干脆|利索|正经|亲切|大声|细|清楚|坦白|坦率|诚实|"
    r"长|啰嗦|长气|机械|死板|生硬|肉麻)"
)
_BIT_ZH = r"(?:一?点|一?些)"
_NOT_ZH = (
    r"(?:不要|别|不许|不准|请勿|不用|不必|用不着|少)(?:再|老是?|总是?|动不动就?|一直|每次|随便|每句话?|都|给我|跟我|"
    r"对我|"
    r"和我|这么|那么|太|瞎|乱|净|光|只|来|在)*"
)
# Ways of talking that nobody wants of one answer alone.
_BAD_ZH = (
    r"(?:绕(?:弯|圈|来|$)|绕(?=[。！!]?$)|说教|打官腔|官腔|客套|套话|瞎?编(?!程|辑|写|号)|猜|拽|掉书袋|"
    r"[爆骂说讲]?(?:脏话|粗口)|爆粗|骂人|大道理|"
    r"鸡汤|中英|夹(?:杂|英|中|着)|敷衍|啰[嗦里]|唠叨|整(?:太|那么|这么|得)|铺垫|阴阳怪气|拍马|撒娇|卖萌|油嘴|"
    r"打比方|兜圈|废话|车轱辘|糊弄|忽悠|哄我|惯着我|训我|教育我|教训我|奉承|恭维|道歉|抱歉|劝我[去看做]|让我去看|"
    r"叫我去看|列[一1]|说您|叫您|称您)"
)
_MEASURES_ZH = (
    r"(?:摄氏度?|华氏度?|公里|英里|米|英尺|公斤|千克|克|斤|磅|毫升|升|杯|人民币|美元|欧元|日元|24小时制?|12小时制?|"
    r"二十四小时制?|"
    r"十二小时制?|公制|英制|阳历|公历|农历|阴历|阿拉伯数字|全角|半角)"
)
_MEASURED_ZH = (
    r"(?:温度|气温|体温|长度|距离|路程|重量|体重|时间|日期|金额|货币|价格|价钱|钱数?|单位|分量|用量|份量|容量|面积|"
    r"身高|"
    r"速度|数字|标点|菜谱)(?:单位|格式|里的?[用份分]?量?)?"
)
_ONE_ANSWER_ZH = any_of(
    OF_OTHERS.pattern,
    r"这[道题段篇封份句张首个次]|那[道题段篇封份句张首个次]|本题|下面这|上面这|今晚|明天|今天|等下|待会|等会",
    r"[？?吗么]$|^你(?:以后)?(?:每次)?(?:回答|回复)我?(?:得|都)(?:很|挺|太|好|真)",
    r"(?:写|说|讲|来|回答|翻译)我?一[个段首篇封份下遍句]|祝福|文案|作文|[首封篇]信",
)
MANNERS_ZH = Rule("preference", any_of(
    # 以后回我消息……: any order of how to reply from now on.
    rf"^(?:你|请|那|就|麻烦|希望|拜托)*(?:以后|今后|往后|从今以后|平时|每次|从现在起){{1,2}}(?:你|请|"
    rf"在)*{_REPLY_ZH}{_WHEN_ZH}(?=..)(?!了|的)",
    rf"^(?:你|请|那|就|麻烦|希望你?|拜托|最好|还是|我要你|我想让你|我想你|想让你|要你|算了)*{_REPLY_ZH}{_WHEN_ZH}[，,]?"
    rf"(?:你|请|就|都|要|得|最好|尽量|还是|能不能|可以|一?定要|必须){{0,3}}"
    rf"(?:先|{_NOT_ZH}|用{_TONE_ZH}|多[举用讲说给加]|像|直接|稍微|得?{_MANNER_ZH}{_BIT_ZH}|[短少]{_BIT_ZH})",
    rf"^(?:你|请|那|就|麻烦|希望你?|拜托|最好|还是|都|一直|尽量|给我|跟我|咱们?)*用{_TONE_ZH}(?:来|都|跟我|和我|"
    rf"对我|给我)*"
    r"(?:说话|讲话|聊天?|回答|回复|回我|说|讲|跟我[说讲聊]|交流|沟通)(?:就行|就好|吧|就可以)?[。.!！]*$",
    rf"^(?:你)?(?:跟我|和我|对我)(?:就|都)?(?:说|讲){_DIALECT_ZH}(?:就行|就好|吧|就可以)?[。.!！]*$",
    rf"^(?:我)?(?:希望|想让|想要|要|请)?你(?:跟我|对我|和我|给我|以后|能|都|可以|说话|讲话|讲|说|回答){{1,3}}(?:得|"
    rf"再|更|尽量|稍微)*"
    rf"{_MANNER_ZH}{_BIT_ZH}",
    r"^(?:你|请|就|以后|要|最好|希望你?)*像[^，。这那]{1,8}?(?:一样|那样|似的|那么|样)地?(?:跟我|和我|给我|对我|"
    r"陪我|回我)(?!生气|发火)",
    r"^(?:你|请)?(?:可以|尽管|随便|放心|大胆|能)(?:跟我|对我|多|也|随便|时不时)*(?:[说爆骂讲](?:脏话|粗口)|骂人|"
    r"开玩笑|怼我|吐槽|毒舌|直说|批评我|"
    r"反驳我|纠正我)",
    r"^(?:多|少)(?:点|些|跟我|来点|来些|给我)*(?:开(?:点|些)?玩笑|举(?:点|些|几个)?例|打比方|夸我|鼓励我)",
    r"^(?:你)?有(?:话|什么|啥|问题)(?:你)?(?:就|尽管|请)?直[说讲]|^(?:我)?(?:只|就)?(?:要|想)听(?:你说)?(?:真话|"
    r"实话|大实话)",
    r"^(?:你|请|每?次|一){0,3}一?次只?(?:能)?(?:问|说|讲|给|教|列|发)(?:我)?一(?:个|件|步|条|道)(?!.{0,4}了)",
    rf"^(?!这|那){_MEASURED_ZH}(?:都|就|一律|统一|请|你|要|给我|以后|全部?)*(?:用|按|以|换成|写成){_MEASURES_ZH}",
    r"^我(?:问|要|发|贴|说)(?:你)?[^，。我]{1,8}(?:，|你)?(?:就|都)(?:只|直接|用|别)*(?:给|回|答|发)(?:我)?(?=.)(?!钱)",
    r"^[^，。这那他她]{0,6}?(?:就|都)?(?:不用|别|不必|用不着)(?:再)?[跟给对]我(?:解释|科普|铺垫|普及|客套|重复|讲解)",
    r"^(?:你|请|就|还是|以后|都|那)*(?:说|讲)(?:得|的)?(?:随便|随意|慢|通俗|直白|接地气|口语化?|温柔|客气)(?:一?点|些)",
    # 算了不喊你用四川话了: what was wished is taken back.
    rf"^(?:算了|那|我|以后|现在|就|，)*(?:不|别)(?:再)?(?:喊|叫|让|要求?|要)?你?(?:再)?(?:用|说|"
    rf"讲){_TONE_ZH}(?:跟我|和我|回我|回答|说话?|讲话?)*了",
    rf"^(?:还是)?{_DIALECT_ZH}(?:回我|跟我说|说|讲)?(?:就行|就好|就可以)了?[。.!！]*$",
    # 十点前别给我打电话, 周末别找我
    r"^(?:请|麻烦)?(?!这|本|下|明|后天|今|现在)[^，。我你]{1,8}?(?:前|后|以前|以后|之前|之后|周末|节假日|晚上|早上|"
    r"中午|[一二三四五六日天])"
    r"(?:都|就|请|你|千万)*(?:不要|别|请勿|不许|不能)(?:再)?(?:给我(?:打(?:电话)?|发消息|发信息|来电)|打(?:我)?电话|"
    r"打扰我|吵我|找我|提醒我|叫我)",
), 0.8, _ONE_ANSWER_ZH, standing=True)  # fmt: skip
# Orders of how not to talk, though they have a verb of a task or a word of questions.
MANNERS_ASKED_ZH = Rule("preference", any_of(
    r"^(?:你|请|都|要|就|每次|以后|最好){0,4}(?:先|直接)(?:说|给|讲|上|写|列|报|来|告诉)(?:我|出|个)?"
    r"(?:结论|答案|重点|结果|要点|核心|干货)",
    rf"^(?:你|请|麻烦|拜托|以后|千万|在|平时|回答|回复|每句话?|每段|开头|结尾|最后|末尾|里面?|中|的)*{_NOT_ZH}"
    rf"[^，。你他她它]{{0,6}}?{_BAD_ZH}",
    rf"^(?:回答|回复|每句话?|每段|每次)?的?(?:开头|结尾|最后|末尾)(?:都|也|就|请)*{_NOT_ZH}",
), 0.8, _ONE_ANSWER_ZH, standing=True, marked=True, asked=True)  # fmt: skip
