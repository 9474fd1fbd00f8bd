"""What somebody says of themselves, of those around them, and of how they feel."""

from __future__ import annotations

import re

from localagent.persons import MORE_SURNAMES_ZH, SURNAMES_ZH

from ._rule import Rule, any_of
from ._work import END, SYSTEM, THE_WORK, WORK_NOUN
from ._work_zh import WORK_ZH

# Words that begin with a capital at the head of a sentence, and are nobody's name.
NO_NAME = (
    r"(?!(?:(?:Every|Some|Any|No)(?:one|body|thing)|None|Who|He|She|It|They|This|That|There|One|Neither|Each|Another|"
    r"What|Which|We|You|I|The|My|Our|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)"
)
KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child|children|mother|"
    r"mom|mum|father"
    r"|dad|brother|sister|grandmother|grandfather|grandma|grandpa|uncle|aunt|cousin|niece|nephew|parents|twins?|in-laws"
    r"|boss|manager|colleague|coworker|teammate|mentor|neighbou?r|roommate|flatmate|best friend|friend|dog|cat|"
    r"puppy|kitten"
    r"|pet|parrot|rabbit|hamster|landlord|doctor|dentist|teacher|supervisor|assistant|client|cofounder|co-founder"
    r"|grand(?:ad|dad|son|daughter|child(?:ren)?|parents?)|gran(?:ny)?|nan|step-?(?:mum|mom|dad|father|mother|son"
    r"|daughter|"
    r"brother|sister|kids|children)|(?:mother|father|brother|sister|son|daughter)-in-law|tortoise|budgie|pony|horse)"
)
_PET = r"(?:dog|cat|puppy|kitten|rabbit|hamster|tortoise|parrot|budgie|guinea pig|pony|horse)"
KIN_ZH = (
    r"(?:妻子|老婆|太太|媳妇|老公|丈夫|先生|爱人|对象|女朋友|男朋友|女友|男友|未婚妻|未婚夫|儿子|女儿|孩子|小孩|"
    r"宝宝|妈妈|母亲|老妈|爸爸|父亲|老爸|爸妈|"
    r"父母|哥哥|弟弟|姐姐|妹妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|舅舅|姑姑|阿姨|表哥|表弟|表姐|表妹|堂哥|堂弟|"
    r"侄子|侄女|外甥|双胞胎|孙子|孙女|岳父|岳母|婆婆|公公|"
    r"老板|领导|上司|经理|同事|导师|老师|室友|舍友|邻居|好友|闺蜜|朋友|同学|狗|猫|房东|合伙人|客户|搭档|家人)"
)
_KIN_ZH = rf"(?:{KIN_ZH}|[妈爸哥姐弟妹爷奶姑姨舅叔婶嫂](?!们))"
# Who needs no "my" to be the speaker's own.
FAMILY_ZH = (
    r"(?:妻子|老婆|太太|媳妇|老公|丈夫|爱人|女朋友|男朋友|女友|男友|未婚妻|未婚夫|儿子|女儿|闺女|孩子|娃儿?|宝宝|"
    r"[大二三小]宝|妈妈|母亲|老妈|"
    r"爸爸|父亲|老爸|爸妈|父母|哥哥|弟弟|姐姐|妹妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|舅舅|姑姑|表哥|表弟|表姐|表妹|"
    r"堂哥|堂弟|堂姐|堂妹|"
    r"侄子|侄女|外甥女?|孙子|孙女|岳父|岳母|公公|婆婆|嫂子|姐夫|妹夫|舅妈|姑妈|姑父|姨妈)"
)
OCCUPATION = (
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
    r"laptop|computer|car|bike|operating system|os|phone model|license plate|citizenship|initials)"
)
ABOUT_ME_ZH = (
    r"(?:名字|姓名|昵称|英文名|中文名|年龄|生日|出生日期|工作|职业|职位|岗位|专业|公司|单位|邮箱|电子邮件|电话|"
    r"电话号码|手机号?|手机号码|微信号?|地址|住址|家乡|"
    r"老家|国籍|母语|时区|血型|身高|体重|工资|薪水|月薪|年薪|收入|房租|鞋码|尺码|星座|学校|大学|学历|用户名|账号|"
    r"宗教|电脑|车|车牌号?|爱好|"
    r"特长|民族|属相|生肖)"
)

