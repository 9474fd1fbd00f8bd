"""Of whom a statement is by what it begins with: of the speaker ("My exam", 我九点上班), of one close to them, or of
somebody else who is named or only spoken of ("Hannah's exam", "a colleague of mine", 汉斯的考试, 楼上的大爷). What is
so of one of them tells nothing of another. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from localagent.persons import FAMILY_ZH, OTHERS_ZH, OWNED, PEOPLE, SURNAMES_ZH, person_in
from localagent.statements import statement

# A word in capitals that is no person: what a sentence begins with, a day, a month.
_NO_NAME = (
    r"(?!(?:I|We|You|He|She|It|They|My|Our|Your|His|Her|Its|Their|The|An?|This|That|These|Those|There|Here|Let|Who|What|"
    r"When|Where|How|Why|If|Now|No|Not|On|In|At|For|From|By|To|And|But|Then|Also|Next|Last|One|Some|Any|Every\w*|"
    r"Today|Tomorrow|Yesterday|Tonight|Mr|Mrs|Ms|Miss|Dr|Prof\w*|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|"
    r"January|February|March|April|May|June|July|August|September|October|November|December)\b)"
)
_NAME = rf"{_NO_NAME}[A-Z][\w-]{{1,24}}(?: [A-Z][\w-]{{1,24}})?"
_PERSON = (
    rf"{PEOPLE}|children|baby|twin|in-law|mate|buddy|pal|guy|man|men|woman|women|lady|bloke|boy|girl|person|people|folks|"
    r"couple|famil(?:y|ie)|relative|acquaintance|co-?worker|workmate|classmate|teammate|housemate|student|intern|trainee|"
    r"apprentice|pensioner|lad|lodger|tenant|ex"
)
_OFTEN = r"(?:now|also|still|just|only|always|usually|often|already|recently|has|have|had) "
_WHERE = r"(?:of|from|at|in|on|with|next|upstairs|downstairs|across|opposite)"
# "Hannah told me that her ..."
_TELLS = (
    r"(?:told (?:me|us)|tells (?:me|us)|says?|said|mentioned|wrote|texted(?: me)?) (?:that )?"
    r"(?:she|he|they|her|his|their)\b"
)
_VERB = (
    r"(?:is|are|was|were|isn['’]t|has|have|had|will|won['’]t|can|got|went|go(?:es)?|fell|rose|ran|became|gave|took|bought|"
    r"sold|quit|left|live|eat|start|sleep|drive|play|take|need|want|learn|like|[a-z]{2,}(?:ed|s))\b"
)
# "Hannah's exam was moved"
_THEIR_THING = re.compile(
    rf"(?P<n>{_NAME})(?:['’]s|(?<=s)['’]) (?!(?:an?|the|at|in|on|not|been)\b)"
    rf"(?:(?:new )?(?P<p>(?i:{_PERSON}|{OWNED}))s? |(?:[\w-]+ ){{1,4}}?)(?={_VERB})"
)
# "A colleague of mine moved", "the neighbours' car"; not "the family car".
_SOMEBODY = re.compile(
    rf"(?i:the|an?|another|some|one of (?:my|our|the)|my|our|that) (?:[\w-]+ ){{0,2}}?(?P<p>(?i:{_PERSON}))s?"
    rf"(?:['’]s?(?: (?P<k>{_PERSON}|{OWNED})s?\b(?= {_VERB}))?|"
    rf"(?= (?:{_OFTEN})*(?:{_WHERE}|who|whose|that|I|we|{_TELLS}|{_VERB})))"
    r"|(?P<f>The (?-i:[A-Z])[a-z]+s(?= (?:are|have|were|had|got|live|go|[a-z]+ed)\b)|(?:Some|Every)(?:one|body)\b)"
)
# What only people and animals do: "Marco switched to Spanish", "our lodger sleeps"; not "tennis is on Thursdays".
_LIVES = (
    r"(?:lives|studies|likes|loves|hates|prefers|earns|drinks|eats|smokes|sleeps|swims|teaches|learns|speaks|weighs|"
    r"gets up|goes to (?:bed|sleep))"
)
_CALLED = re.compile(
    rf"(?:(?:Aunt|Auntie|Uncle|Cousin) )?(?P<n>{_NAME}) (?:{_OFTEN})*(?:{_LIVES}|works|drives|plays|owns|switched|quit|"
    rf"retired|married|became|turned \d|got (?:married|engaged|divorced)|moved (?:house|in|out|to (?-i:{_NAME}))|"
    rf"(?:is|was) (?:learning|studying|working|living|saving|dating)|{_TELLS})\b"
)
# Of whom others say "his" or "her".
_LIVING = re.compile(
    rf"(?:The|An?|Another|Our|My) (?:[\w-]+ ){{0,2}}?(?P<p>[a-z-]+) (?:(?:{_OFTEN})*{_LIVES}\b|"
    rf"(?=(?:[\w-]+ ){{0,5}}(?:his|her)\b))"
)
_THEY = re.compile(r"(?P<they>(?:[Hh]e|[Ss]he)\b|(?:[Hh]is|[Hh]er|[Tt]heir) (?=\w))")
# What one does as the other: "Dario boxes", "I box"; "Dilan is on call", "I'm on call".
_DOES = re.compile(
    rf"(?P<n>{_NAME}) (?:{_OFTEN})*"
    rf"(?:(?P<v>(?!(?:has|is|was|does not|doesn['’]t)\b)[a-z]{{2,}}s)\b|is (?:\d[\w.,]* )?(?P<w>\w+ \w+))"
)
_I_DO = re.compile(rf"I(?:(?:['’]m| am) (?:\d[\w.,]* )?(?P<w>\w+ \w+)| (?:{_OFTEN})*(?P<v>[a-z]{{2,}})\b)")
# Who does something to what is the speaker's, or to what both know.
_DOES_TO_IT = re.compile(
    rf"\b(?:my|our|me|us)\b|^ ?(?:{_OFTEN})*(?!(?:is|are|was|were|{_WHERE})\b)[a-z]+ (?:the|it|this|that)\b",
    re.IGNORECASE,
)
_WHERE_OF_MINE = re.compile(r"\b(?:from|at|in|on|next to|before|behind|beside|near) (?:my|our|me|us)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.] (?:(?:and|but|so|because) )?|[，；：。](?:不过|但是?|而且|所以|因为)?")
_AND_I = re.compile(r"[^,.;]{1,40}? and (?:I|me)\b|(?:I|[Mm]e) and ")
_SPEAKER = re.compile(r"(?P<i>I|[Mm]y)\b|(?:[Ww]e|[Oo]ur)\b")
# What may stand before whom it is of.
_LEAD = re.compile(
    r"(?:(?:now|these days|nowadays|currently|apparently|recently|from now on|"
    r"(?:since|from) (?:last |next |this )?\w+(?: on)?|"
    r"(?:I|we)(?:['’]ve)? (?:(?:heard|hear)(?: that)?|read that)),? )+",
    re.IGNORECASE,
)
_LEAD_ZH = re.compile(
    r"(?:现在|目前|最近|听说|据说|好像|其实|原来|(?:从|自)?(?:今年|明年|[上下本这]个?[周月])(?:起|开始)?[，,]?)+"
)

_PERSON_ZH = (
    rf"{FAMILY_ZH}|{OTHERS_ZH}|同乡|老乡|哥们儿?|姐们儿?|战友|球友|队友|网友|"
    r"[大老]?(?:大爷|大妈|大叔|大姐|大哥)|老太太|老头|小伙子?|小姑娘|年轻人|实习生|学生|徒弟|亲戚|一家人|两口子|那家人?|"
    r"同屋|女士|先生|小哥|小孩|前[夫妻任]|学[弟妹长姐]|师[兄弟姐妹]"
)
_BESIDE_ZH = (
    r"(?:[一有另那]?[个位]|新来的?|[前后]面|楼[上下]的?|隔壁的?|对[门面]的?|班上的?|老家的?|宿舍的?|大学的?|高中的?)"
)
# Names that say a character twice; the commonest family names, and the characters that foreign names are written with.
_TWICE = "|".join(one * 2 for one in "悠思乐豆朵妞琪婷丽莉贝圆团甜萌多欢晶菲笑蕾妮娜果糖瑶洋洁雯涛磊浩轩晨")
_GIVEN_ZH = (
    r"(?:[小老阿](?![区家房屋板师店厂车狗猫本号公婆伴说时组学名吃票米麦腿])[\u4e00-\u9fff]|"
    r"大(?=[刘李王张陈杨赵周孙马胡郭何林])[\u4e00-\u9fff]|[大二]宝|"
    + _TWICE
    + r"|(?![\u4e00-\u9fff](?:医生|老师|大夫|教授|主任|经理|师傅|律师|教练|总))"
    r"(?!周[一二三四五六日天末围年期]|马上|何时|许多|夏[天季令]|江[苏西南边]|苏州|沈阳|郑州|徐州|韩[国语]|罗马|谢谢|曾经|"
    r"黄[山色瓜油]|金[融属额]|叶子|石[家头]|钟[表点]|陆续|毛[衣巾病]|孔子|顾[客问]|武[汉术])"
    rf"[{SURNAMES_ZH}][\u4e00-\u9fff]{{1,2}}?|"
    r"彼得|[阿艾埃爱安奥巴保贝比彼波伯布查达戴丹德迪蒂杜朵恩尔菲费弗福戈格哈海汉赫亨霍吉杰凯坎柯科克肯卡拉莱兰劳雷蕾里丽莉"
    r"利莲琳卢鲁露路伦罗洛马玛麦曼梅米蜜莫姆娜内尼妮诺欧帕佩皮普奇乔切琼萨塞莎森沙斯丝索塔泰特汤汉唐提图托瓦维威韦温文"
    r"沃希谢雅扬耶伊茵英尤约泽詹珍朱佐]{2,5}?)"
)
_SAYS_ZH = (
    r"(?=的|一家|家|[他她]|(?:跟我)?[说讲]|告诉我|现在|目前|最近|今年|去年|已经|昨天|上个?[周月]|[每也要在去搬换改转从推跳辞退戒不是有养住学买考把就都开想瘦胖升涨读吃喝睡最]|"
    r"开始|当|喜欢|爱[吃喝看听玩]|会|对|身高|体重|$)"
)
_SUBJECT_ZH = re.compile(
    rf"(?:我们?家?的?|咱们?家?的?)?(?:{_BESIDE_ZH}{{0,3}}(?P<p>{_PERSON_ZH})(?:们|俩)?"
    rf"(?P<n>{_GIVEN_ZH}{_SAYS_ZH})?|"
    rf"(?P<p2>(?:楼[上下]|隔壁|对[门面])(?:那?家|[床桌班组村])?(?=的|现在|[换有搬养买改])|别人|人家)|"
    rf"(?:(?:们|[和跟]我)[^，。的]{{1,6}}的)?(?P<n2>{_GIVEN_ZH}){_SAYS_ZH}|"
    rf"(?P<at>[^，。的我咱他她]{{1,5}})的(?P<p3>{_PERSON_ZH}))(?:家里?|[他她]们)?(?:的新?(?P<k>{FAMILY_ZH}|{OTHERS_ZH}))?"
)
_TELLS_ZH = re.compile(r"^(?:(?:跟我)?[说讲]|告诉我)(?=[他她自])")
# Whom "his" or 他的 may mean.
_SOMEBODY_IN = re.compile(
    rf"(?<=\w ){_NAME}|\b(?:called|named|with|and|{_PERSON}|{OWNED})s?\b|[和跟与同叫]|{_PERSON_ZH}|(?<!^)[小老阿]"
)
_SPEAKER_ZH = re.compile(r"(?P<i>我(?![们家]))|我们|我家|咱")


@dataclass(frozen=True, slots=True)
class Owner:
    """`who`: "I" or "we" for the speaker, a relative, a word for a person, or the name of one who is only named;
    `name`: theirs, where it is said. Both in small letters; both empty for nobody in particular."""

    who: str = ""
    name: str = ""

    @property
    def speaks(self) -> bool:
        return self.who in ("I", "we")


NOBODY = Owner()
# Somebody who was named before.
THEY = Owner("they")


# "Jess, Pia's friend, ...", 我老公他爸...: of whom whom else tells nothing.
_APPOSED = re.compile(rf"(?P<n>{_NAME}), (?:{_NAME}['’]s|(?:my|our) \w+['’]s) (?P<p>{_PERSON})\b")
_THEIRS_ZH = re.compile(rf"我?们?家?(?P<p>{FAMILY_ZH})[他她](?P<k>{FAMILY_ZH})")


@lru_cache(maxsize=1024)
def owner(text: str) -> Owner:
    """Of whom a statement is. Of nobody in particular is also what somebody does to what is the speaker's ("Eva moved
    our meeting"), and what they do together with the speaker."""
    chinese = bool(re.match(r"[\u4e00-\u9fff]", text))
    lead = (_LEAD_ZH if chinese else _LEAD).match(text)
    said = text[lead.end() :] if lead else text
    if _AND_I.match(said):
        return NOBODY
    if (theirs := _THEIRS_ZH.match(said)) is not None:
        return Owner(f"{theirs['k']} of {theirs['p']}")
    person = person_in(said)
    if person.who:
        return Owner(person.who, person.name)
    return _owner_zh(said) if chinese else _owner_en(said)


