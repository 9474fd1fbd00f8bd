"""What is told of another person, or of the way back, changes nothing of what is known of somebody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localagent.linking import apart
from localagent.owners import NOBODY, of_another_person, owner
from localagent.same_thing import speaks_of_another

ANOTHER: list[tuple[str, str]] = [
    ("My exam is on 12 May", "Hannah's exam was moved to 20 May"),
    ("I start work at 9", "The new guy starts work at 7 now"),
    ("My thesis is due on 3 June", "A fellow student's thesis is due on 10 June now"),
    ("I take 500 mg of metformin", "The woman next door takes 1000 mg of metformin now"),
    ("We're flying to Lisbon on Friday", "The Millers are flying to Porto instead"),
    ("My rent is 900 euros", "Leila's rent went up to 1,050 euros"),
    ("I work at Siemens", "A friend of mine works at Bosch now"),
    ("My car is a red Golf", "The neighbours' car is a blue Golf now"),
    ("My brother's pension is 1400 euros a month", "My pension is 1100 euros a month now"),
    ("My dentist is Dr Kim", "Tom's dentist is Dr Shah now"),
    ("Carla plays tennis on Tuesdays", "I play tennis on Thursdays now"),
    ("Hannah's exam is on 12 May", "Tom's exam was moved to 20 May"),
    ("I'm learning Italian", "Marco switched to Spanish"),
    ("My exam is on 12 May", "Hannah told me her exam was moved to 20 May"),
    ("My flight is at 9:40", "Now Hannah's flight is at 11:15"),
    ("I live in Leeds", "I heard that Tom moved to York"),
    ("I get up at six", "The guy I share the office with gets up at five now"),
    ("My surgery is on 4 June", "The man in the next bed has his surgery on 6 June now"),
    ("I'm on call on Fridays", "Dilan is on call on Mondays now"),
    ("I sleep six hours a night", "Our lodger sleeps eight hours a night now"),
    ("I'm 178 cm tall", "Jan is 185 cm tall now"),
    ("I have physio on Wednesdays", "The lad from my gym has physio on Fridays now"),
    ("I read a book a week", "Someone in my book club reads three books a week now"),
    ("My plane lands at 15:20", "Their plane lands at 17:50 now"),
    ("I start work at 9", "I met Tom yesterday; He starts work at 7 now"),
    ("My driving test is on 3 June", "Eva called, her driving test was moved to 9 June"),
    ("My cat eats twice a day", "The neighbour's cat eats three times a day now"),
    ("My kids are 5 and 7", "Lena's kids are 6 and 8 now"),
    ("我的考试在五月十二号", "汉斯的考试改到五月二十号了"),
    ("我的考试在五月十二号", "王芳说她的考试改到五月二十号了"),
    ("我的航班是九点四十", "现在李娜的航班是十一点十五"),
    ("我九点上班", "李明他们公司现在七点上班"),
    ("我六点起床", "和我一个办公室的小吴现在五点起床"),
    ("我的手术在六月四号", "隔壁床的手术改到六月六号了"),
    ("我每晚睡六个小时", "我们寝室的小高现在每晚睡八个小时"),
    ("我的家教姓黄", "悠悠的家教换成姓赵的了"),
    ("我周三做理疗", "健身房的小哥现在周五做理疗"),
    ("我的飞机三点二十到", "他们的飞机改到五点五十到了"),
    ("我姐的婚礼在六月六号", "我朋友的婚礼改到六月二十号了"),
    ("我的房租每月2800元", "阿丽来电话了，她的房租涨到3200元了"),
    ("我九点上班", "昨天碰到小林，他现在七点上班"),
    ("我的孩子五岁", "陈姐的孩子六岁了"),
    ("我在学法语", "小宝改学西班牙语了"),
    ("我的面试在周三", "托马斯的面试推迟到周五了"),
    ("我每天吃500毫克二甲双胍", "楼上的大爷二甲双胍加到1000毫克了"),
    ("我们周五飞广州", "老李一家改飞深圳了"),
    ("我九点上班", "新来的同事现在七点上班"),
    ("我的论文六月三号交", "同学的论文改到六月十号交了"),
    ("我的退休金每月3000元", "我哥的退休金涨到4500元了"),
    ("我的老板是陈姐", "小周的新老板是马哥"),
    ("我的车是红色的", "隔壁的车换成蓝色的了"),
    ("汉斯的考试在五月十二号", "我的考试改到五月二十号了"),
]
OTHER_WAY: list[tuple[str, str]] = [
    ("My flight to Rome leaves at 9:40", "The flight home was moved to 18:15"),
    ("The train to Hamburg leaves at 7:10", "The train back from Hamburg leaves at 17:40 now"),
    ("We drive to Italy on Friday", "We drive home from Italy on Sunday now"),
    ("I fly out at 10:15 on Saturday", "I fly back at 17:40 on Sunday"),
    ("我周六十点十五飞过去", "我周日五点四十飞回来"),
    ("The bus to Leeds leaves at 7", "The bus from Leeds leaves at 5 now"),
    ("去上海的飞机九点四十起飞", "回来的飞机改到晚上六点了"),
    ("去杭州的高铁七点十分开", "从杭州回来的高铁改成下午五点四十开了"),
]
# Of the speaker's own, whoever changes it; of the same person; of nobody in particular.
MAYBE: list[tuple[str, str]] = [
    ("My driving lesson is on Monday at 4", "Jonas moved my driving lesson to Tuesday"),
    ("My interview is on Wednesday", "Eva moved the interview to Friday"),
    ("My piano lesson is on Monday", "Monday's piano lesson was moved to Wednesday"),
    ("I play tennis on Tuesdays", "Tennis is on Thursdays now"),
    ("My boss is Deborah", "Martin is my new boss"),
    ("I'm learning Italian with Marco", "Marco and I switched to Spanish"),
    ("I live with my flatmate Jo", "My flatmate moved out"),
    ("Hannah's exam is on 12 May", "Hannah's exam was moved to 20 May"),
    ("My neighbour's dog is called Bruno", "My neighbour's dog is called Otto now"),
    ("My neighbour has a dog called Bruno", "My neighbour's dog died"),
    ("My daughter Lea plays the violin", "Lea switched to the cello"),
    ("My rent is 900 euros", "Rent went up to 1,050 euros"),
    ("My flight is at 9:40", "Ryanair moved the flight to 11:15"),
    ("I have a dog called Rex", "His food costs 40 euros now"),
    ("I live with my sister", "She moved to York"),
    ("My driving test is on 3 June", "Eva called, my driving test was moved to 9 June"),
    ("I live alone", "I moved in with my sister, she is a nurse"),
    ("I start work at 9", "I met Tom yesterday, I start work at 7 now"),
    ("Dinner is at 7", "Dinner's at 8 now"),
    ("My car is a Golf", "The family car is a Polo now"),
    ("The train to Hamburg leaves at 7:10", "The train to Hamburg leaves at 8:10 now"),
    ("The flight home is on Friday", "The flight home is on Sunday now"),
    ("我每天吃500毫克二甲双胍", "王医生把我的二甲双胍加到1000毫克了"),
    ("我的考试在五月十二号", "数学的考试改到五月二十号了"),
    ("我和小艾的会议在周一", "小艾把我们的会议改到周三了"),
    ("我的钢琴课在周一", "周一的钢琴课改到周三了"),
    ("我的钢琴课在周一", "李老师的课改到周三了"),
    ("我和妹妹合租", "她搬走了"),
    ("我的房租每月2800元", "阿丽来电话了，我的房租涨到3200元了"),
    ("我女儿朵朵学小提琴", "朵朵改学大提琴了"),
    ("我邻居有只狗叫旺财", "邻居的狗死了"),
    ("我的航班是九点四十", "国航把航班改到十一点十五了"),
    ("我用小米手机", "小米换成苹果了"),
    ("我的小说写到第三章", "小说写到第五章了"),
    ("汉斯的考试在五月十二号", "汉斯的考试改到五月二十号了"),
    ("邻居家的狗叫旺财", "邻居家的狗现在叫来福"),
    ("去杭州的高铁七点十分开", "去杭州的高铁改成八点十分开了"),
]


@pytest.mark.parametrize(("old", "new"), [*ANOTHER, *OTHER_WAY])
def test_what_is_of_another_person_or_the_other_way_corrects_nothing(old: str, new: str) -> None:
    assert speaks_of_another(new, old) and apart(new, old)
    assert speaks_of_another(old, new)


@pytest.mark.parametrize(("old", "new"), MAYBE)
def test_what_is_of_the_same_person_or_of_nobody_may(old: str, new: str) -> None:
    assert not speaks_of_another(new, old)


@given(text=st.text(max_size=60), other=st.sampled_from([text for pair in ANOTHER for text in pair]))
def test_whom_one_of_two_is_of_depends_on_nothing_but_the_two(text: str, other: str) -> None:
    assert not of_another_person(text, text)
    if NOBODY not in (owner(text), owner(other)):
        assert of_another_person(text, other) == of_another_person(other, text)
