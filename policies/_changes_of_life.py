"""A new employer and a home that stays, as told in one sentence that says that something else held, or was planned,
before: "I changed jobs, I'm at ... now", "我换工作了，去了…"."""

from __future__ import annotations

from localagent.deaths import LOST
from localagent.persons import PEOPLE

from ._doings import EVENT, EVENT_ZH
from ._people import FAMILY_ZH, KIN, KIN_ZH, OCCUPATION
from ._rule import Rule, any_of
from ._wishes import ORNAMENTS

_COMPANY = r"(?:the )?(?:an? (?:[\w-]+ ){0,2}(?:startup|start-up|company|firm|agency) (?:called|named) )?(?-i:[A-Z])\w"
_LEFT = (
    r"\b(?:(?:chang|switch)\w* jobs|(?:got|found|have|started) a new job|left (?:my (?:old )?job|"
    r"(?:the )?(?-i:[A-Z])\w+)|"
    r"quit (?:my job|(?-i:[A-Z])\w+)|resigned|(?:don't|do not|no longer) work\b)"
)
_LEFT_ZH = (
    r"我(?:们)?[^，。]{0,8}?(?:换了?(?:一?[份个])?(?:新)?工作|跳槽|离职|辞职|"
    r"不在[^，。]{1,10}?(?:了|上班|工作|干))[^，。]{0,3}"
)
# Whoever left goes on a journey, or studies.
_NO_EMPLOYER_ZH = r"(?![^，。]{0,8}(?:旅|玩|度假|读|留学|学校|休息|找|面试|散心|家(?:里|$)))"

NEW_JOB = Rule("profile", any_of(
    rf"{_LEFT}[^.;!?]{{0,40}}?(?:,|:| and| -| –|;) (?:and |so )?(?:now |since \w+ |from \w+ )?"
    rf"I(?:'m| am| have|'ve|'ll| will)? (?:now |be )?(?:(?:work(?:ing)?|start(?:ed|ing)?) (?:at|for|with)|at|with|"
    rf"join(?:ed|ing)?) {_COMPANY}",
    rf"\bI(?:'ve| have)? (?:just |recently )*(?:got|found|started|have|took) (?:a |my )(?:new )?job (?:at|with) "
    rf"{_COMPANY}",
    rf"\bI(?:'ve| have)? (?:just |recently )*(?:started (?:working )?|switched (?:jobs )?)(?:at|to) {_COMPANY}[^,.;]*"
    r"\bas an? ",
    rf"{_LEFT_ZH}[，,](?:我)?(?:现在|目前|已经|刚|就)*(?:去了?|到了?|加入了?|入职了?|进了?|"
    rf"在){_NO_EMPLOYER_ZH}\w{{2,}}",
    rf"我[^，。]{{0,6}}跳槽(?:到|去)了?{_NO_EMPLOYER_ZH}\w{{2,}}",
    rf"我(?:[^，。]{{0,6}}入职了|(?:刚刚?|已经|最近|上个?(?:周|月)|昨天){{1,2}}入职){_NO_EMPLOYER_ZH}(?!体检|手续|"
    rf"培训|前|后|时|一|两|三|半|的)\w{{2,}}",
), 0.85, any_of(r"\b(?:if|might|may|almost|used to)\b", r"如果|差点|可能|打算|准备|想|要不"))  # fmt: skip

STAYS = Rule("profile", any_of(
    r"\b(?:never mind|scratch that|forget it|change of plans?|on second thoughts?|not moving(?: after all)?)"
    r"\b[^.?]{0,12}?"
    r"\bI(?:'m| am) (?:still )?(?:staying|living) (?:in|at) (?-i:[A-Z])",
    r"\bI(?:'m| am) staying (?:in|at) (?-i:[A-Z])[\w ]{1,24}? after all\b",
    r"^(?:算了|我?们?不搬了|改主意了)[，,]?我?(?:还是|就|继续)*(?:住在|留在)(?!家|这|那|酒店)\w{2,}",
    r"我(?:决定)?(?:还是|继续)(?:住在|留在)(?!家|这|那|酒店|学校)\w{2,}(?:不搬|吧|了|$)",
), 0.85)  # fmt: skip

