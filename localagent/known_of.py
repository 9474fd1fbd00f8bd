"""Everything that is known of somebody: of "my brother", what names him, and what names Tom, once he is known as that;
of Tom, what names my brother. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from localagent.belonging import of_another
from localagent.forgetting import NAME
from localagent.persons import FAMILY_ZH, OTHERS_ZH, OWNED, PEOPLE, of_kin_alone, person_in, persons_in, whose
from localagent.which_one import of_another_one

_KIN_EN = rf"(?P<kin>(?:my|our) (?:[\w-]+ ){{0,2}}?(?:{PEOPLE}|{OWNED}))"
_KIN_ZH = rf"(?:我们?家?的?|(?<![\u4e00-\u9fff]))(?P<kin2>[大小老二三]?(?:{FAMILY_ZH}|{OTHERS_ZH}))"
_CALLED = (
    # "My brother is called Tom", "my neighbour Rosa", "Nuala is my sister".
    re.compile(
        rf"\b{_KIN_EN}(?:(?:'s name)? is(?: called| named)?(?<!\w is)|(?:,| is| was)? (?:called|named)|'s name is|,)? "
        rf"(?P<name>(?-i:[A-Z])[\w-]+)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<name>{NAME}) is {_KIN_EN}\b", re.IGNORECASE),
    re.compile(
        rf"^(?:I|We) (?:have|['’]ve got|got|keep) an? (?P<kin>{OWNED}) (?:called|named) (?P<name>(?-i:[A-Z])[\w-]+)",
        re.IGNORECASE,
    ),
    # 我弟弟叫小强, 我朋友老周借了钱, 小强是我弟弟.
    re.compile(
        rf"{_KIN_ZH}(?:的名字)?(?:(?:名字)?叫做?|名叫|名字是)(?P<name>[\u4e00-\u9fff]{{2,3}}?)(?=$|[，。,、 的])"
    ),
    re.compile(rf"{_KIN_ZH}(?P<name>[小老阿](?!家|师|板|公|婆|是)[\u4e00-\u9fff])"),
    re.compile(rf"^(?P<name>[\u4e00-\u9fff]{{2,3}})是{_KIN_ZH}$"),
)
# Behind it, who takes part in what is said of another one.
_JOINS = re.compile(
    r"\w \w+ (?:with|to|by|from|for|of|than|and|at|on) (?:my \w+ )?$|(?:[跟和与同被比给向]|认识|喜欢)$", re.IGNORECASE
)
_NAMED = re.compile(
    rf"(?P<kin>.*?)(?:^| |,)(?P<name>(?-i:[A-Z])[\w-]+)|(?P<kin3>(?:{_KIN_ZH})?)(?P<name2>[\u4e00-\u9fff]{{2,3}})"
)


@dataclass(frozen=True, slots=True)
class Person:
    """`kin`: what they are to the speaker (`persons`), empty where it is not known; `names` they are called by;
    `others`: names of others who are the same to the speaker; `several`: whether "my friend" may be one of some."""

    kin: str
    names: frozenset[str]
    others: frozenset[str] = frozenset()
    several: bool = False

    def is_named_in(self, text: str, about: str) -> bool:
        """Whether a statement names them; `about`: as a request names them."""
        if any(has_name(text, name) for name in self.names):
            return True
        if not self.kin or self.kin not in persons_in(_as_the_speaker_s(text)):
            return False
        named = f"my {self.kin}" if self.kin.isascii() else f"我{self.kin}"
        somebody_else = of_another(text, named) or of_another_one(text, about)
        return not somebody_else and not any(has_name(text, name) for name in self.others)

    def only_stands_in(self, text: str) -> bool:
        """Whether a statement is of another one who is close to the speaker, and only names them."""
        before = min((text.find(name) for name in self.names if has_name(text, name)), default=-1)
        about = person_in(text)
        another = about.who.split(" of ")[-1] not in ("", self.kin) and about.name not in self.names
        return another and bool(_JOINS.search(text[: max(before, 0)]))


def person_meant(about: str, texts: Sequence[str]) -> Person | None:
    """Whom a request names and says nothing of; None where that is nobody. `texts` may say what somebody is called."""
    ties = list(_ties([text for text in texts if not of_another_one(text, about)]))
    own = _as_the_speaker_s(about.strip())
    if of_kin_alone(own):
        (kin,) = persons_in(own) or ("",)
        names = frozenset(name for name, of in ties if of == kin)
        return Person(kin, names, several=len(names) > 1 and not own.endswith(("s", "们"))) if kin else None
    match = _NAMED.fullmatch(own)
    if match is None:
        return None
    name, before = match["name"] or match["name2"], (match["kin"] or match["kin3"] or "").strip(" ,")
    # 我弟弟工资 names no brother called 工资.
    known = bool(match["name"]) or any(called == name for called, _ in ties)
    if before and not (known and of_kin_alone(before)):
        return None
    kins = persons_in(before) if before else {of for called, of in ties if called == name}
    if len(kins) != 1:
        return None
    (kin,) = kins
    others = frozenset(called for called, of in ties if of == kin and called != name)
    # Where there are several, who is meant by "my brother" is not known.
    return Person("" if others and not before else kin, frozenset((name,)), others)


def may_name_somebody(about: str) -> bool:
    """Whether a request names a person, or something that may be the name of one, and says nothing of them."""
    own = _as_the_speaker_s(about.strip())
    return of_kin_alone(own) or _NAMED.fullmatch(own) is not None


def also_called(about: str, texts: Sequence[str]) -> str:
    """In which other words, beside its own, entries may name the person whom a request names."""
    person = person_meant(about, texts)
    return " ".join((*sorted(person.names), person.kin)).strip() if person is not None else ""


def _ties(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names, with what those who have them are to the speaker."""
    for text in texts:
        who = person_in(text)
        found = re.search(rf"\b{re.escape(who.name)}\b", text, re.IGNORECASE) if who.name else None
        if found is not None and " of " not in who.who:
            yield found[0], who.who
        for match in (match for way in _CALLED for match in way.finditer(text)):
            groups = match.groupdict()
            kin = groups.get("kin") or f"我{groups['kin2']}"
            of = whose(kin if " " in kin or not kin.isascii() else f"my {kin}")
            if of and " of " not in of:
                yield match["name"], of


def has_name(text: str, name: str) -> bool:
    """Whether a text has a name as a word of its own, whatever Chinese sign stands beside it."""
    return bool(re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text))


def _as_the_speaker_s(text: str) -> str:
    """With "my" before bare words of the family, which are the speaker's own: 婆婆."""
    return re.sub(rf"^(?={FAMILY_ZH})", "我", text)
