"""What somebody says of their own health and of that of those around them: conditions, allergies, medicines with their
doses, what a doctor advised. Whose it is stands in the sentence, or in the one before."""

from __future__ import annotations

import re
from dataclasses import replace

from ._life_zh import PERSON_ZH
from ._not_meant import DEPICTED
from ._people import FAMILY_ZH, KIN, KIN_ZH, NO_NAME, SURNAME_ZH
from ._rule import Rule, any_of
from ._work import SYSTEM

_CONDITION = (
    r"(?:(?:(?!(?:with|my|your|about|for|to|in|on)\b)[\w-]+ ){0,4}?"
    r"(?:diabetes|asthma|hypertension|(?:blood pressure|cholesterol|blood sugar)(?! (?:check|test|monitor))|"
    r"epilepsy|migraines?|c(?:o)?eliac(?: disease)?|allerg(?:y|ies)|intolerance|\w{3,}itis|cancer|tumou?rs?|leuk\w+mia|"
    r"an(?:a)?emia|h(?:a)?emophilia|adhd|autism|dyslexia|dementia|alzheimer\S*|parkinson\S*|sclerosis|lupus|depression|"
    r"anxiety|ptsd|bipolar|schizophrenia|ocd|insomnia|gout|psoriasis|eczema|ibs|crohn\S*|ulcers?|reflux|hiv|"
    r"hyp\w+thyroidism|osteoporosis|sciatica|scoliosis|glaucoma|cataracts?|tinnitus|apno?ea|copd|"
    r"endometriosis|pcos|fibromyalgia|arrhythmia|fibrillation|(?:heart|kidney|liver|lung|thyroid|"
    r"autoimmune) (?:disease|"
    r"failure|condition|problems?|trouble|murmur|stones)|pacemaker|stroke(?! of)|heart attack|transplant|"
    r"(?:bad|weak|torn|broken|artificial|herniated) (?:knee|back|heart|hip|shoulder|ankle|wrist|neck|disc))\b(?!-|"
    r" about| over))"
)
_HURT = (
    r"(?:hurt|broken?|sprained|fractured|tore|torn|twisted|dislocated|injured|pulled) "
    r"(?:my|his|her|their|an?|both) (?:[\w-]+ )?(?:backs?|knees?|hips?|shoulders?|ankles?|wrists?|neck|ribs?|toes?|"
    r"fingers?|arms?|legs?|foot|feet|hands?|elbows?|collarbone|hamstring|calf|achilles|ligaments?|muscles?|meniscus|"
    r"acl)\b(?! (?:over|of)\b)"
)
_OPERATION = (
    r"(?:[\w-]+ ){0,4}?(?:surgery|operation|bypass|miscarriage|c-section|transplant|(?:hip|knee) replacement)\b"
)
_MEDICINE = (
    r"(?:(?:\w{2,}(?:olol|[a-z]{2}pril|sartan|statins?|prazole|conazole|cillin|mycin|floxacin|formin|gliptin|gliflozin|"
    r"glutide|profen|azepam|azolam|triptan|dipine|thiazide|xaban|parin|oxetine|opram|traline|tiapine|lukast|"
    r"tadine|tirizine|thyroxine|pred\w+lone|codone)|aspirin|paracetamol|acetaminophen|insulin|warfarin|lithium|"
    r"prednisone|"
    r"antibiotics|(?:beta|ace|calcium)[ -]?(?:blockers?|inhibitors?)|blood thinners?|pain ?killers?|"
    r"antidepressants?|antihistamines?|inhalers?|(?:\w+ )?medications?|(?:\w+ )?medicine|the pill|birth control|"
    r"(?:\w+ )?supplements?|vitamin \w+|dialysis|chemo\w*)\b(?! (?-i:[A-Z])))"
)
_DOSE = r"(?:\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|ug|iu|milligrams?|micrograms?|tablets?|pills?|puffs?)\b)"
_OFTEN = r"(?:(?:also|still|now|currently|usually|just|recently|always|both|only|already) )*"
_DOCTOR = (
    r"(?:doctors?|gp|physician|cardiologist|dentist|therapist|psychiatrist|dermatologist|surgeon|"
    r"midwife|nurse|pharmacist|nutritionist|dietitian|dietician|physiotherapist|physio|neurologist|oncologist|"
    r"p(?:a)?ediatrician|vet|optician|allergist|endocrinologist|gyn\w+|urologist|dr\.? (?-i:[A-Z])\w+)"
)
_MUST_NOT = r"(?:can't|cannot|can not|must not|mustn't|may not|shouldn't|should not|isn't allowed to|am not allowed to)"
_PERSON = rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}?{KIN}s?(?:,? (?-i:[A-Z])[\w'-]+,?)?"
_ADVICE = (
    rf"(?:\b(?:my|the|our|his|her|a) (?:[\w-]+ ){{0,2}}?|^(?=(?:gp|doctor|doc|consultant|nurse|dentist)\b))"
    rf"(?:{_DOCTOR}|doc|consultant)(?: (?!who\b)\w+)?,? (?:has |have |just |also |finally |"
    rf"recently )*(?:"
    r"(?:told|advised|asked|warned|wants|ordered|instructed|urged|forbade|allowed) (?:me|us|him|her|them|my [\w-]+) "
    r"(?:that|not|to|against)\b|prescribed|diagnosed|suggest(?:ed|s) (?:that )?(?:I|we|he|she)\b|"
    r"put (?:me|him|her|my \w+|(?-i:[A-Z])\w+) on\b|took (?:me|him|her|my \w+) off\b|"
    r"(?:said|says|thinks|found|confirmed|recommend\w*)(?: that)? (?:I|we|he|she|my [\w-]+|it(?:'s| is)|"
    r"(?-i:[A-Z])\w+) "
    r"(?:should|must|need|have|has|can't|cannot|may|am|is|needs)\b|"
    r"(?:said|says|thinks|reckons|confirmed)(?: that)? (?:I|we|he|she)['’](?:m|s|re|ve) (?!(?:not|all|fine|ok(?:ay)?|"
    r"well|good|right|wrong|lucky|doing|to|too|just|very|so|free|clear|going|in|on|at|being)\b)\w{4}|"
    r"(?:recommend\w*|doubled|halved|raised|increased|lowered|reduced|cut|changed|stopped|switched|adjusted|upped) "
    rf".{{0,30}}?(?:{_MEDICINE}|{_DOSE}))"
)
_WHO = rf"(?:\bI(?:'ve|'m)?|{_PERSON}(?:'s)?)"
_TOLD = (
    rf"{_WHO} {_OFTEN}(?:have|has|had|got|suffer(?:s|ed)? from|struggles? with|lives? with|deals? with|"
    rf"inherited) {_CONDITION}",
    rf"{_WHO} {_OFTEN}had {_OPERATION}",
    rf"{_WHO}(?: have| has|['’]s|['’]ve)? {_OFTEN}{_HURT}",
    rf"{_WHO}(?: am| was| is| are| were| have(?: always)? been| has been| been)? {_OFTEN}(?:(?:diagnosed|"
    rf"treated) (?:with|for) "
    r"\w|(?:[\w-]+ )?(?:allergic|intolerant|co?eliac|diabetic|asthmatic|epileptic|ana?emic|hypertensive|"
    r"immunocompromised)\b)",
    rf"{_WHO}(?: am| was| is| are)? {_OFTEN}(?:takes?|taking|uses?|using|injects?|on|prescribed|"
    rf"started(?: on| taking)?|switched to) "
    rf"(?:[\w'/-]+ ){{0,4}}?(?:{_MEDICINE}|{_DOSE})",
    rf"{_PERSON} {_OFTEN}{_MUST_NOT} (?:eat|drink|have|take|digest|tolerate)\b",
    r"\bmy (?:[\w-]+ )?(?:blood pressure|cholesterol|blood sugar|heart rate|bmi|medication|dose|dosage|prescription|"
    r"insulin)"
    r"(?: dose)? (?:is|was|are|has been|went|dropped|rose)\b",
)
_CONDITION_ZH = (
    r"(?:糖尿病|[高低]血[压脂糖]|哮喘|癫痫|痛风|贫血|甲[亢减]|脂肪肝|中风|脑梗|心梗|结石|溃疡|湿疹|荨麻疹|帕金森|痴呆|近视|偏头痛|骨质疏松|"
    r"过敏|(?:[^，。？！有没生看装治毛找的]{1,6})(?:病(?!毒|人|房|院|假|例|历)|炎|症|癌|瘤|综合征))"
)
_MEDICINE_ZH = (
    r"(?:胰岛素|阿司匹林|布洛芬|青霉素|头孢|[\u4e00-\u9fff]{1,4}(?:地平|洛尔|沙坦|普利|他汀|西林|拉唑|霉素|双胍|列汀|列净|替丁|他定|西泮|唑仑|西汀|"
    r"曲林|沙星|芬太尼)|[\u4e00-\u9fff]{0,4}药(?!店|房|膳|水瓶)|维生素\w?|钙片|鱼油|抗生素)"
)
_TAKEN_ZH = (
    rf"(?:吃|服用?|打|注射|用|喝)(?:着|的是|了)?[^，。？我你]{{0,6}}?(?:{_MEDICINE_ZH}|"
    r"\d+(?:\.\d+)?\s?(?:毫克|微克|单位|mg))"
)
_PERSON_ZH = (
    rf"(?:我(?:们)?(?:家)?(?:的)?[大小老二女男]?(?:{KIN_ZH}|[妈爸哥姐弟妹爷])|(?<![\u4e00-\u9fff]){FAMILY_ZH})(?!说|"
    rf"问|觉得|让|叫)"
    r"(?:[\u4e00-\u9fff]{0,3}?)"
)
_STATE_ZH = (
    rf"(?:(?:今年|去年|前年|现在|目前|最近|一直|从小|也|都|还|已经|刚|又|\d{{4}}年|每天|"
    r"每[晚周早]|[早晚]上|饭[前后]|长期|在|正在|得|天天)*"
    r"(?:把?(?:左|右|大|小)?(?:脚踝?|腰|手[腕指]?|胳膊|腿|膝盖|肩膀?|脖子|肋骨|锁骨|韧带|半月板)"
    r"(?:给)?(?:扭[伤了到]|崴|骨折|拉伤|摔[伤断]|撞伤|脱臼|受伤|撕裂)了?|"
    rf"(?:有|患有?|得了|得过|确诊(?:了|为|是|患有?|得了)?|查出(?:了|有|来)?|遗传了?)[^，。？我你]{{0,6}}?{_CONDITION_ZH}|"
    rf"对[^，。？]{{1,12}}(?:过敏|不耐受)|[^，。？我你对]{{1,4}}过敏|{_TAKEN_ZH}|"
    r"(?:不能|不可以|禁止|忌)(?:吃|喝|碰|沾|用)[^，。？了吗]{1,10}|[吃喝闻碰沾]不得(?![亏苦劲了])[^，。？吗]{1,8}|(?:忌口|忌辛辣)|[高低]血[压脂糖]|糖尿病|做过[^，。？]{1,10}手术|中过?风|心梗过?|"
    r"(?:心脏|血压|血糖|血脂|肾|肝|肠?胃|眼睛|视力|听力|腰|膝盖|颈椎|耳朵|肺|身体)(?:一直|也|都|很|有点|不太|比较)*(?:不好|偏高|偏低|高|低|"
    r"有问题|弱|差|受过伤)))"
)
# A medicine by any name, with its dose: what food holds has other verbs.
_DOSED_ZH = (
    r"^(?!这|那|每|[一二三两半][片粒颗碗杯份包袋瓶]|[^，。\d]{0,12}[含量每份碗杯包袋])[\u4e00-\u9fff]{2,6}?(?:现在|目前|已经|又|从今天起|还|每天|早上|晚上|一天)*"
    r"(?:是|吃|用|打|(?:减|加|改|降|调|换|涨|升)[到成为回])\d+(?:\.\d+)?\s?(?:毫克|微克|单位|mg|μg)(?=$|[，,。.!！])"
)
# Who is told of by a name alone: "Milo has asthma", 小满对花生过敏.
_NAMED = (
    rf"^(?-i:{NO_NAME}[A-Z][\w'-]+(?: [A-Z][\w'-]+)?"
    r"(?: and [A-Z][\w'-]+)?)"
)
_TOLD_OF_NAMED = (
    rf"{_NAMED}(?:['’]s| is| are| was| has been) {_OFTEN}(?:diagnosed with|(?:[\w-]+ )?(?:allergic to|intolerant|"
    r"co?eliac|diabetic|asthmatic|epileptic|ana?emic)\b)",
    rf"{_NAMED}(?:['’]s got| {_OFTEN}(?:has|have|got|suffers? from)) {_CONDITION}(?! \w+s?$)",
    rf"{_NAMED}(?:['’]s on| is on| {_OFTEN}(?:take|use)s?) (?:[\w'/-]+ ){{0,4}}?(?:{_MEDICINE}|{_DOSE})(?! to\b)",
    rf"{_NAMED} {_OFTEN}{_MUST_NOT} (?:eat|drink|digest|tolerate) \w",
    # What is said of people alone: "a vegan", and not "vegan"; whom or what they fear.
    rf"{_NAMED}(?:['’]s| is| became| has become| turned) {_OFTEN}(?:a (?:strict )?(?:vegan|vegetarian|"
    r"pescatarian|coeliac)(?=$|[,.;!]| (?:now|too|since|again|and|but|because|these)\b)|"
    r"(?:vegan|vegetarian|pescatarian|teetotal) since \w)",
    rf"{_NAMED}(?:['’]s| is) {_OFTEN}(?:a bit |really |very |so |quite )?(?:scared|afraid|terrified|frightened) of "
    r"(?:the (?:dark|dentist|water|sea|bath|cold|doctor)\b|(?!(?:the|my|our|his|her|your|this|that|these|it|them|what|"
    r"how|you|me|us|him|\w+ing)\b(?<!flying)(?<!driving))[a-z]+)",
)
_NAMED_ZH = (
    rf"^(?:(?!小[鼠麦鸟兔猪羊牛鸡鸭鱼]){PERSON_ZH}|(?P<twice>[^一二三四五六七八九十人天年月日时刚常往渐偏明慢快好早多少大样个件种条次处家事的])(?P=twice)|"
    rf"{SURNAME_ZH}[^人年龄的面了对是在有色]{{1,2}}(?=从?小?也?对[^，。？]{{1,12}}过敏))"
)
_STATE_OF_NAMED_ZH = (
    r"(?:今年|去年|现在|目前|最近|一直|从小|也|都|还|已经|刚|又|每天|每[晚周早]|[早晚]上|长期|在)*"
    rf"(?:(?:有|患有?|得了|确诊(?:了|为|是|患有?|得了)?|查出(?:了|有|来)?)[^，。？我你]{{0,6}}?{_CONDITION_ZH}|"
    rf"(?:对|有)[^，。？我你]{{1,12}}(?:过敏|不耐受)|{_TAKEN_ZH}|(?:不能|不可以|忌)[吃喝][^，。？了吗]{{1,10}}|[吃喝闻碰沾]不得[^，。？吗]{{1,8}}|"
    r"(?:只)?吃素(?=$|[，,。])|怕(?!你|我|他|她|是|了|什么|的)[^，。？了吗的]{1,3}(?=$|[，,。])|[高低]血[压脂糖]|糖尿病)"
)
_DOCTOR_ZH = r"(?:[医牙]生|大夫|医师|牙医|营养师|药师|护士|中医|专家)"
_ADVICE_ZH = "|".join(
    (
        rf"{_DOCTOR_ZH}(?:也|都|又|刚|昨天|今天|上周|一直|就|还)*(?:说|让|叫|嘱咐|叮嘱|建议|要求|劝|告诉|不让|不许|不准|禁止|允许)(?:我|他|她|[^，。]{{0,6}}?"
        r"(?:应该|得|要|必须|不能|不要|别|少|多|戒|忌|可以))[^，。？]{2,}",
        rf"{_DOCTOR_ZH}[^，。？]{{0,6}}(?:给[^，。？]{{1,8}}开了|把[^，。？]{{1,16}}(?:加|减|改|换|调|停)(?:到|成|为|了|掉)?|诊断)",
    )
)
_NOT = any_of(
    r"\b(?:if I|as if|used to|no longer|stopped|gave up|might|maybe|could have|may have|as a (?:kid|child|teenager|"
    r"baby)|to (?:your|this|that)|think I|whether|pretend)\b",
    r"(?:没有?|(?<![吃喝闻碰沾])不)(?:有|患|得过?)|如果|要是|怀疑|是不是|会不会|可能|以前|曾经|从前|原来|好了$|痊愈|停[了药]|不再|"
    r"不用再|(?:吃|喝|服)(?:过|完|好)(?:饭|药)?了",
)
DOCTOR = any_of(rf"\b{_DOCTOR}\b", _DOCTOR_ZH)
# The first that fits.
HEALTH = (
    Rule(
        "profile",
        any_of(*_TOLD, _DOSED_ZH, rf"(?:{_PERSON_ZH}|我(?!们?的?(?:{KIN_ZH}|[妈爸哥姐弟妹爷]|家))){_STATE_ZH}"),
        0.85,
        _NOT,
    ),
    Rule(
        "relationship",
        any_of(*_TOLD_OF_NAMED, _NAMED_ZH + _STATE_OF_NAMED_ZH),
        0.8,
        any_of(_NOT.pattern, DEPICTED.pattern, SYSTEM),
    ),
    Rule("profile", any_of(_ADVICE, _ADVICE_ZH), 0.8, any_of(r"怎么说|什么")),
)
_OTHERS = any_of(rf"\b(?:my|our|his|her) (?:[\w-]+ ){{0,2}}?(?!{_DOCTOR}\b){KIN}s?\b|\bvets?\b", _PERSON_ZH)


def whose(rule: Rule, words: str) -> Rule:
    """What is told of those around somebody is about them, whatever it is that the rule fits."""
    fits = rule.pattern.search(words) if rule in HEALTH else None
    if fits is None:
        return rule
    others = _OTHERS.search(words) if rule == HEALTH[-1] else _OTHERS.match(fits[0])
    return replace(rule, kind="relationship") if others else rule


def goes_on(words: str) -> bool:
    """Whether a Chinese clause without a subject tells of somebody's health."""
    return bool(HEALTH[0].pattern.match(f"我{words}"))


# How a body takes what somebody does not eat: a taste is none of that.
REACTION = any_of(
    r"\b(?:swell\w*|swollen|itch\w*|rash|hives|blisters?|wheez\w+|(?:get|gets|feel|feels|makes? me|be|am) (?:\w+ )?"
    r"(?:ill|sick|dizzy|bloated)|throw up|(?:stomach|tummy) ?(?:aches?|cramps?)|cramps?|migraines?|palpitations|faint|"
    r"come out in|break out in|throat (?:closes|tightens)|can(?:not|['’]t) breathe)\b",
    r"心[慌悸]|[起长出][^，。]{0,4}(?:疹|疙瘩|包)|肿|发?痒|拉肚子|腹泻|胃[痛疼]|反酸|想?吐|头[晕痛疼]|喘|胸闷|过敏",
)


NOT_EATEN = re.compile(
    r"\b(?:can(?:not|['’]t)|don['’]t|do not|never|avoid|no longer|stopped)\b.{0,12}\b(?:eat|drink|have|touch|eating)\b|"
    r"\bavoid\b|不(?:能|敢|再)?[吃喝碰]|[吃喝碰]不[得了]|忌",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:because |as |since |but )?(?:I\b|we\b|my |our )|(?:因为|但|可)?[我咱]", re.IGNORECASE)


def of_a_body(words: str) -> bool:
    """Whether its speaker tells of their own what they cannot or do not eat, or how their health is: it counts beside
    an order too ("suggest a breakfast, I'm lactose intolerant")."""
    return bool(_OWN.match(words)) and (bool(NOT_EATEN.search(words)) or any(rule.fits(words) for rule in HEALTH))


# What is changed of a dose takes the place of what it was.
CHANGED = re.compile(
    r"\b(?:doubled|halved|raised|increased|lowered|reduced|cut|changed|switched|adjusted|upped|now)\b|[加减增]到|[改换调]成|"
    r"停了|现在",
    re.IGNORECASE,
)
# He, she: whom the sentence before is about.
HIM_OR_HER = re.compile(
    r"(?P<he>(?:and |but |so |also |,? ?)*(?:he|she|they)\b(?P<s>'s)?|(?:而且|另外|还有|他|她)+)", re.IGNORECASE
)


def of_them(words: str, before: str) -> Rule | None:
    """Of a clause that begins with "he" or "she": whether it tells of the health of somebody whom the sentence before
    names, or what a doctor advised."""
    found = HIM_OR_HER.match(words)
    if found is None:
        return None
    rest = words[found.end() :].strip()
    chinese = found[0][-1] in "他她"
    doctor = bool(DOCTOR.search(before))
    names = ("医生" if doctor else "", "我弟弟") if chinese else ("the doctor " if doctor else "", "my brother ")
    said = [f"{name}{'is ' if found['s'] else ''}{rest}" for name in names if name]
    return next((whose(rule, one) for one in said for rule in HEALTH if rule.fits(one)), None)
