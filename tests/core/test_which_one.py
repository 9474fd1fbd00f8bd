"""What is so of the older brother, the first daughter or 我大哥 tells nothing of another one."""

from __future__ import annotations

import pytest

from localagent.linking import apart
from localagent.which_one import of_another_one


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My older brother is called Ken", "My younger brother is called Phil"),
        ("My older sister lives in Bath", "My younger sister lives in Deal"),
        ("My second daughter is called Eve", "My first daughter is called Joy"),
        ("Our middle child goes to Oakwood", "Our oldest goes to Hillside"),
        ("My first wife was called Ann", "My second wife is called Beth"),
        ("My maternal grandmother lives in Leeds", "My paternal grandmother lives in York"),
        ("My twin sister works as a nurse", "My half sister works as a teacher"),
        ("The first exam is on Monday", "The second exam is on Friday"),
        ("我大哥叫李强", "我二哥叫李刚"),
        ("我大哥住在上海", "我二哥住在北京"),
        ("我家老大叫晨晨", "我家老二叫阳阳"),
        ("我大女儿今年12岁", "我小女儿今年8岁"),
        ("我大舅住在苏州", "我二舅住在无锡"),
        ("第一场考试在周一", "第二场考试在周五"),
    ],
)
def test_another_one_is_not_outdated(old: str, new: str) -> None:
    assert of_another_one(new, old) and apart(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My older brother lives in Leeds", "My elder brother moved to York"),
        ("My eldest son is at Tesco", "My oldest son is at Lidl now"),
        ("My brother lives in Leeds", "My older brother lives in York now"),
        ("My son is in the second grade", "My son is in the third grade now"),
        ("I live on the first floor", "I moved to the second floor"),
        ("We meet on the first Monday", "We meet on the second Monday now"),
        ("我大哥住在上海", "我大哥搬到北京了"),
        ("我家老大上初中", "我家老大上高中了"),
        ("老大十岁，老二六岁", "老二七岁了"),
        ("我大姐在银行上班", "我大姐退休了"),
        ("我住在第一个路口", "我搬到第二个路口了"),
    ],
)
def test_the_same_one_may_be(old: str, new: str) -> None:
    assert not of_another_one(new, old)
