"""What somebody wants: standing wishes, how to be answered, what they like, what was decided."""

from __future__ import annotations

from ._manners import OF_OTHERS
from ._rule import Rule, any_of

# Where the speaker's own statement begins: "things I love" is none.
_SAYS = (
    r"(?:^|[,;:(—–-] ?|\b(?:and|but|because|so|since|although|though|as|you know|honestly|personally|now|also|actually|"
    r"think|guess|days|today|general|morning|evening|work|home|trains|weekends|summer|winter) )"
)
_ADVERBS = (
    r"(?:(?:really|much|also|still|now|always|usually|generally|just|definitely|absolutely|strongly|personally|do|both"
    r"|particularly|especially|rather|mostly|truly|totally|only|even|actually|all|already|finally|simply|very|far|"
    r"slightly|kind of|sort of|no longer|honestly) ){0,3}"
)
_I = r"\bI(?:'ve|'d| have| had)? "
_LANGUAGES = (
    r"(?:english|chinese|mandarin|cantonese|french|german|spanish|italian|japanese|korean|portuguese|russian|"
    r"dutch|arabic|hindi|vietnamese|thai|greek|hebrew|czech|latin|(?-i:[A-Z])[a-z]{1,8}(?:ish|lsh|ian|ese|aic|elic)|"
    r"my language)"
)
_STYLE = (
    r"(?:brief|briefer|concise|short|shorter|direct|honest|formal|informal|polite|casual|precise|blunt|terse|detailed|"
    r"thorough|friendly|friendlier|specific|strict|critical|technical|succinct|kind|gentle)"
)
_DO = (
    r"(?:answer|reply|respond|speak|talk|write|call|address|use|keep|give|send|format|include|add|start|end|"
    r"begin|finish"
    r"|put|show|explain|treat|assume|refer|ask|make|name|round|convert|quote|cite|check|skip|sign|say|mention|list|"
    r"summari[sz]e|translate|provide|avoid|stop|remember|save|store|run|test|prefer|stick|limit|sort|mark|tell|be|do"
    r"|let's|don't|do not|no|never|always|only|greet|wrap|prefix|set|follow|spell|leave|confirm|warn|suggest)\b"
)
_NOT_DOING = (
    r"(?:using|use|adding|add|writing|write|including|include|putting|put|giving|give|calling|call|saying|say|starting|"
    r"start|ending|end|beginning|begin|apologi[sz]\w+|repeat\w*|asking|ask|explain\w*|show\w*|send\w*|suggest\w*|"
    r"translat\w+|answer\w*|reply\w*|respond\w*|mention\w*|insert\w*|sugarcoat\w*|lectur\w+|address\w*|summari[sz]\w+|"
    r"greet\w*|flatter\w*|prais\w+|format\w*|offer\w*|remind\w* me (?!to)|be (?:so|too|that|overly))"
)
ORNAMENTS = (
    r"(?:emojis?|emoticons?|smileys|markdown|bullet(?: ?points?|s)?|tables?|jargon|exclamation (?:marks?|"
    r"points?)|headings?"
    r"|small talk|apologies|disclaimers?|preambles?|semicolons?|code comments|filler|fluff|abbreviations|slang|"
    r"bold text"
    r"|footnotes|acronyms|follow-up questions|introductions?|em.dashes|hashtags|pleasantries|spoilers|swearing)"
)
_FOR_GOOD = (
    r"\b(?:from now on|from here on(?: out)?|from today on|going forward|moving forward|in (?:the )?future|henceforth|"
    r"from this point on|by default|as a (?:general )?rule|every time you|whenever you|each time you|at all times)\b"
)
_FOR_GOOD_ZH = r"(?:从现在开始|从现在起|从今天起|从今以后|从今往后|今后|往后|以后|下次起|从下次开始|从此|默认|每次)"
_THIS_ONCE = any_of(
    OF_OTHERS.pattern,
    r"\b(?:yet|this time|just once|right now|tomorrow|tonight|"
    r"(?:for|in|on) (?:this|the next) (?:one|answer|question|task)|"
    r"until (?:I|we)|the above)\b",
    r"\b(?:use|add|write|put|start|call|say|send|include|show) (?:it|this|that|them|anything)\b(?! name)",
    r"^(?:这里|此处|这段|这句|这个|这道|这回|这次(?=[用写说讲别])|本题|其他|其余)|这[道题]|[说讲写念读译]一[遍下次]|\bhere$|这次先|先不要|先别|这一次|这一题|暂时别|还没",
)
_LANGUAGES_ZH = (
    r"(?:中文|汉语|普通话|英文|英语|法语|德语|日语|日文|韩语|韩文|俄语|西班牙语|粤语|文言文|白话文?|繁体字?|"
    r"简体字?|双语|母语)"
)
_STYLE_ZH = r"(?:简短|简洁|简要|简单|直接|详细|精简|精炼|礼貌|正式|口语化?|通俗|严谨|具体|委婉|幽默|温柔|客气|专业)"
# What may stand between a subject and its verb: a time, a place, an adverb.
_GAP_ZH = r"[^，。！？、你您他她谁哪]{0,8}?"
_AS_REPLY_ZH = r"(?:回答|回复|答复|作答|交流|聊天?|说话?|沟通|写|对话|讲话?|回我|回话|解释|输出)"
_WITH_ZH = r"(?:来|给我|跟我|和我|与我|都|直接|一直)*"

