"""A change of one side of a life tells nothing of the others: an illness, its medicine, a home, a school, work."""

from __future__ import annotations

import pytest

from localagent.linking import apart
from localagent.sides import of_other_sides


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My dad has diabetes", "Dad's been switched to insulin"),
        ("My grandma has a heart condition", "My grandma moved to a hospital"),
        ("My sister has asthma", "My sister works at Bosch now"),
        ("My aunt takes bisoprolol", "My aunt moved to York"),
        ("My son goes to primary school", "My son's new teacher is Mrs Lee"),
        ("我妈有高血压", "我妈的药换成缬沙坦了"),
        ("我妈住在成都", "我妈住院了"),
        ("My dad is employed by the city", "My dad had surgery"),
        ("我爸有糖尿病", "我爸退休了"),
        ("豆豆上小学了", "豆豆换班主任了，姓陈"),
        ("My friend Ada is a young doctor in Leeds", "Ada is allergic to cats"),
        ("We're going to Crete in June", "We moved to Leeds"),
        ("青岛不去了，改去大连", "我们搬到郊区了"),
        ("My daughter is allergic to peanuts", "My daughter threw her allergy pills away"),
        ("我女儿对花生过敏", "我女儿把过敏药扔了"),
        ("我妈住在成都", "我妈高血压在吃药"),
    ],
)
def test_another_side_of_a_life_is_not_outdated(old: str, new: str) -> None:
    assert of_other_sides(new, old) and apart(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My dad takes metformin", "Dad's been switched to insulin"),
        ("My dad takes metformin for his diabetes", "Dad doesn't have diabetes any more"),
        ("My grandma lives in a care home in Ulm", "My grandma moved to a hospital"),
        ("My son's teacher is Mr Brown", "My son's new teacher is Mrs Lee"),
        ("My sister works at Siemens", "My sister retired"),
        ("I'm a teacher at a primary school", "I work at a library now"),
        ("My dad has diabetes", "Dad died last week"),
        ("我妈每天早上吃一片氨氯地平", "我妈的药换成缬沙坦了"),
        ("我在小学当老师", "我跳槽了"),
        ("我有高血压", "高血压在吃药"),
        ("我高血压在吃药", "我没有高血压"),
        ("豆豆上小学了", "豆豆上初中了"),
        ("We're flying to Porto on 3 March", "The flight got moved to 4 March"),
        ("We're going to Crete in June", "We're going to Norway instead"),
        ("My friend Ada is a doctor", "Ada retired"),
        ("I'm allergic to cats", "I'm not allergic to cats any more"),
    ],
)
def test_the_same_side_may_be(old: str, new: str) -> None:
    assert not of_other_sides(new, old)
