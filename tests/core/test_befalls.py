"""What somebody else does, what happened to a thing, and what is called otherwise changes nothing of what is known."""

from __future__ import annotations

import pytest

from localagent.linking import apart
from localagent.same_thing import speaks_of_another

APART: list[tuple[str, str]] = [
    ("I go to the gym with Theo on Mondays", "Theo goes to the gym on Tuesdays now"),
    ("Ines and I run on Sundays", "Ines runs on Saturdays now"),
    ("I commute by train with my colleague Olga", "Olga commutes by car now"),
    ("I box twice a week", "Dario boxes three times a week now"),
    ("I wear hearing aids in both ears", "My left hearing aid broke"),
    ("I drive a Yaris", "My Yaris has a flat tyre"),
    ("I wear glasses", "I lost my glasses yesterday"),
    ("I have a pacemaker", "The battery of my pacemaker is low"),
    ("I have hay fever", "My hay fever is worse this year"),
    ("Our database runs on a machine called atlas", "Staging runs on a box called borea"),
    ("I have two cats, Pixel and Mochi", "I've got a Pixel phone, not to be confused with the cat"),
    ("我周一和小林一起去健身房", "小林现在周二去健身房"),
    ("我每周六和阿敏打网球", "阿敏现在改周五打网球了"),
    ("我和同事老李一起拼车上班", "老李现在坐地铁上班"),
    ("我两只耳朵都戴助听器", "我左边的助听器坏了"),
    ("我开一辆丰田", "我的丰田爆胎了"),
    ("我骑电动车上班", "我的电动车今天没电了"),
    ("我对花粉过敏", "我的花粉过敏今年更厉害了"),
    ("一台叫秦岭", "另一台叫太白"),
]
MAYBE: list[tuple[str, str]] = [
    ("Theo and I play on Mondays", "Theo and I play on Fridays now"),
    ("I live with Ben", "Ben moved out last week"),
    ("I go running with Paula", "Paula doesn't run any more"),
    ("My boss is Deborah", "Hamish is my boss now"),
    ("We have a dog called Rex and a tortoise called Archie", "Archie died last week"),
    ("I swim on Mondays", "I swim on Tuesdays now"),
    ("I use an iPhone", "My iPhone broke, I use a Pixel now"),
    ("I work at Lidl", "I lost my job at Lidl"),
    ("I have a phone contract", "My phone contract ran out"),
    ("My eyesight is -3", "My eyesight got worse, it's -4.5"),
    ("The project is called Falcon", "The project is called Eagle"),
    ("我和大刘周五攀岩", "我和大刘改周一攀岩了"),
    ("我和小林合租", "小林搬走了"),
    ("我对花生和海鲜过敏", "海鲜我现在可以吃了"),
    ("我周一和周三健身", "周三的健身改到周四了"),
    ("我开马自达", "马自达坏了，我现在开大众"),
    ("我在超市上班", "我把超市的工作丢了"),
    ("项目叫猎鹰", "项目改叫雄鹰了"),
]


@pytest.mark.parametrize(("old", "new"), APART)
def test_it_corrects_nothing(old: str, new: str) -> None:
    assert speaks_of_another(new, old) and apart(new, old)


@pytest.mark.parametrize(("old", "new"), MAYBE)
def test_what_ends_or_changes_something_may(old: str, new: str) -> None:
    assert not speaks_of_another(new, old)
