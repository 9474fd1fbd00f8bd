"""Words that ask for discretion towards others: "between us, ...", "..., but don't tell anyone", 别告诉别人，……. Pure.

Only what is said to the listener counts: not what somebody else was told, nor secrets that are only spoken of.
"""

from __future__ import annotations

import re

from localagent.forgetting import NAME
from localagent.persons import SURNAMES_ZH

_ANYONE = (
    r"(?:any(?:one|body)(?: else)?|a (?:living )?soul|(?:other )?people|(?:the )?others|everyone|everybody|others)"
)
_WHO = rf"(?:{_ANYONE}|him|her|them|(?:my|our|the) [\w'-]+(?: [\w'-]+)?|{NAME}(?: (?:or|and) {NAME})?)"
_THIS = r"(?:this|that|it)"
_SPOKEN_OF = r"(?:this|that|it|him|her|them)"
_DONT = (
    r"(?:don't|dont|do not|never|(?:you )?(?:must|should|can|may|will)(?:n't| not| never)|you can't|you won't|"
    r"better not|"
    r"(?:promise|swear) (?:me )?(?:not to|(?:that )?you(?: won't|'ll not| will not))|"
    r"I(?:'d| would) (?:rather|prefer it if) you (?:didn't|did not))"
    r"(?:,? (?:ever|yet|please|you dare|just|under any circumstances|for now|for the moment),?)?"
)
_ABOUT = rf"(?: (?:(?:about|of) )?(?:{_THIS}|what I (?:say|said|told you)))?"
# To whom nothing is to be told, as a request by itself.
_SILENCE = (
    rf"(?:{_DONT} (?:tell {_WHO}{_ABOUT}|(?:share|discuss) {_THIS} with {_WHO}|share this|"
    rf"(?:mention|repeat|spread|leak|disclose|reveal) {_THIS}(?: to {_WHO})?|"
    rf"(?:say|breathe) (?:{_THIS}|a word|anything)(?: (?:about|of) {_THIS})?(?: to {_WHO})?|"
    rf"pass {_THIS} on(?: to {_WHO})?|"
    rf"let {_WHO} (?:know|find out|hear){_ABOUT})"
    rf"|(?:not a word|no word|mum's the word|say nothing)(?: (?:about|of) {_THIS})?(?: to {_WHO})?"
    rf"|{_DONT} (?:bring {_SPOKEN_OF} up|(?:mention|discuss) {_SPOKEN_OF}|(?:talk|speak) (?:about|of) {_SPOKEN_OF})"
    rf" (?:again )?(?:in front of|around|near|with|to) {_WHO}"
    rf"|{_DONT} let {_THIS} get out|{_THIS} (?:must not|mustn't|can't|cannot|may not|should not|shouldn't) get out"
    rf"|I(?: don't|'d rather not| do not) want (?:{_ANYONE}|him|her|them|{NAME}|my [\w'-]+) to (?:know|find out|"
    rf"hear){_ABOUT}"
    rf"|(?:tell|(?:mention|say) (?:{_THIS}|a word|anything) to) (?:no one|nobody|not a soul)(?: else)?{_ABOUT}"
    rf"|(?:nobody|no one)(?: else)? (?:needs|has|ought) to (?:know|hear|find out){_ABOUT}"
    rf"|(?:be discreet(?: about {_THIS})?|treat {_THIS} (?:as (?:strictly )?confidential|confidentially|"
    rf"with discretion))"
    rf"|(?:nobody|no one)(?: else)? (?:must|should|may|can|is (?:supposed|allowed|meant) to) (?:ever )?"
    rf"(?:know|hear|find out|learn){_ABOUT})"
)
_KEPT = (
    r"(?:to yourself|between (?:us|you and me|ourselves|the two of us)|(?:a )?secret|confidential|in confidence|"
    r"under wraps|under your hat)"
)
_KEEP = (
    rf"(?:keep (?:{_THIS}|what I (?:say|tell you)) (?:strictly |all |just |a ){{0,3}}{_KEPT}|keep this (?:private|"
    rf"quiet)"
    rf"|keep {_THIS} private(?=:)|keep (?:my|our) (?:[\w'-]+ ){{1,3}}(?:{_KEPT}))"
)
_IS = (
    rf"(?:(?:{_THIS}|what I(?:'m about to| am about to)? (?:say|tell you)(?: now)?)"
    r"(?:'s| is| stays| remains| has to stay| must stay| should stay| needs to stay)"
    r"(?: to be| (?:strictly|just|only|all|very|top|highly|still|a|our|little|big|between us)){0,4} "
    r"(?:between (?:us|you and me|ourselves|the two of us)|confidential|secret|private|hush-hush|"
    r"for your (?:eyes|ears) only|not public))"
)
_STAYS = (
    rf"(?:(?:{_THIS}|what I(?:'m about to| am about to)? (?:say|tell you)(?: now)?|what is said here) "
    r"(?:stays?|remains?|(?:has|needs|ought) to stay|(?:must|should) stay|(?:doesn't|does not|must not|mustn't|"
    r"should not|shouldn't|won't|never) leaves?) (?:(?:just|strictly|only) )?(?:(?:in|inside|within) )?"
    r"(?:(?:this|these|our) (?:four )?(?:room|chat|thread|conversation|walls)|the (?:room|family)))"
)
# Somebody's own secret.
_PARENT = r"(?:mum|mom|mam|mammy|mummy|dad|daddy|gran|granny|nan|grandma|grandad|grandpa|mother|father)"
_THEY = (
    r"(?:(?:he|she|they|who|(?:my|our|his|her|their) [\w'-]+(?: [\w'-]+)?|the (?:family|kids|children)|"
    rf"{_PARENT}|{NAME})(?: really| still)?)"
)
_OUT = (
    r"(?:out|round|around|about|any further|known|public|spread|shared|repeated|passed on|talked about|discussed|"
    rf"back(?: to {_WHO})?)"
)
_MOVES = r"(?:be(?:ing)?|gets?|getting|got|go(?:es|ing)?|went|com(?:e|es|ing)|came|leak(?:s|ed|ing)?)"
# That it is known, or goes round; what somebody does not want, hates or fears.
_BEING_KNOWN = (
    rf"(?:{_ANYONE} (?:to )?(?:know|find|hear|learn|talk|gossip)(?:ing)?(?: out)?"
    rf"|{_THIS} (?:to )?(?:{_MOVES} )?{_OUT}|(?:me )?(?:telling|repeating|sharing)(?: {_THIS})?(?: (?:to )?{_WHO})?)"
)
_NOT = r"(?: (?:doesn't|does not|don't|do not|didn't|won't|wouldn't|would not)(?: really| exactly)?)"
_THEY_WISH = (
    rf"(?:{_THEY}(?:{_NOT} (?:want|like|wish|care for|thank (?:me|you|us) for)|"
    r"(?: would|'d)(?: \w+)? (?:hate|loathe|dread|mind)"
    r"| (?:hates|dreads|(?:is|was|are)(?: \w+)? (?:afraid|scared|terrified|ashamed|mortified|worried) (?:of|about|at)))"
    rf" {_BEING_KNOWN}{_ABOUT}"
    rf"|{_THEY}(?:(?:'d| would) (?:rather|prefer) (?:(?:that )?(?:nobody|no one) (?:knew|found out)"
    rf"|(?:that |if )?{_THIS} (?:didn't|did not|wasn't|was not) (?:{_MOVES} )?{_OUT})"
    r"| wants? (?:nobody|no one) to (?:know|find out|hear)| made (?:me|us) (?:swear|promise) (?:not to (?:tell|say)|"
    r"silence|secrecy)| wants? (?:to keep )?"
    rf"(?:{_THIS} )?(?:kept )?(?:secret|quiet|private)){_ABOUT})"
)
# Who of others does not know of what is told: it is told in confidence. Not who might have found out what it is.
_NOT_TOLD = (
    r"(?:(?:my|our|his|her|their) (?!(?:doctor|gp|consultant|surgeon|specialist|vet|mechanic|midwife|phone|car)\b)"
    r"[\w'-]+(?: [\w'-]+)?|the (?:kids|children|boys|girls|twins|family|others|team|boss|office|neighbou?rs|landlord|"
    r"in-laws|grandparents|rest of (?:the|my|our) [\w'-]+)|he|she|"
    rf"(?!(?:it|we|you|they|this|that|these|those|there|what|who|people|doctors|scientists|the)\b){NAME}"
    rf"(?: (?:and|or) {NAME})?)"
)
# What comes of it if they hear: "Dad would go through me if he knew", "if it gets out, I'm finished"; not "he'd
# be proud".
_LEARNS = (
    rf"(?:(?!(?:I|we|you)\b)[\w'-]+(?: [\w'-]+){{0,3}}? (?:knew|knows|(?:found|finds|find) out|hear(?:d|s)?|"
    rf"learn(?:ed|s)?|(?:got|gets|get) wind)|(?:{_THIS}|word) (?:ever )?(?:{_MOVES} )?{_OUT})"
    r"(?: (?:that )?(?:I|we)(?:'d|'ve| had| have)? (?:told|said|let|mentioned|shared)[^,.;:!?]{0,20}|"
    r" (?:about|of) (?:this|that|it))?"
)
_WELCOME = (
    r"(?!(?:[\w']+ ){0,3}(?:proud|happy|glad|pleased|thrilled|delighted|love|laugh|smile|help|understand|cheer|moon|"
    r"like|enjoy|approve|fine|agree|come|join|able)\b)"
)
_FOLLOWS = (
    rf"(?:(?!you\b)[\w'-]+(?: [\w'-]+){{0,2}}?(?:(?:'d| would|'ll| will) {_WELCOME}|"
    rf"(?: wouldn't| won't) (?!mind|care|believe))|I(?:'m| am) {_WELCOME})[^,.;:!?]{{2,40}}?"
)
_IF_KNOWN = rf"(?:{_FOLLOWS} if {_LEARNS}|if {_LEARNS},? (?:then )?{_FOLLOWS})"
_AMONG = r"(?:(?:just |strictly |only ){0,2}between (?:us|you and me|ourselves|the two of us)(?: only)?)"
_TELLING = (
    rf"(?:I(?:'m| am)? (?:only )?tell(?:ing)? (?:only )?you (?:{_THIS} )?(?:in (?:strict )?confidence|privately)"
    r"|you(?:'re| are) the only (?:one|person) (?:who knows(?: (?:about )?(?:this|that|it))?|I(?:'ve|"
    r" have)? (?:told|tell))"
    r"|I(?:'m| am) only telling you(?: (?:this|that))?|(?:I'll|let me|I want to|I have to|"
    r"can I) tell you a (?:little )?secret"
    r"|here's a secret|keep a secret(?= ?\?))"
)
# "Sam drinks, you didn't hear it from me", "... forget I said that".
_UNHEARD = (
    rf"(?:you (?:didn't|did not|never|haven't) (?:(?:hear|heard) (?:any of )?(?:{_THIS}|a thing|anything)(?: from me)?|"
    rf"get {_THIS} from me)|(?:forget|pretend) (?:that )?(?:I|you)(?:'ve)? (?:(?:ever|just|never|didn't) )*"
    rf"(?:said|told you|mentioned|say|tell you|mention|heard|hear) (?:any of )?(?:{_THIS}|anything))"
)
_ALONE = (
    r"(?:in (?:strict(?:est)? )?confidence|confidentially(?: speaking)?|for your (?:eyes|ears) only|(?:(?:top |"
    r"strictly )?(?:secret|confidential)|private)"
    r"(?= ?:)|strictly confidential|top secret)"
)
# Where, or among whom, what follows is said: "between these four walls: ...".
_CIRCLE = (
    r"(?:(?:(?:just|only|strictly) )?(?:(?:between|within|inside|in|behind|for) (?:these|this|our|closed) "
    r"(?:four |own )?(?:walls|room|doors|circle)|among (?:us|ourselves|friends|family)|within the family)(?: only)?"
    r"|(?:(?:only )?(?:us(?: two)?|you and me)|only the two of us)(?: here)?)"
)
_YET = (
    r"(?:,? (?:yet|please|ok(?:ay)?|of course|though|either|for now|at work|at home|at all|ever|"
    r"until \w+(?: \w+)?)){0,4}"
)
_SOMEBODY = rf"(?:{_PARENT}|him|her|them|{_NOT_TOLD})"
_BEGINS = (
    r"^[\s(]*+(?:(?:hey|psst|so|hi|hello|oh|"
    r"for now|for the moment|for the time being|until then|at least|and|also|but|well|"
    r"by the way|btw|listen|look|please|kindly|ok|okay|now|"
    r"then|"
    r"just|actually|sorry|can you|could you|would you|will you|I want you to|I'd like you to|"
    r"let's)\b[\s,!:.–—-]*+){0,6}+"
)
_END = r"(?=\s?[,:;.!?)–—]|\s-\s|\s(?:but|because|since|and)\b|\s*$)"
_FIRST = re.compile(
    rf"{_BEGINS}(?:(?:{_SILENCE}|{_KEEP}|{_IS}|{_STAYS}|{_TELLING}|{_UNHEARD}){_YET}{_END}"
    rf"|(?:{_THEY_WISH}|{_IF_KNOWN}){_YET}(?=[\s.!)…]*$|:)|{_ALONE}\s?(?=[,:–—-])"
    rf"|{_CIRCLE}(?= ?:)"
    # "Between us we have five children": together.
    rf"|{_AMONG}(?=\s?[,:–—]| -)(?!,? (?:we|there)(?:'ve|'re| have| are| own| earn| make)\b)"
    rf"|{_THEY} (?:doesn't|does not|don't|do not) want {_ANYONE} to (?:know|find out|hear) "
    r"(?=(?:that|about|what|why|how|who)\b)"
    rf"|(?:{_DONT} tell {_ANYONE}|tell (?:no one|nobody)|{_DONT} let {_ANYONE} (?:know|find out)) "
    r"(?=(?:that|about|what|why|how|who|where|when)\b)"
    rf"|{_DONT} (?:tell {_SOMEBODY}|let {_SOMEBODY} (?:know|find out))"
    r" (?:(?:that|how|why) )?(?=(?:I|we|my|our)\b))",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"(?:[,;(–—]|\s-|\b(?:but|and|so))\s*+(?:(?:so|but|and|please|ok(?:ay)?|though|because|yet|just)[,\s]\s*+){{0,4}}+"
    rf"(?:{_SILENCE}|{_KEEP}|{_IS}|{_STAYS}|{_AMONG}|{_TELLING}|{_THEY_WISH}|{_IF_KNOWN}|{_UNHEARD}){_YET}"
    r"[\s.!)…]*$",
    re.IGNORECASE,
)
# Somebody else's request, told.
_TOLD_BY = re.compile(
    r"\b(?:said|says|say|asked|asks|told|tells|wrote|writes|whispered|warned|goes|reads)(?: \w+)?[\s,:]*$|"
    r"[说道讲写嘱咐][，,：:\s]*$",
    re.IGNORECASE,
)

