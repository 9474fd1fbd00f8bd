"""What has become of a thing that both statements name; and which value a statement says to be wrong."""

from __future__ import annotations

import pytest

from localagent.alterations import alters
from localagent.contrasts import corrects_value, of_another_value
from localagent.in_part import only_once
from localagent.memory.entries import NewMemory
from localagent.same_thing import speaks_of_another

ALTERED: list[tuple[str, str]] = [
    ("I take Fostair, one puff morning and evening", "I put Fostair up to two puffs"),
    ("我在吃优甲乐，每天一片", "优甲乐加到两片了"),
    ("我每天吸一次信必可", "信必可加到两吸了"),
    ("I have a red Trek road bike", "The bike got nicked"),
    ("I drive a Skoda Octavia", "The Skoda was stolen last night"),
    ("我开一辆白色的比亚迪", "比亚迪被偷了"),
    ("I gave up coffee in March", "I'm back on coffee"),
    ("I take 50 mg of sertraline a day", "I'm off the sertraline"),
    ("I'm learning Italian on Duolingo", "I gave up on Italian"),
    ("My kids are Leo (7) and Mia (4)", "Mia is 5 now"),
    ("Our dog is called Biscuit", "We renamed Biscuit, she's called Toffee now"),
    ("我养了一只柴犬叫大福", "大福改名叫元宝了"),
    ("I sing in a choir, we rehearse Tuesdays at half seven", "choir has moved to Thursdays from January"),
    ("Leo's swimming lessons are on Mondays after school", "Leo's swimming has moved to Saturdays"),
    ("my left knee hurts since Sunday", "knee is fine again, the physio discharged me"),
    ("I sprained my ankle last month", "the ankle has healed"),
    ("driving a 2012 Skoda Fabia, MOT due in February", "I swapped the Skoda for a Toyota, hybrid"),
    ("We have an upright piano", "we sold the piano"),
    ("I owe Marco 800 quid from the boiler thing", "paid Marco back, every penny"),
    ("I lent Sarah 200 euros", "Sarah paid me back"),
    ("my team is me, Babs and a new lad called Idris", "Idris has quit already, lasted five weeks"),
    ("I can't stand coriander", "coriander is ok now by the way, as long as it's cooked"),
    ("training for the Bath half marathon, it's on 15 March", "I'm not doing the Bath half after all"),
    ("my mum Dolores lives in Porto on her own", "mum's moving in with her sister in Braga"),
    ("I've got savings of 6,200 for a deposit", "savings are down to 900 after the solicitor"),
    ("I take 75 micrograms of levothyroxine", "they put me up to 100 micrograms"),
    ("我最近在吃优甲乐，一天一片75微克", "医生喊我减到50微克"),
    ("I get up at six every day", "I get up at half past seven now"),
    ("店里周一休息，其他天都开", "面馆现在改成周二休息了"),
    ("面馆现在改成周二休息了", "店又改回周一休息了"),
    ("儿子每周六上午上钢琴课", "儿子的钢琴课改到周日了"),
    ("右边膝盖有点问题，站久了痛", "膝盖不痛了"),
    ("我有一辆电动车，每天骑着上班", "电动车卖了"),
    ("小杨他妈住院了，借了我两千块", "小杨把钱还了"),
    ("我欠老张三千块", "老张的钱我还了"),
    ("店里请了两个人，小唐端面", "小唐不干了，回老家去了"),
    ("我有个弟弟在上海打工", "我弟不干了，回老家了"),
    ("我妈养了只猫叫煤球，黑的", "煤球走了，十四岁了"),
    ("我不吃辣了，胃不好", "胃好了，又开始吃辣"),
    ("我开始跑步了，每天晚上八点跑三公里", "膝盖遭不住，跑步改成快走了"),
    ("涵涵每周三下午上围棋课", "娃儿围棋不学了"),
    ("我每天早上喝豆浆", "豆浆换成牛奶了"),
    ("涵涵的围棋老师姓孙，收费一节80", "孙老师涨价了，一节100"),
    ("我妈一个人住在双流", "我妈搬来跟我们一起住了"),
    ("我爸走得早，我妈一个人住在双流", "我妈搬来跟我们一起住了"),
    ("我在学钢琴", "钢琴我不学了"),
    ("女儿每周三学画画", "女儿画画不学了"),
    ("新招了个小工，叫小杨，十九岁", "小杨下个月就不干了，要去学理发"),
]
UNALTERED: list[tuple[str, str]] = [
    ("I take Fostair, one puff morning and evening", "I'm back on coffee"),
    ("I gave up coffee in March", "I'm back on nights"),
    ("我在吃优甲乐，每天一片", "氨氯地平加到两片了"),
    ("I drive a Skoda Octavia", "The bike got nicked"),
    ("My kids are Leo (7) and Mia (4)", "Max is 5 now"),
    ("我骑一辆捷安特上班", "我辞职了"),
    ("I play tennis with Ana on Tuesdays at six", "chess has moved to Fridays"),
    ("my back's been really painful", "my knee is fine again"),
    ("I sprained my ankle last month", "my brother's ankle has healed"),
    ("I drive an old Golf", "my sister sold her Golf"),
    ("I drive an old Golf", "I'm thinking of selling the Golf"),
    ("My shift is from 6 to 2", "I swapped my shift for Friday with Jo"),
    ("I lent Sarah 200 euros", "Tom paid me back"),
    ("My team is Nina and Paul", "Paul has left for Paris"),
    ("I hate olives", "mushrooms are fine now"),
    ("I do the dishes every night", "I'm not doing the dishes today"),
    ("my sister lives in Leeds", "I'm moving to Bristol"),
    ("我周二晚上练瑜伽", "篮球改到周四了"),
    ("我腰痛，坐久了受不了", "我爸的腰好了"),
    ("小李借了我五百块", "小李把书还了"),
    ("店里新招了个小工叫阿强", "小芳不干了"),
    ("我不吃香菜", "榴莲现在能吃了"),
    ("我戒烟了", "我爸又开始抽烟了"),
    ("我在学吉他，每周一节课", "今天吉他不练了，累"),
    ("我喜欢吃火锅", "火锅店不开了"),
    ("我每天晚饭后散步", "晚饭改成面条了"),
    ("我妈养了只猫叫煤球", "我妈走了，去买菜"),
    ("小王养了只猫叫煤球", "小王走了"),
    ("孩子上小学", "孩子不哭了"),
    ("My team is Ana and Luis", "Ana has quit smoking"),
    ("我女儿在学钢琴", "我钢琴不学了"),
    ("我在学钢琴", "我女儿钢琴不学了"),
    ("我借了小王的车", "小王把钱还了"),
    ("我每周二去健身房", "下周二健身房不去了，出差"),
    ("I take 75 micrograms of levothyroxine", "my metformin went up to 500 mg"),
    ("I take 500 mg of metformin", "my atorvastatin is up to 40 mg"),
    ("我妈一天吃一片75微克", "医生喊我减到50微克"),
    ("店头的网线是电信的，一个月129", "小杨下个月就不干了"),
    ("我们的网站用的是阿里云", "网站换成腾讯云了"),
]
APART: list[tuple[str, str]] = [
    ("医生叫我忌口，辣的少吃", "医生喊我多走路，少坐"),
    ("医生叫我忌口，辣的少吃", "你喊我小罗就行"),
    ("以后叫我老王", "医生喊我多走路"),
    ("每天早上四点半就要起来熬骨头汤", "我每天晚上九点半就睡了"),
    ("我每天晚上九点半就睡了", "我每天中午要打个盹，半个小时"),
    ("I get up at 5 every morning", "I go to bed at half nine every night"),
    ("I go to bed at ten every night", "I take a nap every afternoon"),
    ("I've got asthma", "I've got a check-up on Tuesday"),
    ("每个月15号要还贷款，4200", "面馆涨价了，豌杂面现在13块一碗"),
    ("我身份证后四位是3321", "我不是三十四，身份证上写的三十四，真的三十五"),
    ("医生叫我忌口，辣的少吃", "我不吃辣了，胃不好"),
    ("你回答的时候不要用表情符号", "以后每次回答结尾不要问我还有没有问题"),
    ("我老公戒烟了", "我老公他爸去年查出来肺癌"),
    ("Pia passed her grade 5", "Jess, Pia's friend, has moved to Leeds"),
    ("I work Monday to Thursday, 6 till 2", "work starts at 6:30 now, not 7"),
]
ONCE: list[tuple[str, str]] = [
    ("我跟何丽每个月最后一个星期天都要去泡温泉", "跟何丽约的温泉这个月取消了"),
    ("We have lunch on the first Friday of every month", "lunch is cancelled this month"),
    ("I have a call with Dana every Monday", "the call with Dana is off this week"),
]
FOR_GOOD: list[tuple[str, str]] = [
    ("我每周三晚上打羽毛球", "我从这个月起不打羽毛球了"),
    ("We have lunch on the first Friday of every month", "we have lunch on Mondays from this month"),
]


