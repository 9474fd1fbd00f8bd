"""Tasks, appointments and habits."""

from __future__ import annotations

from ._people import FAMILY_ZH, KIN_ZH
from ._rule import Rule, any_of

_NEED_NOT = any_of(
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
# What is only named, to be thought of: "don't forget the dentist!".
_NO_VERB = (
    r"(?!(?:is|are|was|were|has|have|had|will|can|must|should|does?|likes?|needs?|wants?|closes?|opens?|starts?|begins?|"
    r"leaves?|ends?|arrives?|comes?|goes|lives?|works?|runs?|says?|said)\b)[\w'’-]+"
)
_NO_THING = (
    r"(?!(?:me|us|him|her|them|it|this|that|these|those|your?|yourself|I|we|he|she|they|there|my|our|his|their|how|what|when|"
    r"where|why|who|which|whether|if|to|any\w*|every\w*|some\w*|all|please|ever)\b)"
)
NOT_TO_FORGET = (
    rf"^(?:please |oh,? |and )*(?:don['’]?t|do not|(?:I|we) (?:must not|mustn['’]t|can['’]t)) forget (?:about )?"
    rf"(?:the |an? )?{_NO_THING}{_NO_VERB}(?: {_NO_VERB}){{0,2}}?"
    r"(?: (?:on|at|by|this|next|tomorrow|tonight|today|later|before|after|in the)\b[^,;]{0,40})?[\s.!]*$"
)
REMINDERS = (
    Rule("todo", any_of(
        r"^(?:please |can you |could you |would you |will you |also )*(?:remind me|don't let me forget|"
        r"do not let me forget|make sure I|set a reminder|help me remember to)\b",
        r"^(?:please )?(?:remember|don't forget|do not forget|note to self)(?: to\b|[:,]) ?\w",
        NOT_TO_FORGET,
        r"^(?:to-?dos?|to do|action items?|follow-?ups?|next steps?|open items?|still open|"
        r"pending)(?: list)?(?: (?:is|are|will be|for \w+)(?: to)?)?(?: ?[:：-] ?| is | are | to )?\w{0,3}",
        r"\b(?:the |my |our )?next steps?(?: for \w+)?(?: is| are| will be|:)\b ?\w",
    ), 0.75, any_of(r"^(?:what|which|any)\b",
        r"\b(?:forget|remember) to (?:stay|be|relax|smile|breathe|enjoy|have fun|take care|believe|"
        r"prepare emotionally)\b",
        r"\bremind me[,:]? (?:again[,:]? |please[,:]? )?(?:why|what|how|who|where|when|which|whose|of)\b",
    r"^to do (?:this|that|so|it)\b", r"^pending\b(?! :)"), standing=True, asked=True),
    Rule("todo", any_of(
        r"^(?:请|麻烦你?|拜托|你|到时候|到时|帮我|能不能|可以|可不可以|能|明天|记得|.{0,12})?(?:提醒我|"
        r"提醒一下我|叫我起床)",
        r"^(?:请|要|得|一定要?|务必|千万|我要|我得|.{0,6}(?:天|周|点|月|号|前|上|午|日|回家|下班|"
        r"出门)[，, ]?)?(?:记得|记着|别忘了?|不要忘了?|别忘记|不要忘记|勿忘)(?!你|他|她|我(?:们)?(?:说|之前)|吗|"
        r"以前|小时候|那)(?=.{2,})",
        r"^(?:待办|待办事项|要做的事|代办|下一步|下步|后续|接下来|接下来的?(?:任务|工作|步骤))(?:事项)?(?:记一下|"
        r"加一条|再加一条|一条|如下)?(?:[:：]|"
        r"是|为|要|需要|就是|我们|我|得|的)",
        r"(?:我们|我|咱们)(?:的)?下一步(?:是|要|就|打算|计划)",
    ), 0.75, any_of(
        r"(?:是什么|什么|怎么|如何|呢|哪)",
        r"(?:不|别)(?:用|要|需要|必)?提醒", r"提醒我(?:想起|了|的是)",
        r"^记得[^，。]{1,20}[吗么][？?]?$"), standing=True, asked=True),
)  # fmt: skip
NEEDS = (
    Rule("todo", any_of(
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
    Rule("todo", any_of(
        r"(?:我|我们|咱们)(?:今天|明天|后天|下周.?|这周.?|本周.?|周.|星期.|月底|年底|晚上|下午|上午|回头|等会|"
        r"待会儿?|之后|以后|还|也|都|必须|一定|务必|最近|马上|真的?|确实|可能|总|[^，。]{1,4}之?前|"
        r"\d+[月日号点]){0,4}(?:得|需要|必须|还要|还得|"
        r"还需要|务必|应该|该|要把|要给|要交|要买|要写|要完成|要处理|要准备|要打|要订|要改|要发|要提交|要修|"
        r"要联系|要预约|要还|要取|要办|要整理|要更新|要续)(?!不|你|到|了|说|意|知道|是|怎么|什么|更|很|承认|帮助|"
        r"帮忙|一个|一份|一些|一张|一篇|多少|如何|出|奖|分|看看你|问你|问一下|问问你|请教|了解)",
        r"(?:还有|尚有|还剩).{1,20}(?:没(?:做|写|交|完成|处理|买|发|改|修|看|付|还|办)|要(?:做|写|交|完成|处理))",
        r"(?:今天|明天|后天|下周.?|这周.?|本周.?|周[一二三四五六日末]|月底|年底|回头|下班后|晚上)(?:之?前|"
        r"内)?[，, ]?(?:得|必须|需要|要|该|还得)(?:去)?(?:交|买|写|完成|处理|准备|打|订|改|发|提交|修|联系|"
        r"预约|还|取|办|整理|更新|续|把|给)",
    ), 0.7, any_of(r"(?:不|没|未必)(?:用|必|需要|得|应该)",
    # What others say one should always do.
    r"(?:他|她|老板|领导|上司|经理|同事|朋友|老师|妈妈?|爸爸?|医生|[^，。我]{1,3}们)(?:总|老|都|也|常)?"
    r"(?:说|觉得|认为|建议|希望)我(?:应该|该|得|要|必须)(?:一直|总是|永远|每次|始终|都|多|少)",
    r"需要(?:你|帮助|帮忙|休息|时间|安慰|建议)", r"你(?:得|需要|应该|必须)", r"我(?:们)?(?:是不是|要不要|该不该)")),
)  # fmt: skip
_FINISHED_NOT = any_of(
    r"\b(?:not|n't|never|haven't|almost|nearly|when|once|if|until|will be|to be)\b",
    r"(?:没|未|不|快要?|几乎|还要|就|如果|等).{0,8}了",
    r"吗|呢",
)
# A task that is finished: it takes its entry away.
FINISHED = Rule("todo", any_of(
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
    r"(?:已经|终于|总算|刚刚?).{0,8}(?!变|还|更|正|真|不)\w(?:好|完|掉|妥)了?[。.!！]?$",
    r"(?:已经|终于|总算|刚刚?)(?:.{1,16})(?:完成|做好|做完|写完|写好|交|提交|买好|买到|付|付清|还清|寄|发送|修好|"
    r"订好|预订|处理完|处理好|办好|办完|整理好|搞定|更新|改好|改完|续费|准备好|合并|部署好)了",
), 0.3, _FINISHED_NOT)  # fmt: skip
EVENT = (
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
EVENT_ZH = (
    r"(?:会议|开会|[组班晨早晚例周月季夕站评部][会](?=[^员计场所议社话合]|$)|面试|航班|飞机|火车|高铁|考试|截止|交付|"
    r"上线|发布会?|聚会|婚礼|生日|旅行|旅游|出差|"
    r"约会|演出|音乐会|演唱会|晚饭|午饭|聚餐|上课|开课|手术|"
    r"看医生|看牙|牙医|体检|复诊|答辩|汇报|演示|培训|搬家|预约|比赛|毕业典礼|开学|放假|到期|值班|出发|回国|入职|"
    r"报到|典礼|评审|验收|到货|讲座|家长会|电话会|拜访|见面|"
    r"碰头|团建|年会|马拉松|签约|续约|交房|还款|缴费|维护|停电|复查|打疫苗|接机|考核|讨论会|截稿|活动|启动会|"
    r"庆祝|起飞|发车|开庭|结婚|回来|过来)"
)
SPORT = (
    r"(?:yoga|pilates|judo|karate|tai chi|taekwondo|aikido|crossfit|martial arts|aerobics|zumba|ballet|gymnastics"
    r"|athletics|parkruns?|triathlons?|marathons?|half marathons?|chess|tennis|football|soccer|rugby|cricket|golf"
    r"|hockey|badminton|squash|table tennis|ping pong|darts|snooker|pool|poker|bridge|bingo|\w+ball|lacrosse|padel"
    r"|pottery|ceramics|calligraphy|origami|archery|fencing|rowing|crosswords|sudokus?|volunteer work|night shifts)"
)
EVENT_NOUN = any_of(rf"\b{EVENT}\b", EVENT_ZH)
_COMING_NOT = any_of(
    r"\b(?:every|each|daily|weekly|usually|always|was|were|did|didn't|yesterday|last|ago|weather|forecast|"
    r"rain\w*|if)\b",
    r"每|天气|昨天|前天|上周|上个|去年|之前就|已经|通常|总是|是不是|如果|下雨",
)
# With a day or a time still to come.
COMING = Rule("event", any_of(
    rf"\b{EVENT}\b",
    r"\b(?:I|we|my \w+|our \w+|[A-Z]\w+)(?:'m|'re|'s| am| are| is|'ll| will| have| has|"
    r"'ve)? (?:\w+ ){0,3}?(?:flying|fly|leave|leaving|moving|move|start|starting|travel\w*|visit\w*|meet\w*|"
    r"arriv\w+|going|go|coming|come|attend\w*|hosting|driving|seeing|return\w*|back|off|away|out of office|"
    r"present\w*|taking|present|having|ship\w*|deliver\w*|publish\w*|submit\w*|launch\w*|releas\w*|expect\w*|due|"
    r"open\w*|clos\w*|ends?|expires?|begins?|"
    r"starts?|plan(?:ning)? to|planned)\b",
    EVENT_ZH,
    r"(?:我|我们|咱们|他|她|公司|学校).{0,16}(?:要|会|准备|打算|计划|得|将|去|约了|约好|参加|请假|休假|飞|回|到|"
    r"搬|见|等)",
), 0.6, _COMING_NOT)  # fmt: skip
# A journey, whenever that will be.
_HOLIDAY_ZH = (
    r"(?:过年|春节|除夕|国庆节?|五一|十一|中秋节?|端午节?|清明节?|元旦|圣诞节?|暑假|寒假|年底|明年|下个月|周末|"
    r"下周末|春天|夏天|秋天|冬天|"
    r"[\d一二三四五六七八九十]{1,2}月份?)"
)
_PLANS_ZH = r"(?:打算|计划|准备|决定|想好了?)"
_WE_ZH = r"(?:我们?|咱们?|全家|一家人?|我们?一家)"
_GOES_ZH = (
    r"(?:(?:和|跟|带)[^，。？]{1,6})?(?:去|回|飞|到)(?!哪|什么|了|头|来|底|时|家吃)[^，。？了]{1,8}?"
    r"(?:过(?:年|节)|看[^，。？]{1,5}|玩(?:几天)?|住[^，。？]{1,4}|待[^，。？]{1,4})?[。.!！]*$|"
    r"在[^，。？了]{1,6}过(?:年|节)?[。.!！]*$"
)
JOURNEY = Rule("event", any_of(
    r"我(?:们)?[^，。？]{0,8}(?:打算|计划|准备|要|想好了?)[^，。？]{0,10}[去飞](?!哪|什么)[^，。？了]{2,8}"
    r"(?:旅游|旅行|出差|度假|玩|留学|开会)",
    # Who plans is the speaker, where nobody else is named: on which holiday, and where.
    rf"^{_WE_ZH}?(?:今年|明年|这个|这次)?(?:{_PLANS_ZH}{_HOLIDAY_ZH}|{_HOLIDAY_ZH}{_WE_ZH}?{_PLANS_ZH})(?:一起|"
    rf"就)?(?:{_GOES_ZH})",
    rf"^{_WE_ZH}?(?:今年|明年)?{_HOLIDAY_ZH}{_WE_ZH}?(?:还是|就|改|要)?(?:(?:和|跟|带)[^，。]{{1,6}})?(?:去|回|"
    rf"飞)(?!哪|"
    rf"什么|了|头|来|底|时)"
    r"(?:(?!了)[\u4e00-\u9fff]){2,4}(?:过年|玩|旅游)?[。.!！]*$",
    rf"^(?:我们?|{FAMILY_ZH}|我们?的?{KIN_ZH})(?:今年|明年)?{_HOLIDAY_ZH}(?:就|要|打算|准备)*(?:结婚|办婚礼|订婚|"
    rf"领证|搬家|退休|毕业|"
    r"出国|回国|做手术|高考|中考)[。.!！]*$",
), 0.6, any_of(
    r"每|如果|要是|想要|要不要|需要|只要|不要|[吗呢么]|以前|去年|上个?(?:月|周)|不(?:打算|准备|去)",
    r"(?:贵|累|堵|挤|冷|热|便宜|多|少|好|远|麻烦|流程|攻略|路线|票)[。.!！]*$",
    r"^(?!.*(?:五一|十一|国庆|春节|过年|元旦|中秋|清明|端午|暑假|寒假|[\d一二三四五六七八九十]月|下个?月|明年|年底|"
    r"今年|除夕|圣诞|周末|"
    r"春天|夏天|秋天|冬天))",
))  # fmt: skip
# A journey that is not made, on a holiday; what is planned of a life, or is no more.
PLANS = Rule("event", any_of(
    rf"^{_WE_ZH}?(?:今年|明年)?{_HOLIDAY_ZH}{_WE_ZH}?(?:就|又|都)?不(?:去|回|"
    rf"飞)(?!哪)[^，。？了]{{1,6}}了?[。.!！]*$",
    rf"^(?:我们?|我(?:和|跟)[^，。]{{1,4}})(?:现在|最近|也|都|还是|今年|明年|正|又)*(?:{_PLANS_ZH}|放弃了?|不打算|不准备|不(?=[^。.!！]*了))(?:今年|明年|再|在[^，。]{{1,4}})?"
    r"(?:考[研公博]|辞职|离职|结婚|离婚|要(?:个)?(?:孩子|[二三]胎|宝宝)|生孩子|买房|买车|卖房|搬家|换工作|找工作|"
    r"转行|创业|出国|留学|移民|退休|读[研博]|"
    r"回国|回老家|戒[烟酒]|养[猫狗]|装修|减肥)(?:发展|定居)?了?[。.!！]*$",
), 0.6)  # fmt: skip
_SPAN = (
    r"(?:another |about |roughly |at least )?(?:an?|one|two|three|four|five|six|seven|ten|a few|several|a couple of|"
    r"\d+)"
    r"(?: more| whole| full)? (?:hour|day|week|fortnight|month|year)s?\b(?! ago)"
)
_CANCELLED_NOT = any_of(
    r"\b(?:every|each|if|usually|always|didn't|wasn't|not|never|should)\b",
    r"每|如果|没有?(?:取消|推迟|延期)|要不要|通常",
)
# It changes what is known of an appointment.
CANCELLED = Rule("event", any_of(
    rf"\b{EVENT}\b.{{0,60}}(?:\b(?:is|are|was|were|been|being|be|got|gets?)|'s) (?:\w+ )?(?:cancell?ed|called off|"
    rf"slipped|bumped|"
    rf"postponed|rescheduled|moved|pushed|brought forward|delayed|changed|off$|off\.)",
    rf"\b(?:the|our|my) (?:\w+ )?{EVENT} (?:moved|moves|changed|changes|slipped|slips) to\b",
    rf"\b(?:shifted|bumped|pushed|moved|postponed|delayed) (?:the|my|our) (?:[\w-]+ ){{0,4}}?{EVENT}(?: back| forward)?"
    rf"(?: by)? {_SPAN}",
    rf"\b{EVENT} (?:(?:has|have|is|was|got|been|just) )*(?:moved|pushed|slipped|bumped|delayed|postponed|extended|"
    rf"shifted)"
    rf"(?: back| forward)?(?: by)? {_SPAN}",
    rf"^{EVENT} (?:has |is |was |just )*(?:moved|changed|slipped|bumped|pushed|postponed|delayed)(?: back)? to\b",
    rf"\b(?:changed|shifted|bumped|pushed) (?:the|my|our) (?:[\w-]+ ){{0,4}}{EVENT} to\b(?! (?:inherit|"
    r"return|use|be|have|take|an?|tests?)\b)",
    rf"\b(?:cancell?ed|cancel|postponed?|rescheduled?|moved|called off) (?:the|my|our) (?:[\w-]+ ){{0,4}}{EVENT}\b"
    r"(?=$|[.,;!]| (?:to|from|by|back|forward|until|till|on|at|again|for|with|because|and|but|in|a|one|two|this|next|"
    r"tomorrow|today|now)\b)(?! (?:to|into) (?:\w+/|inherit|return|use|be\b|have\b|an?\b))",
    rf"{EVENT_ZH}.{{0,12}}(?:取消|推迟|延期|改到|改成|改为|提前|挪到|延后|不开了|不办了)|(?:取消|推迟|"
    rf"延期)了?.{{0,10}}{EVENT_ZH}",
), 0.6, _CANCELLED_NOT)  # fmt: skip
LIFE_EVENTS = (Rule("event", any_of(
    r"\b(?:I|we|my \w+(?: \w+)?)(?:'ve| have| has)? (?:just |recently |finally |also )*(?:got|gotten|"
    r"getting) (?:married|engaged|divorced|promoted|fired|laid off|accepted|hired|a (?:new )?(?:job|dog|cat|"
    r"puppy|house|car|promotion|offer)(?! codes?\b| letter\b)|"
    r"(?:the|that) (?:job|role|position|promotion|scholarship|visa|grant|flat|apartment|house)(?=$|[,.!]| (?:at|in|"
    r"as|with|and|after|today|yesterday)\b))\b",
    r"\b(?:I|we|my \w+(?: \w+)?)(?:'ve| have| has)? (?:just |recently |finally )*(?:graduated|gave birth|"
    r"had a baby|passed away|died|retired|started (?:a new job|working|at|university|school)|quit (?:my|his|"
    r"her) job|broke up(?! (?:the|an?|my|our|into|it|this)\b)|"
    r"bought (?:a|our|my first) (?:\w+ )?(?:house|car|flat|apartment|home)|"
    r"adopted an? (?:[\w-]+ ){0,2}?(?:dog|cat|puppy|kitten|child|baby|boy|girl|son|daughter|rabbit|horse)|"
    r"passed (?:my|the) (?!arguments?\b|parameters?\b|values?\b|files?\b|data\b|list\b)\w+|"
    r"won (?:the|a|an|first))\b",
    r"(?:我|我们|我.{1,4})(?:.{0,8})(?:结婚了|订婚了|离婚了|分手了|升职了|被裁了?|辞职了|入职了|毕业了|生了(?:个|"
    r"一)|怀孕了|去世了|退休了|考上了|录取了|买了(?:房|车|新房|新车)|搬家了|换工作了|拿到了.{0,8}(?:offer|证|"
    r"学位|驾照)|考过了|通过了.{0,8}考试|得了.{0,6}奖)",
), 0.7, any_of(
    r"\b(?:almost|never|not)\b|\bmy (?:\w+ )?(?:phone|laptop|computer|battery|car|tv|router|"
    r"tablet|process|server|script|session|program|connection|thread|job) (?:\w+ )?died\b|"
    r"\bin (?:the|a|my) (?:game|book|film|movie|story|novel|show)\b|\bminecraft\b", r"没|差点")),)  # fmt: skip
HABITS = (
    Rule("habit", any_of(
        r"^I(?:'ve| have)? (?:don't |do not |never |still |also )?(?:smoke|vape|meditate|drink alcohol|gamble|knit)\b",
        r"^我(?:还|也|平时|一直|从|从不|不|从来不)*(?:抽烟|吸烟|喝酒|健身|冥想|打坐|赌博)(?:$|[，,。.!！])",
        r"\bI (?:also |still |now )?(?:usually|normally|typically|generally|regularly|tend to|always|often|"
        r"mostly|rarely|hardly ever) (?!wonder|think|thought|feel|have to|forget|say)\w",
        r"\b(?:I|we) (?!(?:need|have|want|must|should|can|could|will|would|think|wonder|was|were|am|"
        r"had)\b)\w+.{0,60}\b(?:every|"
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
    ), 0.6, any_of(
        r"\bI (?:always|often) (?:get|have|see) (?:an? |this |the )?(?:error|problem|same)",
        r"\b(?:is|are) always\b", r"每天(?:都)?(?:很|好|太)")),
)  # fmt: skip
