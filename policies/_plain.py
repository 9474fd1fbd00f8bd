"""What somebody says plainly of themselves, without a word that marks it: "I'm Irish", "I have two cats", "I get up
at six": who they are, what is theirs and what they do again and again. English. It is there for
what the classifier is not sure enough of, and for what is told in a part of a sentence.

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
_LEAD = (
    r"^(?:(?:and|but|so|well|yes|no|also|now|actually|currently|these days|nowadays|at the moment|recently|lately|"
    r"yesterday|(?:since|from|in|last|this|as of|after|on) (?:the )?(?!me\b|you\b|it\b)[\w-]+)(?:,? ))*"
)
_ADVERBS = (
    r"(?:(?:just|recently|finally|now|also|still|currently|already|both|always|usually|normally|mostly|mainly|really|"
    r"actually|only|originally|officially|sadly|since|all|have|regularly|often|sometimes|occasionally|rarely|never|"
    r"do|don['’]t|do not|no longer|myself) ){0,3}"
)
_I_DO = rf"{_LEAD}(?:I|we) {_ADVERBS}"
_I_AM = rf"{_LEAD}(?:I['’]m|I am|we['’]re|we are) (?:not )?{_ADVERBS}"
_I_HAVE_BEEN = rf"{_LEAD}(?:I['’]ve|I have|we['’]ve|we have) {_ADVERBS}been {_ADVERBS}"
_WAS_NOT = (
    r"\b(?:if|as a kid|would|could|should|might|may|maybe|almost|nearly|wish|pretend\w*|imagine|story|novel|"
    r"film|movie|avatar|simulation|sprite|game|character|role|chapter)\b"
)
_NOT_OF_ME = any_of(
    AT_WORK, _WAS_NOT, r"\b(?:your?|it|this|that|these|those|them)\b(?! (?:days|year|month|week|summer|winter))"
)
_AN = r"(?:(?:an?|one|two|three|four|five|six|several|some|no|any|my own|our own|\d{1,2}) )"
_WORDS = r"(?:(?!of\b|with\b|in\b|for\b|to\b|at\b|and\b|the\b)[\w'’-]+ ){0,3}?"
_PET = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|budgies?|canar(?:y|ies)|ferrets?"
    r"|guinea pigs?|tortoises?|goldfish|hens?|chickens?|ducks?|geese|goats?|sheep|pigs?|cows?|alpacas?|horses?"
    r"|pon(?:y|ies)|donkeys?|bees|beehives?)"
)
_VEHICLE = (
    r"(?:cars?|vans?|campervans?|camper|motorhomes?|caravans?|trucks?|lorry|motorbikes?|motorcycles?|scooters?"
    r"|mopeds?|e-?bikes?|bikes?|bicycles?|tricycle|boats?|canoes?|kayaks?|yacht)"
)
_HOME = (
    r"(?:houses?|homes?|flats?|apartments?|condo|cottages?|bungalow|cabins?|chalet|farms?|farmhouse|gardens?"
    r"|allotments?|greenhouse|balcon(?:y|ies)|terraces?|garages?|studio flats?|land|orchards?|vineyards?|sauna"
    r"|swimming pool)"
)
_PAPERS = (
    r"(?:degree|phd|doctorate|master's|bachelor's|diploma|mba|a-levels|driv(?:ing|er['’]?s) licen[cs]e|licen[cs]e|"
    r"green card|visa|citizenship|passports?|mortgage|student loans?|pension)"
)
_INSTRUMENT = (
    r"(?:piano|guitar|bass(?: guitar)?|violin|viola|cello|double bass|drums?|drum kit|flute|clarinet|oboe"
    r"|saxophone|sax|trumpet|trombone|horn|harp|organ|ukulele|banjo|accordion|recorder|bagpipes|keyboards|synths?"
    r"|sitar|fiddle)"
)
_FAMILY = rf"(?:siblings|step\w+|half-(?:brothers?|sisters?)|godchild(?:ren)?|grand\w+|{KIN}s?)"
_FEARS = (
    r"(?:heights|flying|the dark|spiders|snakes|dogs|cats|mice|rats|needles|clowns|deep water|water|blood"
    r"|enclosed spaces|small spaces|crowds|the dentist|dentists|thunder(?:storms)?|birds|horses|lifts|elevators"
    r"|bees|wasps|sharks|driving)"
)
_BAND = (
    r"(?:choirs?|bands?|orchestras?|quartet|ensemble|clubs?|gyms?|teams?|league|church|mosque|synagogue"
    r"|theatre group)"
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
        rf"{_I_AM}(?:half[ -]|part[ -])?(?-i:(?!I\b|OK|Ok|Team|Type|Done|Ready|Back|Sorry|Fine|Not|Here|Good|Busy"
        rf"|Root)"
        r"[A-Z][a-zà-ÿ]{2,}(?:[ -][A-Z][a-zà-ÿ]{2,})?)(?=$|[.,!]| by birth\b)",
        rf"{_I_HAVE_BEEN}(?:married|together|a couple|divorced|single|separated|vegan|vegetarian|sober|retired|"
        rf"self-employed|with [\w ]{{2,20}}) {_LASTING}",
        rf"{_LEAD}(?:I|we)(?:['’]ve| have) {_ADVERBS}(?:lived|worked|taught|studied|run"
        rf"|owned) [\w' -]{{2,40}}? {_LASTING}",
        rf"{_I_AM}(?:\d(?:[.,]\d+)? ?(?:feet|foot|ft|m|met(?:re|er)s?)\b(?= tall|$|[.,]| \d)|\d{{3}} ?(?:cm"
        rf"|centimet))",
        rf"{_I_AM}on (?:an? |the )?(?:[\w-]+ )?(?:diet|benefits|pension|antidepressants|(?:maternity|parental"
        rf"|paternity|sick) leave)\b",
        rf"{_I_AM}(?:really |very |terribly |quite |so )?(?:afraid|scared|terrified|frightened) of {_FEARS}{END}",
        rf"{_LEAD}(?:I|we)(?:['’]ve got| have got| {_ADVERBS}(?:have|own))(?: got)? {_AN}{{0,2}}{_WORDS}"
        rf"(?:{_VEHICLE}|{_HOME}|{_PAPERS}|{_INSTRUMENT})(?! (?:to|of)\b){END}",
        rf"{_I_DO}(?:rent|lease) {_AN}{_WORDS}(?:{_HOME}|rooms?|studio){END}",
        rf"{_I_DO}wear (?:[\w-]+ )?(?:glasses|contacts|contact lenses|hearing aids?|braces|a wig|a hijab|a kippah)\b",
        rf"{_I_DO}share (?:an?|the|my|our) (?:[\w-]+ )?(?:{_HOME}|room|bedroom|house) with\b|^we rent(?=$|[.,!])",
        rf"{_LEAD}I(?:['’]ve got| have| work) (?:an?|two|three) (?:part-time|full-time|[\w-]+ing|[\w-]+|second"
        rf"|weekend|night|day) "
        r"jobs?(?=$|[.,!]| (?:at|with|in|as) (?:an?|the)? ?\w)",
        rf"{_LEAD}(?:I|we) (?:don['’]t|do not) (?:have|own|use) (?:an? |any )?(?:siblings|brothers|sisters|tv"
        rf"|television|smartphone|"
        r"dishwasher|microwave|oven|kids|pets|degree|facebook|instagram|whatsapp|twitter|tiktok|social media)\b",
        rf"{_I_HAVE_BEEN}(?:living|working|teaching|studying|learning|playing|practi[sc]ing|dating|renting|running"
        rf"|training|seeing) [\w' -]{{2,40}}? {_LASTING}",
        rf"{_LEAD}I can(?:not|['’]t| not)? (?:swim|drive|ride a (?:bike|bicycle|horse|motorbike)|cook|sing|dance"
        rf"|ski|whistle|juggle|read music|roll my \w+|play the {_INSTRUMENT})(?=$|[.,!]| (?:and|but|at all"
        rf"|very well|well)\b)",
        r"^I can (?:speak|understand|read|sign) (?:a (?:little|bit of) |some |fluent |basic )?(?-i:[A-Z][a-z]+)\b",
        rf"{_I_DO}(?:earn|weigh|get paid) (?:about |around |roughly |over |under )?[$€£¥]?\d",
        rf"{_I_AM}(?:training for|saving (?:up )?for|studying for|recovering from|getting over|learning to"
        rf"|retraining as|training to (?:be|become)|studying to (?:be|become)|doing (?:my|an?)) (?:an? |the |my "
        rf"|our )?(?:[\w-]+ ){{0,2}}?(?:{SPORT}|race|ironman|{_HOME}|{_VEHICLE}|{_PAPERS}|bar(?: exam)?|wedding"
        rf"|honeymoon|apprenticeship|internship|surgery|operation|swim|drive|ski|sail|fly|{OCCUPATION})\b",
    ), 0.85, _NOT_OF_ME),
    Rule("relationship", any_of(
        rf"{_LEAD}(?:I|we)(?:['’]ve got| have got| {_ADVERBS}have)(?: got)? {_AN}{{0,2}}{_WORDS}(?:{_FAMILY}"
        rf"|{_PET}){END}",
        rf"{_I_AM}(?:seeing|dating) (?:an? |my |somebody|someone|(?-i:[A-Z]))",
    ), 0.8, _NOT_OF_ME),
    # What somebody does, not once: the present tense of a doing.
    Rule("habit", any_of(
        rf"{_I_DO}(?:sing|dance|act|perform|row|swim|jog|run|cycle|bike|ski|climb|hike|surf|skate|sail|fence|box"
        rf"|cook|bake|knit|sew|crochet|paint|draw|garden|meditate|pray|journal|busk|commute|walk|volunteer|drive"
        rf"|travel)(?=$|[.,!]| (?:in an?|with (?:an?|my|our)|for (?:fun|an?|charity)|to (?:work|school|relax"
        rf"|church|the office)|from (?-i:[A-Z])\w+|(?:[\w-]+ )?marathons|by (?:bus|train|bike|car|tram)|on (?:foot"
        rf"|{_DAY}s)|at (?:an?|my|our|night|weekends|home)|most|after work|before work|in (?:my|the) (?:spare|free"
        rf"|evenings?|mornings?|garden|sea|winter|summer|park)|twice|once|"
        r"regularly|competitively|professionally|a lot|as a hobby)\b)",
        rf"{_I_DO}(?:sing|play|perform|row|act|dance|train|swim|run) (?:[\w-]+ )?(?:in|with|for|at) (?:an?|the|my"
        rf"|our|two) {_WORDS}{_BAND}{END}",
        rf"{_I_DO}(?:collect|grow|restore|build|brew|bake|sew|knit|repair|write|breed|foster) "
        r"(?:(?:my|our) own \w+|(?!the\b|my\b|our\b|an?\b|up\b|down\b|out\b|in\b|over\b|each\b|all\b|every\w*\b"
        r"|some\w*\b)(?:[\w-]+ ){0,2}?(?:\w{3,}s|vinyl|beer|bread|wine|poetry|fiction|art|furniture|honey"
        r"|jewellery|jewelry|fruit|porcelain|wool))(?=$|[.,!]| (?:in|at|on|for|and|as|from|with|since)\b)",
        rf"{_I_DO}(?:do|practi[sc]e|play|teach|coach|run|go to) (?:(?:a|some|the|my) )?(?:[\w-]+ )?{SPORT}{END}",
        rf"{_I_DO}go (?!looking|missing|testing|debugging|searching|digging|hunting for|crying"
        rf"|crazy)[a-z]{{2,}}ing(?! now(?=$|[.,!])){END}",
        rf"{_I_DO}(?:eat|drink) (?!up\b|the\b|my words|at the|(?:now|lunch|dinner|breakfast|something)(?=$|[.,!])"
        rf")(?:[\w-]+ ){{0,3}}?(?:[\w-]{{3,}}|at {_TIME}){END}",
        rf"{_I_DO}(?:take|have|drink|like) (?!the\b|this\b)(?:my|no|two|three|milk|sugar|\w+) (?:\w+ )?(?:in (?:my )?"
        rf")?(?:coffee"
        rf"|tea)\b",
        rf"{_I_DO}do (?:my|our|the) (?:weekly |food |grocery )?(?:shopping|laundry|cleaning|ironing|gardening"
        rf"|cooking|school run)\b",
        rf"{_I_DO}(?:support|follow) (?-i:[A-Z][a-z]{{3,}}(?: (?:City|United|Town|Rovers|Athletic|Villa))?)(?=$"
        rf"|[.,!])",
        rf"{_I_DO}(?:get up|wake up|go to (?:bed|sleep)|have (?:breakfast|lunch|dinner)|start work|finish work) "
        rf"(?:at |by |before |after |early\b|late\b|around |about )(?:{_TIME})?",
        rf"{_I_DO}(?:go|drive|cycle) to (?:the gym|church|mass|temple|the mosque|therapy|evening classes|the market"
        rf"|physio)\b",
        rf"{_LEAD}(?:I|we) {_ADVERBS}(?:don['’]t|do not|no longer|never) (?:drink|smoke|drive|cook|fly|vote|gamble"
        rf"|vape|own|"
        r"watch|eat|celebrate|use social)\b(?! (?:the|my|your|it|this|that)\b)",
    ), 0.6, _NOT_OF_ME),
)  # fmt: skip
