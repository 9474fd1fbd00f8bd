"""Chinese requests to let go of what a noun phrase names: its entry goes, or is asked about; nothing else does."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.let_go import let_go

KNOWN = (
    "我体重六十八公斤，正在减肥",
    "我小姨开了一家花店",
    "请记住：我左耳听力不太好",
    "我每周六学油画",
    "请记住：我一个月工资一万八",
    "我女儿对花生过敏",
    "我女儿今年上三年级",
    "请记住：我在招商银行有三十万存款",
    "我家猫叫豆包",
)


@pytest.mark.parametrize(
    ("request_", "going"),
    [
        ("体重就当我没提", ["我体重六十八公斤，正在减肥"]),
        ("把小姨开花店那条忘了", ["我小姨开了一家花店"]),
        ("左耳那个当我没讲", ["我左耳听力不太好"]),
        ("我每周六学油画这件事当我没说", ["我每周六学油画"]),
        ("存款的事，就当我没说过吧", ["我在招商银行有三十万存款"]),
        ("招商银行的事当没说", ["我在招商银行有三十万存款"]),
        ("花店那事儿，权当没听过", ["我小姨开了一家花店"]),
        ("不许存我的工资", ["我一个月工资一万八"]),
        ("工资多少我刚才说错了，别记", ["我一个月工资一万八"]),
        ("我女儿的事一个字都不许留", ["我女儿对花生过敏", "我女儿今年上三年级"]),
        ("我女儿的事以后一个字都别留", ["我女儿对花生过敏", "我女儿今年上三年级"]),
        ("跟花店有关的都忘掉", ["我小姨开了一家花店"]),
        ("忘掉所有关于我女儿的", ["我女儿对花生过敏", "我女儿今年上三年级"]),
        ("把我女儿花生过敏的事忘了就行，别的留着", ["我女儿对花生过敏"]),
        ("左耳听力，你脑子里清掉", ["我左耳听力不太好"]),
        ("油画那条作废", ["我每周六学油画"]),
        ("我说的减肥那件事不算", ["我体重六十八公斤，正在减肥"]),
        ("左耳的毛病你就当没听说过", ["我左耳听力不太好"]),
        ("我工资那条去掉", ["我一个月工资一万八"]),
        ("上一条删了", ["我家猫叫豆包"]),
        ("撤回", ["我家猫叫豆包"]),
    ],
)
def test_what_it_names_goes_and_nothing_else(talk: Talk, request_: str, going: list[str]) -> None:
    talk.say(*KNOWN)
    before = talk.texts()
    assert set(going) <= set(before)
    written = talk.say(request_)
    assert {one.text for one in written.forgotten} == set(going)
    assert not written.memories and not written.unsaid and not written.unclear
    assert set(talk.texts()) == set(before) - set(going)


@pytest.mark.parametrize("request_", ["彩票的事当没说过", "姓许的那个人，你脑子里清掉", "不许存我的血型"])
def test_where_nothing_fits_a_line_says_so(talk: Talk, request_: str) -> None:
    talk.say(*KNOWN)
    before = talk.texts()
    (line,) = talk.say(request_).lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and talk.texts() == before


@pytest.mark.parametrize("request_", ["把“马哥”那个要求取消", "我让你叫我马哥那个要求不算数了"])
def test_a_wish_that_is_cancelled_is_asked_about_and_not_noted(talk: Talk, request_: str) -> None:
    talk.say("以后叫我马哥", *KNOWN)
    before = talk.texts()
    written = talk.say(request_)
    (unclear,) = written.unclear
    assert "马哥" in unclear.memories[0].text and not written.memories and talk.texts() == before


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        ("工资不许留", ["我一个月工资一万八"]),
        ("体重不准存", ["我体重六十八公斤，正在减肥"]),
        ("头发不许留", []),
        ("现金不许存", []),
    ],
)
def test_a_bare_name_that_is_not_to_be_kept_is_asked_about(talk: Talk, request_: str, asked: list[str]) -> None:
    talk.say(*KNOWN)
    written = talk.say(request_)
    assert [memory.text for one in written.unclear for memory in one.memories] == asked
    assert written.forgotten == ()


@pytest.mark.parametrize(
    "text",
    [
        "把第二段删了",
        "这条日志删了",
        "日志那条删了",
        "取消订阅提醒",
        "公司要求取消年假",
        "他当没听见",
        "我就当没看见他",
        "老板当没这回事",
        "我老婆把这事当没发生过",
        "帮我把缓存清掉",
        "小区不许存放电动车",
        "妈妈不许留长头发",
        "我妈说剩菜不许留",
        "我前女友把我的联系方式都删了",
        "工资那一列删了",
        "微信消息怎么撤回",
        "开会的事忘了",
        "我把开会的事忘了",
        "要是你忙就当我没说",
        "她生日的事他当没听过",
        "我的密码是9921，不要记住",
        "购物车里那条裙子不要了",
        "换房的计划取消了",
        "油画课取消了",
        "阿杰的微信我删了",
        "把作文里我女儿那段删了",
        "领导的批评我就当没听过",
        "咱们的约定作废了",
        "公司那个规定取消了",
        "我前女友的东西都扔了",
    ],
)
def test_what_is_told_or_worked_on_is_no_request(text: str) -> None:
    assert let_go(text) is None


@pytest.mark.parametrize("text", ["撤回", "把第二段删了", "这条日志删了", "他当没听见"])
def test_without_an_entry_of_the_message_before_it_is_none(talk: Talk, text: str) -> None:
    talk.say("我家猫叫豆包", "帮我写一段自我介绍")
    assert not talk.say(text).lines() and talk.texts() == ["我家猫叫豆包"]
