"""What has become of a thing that both statements name: it has another day, is given away, is healed, is paid back, is
given up, or whoever is named has left ("choir has moved to Thursdays", "my knee is fine again", 围棋不学了).
What the older one says of it is so no more. English and Chinese. Pure.

A rule has two sides: what the newer one says, with the thing it names, and what the older one must say of that thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from localagent.memory.language import CJK
from localagent.owners import of_another_person
from localagent.persons import FAMILY_ZH, of_whom, person_in
from localagent.sides import MEDICINE, MEDICINE_ZH, sides
from localagent.statements import statement
from localagent.which_one import of_another_one

_ADVERBS = r"(?:(?:just|already|also|finally|now|recently|all|both|actually|totally|completely|much|at last) )*"
_OF_MINE = r"(?:(?:my|our|the|his|her|their) )?"
_END = r"(?=$|[,;.!]|\s(?:and|but|so|since|by|as|for|from|after|because|yesterday|today|last|this|now|again)\b)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_WEEKDAY_ZH = r"(?:周|星期|礼拜)[一二三四五六日天]"
_O_ZH = r"(?P<z>[^，。；,]{1,8}?)"
_BY_NOW_ZH = r"(?:已经|现在|终于|最近|昨天|[上下]周|[上下]个?月|刚刚?|完全|基本|也|又|都|就|全|早)*"
_EXERCISES_ZH = "学上练打跳唱画弹拉踢游跑下骑"
_DONE_ZH = rf"[{_EXERCISES_ZH}做养读考喝抽玩种卖追租订来去吃]|参加"
_AILS = (
    r"\b(?:play\w* up|hurt\w*|sore|ach\w+|pain\w*|dodgy|bad|injur\w+|sprain\w*|brok\w+|twist\w*|pulled|swollen|"
    r"infect\w*|problems?|trouble|strain\w*|torn?|fractur\w*|stiff|inflam\w+|operat\w+|surgery)\b"
    r"|[痛疼伤肿扭酸炎断]|问题|毛病|不舒服|不好|骨折|突出|手术"
)


_GONE = "stolen|nicked|pinched|robbed|swiped|written off|totall?ed|wrecked|burnt? (?:down|out)"


@dataclass(frozen=True, slots=True)
class _Change:
    """`now` names the thing in `o`; `before` is what the older one says where it names it."""

    now: re.Pattern[str]
    before: re.Pattern[str]


def _change(now: str, before: str) -> _Change:
    return _Change(re.compile(now, re.IGNORECASE), re.compile(before, re.IGNORECASE))


_CHANGES = (
    # Another day of the week.
    _change(
        rf"^{_OF_MINE}(?P<o>[\w' -]{{2,40}}?)(?: (?:has|have|is|are|was|were)|'s)? {_ADVERBS}(?:moved|moving|switched|"
        rf"changed|shifted) to {_WEEKDAY}",
        _WEEKDAY,
    ),
    # Healed.
    _change(
        rf"^{_OF_MINE}(?P<o>[\w' -]{{2,30}}?)(?: (?:is|are|feels?|has|have)|'s) {_ADVERBS}(?:(?:fine|better|good|ok|"
        rf"okay|"
        rf"all right|alright|normal)(?: again| now| at last)+|healed|recovered|cured)|"
        rf"^{_O_ZH}{_BY_NOW_ZH}(?:好(?:多|完全|彻底|利索)?了|没事了|不[痛疼酸肿]了|恢复了|痊愈|康复)",
        _AILS,
    ),
    # Given away or for another one.
    _change(
        rf"\b{_ADVERBS}(?:(?:swapped|traded|exchanged) (?:in )?(?!(?:\w+ )?(?:shift|seat|room|"
        rf"number|place|day|turn)s?\b){_OF_MINE}(?P<o>[\w -]{{2,30}}?) (?:in )?for\b|(?:sold|traded in|scrapped|"
        rf"got rid of) (?:my|our|the) (?P<o2>[\w -]{{2,30}}?){_END})|"
        rf"^{_O_ZH}{_BY_NOW_ZH}(?:卖|送人|报废|处理)(?:掉)?了$",
        r"\b(?:driv\w+|rid(?:e|es|ing)|ha(?:ve|s|d)|own\w*|us(?:e|es|ing)|bought|got|my|our|go|do|play\w*|run\w*|"
        r"swim\w*|cycl\w*)\b|[有开骑买]",
    ),
    # Paid back.
    _change(
        rf"^(?:(?:I|we)(?:'ve| have)? )?{_ADVERBS}(?:paid|repaid) {_OF_MINE}(?P<o>[\w -]{{2,24}}?) back\b|"
        rf"^{_OF_MINE}(?P<o2>[\w -]{{2,24}}?)(?: (?:has|have)|'s)? {_ADVERBS}paid (?:me|us)(?: it| everything|"
        rf" all)? back\b|"
        rf"^{_O_ZH}{_BY_NOW_ZH}把[^，。]{{0,4}}(?:钱|账|[块元万])都?(?:还|给)(?:给?我)?清?完?了|"
        r"^我?把?(?P<o3>[^，。；,我把]{1,6}?)的钱我?都?(?:已经|终于)?(?:都)?还(?:给[他她])?清?完?了",
        r"\b(?:owe[sd]?|borrow\w*|lent|lend|loan)\b|[借欠](?![^，。]{1,4}的[^钱])",
    ),
    # Has left the work.
    _change(
        rf"^(?P<o>(?-i:[A-Z])\w+)(?: (?:has|is)|'s)? {_ADVERBS}(?:(?:quit|resigned)(?=$|[,;.!]| (?:already|the|his|"
        rf"her|their|last|"
        rf"this|on|in|after|for|yesterday|today)\b)|handed in (?:his|her|their) notice|been "
        r"(?:fired|let go|sacked|laid off|made redundant)|left (?:us|the (?:team|company|job|shop|kitchen|firm|"
        r"office)))\b|"
        rf"^{_O_ZH}{_BY_NOW_ZH}(?:不干|辞职|离职|辞工|不做|走人|被(?:裁|开除|辞退|炒))了",
        r"\b(?:team|work\w*|colleague|boss|manager|hired|employ\w*|intern|apprentice|assistant|staff|crew|nanny|"
        r"cleaner|"
        r"carer|joined|job|lad|shop|office)\b|请了|[新]?招了?|店|团队|上班|打工|工作|同事|员工|实习|小工|领班|[端洗管]",
    ),
    # Liked or borne after all.
    _change(
        rf"^{_OF_MINE}(?P<o>[\w' -]{{3,30}}?) (?:is|are) {_ADVERBS}(?:ok|okay|fine|alright|all right|good)"
        r"(?: (?:with|for|by) me)?(?: now| again| these days)|\b(?:I|we) (?:can|do) (?:eat|drink|have) "
        r"(?P<o2>[\w ]{3,24}?) (?:now|again)\b",
        r"\b(?:can't|cannot|can not|couldn't) (?:stand|eat|drink|have|bear|take)\b|\b(?:hate|dislike|avoid|allergic|"
        r"intolerant)\b|\b(?:don't|do not|never) (?:eat|drink|like|touch)\b",
    ),
    # Taken from one, or wrecked.
    _change(
        rf"^{_OF_MINE}(?P<o>[\w -]{{2,30}}?) (?:was|were|got|has been|have been) (?:{_GONE})\b|"
        rf"^(?:some(?:one|body)|they|thieves) (?:have |has )?(?:stole|{_GONE}) {_OF_MINE}(?P<o2>[\w -]{{2,30}}?){_END}|"
        rf"^{_O_ZH}{_BY_NOW_ZH}被(?:人|小偷)*(?:偷|盗|抢|撞报废)(?:走|跑)?了",
        r"\b(?:driv\w+|rid(?:e|es|ing)|have|had|got|own\w*|us(?:e|es|ing)|bought|my|our|go)\b|[有开骑买用]",
    ),
    # Taken up again.
    _change(
        rf"\b(?:I|we)(?:'m|'re| am| are) {_ADVERBS}back (?:on|drinking|eating|smoking|taking|playing|doing) {_OF_MINE}"
        rf"(?P<o>[\w -]{{3,24}}?){_END}|\b(?:I|we)(?:'ve| have)? {_ADVERBS}(?:started|taken up|begun) {_OF_MINE}"
        r"(?P<o2>[\w -]{3,24}?) again\b",
        r"\b(?:g[ai]ven? up|quit|stopped|cut (?:out|down)|dropped|off|no (?:more|longer)|do not|don't|haven't|never)\b",
    ),
    # Taken or done no more.
    _change(
        rf"\b(?:I|we)(?:'m|'re| am| are) {_ADVERBS}off (?:the|my) (?P<o>[\w -]{{3,24}}?){_END}|"
        rf"\b(?:I|we)(?:'ve| have)? {_ADVERBS}g[ai]ven? up on {_OF_MINE}(?P<o2>[\w -]{{3,24}}?){_END}",
        r"\b(?:tak(?:e|es|ing)|on|drink\w*|eat\w*|mg|learn\w*|study\w*|studies|practi\w+|train\w*|do|doing|play\w*|"
        r"writ\w+|read\w*|grow\w*)\b",
    ),
    # Has another name.
    _change(
        rf"\brenamed {_OF_MINE}(?P<o>(?-i:[A-Z])[\w-]+)|^(?P<o2>(?-i:[A-Z])[\w-]+)(?: is|'s) {_ADVERBS}called "
        rf"(?-i:[A-Z])\w+ now\b|^{_O_ZH}{_BY_NOW_ZH}改(?:了)?名(?:字)?(?:叫|为|成|了)",
        r"\b(?:called|named|name is)\b|叫|名",
    ),
    # Not done after all.
    _change(
        r"(?:\bnot|n't) (?:doing|running|going to|taking|attending|joining|entering|having) (?:the |my |our |that )?"
        r"(?P<o>(?=[^,;.]*(?-i:[A-Z])|\w+ \w+)[^,;.]{3,40}?)(?: after all| any ?more| in the end| this year| now)*"
        r"(?=$|[,;.])",
        r"\b(?:train\w*|sign\w* up|registered|booked|entered|going|doing|running|plan\w*|prepar\w+|taking|tickets?)\b",
    ),
)
_MOVES = re.compile(
    r"\b(?:am|is|are)(?: now| just)? moving (?:in with|to|into|back|out)\b|\bmoved (?:in with|out|back)\b|搬(?:来|去|"
    r"到|回|走)"
)
_CLAUSE = re.compile("[，。；,;] ?")
_LIVES = re.compile(r"\b(?:live|lives|living)\b|住")
_NO_HOME = re.compile(
    r"\b(?:work|team|job|desk|department|office|class|ward|shift|bed|chair)\b|部门|工位|班|桌", re.IGNORECASE
)
_NOT_SURE = re.compile(
    r"\b(?:if|might|maybe|perhaps|almost|nearly|thinking of|considering|wish|should)\b|如果|差点|要是|可能|打算|考虑|"
    r"[想要]"
    r"(?=搬|不|把)|[吗呢]$",
    re.IGNORECASE,
)
# Of this one time.
_TODAY = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|time))\b|今[天晚早]|明[天早晚]|这[次周回]|"
    r"下次|[这下]个?(?:周|星期|礼拜)[一二三四五六日天末]?(?![一二三四五六日天末起开])",
    re.IGNORECASE,
)
_GIVEN_UP_ZH = re.compile(
    rf"^{_O_ZH}(?:我们?|就|也|都|已经|以后|暂时|先|再)*不(?P<v>{_DONE_ZH})了|"
    rf"^(?:[^，。；,]{{0,6}}?)不(?P<v2>{_DONE_ZH})(?P<o2>[^，。；,了]{{2,6}})了"
)
_REPLACED_ZH = re.compile(rf"^{_O_ZH}{_BY_NOW_ZH}(?:改成|换成|改为|改[学练])了?(?!{_WEEKDAY_ZH}|[上下早晚\d])")
_AGAIN_ZH = re.compile(r"(?:又|重新)(?:开始|能|可以|敢)?[抽吸喝吃玩打赌](?:起|上|回)?(?P<z>[^，。；,了]{1,4})")
_OTHER_DAY_ZH = re.compile(
    rf"^{_O_ZH}{_BY_NOW_ZH}[改换调挪移](?:成|到|回|在|为)了?(?P<d>{_WEEKDAY_ZH})(?P<v>[^，。；,了]{{2,4}})?"
)
_COSTS_ZH = re.compile(r"(?P<u>[一每][节次堂课碗斤份瓶天月年小时]{1,2})(?:要|收|是)?(?P<n>\d+)")
_PRICE_ZH = re.compile(rf"^{_O_ZH}{_BY_NOW_ZH}(?:涨价|降价|涨|降)了")
_AMOUNTS = frozenset(("savings", "debt", "weight"))
_DOSE = re.compile(
    r"(?<![\d.])(?P<n>\d{1,6}(?:\.\d{1,3})?) ?(?P<u>mg|mcg|micrograms?|milligrams?|ml|units|毫克|微克|毫升|"
    r"单位)(?![A-Za-z])",
    re.IGNORECASE,
)
_MEDICINE = re.compile(rf"{MEDICINE}\b|{MEDICINE_ZH}", re.IGNORECASE)
_NOW_SO_MUCH = re.compile(r"\b(?:down|up) (?:to|by)\b|\bnow\b|\bleft\b|[只还]剩|现在|[涨降减升加调]到", re.IGNORECASE)
# So many of a medicine.
_PORTION = re.compile(
    r"\b(?P<n>one and a half|half an?|an?|one|two|three|four|five|six|\d+(?:\.\d+)?) (?P<u>puffs?|sprays?|tablets?|"
    r"pills?|capsules?|drops?|sachets?|units?)\b|(?P<n2>[半一两二三四五六七八九十\d]+)"
    r"(?P<u2>片半?|粒|颗|喷|吸|滴|次|包|支)",
    re.IGNORECASE,
)
_TAKES_NOW = re.compile(
    r"\b(?:down|up|now|upped|raised|increased|doubled|halved|cut|reduced|lowered|dropped)\b|[加减升降增调]到|改[成为]",
    re.IGNORECASE,
)
_PORTION_OF_ZH = re.compile(
    r"(?:把|^)(?P<z>[^，。；,把我]{2,8}?)(?:现在|已经|又|也|每天|一天)*(?:[加减升降增调]到|改[成为])"
)
_ANY_PORTION = frozenset("tablet puff spray pill capsul drop sachet unit morn even twice doctor".split())
_AGED = re.compile(
    r"(?:(?<=^)|(?<=[\s(]))(?P<n>[A-Z][\w-]+)(?:(?: is| has|'s|,)?(?: just| now)*(?: turned|"
    r" aged?)?) \(?(?P<a>\d{1,3})\b"
)
_TIMES_ZH = frozenset("年月周天日号点个次星期礼拜时")
_OF_DAYS = frozenset(("rising", "bedtime"))
# 阿玲的妹妹: of hers, not of herself.
_THEIRS_ZH = re.compile(rf"[^，。；,]{{1,5}}的(?:{FAMILY_ZH})")
_I_ZH = re.compile(r"[^，。；,]{0,6}我(?![们家])|我(?![们家])")
# Whom somebody has, with what is said of them.
_HAS = re.compile(
    r"^(?:I|we)(?:'ve| have)? (?:got )?an? (?:[\w-]+ )?\w+ (?:called|named) |^我[^，。]{0,4}有一?[个位]", re.IGNORECASE
)
_RENAMES = re.compile(r"\brenamed\b")
_WHOSE_ZH = re.compile(r"^(?:我们?|咱们?)?(?:家|屋头|店里?)?的?(?:[那这][只个条台辆位]?)?")
# One character that is a thing by itself: a part of the body, kin, an animal.
_SINGLE_ZH = frozenset("胃腰腿脚手眼牙背肩颈头耳弟妹哥姐舅叔姑姨猫狗")
_ANIMAL_ZH = re.compile(r"(?:猫|狗|犬|兔子?|乌龟|鸟|仓鼠)")
_LEFT_ZH = re.compile(rf"^{_O_ZH}{_BY_NOW_ZH}走了(?=$|[，。；,！!])")


def alters(text: str, other: str) -> bool:
    """Whether the newer one says what has become of a thing of which the older one says how it was."""
    if _NOT_SURE.search(text) or _TODAY.search(text) or of_another_one(text, other):
        return False
    new, old = (one.replace("’", "'").strip(" .。!！") for one in (text, other))
    ways = (_turns_out, _moves_house, _amounts, _portions, _ages, _hours)
    whoever = _HAS.match(old) or _RENAMES.search(new)
    if (whoever or not of_another_person(text, other)) and any(way(new, old) for way in ways):
        return True
    return bool(re.match(f"[{CJK}]", new)) and _alters_zh(new, old)


def _turns_out(new: str, old: str) -> bool:
    for change in _CHANGES:
        match = change.now.search(new)
        if match is not None and change.before.search(old) and not change.now.search(old):
            thing = next((value for value in match.groups() if value), "")
            if _names(old, thing):
                return True
    return False


def _names(text: str, thing: str) -> bool:
    """Whether a statement names the thing: all its words, or what its Chinese words end with."""
    if not re.search(f"[{CJK}]", thing):
        said = statement(thing)
        return bool(said.content) and said.content <= statement(text).content and not said.days
    own = _WHOSE_ZH.sub("", thing)
    if len(own) == 1 or (own[-1:] in "弟妹" and re.fullmatch(FAMILY_ZH, own)):
        return own[-1:] in _SINGLE_ZH and own[-1:] in text
    if not statement(own).content:
        return False
    return any(own[at:] in text and statement(own[at:]).content - _TIMES_ZH for at in range(len(own) - 1))


def _moves_house(new: str, old: str) -> bool:
    """Whether somebody close to the speaker moves, of whom the older one says where or how they live."""
    if _NO_HOME.search(new):
        return False
    who = person_in(new).who
    if not who or not _MOVES.search(person_in(new).own):
        return False
    return any(who == person_in(clause).who and _LIVES.search(clause) for clause in (old, *_CLAUSE.split(old)))


def _amounts(new: str, old: str) -> bool:
    """Whether of the money put by, a debt, a weight or a dose another amount is told."""
    if not _NOW_SO_MUCH.search(new):
        return False
    dose, dose_before = _DOSE.search(new), _DOSE.search(old)
    if dose and dose_before and dose["u"].lower() == dose_before["u"].lower() and dose["n"] != dose_before["n"]:
        return of_whom(new) == of_whom(old) and _medicines(new) <= _medicines(old)
    if not sides(new) & sides(old) & _AMOUNTS:
        return False
    numbers, before = set(statement(new).numbers), set(statement(old).numbers)
    return bool(numbers and before) and not numbers & before


def _portions(new: str, old: str) -> bool:
    """Whether somebody takes so many puffs or tablets of the same now: "I put Fostair up to two puffs", 加到两片."""
    taken, before = _PORTION.search(new), _PORTION.search(old)
    if taken is None or before is None or not _TAKES_NOW.search(new) or of_whom(new) != of_whom(old):
        return False
    if taken[0].lower() == before[0].lower() or _unit(taken) != _unit(before):
        return False
    if (named := _PORTION_OF_ZH.search(new)) is not None:
        return _names(old, named["z"])
    said, known = statement(new).content, statement(old).content
    return any(len(word) > 4 and word.isascii() for word in said & known - _ANY_PORTION)


def _unit(portion: re.Match[str]) -> str:
    unit = (portion["u"] or portion["u2"]).lower().removesuffix("s").removesuffix("半")
    return "puff" if unit in ("吸", "喷", "次", "spray") else "tablet" if unit in ("pill", "capsule") else unit


def _ages(new: str, old: str) -> bool:
    """Whether somebody by name is older now than the other one says of that name: "Mia is 5 now", of "Leo (7) and Mia
    (4)"."""
    told = _AGED.match(new)
    return told is not None and any(
        one["n"] == told["n"] and one["a"].isdigit() and told["a"].isdigit() and int(one["a"]) < int(told["a"])
        for one in _AGED.finditer(old)
    )