_IS_NOW = r"(?:,|;| -| –|:)? (?:and |so )?(?:it's|it is|its now|now it's|the new (?:one|\w+) is(?: now)?|which is)"
_IS_NOW_ZH = r"(?:了|过了)?[，,、：:](?:现在|新的?[\u4e00-\u9fff]{0,3}|改)(?:是|为|叫|成)?"
_VALUE = r"[：:]? ?(?=[\w +@.-]*(?:[\d@]|(?-i:[A-Z])))\S"
# What has another value, and which: in one sentence.
RENEWED = Rule("profile", any_of(
    rf"^(?:I|we)(?:'ve| have)? (?:just |recently )?(?:(?:changed|switched|updated) (?:an?|my|our|the)|(?:got|"
    rf"have) an?)(?: new)? "
    rf"[\w' -]{{3,30}}?{_IS_NOW}{_VALUE}",
    rf"^(?:my|our) [\w' -]{{3,40}}? (?:has |have |was |is |just )*changed{_IS_NOW}{_VALUE}",
    rf"^(?:我们?|家里)(?:刚|最近|又|已经)*(?:换|"
    rf"改)了?(?:一?个)?新?的?[\u4e00-\u9fffA-Za-z-]{{2,8}}?{_IS_NOW_ZH}{_VALUE}",
    rf"^我们?家?的?[\u4e00-\u9fffA-Za-z-]{{2,8}}?(?:刚|又|已经)*(?:换|改|变){_IS_NOW_ZH}{_VALUE}",
), 0.85, any_of(r"\b(?:if|job|mind|topic|subject)\b", r"如果|打算|想|要不|工作|主意|话题"))  # fmt: skip