def _owner_en(text: str) -> Owner:
    ways = (_THEIR_THING, _SOMEBODY, _CALLED, _LIVING, _THEY)
    found = next((match for way in ways if (match := way.match(text))), None)
    if found is None:
        mine = _SPEAKER.match(text)
        return Owner("I" if mine["i"] else "we") if mine else NOBODY
    does = _WHERE_OF_MINE.sub("there", re.sub(rf"^ ?{_TELLS}", "", text[found.end() :]))
    if _DOES_TO_IT.search(does):
        return NOBODY
    groups = {name: value.lower() for name, value in found.groupdict().items() if value}
    name, who = groups.get("n", ""), groups.get("p", groups.get("f", ""))
    if "they" in groups:
        return THEY
    if "k" in groups:
        return Owner(f"{groups['k']} of {who}")
    if who and name:
        return Owner(f"{who} of {name}")
    return Owner(who or name, name)


def _owner_zh(text: str) -> Owner:
    found = _SUBJECT_ZH.match(text)
    if found is None and text[0] in "他她":
        return NOBODY if re.search("[我咱]", text) else THEY
    if found is None:
        mine = _SPEAKER_ZH.match(text)
        return Owner("I" if mine["i"] else "we") if mine else NOBODY
    if re.search("[我咱]", _TELLS_ZH.sub("", text[found.end() :])):
        return NOBODY
    name = found["n"] or found["n2"] or ""
    who = found["p"] or found["p2"] or (f"{found['p3']} of {found['at']}" if found["p3"] else name)
    return Owner(f"{found['k']} of {name or who}") if found["k"] else Owner(who, name)


