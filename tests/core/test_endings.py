"""What is over with what somebody says, and with a death; not what only sounds so, nor what is of somebody else."""

from __future__ import annotations

import pytest

from localagent.deaths import dies
from localagent.endings import ends, takes_instead

OVER: list[tuple[str, str]] = [
    ("My son Oisin is studying physics at Trinity", "Oisin graduated on Friday"),
    ("I'm doing a PhD in Vienna", "I finished my PhD last week"),
    ("I study at Leeds", "I dropped out of university"),
    ("My sister works at Siemens", "My sister was laid off in January"),
    ("My uncle Pat works at the docks", "Uncle Pat retired at Christmas"),
    ("I have a weekend job at the bookshop", "Lost my weekend job, they are cutting back"),
    ("I'm paying off a car loan", "I finally paid off the loan"),
    ("We have a mortgage of 900 a month", "The mortgage is paid off"),
    ("I owe my brother 500 euros", "I paid my brother back"),
    ("My sister Aoife is pregnant, due in June", "Aoife had a baby girl"),
    ("I go to the gym in Smithfield", "The gym has closed down"),
    ("我在浙大读研究生", "我毕业了"),
    ("我爸在铁路局工作", "我爸退休了"),
    ("我妹妹在银行上班", "我妹妹被裁了"),
    ("我每个月还房贷4200", "房贷终于还清了"),
    ("我在银行有贷款", "贷款还清了"),
    ("我老婆怀孕七个月", "老婆昨天生了"),
    ("我每周去三次香港路的健身房", "那家健身房倒闭了"),
]
NOT_OVER: list[tuple[str, str]] = [
    ("My daughter is at university in Ghent", "My son graduated in June"),
    ("My son Oisin studies physics", "Oisin finished his dinner"),
    ("I work at the university in Leeds", "I graduated in 2010"),
    ("My sister is at university", "My sister graduated from driving school"),
    ("My sister works at Siemens", "My brother was laid off"),
    ("I work at a bank", "I lost my weekend job"),
    ("I work as a waiter", "A colleague got fired on Monday"),
    ("My dad lives in Hull", "Dad retired"),
    ("We have a mortgage of 900 a month", "I paid off the car loan"),
    ("We rent a flat, 1900 a month", "I paid off the loan"),
    ("My wife is pregnant", "My wife had a baby shower"),
    ("I go to the gym in Smithfield", "The pool closed down"),
    ("I go to the gym in Smithfield", "The gym closed early yesterday"),
    ("I live near the station", "The station closed down"),
    ("我儿子在上大学", "我儿子驾校毕业了"),
    ("我妹妹在银行上班", "我弟弟被裁了"),
    ("我每个月还房贷4200", "车贷还清了"),
    ("我妹妹怀孕了", "我妹妹生气了"),
    ("我常去楼下的书店", "楼下的面馆倒闭了"),
]
DEAD: list[tuple[str, str]] = [
    ("My grandmother lives in Cork", "Gran died in March"),
    ("My mother works at the hospital", "Mum passed away on Sunday"),
    ("My dad takes warfarin", "We lost Dad last spring"),
    ("We have a dog called Rex", "We had to put Rex down"),
    ("My friend Lukas lives in Basel", "I lost my friend Lukas in an accident"),
    ("My uncle Ivo runs a bakery", "Uncle Ivo died yesterday"),
    ("My dad is called Fergus and plays the accordion", "We lost Dad in the spring"),
    ("我爷爷住在南通", "我爷爷走了"),
    ("我爸爸在邮局上班", "爸爸去世了"),
    ("我姥爷喜欢钓鱼", "姥爷没了"),
    ("家里有只猫叫咪咪", "咪咪昨天死了"),
    ("We have two cats, Mimi and Tom", "Tom died yesterday"),
    ("My parents live in Hull", "We lost Mum in the spring"),
    ("我养了两只猫，小黑和小白", "小黑昨天没了"),
    ("我爷爷奶奶住在烟台", "奶奶上个月去世了"),
]
ALIVE: list[tuple[str, str]] = [
    ("My grandad is called Tom", "Grandad died in March"),
    ("My mother was born in Kiel", "Mum passed away on Sunday"),
    ("My dad broke his wrist on the ice", "We lost Dad in the spring"),
    ("My friend Lukas lives in Basel", "Lukas's mother died"),
    ("My grandmother lives in Cork", "My grandmother's neighbour died"),
    ("My grandmother lives in Cork", "My other grandmother died in 2010"),
    ("My dad works at the docks", "We lost Dad in the supermarket for ten minutes"),
    ("My uncle runs a bakery", "We lost my uncle's address"),
    ("We have a dog called Rex", "I put Rex down on the sofa"),
    ("My sister lives in York", "My sister died her hair red"),
    ("My wife lives in Bonn", "My wife told me Rex died"),
    ("我爷爷住在南通", "我爷爷走了两公里才到医院"),
    ("我爸爸在邮局上班", "爸爸刚走，去上班了"),
    ("我弟弟在成都上班", "我弟弟先走了，回成都了"),
    ("我外公叫老汤", "外公去世了"),
    ("我爸手腕摔断了", "爸爸去世了"),
    ("My parents live in Hull", "We lost Grandma in the spring"),
    ("We live in Tom's house", "Tom died yesterday"),
    ("我爷爷奶奶住在烟台", "外婆上个月去世了"),
    ("我爷爷喜欢下棋", "爷爷的狗死了"),
    ("我叔叔开出租车", "我叔叔的车没了"),
]


@pytest.mark.parametrize(("old", "new"), OVER)
def test_what_was_so_is_over(old: str, new: str) -> None:
    assert ends(new, old) and not ends(old, new)


@pytest.mark.parametrize(("old", "new"), NOT_OVER)
def test_what_is_of_something_or_somebody_else_ends_nothing(old: str, new: str) -> None:
    assert not ends(new, old)


@pytest.mark.parametrize(("old", "new"), DEAD)
def test_what_somebody_did_is_over_with_their_death(old: str, new: str) -> None:
    assert dies(new, old) and not dies(old, new)


@pytest.mark.parametrize(("old", "new"), ALIVE)
def test_what_they_were_and_who_else_lives_is_not(old: str, new: str) -> None:
    assert not dies(new, old)


@pytest.mark.parametrize(
    ("old", "new", "instead"),
    [
        ("I take amlodipine", "The doctor switched me to ramipril", True),
        ("My dad takes warfarin", "Dad was switched to apixaban", True),
        ("我每天早上吃阿司匹林", "医生让我改吃他汀了", True),
        ("My mum takes warfarin", "Dad was switched to apixaban", False),
        ("I have high blood pressure", "The doctor switched me to ramipril", False),
        ("I take ramipril in the morning", "The doctor switched me to ramipril in the evening", False),
        ("我每天吃氨氯地平", "我改吃素了", False),
        ("我妈吃二甲双胍", "我改吃他汀了", False),
    ],
)
def test_one_medicine_takes_the_place_of_another(old: str, new: str, instead: bool) -> None:
    assert takes_instead(new, old) is instead