_WHO_ZH = (
    r"(?:别的?人|人家|别个|他人|旁人|外人|任何人|其他(?:任何)?人|大家|其他同事|他们?|她们?|"
    r"(?:[我咱](?:们)?(?:的)?)?(?:爸妈?|妈妈?|爸爸|老婆|老公|妻子|丈夫|男朋友|女朋友|对象|哥哥?|姐姐?|弟弟?|妹妹?|"
    r"爷爷|奶奶|外公|外婆|"
    r"儿子|女儿|孩子|家里?人|父母|同事|老板|领导|朋友|室友|上司|经理|客户)们?|(?![我你您咱])\w{2,3})"
)
# For how long, and how much.
_YET_ZH = r"(?:先|暂时|暂且|目前|现在|眼下|最近|这阵子|这段时间|还|都|也)"
_NOT_ZH = (
    rf"我?(?:千万|可|绝对|最好|请你?|记得|务必|麻烦你?|{_YET_ZH}){{0,4}}(?:别|不要|不能|不可以|不许|不准|不得|请勿|勿|不想|"
    r"不希望你?)(?:再|去|跟着){0,2}"
)
_SILENCE_ZH = (
    rf"(?:(?:(?:这|此|那)(?:个|件)?(?:事情?|话|消息)?|[^，。！？；,.:：说让叫]{{1,14}}的(?:事情?|消息))?(?:你|就|也|可){{0,3}}(?:{_NOT_ZH}(?:把(?:这|它)(?:个|件|"
    rf"些)?(?:事情?|话|消息)?)?(?:告诉{_WHO_ZH}|[跟和对向同]{_WHO_ZH}"
    rf"(?:讲起?|说起?|提起?|提及|透露|泄露|声张)|(?:说|讲|传|泄露|透露|泄漏)(?:出去|给{_WHO_ZH})|外传|声张|泄露|"
    rf"张扬|往外(?:说|传|讲)|到处(?:说|讲|传))"
    rf"(?:这(?:件|个)?事|这些?)?|{_NOT_ZH}(?:让|给)(?:人|{_WHO_ZH})(?:知道|发现|听到|听见)|"
    rf"{_NOT_ZH}(?:在|当着){_WHO_ZH}的?(?:面前?|跟前)(?:提|说|讲|聊|谈)[起到及]?(?:他们?|她们?|它|这(?:件|个)?(?:事|话)?)?"
    r"|[跟和对]?谁(?:都|也)(?:别|甭|不要|不能|不许|不准)(?:说|讲|告诉)"
    r"|(?:先|暂时|暂且|目前)(?:不|别)(?:公开|声张|宣布|对外(?:说|讲|公布|公开))"
    r"|(?:请|要|麻烦|你|一定要?|务必|帮我|替我|给我|为我|得|先|暂时|暂且|目前|现在){0,5}(?:严格)?保密|(?:请|要|麻烦|你|一定要?|务必|帮我|"
    r"替我|给我|为我|得){0,5}(?:守住?|保守)(?:这个|这)?秘密|"
    r"(?:烂|放)在肚子里))"
)
_IS_ZH = (
    r"(?:这(?:个|件事|事|话|些|条|一点)?(?:情况|消息|内容|信息)?(?:可|都)?(?:是|属于)"
    r"(?:个|一个|我们?的?|咱们?俩?的?|你我之间的|绝对|高度|公司|商业|小){0,4}(?:秘密|机密|隐私|私事|绝密|保密的))"
)
_ONLY_ZH = (
    r"(?:(?:这(?:个|件)?(?:事|话|秘密)?)?(?:只有|就|只能|只)(?:你|咱们?俩?|我们?俩?|你我)(?:两个?人?|二人|一个人|"
    r"俩)?(?:之间)?知道"
    r"|[我咱]?(?:只|就)(?:跟|和|对|告诉)你(?:一个?人)?(?:说|讲|一个?人)?|天知地知[，,]?你知我知|你知我知"
    r"|(?:这(?:话|事|件事)?|此事)?(?:咱们?|我们?|你我)(?:俩|两个?人?|二人)?之间(?:的(?:秘密|事))?(?:说说?|聊聊?)?)"
)
_TELLING_ZH = (
    r"(?:(?:我)?(?:悄悄|偷偷|私下里?|私底下|小声|跟你|和你|对你|给你){0,3}(?:地)?(?:告诉你|跟你说|和你说|跟你讲|说|"
    r"讲)(?:一?个|件)?(?:小)?秘密"
    r"|(?:我)?(?:悄悄|偷偷|私底下|小声)(?:地)?(?:告诉你|跟你说|和你说|跟你讲|说)|(?:你)?能(?:不能)?(?:替我|"
    r"帮我)?保(?:守|住)?(?:个)?(?:秘密|密)吗?)"
)
_ALONE_ZH = r"(?:(?:绝密|机密|秘密|保密|私密)(?=[：:]))"
_CIRCLE_ZH = (
    r"(?:关(?:起|上|着)门来?(?:(?:说|讲|聊)(?:一?句)?(?=[，,：:])|(?=[：:]))"
    r"|(?:(?:就|只)在?(?:咱们?|我们)(?:几个|[俩仨]|[两三四]个?|自己)?人?(?:之间|面前|在场)?"
    r"|(?:(?:都是|在|当着)?自己人(?:面前|之间|才)|私底下|在?这?屋里(?=[说讲聊])|出了这个?门[^，,：:]{0,6}))"
    r"(?:说说?|讲讲?|聊聊?)?(?:一?句)?(?=[：:]))"
)
_TAIL_ZH = r"(?:哦|啊|哈|吧|呀|喔|嘛|了|啦|的|呢|就好|就行|就够了|好吗|行吗|可以吗){0,4}"
_OTHERS_ZH = (
    r"(?:别人|其他人|大家|全家|谁|(?:[我咱](?:们)?(?:的)?|他|她)?(?:家里?人?|爸妈?|妈妈?|爸爸|父母|老婆|老公|妻子|丈夫|[男女]朋友|对象|"
    r"哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|公公|婆婆|儿子|女儿|孩子|同事|老板|领导|朋友|室友|上司|经理|房东|邻居)们?|"
    rf"[他她]们?|(?:[小老阿]|大(?![家夫概部多小学人]))\w{{1,2}}?|[{SURNAMES_ZH}田程于余]\w{{1,2}}?)"
)
# Somebody's own secret, and what comes of it if others hear of it.
_THEY_ZH = r"(?:他们?|她们?|本人|对方|(?:[我咱](?:们)?(?:的)?)?[\u4e00-\u9fff]{2,4}?)"
_GOES_OUT_ZH = (
    r"(?:(?:(?:这|那|此)(?:件|个)?事|这个?|消息|话)?(?:被)?(?:(?:传|说|讲|漏|泄露)(?:了)?(?:出去|开)|往外(?:说|传|讲)|外传|声张|张扬|"
    r"到处(?:说|讲|传)))"
)
_THEY_WISH_ZH = (
    rf"(?:(?:我|{_THEY_ZH})(?:自己|本人|可|其实|并|最|特别|很|就|一直|{_YET_ZH}){{0,3}}"
    r"(?:不(?:想|愿意?|希望|肯|让|许|准|喜欢|乐意)|害?怕|担心|讨厌|忌讳)(?:我|你|我们)?(?:让|被|给|有)?"
    rf"(?:(?:人家?|别人|任何人|其他人|外人|大家|旁人)(?:知道|发现|听到|晓得|议论|说闲话|传|[提问]起?|打听)|{_GOES_OUT_ZH}))"
)
_LEARNS_ZH = (
    rf"(?:(?:要是|如果|万一|一旦)?(?:{_OTHERS_ZH}|{_THEY_ZH})?(?:要是|如果|万一|一旦)?(?:知道|发现|听说|晓得)"
    rf"(?:了|(?:是)?我(?:说|讲|告诉|传|透露|提)[^，。；！!？?]{{0,6}}?|(?:这|那)(?:件|个)?事)*|(?:要是|如果|万一|一旦)?{_GOES_OUT_ZH})"
)
_IF_KNOWN_ZH = (
    rf"(?:{_LEARNS_ZH}(?:的话)?[，,]?(?:{_THEY_ZH}|我)?(?:会|要|得|肯定|准|非|就|一定|绝对|能|跟|饶)[^，。；！!?？]{{0,6}}?"
    r"(?:急|怪|骂|恨|生气|气[死疯坏炸]|杀|揍|打[死断我]|弄死|掐死|翻脸|绝交|算账|不了我|发[火飙]|崩溃|伤心|不理|没完|完了|完蛋|不高兴|闹)"
    rf"[^，。；！!?？]{{0,5}}|(?:要是|如果|万一|一旦){_GOES_OUT_ZH}了?(?:的话)?[，,]?[^，。；！!?？]{{2,14}})"
)
_UNHEARD_ZH = (
    r"(?:(?:你(?:就|只|权|全|可)?当(?:作|做)?|(?:就|权|全)当(?:作|做)?(?:你)?)(?:什么都|从来|压根)?(?:没有?听[见到说]*过?|不知道)|"
    r"你?(?:就|只|权|全)?当(?:作|做)?我(?:什么都)?没有?[说讲提]过?)"
)
_FIRST_ZH = re.compile(
    rf"^[\s（(]*+(?:(?:嘿|喂|对了|那个|嘘|其实|还有|顺便说一?下?|说真的|哎|唉|你好|请|麻烦|拜托|帮我|你|您|可以|能不能|"
    rf"能否|可不可以|现在|就|那|也|还是)[，,！!\s]*+){{0,6}}"
    rf"(?:(?:{_SILENCE_ZH}|{_IS_ZH}|{_ONLY_ZH}|{_TELLING_ZH}){_TAIL_ZH}(?=\s*[，,：:。！!；;？?）)—]|\s|$)|{_ALONE_ZH}|{_CIRCLE_ZH}"
    rf"|{_THEY_WISH_ZH}(?:这件?事|此事)?{_TAIL_ZH}(?=[\s。！!）)]*$|[：:]|[他她])"
    rf"|(?:{_IF_KNOWN_ZH}|{_UNHEARD_ZH}){_TAIL_ZH}(?=[\s。！!）)]*$|[：:])"
    rf"|{_NOT_ZH}(?:告诉{_WHO_ZH}|[跟和对]{_WHO_ZH}[说讲提]|让{_WHO_ZH}(?:知道|发现))(?=[我咱]))"
)
_LAST_ZH = re.compile(
    rf"(?:[，,；;（(：:]|——?|\s)\s*+(?:但是?|不过|请你?|你|麻烦|千万|最好|可|所以|而且|这|拜托|记得){{0,5}}"
    rf"(?:{_SILENCE_ZH}|{_IS_ZH}|{_ONLY_ZH}|{_THEY_WISH_ZH}|{_IF_KNOWN_ZH}|{_UNHEARD_ZH}){_TAIL_ZH}[\s。.！!）)~～]*$"
)