_A_NAME = (
    r"(?-i:(?!I\b|Team\b|Type\b|Mr\b|(?:North|South|West|East|Latin|Roman|Greek|African|Native|Muslim|Sikh|Welsh|Dutch|"
    r"French|Thai|Czech|Swiss|Greek|Iraqi|OK)\b|\w+(?:ish|ese|ican|ian|alian|Catholic|Orthodox)\b|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|German\b)[A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)?)"
)

_NO_PLACE = (
    r"(?-i:\b[A-Z]{2,}\b|\b[A-Z][a-z]+[A-Z])|\b[A-Za-z]+[\d.]\w|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"\b(?:option|plan|version|phase|sprint|room|floor|january|february|april|june|july|august|september|october|"
    r"november|"
    r"december|kubernetes|postgres\w*|mysql|sqlite|mongo\w*|redis|kafka|oracle|docker|github|gitlab|jenkins|linux|"
    r"ubuntu|debian|"
    r"windows|python|rust|java\w*|typescript|react|angular|svelte|azure|terraform|slack|teams|zoom|notion|jira|scrum|"
    r"kanban)\b"
)
SURNAME_ZH = rf"(?:[{SURNAMES_ZH}{MORE_SURNAMES_ZH}]|欧阳|司马|上官|诸葛|东方|皇甫|慕容)"

LONGEST_GREETING = 60
# Whoever greets says their name.
GREETING = any_of(
    r"(?:^|\n|[.!。！] ?)(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: there| all| everyone|"
    r" everybody)?"
    r"(?:[,.! ~-]| nice to meet you| pleased to meet you)*$",
    r"(?:^|\n|[。！!])(?:你好|您好|大家好|哈[喽啰]|嗨|各位好|早上好|下午好|晚上好)(?:[呀啊哦]|[，,。！!～~ ]|"
    r"初次见面|很高兴认识你)*$",
)
INTRODUCED = (
    Rule("profile", any_of(rf"^(?:I(?:'m| am)|this is|it(?:'s| is)) {_A_NAME}(?=$|[.,!]| (?:from|and|here)\b)"), 0.95),
    Rule("profile", any_of(r"^(?:我是|这里是)[\u4e00-\u9fff]{2,3}(?=[，,。.!！]|$)"), 0.95,
         any_of(r"我是(?:说|想|来|为|要|在|因|觉|这|怎|谁|真|第|指|问|认|新|不|个|一|男|女|学生|老师|医生)")),
)  # fmt: skip

PERSONA = (
    Rule("persona", any_of(
        r"\byour (?:new )?name (?:is|will be|shall be) \w",
        r"\bI(?:'ll| will| shall|'d like to| want to)? (?:name|call|be calling) you [A-Z\w]",
        r"^(?:你|您)(?:就)?(?:的名字)?(?:叫|是叫)(?!什么|啥|做什么|我|他|她|车|人)\w",
        r"(?:你|您)的(?:新)?名字(?:就)?(?:是|叫)(?!什么|啥)",
        r"我(?:以后|就|会|要|想)?(?:叫|管)你(?:叫)?(?!别|不要|去|来|做|帮|写|回|用|给|什么|干)\w",
    ), 0.9, subject="agent"),
)  # fmt: skip

# How the speaker wants to be called: asked for, liked, or what everybody does.
_CAPITAL = r"[\"“‘']?(?-i:[A-Z])[\w'’.-]*[\"”’']?"
_CALL_ME = rf"(?:(?:call(?:ing)?|(?<=you )called|(?:be(?:ing)?|get) called|go(?:ing)? by) (?:me )?{_CAPITAL})"
_MANY = (
    r"(?:(?:every(?:one|body)|people|they|folks?|(?:all |most )?(?:of )?(?:my |our |the )?(?:friends|family|colleagues|"
    r"mates|co-?workers|neighbou?rs|people))(?: (?:here|else|(?:at|in|on) (?:the |my )?\w+))?"
    r"(?: (?:all|just|always|usually|mostly|only|still|now))*)"
)
_NAME_ZH = (
    r"[“「『\"]?(?![起一去来帮做吃喝别不没的怎什啥上下回过看睡出进到在给把让多少早晚快先再加请结休写打开买考学戒注赶])"
    r"\w"
)
_MANY_ZH = (
    r"(?:大家(?:伙儿?)?|[^，。；我你您他她叫]{0,4}(?:朋友|同事|同学|邻居|家人|家里人?|群里人?|店里人?|单位里?)们?)"
    r"(?:都|一般|平时|平常|一直|现在)*"
)
CALLED = Rule(
    "preference",
    any_of(
        r"^(?:please |you can |you may |you could |just |so |actually |feel free to )*call me (?!back|later|when|if|"
        r"a\b|at\b|tomorrow|tonight|crazy|on\b|maybe|an?\b|once|before|after|as soon)\w",
        r"^(?:please |you can |you may |just )*(?:address|refer to) me (?:as|by|with)\b",
        rf"^(?:(?:please|just|can you|could you|can we|let's|you can|actually|and),? )*(?:go|switch|change)(?: back)?"
        rf" (?:back )?to {_CALL_ME}",
        rf"^I(?:'d|'ll| would| will)? (?:really |much |always |still )*(?:prefer|like|love|want|rather)(?: it if)?"
        rf" (?:you |people |everyone )?(?:to )?{_CALL_ME}",
        rf"^I (?:now |mostly |usually |normally |just |always |actually |only )*go by {_CAPITAL}"
        r"(?=[,.!]|$| (?:now|these|at|in|on|mostly|instead|again|and|but|because|not)\b)",
        rf"^{_MANY} calls? me {_CAPITAL}",
        rf"^{_CAPITAL} is what (?:I (?:\w+ )?go by|{_MANY} calls? me)\b",
        r"^(?:请|麻烦|你|您|可以|以后|今后|就|还是|算了|直接|改口|重新|都)*(?:叫|喊|称呼)我(?:为)?(?!起床|一声|去|来|帮|做|吃|别|不|的|"
        r"怎么|什么|上|回|过)\w",
        rf"^(?:我(?:更|还是|比较)*(?:喜欢|希望|想让?)(?:别人|大家|你|您|人家)*)(?:都)?(?:(?:叫|喊|称呼)我为?|管我叫){_NAME_ZH}",
        rf"^{_MANY_ZH}(?:(?:叫|喊|称呼)我|管我叫){_NAME_ZH}",
        rf"^(?:请|你|您|可以|以后|今后|就|还是|都)*管我叫{_NAME_ZH}",
        rf"^(?:请|你|以后|就|还是)*把(?:对我的|我的)?称呼(?:改|换)(?:成|回|为){_NAME_ZH}",
    ),
    0.9,
    standing=True,
)

PROFILE = (
    Rule("profile", any_of(
        r"\bmy (?:full |real |first |last |middle |nick)?names?(?:'s| is| are) (?!not important|what)\w",
        r"\b(?:my|our) (?:new |current )?(?:home )?(?:address|phone(?: number)?|landline|mobile|telephone(?: number)?)"
        r"(?: is| are|'s|:)(?: now)? (?!not\b|what\b|there\b|broken|dead|ringing|in\b|on\b|about\b|also\b|too\b|"
        r"so\b)\S",
        r"\bI(?:'m| am) called \w", r"\bI was named\b",
        # A full name; one name alone is as likely where somebody is from.
        rf"^I(?:'m| am) {_A_NAME} {_A_NAME}(?=$|[.,!]| and I\b)",
        # One name, and what its bearer is.
        rf"^I(?:'m| am) {_A_NAME}(?= (?:and I\b|from (?-i:[A-Z]))|, (?:an? \w|from (?-i:[A-Z])))",
        r"(?:^|[，,])(?:大家好|你好)?[，,]?我(?:的)?(?:名字|全名|真名|本名|中文名|英文名)?(?:叫|是叫|名叫|"
        r"姓)(?!什么|你|他|她|了|不|做|人|车|外卖|上|来|醒|苦)",
        r"我的(?:名字|姓名|昵称|英文名|中文名)(?:是|叫|改成|换成)",
    ), 0.95, any_of(r"我(?:姓|叫)(?:什么|啥)")),
    # Where the household lives: not "we moved to Postgres", "we moved to Friday".
    Rule("profile", any_of(
        r"^I(?:['’]ve got| have(?: got)?| now have| lead| manage| run|(?:['’]m| am) in charge of) (?:a |the )?"
        r"(?:[\w-]+ )?(?:team|staff|crew|department) of (?:about |around |over )?(?:\d+|two|three|four|five|six|seven|"
        r"eight|nine|ten|eleven|twelve|a dozen|fifteen|twenty|thirty|forty|fifty)"
        r"(?=$|[,.!]| (?:now|people|at|in|and|here|nurses|cooks|chefs|teachers)\b)",
        r"\bwe(?:'ve| have|'re| are)? (?:just |recently |now |currently |still |both |all )*(?:live|living|moved|"
        r"relocated|"
        r"based|moving)(?: house| home)?(?: back)?(?: to| in| near| outside| from \w+ to)+ (?:the )?(?-i:[A-Z])",
    ), 0.85, any_of(_NO_PLACE, r"\bif we\b|\bwe moved (?:the|our)\b")),
    Rule("profile", any_of(
        rf"\bmy (?:\w+ )?{_ABOUT_ME}(?:'s| is| are|:| was| =|=) (?!not |what|there|ready|broken|too|so |very |"
        rf"also |full|slow|dead|on fire|empty|the same|in danger|bad|good|great|hard|tough|fun|amazing|awesome|"
        rf"like |such |really |always |just |going|killing|getting|giving)\S",
        rf"\bI(?:'m| am) (?:currently |now |also |still |originally )?(?:an? )(?:[\w-]+ ){{0,4}}{OCCUPATION}\b(?!['’]"
        rf"| (?:issue|problem|bug|error|update|version|app)\b)",
        r"\bI(?:'m| am) (?:currently |now )?(?:\d{1,3}|[a-z]+teen|twenty|thirty|forty|fifty|sixty|"
        r"seventy)(?:-\w+)?(?: years? old\b|$|[.!,])",
        r"\bI(?:'m| am| was)? (?:currently |now |just |recently |originally )?(?:live|living|lived|based|born|"
        r"raised|grew up|come|from|moved|relocated|moving|stay)(?:d)?(?: and (?:work|raised|born))? ?(?:in|from|"
        r"at|near|to|on|outside|with)? (?:in |from |to )?(?:the |a |an )?(?-i:[A-Z\d])",
        r"\bI (?:originally |actually )?come from (?:a |the )?\w",
        r"\b(?:I|we) (?:currently |now |just |also )*live (?:in|near|at|on|with(?! (?:my|our|an?|two|three|four|five) )"
        r"|alone|outside|by)\b",
        r"\bI(?:'m| am)? (?:currently |now |also |still |just )*(?:work|working|employed|freelance|freelancing|"
        r"teach|study|studying|major|majoring|volunteer)(?:ed)? (?:as|at|for|in|with|full|part|remotely|from|"
        r"on the|\w+ at|\w+ in) (?!it\b|this\b|that\b|a (?:project|problem|paper|report))",
        r"\bI (?:mainly |mostly |still |only |now |always )?(?-i:use [A-Z]\w+)",
        r"\bI (?:study|studied(?! hard)|teach|majored in|graduated (?:from|in)|speak|own|drive|"
        r"play(?:ed)? (?:the |in a)|"
        r"hold a|have a (?:degree|phd|master|bachelor|license|allergy|dog allergy|chronic|disability))\b"
        r"(?! (?:it|this|that|your|to|as|for|up|about|of|video|devil|file|key|header)\b)",
        r"\bI(?:'m| am) (?:severely |slightly |mildly |also |highly |very |lactose |gluten )*(?:allergic|"
        r"intolerant|diabetic|asthmatic|pregnant|colou?r.?blind|left.handed|deaf|blind|dyslexic|autistic|married|"
        r"single|divorced|engaged|retired|unemployed|vegan|vegetarian|bilingual|celiac|widowed|near-?sighted)\b",
        r"\bI (?:usually |normally )?(?:wear|take) (?:a )?(?:shoe |dress |ring )?size\b",
        r"\bI(?:'m| am) (?:currently |now |also |still )?learning (?!that\b|how\b|a lot)\w",
        r"\bI have (?:been diagnosed with |an? )?(?:type \d |severe |mild |chronic )?(?:diabetes|asthma|adhd|"
        r"migraines|epilepsy|celiac|allergy|allergies|high blood pressure|hypertension|arthritis|"
        r"anxiety disorder|tinnitus)\b",
        r"\bI(?:'m| am) (?:not )?(?:originally |actually |half |also )?(?:american|british|chinese|german|french|"
        r"canadian|indian|japanese|korean|italian|spanish|brazilian|mexican|australian|dutch|swedish|polish|"
        r"russian|turkish|vegetarian)\b",
    ), 0.85, any_of(r"\bI(?:'m| am) (?:a )?(?:bit|little|lot|fan)\b", r"\bif I\b", r"\bas if\b",
        r"\bI lived (?:in|at|near)", THE_WORK,
        rf"\b(?:working|work) (?:on|with|in) (?:my |an? )?{WORK_NOUN}(?=$|[.,!]| (?:that|which|to|for|and)\b)",
        r"\blive (?:in (?:hope|fear)|with (?:it|that|this))\b|\bsingle-\w+ing\b|\bfrom the \w+ world\b|"
        r"\blearning (?:this|it|the|your)\b|\bdrive (?:now|home)\b|\b(?:married|divorced) (?:to|from) (?:the|this"
        r"|reality)\b|"
        r"\b(?:single|married|blind|deaf)-|\bplay the (?:fool|long|game|sound|audio|devil)\b|"
        r"\bmoved (?:on )?to (?:the )?(?:settings|option|step|plan|page|tab)\b", rf"\bcome from (?:an? |the "
        rf")?(?:{WORK_NOUN}\b|{SYSTEM})",
        r"\bI (?:worked|studied) .{1,40}\b(?:when|as a (?:kid|child|student|teenager))\b")),
    Rule("profile", any_of(
        rf"我(?:们)?(?:家)?(?:的)(?:\w{{0,3}}的?)?{ABOUT_ME_ZH}(?:现在)?(?:是|现在|换成|改成|涨到|降到)(?=\d|"
        rf"[一二两三四五六七八九])",
        r"我们?家的?(?:地址|住址|电话)(?:现在)?(?:是|在|改成|换成)(?!什么|多少|哪|不是)",
        rf"我的(?:\w{{0,3}}的?)?{ABOUT_ME_ZH}(?:现在)?(?:是|为|在|[:：]|改成|换成|叫)(?!什么|多少|哪|不是)",
        r"我(?:家|们家)?(?:现在|目前|已经|一直|最近|刚刚?|平时|们|.{1,4}前|去年|今年|[上这]个?(?:月|周|星期|礼拜)|"
        r"昨天|前天|[\d一二三四五六七八九十]{1,2}月份?)*(?:住在|住|搬到了?|"
        r"搬去了?|定居在?|租住在|"
        r"来自|出生在|生于|长大在|家在|老家在|老家是|老家|籍贯)(?!哪|什么|院|宿|得|了[。.!！]*$|不|这|那|酒店|宾馆|"
        r"民宿|旅馆)\w",
        r"我(?:现在|目前|一直|之前|刚|最近|们)*在.{1,16}(?:工作|上班|上学|读书|读研|读博|读.{1,8}(?:专业|系|学|"
        r"硕士|博士)|念书|任职|实习|教书|"
        r"当老师|做.{1,8}|当.{1,8}|开(?:店|公司)|教.{1,6}|长大|出生|留学)(?!的人|怎么|吗)",
        r"我(?:现在|目前|以前)?(?:是|也是|做|当|从事|担任)(?:一?[名个位]|搞|做|学|教|干)?.{0,12}(?:师|生|员|家|"
        r"医生|护士|律师|老师|教授|编辑|经理|主管|总监|工人|农民|军人|警察|博主|作者|记者|司机|老板|创始人|"
        r"志愿者|人|的|工作|行业|开发|设计|新手|左撇子|色盲|素食者|独生子女|单亲|党员|会计|程序员|"
        r"公务员|护士|助产士|道士|工匠|歌手|乐手|水手|厨子)[，,。.!！]?$",
        r"我(?:今年|现在|已经|刚|马上|快)*(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁",
        r"我(?:对|有)?.{1,12}(?:过敏|不耐受)",
        r"我(?:有|患有|得了|确诊了?)(?:.{0,4})(?:糖尿病|高血压|哮喘|鼻炎|胃病|抑郁症|焦虑症|偏头痛|近视|关节炎|"
        r"多动症|心脏病)",
        r"我(?:会|能)(?:说|讲|弹|写|编).{1,12}(?:语|话|琴|文|他|程)",
        r"我(?:已经)?(?:结婚|离婚|怀孕|退休|毕业|单身|订婚)(?:了|于|[，,。.!！]|$)",
        r"我(?:毕业于|就读于|专业是|学的是|主修|读的是|的专业|属(?:鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪))",
        rf"^我(?:的)?{ABOUT_ME_ZH}(?:现在)?\s?\d(?!\d*(?:[点:次遍天分个]|小时))",
        r"我(?:平时|一般)?穿(?:的是)?\d+(?:\.\d)?[码号]",
        r"我(?:最近|现在|正|一直|也|还)*在学(?!校|院|习$)\w",
    ), 0.85, any_of(
        r"我是(?:说|想|不是|来|为了|要|在|因为|觉得|这么|怎么|谁|真的|第一次|指|问|认真的)",
        r"我是.{0,10}(?:的意思|喜欢的|想要的|做的|写的|说的|问的)",
        r"在(?:想|做什么|干|考虑|等)",
        r"我(?:们)?(?:家)?(?:以前|之前|曾经?|从前|过去|小时候|原来|原先|早年)(?:也|都|是|一直|就)*(?:住|在)",
        r"^[^我]{0,12}(?:的时候|那时|那会儿|那几年|当年|年轻时|小时候)[，,]?我",
        r"的(?:电脑|车|手机)(?:现在)?在[\u4e00-\u9fff]{1,2}[。.!！]*$",
        r"(?:工作|上班)(?:很|太|好|真|累|压力)", r"像我",
        rf"搬[到去][^，。]{{0,6}}(?:{WORK_ZH}|云上|云端|平台|系统|框架|仓库|[A-Z][a-z]+[A-Z])")),
    # A telling name, or one with a family name.
    Rule("profile", any_of(
        rf"^我是(?!老(?:师|板|人|外|手|乡)|小(?:学|孩|白|偷|三|众)|阿姨)(?:[小老阿][\u4e00-\u9fff]|"
        rf"{SURNAME_ZH}[\u4e00-\u9fff]{{1,2}})"
        r"(?=[，,。.!！]|$)",
    ), 0.95, any_of(r"我是(?:高兴|高手|高中|金牌|白人|白痴|黄种|方便|万能|马上|毛病|时候|说|文盲|江湖|"
        r"路过|路人|路痴|安全|关心|花心|"
                    r"常客|常年|全职|全家|单身|温和|于是|连夜)")),
)  # fmt: skip

RELATIONSHIPS = (
    Rule("relationship", any_of(
        rf"\b(?:my|our) (?:[\w-]+ ){{0,3}}{KIN}(?:,? (?:(?!{WORK_NOUN} )[A-Z][\w'-]+,? )?|'s name )"
        r"(?:is|are|was|were|has|have|"
        rf"works?|lives?|goes|loves|likes|hates|prefers|speaks|studies|moved|turns?|plays|started|just started|"
        rf"teaches|runs|wants|died|had)\b",
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{KIN}(?:'s|s') (?:\w+ ){{0,2}}(?:name|birthday|age|job|email|phone|"
        rf"number|address|wedding|anniversary|school|favou?rite)\b(?=\W*\w)",
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{KIN}(?:'s) (?:called|named|a|an|\d|in|from|allergic)\b",
        rf"\b(?:I|we)(?:'ve| have| also have| got| adopted|'ve got| have got)? (?:a|an|one|two|three|four|five|"
        rf"\d|no|adopted a|got a) (?:(?!(?:of|with|in|for|to)\b)[\w-]+ ){{0,3}}{KIN}s?(?:{END}|(?=:)|"
        rf" that (?!crash|hang|fail|throw|connect|send|return))(?! (?:that|who) (?:can|could|should))",
        r"\b(?:I|we)(?: have|'ve got| have got|'ve)(?: got)? (?:twins|triplets|kids|children|pets|grandchildren)\b",
        rf"\b[A-Z][\w'-]+ is my (?:[\w-]+ ){{0,3}}{KIN}\b",
        r"\bI(?:'m| am) (?:married to|dating|engaged to|divorced from) (?!the\b|this\b|it\b|reality)\w",
        r"^(?:(?:my|our) [\w-]+,? )?(?-i:[A-Z])[\w'-]+ and I(?: have|['’]ve| are)?"
        r"(?: just| finally| recently| now| both)* "
        r"(?:(?:split(?: up)?|separated)(?=$|[,.;!]| (?:an? (?:year|month|week|while|few|couple)|two|three|four|five|"
        r"six|\d+|some|last|this|in|when|back|after|again|for|amicably)\b)|"
        r"called it (?:a day|quits)(?! (?:at|around|early|by|before|after)\b)|(?:got )?back together\b)",
        rf"\b(?:(?:my|our|the)|(?-i:[A-Z])\w+ the) (?:[\w-]+ )?{_PET} (?:is|was|turned out to be)(?: actually)? "
        rf"(?:an? )?(?:boy|girl|male|female|he|she){END}",
        rf"\bI live with (?:my\b|(?:our|an?|two|three|four|five) (?:[\w-]+ )?{KIN}s?\b)",
    ), 0.8, any_of(r"\b(?:ask|tell|told|asked) my\b", r"\blike my\b",
    rf"\b{KIN} (?:is|was|are|were) (?:wondering|asking|here|calling|not|happy|angry|right|wrong|asleep|awake|waiting"
    rf"|sleeping|"
    r"late|busy|away|out|back|home|ready|hungry|tired|in a (?:meeting|hurry|call)|on (?:the|a) (?:phone|call)|at the"
    r" door)\b",
    rf"\b{KIN} (?:wants?|needs?) to (?:know|see|ask|talk|speak)\b",
    rf"\b{KIN} (?:has|have|had|moved|runs?|wants?|started) (?:\w+ )?(?:{WORK_NOUN}(?=$|[.,!])|{SYSTEM})")),
    Rule("relationship", any_of(
        rf"我(?:的)?[大小老二]?{KIN_ZH}(?!现在|目前|最近|"
        rf"[^，。]{{0,2}}[说问想觉他她也都不让要叫])[\u4e00-\u9fff]{{2,3}}"
        r"(?=住|搬到|搬去|(?:今年|现在|已经)?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})岁|今年\d|现在(?:住|在)|"
        r"在.{2,12}(?:工作|上班|上学|读书)|对.{1,8}过敏)",
        rf"(?:我|我们)(?:的)?(?:家的?|大|小|老|亲|前|新|女|男|直属|养的){{0,2}}{_KIN_ZH}(?:的名字|今年|现在|也|"
        r"都|名|的生日|的工作|一家)?[，,]?(?:叫|是|在|住|搬[到去]|做(?!了|饭|的|完|好|到|过|出|梦)|当(?!时|初|真)|"
        rf"\d|[一二三四五六七八九十]{{1,3}}岁|"
        rf".{{0,6}}满.{{1,3}}岁|.{{0,4}}上(?:小学|初中|高中|大学|幼儿园)|.{{0,4}}(?:毕业|结婚|工作)|喜欢|爱|不(?:再|"
        r"太|怎么|能|会|爱|喜欢)?(?=[吃喝抽碰住怕戴养玩做会]|喜欢|爱|工作|上班|开车)|生日|姓|养|对|刚(?=毕业|结婚|"
        rf"出生|上|满|退休|搬|生|工作|换|离婚|怀孕)|退休|去世|得了|属|读|上(?:小学|初中|高中|大学|幼儿园)|马上|有)",
        rf"我(?:们)?(?:家)?(?:里)?(?:有|养了?)(?:[一二两三四五六\d]|几|个)?(?:[个只条位名对])?.{{0,6}}{KIN_ZH}",
        rf"^(?:我们?家?的?)?(?:[^，。是的]{{1,6}}的)?(?:{KIN_ZH}|班主任|教练|医生)是一?[个位]?姓[\u4e00-\u9fff]的",
        r"^(?:我们?|咱们?)?(?:店[里头]?|家[里头]?|屋头|公司|厨房|铺子|馆子)?(?:又|新|刚|现在|最近|一共|总共)*[请招雇聘]了"
        r"(?:[一二两三四五六七八九十几\d]*[个位名])[^，。的假]{0,6}(?:人|工|阿姨|嬢嬢|师傅|员|保姆|助理|学徒|厨师|会计|司机)$",
        rf"\w{{1,6}}是我(?:们)?(?:的)?(?:最.{{1,2}}的|前|大|小|亲|直属)?{KIN_ZH}",
        r"我(?:和|跟).{1,10}(?:结婚|在一起|订婚|分手|离婚|同居|合租|认识)了?",
    ), 0.8, any_of(r"以前|曾经|从前|过去|原来|当年",
        rf"{_KIN_ZH}(?:说|问|觉得|让我|叫我|怎么|在吗|是不是|在叫|不在|是对的|"
        r"(?:现在|正|还)?在(?:看|吃|喝|睡|玩|写|听|等|哭|笑|打|洗|开车|开会|上课|忙|想|聊|找|做|闹|生气|路上|外面|"
        r"楼下|家[里呢。]|旁边|身边|医院|商场|超市|公司|学校|单位|"
        r"地铁|车上|厨房|客厅|门口|阳台|机场|车站)(?![^，。]{0,8}(?:工作|上班|生意|的|当|做|"
        r"教)))", r"像我", r"有(?:没有|时)")),
)  # fmt: skip

EMOTION = (
    Rule("emotion", any_of(
        r"\bI(?:'m| am|'ve been| have been|'m feeling| feel| felt| am feeling| was|'m getting|"
        r" am getting)? ?(?:feel |feeling |been |being |getting )?(?:so |very |really |a bit |a little |pretty |"
        r"quite |extremely |super |completely |kind of |kinda |incredibly |totally |absolutely |too |just |"
        r"still |also |"
        r"rather |deeply |a little bit |more and more )*(?:happy|sad|tired|exhausted|angry|upset|frustrated|"
        r"anxious|nervous|worried|excited|thrilled|depressed|lonely|stressed(?: out)?|overwhelmed|scared|afraid|"
        r"proud|grateful|disappointed|heartbroken|miserable|furious|ashamed|embarrassed|jealous|bored|devastated|"
        r"relieved|burned out|burnt out|hopeless|homesick|terrified|joyful|melancholy|down|annoyed|guilty|hurt|"
        r"content)\b",
        r"\bI(?:'ve| have)? (?:really |so |still )*(?:miss(?:ed)? (?:my|her|him|them|home)|can't stop crying|"
        r"cried|had a (?:terrible|horrible|rough|bad|great|wonderful|awful) (?:day|week|night))\b",
        r"^(?:心里|心情|情绪|心态)(?:真的?|很|有点|非常|特别|不太|不|好|越来越)*(?:难过|好|糟|低落|差|乱|崩|沉重|"
        r"难受|郁闷|烦)",
        r"我(?:今天|最近|现在|这几天|这周|昨天|昨晚|一直|刚才|觉得|感到|感觉|心里|的心情)*(?:有点|有些|很|好|"
        r"非常|太|真的|特别|挺|超级?|十分|一直|越来越|都|快要|快)*(?:开心|高兴|难过|伤心|累|疲惫|焦虑|紧张|生气|"
        r"愤怒|郁闷|害怕|孤独|寂寞|兴奋|激动|失望|沮丧|烦|烦躁|压力(?:很|好|太|特别|有点)?大|崩溃|想念|思念|委屈|"
        r"内疚|后悔|"
        r"自豪|感动|幸福|想家|无聊|绝望|担心|难受|不开心|不高兴|抑郁|心累|迷茫|失落|气死|骄傲|尴尬)",
    ), 0.35, any_of(
        r"\b(?:not (?:sure|really)|happy (?:to|with|for you|about your)|afraid (?:that|not|I|so|we)|sorry|glad|"
        r"excited to (?:try|see|hear)|sad (?:song|story|poem)|tired of (?:this|these|your)|content (?:is|of)|"
        r"down (?:with|to|for)|worried that (?:this|the|it)|would be|if I)\b",
        # How tired somebody is on one day.
        r"\b(?:tired|exhausted|bored)\b[^.]{0,20}\b(?:today|tonight|this (?:morning|afternoon|evening))\b|"
        r"\btoday\b[^.]{0,20}\b(?:tired|exhausted|bored)\b",
        r"今[天晚早][^，。一]{0,6}(?:累|疲惫|无聊)(?!积|计)",
        r"(?:有点怀疑|不累|不难过|不紧张|不担心|累计|累积|担心的是|高兴(?:认识|见到|为你)|麻烦你?)",
    )),
)  # fmt: skip
_STRONG = re.compile(
    r"\b(?:so|very|really|extremely|incredibly|absolutely|totally|love|hate|adore|terrified|furious|thrilled|"
    r"heartbroken|devastated)\b|!{2,}|！{2,}|非常|特别|超级|太|极其|崩溃|绝望|气死|最",
    re.I,
)


def emotion(kind: str, words: str) -> float:
    """How strong a feeling it tells of, 0-1."""
    strong = bool(_STRONG.search(words))
    if kind == "emotion":
        return 0.8 if strong else 0.5
    return 0.3 if strong and kind in ("preference", "relationship", "event") else 0.0
