"""No entry is a part of a statement that is not understood without the rest. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def texts(policies: Policies, text: str) -> list[str]:
    return [one.text for one in policies.importance(Said("user", text, 1_773_223_200.0, 9), ())]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Topsham with my husband Colm and our two kids",
        "I'm allergic to cats and the cold",
        "I speak German and the dialect of Bern",
        "I take 5 mg bisoprolol in the morning and 10 at night",
        "I get up at six on weekdays; at nine on weekends",
        "I take one tablet of metformin in the morning; two at night",
        "At work I'm leading the flood model; the deadline is 30 June",
        "My brother lives in Rome; his number is 0171 22334",
        "实验室有两台服务器，一台叫秦岭，装的是Ubuntu 20.04",
        "电脑换了新的，内存36G",
        "我用的电脑是MacBook Pro，内存16G",
        "牙医那边打电话来，改成18号上午十点",
        "老李心脏不好，医生给换成了阿司匹林",
        "我最近在学游泳，每周三去",
        "我报了钢琴课，周四晚上上",
        "我爸爱钓鱼，周末去",
        "初一十五我吃素，这是我婆婆传下来的规矩",
        "我早上吃一片二甲双胍，晚上吃两片",
        "我有哮喘，每天喷两次药",
        "I have two kids, one is eight and the other is five",
        "My wife has physio on Mondays, my son on Fridays",
        "My left eye is minus 3, my right one is minus 4.5",
        "我有两个孩子，大的八岁，小的五岁",
        "我在学开叉车，报了个班，学费1800",
        "我闺女的钢琴老师姓沈，收费一节260",
        "我们搬家了，现在住在桐梓林那边，房租3600",
        "狗的名字想好了，就叫豆豆",
        "didn't get the flights on the 21st in the end, we're going on the 22nd",
        "scared of flying, properly, I take a diazepam for it",
        "Theo has a nut allergy, a proper one, we carry two EpiPens",
        "I sing alto in a community choir, we rehearse Tuesdays at half seven in the church hall",
    ],
)
def test_what_belongs_together_is_one(policies: Policies, text: str) -> None:
    assert text in texts(policies, f"{text}.")
    assert all(one == text or one not in text for one in texts(policies, f"{text}."))


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("We have two goats and we milk them daily.", ["We have two goats"]),
        (
            "We have two goats and we milk them every morning.",
            ["We have two goats and we milk them every morning"],
        ),
        (
            "My mum turned 70 last week, she lives in Whitby and I call her every Sunday.",
            ["My mum turned 70 last week, she lives in Whitby and I call her every Sunday"],
        ),
        (
            "My wife works nights on Mondays, so I do the school run then.",
            ["My wife works nights on Mondays, so I do the school run then"],
        ),
        (
            "I'm 34, my partner Sam is 36, and we've been together for eight years.",
            ["I'm 34", "my partner Sam is 36, and we've been together for eight years"],
        ),
        (
            "Tom and I split up, we share the dog, he has her on weekends.",
            ["Tom and I split up, we share the dog, he has her on weekends"],
        ),
        (
            "I sing in St Paul's choir, we meet Tuesdays and there's a concert on 20 December 2030.",
            ["I sing in St Paul's choir, we meet Tuesdays and there's a concert on 20 December 2030"],
        ),
        ("I'm in a choir. We meet on Tuesdays.", ["I'm in a choir; We meet on Tuesdays"]),
        ("我爸生日是3月9号，我妈是3月10号，所以一起过。", ["我爸生日是3月9号，我妈是3月10号，所以一起过"]),
        ("我晚上十点吃药，出差的时候提醒我。", ["我晚上十点吃药，出差的时候提醒我"]),
        ("我叔叔借给我两万，我每个月还一千。", ["我叔叔借给我两万，我每个月还一千"]),
        ("我女儿戴牙套到三月，所以不能吃糖。", []),
        ("I pay 900 a month.", []),
        (
            "I volunteer at the food bank on Thursdays, and the manager there is called Bev.",
            ["I volunteer at the food bank on Thursdays, and the manager there is called Bev"],
        ),
        ("我在图书馆办读书会，每月第二个周四，七点到九点。", ["我在图书馆办读书会，每月第二个周四，七点到九点"]),
        ("I have a cat. I feed it twice a day.", ["I have a cat", "I have a cat; I feed it twice a day"]),
        ("我养了一只猫。我每天喂它。", ["我养了一只猫", "我养了一只猫; 我每天喂它"]),
        ("I live in Leeds. I like it when you joke.", ["I live in Leeds", "I like it when you joke"]),
        ("我左胳膊有个纹身，我老婆也有一个一样的。", ["我左胳膊有个纹身，我老婆也有一个一样的"]),
        ("我房贷在建行，每月6800，利率3.9。", ["我房贷在建行，每月6800，利率3.9"]),
        ("I'm a nurse and my wife loves it.", ["I'm a nurse and my wife loves it"]),
        ("I have three kids: Tom, 5, Ann, 7, and Joe, 9", ["I have three kids: Tom, 5, Ann, 7, and Joe, 9"]),
        ("I have two cats: Miso and Soba.", ["I have two cats: Miso and Soba"]),
        ("我有三个孩子，老大9岁，老二7岁，老三5岁。", ["我有三个孩子，老大9岁，老二7岁，老三5岁"]),
        ("我一周上四天班，周五要带侄子。", ["我一周上四天班", "我周五要带侄子"]),
        ("我有多动症，列表最多五条，别太长。", ["我有多动症", "列表最多五条，别太长"]),
        ("我大学学的化学，现在在面包店上班。", ["我现在在面包店上班"]),
        (
            "I hate coriander, please never suggest it.",
            ["I hate coriander", "I hate coriander, please never suggest it"],
        ),
    ],
)
def test_what_is_meant_by_it_is_told(policies: Policies, text: str, entries: list[str]) -> None:
    assert texts(policies, text) == entries


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("I live in Leeds and my wife works in York.", ["I live in Leeds", "my wife works in York"]),
        ("I'm a nurse and my dog is called Rex.", ["I'm a nurse", "my dog is called Rex"]),
        ("I live in Leeds; I work at Siemens.", ["I live in Leeds", "I work at Siemens"]),
        ("My wife is a nurse; my son is three.", ["My wife is a nurse", "my son is three"]),
        ("I'm vegan; what can I cook?", ["I'm vegan"]),
        (
            "I live in Leeds and I like it when you give examples.",
            ["I live in Leeds", "I like it when you give examples"],
        ),
        ("你好，路由器的地址是192.168.1.1", ["路由器的地址是192.168.1.1"]),
        ("我住在滨江区，房租每月5800", ["我住在滨江区", "房租每月5800"]),
        ("我是老师，每周三去健身房", ["我是老师", "我每周三去健身房"]),
        ("老魏闲不住，在阳台上养花", []),
        ("提醒我一哈，明天要给娃儿买水彩笔", ["明天要给娃儿买水彩笔"]),
        ("My brother lives in Cardiff, we watched a film today.", ["My brother lives in Cardiff"]),
        ("I live in Leeds, we need a new printer", ["I live in Leeds"]),
        ("I'm vegetarian; the rent is 900", ["I'm vegetarian", "the rent is 900"]),
        ("I'm a nurse, the rent is 900.", ["I'm a nurse", "the rent is 900"]),
        ("I live in a flat; the rent is 900", ["I live in a flat; the rent is 900"]),
        ("I have an exam, the room is B12", ["I have an exam, the room is B12"]),
        ("My wife is vegan; the dog is called Rex", ["My wife is vegan", "the dog is called Rex"]),
    ],
)
def test_what_stands_by_itself_is_apart(policies: Policies, text: str, entries: list[str]) -> None:
    assert texts(policies, text) == entries


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("优甲乐，我每天一片半", ["优甲乐，我每天一片半"]),
        ("优甲乐。我每天一片半", ["优甲乐; 我每天一片半"]),
        ("我在背单词，每天早上五十个，晚上三十个", ["我在背单词，每天早上五十个，晚上三十个"]),
        ("我住在杭州，在背单词，每天五十个", ["我住在杭州", "我在背单词，每天五十个"]),
        ("我爱看书，每天三页", ["我爱看书，每天三页"]),
        ("I'm on metformin, I take two a day", ["I'm on metformin, I take two a day"]),
        ("I'm on metformin. I take two a day.", ["I'm on metformin"]),
        ("我每天两次", []),
        ("你好，我每天两次", []),
        ("我晚上吃两片", []),
        ("I do fifty a day", []),
        ("I take two tablets a day", []),
        ("记住我每天两次", ["我每天两次"]),
        ("我每天喝三杯咖啡", ["我每天喝三杯咖啡"]),
        ("我每天跑五公里", ["我每天跑五公里"]),
        ("I drink three coffees a day", ["I drink three coffees a day"]),
    ],
)
def test_how_much_is_not_told_without_what_of(policies: Policies, text: str, entries: list[str]) -> None:
    assert texts(policies, text) == entries
    assert entries or list(policies.undecided(Said("user", text, 1_773_223_200.0, 9), ())) == []


@pytest.mark.parametrize(
    "text",
    [
        "I always do", "I'd rather not", "I hate that", "I work there", "I've got one too", "we did it last week",
        "my dad too", "my dad used to", "my nephew wrote this", "my brother works where again", "never call me that",
        "my mum takes what tablets again", "please stop doing that", "I have to do it",
        "我就不", "我也不", "我妈也是", "我得提前换", "这是我侄子写的", "改成一年查一次", "换成每周三", "我喜欢这个",
        "我女朋友不喜欢那样", "我医生喊我减到50微克", "我现在住一块儿就不用跑了", "我还是那样", "别这么叫我",
    ],
)  # fmt: skip
def test_what_says_nothing_by_itself_is_not_noted(policies: Policies, text: str) -> None:
    said = Said("user", text, 1_773_223_200.0, 9)
    assert [one for one in policies.importance(said, ()) if not one.replaces] == []
    assert list(policies.undecided(said, ())) == []


@pytest.mark.parametrize(
    "text",
    [
        "I smoke", "I'm 42", "I live alone", "my wife is pregnant", "my dad died", "call me Sue", "never lie to me",
        "I moved there in May", "My birthday is this Friday", "I turn 40 this year", "my son is seven",
        "I'd rather walk", "I have to buy milk", "我吃素", "我有猫", "我属狗", "我怕高", "我不喝酒", "叫我小苏",
        "我妈住院了", "我老公做饭", "我跟我妈住一起", "改吃素了", "我得去买菜", "我宁愿走路", "降压药减到半片",
    ],
)  # fmt: skip
def test_what_is_short_and_whole_may_be_noted(policies: Policies, text: str) -> None:
    said = Said("user", text, 1_773_223_200.0, 9)
    assert policies.importance(said, ()) or policies.undecided(said, ())


@pytest.mark.parametrize(
    ("before", "text", "entries"),
    [
        ("My mates call me Fatso.", "never call me that", ["My mates call me Fatso; never call me that"]),
        ("他们都喊我胖子", "以后别这么叫我", ["他们都喊我胖子; 以后别这么叫我"]),
        ("我爸要每半年查一次肠镜", "改成一年查一次", ["我爸要每半年查一次肠镜; 改成一年查一次"]),
        ("Which names are old-fashioned?", "never call me that", []),
        ("Translate: you old rascal", "never call me that", []),
        ("", "never call me that", []),
        ("My mates call me Fatso.", "never lie to me", ["never lie to me"]),
    ],
)
def test_what_a_wish_or_a_change_is_of_stands_in_the_message_before(
    policies: Policies, before: str, text: str, entries: list[str]
) -> None:
    earlier = [Said("user", before, 1_773_223_100.0, 7), Said("assistant", "ok", 1_773_223_100.0, 8)]
    said = Said("user", text, 1_773_223_200.0, 9)
    assert [one.text for one in policies.importance(said, earlier)] == entries


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("下个月八号去医院做胃镜", "我不吃辣，胃不好"),
        ("I have the dentist on Friday", "I always do"),
        ("我每天跑步", "我就不"),
    ],
)
def test_only_what_points_back_takes_the_message_before(policies: Policies, before: str, said: str) -> None:
    earlier = [Said("user", before, 1_773_223_200.0, 8)]
    found = policies.importance(Said("user", said, 1_773_223_201.0, 9), earlier)
    assert not any(before in one.text for one in found)
