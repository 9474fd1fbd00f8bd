"""What somebody says plainly of themselves, without a word that marks it: "I'm ...", "I have ...", "I keep bees", "I've
... for ten years": who they are, what is theirs and what they do again and again. English.

The verb tells of a state or of a way to live, its object is no particular thing ("stamps", "a choir", but not "the
results", "it"), and nothing in it belongs to the work at hand.
"""

from __future__ import annotations

from ._doings import SPORT
from ._people import KIN, OCCUPATION
from ._rule import Rule, any_of
from ._work import AT_WORK, END

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
# What may stand before the subject.
LEAD = (
    r"^(?:(?:and|but|so|well|yes|no|also|now|actually|currently|these days|nowadays|at the moment|recently|lately|"
    r"yesterday|(?:since|from|in|last|this|as of|after|on) (?:the )?(?!me\b|you\b|it\b)[\w-]+)(?:,? ))*"
)
ADVERBS = (
    r"(?:(?:just|recently|finally|now|also|still|currently|already|both|always|usually|normally|mostly|mainly|really|"
    r"actually|only|originally|officially|sadly|since|all|have|regularly|often|sometimes|occasionally|rarely|never|"
    r"do|don['’]t|do not|no longer|myself) ){0,3}"
)
I_DO = rf"{LEAD}(?:I|we) {ADVERBS}"
I_AM = rf"{LEAD}(?:I['’]m|I am|we['’]re|we are) (?:not )?{ADVERBS}"
I_HAVE_BEEN = rf"{LEAD}(?:I['’]ve|I have|we['’]ve|we have) {ADVERBS}been {ADVERBS}"
_WAS_NOT = (
    r"\b(?:if|as a kid|would|could|should|might|may|maybe|almost|nearly|wish|pretend\w*|imagine|story|novel|"
    r"film|movie|avatar|simulation|sprite|game|character|role|chapter)\b"
)
_NOT_OF_ME = any_of(
    AT_WORK, _WAS_NOT, r"\b(?:your?|it|this|that|these|those|them)\b(?! (?:days|year|month|week|summer|winter))"
)
_AN = r"(?:(?:an?|one|two|three|four|five|six|several|some|no|any|my own|our own|\d{1,2}) )"
WORDS = r"(?:(?!of\b|with\b|in\b|for\b|to\b|at\b|and\b|the\b)[\w'’-]+ ){0,3}?"
PET = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|budgies?|canar(?:y|ies)|ferrets?"
    r"|guinea pigs?|tortoises?|goldfish|hens?|chickens?|ducks?|geese|goats?|sheep|pigs?|cows?|alpacas?|horses?"
    r"|pon(?:y|ies)|donkeys?|bees|beehives?)"
)
VEHICLE = (
    r"(?:cars?|vans?|campervans?|camper|motorhomes?|caravans?|trucks?|lorry|motorbikes?|motorcycles?|scooters?"
    r"|mopeds?|e-?bikes?|bikes?|bicycles?|tricycle|boats?|canoes?|kayaks?|yacht)"
)
HOME = (
    r"(?:houses?|homes?|flats?|apartments?|condo|cottages?|bungalow|cabins?|chalet|farms?|farmhouse|gardens?"
    r"|allotments?|greenhouse|balcon(?:y|ies)|terraces?|garages?|studio flats?|land|orchards?|vineyards?|sauna"
    r"|swimming pool)"
)
_ON_ME = (
    r"(?:(?:[\w-]+ )(?:hair|eyes|skin|feet)|beard|moustache|freckles|dimples|tattoos?|piercings?|braces|glasses|"
    r"contact lenses|hearing aids?|wheelchair|prosthe\w+|pacemaker|perfect pitch)"
)
_PAPERS = (
    r"(?:degree|phd|doctorate|master's|bachelor's|diploma|mba|a-levels|driv(?:ing|er['’]?s) licen[cs]e|licen[cs]e|"
    r"green card|visa|citizenship|passports?|mortgage|student loans?|pension)"
)
INSTRUMENT = (
    r"(?:piano|guitar|bass(?: guitar)?|violin|viola|cello|double bass|drums?|drum kit|flute|clarinet|oboe"
    r"|saxophone|sax|trumpet|trombone|horn|harp|organ|ukulele|banjo|accordion|recorder|bagpipes|keyboards|synths?"
    r"|sitar|fiddle)"
)
_FAMILY = rf"(?:siblings|step\w+|half-(?:brothers?|sisters?)|godchild(?:ren)?|grand\w+|{KIN}s?)"
# Somebody by what they do: "postman", "beekeeper", "violinist", "joiner".
_AGENT = (
    r"(?:(?!list\b|human\b|twist\b|checklist\b)\w{3,}(?:ist|ian|eer|smith|wright|keeper|maker|worker|m[ae]n"
    r"|wom[ae]n|master|grapher)|(?!users?\b|numbers?\b|members?\b|newcomer|winner|loser|sucker|bother|follower"
    r"|subscriber|caller|sender|author|maintainer|contributor|reader|player|speaker|closer|further|nearer|better"
    r"|later|earlier|faster|slower|older|younger|taller|shorter|bigger|smaller|whatever|either|other|together|over"
    r"|under|after|ever|never|rather|error|corner|matter|order|helper|computer|server|burden|customer|monster"
    r"|stranger|layer|number|outlier|major|minor|for\b|her\b|per\b|or\b)\w{3,}(?:er|or))"
)
_ROLE = (
    rf"(?:{OCCUPATION}|{_AGENT}|mums?|moms?|dads?|fathers?|mothers?|parents?|god\w+|step\w+|grand(?:ma|pa|mother"
    rf"|father|parent)s?|uncle|aunt|twins?|triplet|only child|orphan|widow|"
    r"night owl|early bird|lark|late riser|\w+ person|lefty|southpaw|local|immigrant|refugee|veteran|graduate"
    r"|dropout|teetotal?ler|non-?smoker|introvert|extrovert|insomniac|believer|feminist|pacifist|apprentice"
    r"|au pair|nun|priest|monk|vicar|rabbi|imam|judge|nanny|tutor|chef|cop|civil servant|stay-at-home \w+)"
)
_STABLE = (
    r"(?:[\w-]+-(?:handed|footed|sighted|eyed|haired|born|bred|raised|employed|taught|educated)|colou?r[ -]?blind"
    r"|gay|lesbian|bi(?:sexual)?|transgender|trans|non-?binary|asexual|adopted|orphaned|employed|unemployed"
    r"|teetotal|religious|atheist|agnostic|protestant|jewish|muslim|christian|catholic|buddhist|hindu|sikh|quaker"
    r"|bald|ginger|deaf|blind|blonde?|brunette|disabled|homeless|trilingual|multilingual|neurodivergent"
    r"|hard of hearing|tone-deaf|childless|lactose[- ]intolerant|pescatarian|freelance|semi-retired|long-married"
    r"|happily married|the (?:eldest|oldest|youngest|middle child|only (?:child|girl|boy|one)|first(?:born)?"
    r"|second|third)(?: child| son| daughter)? (?:of|in (?:my|the) family|to)\b[\w ]*)"
)
_FEARS = (
    r"(?:heights|flying|the dark|spiders|snakes|dogs|cats|mice|rats|needles|clowns|deep water|water|blood"
    r"|enclosed spaces|small spaces|crowds|the dentist|dentists|thunder(?:storms)?|birds|horses|lifts|elevators"
    r"|bees|wasps|sharks|driving)"
)
_DECADE = r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[2-9]0s)"
BAND = (
    r"(?:choirs?|bands?|orchestras?|quartet|ensemble|clubs?|gyms?|teams?|league|church|mosque|synagogue"
    r"|theatre group)"
)
BUSINESS = (
    r"(?:(?:book|coffee|flower|pet|tea|barber|corner|charity|cheese|wine|repair|bike|toy)[ -]?shop|shop|caf[eé]"
    r"|restaurant|bakery|farm|business|company|start-?up|studio|salon|pub|bar|hotel|b&b|bed and breakfast"
    r"|guest ?house|clinic|school|nursery|gallery|charity|podcast|blog|youtube channel|agency|firm|food truck"
    r"|market stall|garage|workshop)"
)
_TIME = (
    r"(?:about |around |half |quarter (?:past|to) )*(?:\d{1,2}\b|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|noon|midnight|dawn)"
)
_LASTING = (
    r"(?:for (?!a (?:while|bit|moment|minute|second|few|couple|long)|an hour|hours|minutes|days|some|"
    r"ages)[\w -]{1,24}(?:years?|months?|decades?)|since (?:\d{4}|I was|my|birth|childhood|school|college|"
    r"(?-i:[A-Z]))|all my life|my whole life)"
)

