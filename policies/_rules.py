"""What makes a clause worth remembering: patterns for each kind, in English and Chinese, the first that fits wins."""

from __future__ import annotations

import re
from dataclasses import dataclass

from localagent.memory.entries import Kind, Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """`standing`: a wish of how things are to be done, which may depend on a condition; `marked`: it says itself that
    it holds for good, so that it counts even in a sentence that gives a task; `asked`: it may be put as a question
    ("can you ... from now on?"). `unless`: what it must not have."""

    kind: Kind
    pattern: re.Pattern[str]
    importance: float
    unless: re.Pattern[str] | None = None
    standing: bool = False
    marked: bool = False
    asked: bool = False
    subject: Subject = "user"

    def fits(self, clause: str) -> bool:
        return bool(self.pattern.search(clause)) and not (self.unless and self.unless.search(clause))


def _re(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_ADVERBS = (
    r"(?:(?:really|much|also|still|now|always|usually|generally|just|definitely|absolutely|strongly|personally|do|both"
    r"|particularly|especially|rather|mostly|truly|totally|only|even|actually|all|already|finally|simply|very|far|"
    r"slightly|kind of|sort of|no longer|honestly) ){0,3}"
)
_I = r"\bI(?:'ve|'d| have| had)? "
_LANGUAGES = (
    r"(?:english|chinese|mandarin|cantonese|french|german|spanish|italian|japanese|korean|portuguese|russian|"
    r"dutch|arabic"
    r"|hindi|polish|turkish|swedish|vietnamese|thai|greek|hebrew|ukrainian|czech|latin|my language)"
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
_ORNAMENTS = (
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
_THIS_ONCE = _re(
    r"\b(?:yet|this time|just once|right now|for (?:this|the next) (?:one|answer|question|task)|until (?:I|we)|"
    r"the above)\b",
    r"\b(?:use|add|write|put|start|call|say|send|include|show) (?:it|this|that|them|anything)\b(?! name)",
    r"^(?:这里|此处|这段|这句|这个|这道|本题|其他|其余)|\bhere$|这次先|先不要|先别|这一次|这一题|暂时别|还没",
)
_ADVERBS_ZH = (
    r"(?:更加|更|最|比较|很|特别|还是|一直|现在|都|也|真的|非常|十分|不太|不怎么|不再|再也不|其实|从来|从小|平时|"
    r"超级|超|挺|蛮|可|就|"
    r"只|尤其|确实|个人|自己|一般|通常|总是|有点|不|已经|越来越|倒是|向来|还|会|却|又|是){0,4}"
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

_PREFERENCES = (
    # Standing wishes that say so.
    Rule("preference", _re(
        rf"^(?:please,? )?{_FOR_GOOD},? (?:can you |could you |would you |I(?:'d| would)? (?:want|like|prefer) |"
        rf"please |you (?:should|must|can) )*(?:please |just |also )?{_DO}",
        rf"^(?:please,? )?{_FOR_GOOD}(?: {_NOT_DOING})?[^,]{{0,60}}, (?:please )?{_DO}",
        rf"^(?:please |can you |could you |would you |will you |I want you to |I'd like you to |"
        rf"I would like you to )*{_DO}.{{0,150}}{_FOR_GOOD}",
        rf"^(?:please,? )?(?:whenever|every time|each time|when) I (?:ask|write|say|send|paste|use|give|share|mention|"
        rf"post|type|upload|speak|talk|show|make)\b.{{1,60}}, (?:please |always |then |just |you should )*{_DO}",
        rf"^(?:please )?{_DO}.{{1,80}}\b(?:in|for|with) (?:all|every|each|any)(?: of)?(?: your| my)? (?:answers?|replies|reply|"
        rf"responses?|messages?|code|examples?|emails?|summary|summaries|explanations?|lists?|tables?)\b",
        rf"^(?:can|could|would|will) you (?:please )?(?:always|never|only|stop {_NOT_DOING})\b",
        r"^(?:每次|每当|凡是|只要)[^，,]{1,16}[，,](?:你)?(?:请|就|都|要|先|用|给|别|不要|帮我|务必|也)",
        rf"{_FOR_GOOD_ZH}[，, ]?(?:你|咱们|我们)?(?:能不能|能否|可不可以|可以|能)?(?:请|麻烦)?(?:都|就|要|别|"
        rf"不要|不用|不必|用|叫|一律|尽量|回答|回复|给我|称呼|只|必须|先|我说|我问|请|写|凡是|提到|讲|说话?|遇到|"
        rf"把|附上|帮我|跟我|在)(?!想|去|再说)",
    ), 0.85, _re(
        r"以后(?:我想|再|有|的)",
        r"默认(?:值|是|为|端口)", r"每次(?:都会|都是)|每次我(?!.{1,14}[，,])"), standing=True, marked=True, asked=True),
    # What is asked of the assistant's answers.
    Rule("preference", _re(
        r"^(?:please )?(?:always|never)\b(?! mind|theless| said| heard| seen| been| thought| again| once)",
        rf"^(?:please |and )*(?:do not|don't|dont|stop|avoid|quit|refrain from|you (?:don't|"
        rf"do not) need to) (?:ever |always )?{_NOT_DOING}\b",
        r"^no (?:more )?[\w-]+(?: [\w-]+)?(?: (?:in|when|during|on|at|after|before|for) [^,]{1,40})?,? please[.!]?$",
        rf"^(?:please )?(?:do not|don't|dont|stop|avoid|no|skip|without|leave out|drop)(?: use| using| any| more|"
        rf" the| all| with)* (?:\w+ )?{_ORNAMENTS}\b",
        rf"^(?:please )?(?:answer|reply|respond|speak|talk|write|communicate)(?: to me| with me| me|"
        rf" everything)?(?: only| always)?,? (?:(?:in|using|with) (?:\w+ )?(?:{_LANGUAGES}|short|brief|bullet|"
        rf"plain|simple|complete|full|numbered|at most|no more)|{_STYLE}ly\b|briefly|concisely|informally|"
        rf"formally|politely)",
        r"^(?:please )?(?:keep|limit|restrict) (?:all |your |my )*(?:answers?|replies|reply|responses?|messages?|"
        r"explanations?|output|summaries|sentences|paragraphs|tone|examples|variable names|comments|"
        r"commit messages|lines)\b",
        r"^(?:please )?make (?:all |your )+(?:answers?|replies|responses?|explanations|messages)\b",
        rf"^(?:please )?(?:be|stay|remain) (?:more |very |as |always )?{_STYLE}\b",
        rf"^(?:please )?(?:use|prefer|stick to|stick with|default to) (?:only |always )?(?:the )?(?:metric|"
        rf"imperial|celsius|fahrenheit|kilomet\w+|british|american|formal|informal|plain|simple|simplified|"
        rf"traditional|24.hour|12.hour|iso|tabs|spaces|four|two|snake|camel|type hints|active voice|first person|"
        rf"{_LANGUAGES}|.{{1,60}} (?:for all|for every|in all|in every|in (?:your|my) (?:answers|replies|"
        rf"responses|code|examples)))\b",
        rf"{_I[:-1]}(?:'d like| would like| want| need| expect|'d love|'d prefer| would prefer|"
        rf"'d appreciate it if| would appreciate it if)(?: it if)? (?:you (?:to )?)?(?:always |never |only |"
        rf"please |not )*(?:answer|reply|respond|replied|answered|responded|speak|address|call|kept|keep|avoid|"
        rf"avoided|stop|stopped|used? (?:only|metric|simple|plain|british|american)|be {_STYLE}|were {_STYLE}|"
        rf"your (?:answers?|replies|responses?|explanations?)|shorter answers|short answers|brief answers|"
        rf"longer answers|detailed answers)\b",
        rf"{_I}(?:don't|do not) (?:want|need|like) (?:you to|any|your|to see|to be called|being called|"
        rf"it when you|when you)\b",
        r"^(?:please )?(?:address me|refer to me|sign (?:emails|letters|my))\b",
        r"\bpreference\b.{0,30}(?:is|:|for) (?!what)\w",
    ), 0.8, _re(_THIS_ONCE.pattern,
    r"^(?:don't|do not) (?:forget|worry|mind|know|think|mention it|ask me)\b", r"\bnever mind\b"),
        standing=True),
    Rule("preference", _re(
        rf"^(?:你)?(?:请|麻烦你?|拜托|希望你|你)?(?:一直|始终|总是|每次(?:都)?|一律|永远|务必|尽量)(?:都|要|只|"
        rf"先|请|别|不要)*(?:用|使用|以|{_AS_REPLY_ZH}|给|叫|称呼|保持|先|按|附|标|加|带|列)",
        r"^(?:你)?(?:请|麻烦你?|拜托|希望你?)?(?:不要|别|不许|禁止|避免|请勿|勿|不准|不用|不必|无需|用不着|"
        r"不需要)(?:再|总是|老是|总|每次|一直|都|给我|跟我|对我|在(?:回答|回复)(?:里|中)|每句(?:话)?(?:都)?|"
        r"太)*(?:用|使用|加|写|说|叫|给|放|带|提|输出|出现|重复|道歉|解释|发|附|插入|堆|客套|翻译|夹|讲|称呼|问|"
        r"啰嗦|绕|有|长篇|寒暄|吹捧|敷衍|省略|缩写|emoji|任何|表情|废话|markdown|列表|表格|长)",
        rf"(?:请|麻烦|希望你?|最好|都|只|你要?|咱们)?(?:只)?(?:用|使用|以|说|"
        rf"讲){_WITH_ZH}{_LANGUAGES_ZH}{_WITH_ZH}{_AS_REPLY_ZH}",
        rf"^(?:请)?(?:跟我|和我|对我)(?:都)?(?:用|说|讲){_LANGUAGES_ZH}",
        r"^(?:你的|你|请|所有)?(?:的)?(?:回答|回复|答案|答复|解释|输出|总结|语气|措辞|示例)(?:的时候|时|问题时|"
        r"里|中|内容)?[，, ]?(?:要|请|都|尽量|必须|最好|应该|别|不要|不能|控制在|保持|不超过|限制在|用|只|"
        r"再)(?:要|再|都|尽量|写|用)*(?!.{0,4}了$)",
        r"(?:回答|回复|答案|答复|消息|总结|解释).{0,14}(?:字|句|行|段|词|条)(?:话)?(?:以内|之内|以下|内)",
        rf"^(?:请|你)?(?:尽量)?{_STYLE_ZH}(?:地|点|些|一点|一些)?(?:地)?{_AS_REPLY_ZH}|^(?:请|"
        rf"你)?{_AS_REPLY_ZH}(?:得|要)?(?:尽量|更|再)?{_STYLE_ZH}(?:点|些|一点|一些)",
        rf"我(?:更|还是)?(?:希望|想让|要求|想要|要|需要|宁愿)(?:你|您)(?:以后|每次|一直|总是|都|能|在|的|可以|"
        rf"尽量)*(?:{_AS_REPLY_ZH}|用|不要|别|叫|称呼|{_STYLE_ZH}|答案|语气|只|先)",
        r"我(?:的)?(?:偏好|喜好)是",
        rf"^[^，。我他她]{{0,8}}(?:一律|每次都|始终都?|永远都?)(?:要|用|写|按|以|先|四舍|给|保留|放|标|注|附|不要|别|回|叫)",
        rf"^(?:语气|口吻|态度|风格|措辞|篇幅|字数|代码|注释|格式)(?:要|请|都|尽量|必须|最好|应该|别|不要|控制在|保持)",
        r"^(?:请|麻烦你?|你)?(?:少|多)(?:用|说|写|讲|加|给|举|放|来)(?:一?点|些)?(?!了|吗)\w{2,}",
    ), 0.8, _re(_THIS_ONCE.pattern,
    r"^(?:不要|别|不用|不必)(?:再)?(?:紧|担心|着急|害怕|误会|客气|谢|急|怕|问了|说了|提了|写了|解释了|忘|管|闹|"
    r"走|开玩笑)",
                r"(?:你|我)(?:用|说|讲).{0,8}(?:说|写|讲)得"), standing=True),
    # What the user likes.
    Rule("preference", _re(
        rf"\bI(?:'d| would)? {_ADVERBS}(?:prefer|favou?r)(?:red)?\b",
        r"\bI(?:'d| would) (?:much )?rather\b",
        rf"\bI(?:'ve| have)? {_ADVERBS}(?:like|love|adore|enjoy|hate|dislike|loathe|detest|liked|loved|hated|"
        rf"can't stand|cannot stand|can't bear|(?:don't|do not|didn't|never) (?:really |particularly )?(?:like|"
        rf"love|enjoy|care for)|stopped liking)\b (?=\S)",
        r"\bmy (?:all-time |absolute |new |current )?(?:favou?rite|preferred)\b",
        r"\bI(?:'m| am) (?:not |really |still |now )*(?:an? |more of an? |much of an? |"
        r"such an? )(?:\w+ ){0,3}(?:fan|person|lover|enthusiast)\b",
        r"\bI(?:'m| am) (?:really |very |quite )?(?:into|fond of|keen on|allergic to the word)\b (?!this\b|it\b)",
        rf"\bI {_ADVERBS}(?:don't|do not|never|can't|cannot|no longer) (?:eat|drink)\b",
    ), 0.65, _re(
        r"\b(?:like|love|hate|enjoy|loved|liked|hated|prefer) (?:it|that|this|these|those|your|you|him|her|them|"
        r"how|what|the way|the idea|the (?:first|second|third|last|previous|new|other|answer|result|suggestion|"
        r"poem|story|joke|version|one)|to (?:know|ask|see|hear|say|think))\b",
        r"\b(?:would|'d|might|may|should|could) (?:really |also |absolutely )?(?:like|love|hate|enjoy)\b",
        r"\b(?:whether|if) I\b", r"\bas I (?:like|prefer)\b", r"\byou(?:'re| are| were)\b",
    )),
    Rule("preference", _re(
        rf"我(?:们)?{_GAP_ZH}(?:喜欢|偏好|偏爱|喜爱|热爱|爱(?=[吃喝看听玩用读打跑养穿睡])|讨厌|厌恶|受不了|"
        rf"反感|宁愿|宁可|倾向|习惯用|不习惯|吃不惯|喝不惯|吃素|不爱(?=\w{{2}}))",
        r"我(?:从来|从|现在|已经|一般|一直|平时)?(?:不|再也不)(?:吃|喝|抽|碰)(?!了吗|饭$|下)",
        r"我(?:最|比较|更)(?:喜欢|爱|讨厌)的.{1,16}(?:是|有)",
        r"我的最爱", r"我是.{1,8}(?:迷|控|爱好者|粉丝|党)(?:$|[，,。.!！])",
        r"^(?:比起|相比|跟).{1,12}[，,]?我.{0,4}(?:喜欢|爱)",
    ), 0.65, _re(
        r"喜欢(?:你(?=的?(?:想法|回答|主意|建议|解释)|$|[。.!！，,吧呀啊哦])|上你|这|那|它|他|她|什么|哪|吗|不喜欢|刚才|第)",
        r"(?:讨厌|受不了|爱)(?:你|这|那|它|他|她|死)",
        r"会不会|是不是|不知道|为什么|怎么|如何|觉得|想知道|有人|好奇|听说|以为", r"我(?:们)?(?:不)?(?:喜欢|讨厌)[。.!！]?$", r"^如果"),
    ),
)  # fmt: skip

_DECISIONS = (
    Rule("decision", _re(
        r"\b(?:we|I|they|the team|everyone|our team|you and I|management|(?:the|our|my) (?:\w+ )?(?:board|committee|company|group|family|council|class|boss|manager|client|"
        r"department|parents|landlord|school|customer|jury|club))(?:'ve| have| had)? (?:just |finally |"
        r"all |both |now |already |also |jointly )*(?:decided|agreed|settled|concluded|chose|chosen|picked|opted|"
        r"resolved|committed|voted|made up (?:my|our) minds?)\b",
        r"^(?:so |then |right |ok )*let's (?:just |all |both |then |now |not |always |stay |instead )*(?:go with|"
        r"go for|use|stick|keep|settle|pick|choose|call it|drop|switch|adopt|make it|move (?:it |the )|meet|name|"
        r"deploy|ship|postpone|schedule|skip|avoid|agree|set the|cancel|stay with|take the|do it (?:with|in)|"
        r"write it in|build it)\b",
        r"\b(?:we|I)(?:'ll| will| shall|'re going to| are going to|'m going to| am going to|'re| are|'m|"
        r" am) (?:now |just |then |all |instead )*(?:go(?:ing)? with|us(?:e|ing) .{1,40} (?:for|as|instead)|"
        r"stick(?:ing)? (?:with|to)|switch(?:ing)? (?:to|from)|adopt(?:ing)?|drop(?:ping)?|choos(?:e|ing)|"
        r"not us(?:e|ing)|no longer us(?:e|ing)|mov(?:e|ing) (?:away )?from)\b",
        r"\b(?:we|I)(?:'ve| have)? (?:just |now |finally )*(?:switched|migrated|moved away)(?: back)? (?:to|from)\b",
        r"^(?:the |our |my |final |team )*(?:decision|agreement|verdict|resolution)(?: is| was|:)",
        r"\bit(?:'s| is| was| has been) (?:been )?(?:decided|agreed|settled)\b",
        r"^(?:decided|agreed|approved|settled)(?::| to| on| that)\b",
        r"\b(?:I|we)(?:'ll| will) (?:take|go with|choose|pick) (?:the |option|plan|variant|number)",
    ), 0.85, _re(
        r"(?:\b(?:not|never|haven't|hasn't|can't|cannot|couldn't|didn't|don't|yet to|before we|until we|once we|"
        r"unless we|still to|help (?:me|us)|nothing)\b|n't) (?:have |been |yet |really |be |to )*(?:decid|agree|"
        r"settl|conclud|chos|choos|pick|made up)",
        r"\bundecided\b", r"\bagreed?,? (?:but|though|that makes sense)\b", r"\bI agree\b",
        r"\blet's (?:use|take|pick|keep) (?:an example|it|this|that|a moment|a break|going)\b",
        r"\b(?:almost|nearly) (?:decided|agreed)\b",
    )),
    Rule("decision", _re(
        r"(?:我们|我|大家|团队|咱们|双方|领导|公司|小组|最终|最后|会上|已经|经过讨论)[^，。？！]{0,12}(?:决定|"
        r"商定|约定|说好|讲好|谈好|定下来?了?|敲定|确定(?:了|用|下|在|为|要)|选定|选了|拍板|一致同意|同意了?|"
        r"达成一致|选择了|商量好)",
        r"^[^，。你他她谁]{0,6}(?:会|组|部|团队|公司|领导|老板|全家|家里|班|学校|学院|双方|对方|客户|房东|俱乐部|[^我他她你]们|大家)"
        r"[^，。]{0,4}(?:决定|商定|一致同意|拍板|敲定)(?!权|性|因素|于)",
        r"^(?:决定|结论|决议|最终方案|方案)(?:是|为|[:：]|了)",
        r"(?:那|咱们|我们|我|还是|就|那么)+.{0,10}(?:就|还是|改|先|统一|继续)(?:用|选|叫|按|走|定在?|采用|去|"
        r"在|见|聚|约在?|放在?|写|做成|买|上|保留|用回|改成|订|坐).{1,30}(?:吧|了|好了)[。.!！]?$",
        r"^(?:就|那就|还是)(?:用|选|叫|按|走|定在?|采用|去|约在?|放在?|买|订|坐|改成).{1,30}(?:吧|了|好了|"
        r"就行)?[。.!！]?$",
        r"^[^，。你他她什]{1,10}(?:就|先|还是|继续|暂时)+(?:继续)?(?:用|这样|保留|留着|不变|不改|采用|选|不动|照旧).{0,10}(?:吧|了|好了)?[。.!！]?$",
        r"^(?:我们|咱们)(?:用|选|采用|走|按|去|统一用|改用).{1,30}吧[。.!！]?$",
        r"(?:我们|我|咱们)(?:最终|最后|现在|已经)?(?:选|选择|采用|改用|换成)了",
        r"^[^，。我你]{1,10}(?:就|已经|最终|最后)?(?:定在|定为|定于|敲定)(?!哪|什么)",
        r"(?:会议|发布|上线|交付|婚礼|聚会|聚餐)(?:就)?定在",
    ), 0.85, _re(
        r"(?:没|没有|未|尚未|还没|无法|不能|不|难以|很难|怎么|如何|再|帮我|等)(?:有|能|最终|最后|完全|想好|"
        r"做)?(?:决定|确定|定|同意|商定|选|敲定)",
        r"决定不了", r"(?:决定权|取决于|由.{1,6}决定)", r"我(?:们)?(?:也|都|完全)?同意[。.!！]?$",
        r"就(?:用|选|按)(?:这|那)(?:个|样|种)?(?:吧|了)?$", r"(?:是否|要不要|会不会)",
    )),
)  # fmt: skip

_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child|children|mother|"
    r"mom|mum|father"
    r"|dad|brother|sister|grandmother|grandfather|grandma|grandpa|uncle|aunt|cousin|niece|nephew|parents|twins?|in-laws"
    r"|boss|manager|colleague|coworker|teammate|mentor|neighbou?r|roommate|flatmate|best friend|friend|dog|cat|"
    r"puppy|kitten"
    r"|pet|parrot|rabbit|hamster|landlord|doctor|dentist|teacher|supervisor|assistant|client|cofounder|co-founder)"
)
_KIN_ZH = (
    r"(?:妻子|老婆|太太|媳妇|老公|丈夫|先生|爱人|对象|女朋友|男朋友|女友|男友|未婚妻|未婚夫|儿子|女儿|孩子|小孩|"
    r"宝宝|妈妈|母亲|老妈|爸爸|父亲|老爸|爸妈|"
    r"父母|哥哥|弟弟|姐姐|妹妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|舅舅|姑姑|阿姨|表哥|表弟|表姐|表妹|堂哥|堂弟|"
    r"侄子|侄女|外甥|岳父|岳母|婆婆|公公|"
    r"老板|领导|上司|经理|同事|导师|老师|室友|舍友|邻居|好友|闺蜜|朋友|同学|狗|猫|房东|合伙人|客户|搭档|家人)"
)
_OCCUPATION = (
    r"(?:engineer|developer|programmer|designer|teacher|student|nurse|doctor|lawyer|writer|artist|manager|researcher|"
    r"scientist|accountant|musician|chef|cook|driver|freelancer|founder|analyst|consultant|architect|professor|"
    r"journalist"
    r"|photographer|translator|electrician|carpenter|plumber|mechanic|pilot|farmer|therapist|psychologist|dentist|vet"
    r"|physicist|chemist|biologist|mathematician|economist|librarian|pharmacist|paramedic|firefighter|soldier|"
    r"baker|editor"
    r"|administrator|sysadmin|beginner|retiree|parent|mother|father|mom|dad|widow|widower|vegan|vegetarian|pescatarian"
    r"|muslim|christian|buddhist|hindu|jew|atheist|native|citizen|immigrant|expat|runner|gardener|architect|"
    r"tester|intern"
    r"|owner|director|assistant|specialist|technician|coach|trainer|midwife|surgeon|barista|waiter|waitress|"
    r"clerk|guide)"
)
_ABOUT_ME = (
    r"(?:name|nickname|surname|last name|first name|middle name|age|birthday|date of birth|job|title|job title|"
    r"profession|"
    r"occupation|role|employer|company|email|e-mail|email address|phone|phone number|mobile|number|address|"
    r"home address|"
    r"hometown|home town|nationality|native language|mother tongue|first language|time ?zone|pronouns|blood type|"
    r"height|"
    r"weight|shoe size|size|star sign|zodiac sign|major|degree|school|university|username|handle|github|religion|"
    r"salary|"
    r"laptop|computer|car|bike|operating system|os|phone model|license plate|citizenship|initials|favou?rite)"
)
_ABOUT_ME_ZH = (
    r"(?:名字|姓名|昵称|英文名|中文名|年龄|生日|出生日期|工作|职业|职位|岗位|专业|公司|单位|邮箱|电子邮件|电话|"
    r"电话号码|手机号?|手机号码|微信号?|地址|住址|家乡|"
    r"老家|国籍|母语|时区|血型|身高|体重|鞋码|尺码|星座|学校|大学|学历|用户名|账号|宗教|电脑|车|车牌号?|爱好|"
    r"特长|民族|属相|生肖)"
)

_PERSONA = (
    Rule("persona", _re(
        r"\byour (?:new )?name (?:is|will be|shall be) \w",
        r"\bI(?:'ll| will| shall|'d like to| want to)? (?:name|call|be calling) you [A-Z\w]",
        r"^(?:你|您)(?:就)?(?:的名字)?(?:叫|是叫)(?!什么|啥|做什么|我|他|她|车|人)\w",
        r"(?:你|您)的(?:新)?名字(?:就)?(?:是|叫)(?!什么|啥)",
        r"我(?:以后|就|会|要|想)?(?:叫|管)你(?:叫)?(?!别|不要|去|来|做|帮|写|回|用|给|什么|干)\w",
    ), 0.9, subject="agent"),
)  # fmt: skip

_PROFILE = (
    Rule("profile", _re(
        r"\bmy (?:full |real |first |last |middle |nick)?names?(?:'s| is| are) (?!not important|what)\w",
        r"^(?:please |you can |just |everyone |people |friends |they )*call(?:s)? me (?!back|later|when|if|a\b|"
        r"at\b|tomorrow|tonight|crazy|on\b|maybe)\w",
        r"\bI(?:'m| am) called \w", r"\bI go by \w", r"\bI was named\b",
        r"(?:^|[，,])(?:大家好|你好)?[，,]?我(?:的)?(?:名字|全名|真名|本名|中文名|英文名)?(?:叫|是叫|名叫|"
        r"姓)(?!什么|你|他|她|了|不|做|人|车|外卖|上|来|醒|苦)",
        r"我的(?:名字|姓名|昵称|英文名|中文名)(?:是|叫|改成|换成)",
        r"^(?:请|你可以|可以|大家都|大家|朋友们?都?|以后)?(?:叫|喊|称呼)我(?!起床|一声|去|来|帮|做|吃|别|不|的|"
        r"怎么|什么|上)\w",
    ), 0.95, _re(r"我(?:姓|叫)(?:什么|啥)")),
    Rule("profile", _re(
        rf"\bmy (?:\w+ )?{_ABOUT_ME}(?:'s| is| are|:| was| =|=) (?!not |what|there|ready|broken|too|so |very |"
        rf"also |full|slow|dead|on fire|empty|the same|in danger|bad|good|great)\S",
        rf"\bI(?:'m| am) (?:currently |now |also |still |originally )?(?:an? )(?:[\w-]+ ){{0,4}}{_OCCUPATION}\b",
        r"\bI(?:'m| am) (?:currently |now )?(?:\d{1,3}|[a-z]+teen|twenty|thirty|forty|fifty|sixty|"
        r"seventy)(?:-\w+)?(?: years? old\b|$|[.!,])",
        r"\bI(?:'m| am| was)? (?:currently |now |just |recently |originally )?(?:live|living|lived|based|born|"
        r"raised|grew up|come|from|moved|relocated|moving|stay)(?:d)?(?: and (?:work|raised|born))? ?(?:in|from|"
        r"at|near|to|on|outside|with)? (?:in |from |to )?(?:the |a |an )?[A-Z\d]",
        r"\bI (?:currently |now |just |also )*live (?:in|near|at|on|with|alone|outside|by)\b",
        r"\bI(?:'m| am)? (?:currently |now |also |still |just )*(?:work|working|employed|freelance|freelancing|"
        r"teach|study|studying|major|majoring|volunteer)(?:ed)? (?:as|at|for|in|with|full|part|remotely|from|"
        r"on the|\w+ at|\w+ in) (?!it\b|this\b|that\b|a (?:project|problem|paper|report))",
        r"\bI (?:mainly |mostly |still |only |now |always )?(?-i:use [A-Z]\w+)",
        r"\bI (?:study|studied|teach|majored in|graduated (?:from|in)|speak|own|drive|play(?:ed)? (?:the |in a)|"
        r"hold a|have a (?:degree|phd|master|bachelor|license|allergy|dog allergy|chronic|disability))\b",
        r"\bI(?:'m| am) (?:severely |slightly |mildly |also |highly |very |lactose |gluten )*(?:allergic|"
        r"intolerant|diabetic|asthmatic|pregnant|colou?r.?blind|left.handed|deaf|blind|dyslexic|autistic|married|"
        r"single|divorced|engaged|retired|unemployed|vegan|vegetarian|bilingual|celiac|widowed|near-?sighted)\b",
        r"\bI have (?:been diagnosed with |an? )?(?:type \d |severe |mild |chronic )?(?:diabetes|asthma|adhd|"
        r"migraines|epilepsy|celiac|allergy|allergies|high blood pressure|hypertension|arthritis|"
        r"anxiety disorder|tinnitus)\b",
        r"\bI(?:'m| am) (?:not )?(?:originally |actually |half |also )?(?:american|british|chinese|german|french|"
        r"canadian|indian|japanese|korean|italian|spanish|brazilian|mexican|australian|dutch|swedish|polish|"
        r"russian|turkish|vegetarian)\b",
    ), 0.85, _re(r"\bI(?:'m| am) (?:a )?(?:bit|little|lot|fan)\b", r"\bif I\b", r"\bas if\b")),
    Rule("profile", _re(
        rf"我的(?:\w{{0,3}}的?)?{_ABOUT_ME_ZH}(?:现在)?(?:是|为|在|[:：]|改成|换成|叫)(?!什么|多少|哪|不是)",
        r"我(?:家|们家)?(?:现在|目前|已经|一直|之前|最近|刚|平时|们|.{1,4}前|去年|今年)*(?:住在|住|搬到了?|搬去了?|定居在?|租住在|"
        r"来自|出生在|生于|长大在|家在|老家在|老家是|老家|籍贯)(?!哪|什么|院|宿|得|了$|不)\w",
        r"我(?:现在|目前|一直|之前|刚|最近|们)*在.{1,16}(?:工作|上班|上学|读书|读研|读博|读.{1,8}(?:专业|系|学|硕士|博士)|念书|任职|实习|教书|"
        r"当老师|做.{1,8}|当.{1,8}|开(?:店|公司)|教.{1,6}|长大|出生|留学)(?!的人|怎么|吗)",
        r"我(?:现在|目前|以前)?(?:是|也是|做|当|从事|担任)(?:一?[名个位]|搞|做|学|教|干)?.{0,12}(?:师|生|员|家|"
        r"医生|护士|律师|老师|教授|编辑|经理|主管|总监|工人|农民|军人|警察|博主|作者|记者|司机|老板|创始人|"
        r"志愿者|人|的|工作|行业|开发|设计|新手|左撇子|色盲|素食者|独生子女|单亲|党员|会计|程序员|"
        r"公务员)[，,。.!！]?$",
        r"我(?:今年|现在|已经|刚|马上|快)*(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁",
        r"我(?:对|有)?.{1,12}(?:过敏|不耐受)",
        r"我(?:有|患有|得了|确诊了?)(?:.{0,4})(?:糖尿病|高血压|哮喘|鼻炎|胃病|抑郁症|焦虑症|偏头痛|近视|关节炎|"
        r"多动症|心脏病)",
        r"我(?:会|能)(?:说|讲|弹|写|编).{1,12}(?:语|话|琴|文|他|程)",
        r"我(?:已经)?(?:结婚|离婚|怀孕|退休|毕业|单身|订婚)(?:了|于|[，,。.!！]|$)",
        r"我(?:毕业于|就读于|专业是|学的是|主修|读的是|的专业|属(?:鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪))",
        r"我(?:的)?(?:身高|体重)\s?\d",
    ), 0.85, _re(
        r"我是(?:说|想|不是|来|为了|要|在|因为|觉得|这么|怎么|谁|真的|第一次|指|问|认真的)",
        r"我是.{0,10}(?:的意思|喜欢的|想要的|做的|写的|说的|问的)",
        r"在(?:想|做什么|干|考虑|等)", r"(?:工作|上班)(?:很|太|好|真|累|压力)", r"像我")),
)  # fmt: skip

_RELATIONSHIPS = (
    Rule("relationship", _re(
        rf"\b(?:my|our) (?:[\w-]+ ){{0,3}}{_KIN}(?:,? (?:[A-Z][\w'-]+,? )?|'s name )(?:is|are|was|were|has|have|"
        rf"works?|lives?|goes|loves|likes|hates|prefers|speaks|studies|moved|turns?|plays|started|just started|"
        rf"teaches|runs|wants|died|had)\b",
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{_KIN}(?:'s|s') (?:\w+ ){{0,2}}(?:name|birthday|age|job|email|phone|"
        rf"number|address|wedding|anniversary|school|favou?rite)\b",
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{_KIN}(?:'s) (?:called|named|a|an|\d|in|from|allergic)\b",
        rf"\b(?:I|we)(?:'ve| have| also have| got| adopted|'ve got| have got)? (?:a|an|one|two|three|four|five|"
        rf"\d|no|adopted a|got a) (?:[\w-]+ ){{0,3}}{_KIN}s?\b(?! (?:that|who) (?:can|could|should)|"
        rf" (?:appointment|visit|meeting|call|check|problem|question|issue))",
        rf"\b[A-Z][\w'-]+ is my (?:[\w-]+ ){{0,3}}{_KIN}\b",
        r"\bI(?:'m| am) (?:married to|dating|engaged to|divorced from|seeing) \w",
        r"\bI live with my\b",
    ), 0.8, _re(r"\b(?:ask|tell|told|asked) my\b", r"\blike my\b",
    rf"\b{_KIN} (?:is|was) (?:wondering|asking|here|calling|not|happy|angry|right|wrong)\b")),
    Rule("relationship", _re(
        rf"(?:我|我们)(?:的)?(?:家的?|大|小|老|亲|前|新|女|男|直属|养的){{0,2}}{_KIN_ZH}(?:的名字|今年|现在|也|"
        rf"都|名|的生日|的工作|一家)?[，,]?(?:叫|是|在|住|做|当|\d|[一二三四五六七八九十]{{1,3}}岁|.{{0,6}}满.{{1,3}}岁|.{{0,4}}上(?:小学|初中|高中|大学|幼儿园)|.{{0,4}}(?:毕业|结婚|工作)|喜欢|爱|不|"
        rf"生日|姓|养|对|刚|退休|去世|得了|属|读|上(?:小学|初中|高中|大学|幼儿园)|马上|有)",
        rf"我(?:们)?(?:家)?(?:有|养了?)(?:[一二两三四五六\d]|几|个)?(?:[个只条位名])?.{{0,6}}{_KIN_ZH}",
        rf"\w{{1,6}}是我(?:们)?(?:的)?(?:最.{{1,2}}的|前|大|小|亲|直属)?{_KIN_ZH}",
        r"我(?:和|跟).{1,10}(?:结婚|在一起|订婚|分手|离婚|同居|合租|认识)了?",
    ), 0.8, _re(rf"{_KIN_ZH}(?:说|问|觉得|让我|叫我|怎么|在吗|是不是|在叫|不在|是对的)", r"像我", r"有(?:没有|时)")),
)  # fmt: skip

_NEED_NOT = _re(
    r"\b(?:need|have|got|want|ought|must) (?:to )?(?:know|understand|see (?:how|what|why|the|an?)|find out|"
    r"ask (?:you|a|about)|say|admit|be honest|tell you|clarify|confess|mention|agree|disagree|point out|laugh|"
    r"thank|learn (?:how|about|what))\b",
    r"\bneed (?:you|your|help|some help|advice|an? (?:answer|explanation|example|hand|list|summary|idea|break))\b",
    r"\b(?:don't|do not|didn't|doesn't|did not|no longer|never|won't|not) (?:need|have|want) to\b",
    r"\bhave to (?:say|admit|agree)\b",
    r"\b(?:needed|had|used) to\b(?! do list)",
    r"\bwe need to talk\b", r"\bhow (?:do|can|should)\b", r"\byou (?:need|have|must|should)\b",
    r"\bshould have\b", r"\bI must (?:say|admit|be|have)\b",
)  # fmt: skip
_TODOS = (
    Rule("todo", _re(
        r"^(?:please |can you |could you |would you |will you |also )*(?:remind me|don't let me forget|"
        r"do not let me forget|make sure I|set a reminder|help me remember to)\b",
        r"^(?:please )?(?:remember|don't forget|do not forget|note to self)(?: to\b|[:,]) ?\w",
        r"^(?:to-?dos?|to do|action items?|follow-?ups?|next steps?|open items?|still open|"
        r"pending)(?: list)?(?: (?:is|are|will be|for \w+)(?: to)?)?(?: ?[:：-] ?| is | are | to )?\w{0,3}",
        r"\b(?:the |my |our )?next steps?(?: for \w+)?(?: is| are| will be|:)\b ?\w",
    ), 0.75, _re(r"^(?:what|which|any)\b",
    r"^to do (?:this|that|so|it)\b", r"^pending\b(?! :)"), standing=True, asked=True),
    Rule("todo", _re(
        r"\b(?:I|we) (?:still |also |really |just |now |first |then |urgently |probably |definitely )*(?:need to|"
        r"have to|must|'ve got to|gotta|ought to|should(?= (?:call|email|write|buy|book|finish|send|pay|fix|"
        r"check|renew|clean|visit|ask|prepare|update|review|submit|order|schedule|return|pick)))\b",
        r"\b(?:I|we)(?:'ve| have) (?:still |also )?got to\b",
        r"\b(?:I|we)(?:'m| am|'re| are) (?:supposed|required|due) to\b",
        r"\bI(?:'m| am) (?:still )?(?:planning|hoping|going) to (?:finish|submit|send|call|email|write|buy|book|"
        r"pay|fix|renew|apply|register|prepare|update|review|order|return|visit)\b",
        r"\bI(?:'ll| will) (?:have to |need to )?(?:finish|submit|send|call|email|write|buy|book|pay|fix|renew|"
        r"apply|register|prepare|update|review|order|return|pick up|handle|take care of)\b.{0,60}\b(?:tomorrow|"
        r"tonight|today|later|next|on|by|this|before)\b",
        r"\bneeds? to be (?:done|finished|fixed|sent|submitted|reviewed|updated|paid|renewed|replaced|tested|"
        r"merged|deployed|migrated|rewritten|removed|translated|signed|cleaned|ordered|booked)\b",
    ), 0.7, _NEED_NOT),
    Rule("todo", _re(
        r"^(?:请|麻烦你?|拜托|你|到时候|到时|帮我|能不能|可以|可不可以|能|明天|记得|.{0,12})?(?:提醒我|"
        r"提醒一下我|叫我起床)",
        r"^(?:请|要|得|一定要?|务必|千万|我要|我得|.{0,6}(?:天|周|点|月|号|前|上|午|日|回家|下班|"
        r"出门)[，, ]?)?(?:记得|记着|别忘了?|不要忘了?|别忘记|不要忘记|勿忘)(?!你|他|她|我(?:们)?(?:说|之前)|吗|"
        r"以前|小时候|那)(?=.{2,})",
        r"^(?:待办|待办事项|要做的事|代办|下一步|下步|后续|接下来|接下来的?(?:任务|工作|步骤))(?:事项)?(?:[:：]|"
        r"是|为|要|需要|就是|我们|我|得|的)",
        r"(?:我们|我|咱们)(?:的)?下一步(?:是|要|就|打算|计划)",
    ), 0.75, _re(
        r"(?:是什么|什么|怎么|如何|呢|哪)",
        r"(?:不|别)(?:用|要|需要|必)?提醒", r"提醒我(?:想起|了|的是)"), standing=True, asked=True),
    Rule("todo", _re(
        r"(?:我|我们|咱们)(?:今天|明天|后天|下周.?|这周.?|本周.?|周.|星期.|月底|年底|晚上|下午|上午|回头|等会|"
        r"待会儿?|之后|以后|还|也|都|必须|一定|务必|最近|马上|真的?|确实|可能|总|[^，。]{1,4}之?前|\d+[月日号点]){0,4}(?:得|需要|必须|还要|还得|"
        r"还需要|务必|应该|该|要把|要给|要交|要买|要写|要完成|要处理|要准备|要打|要订|要改|要发|要提交|要修|"
        r"要联系|要预约|要还|要取|要办|要整理|要更新|要续)(?!不|你|到|了|说|意|知道|是|怎么|什么|更|很|承认|帮助|"
        r"帮忙|一个|一份|一些|一张|一篇|多少|如何|出|奖|分|看看你|问你|问一下|问问你|请教|了解)",
        r"(?:还有|尚有|还剩).{1,20}(?:没(?:做|写|交|完成|处理|买|发|改|修|看|付|还|办)|要(?:做|写|交|完成|处理))",
        r"(?:今天|明天|后天|下周.?|这周.?|本周.?|周[一二三四五六日末]|月底|年底|回头|下班后|晚上)(?:之?前|"
        r"内)?[，, ]?(?:得|必须|需要|要|该|还得)(?:去)?(?:交|买|写|完成|处理|准备|打|订|改|发|提交|修|联系|"
        r"预约|还|取|办|整理|更新|续|把|给)",
    ), 0.7, _re(r"(?:不|没|未必)(?:用|必|需要|得|应该)",
    r"需要(?:你|帮助|帮忙|休息|时间|安慰|建议)", r"你(?:得|需要|应该|必须)", r"我(?:们)?(?:是不是|要不要|该不该)")),
)  # fmt: skip
# A task that is finished: it takes its entry away.
FINISHED = _re(
    r"\b(?:I|we)(?:'ve| have| just| finally| already| also| both){0,3} (?:just |finally |already |"
    r"now )?(?:finished|completed|done|submitted|sent|paid|bought|booked|called|emailed|fixed|renewed|ordered|"
    r"returned|picked up|handled|cleaned|signed|delivered|merged|deployed|shipped|wrapped up|got (?:it|"
    r"the .{1,40}) done|taken care of|mailed|scheduled|reviewed|updated|written|cancelled|canceled|registered|"
    r"replaced)\b",
    r"\b(?:is|are|was|has been|have been) (?:now |finally |already |all )?(?:done|finished|completed?|submitted|"
    r"sent|paid|booked|fixed|renewed|ordered|returned|taken care of|merged|deployed|shipped|delivered|"
    r"signed)(?: now| already)?[.!]?$",
    r"^(?:done|finished|completed)(?: with)?:? \w",
    r"(?:已经|都|终于|刚|刚刚|也|总算)?.{0,8}(?:完成|做好|做完|写完|写好|交|提交|买好|买到|买|付|付清|还清|还|寄|"
    r"发|发送|修好|修|订好|预订|预约好|处理完|处理好|办好|办完|整理好|搞定|打过电话|联系|更新|改好|改完|续费|取|"
    r"看完|准备好|合并|上线|部署好)了[。.!！]?$",
    r"(?:已经|终于|总算|刚刚?)(?:.{1,16})(?:完成|做好|做完|写完|写好|交|提交|买好|买到|付|付清|还清|寄|发送|修好|"
    r"订好|预订|处理完|处理好|办好|办完|整理好|搞定|更新|改好|改完|续费|准备好|合并|部署好)了",
)  # fmt: skip
FINISHED_NOT = _re(
    r"\b(?:not|n't|never|haven't|almost|nearly|when|once|if|until|will be|to be)\b",
    r"(?:没|未|不|快要?|几乎|还要|就|如果|等).{0,8}了",
    r"吗|呢",
)

_EVENT = (
    r"(?:meetings?|appointments?|interviews?|flights?|trains?|exams?|tests?|quiz|deadlines?|due date|launch|"
    r"release|demo|party"
    r"|wedding|birthday|anniversary|trip|vacation|holiday|conference|concert|dinner|lunch|breakfast|call|class|"
    r"lesson|surgery"
    r"|operation|visit|presentation|review|kick-?off|stand-?up|delivery|check-?up|game|match|reservation|booking|"
    r"ceremony"
    r"|graduation|hand-?over|workshop|seminar|webinar|session|retreat|migration|move|viewing|hearing|festival|"
    r"marathon|race"
    r"|dentist|doctor|barbecue|reunion|rehearsal|sprint|go-live|cutover|audit|submission|shift|pickup|"
    r"installation|repair"
    r"|renewal|payment|rent|tax return|report|milestone|election|date|semester|course|funeral|baptism|sync|tour)"
)
_EVENT_ZH = (
    r"(?:会议|开会|例会|周会|面试|航班|飞机|火车|高铁|考试|截止|交付|上线|发布会?|聚会|婚礼|生日|旅行|旅游|出差|"
    r"约会|演出|音乐会|演唱会|晚饭|午饭|聚餐|上课|开课|手术|"
    r"看医生|看牙|牙医|体检|复诊|答辩|汇报|演示|培训|搬家|预约|比赛|毕业典礼|开学|放假|到期|值班|出发|回国|入职|"
    r"报到|典礼|评审|验收|到货|讲座|家长会|电话会|拜访|见面|"
    r"碰头|团建|年会|马拉松|签约|续约|交房|还款|缴费|维护|停电|复查|打疫苗|接机|考核|讨论会|截稿|活动|启动会|"
    r"庆祝|起飞|发车|开庭|结婚|回来|过来)"
)
EVENT_NOUN = _re(rf"\b{_EVENT}\b", _EVENT_ZH)
# With a day or a time still to come.
COMING = _re(
    rf"\b{_EVENT}\b",
    r"\b(?:I|we|my \w+|our \w+|[A-Z]\w+)(?:'m|'re|'s| am| are| is|'ll| will| have| has|"
    r"'ve)? (?:\w+ ){0,3}?(?:flying|fly|leave|leaving|moving|move|start|starting|travel\w*|visit\w*|meet\w*|"
    r"arriv\w+|going|go|coming|come|attend\w*|hosting|driving|seeing|return\w*|back|off|away|out of office|"
    r"present\w*|taking|present|having|launch\w*|releas\w*|expect\w*|due|open\w*|clos\w*|ends?|expires?|begins?|"
    r"starts?|plan(?:ning)? to|planned)\b",
    _EVENT_ZH,
    r"(?:我|我们|咱们|他|她|公司|学校).{0,16}(?:要|会|准备|打算|计划|得|将|去|约了|约好|参加|请假|休假|飞|回|到|"
    r"搬|见|等)",
)  # fmt: skip
COMING_NOT = _re(
    r"\b(?:every|each|daily|weekly|usually|always|was|were|did|didn't|yesterday|last|ago|weather|forecast|"
    r"rain\w*|if)\b",
    r"每|天气|昨天|前天|上周|上个|去年|之前就|已经|通常|总是|是不是|如果|下雨",
)
CANCELLED = _re(
    rf"\b{_EVENT}\b.{{0,60}}\b(?:cancell?ed|called off|postponed|rescheduled|moved|pushed|brought forward|off|"
    rf"delayed|changed)\b",
    rf"\b(?:cancell?ed|cancel|postponed?|rescheduled?|moved|called off) (?:the|my|our) (?:[\w-]+ ){{0,4}}{_EVENT}\b",
    rf"{_EVENT_ZH}.{{0,12}}(?:取消|推迟|延期|改到|改成|改为|提前|挪到|延后|不开了|不办了)|(?:取消|推迟|"
    rf"延期)了?.{{0,10}}{_EVENT_ZH}",
)  # fmt: skip
CANCELLED_NOT = _re(
    r"\b(?:every|each|if|usually|always|didn't|wasn't|not|never|should)\b",
    r"每|如果|没有?(?:取消|推迟|延期)|要不要|通常",
)
_LIFE_EVENTS = Rule("event", _re(
    r"\b(?:I|we|my \w+(?: \w+)?)(?:'ve| have| has)? (?:just |recently |finally |also )*(?:got|gotten|"
    r"getting) (?:married|engaged|divorced|promoted|fired|laid off|accepted|hired|a (?:new )?(?:job|dog|cat|"
    r"puppy|house|car|promotion|offer))\b",
    r"\b(?:I|we|my \w+(?: \w+)?)(?:'ve| have| has)? (?:just |recently |finally )*(?:graduated|gave birth|"
    r"had a baby|passed away|died|retired|started (?:a new job|working|at|university|school)|quit (?:my|his|"
    r"her) job|broke up|bought (?:a|our|my first) (?:\w+ )?(?:house|car|flat|apartment|home)|adopted a|"
    r"passed (?:my|the) \w+|won (?:the|a|an|first))\b",
    r"(?:我|我们|我.{1,4})(?:.{0,8})(?:结婚了|订婚了|离婚了|分手了|升职了|被裁了?|辞职了|入职了|毕业了|生了(?:个|"
    r"一)|怀孕了|去世了|退休了|考上了|录取了|买了(?:房|车|新房|新车)|搬家了|换工作了|拿到了.{0,8}(?:offer|证|"
    r"学位|驾照)|考过了|通过了.{0,8}考试|得了.{0,6}奖)",
), 0.7, _re(r"\b(?:almost|never|not)\b", r"没|差点"))  # fmt: skip

_HABITS = (
    Rule("habit", _re(
        r"\bI (?:also |still |now )?(?:usually|normally|typically|generally|regularly|tend to|always|often|"
        r"mostly|rarely|hardly ever) (?!wonder|think|thought|feel|have to|forget|say)\w",
        r"\b(?:I|we) (?!(?:need|have|want|must|should|think|wonder|was|were|am|had)\b)\w+.{0,60}\b(?:every|"
        r"each) (?:single |other )?(?:day|morning|evening|night|afternoon|week|weekend|month|year|monday|tuesday|"
        r"wednesday|thursday|friday|saturday|sunday|summer|winter|spring|quarter)\b",
        r"^(?:every|each) (?:single |other )?(?:day|morning|evening|night|week|weekend|monday|tuesday|wednesday|"
        r"thursday|friday|saturday|sunday),? (?:I|we)\b",
        r"\b(?:I|we) (?!was|were|had)\w+.{0,50}\b(?:on (?:weekends|weekdays|mondays|tuesdays|wednesdays|"
        r"thursdays|fridays|saturdays|sundays)|(?:once|twice|three times|\d times) a (?:day|week|month|year))\b",
        r"\bI(?:'m| am) (?:used to|in the habit of|accustomed to) \w",
        r"(?:我|我们)(?:.{0,8})(?:平时|通常|一般|经常|每天|每周|每个月|每月|每年|总是|每逢|每到|每晚|每早|天天|"
        r"习惯(?:了|在|早|晚|先|每))(?!都?(?:会)?(?:想|觉得|问|忘|有))",
        r"^(?:平时|通常|每天|每周.?|每个月|每晚|每天早上|每天晚上|周末|每个周末|工作日)[，, ]?(?:早上|晚上|下午|"
        r"上午)?(?:我|我们)(?:都|会|要|就|一般)?",
    ), 0.6, _re(
        r"\bI (?:always|often) (?:get|have|see) (?:an? |this |the )?(?:error|problem|same)",
        r"\b(?:is|are) always\b", r"每天(?:都)?(?:很|好|太)")),
)  # fmt: skip

# Something that cannot be guessed: an address, a version, a path, an id, an amount.
VALUE = _re(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?(?![\w.]*\d)",
    r"(?<![A-Za-z\d.])v?\d+\.\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha|lts)\.?\d*)?(?![A-Za-z\d])",
    r"https?://\S+|\b[\w.+-]+@[\w-]+\.\w+|\bwww\.\S+",
    r"(?:^|[\s:：是在到])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.-]+(?:[/\\][\w.-]*)*",
    r"\b[\w-]+\.(?:com|org|net|io|dev|cn|local|lan|md|py|txt|json|yaml|yml|toml|csv|pdf|docx?|xlsx?|db|sqlite|"
    r"conf|env|internal)\b",
    r"(?<![A-Za-z\d])(?-i:(?=[A-Z\d#-]*\d)[A-Z#][A-Z\d]*[-#]?[A-Z\d-]*\d[A-Z\d-]*)(?![A-Za-z\d])",
    r"(?<![A-Za-z\d])\d[\d ,-]{2,}\d(?![A-Za-z\d])", r"(?<!\d)\d{3,}(?!\d)", r"(?<![A-Za-z\d])(?=[a-f]*\d)[0-9a-f]{7,40}(?![A-Za-z\d])",
    r"[$€£¥￥]\s?\d",
    r"(?<![A-Za-z\d])\d+(?:[.,]\d+)?\s?(?:%|percent|euros?|dollars?|usd|eur|gb|tb|mb|kb|ghz|mhz|kg|g|km|cm|mm|m²|sqm|ml|"
    r"liters?|litres?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|people|users|employees|pages|rooms|"
    r"floors?|ms|volts?|watts?|degrees|°c?|cores|units|seats)(?![A-Za-z])",
    r"\d+(?:\.\d+)?\s?(?:元|块|万|亿|平米|平方米|公里|千米|米|公斤|斤|克|升|毫升|小时|分钟|天|周|个月|年|人|台|名|位|辆|间|套|栋|亩|"
    r"层|楼|号楼|室|度|页|端口|核|兆|寸|折)",
    r"\b(?:port|room|floor|build|issue|ticket|version|gate|platform|apartment|flat|unit|line|slot|locker|row|"
    r"seat|step) #?\w?\d+\b",
    r"\b\d{1,2}(?::\d{2})? ?(?:am|pm)\b|\b\d{1,2}:\d{2}\b",
)  # fmt: skip
_STATES = _re(
    r"(?<![:/])\b(?:is|are|was moved to|has|have|runs?|lives?|listens?|sits|uses?|moved|changed|equals|points|"
    r"costs?|expires?|weighs|measures|contains|holds|takes|starts?|opens?|closes?|ends?|needs|requires|supports|"
    r"got|belongs|stands)\b|'s (?!go|see|use)|=|[:：]",
    r"(?<![总还都就但可或])是|为|在|改成|改为|换成|变成|叫|位于|放|存|用|跑|部署|等于|值|共|有|花了?|售价|价格|"
    r"需要|占|每|搬到|指向|达到|端口|版本|编号|地址",
)
_FACTS = (
    Rule("fact", _re(
        r"\b(?:the|our|my|this|his|her|their) (?:[\w'/.-]+ ){1,6}(?:is|are|was) (?:called|named|known as|stored|"
        r"located|kept|hosted|owned|maintained|managed|written|deployed|based|run|led|made of|backed up|built|"
        r"hidden|parked|paid|due|open|closed|in the|on the|at the|under the|behind the|next to) \w",
        r"\b(?:we|our \w+(?: \w+)?|the \w+(?: \w+)?)(?:'re| are| is)? (?:now |currently |still |also )*(?:uses?|"
        r"using|runs? on|running on|deploys? (?:to|on|with)|stores?|host(?:s|ed)? (?:on|at|in)|migrated to|"
        r"moved to|written in|built (?:on|with|in)) (?:\w+ ){0,3}?(?-i:[A-Z]\w*|\w+\.\w+|`)",
        r"^(?!我|你|他|她|谁|有人|请|大家|别|不|都)[^，。]{1,10}(?:叫做|名叫|叫)(?!我|你|人|做|上|来|车|什么|他|她|醒)\w{1,12}[。.!！]?$",
        r"(?:我们|咱们|公司|项目|服务器?|团队|产品|仓库|系统|数据库|网站|应用|路由器|打印机|学校|组|店|备份|文件|"
        r"钥匙|代码|日志|配置|密钥库|车|行李|护照|资料|合同|快递).{0,12}(?:名叫|叫做|叫|的名字是|代号是|位于|"
        r"部署在|放在|存放在|存在|跑在|运行在|托管在|用的是|使用的是|基于|由.{1,10}负责|负责人是|地址是|停在|"
        r"藏在|保存在|备份在|备份到|搬到了?)(?!哪|什么|一起|线|吗)\w",
    ), 0.6, _re(
        r"\b(?:not|isn't|aren't) (?:stored|located|called)\b",
        r"存在(?:问题|一些|很多|风险|bug|的)", r"叫(?:我|你|人|做什么)")),
)  # fmt: skip

_EMOTION = (
    Rule("emotion", _re(
        r"\bI(?:'m| am|'ve been| have been|'m feeling| feel| felt| am feeling| was|'m getting|"
        r" am getting)? ?(?:feel |feeling |been |being |getting )?(?:so |very |really |a bit |a little |pretty |"
        r"quite |extremely |super |completely |kind of |kinda |incredibly |totally |absolutely |too |just |still |also |"
        r"rather |deeply |a little bit |more and more )*(?:happy|sad|tired|exhausted|angry|upset|frustrated|"
        r"anxious|nervous|worried|excited|thrilled|depressed|lonely|stressed(?: out)?|overwhelmed|scared|afraid|"
        r"proud|grateful|disappointed|heartbroken|miserable|furious|ashamed|embarrassed|jealous|bored|devastated|"
        r"relieved|burned out|burnt out|hopeless|homesick|terrified|joyful|melancholy|down|annoyed|guilty|hurt|"
        r"content)\b",
        r"\bI(?:'ve| have)? (?:really |so |still )*(?:miss(?:ed)? (?:my|her|him|them|home)|can't stop crying|"
        r"cried|had a (?:terrible|horrible|rough|bad|great|wonderful|awful) (?:day|week|night))\b",
        r"^(?:心里|心情|情绪|心态)(?:真的?|很|有点|非常|特别|不太|不|好|越来越)*(?:难过|好|糟|低落|差|乱|崩|沉重|难受|郁闷|烦)",
        r"我(?:今天|最近|现在|这几天|这周|昨天|昨晚|一直|刚才|觉得|感到|感觉|心里|的心情)*(?:有点|有些|很|好|"
        r"非常|太|真的|特别|挺|超级?|十分|一直|越来越|都|快要|快)*(?:开心|高兴|难过|伤心|累|疲惫|焦虑|紧张|生气|"
        r"愤怒|郁闷|害怕|孤独|寂寞|兴奋|激动|失望|沮丧|烦|烦躁|压力(?:很|好|太|特别|有点)?大|崩溃|想念|思念|委屈|内疚|后悔|"
        r"自豪|感动|幸福|想家|无聊|绝望|担心|难受|不开心|不高兴|抑郁|心累|迷茫|失落|气死|骄傲|尴尬)",
    ), 0.35, _re(
        r"\b(?:not (?:sure|really)|happy (?:to|with|for you|about your)|afraid (?:that|not|I|so|we)|sorry|glad|"
        r"excited to (?:try|see|hear)|sad (?:song|story|poem)|tired of (?:this|these|your)|content (?:is|of)|"
        r"down (?:with|to|for)|worried that (?:this|the|it)|would be|if I)\b",
        r"(?:有点怀疑|不累|不难过|不紧张|不担心|累计|累积|担心的是|高兴(?:认识|见到|为你)|麻烦你?)",
    )),
)  # fmt: skip

# In the order in which they are tried.
RULES: tuple[Rule, ...] = (
    *_PERSONA, *_DECISIONS, *_PREFERENCES[:1], *_TODOS[:1], *_TODOS[2:3], *_PREFERENCES[1:3], *_PROFILE,
    *_RELATIONSHIPS, *_PREFERENCES[3:], *_TODOS[1:2], *_TODOS[3:], _LIFE_EVENTS, *_HABITS,
)  # fmt: skip
LATE_RULES: tuple[Rule, ...] = (*_FACTS, *_EMOTION)
STEPS: tuple[Rule, ...] = (_TODOS[0], _TODOS[2])


def states_value(clause: str) -> bool:
    """Whether it says of something an address, a version, an amount: what cannot be guessed."""
    value = VALUE.search(clause)
    return value is not None and bool(_STATES.search(clause[: value.start() + 1]))