_NOBODY = (
    r"(?:(?:nobody|no one|no-one|not a soul)(?: else| (?:at|in|on) (?:my |the |our )?[\w'-]+)?|"
    rf"none of (?:them|my [\w-]+)|not even {_NOT_TOLD})"
)
_STILL = r"(?: (?:still|really|actually|both|all))?"
_KNOWS_NOT = rf"(?:{_NOBODY}{_STILL} (?:knows|suspects)|{_NOT_TOLD}{_STILL} (?:doesn't|does not|don't|do not) know)"
_IN_THE_DARK = (
    rf"(?:{_KNOWS_NOT}|{_NOBODY} has (?:been told|any idea|a clue)|{_NOT_TOLD}{_STILL} (?:(?:hasn't|haven't|has not|"
    r"have not) (?:been told|heard|found out|(?:got )?a clue)|(?:has|have) no (?:idea|clue)|(?:doesn't|don't) suspect"
    r"(?: a thing| anything)?|knows? nothing|(?:is|are) (?:none the wiser|(?:kept )?in the dark)|"
    r"(?:mustn't|must not|can't|cannot|shouldn't) (?:know|find out))"
    rf"|(?:I|we)(?:'ve| have)(?:n't| not| never) told (?:{_ANYONE}|{_NOT_TOLD}))"
    r"(?: (?:about )?(?:it|this|that|him|her|them|any of (?:it|this)))?(?: (?:yet|so far|at all|though|of course))*"
)
_HUSH = r"(?:\bs{1,4}h{2,8}\b|\bhush[- ]hush\b|🤫)"
_UNKNOWN_FIRST = re.compile(
    rf"{_BEGINS}(?:{_IN_THE_DARK}{_END}|{_IN_THE_DARK} (?:(?:that )?"
    rf"(?=(?:I|I'm|I've|I'd|we|we're|we've)\b)|about (?=(?:my|our)\b))|{_HUSH}(?=\W))",
    re.IGNORECASE,
)
# What somebody does not know of yet is a secret by itself: "the kids don't know about Dafydd yet".
_NOT_YET = re.compile(
    rf"{_BEGINS}{_IN_THE_DARK} (?:about|of) (?=(?:(?-i:[A-Z])|(?:my|our|his|her|the) \w)"
    r"[^,;:!?]{0,40} (?:yet|so far)[\s.!)…]*$)",
    re.IGNORECASE,
)
# What is done so that others do not learn of it.
_SECRETLY = re.compile(
    r"\b(?:I|we)(?:'ve|'m|'re| have| am| are)? secretly\b(?! (?:\w+ )?(?:lov|lik|hop|enjoy|want|wish|think|glad|"
    r"proud|hat|suspect|believ|pleased|admir)\w*)"
    rf"|\bbehind (?:his|her|their|(?:(?:my|our) [\w-]+|{NAME})'s?) backs?\b|\bon the (?:sly|quiet)\b"
    rf"|\bwithout (?:telling (?:him|her|them|{_NOT_TOLD})|(?:him|her|them|{_NOT_TOLD}) (?:knowing|noticing))"
    rf"|\b(?:I|we)(?:'ve|'m|'re| have| am| are)?(?: been)? (?:hiding|hidden|keeping|kept)"
    rf"(?= (?:it|this|that|(?:the|my|our) [\w-]+(?: [\w-]+)?) "
    rf"from (?:him|her|them|{_NOT_TOLD})(?!['\w-]))",
    re.IGNORECASE,
)
_UNKNOWN_LAST = re.compile(
    rf"(?:[,;(–—…]|\s-|\b(?:but|and))\s*+(?:(?:but|and|so|because)[,\s]\s*+){{0,3}}+{_IN_THE_DARK}[\s.!)…]*$"
    rf"|\s(?P<of>(?:(?:that|which) )?{_KNOWS_NOT} (?:about|of)(?: yet)?)[\s.!)…]*$|\W\s*+{_HUSH}\W*$",
    re.IGNORECASE,
)
_KNOWS_NOT_ZH = (
    rf"(?:(?:(?:现在|目前|暂时)?(?:还|都|也)?没有?(?:一个)?人|{_OTHERS_ZH}(?:现在|目前|暂时)?(?:{_YET_ZH}|并|完全|根本){{0,3}}不)"
    r"(?:知道|晓得|知情))"
)
_IN_THE_DARK_ZH = (
    rf"(?:{_KNOWS_NOT_ZH}(?:这(?:件|个)?事|这个)?|{_OTHERS_ZH}(?:{_YET_ZH}){{0,2}}(?:被)?蒙在鼓里|"
    rf"(?:我)?(?:{_YET_ZH}){{0,2}}(?:谁[都也]没(?:说|告诉|讲)|没(?:有)?(?:告诉|[跟和对]){_OTHERS_ZH}(?:说|讲)?))"
    r"(?:呢|呀|啊|哦|吧|的|过){0,2}"
)
_UNKNOWN_FIRST_ZH = re.compile(
    rf"\s*+(?:(?:其实|对了|那个|悄悄说|说实话)[，,]?)?(?:{_IN_THE_DARK_ZH}(?=[，,：:；;。！!]|\s*$)|"
    rf"(?:{_KNOWS_NOT_ZH}|(?:{_YET_ZH}){{0,2}}没有?(?:告诉|[跟和对]){_OTHERS_ZH}[说讲提]?)(?=[我咱])|"
    rf"嘘(?=[^寒\w]|$))"
)
_UNKNOWN_LAST_ZH = re.compile(
    rf"(?:[，,；;（(…]|——?)\s*+(?:但是?|不过|而且|只是|可){{0,2}}(?:{_IN_THE_DARK_ZH}|嘘)[\s。.！!）)~～…]*$"
)
# What is done so that others do not learn of it: 我偷偷给我妈转了五千, 我瞒着爸妈辞职了, 藏了私房钱.
_SECRETLY_ZH = re.compile(
    rf"[我咱]们?(?:[^，。；是]{{0,4}}?)(?:(?:偷偷|悄悄|偷着|暗地里)[地]?(?![哭笑看乐听想练学抹喜爱努难高流]|告诉你|[跟和对]你)"
    rf"|(?:瞒着|背着){_OTHERS_ZH})|[藏攒]了?[^，。]{{0,6}}私房钱"
)
# Help that is asked for with something quiet is no secret.
_ORDERED = re.compile(r"\b(?:remind|help|can you|could you|please)\b|提醒|帮我", re.IGNORECASE)
# What was asked is no secret, nor what is liked if nobody knows of it.
_ASKED_AFTER = re.compile(
    r"\b(?:ask\w*|wonder\w*|why|how|when|where|what|which|who|whether|if|answers?|question)\b|"
    r"问|为什么|怎么|什么|多少|哪|几[点个时岁]|是否",
    re.IGNORECASE,
)
_LIKED = re.compile(
    r"\b(?:love|like|enjoy|prefer|hate|explor\w*|visit\w*|discover\w*|find\w*|read\w*|watch\w*)\b", re.IGNORECASE
)
_OF_SPEAKER = re.compile(r"\b(?:I|we|my|our)\b|[我咱]", re.IGNORECASE)