# Standing wishes that say so.
STANDING = (
    Rule("preference", any_of(
        rf"^(?:please,? )?{_FOR_GOOD},? (?:can you |could you |would you |I(?:'d| would)? (?:want|like|prefer) |"
        rf"please |you (?:should|must|can) )*(?:please |just |also )?{_DO}",
        rf"^(?:please,? )?{_FOR_GOOD},? [^,]{{3,40}},? please[.!]*$",
        rf"^(?:please,? )?{_FOR_GOOD}(?: {_NOT_DOING})?[^,]{{0,60}}, (?:please )?{_DO}",
        rf"^(?:please |can you |could you |would you |will you |I want you to |I'd like you to |"
        rf"I would like you to )*{_DO}.{{0,150}}{_FOR_GOOD}",
        rf"^(?:please,? )?(?:whenever|every time|each time|when) I (?:ask|write|say|send|paste|use|give|share|mention|"
        rf"post|type|upload|speak|talk|show|make)\b.{{1,60}}, (?:please |always |then |just |you should )*{_DO}",
        rf"^(?:please )?{_DO}.{{1,80}}\b(?:in|for|with) (?:all|every|each|any)(?: of)?(?: your| my)? (?:answers?|"
        rf"replies|reply|"
        rf"responses?|messages?|code|examples?|emails?|summary|summaries|explanations?|lists?|tables?)\b",
        rf"^(?:can|could|would|will) you (?:please )?(?:always|never|only|stop {_NOT_DOING})\b",
        r"^(?:每次|每当|凡是|只要)[^，,]{1,16}[，,](?:你)?(?:请|就|都|要|先|用|给|别|不要|帮我|务必|也)",
        rf"{_FOR_GOOD_ZH}[，, ]?(?:你|咱们|我们)?(?:能不能|能否|可不可以|可以|能)?(?:请|麻烦)?(?:都|就|要|别|"
        rf"不要|不用|不必|用|叫|一律|尽量|回答|回复|给我|称呼|只|必须|先|我说|我问|请|写|凡是|提到|讲|说话?|遇到|"
        rf"把|附上|帮我|跟我|在(?=[回说讲写聊]))(?!想|去|再说)",
    ), 0.85, any_of(
        OF_OTHERS.pattern, r"以后(?:我想|再|有|的)|[年月日号点岁]以后",
        r"默认(?:值|是|为|端口)", r"每次(?:都会|都是)|每次我(?!.{1,14}[，,])"), standing=True, marked=True, asked=True),
)  # fmt: skip
# What is asked of the assistant's answers.
ANSWERS = (
    Rule("preference", any_of(
        rf"^(?:please )?(?:always|never) (?:please |ever )?(?!do\b|be\b|stop\b|let|keep \w+ing|try){_DO}",
        rf"^(?:please |and )*(?:do not|don't|dont|stop|avoid|quit|refrain from|you (?:don't|"
        rf"do not) need to) (?:ever |always )?{_NOT_DOING}\b",
        r"^no (?:more )?[\w-]+(?: [\w-]+)?(?: (?:in|when|during|on|at|after|before|for) "
        r"(?!(?:the|this|that) )[^,]{1,40})?,? please[.!]?$",
        rf"^(?:please )?(?:do not|don't|dont|stop|avoid|no|skip|without|leave out|drop)(?: use| using| any| more|"
        rf" the| all| with)* (?:\w+ )?{ORNAMENTS}\b",
        rf"^(?:please |actually |instead |rather |better |just )*(?:answer|reply|respond|speak|talk|write|communicate)"
        rf"(?: to me| with me| me|"
        rf" everything)?(?: only| always)?,? (?:(?:in|using|with) (?:\w+ )?(?:{_LANGUAGES}|short|brief|bullet|"
        rf"plain|simple|complete|full|numbered|at most|no more)|{_STYLE}ly\b|briefly|concisely|informally|"
        rf"formally|politely)",
        r"^(?:please )?(?:keep|limit|restrict) (?:all |your |my |each |every )*(?:answers?|replies|reply|"
        r"responses?|messages?|"
        r"explanations?|output|summaries|sentences|paragraphs|tone|examples|variable names|comments|"
        r"commit messages|lines(?! of))\b",
        r"^(?:please )?make (?:all |your )+(?:answers?|replies|responses?|explanations|messages)\b",
        rf"^(?:please )?(?:be|stay|remain) (?:more |very |as |always )?{_STYLE}\b",
        rf"^(?:please )?(?:use|prefer|stick to|stick with|default to) (?:only |always )?(?:the )?(?:metric|"
        rf"imperial|celsius|fahrenheit|kilomet\w+|british|american|formal|informal|(?:plain|"
        rf"simple)(?! (?:flour|white|yog\w+|water))|simplified|"
        rf"traditional|24.hour|12.hour|iso|tabs|spaces|four|two|snake|camel|type hints|active voice|first person|"
        rf"{_LANGUAGES}|.{{1,60}} (?:for all|for every|in all|in every|in (?:your|my) (?:answers|replies|"
        rf"responses|code|examples)))\b",
        rf"{_I[:-1]}(?:'d like| would like| want| need| expect|'d love|'d prefer| would prefer|"
        rf"'d appreciate it if| would appreciate it if)(?: it if)? (?:you (?:to )?)?(?:always |never |only |"
        rf"please |not )*(?:answer|reply|respond|replied|answered|responded|speak|address|call|kept|keep|avoid|"
        rf"avoided|stop|stopped|used? (?:only|metric|simple|plain|british|american)|be {_STYLE}|were {_STYLE}|"
        rf"your (?:answers?|replies|responses?|explanations?)|shorter answers|short answers|brief answers|"
        rf"longer answers|detailed answers)\b",
        rf"{_I}(?:don't|do not) (?:want|need|like) (?:you to|any|an? (?!new|job|problem|fight|lecture)|your|"
        rf"to see|to be called|being called|"
        rf"it when you|when you)\b",
        r"^(?:please )?(?:address me|refer to me|sign (?:emails|letters|my))\b",
        r"\b(?:sentences?|words?|lines?|paragraphs?|answers?|replies)\b.{0,12} too (?:short|long)\b.{0,40}\b(?:fine|"
        r"enough|"
        r"okay?|better|please)\b",
        r"\bpreference\b.{0,30}(?:is|:|for) (?!what)\w",
        rf"{_I}(?:prefer|like|love|want|appreciate) it (?:when|if|that) you \w",
        r"^(?:please )?(?:do not|don't|never) (?:ever )?(?:schedule|book|arrange|plan|put|set up) (?!it\b|this\b|"
        r"that\b)[^,]{0,60}"
        r"\b(?:weekends?|evenings?|mornings?|\w+days?|before|after|at|between|during)\b",
    ), 0.8, any_of(_THIS_ONCE.pattern,
    r"^(?:don't|do not) (?:forget|worry|mind|know|think|mention it|ask me)\b",
    r"\bnever mind\b|^(?:please )?be (?:honest|kind)[.!]*$"),
        standing=True),
    Rule("preference", any_of(
        rf"^(?:你)?(?:请|麻烦你?|拜托|希望你|你)?(?:一直|始终|总是|每次(?:都)?|一律|永远|务必|尽量)(?:都|要|只|"
        rf"先|请|别|不要)*(?:用|使用|以|{_AS_REPLY_ZH}|给|叫|称呼|保持|先|按|附|标|加|带|列)",
        r"^(?:你)?(?:请|麻烦你?|拜托|希望你?)?(?:不要|别|不许|禁止|避免|请勿|勿|不准|不用|不必|无需|用不着|"
        r"不需要)(?:再|总是|老是|总|每次|一直|都|给我|跟我|对我|在(?:回答|回复)(?:里|中)|每句(?:话)?(?:都)?|"
        r"太)*(?:用|使用|加|写|说(?!出去)|叫(?=我|先生)|给(?![我俺咱]?(?:留|记|存))|放|带|提|输出|出现|重复|道歉|解释|发(?!烧|火|呆|愁|脾气)|附|插入|堆|客套|翻译|夹|讲(?!出去)|称呼|问(?!我?(?:$|[，。！]))|"
        r"啰嗦|绕|有|长篇|寒暄|吹捧|敷衍|省略|缩写|emoji|任何|表情|废话|markdown|列表|表格|长)",
        rf"(?:请|麻烦|希望你?|最好|都|只|你要?|咱们)?(?:只)?(?:用|使用|以|说|"
        rf"讲){_WITH_ZH}{_LANGUAGES_ZH}{_WITH_ZH}(?:{_STYLE_ZH}(?:地|点|些|一点)?)*{_AS_REPLY_ZH}",
        rf"^(?:请)?(?:跟我|和我|对我)(?:都)?(?:用|说|讲){_LANGUAGES_ZH}",
        r"^(?:请|你)?(?:回答|回复|回我|说话)我?(?:得|要)?(?:都|尽量|更|再)?[短长少](?:一?点|一?些)",
        r"^(?:你的|你|请|所有)?(?:的)?(?:回答|回复|答案|答复|解释|输出|总结|语气|措辞|示例)我?(?:的时候|时|问题时|"
        r"里|中|内容)?[，, ]?(?:要|请|都|尽量|必须|最好|应该|别|不要|不能|控制在|保持|不超过|限制在|用|只|"
        r"再)(?:要|再|都|尽量|写|用)*(?!.{0,4}了$)",
        r"^(?:你的?|您的?|以后)*(?:回答|回复|答复|解释|语气|措辞)(?:里|中|的时候|时)?(?:现在|以后)?(?:可以|能|不用|"
        rf"不必|不需要|用不着)"
        rf"(?:再|更|稍微|尽量|适当|这么|那么|太)*(?:{_STYLE_ZH}|长|短|啰嗦|随意|随便|轻松|活泼|展开|多[写说讲给]|"
        rf"少[写说讲给])",
        rf"^(?:你)?(?:现在|以后|其实)*(?:不用|不必|不需要)(?:再)?(?:那么|这么|太)+(?:{_STYLE_ZH}|长|短|"
        rf"啰嗦)了?[。.!！]*$",
        r"^(?:你)?(?:现在|以后|其实)*可以(?:多|少)(?:用|加|放)(?:一?点|一?些)?(?:表情|emoji|例子|列表|表格|术语|"
        r"英文|中文)",
        r"(?:回答|回复|答案|答复|消息|总结|解释).{0,14}(?:字|句|行|段|词|条)(?:话)?(?:以内|之内|以下|内)",
        r"(?:回答|回复|答案|解释)(?:再)?(?:短|长|简短|简单|详细|正式|口语)(?:一?点|一?些)(?:比较|更|就)?(?:好|行|"
        r"可以|吧)",
        r"[\d一二两三四五六七八九十百千]+(?:字|句话?|行|段)(?:以内|之内|左右)(?:就|也)?(?:行|可以|好|够|吧|比较好)",
        rf"^(?:请|你)?(?:尽量)?{_STYLE_ZH}(?:地|点|些|一点|一些)?(?:地)?{_AS_REPLY_ZH}|^(?:请|"
        rf"你)?{_AS_REPLY_ZH}(?:得|要)?(?:尽量|更|再)?{_STYLE_ZH}(?:点|些|一点|一些)",
        rf"我(?:更|还是)?(?:希望|想让|要求|想要|要|需要|宁愿)(?:你|您)(?:以后|每次|一直|总是|都|能|在|的|可以|"
        rf"尽量)*(?:{_AS_REPLY_ZH}|用|不要|别|叫|称呼|{_STYLE_ZH}|答案|语气|只|先)",
        r"我(?:的)?(?:偏好|喜好)是",
        r"我(?:更|很|还是)?喜欢你(?:能|用|先|直接|一步一步|详细|简短|简单|分步|慢慢|多|少).{2,}",
        r"^(?:请|麻烦)?(?!这|本|下|明|后天|今)(?:周末|节假日|晚上|早上|中午|工作日|周.|星期.|[^，。我]{1,8}(?:前|后|"
        r"以前|以后|之前|之后))"
        r"(?:都|就|请|你)*(?:不要|别|请勿|不许|不能)(?:再|给我|帮我|为我)*(?:安排|约|排|订|定|开)",
        r"^(?:请|麻烦你?|尽量|最好|以后|千万)*(?:不要|别|请勿|不许|不能)(?:再|给我|帮我|为我)*+在?+"
        r"(?!这|本|下|明|后天|今)[^，。我你他她]{1,12}(?<!现)(?:给我|帮我|为我)?(?:安排|约|排|订|定|开)(?:任何)?(?:会|会议|日程|活动|电话|"
        r"面试|事)",
        r"^[^，。我他她]{0,16}(?:一律|每次都|始终都?|永远都?)(?:要|用|写|按|以|先|四舍|给|保留|放|标|注|附|"
        r"不要|别|回|叫)",
        r"^(?:语气|口吻|风格|说话)(?:就)?(?:跟|像|和|照).{1,14}(?:一样|就行|就好|即可)",
        r"^(?:语气|口吻|态度|风格|措辞|篇幅|字数|代码|注释|格式)(?:要|请|都|尽量|必须|最好|应该|别|不要|控制在|保持)",
        r"^(?:请|麻烦你?|你)?(?:少|多)(?:(?:用|说|写|讲|给|举)(?:一?点|些)?(?!了|吗)\w{2,}|(?:加|放|来)(?:一?点|些)?"
        r"(?:表情|emoji|感叹号|例子|细节|术语|标点|英文|中文|代码|注释|列表|表格|图|玩笑|幽默|鼓励))",
    ), 0.8, any_of(_THIS_ONCE.pattern,
    r"^(?:不要|别|不用|不必)(?:再)?(?:紧|担心|着急|害怕|误会|客气|谢|急|怕|问了|说了|提了|写了|解释了|忘|管|闹|"
    r"走|开玩笑)|^(?:请|你)?(?:直接|简单|具体|详细)(?:说|讲)(?:吧|说|讲|一下)?[。！!]*$",
                r"(?:你|我)(?:用|说|讲).{0,8}(?:说|写|讲)得"), standing=True),
)  # fmt: skip
_LIKES_NOT = any_of(
    r"\b(?:like|love|hate|enjoy|loved|liked|hated|prefer) (?:it|that|this|these|those|your|you|him|her|them|"
    r"how|what|the way|the idea|the (?:first|second|third|last|previous|new|other|answer|result|suggestion|"
    r"poem|story|joke|version|one)|to (?:know|ask|see|hear|say|think))\b",
    r"\b(?:would|'d|might|may|should|could) (?:really |also |absolutely )?(?:like|love|hate|enjoy)\b",
    r"\b(?:whether|if) I\b",
    r"\bas I (?:like|prefer)\b",
    r"\byou(?:'re| are| were)\b",
)
_LIKES_NOT_ZH = any_of(
    r"喜欢(?:你(?=的?(?:想法|回答|主意|建议|解释)|$|[。.!！，,吧呀啊哦])|上你|这|那|它|他|她|什么|哪|吗|"
    r"不喜欢|刚才|第)",
    r"(?:讨厌|受不了|爱)(?:你|这|那|它|他|她|死)",
    r"会不会|是不是|不知道|为什么|怎么|如何|觉得|想知道|有人|好奇|听说|以为",
    r"我(?:们)?(?:不)?(?:喜欢|讨厌)[。.!！]?$",
    r"(?:没|不|未)(?:有)?说过?",
    r"^如果",
)
# What is liked about answers is a wish.
OF_ANSWERS = any_of(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|wording|tone of|bullet points?|emojis?|"
    r"you|your|"
    r"metric|formatting)\b",
    r"回答|回复|解释|答复|语气|措辞|你|格式|表情符号",
)
# What the user puts above other things: it decides wherever there is a choice.
PREFERS = (
    Rule("preference", any_of(
        rf"{_SAYS}I(?:'d| would)? {_ADVERBS}(?:prefer|favou?r)(?:red)?\b",
        r"\bI(?:'d| would) (?:much )?rather\b",
        r"\bmy (?:current |new )?preferred\b[^,.;]{0,50}?(?: is\b| are\b|'s\b|:)",
    ), 0.65, _LIKES_NOT),
    Rule("preference", any_of(
        rf"我(?:们)?{_GAP_ZH}(?:更喜欢|更爱|比较喜欢|偏好|偏爱|宁愿|宁可|倾向|习惯用|不习惯)",
        r"^(?:比起|相比|跟).{1,12}[，,]?我.{0,4}(?:喜欢|爱)",
    ), 0.65, _LIKES_NOT_ZH),
)  # fmt: skip
# What the user likes and dislikes.
LIKES = (
    Rule("habit", any_of(
        rf"{_SAYS}I(?:'ve| have)? {_ADVERBS}(?:like|love|adore|enjoy|hate|dislike|loathe|detest|liked|loved|hated|"
        rf"can't stand|cannot stand|can't bear|(?:don't|do not|didn't|never) (?:really |particularly )?(?:like|"
        rf"love|enjoy|care for)|stopped liking)\b (?=\S)",
        r"\bmy (?:all-time |absolute |new |current )?favou?rite\b[^,.;]{0,50}?(?: is\b| are\b|'s\b|:)",
        r"\bI(?:'m| am) (?:not |really |still |now )*(?:an? |more of an? |much of an? |"
        r"such an? )(?:\w+ ){0,3}(?:fan|person|lover|enthusiast)\b",
        r"\bI(?:'m| am) (?:really |very |quite )?(?:into|fond of|keen on|allergic to the word)\b (?!this\b|it\b)",
        rf"\bI {_ADVERBS}(?:don't|do not|never|can't|cannot|no longer) (?:eat|drink)\b",
    ), 0.65, _LIKES_NOT),
    Rule("habit", any_of(
        rf"我(?:们)?{_GAP_ZH}(?:喜欢|偏好|偏爱|喜爱|热爱|爱(?=[吃喝看听玩用读打跑养穿睡])|讨厌|厌恶|受不了|"
        rf"反感|宁愿|宁可|倾向|习惯用|不习惯|吃不惯|喝不惯|吃素|不爱(?=\w{{2}}))",
        r"我(?:从来|从|现在|已经|一般|一直|平时|也|都|还是){0,2}(?:不|再也不)(?:吃|喝|抽|碰)(?!了吗|了?[。.!！]*$|"
        r"(?:饭|水|东西|药)了?[。.!！]*$|下|这|那|你|他)",
        r"我(?:现在|目前|也)?(?:最|比较|更)(?:喜欢|爱|讨厌)的.{1,16}(?:是|有)",
        r"我的最爱", r"我是.{1,8}(?:迷|控|爱好者|粉丝|党)(?:$|[，,。.!！])",
        r"^(?:比起|相比|跟).{1,12}[，,]?我.{0,4}(?:喜欢|爱)",
    ), 0.65, _LIKES_NOT_ZH),
)  # fmt: skip