# A plain sentence that tells of who somebody is, and what is theirs.
PLAIN = (
    Rule("profile", any_of(
        # One capital word is where somebody is from, what they believe, or who they are.
        rf"{I_AM}(?:half[ -]|part[ -])?(?-i:(?!I\b|OK|Ok|Team|Type|Done|Ready|Back|Sorry|Fine|Not|Here|Good|Busy"
        rf"|Root)"
        r"[A-Z][a-zà-ÿ]{2,}(?:[ -][A-Z][a-zà-ÿ]{2,})?)(?=$|[.,!]| by birth\b)",
        rf"{I_AM}(?:fully |completely |mostly |happily |newly |a bit |slightly |partly |a little |half |legally "
        rf"|profoundly |nearly )?{_STABLE}(?=$|[.,!]| (?:and|but|in|at|by|since|like|so)\b)",
        rf"{I_AM}(?:an? |the (?=(?:only|proud|single|father|mother|mum|mom|dad|parent|grand|god)))(?:[\w-]+ "
        rf"){{0,3}}?{_ROLE}{END}",
        rf"{I_HAVE_BEEN}(?:an? )(?:[\w-]+ ){{0,3}}?{_ROLE} {_LASTING}",
        rf"{I_HAVE_BEEN}(?:married|together|a couple|divorced|single|separated|vegan|vegetarian|sober|retired|"
        rf"self-employed|with [\w ]{{2,20}}) {_LASTING}",
        rf"{LEAD}(?:I|we)(?:['’]ve| have) {ADVERBS}(?:lived|worked|taught|studied|run"
        rf"|owned) [\w' -]{{2,40}}? {_LASTING}",
        rf"{I_AM}(?:\d(?:[.,]\d+)? ?(?:feet|foot|ft|m|met(?:re|er)s?)\b(?= tall|$|[.,]| \d)|\d{{3}} ?(?:cm"
        rf"|centimet))",
        rf"{I_AM}in my (?:early |mid-? ?|late )?{_DECADE}\b",
        rf"{I_AM}on (?:an? |the )?(?:[\w-]+ )?(?:diet|benefits|pension|antidepressants|(?:maternity|parental"
        rf"|paternity|sick) leave)\b",
        rf"{I_AM}(?:really |very |terribly |quite |so )?(?:afraid|scared|terrified|frightened) of {_FEARS}{END}",
        rf"{LEAD}(?:I|we)(?:['’]ve got| have got| {ADVERBS}(?:have|own))(?: got)? {_AN}{{0,2}}{WORDS}"
        rf"(?:{VEHICLE}|{HOME}|{_PAPERS}|{INSTRUMENT})(?! (?:to|of)\b){END}",
        rf"{LEAD}I(?:['’]ve got| have got| {ADVERBS}have)(?: got)? {_AN}?(?:very |quite |really )?{_ON_ME}{END}",
        rf"{I_DO}(?:rent|lease) {_AN}{WORDS}(?:{HOME}|rooms?|studio){END}",
        rf"{I_DO}(?:run|own|manage) {_AN}{WORDS}{BUSINESS}{END}",
        rf"{I_DO}wear (?:[\w-]+ )?(?:glasses|contacts|contact lenses|hearing aids?|braces|a wig|a hijab|a kippah)\b",
        rf"{I_DO}suffer from (?!the\b|this\b|that\b|an?\b|these\b)[\w-]+",
        rf"{I_DO}share (?:an?|the|my|our) (?:[\w-]+ )?(?:{HOME}|room|bedroom|house) with\b|^we rent(?=$|[.,!])",
        rf"{LEAD}I(?:['’]ve got| have| work) (?:an?|two|three) (?:part-time|full-time|[\w-]+ing|[\w-]+|second"
        rf"|weekend|night|day) "
        r"jobs?(?=$|[.,!]| (?:at|with|in|as) (?:an?|the)? ?\w)",
        rf"{LEAD}(?:I|we) (?:don['’]t|do not) (?:have|own|use) (?:an? |any )?(?:siblings|brothers|sisters|tv"
        rf"|television|smartphone|"
        r"dishwasher|microwave|oven|kids|pets|degree|facebook|instagram|whatsapp|twitter|tiktok|social media)\b",
        rf"{I_HAVE_BEEN}(?:living|working|teaching|studying|learning|playing|practi[sc]ing|dating|renting|running"
        rf"|training|seeing) [\w' -]{{2,40}}? {_LASTING}",
        rf"{LEAD}I never (?:went to (?:university|college|uni|school)|finished (?:school|university|college)"
        rf"|married|had children|"
        r"learn\w* to (?:swim|drive|cook|ride|ski|dance|read))\b",
        rf"{I_DO}come from (?:an? (?:[\w-]+ ){{1,3}}(?:family|background|town|village)|the (?:north|south|east"
        rf"|west|country\w*))\b",
        r"^I served in the (?:army|navy|air force|marines|military|police|forces)\b",
        rf"{I_DO}(?:studied|read) (?!up\b|hard\b|the\b|a\b|an\b|my\b|all\b"
        rf"|some\b)\w+(?: and \w+)?(?: at (?-i:[A-Z])[\w ]+)?(?=$|[.,!])",
        rf"{LEAD}I grew up (?:in|on|with|near|speaking|between|abroad)\b|{LEAD}I was (?:born|raised|brought up) "
        r"(?!yesterday\b)(?:in|on|near|by|at|into|to|prematurely|deaf|blind|with)\b",
        rf"{LEAD}I(?:['’]ve| have) never (?:been to (?-i:[A-Z])|(?:smoked|flown|skied|married|driven|voted"
        rf"|left (?-i:[A-Z])|learn\w* (?:how )?to (?:swim|drive|cook|ride|ski|dance|read)))\w*",
        rf"{LEAD}I can(?:not|['’]t| not)? (?:swim|drive|ride a (?:bike|bicycle|horse|motorbike)|cook|sing|dance"
        rf"|ski|whistle|juggle|read music|roll my \w+|play the {INSTRUMENT})(?=$|[.,!]| (?:and|but|at all"
        rf"|very well|well)\b)",
        r"^I can (?:speak|understand|read|sign) (?:a (?:little|bit of) |some |fluent |basic )?(?-i:[A-Z][a-z]+)\b",
        rf"(?:{I_DO}work|{I_AM}working) (?:nights|weekends|{_DAY}s|shifts|full[ -]time|part[ -]time|from home"
        rf"|freelance|remotely|abroad|outdoors|(?:night|day|early|late|twelve-hour|long) shifts|(?:[\w.]+ )(?:days"
        rf"|hours|nights|evenings|mornings) (?:a|per|each) (?:week|month))\b",
        rf"{I_DO}(?:earn|weigh|get paid) (?:about |around |roughly |over |under )?[$€£¥]?\d",
        rf"{I_DO}pay (?:about |around )?[$€£¥]?\d[\d,.]*\w* ?(?:\w+ )?(?:in|for|of) (?:my |our )?(?:rent|mortgage"
        rf"|child support|childcare)\b",
        rf"{I_AM}(?:training for|saving (?:up )?for|studying for|recovering from|getting over|learning to"
        rf"|retraining as|training to (?:be|become)|studying to (?:be|become)|doing (?:my|an?)) (?:an? |the |my "
        rf"|our )?(?:[\w-]+ ){{0,2}}?(?:{SPORT}|race|ironman|{HOME}|{VEHICLE}|{_PAPERS}|bar(?: exam)?|wedding"
        rf"|honeymoon|apprenticeship|internship|surgery|operation|swim|drive|ski|sail|fly|{OCCUPATION})\b",
    ), 0.85, _NOT_OF_ME),
    Rule("relationship", any_of(
        rf"{LEAD}(?:I|we)(?:['’]ve got| have got| {ADVERBS}have)(?: got)? {_AN}{{0,2}}{WORDS}(?:{_FAMILY}"
        rf"|{PET}){END}",
        rf"{I_DO}(?:look after|care for|take care of|live with|support|foster) (?:my|our|an?|two|three"
        rf"|four) {WORDS}{_FAMILY}{END}",
        rf"{I_AM}expecting (?:an? |our |another |my )(?:[\w-]+ )?(?:baby|child|son|daughter|boy|girl|first|second"
        rf"|third)\b|{I_AM}expecting (?:twins|triplets)\b|{I_AM}expecting(?=$|[.,!])|{I_AM}trying for (?:a"
        rf"|another) (?:baby|child)\b",
        rf"{LEAD}I(?:['’]ve| have)? {ADVERBS}lost (?:my|both my) (?:[\w-]+ )?{_FAMILY}{END}",
        rf"{I_AM}(?:very |really |not )?close (?:to|with) (?:my|our) {_FAMILY}\b",
        rf"{I_AM}(?:seeing|dating) (?:an? |my |somebody|someone|(?-i:[A-Z]))",
        rf"{LEAD}(?:my|our) {_FAMILY} and I (?:are|live|have|were|own|rent|share|met)\b",
    ), 0.8, _NOT_OF_ME),
    # What somebody does, not once: the present tense of a doing.
    Rule("habit", any_of(
        rf"{I_DO}(?:sing|dance|act|perform|row|swim|jog|run|cycle|bike|ski|climb|hike|surf|skate|sail|fence|box"
        rf"|cook|bake|knit|sew|crochet|paint|draw|garden|meditate|pray|journal|busk|commute|walk|volunteer|drive"
        rf"|travel)(?=$|[.,!]| (?:in an?|with (?:an?|my|our)|for (?:fun|an?|charity)|to (?:work|school|relax"
        rf"|church|the office)|from (?-i:[A-Z])\w+|(?:[\w-]+ )?marathons|by (?:bus|train|bike|car|tram)|on (?:foot"
        rf"|{_DAY}s)|at (?:an?|my|our|night|weekends|home)|most|after work|before work|in (?:my|the) (?:spare|free"
        rf"|evenings?|mornings?|garden|sea|winter|summer|park)|twice|once|"
        r"regularly|competitively|professionally|a lot|as a hobby)\b)",
        rf"{I_DO}(?:sing|play|perform|row|act|dance|train|swim|run) (?:[\w-]+ )?(?:in|with|for|at) (?:an?|the|my"
        rf"|our|two) {WORDS}{BAND}{END}",
        rf"{I_DO}(?:collect|grow|restore|build|brew|bake|sew|knit|repair|write|breed|foster) "
        r"(?:(?:my|our) own \w+|(?!the\b|my\b|our\b|an?\b|up\b|down\b|out\b|in\b|over\b|each\b|all\b|every\w*\b"
        r"|some\w*\b)(?:[\w-]+ ){0,2}?(?:\w{3,}s|vinyl|beer|bread|wine|poetry|fiction|art|furniture|honey"
        r"|jewellery|jewelry|fruit|porcelain|wool))(?=$|[.,!]| (?:in|at|on|for|and|as|from|with|since)\b)",
        rf"{I_DO}keep (?:{PET}|(?:[\w-]+ )?fish|kosher|halal|an? (?:food |dream |daily )?(?:diary|journal))\b"
        rf"|{I_DO}write (?:an? )?(?:diary|journal|blog|poems|poetry|songs|novels|letters)\b",
        rf"{I_DO}(?:do|practi[sc]e|play|teach|coach|run|go to) (?:(?:a|some|the|my) )?(?:[\w-]+ )?{SPORT}{END}",
        rf"{I_DO}play (?:the )?{INSTRUMENT}{END}",
        rf"{I_DO}go (?!looking|missing|testing|debugging|searching|digging|hunting for|crying"
        rf"|crazy)[a-z]{{2,}}ing(?! now(?=$|[.,!])){END}",
        rf"{I_DO}(?:eat|drink) (?!up\b|the\b|my words|at the|(?:now|lunch|dinner|breakfast|something)(?=$|[.,!])"
        rf")(?:[\w-]+ ){{0,3}}?(?:[\w-]{{3,}}|at {_TIME}){END}",
        rf"{I_DO}(?:take|have|drink|like) (?!the\b|this\b)(?:my|no|two|three|milk|sugar|\w+) (?:\w+ )?(?:in (?:my )?"
        rf")?(?:coffee"
        rf"|tea)\b",
        rf"{I_DO}do (?:my|our|the) (?:weekly |food |grocery )?(?:shopping|laundry|cleaning|ironing|gardening"
        rf"|cooking|school run)\b",
        rf"{I_DO}(?:dance|paint|cook|buy|shop for|cook with|wear) (?:only )?(?!the\b|my\b|an?\b"
        rf"|some\w*\b)(?:[\w-]+ )?(?:salsa|tango|"
        r"ballroom|watercolou?rs|portraits|landscapes|second-hand(?: \w+)?|secondhand(?: \w+)?|organic"
        r"|vegan(?: \w+)?|"
        rf"vegetarian|curr(?:y|ies)|halal|kosher|fair-?trade(?: \w+)?|local(?:ly)?|black|dresses|hats|suits|makeup"
        rf"|make-up){END}",
        rf"{I_AM}(?:an? )?(?:[\w-]+ )?member of (?:an?|the|my|our) (?:[\w-]+ ){{0,2}}?(?:{BAND}|society"
        rf"|association|union|\w+ party|parish|book club|board){END}",
        rf"{I_DO}(?:support|follow) (?-i:[A-Z][a-z]{{3,}}(?: (?:City|United|Town|Rovers|Athletic|Villa))?)(?=$"
        rf"|[.,!])",
        rf"{I_DO}(?:get up|wake up|go to (?:bed|sleep)|have (?:breakfast|lunch|dinner)|start work|finish work) "
        rf"(?:at |by |before |after |early\b|late\b|around |about )(?:{_TIME})?",
        rf"{I_DO}(?:take|catch|get) the (?:bus|train|tube|tram|metro|subway|ferry) (?:to|home|in)\b",
        rf"{I_DO}(?:go|drive|cycle) to (?:the gym|church|mass|temple|the mosque|therapy|evening classes|the market"
        rf"|physio)\b",
        rf"{I_DO}sleep (?:badly|well|poorly|lightly|late|on my \w+|in a \w+)\b|{I_DO}get (?:migraines|hay ?fever"
        rf"|car ?sick|sea ?sick|"
        r"travel ?sick|cold sores|cluster headaches)\b|{I_DO}eat out{END}",
        rf"{I_DO}(?:read|watch|listen to) (?:a lot of |lots of |mostly |only "
        rf"|mainly )?(?:[\w-]+ ){{0,2}}?(?:novels|fiction|poetry|podcasts|films|movies|documentaries|anime|manga"
        rf"|comics|biographies|thrillers|musicals|jazz|metal|opera|football|cricket|rugby|tennis|formula (?:1|one)"
        rf"|soaps|classical music|audiobooks|the news|horror){END}",
        rf"{LEAD}(?:I|we) {ADVERBS}(?:don['’]t|do not|no longer|never) (?:drink|smoke|drive|cook|fly|vote|gamble"
        rf"|vape|own|"
        r"watch|eat|celebrate|use social)\b(?! (?:the|my|your|it|this|that)\b)",
    ), 0.6, _NOT_OF_ME),
)  # fmt: skip
