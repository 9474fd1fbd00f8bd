"""Sentences that say several things of one person: an entry for each, that is understood by itself."""

from __future__ import annotations

import pytest

from localagent.policy import Extracted, Policies, Said


def found_in(policies: Policies, text: str) -> list[Extracted]:
    return list(policies.importance(Said("user", text, 1000.0, 9), ()))


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("I work at Siemens and live in Munich.", ["I work at Siemens", "I live in Munich"]),
        ("I'm Lena Fischer, I work at Siemens as a nurse.", ["I'm Lena Fischer", "I work at Siemens as a nurse"]),
        ("I'm a nurse, live in Graz and have two kids.", ["I'm a nurse", "I live in Graz", "I have two kids"]),
        ("I'm 34, from Graz, and work as a nurse.", ["I'm 34", "I'm from Graz", "I work as a nurse"]),
        (
            "My sister Mei lives in Beijing and works at Baidu.",
            ["My sister Mei lives in Beijing", "My sister Mei works at Baidu"],
        ),
        ("我叫王小明，在腾讯做后端开发，住在深圳。", ["我叫王小明", "我在腾讯做后端开发", "我住在深圳"]),
        ("我是护士，住在成都，对花生过敏。", ["我是护士", "我住在成都", "我对花生过敏"]),
        ("我的电话是13812345678，我妹妹韩梅住在北京。", ["我的电话是13812345678", "我妹妹韩梅住在北京"]),
        ("我弟弟韩冰今年20岁，在清华读书。", ["我弟弟韩冰今年20岁", "我弟弟韩冰在清华读书"]),
        ("我是山东人，在杭州上班。", ["我是山东人", "我在杭州上班"]),
        ("我不住上海了，搬到无锡了。", ["我不住上海了，搬到无锡了"]),
        ("我不住上海了，我搬到无锡了。", ["我不住上海了，我搬到无锡了"]),
        ("我老公跳槽了，现在在字节。", ["我老公跳槽了，现在在字节"]),
        ("我姐生了，是个男孩。", ["我姐生了，是个男孩"]),
        ("我儿子上小学了，在实验小学。", ["我儿子上小学了，在实验小学"]),
        ("小王离职了，去了腾讯。", ["小王离职了，去了腾讯"]),
        ("老婆怀孕了，预产期在五月。", ["老婆怀孕了，预产期在五月"]),
        ("我朋友有个女儿，在北京读书。", ["我朋友有个女儿，在北京读书"]),
    ],
)
def test_each_is_an_entry_with_its_subject(policies: Policies, text: str, entries: list[str]) -> None:
    found = found_in(policies, text)
    assert [entry.text for entry in found] == entries
    assert all(entry.evidence in text for entry in found)
    assert all(entry.kind in ("profile", "relationship") for entry in found)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Eva and I broke up.", "Eva and I broke up"),
        ("Tom and I live in Leeds.", "Tom and I live in Leeds"),
        ("Thanks and I live in Leeds.", "I live in Leeds"),
    ],
)
def test_who_is_named_with_the_speaker_stays(policies: Policies, text: str, entry: str) -> None:
    assert [one.text for one in found_in(policies, text)] == [entry]


def test_what_is_due_has_the_subject_of_the_clause_before(policies: Policies) -> None:
    said = Said("user", "爸爸身体不好，下周二做手术。", 1773223200.0, 9)
    health, surgery = policies.importance(said, ())
    assert (health.kind, health.text) == ("relationship", "爸爸身体不好")
    assert (surgery.kind, surgery.text) == ("event", "爸爸下周二做手术") and surgery.due_at is not None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我不住上海了，搬到无锡了。", "profile"),
        ("我老公跳槽了，现在在字节。", "relationship"),
        ("我妈不住老家了，搬到县城了。", "relationship"),
    ],
)
def test_it_is_of_whom_the_clause_before_is(policies: Policies, text: str, kind: str) -> None:
    assert [entry.kind for entry in found_in(policies, text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "我朋友格蕾塔离婚又结婚了，现在老公叫彼得",
        "格蕾塔离婚了，现在老公叫彼得",
        "我邻居老周退休了，儿子在澳洲当医生",
        "我表姐换了工作，新老板姓赵",
        "我妹妹结婚了，老公是程序员",
        "我室友养了猫，猫叫咪咪",
        "我姑姑搬家了，地址是解放路12号",
        "我前任结婚了，妻子怀孕了",
        "我邻居养了三只猫，对花粉过敏",
    ],
)
def test_what_somebody_else_has_stays_with_them(policies: Policies, text: str) -> None:
    """The whole sentence rather than a clause that seems to be of the speaker."""
    assert [one.text for one in found_in(policies, f"{text}。")] == [text]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("我结婚了，老公叫彼得。", ["我结婚了", "老公叫彼得"]),
        ("我去年结婚了，老公在银行上班。", ["我去年结婚了", "老公在银行上班"]),
        ("我妹妹结婚了，我老公是程序员。", ["我妹妹结婚了", "我老公是程序员"]),
        ("我老婆是老师，儿子上三年级。", ["我老婆是老师", "儿子上三年级"]),
        ("我儿子五岁，女儿三岁。", ["我儿子五岁", "女儿三岁"]),
        ("我老板出差了，我得写报告。", ["我得写报告"]),
    ],
)
def test_what_is_the_speakers_is_apart(policies: Policies, text: str, entries: list[str]) -> None:
    assert [one.text for one in found_in(policies, text)] == entries


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("We have new neighbours. Their dog is called Rex.", "We have new neighbours; Their dog is called Rex"),
        ("I met Greta. Her husband is called Peter.", "I met Greta; Her husband is called Peter"),
    ],
)
def test_whose_it_is_stands_in_the_sentence_before(policies: Policies, text: str, entry: str) -> None:
    assert found_in(policies, text)[-1].text == entry


@pytest.mark.parametrize(
    "text",
    [
        "我朋友推荐了一家店，在淮海路。",
        "我哥送了我一台相机，是佳能的。",
        "我儿子在看动画片，叫小猪佩奇。",
        "我老婆问你，明天去哪？",
        "我的电脑坏了，在修。",
        "我爸来了，饭做好了。",
        "我妈说我太瘦了，让我多吃点。",
    ],
)
def test_what_is_of_something_else_has_not_that_subject(policies: Policies, text: str) -> None:
    assert [one for one in found_in(policies, text) if one.kind in ("profile", "relationship", "habit")] == []


def test_the_evidence_is_the_clause(policies: Policies) -> None:
    found = found_in(policies, "I work at Siemens and live in Munich.") + found_in(policies, "我叫王小明，住在深圳。")
    assert [entry.evidence for entry in found] == ["I work at Siemens", "live in Munich.", "我叫王小明", "住在深圳。"]


@pytest.mark.parametrize(
    "text",
    [
        "I want to move to Munich and live in a house.",
        "I love to cook and eat.",
        "If I work at Siemens and live in Munich, how long is the commute?",
        "Hi, I'm German and you?",
        "我昨天去了公司，在那里做了演讲。",
    ],
)
def test_what_hangs_on_other_words_is_not_made_a_statement(policies: Policies, text: str) -> None:
    whole = text.rstrip(".。")
    assert all(entry.text in whole or whole in entry.text for entry in found_in(policies, text))