# What was decided is not to be, and what is.
CHANGED_MIND = Rule("decision", any_of(
    r"(?:\b(?:I|we)(?:'ve| have)? (?:just |both )?changed (?:my|our) minds?|^change of plans?|^(?:the |"
    r"our )?plans? (?:has |have )?"
    r"changed)(?:,|;|:| -| –)? (?:and |so |"
    r"now )?(?:(?:her|his|"
    r"its|their|the|our|my) \w+(?: \w+)? (?:will|is going to|'ll|is) (?:now )?\w|(?:it|she|he|they)(?:'ll| will|"
    r" is going to)"
    r" \w|(?:we|I)(?:'ll| will|'re going to| are going to|'m going to| am going to|'re| are|'m| am) (?!not sure)\w)",
    r"^(?:(?:我们?|咱们)?(?:又)?(?:改|变|换)(?:了)?主意了?|(?:计划|行程|安排)(?:有变|变了|改了))[，,](?!你|请|帮|"
    r"算了)[^，。？?]*(?:叫|去|用|坐|选|买|改|"
    r"还是|不|定|要)\w",
), 0.85, any_of(r"\b(?:if|almost|whether)\b", r"如果|差点|要是|[吗呢][。.!！]*$"))  # fmt: skip
_GOING = (
    r"(?:now )?(?:going|flying|moving|driving|heading|travell?ing|spending|visiting|staying|go|fly|drive|visit|stay)\b"
)
# Where a journey goes instead. It counts for the journey that it changes.
DIVERTED = Rule("event", any_of(
    rf"^(?:(?:scrap|scratch|forget) (?:that|it|this|(?-i:[A-Z])[\w'-]+)(?:[,;:.]| -| –)(?: [^,;.?]{{2,40}}[,;])?|"
    rf"(?-i:[A-Z])[\w-]+(?: is|'s| was)? (?:fell through|(?:far |way )?too \w+|off|cancelled|fully booked|sold "
    rf"out)[,;]) (?:so )?(?:we|I)(?:'re| are|'m| am|'ll| will) {_GOING}",
    r"^(?:不去[^，。]{2,6}了|[^，。我你]{1,6}(?:太[^，。]{1,4}了|取消了|去不[了成])|(?:计划|"
    r"行程)[有变][^，。]{0,3})[，,]"
    r"(?:我们?|咱们?)?(?:还是|就|决定|打算)*改?[去回飞][\u4e00-\u9fff]{2}",
), 0.3, any_of(r"\b(?:if|maybe|might|whether)\b", r"如果|要是|可能|[吗呢][。.!！]*$"))  # fmt: skip
# Of one clause.
TURNED = Rule("decision", any_of(
    r"\b(?:I|we)(?:'ll| will| shall|'re going to| are going to|'m going to| am going to| have decided to|"
    r"'ve decided to)"
    r" (?!be\b|see\b|not\b|have to\b)\w[^?]*? after all\b",
    r"\b(?:I|we)(?:'re| are|'m| am) (?!not\b|going to\b|doing\b|feeling\b|being\b)(?:now )?\w+ing\b[^?]*? after all\b",
), 0.8, any_of(r"\b(?:if|maybe|perhaps|might|whether)\b"))  # fmt: skip
_RECENTLY = r"(?:(?:has|have|had|just|sadly|suddenly|peacefully|unfortunately|recently) )*"
_DIED = r"(?:died|passed away|passed on|(?:was|had to be) put (?:down|to sleep))\b"
_WHEN = (
    r"(?:just|suddenly|sadly|yesterday|today|tonight|this (?:morning|week|month)|last (?:night|week|month|\w+day)|"
    r"on \w+day|"
    r"(?:\w+ )?(?:days?|weeks?) ago|the other day)"
)
_WHEN_ZH = r"(?:昨天|昨晚|今天|今早|今晨|前天|刚刚?|上周|上星期|上个?月|前几天|前不久|这周|周[一二三四五六日])"
_DIED_ZH = r"(?:去世|过世|离世|病逝|安乐死|去(?:了)?[汪喵]星)了?"
_END_ZH = r"(?=[，,。.!！]|$)"
# Of the old who are one's own, 走了 is enough.
_OLD_ZH = r"(?:爷爷|奶奶|外婆|外公|姥姥|姥爷)"
_PARENT = r"(?-i:Mum|Mom|Dad|Mummy|Daddy|Grandma|Granny|Gran|Nana|Grandpa|Grandad|(?:Uncle|Aunt|Auntie) [A-Z][\w'-]+)"
DIED = Rule("relationship", any_of(
    rf"^{_PARENT} {_RECENTLY}{_DIED}",
    rf"^(?:I|we)(?:'ve| have)? {_RECENTLY}lost (?:(?:my|our) (?:{PEOPLE})(?: (?-i:[A-Z])[\w'-]+)?|{_PARENT}){LOST}",
    rf"^(?:我们?)?家?的?{FAMILY_ZH}[^，。我你的]{{0,6}}?(?:{_DIED_ZH}|死了|不在了){_END_ZH}",
    rf"^(?:我们?)?家?的?(?:{_OLD_ZH}|{FAMILY_ZH}{_WHEN_ZH}(?:早上|晚上|凌晨|夜里)?)(?:已经)?[走没]了{_END_ZH}",
    rf"\b(?:my|our) (?:[\w-]+ ){{0,3}}{KIN}(?:,? (?-i:[A-Z])[\w'-]+,?)? {_RECENTLY}{_DIED}",
    rf"^(?-i:[A-Z])[\w'-]+ {_RECENTLY}{_DIED}(?=.*\b{_WHEN}\b)|^(?-i:[A-Z])[\w'-]+ (?:has )?(?:just|sadly) {_DIED}",
    r"\b(?:I|we)(?: had to| have had to|'ve had to) (?:put|have) (?:my|our|the|(?-i:[A-Z]))[\w' -]{1,30} (?:down|"
    r"put down|"
    r"(?:put )?to sleep)\b",
    rf"我们?(?:家)?(?:的)?[大小老二]?{KIN_ZH}[^，。我你]{{0,8}}?(?:{_DIED_ZH}|死了)",
    rf"^[\u4e00-\u9fff]{{2,3}}{_WHEN_ZH}[^，。我你]{{0,4}}?(?:{_DIED_ZH}|死了)",
), 0.85, any_of(
    r"\b(?:if|almost|nearly|not|never|dream\w*|battery|phone|laptop|computer|game|movie|film|book|show|episode|"
    r"character|"
    r"novel|story|(?:1\d|20)\d\d)\b|n't\b",
    r"如果|差点|没有?(?:去世|死)|梦见|电影|小说|游戏|电视剧|书里|手机|电脑|电池|服务器|程序|网络|系统|[吗呢][。.!！]*$",
))  # fmt: skip
SOLD = Rule("event", any_of(
    r"\b(?:I|we)(?:'ve| have)? (?:just |finally |recently |already )*(?:(?:sold|traded in) (?:the|my|our)|"
    r"(?:gave away|given away|scrapped|got rid of|totalled|totaled|wrecked) (?:my|our)) (?!idea\b|point\b|soul\b)\w",
    rf"我们?(?:家)?(?:{_WHEN_ZH}|已经|终于)*(?:把|将)[^，。？]{{1,14}}(?:卖|转手|处理|送人|报废)(?:掉|"
    rf"给[^，。]{{1,6}})?了",
    rf"我们?(?:家)?(?:{_WHEN_ZH}|已经|终于)*卖(?:掉)?了(?:我们?的?|家里的|那)[^，。？]{{1,14}}",
), 0.6, any_of(
    r"\b(?:if|almost|nearly|not|never|might|wish)\b|n't\b", r"如果|差点|没有?|想|打算|准备|可能|要不|[吗呢][。.!！]*$",
))  # fmt: skip
_CAN_END = (
    r"(?:class(?:es)?|courses?|lessons?|seat|place|membership|subscription|scholarship|grant|pension|"
    r"benefits?)"
)
# What is over. It counts for what it ends.
ENDED = Rule("event", any_of(
    r"^(?:the|our|my) [\w' -]{2,40}? (?:(?:has|have|had|just|now|finally) ){0,3}(?:(?:closed|shut) "
    r"(?:down|for good)|closed permanently|(?:went|gone) (?:bust|bankrupt|out of business))(?=$|[,.!])",
    rf"^(?:I|we)(?:'ve| have)? {_RECENTLY}(?:(?:dropped|lost) (?:my|our) (?:[\w-]+ ){{0,3}}?{_CAN_END}(?=$|[,.!])|"
    r"(?:came|come) off (?!(?:it|an?|this|that|well|worse|badly|as|in|on|at)\b)(?:the |my )?[\w-]+(?=$|[,.!])|"
    r"(?:paid|repaid) (?:my|our) [\w-]+ back)",
    r"^(?:(?:my|the|our|his|her) (?:[\w-]+ ){1,3}?|(?!it|that|this|all\b|everything|things?)(?-i:[a-z])[\w -]{2,20} )"
    r"(?:(?:is|are|feels?) (?:all |completely |totally |now |much )*(?:fine|better|okay|ok|good)(?: again| now|"
    r" at last)+|"
    r"(?:has|have) (?:\w+ )?healed(?: up)?)(?=$|[,.!;])",
    rf"^{_PARENT} (?:was|has been|got) (?:switched|put|moved) (?:over )?(?:on|to|onto) ",
    rf"^[^，。？?你]{{2,14}}(?:倒闭|停业|关张|永久关[门闭])了{_END_ZH}",
    rf"^我?[^，。？?你我他她把]{{0,8}}?(?:(?:工作|兼职|饭碗)丢|我停|卖掉|[胃腰腿脚手眼牙背肩颈头耳膝盖](?:已经|"
    rf"都)?(?:好|不痛))了{_END_ZH}",
    rf"^[^，。？?你的]{{1,6}}{_WHEN_ZH}(?:早上|晚上|凌晨)?没了{_END_ZH}",
), 0.3, any_of(
    r"\b(?:if|almost|nearly|not|never|might|wish|bike|horse|phone)\b|n't\b",
    r"如果|差点|没有|打算|准备|可能|[吗呢][。.!！]*$",
))  # fmt: skip
_PORTION = r"(?:puffs?|sprays?|tablets?|pills?|capsules?|drops?|sachets?|units?|mg|mcg|ml)\b"
# What somebody has no more, takes again or takes otherwise. It counts for what says that they have or take it.
REVERSED = Rule("event", any_of(
    r"^(?:the|our|my) [\w' -]{2,30}? (?:was|were|got|has been|have been) (?:stolen|nicked|pinched|robbed|written off|"
    r"totall?ed|wrecked)(?=$|[,.!]| (?:last|this|yesterday|today|on|from|outside|in|over|by|and)\b)",
    r"^(?:some(?:one|body)|they|thieves) (?:has |have )?(?:stole|stolen|nicked|pinched|robbed|"
    r"swiped) (?:my|our|the) \w",
    r"^(?:I|we)(?:'m|’m|'re|’re| am| are) (?:now |well |properly )?back (?:on (?:the )?(?!(?:track|my|our|top|"
    r"nights?|days?|earlies|lates|shift|call|board|form|good|speaking)\b)|(?:drinking|eating|smoking|"
    r"taking|playing|doing) )[\w -]{3,24}"
    r"(?=$|[,.!])",
    r"^(?:I|we)(?:'m|’m|'re|’re| am| are) (?:now |finally |completely )?off (?:the|my) (?!(?:phone|bus|"
    r"train|plane|hook|"
    r"couch|sofa|road)\b)[\w-]+(?: tablets| pills| meds)?(?=$|[,.!]| (?:now|since|as|for good)\b)",
    rf"^(?:(?:I|we|they)(?:'ve|’ve| have)?|(?:my|the) (?:gp|doctor|nurse|consultant|specialist)|dr\.? \w+)"
    r"(?:['’]s| has)? (?:just )?(?:put|upped|increased|raised|cut|reduced|lowered|dropped|brought) [\w -]{3,30}? "
    r"(?:up |down |back )*to "
    rf"[\w. ]{{1,16}}?{_PORTION}",
    rf"^[^，。？?你我他她]{{1,6}}(?:走丢|跑丢)了{_END_ZH}",
), 0.3, any_of(
    r"\b(?:if|almost|nearly|not|never|might|wish|your|film|movie|book|show)\b|n't\b",
    r"如果|差点|没有|可能|[吗呢][。.!！]*$",
))  # fmt: skip
NEW_TITLE = Rule("profile", any_of(
    rf"\bI(?:'ve| have)? (?:just |recently |finally )*(?:became|become|(?:(?:got|was|been|"
    rf"am) )?promoted to) (?:an? |the )?"
    rf"(?:[\w-]+ ){{0,4}}{OCCUPATION}\b",
    rf"^我(?:{_WHEN_ZH}|现在|已经|终于|正式|今年|去年)*(?:是|当上了?|成了|成为了?|升(?:任|职|成|为|到)?(?:为|了|"
    rf"成)?|被提(?:拔|升)(?:为|成|到)"
    r"|转(?:行|岗)?(?:做|当|成|为)了?)(?![说想要在指来因])[^，。？的]{0,12}(?:师|员|医生|护士|律师|教授|编辑|经理|"
    r"主管|总监|组长|校长|"
    r"主任|警察|记者|司机|"
    r"老板|会计|创始人|店长|厨师长|科长|处长|主编|院长|老师)了?[。.!！]*$",
), 0.85, any_of(
    r"\b(?:if|almost|nearly|not|never|might|wish|when I)\b|n't\b", r"如果|差点|没有?|想|打算|准备|可能|要不|"
    r"[吗呢][。.!！]*$|"
    r"^我是",
))  # fmt: skip
_ALLOWED = (
    r"(?:is|are)(?: all| now| totally| absolutely)? (?:fine|ok|okay|alright|allowed|welcome|possible)"
    r"(?: (?:by|for|with) me)?"
)
_AGAIN = r"(?: now| again| after all| from now on)+[.!]*$"
_ANSWERING = r"(?:use|add|send|write|include|put|suggest|schedule|plan|book|explain|answer|reply|call me)"
_LENGTHS = (
    r"(?:(?:somewhat |a bit |slightly |much )?(?:longer|shorter|more detailed|briefer) (?:answers|replies|responses)|"
    r"(?:answers|replies|responses) (?:can|may|could) be (?:now )?(?:somewhat |a bit |slightly |much )?(?:longer|"
    r"shorter|more detailed|briefer|more thorough))(?: now| again| from now on)?[.!]*$"
)
# A wish that holds no more.
TAKEN_BACK = Rule("preference", any_of(
    rf"^(?:ok,? |okay,? |actually,? |please,? |from now on,? |so |and )*no more (?:\w+ )?{ORNAMENTS}\b",
    rf"^{ORNAMENTS} {_ALLOWED}{_AGAIN}",
    rf"^{EVENT}s? (?:at|before|after|on|in|from|until) [^,;?]{{1,30}} {_ALLOWED}{_AGAIN}",
    rf"^you (?:can|may|could) {_ANSWERING}\b[^?]{{2,60}} again[.!]*$",
    rf"^you (?:can|may|could) (?:use|add|include|put) (?:\w+ )?{ORNAMENTS}{_AGAIN}",
    rf"^(?:you (?:can|may|could) (?:give|write|use|make)(?: me| your| the)?|your) {_LENGTHS}",
    rf"^you (?:don't|do not|needn't|no longer)(?: have to| need to)? {_ANSWERING}\b(?=.*\b(?:in|with|every|each|"
    rf"always|me)\b|.*{ORNAMENTS})"
    rf"[^?]{{2,60}}?(?: any ?more|"
    rf" any longer)[.!]*$",
    rf"^you no longer (?:have|need) to {_ANSWERING}\b(?=.*\b(?:in|with|every|each|always|me)\b|.*{ORNAMENTS})",
    r"^(?:现在|其实|以后)*(?:表情符号?|颜文字|emoji|列表|表格|标题|术语|感叹号|英文|中文)(?:现在|又|也|就|都|"
    r"是)*(?:可以|能|行)[^，。？]{0,6}了[。.!！]*$",
    r"^(?:你)?(?:现在|其实|以后|又|也)*(?:可以|能)(?:用|使用|加)(?:表情符号?|颜文字|列表|表格|标题|术语|感叹号|英文|"
    r"中文)了[。.!！]*$",
    r"^(?:你)?(?:现在|其实|以后|又|也)*(?:可以|能)(?:再|重新)(?:用|使用|加|发|安排|推荐|"
    r"叫)[^，。？我你]{1,12}了[。.!！]*$",
    r"^(?:你)?(?:现在|以后)?(?:不用|不必|不需要)再(?:用|叫|称呼|加|放|附)[^，。？]{2,14}了[。.!！]*$",
    rf"^(?:现在|以后|其实)*[^，。？我你他她]{{0,10}}(?:点半?|前|后|上午|下午|晚上|早上|"
    rf"周末)[^，。？我你他她]{{0,3}}{EVENT_ZH}(?:现在)?"
    rf"(?:(?:也|都|就)+(?:可以|行|没问题|没关系)了?|(?:可以|行|没问题|没关系)了)[。.!！]*$",
), 0.8, any_of(r"\b(?:if|whether|not)\b(?! have| need)", r"明天|今天|后天|[这下]个?周|周[一二三四五六日天]|星期|"
r"如果|是不是|[吗呢][。.!！]*$"), standing=True)  # fmt: skip

WHOLE: tuple[Rule, ...] = (NEW_JOB, STAYS, RENEWED, CHANGED_MIND, DIVERTED)
CHANGES: tuple[Rule, ...] = (TAKEN_BACK, TURNED, DIED, SOLD, NEW_TITLE, ENDED, REVERSED)