def _medicines(text: str) -> set[str]:
    return {match[0].lower() for match in _MEDICINE.finditer(text)}


def _hours(new: str, old: str) -> bool:
    """Whether the hour at which somebody gets up or goes to bed is another one now."""
    if not sides(new) & sides(old) & _OF_DAYS or not _NOW_SO_MUCH.search(new):
        return False
    said, before = statement(new), statement(old)
    return bool(said.numbers and before.numbers) and said.numbers != before.numbers


def _alters_zh(new: str, old: str) -> bool:
    theirs = _THEIRS_ZH.match(new)
    if theirs is not None and theirs[0] not in old:
        return False
    who, before = of_whom(new), of_whom(old)
    if who != before and ((who and before) or _I_ZH.match(old if who else new)):
        return False
    return any(
        _gives_up_zh(clause, old) or _other_day_zh(clause, old) or _goes_zh(clause, old) or _takes_up_zh(clause, old)
        for clause in _CLAUSE.split(new)
    ) or _other_price_zh(new, old)


def _gives_up_zh(new: str, old: str) -> bool:
    given = _GIVEN_UP_ZH.match(new)
    if given is not None:
        thing, verb = given["z"] or given["o2"], given["v"] or given["v2"]
        if _names(old, thing) and not re.fullmatch(f"我?{FAMILY_ZH}", thing) and not statement(old).denies:
            practised = verb in _EXERCISES_ZH and re.search(f"[{_EXERCISES_ZH}]", old)
            return verb in old or bool(practised)
    replaced = _REPLACED_ZH.match(new)
    if replaced is None or statement(old).denies or len(replaced["z"]) < 2:
        return False
    what = replaced["z"][-2:]
    does = rf"(?:[{_EXERCISES_ZH}吃喝]|(?=[{_EXERCISES_ZH}])){re.escape(what)}(?![前后时的])"
    return re.search(does, old) is not None