@pytest.mark.parametrize(("before", "now"), ALTERED)
def test_what_has_become_of_a_thing_is_seen(before: str, now: str) -> None:
    assert alters(now, before)


@pytest.mark.parametrize(("before", "now"), UNALTERED)
def test_of_another_thing_or_for_today_nothing_has_changed(before: str, now: str) -> None:
    assert not alters(now, before)


@pytest.mark.parametrize(("before", "now"), APART)
def test_of_another_thing_of_a_life_nothing_is_corrected(before: str, now: str) -> None:
    assert speaks_of_another(now, before)


@pytest.mark.parametrize(("before", "now"), ONCE)
def test_what_is_off_once_is_held_the_next_time(before: str, now: str) -> None:
    assert only_once(now, before)


@pytest.mark.parametrize(("before", "now"), FOR_GOOD)
def test_what_is_so_from_now_on_is_no_exception(before: str, now: str) -> None:
    assert not only_once(now, before)


@pytest.mark.parametrize(
    ("before", "now", "evidence"),
    [
        (
            "flying on the 21st from Bristol",
            "we're going on the 22nd",
            "didn't get the flights on the 21st, we're going on the 22nd",
        ),
        ("一天一片优甲乐50微克", "优甲乐是75微克", "说错了，优甲乐是75微克不是50"),
        ("new hours will be 7 to 4, Monday to Friday", "work starts at 6:30 now, not 7", ""),
        ("你好，我叫罗静，今年三十四", "我不是三十四，真的三十五", ""),
        ("The dentist is on the 4th of May", "the dentist is on the 6th, not the 4th", ""),
    ],
)
def test_what_gives_the_wrong_value_is_corrected(before: str, now: str, evidence: str) -> None:
    new = NewMemory("event", now, evidence=evidence or now)
    assert corrects_value(new, NewMemory("event", before)) in ("newer", "part")
    assert corrects_value(new, NewMemory("event", "I take 21 mg of iron")) is None
    assert not of_another_value(now, before)
