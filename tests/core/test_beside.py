"""An age that is yet to come, a journey at another time of the year and a part of the full name correct nothing, nor
what is so as well."""

from __future__ import annotations

import pytest

from localagent.linking import apart


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm 43", "I'm 44 in March"),
        ("My son is 9", "My son will be 10 in June"),
        ("I'm 43", "I turn 44 next week"),
        ("我43岁", "我三月就44岁了"),
        ("我43岁", "我三月满44岁"),
        ("我女儿9岁", "我女儿下个月10岁"),
        ("We're going to Wales at half term", "We're going to Portugal in May instead"),
        ("国庆我要去成都玩", "五一改去重庆玩"),
        ("My name is Ruth Calloway", "I'm Ruth"),
        ("我叫王小明", "我是小明"),
        ("I'm in the office on Mondays", "I'm in the office on Fridays too"),
        ("I sing in a choir", "I play in a band as well"),
        ("我周一去办公室", "我周五也去办公室"),
    ],
)
def test_it_is_apart(old: str, new: str) -> None:
    assert apart(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm 43", "I'm 44 now"),
        ("I'm 43", "I turned 44 in March"),
        ("I'm 44 in March", "I'm 44 now"),
        ("I'm 44 in March", "I'm 44 in April"),
        ("我43岁", "我昨天满44岁了"),
        ("我43岁", "我三月满了44岁"),
        ("We're going to Spain in May", "We're going to Spain in June now"),
        ("We're going to Rome in May", "We're going to Oslo instead"),
        ("国庆我要去成都玩", "国庆改去重庆玩"),
        ("My name is Ruth Calloway", "My name is Ruth Miller now"),
        ("我叫王小明", "我叫李小明"),
        ("I drink coffee", "I gave up coffee too"),
        ("我喝咖啡", "我咖啡也戒了"),
    ],
)
def test_it_may_be_corrected(old: str, new: str) -> None:
    assert not apart(new, old)