DECISIONS = (
    Rule("decision", any_of(
        r"\b(?:we|I|they|the team|everyone|our team|you and I|management|(?:the|our|my) (?:\w+ )?(?:board|"
        r"committee|company|group|family|council|class|boss|manager|client|"
        r"department|parents|landlord|school|customer|jury|club))(?:'ve| have| had)? (?:just |finally |"
        r"all |both |now |already |also |jointly )*(?:decided|agreed|settled|concluded|chose|chosen|"
        r"picked(?! up)|opted|"
        r"resolved|committed|voted|made up (?:my|our) minds?)\b",
        r"^(?:so |then |right |ok )*let's (?:just |all |both |then |now |not |always |stay |instead )*(?:go with|"
        r"go for|use|stick|keep|settle|pick|choose|call it|drop|switch|adopt|make it|move (?:it |the )|meet|name|"
        r"deploy|ship|postpone|schedule|skip|avoid|agree|set the|cancel|stay with|take the|do it (?:with|in)|"
        r"write it in|build it)\b",
        r"\b(?:we|I)(?:'ll| will| shall|'re going to| are going to|'m going to| am going to|'re| are|'m|"
        r" am) (?:now |just |then |all |instead )*(?:go(?:ing)? with|"
        r"us(?:e|ing) (?!(?:[\w-]+ ){0,3}(?:inhalers?|insulin|cream|ointment|drops|spray|patch(?:es)?|cane|walker|"
        r"crutch(?:es)?)\b).{1,40} (?:for|as|instead)|"
        r"stick(?:ing)? (?:with|to)|switch(?:ing)? (?:to|from)|adopt(?:ing)?|drop(?:ping)?|choos(?:e|ing)|"
        r"not us(?:e|ing)|no longer us(?:e|ing)|mov(?:e|ing) (?:away )?from)\b",
        r"\b(?:we|I)(?:'ve| have)? (?:just |now |finally )*(?:switched|migrated|moved away)(?: back)? (?:to|from)\b",
        r"^(?:the |our |my |final |team )*(?:decision|agreement|verdict|resolution)(?: is| was|:)",
        r"\bit(?:'s| is| was| has been) (?:been )?(?:decided|agreed|settled)\b",
        r"^(?:final|final answer|final decision|verdict|decided)(?: answer| decision)?: \w",
        r"^(?:decided|agreed|approved|settled)(?::| to| on| that)\b",
        r"\b(?:I|we)(?:'ll| will) (?:take|go with|choose|pick) (?:the |option|plan|variant|number)",
    ), 0.85, any_of(
        r"\blet's (?:just |all )?keep (?:\w+ing|at it|it|each|everyone|up|in touch|our|pushing)\b",
        r"(?:\b(?:not|never|haven't|hasn't|can't|cannot|couldn't|didn't|don't|yet to|before we|until we|once we|"
        r"unless we|still to|help (?:me|us)|nothing)\b|n't) (?:have |been |yet |really |be |to )*(?:decid|agree|"
        r"settl|conclud|chos|choos|pick|made up)",
        r"\bundecided\b", r"\bagreed?,? (?:but|though|that makes sense)\b", r"\bI agree\b",
        r"\blet's (?:use|take|pick|keep) (?:an example|it|this|that|a moment|a break|going)\b",
        r"\b(?:almost|nearly) (?:decided|agreed)\b",
    )),
    Rule("decision", any_of(
        r"(?:我们|我|大家|团队|咱们|双方|领导|公司|小组|最终|最后|会上|已经|经过讨论)[^，。？！]{0,12}(?:决定|"
        r"商定|约定|说好|讲好|谈好|定下来?了?|敲定|确定(?:了|用|下|在|为|要)|选定|选了|拍板|一致同意|同意了?|"
        r"达成一致|选择了|商量好)",
        r"^[^，。你他她谁]{0,6}(?:会|组|部|团队|公司|领导|老板|全家|家里|班|学校|学院|双方|对方|客户|房东|俱乐部|"
        r"[^我他她你]们|大家)"
        r"[^，。]{0,4}(?:决定|商定|一致同意|拍板|敲定)(?!权|性|因素|于)",
        r"^(?:最后|最终|已经|那就|就)?确定(?:下来)?(?:用|选|采用|走|按|去|买)(?!什么|哪)",
        r"^(?:[^，。你他她把帮请]{0,10})(?:改用|改成|换成|换用|改为)(?:了)?\s?(?!什么|一下|哪|下面)[^，。]{2,30}$",
        r"^(?:决定|结论|决议|最终方案|方案)(?:是|为|[:：]|了)",
        r"(?:那|咱们|我们|我|还是|就|那么)+.{0,10}(?:就|还是|改|先|统一|继续)(?:用|选|叫|按|走|定在?|采用|去|"
        r"在|见|聚|约在?|放在?|写|做成|买|上|保留|用回|改成|订|坐).{1,30}(?:吧|了|好了)[。.!！]?$",
        r"^(?:就|那就|还是)(?:用|选|叫|按|走|定在?|采用|去|约在?|放在?|买|订|坐|改成).{1,30}(?:吧|了|好了|"
        r"就行)?[。.!！]?$",
        r"^[^，。你他她什]{1,10}(?:就|先|还是|继续|暂时)+(?:继续)?(?:用|这样|保留|留着|不变|不改|采用|选|不动|"
        r"照旧).{0,10}(?:吧|了|好了)?[。.!！]?$",
        r"^(?:我们|咱们)(?:用|选|采用|走|按|去|统一用|改用).{1,30}吧[。.!！]?$",
        r"(?:我们|我|咱们)(?:最终|最后|现在|已经)?(?:选|选择|采用|改用|换成)了",
        r"^[^，。我你]{1,10}(?:就|已经|最终|最后)?(?:定在|定为|定于|敲定)(?!哪|什么)",
        r"(?:会议|发布|上线|交付|婚礼|聚会|聚餐)(?:就)?定在",
    ), 0.85, any_of(
        r"(?:没|没有|未|尚未|还没|无法|不能|不|难以|很难|怎么|如何|再|帮我|等)(?:有|能|最终|最后|完全|想好|"
        r"做)?(?:决定|确定|定|同意|商定|选|敲定)",
        r"决定不了",
        r"(?:说好|约定|商定|定好|讲好|谈好)的|给我来|(?:决定权|取决于|由.{1,6}决定)",
        r"我(?:们)?(?:也|都|完全)?同意[。.!！]?$",
        r"就(?:用|选|按)(?:这|那)(?:个|样|种)?(?:吧|了)?$", r"(?:是否|要不要|会不会)",
    )),
)  # fmt: skip