def _other_day_zh(new: str, old: str) -> bool:
    match = _OTHER_DAY_ZH.match(new)
    before = set(statement(old).days)
    if match is None or not before or set(statement(match["d"]).days) & before or not re.search(_WEEKDAY_ZH, old):
        return False
    return _names(old, match["z"]) or bool(match["v"] and match["v"] in old)


def _goes_zh(new: str, old: str) -> bool:
    """An animal that is gone, by its name or as what it is."""
    match = _LEFT_ZH.match(new)
    animal = _ANIMAL_ZH.search(old)
    if match is None or animal is None:
        return False
    own = re.split("那[只条]|我家的?", match["z"])[-1]
    return own == animal[0] or bool(re.search(f"(?:叫|名叫|{animal[0]}){re.escape(own)}", old))


def _takes_up_zh(new: str, old: str) -> bool:
    """What was given up or forbidden is taken again."""
    match = _AGAIN_ZH.search(new)
    if match is None or of_another_person(new, old):
        return False
    thing = re.escape(match["z"])
    return bool(re.search(rf"[不戒忌停][^，。]{{0,3}}{thing}|[吃喝]不[得了][^，。]{{0,2}}{thing}", old))


def _other_price_zh(new: str, old: str) -> bool:
    """The price of the same unit of what somebody sells or teaches."""
    named, price, before = _PRICE_ZH.match(new), _COSTS_ZH.search(new), _COSTS_ZH.search(old)
    if named is None or price is None or before is None or price["u"] != before["u"] or price["n"] == before["n"]:
        return False
    return set(named["z"]) <= set(old)