def discretion(sentence: str, *, alone: bool = True) -> re.Match[str] | None:
    """Where a sentence (with straight apostrophes) asks for discretion: at its beginning or its end. `alone`: its
    message has no other sentence, so that what nobody else knows would have to stand in it."""
    found = _FIRST.match(sentence) or _FIRST_ZH.match(sentence)
    if found is not None:
        return found
    found = _LAST.search(sentence) or _LAST_ZH.search(sentence)
    if found is not None and not _TOLD_BY.search(sentence[: found.start()]):
        return found
    return _unknown_to_others(sentence, alone)


def _unknown_to_others(sentence: str, alone: bool) -> re.Match[str] | None:
    """Where a sentence says that somebody else does not know what it tells, or, if it is not alone, what those beside
    it tell."""
    found = _NOT_YET.match(sentence) or _SECRETLY.search(sentence) or _SECRETLY_ZH.search(sentence)
    if found is not None:
        told = _TOLD_BY.search(sentence[: found.start()])
        return None if told or _ASKED_AFTER.search(sentence) or _ORDERED.search(sentence) else found
    found = _UNKNOWN_FIRST.match(sentence) or _UNKNOWN_FIRST_ZH.match(sentence)
    found = found or _UNKNOWN_LAST.search(sentence) or _UNKNOWN_LAST_ZH.search(sentence)
    if found is None or _TOLD_BY.search(sentence[: found.start()]):
        return None
    rest = f"{sentence[: found.start()]} {sentence[found.end() :]}"
    if not re.search(r"\w", rest):
        return None if alone else found
    if not _OF_SPEAKER.search(rest) or _ASKED_AFTER.search(rest):
        return None
    return None if found.groupdict().get("of") and _LIKED.search(rest) else found