def of_another_person(text: str, other: str) -> bool:
    """Whether the two are of different people, of whom neither statement names the other one's."""
    if (apposed := _APPOSED.match(text)) is not None and apposed["n"].lower() not in other.lower():
        return True
    one, two = _owner_beside(text, other), _owner_beside(other, text)
    if one == two:
        return False
    if THEY in (one, two):
        return (one.speaks and not _SOMEBODY_IN.search(text)) or (two.speaks and not _SOMEBODY_IN.search(other))
    if NOBODY in (one, two):
        return _does_alike(text, other) or _does_alike(other, text)
    if one.speaks and two.speaks:
        return False
    if _is_named(one, other, two) or _is_named(two, text, one):
        return False
    if one.speaks or two.speaks:
        return True
    if one.name and two.name:
        return one.name != two.name
    for called, kin in ((one, two), (two, one)):
        if called.who == called.name:
            return called.name in kin.who  # whom else the name is of is not known
    return one.who != two.who


def _owner_beside(text: str, other: str) -> Owner:
    """Of whom that clause is which has most in common with the other statement: of "I met Tom, he starts work at 7
    now", beside "I start work at 9", not the first one. Where none has anything in common, and they are of several
    people, of nobody."""
    clauses = _CLAUSE.split(text)
    if len(clauses) == 1:
        return owner(text)
    common = statement(other).content
    shared = [len(statement(clause).content & common) for clause in clauses]
    if not any(shared):
        several = {found for clause in clauses if (found := owner(clause)) not in (NOBODY, THEY)}
        return NOBODY if len(several) > 1 else owner(text)
    found = owner(clauses[shared.index(max(shared))])
    return owner(text) if found == NOBODY else found


def _is_named(person: Owner, text: str, of: Owner) -> bool:
    """Whether a statement of another one names the person, and not only in saying whose relative that one is."""
    said, chain = text.lower(), person.who.split(" of ")
    if person.speaks or person.who in of.who.split(" of "):
        return False
    return bool(person.name and person.name in said) or all(who in said for who in chain)


def _does_alike(text: str, other: str) -> bool:
    """Whether somebody does what the speaker says that they do ("Dario boxes", "I box")."""
    does, mine = _DOES.match(text), _I_DO.match(other)
    if does is None or mine is None or does["n"].lower() in other.lower():
        return False
    if does["w"] or mine["w"]:
        return does["w"] == mine["w"]
    return does["v"] in (f"{mine['v']}s", f"{mine['v']}es", f"{mine['v'][:-1]}ies")
