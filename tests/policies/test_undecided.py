"""Which sentences of a message the rules leave to the classifier, and which nobody is to judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.policy import Extracted, Policies, Said
from policies._own_words import sentences
from policies.importance import importance
from policies.undecided import undecided


def left(policies: Policies, text: str) -> list[str]:
    message = Said("user", text, 1_770_000_000.0, 1)
    return list(policies.undecided(message, policies.importance(message, [])))


@pytest.mark.parametrize(
    "text",
    [
        "My kitchen faces north.",
        "The boiler in our house is older than me.",
        "Can't stand coriander, tastes like soap to me.",
        "Was sent to boarding school at nine.",
        "Had twins the summer we moved.",
        "Our wifi goes by the name HedgehogNet.",
        "Our boat is named “Second Wind”.",
        "If I write to you in German, reply in German as well.",
        "If there are several ways, show me only the shortest.",
        "Translate whatever I paste into Spanish whenever it is in English.",
        "They made me deputy editor.",
        "It takes me an hour to get to the clinic.",
        "It's almost twenty years that I have been with the railway.",
        "Should be at the notary's on Tuesday at nine.",
        "Whenever I paste a stack trace, start with the cause.",
        "My brother, who had an accident, stays in our house.",
        "Code first, explanation after.",
        "Read mostly crime novels, and only on paper.",
        "The piano came down to me from an aunt.",
        "I read on an old Kindle.",
        "I'd rather have tables than running text.",
        "I tell the kids a story at bedtime.",
        "给我列菜谱的时候不要放香菜和葱",
        "如果我用德语写，你也用德语回。",
        "要是内容很长，请先给我一个提纲。",
        "家里厨房朝北。",
        "十几岁起我就有偏头痛。",
        "不管我用什么语言写，都用葡语回。",
        "我走哪儿都带个本子。",
        "厨房那台烤箱是外婆留下来的。",
        "我们的船叫“二月风”。",
        "给我写代码都用制表符缩进。",
        "儿子说话比别的孩子晚。",
        "女儿会说三种语言，在家说德语。",
        "如果要花钱，先告诉我价格。",
        "写日期的时候把星期几也写上。",
        "就算下雨，我也走四公里回家。",
        "我们家谁都不吃辣。",
        "我家的狗啥都吃。",
        "第二条狗不养了，就这么定。",
        "楼下开面馆的是我老乡。",
    ],
)
def test_what_may_hold_something_is_left_to_the_classifier(policies: Policies, text: str) -> None:
    # Whatever the rules take of it does not matter here.
    assert undecided(Said("user", text, 1_770_000_000.0, 1), []) == [text]


@pytest.mark.parametrize(
    "text",
    [
        # Questions and suppositions, and what is not so.
        "Does my kitchen face north?",
        "what is the best way to clean a kitchen",
        "I wonder whether cats dream.",
        "If I lived by the sea, I'd swim every day.",
        "If it rains tomorrow, we stay at home.",
        "I almost bought a house in Porto.",
        "We nearly moved to Peru.",
        "I would sell the car for a good offer.",
        "Maybe the kitchen faces north.",
        "我对啥过敏来着",
        "我弟现在干啥",
        "我怀孕几周了",
        "你知道我住哪个区不",
        "大夫说我甲状腺咋回事来着",
        "如果住在海边，我天天游泳。",
        "要是我有钱就好了。",
        "我要是会飞，就去月球。",
        "我差一点就迟到了。",
        "要不是下雨，我就去了。",
        "我差点买了一套海边的房子。",
        "早知道就不来了。",
        "说不定明年去新疆。",
        "厨房朝哪边？",
        # Tasks, and things to be forgotten.
        "Write an invitation for the summer party.",
        "Give me a recipe without nuts.",
        "把这个列表变成表格给我列出来。",
        "给我写一封请假邮件。",
        "帮我把第二句删掉。",
        "Forget about my kitchen.",
        "把厨房的事忘掉吧。",
        # The words of others.
        "My neighbour says the kitchen faces north.",
        "I heard that the factory closes.",
        "Apparently the river floods each spring.",
        "According to the brochure, it has three decks.",
        "“My kitchen faces north and I hate it”, she wrote.",
        "In the story my kitchen faces north.",
        "The hero works as a clockmaker in Prague.",
        "我妈说厨房朝北。",
        "听说厂子要关了。",
        "报上说一条蟒蛇吞了只羊。",
        "故事里的厨房朝北。",
        # Secrets.
        "My locker opens with the PIN 4711.",
        "The parcel number is 00340434161094.",
        "门禁密码是2580。",
        # Apologies, and what leans on what is before.
        "Sorry, I am late.",
        "对不起，我是说谢谢你。",
        "It has three rooms.",
        "She works with horses.",
        "这个挺贵的。",
        "Me too.",
        # Programs and logs.
        "ERROR could not open the ledger",
        "x = compute(3)",
        "SELECT name FROM users;",
        "2026-03-01 10:22:31 worker started",
        "mount_point: not found",
        "pip install --user tools",
    ],
)
def test_what_the_classifier_is_not_to_judge(policies: Policies, text: str) -> None:
    assert left(policies, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My kitchen faces north. Just kidding!",
        "我家厨房朝北。开玩笑的！",
        "Translate into French.\nMy kitchen faces north.",
        "Please write a short story about a cook. The kitchen faces north.",
        "帮我润色一下。\n家里厨房朝北。",
        "请写一个关于厨师的故事。厨房朝北。",
        "My kitchen has 3 ovens. My neighbour took 2. How many ovens are left?",
        "小店里有九个苹果。小红拿走两个。还剩多少个苹果？",
        "Pretend to be a sailor. The ship faces north.",
        "You are a pirate. Your ship is fast.",
        "你是一个海盗。厨房朝北。",
        "Look at this:\n\n```\nThe kitchen faces north.\n```",
        "> The kitchen faces north.",
        "Summarise this: The kitchen faces north.",
        "# Report\n\nThe kitchen faces north.",
        "The kitchen of the house faces the north side of the hill. " * 8,
        "房子的厨房朝向北边的山坡。" * 40,
    ],
)
def test_the_rest_of_the_message_tells_that_a_sentence_is_not_meant(policies: Policies, text: str) -> None:
    assert left(policies, text) == []


def test_beside_a_task_something_may_be_said_of_oneself(policies: Policies) -> None:
    assert left(policies, "Suggest a colour for the wall. My kitchen faces north.") == ["My kitchen faces north."]
    assert left(policies, "Translate the menu. By the way, my kitchen faces north.") == ["my kitchen faces north."]
    assert left(policies, "推荐一种墙的颜色。家里厨房朝北。") == ["家里厨房朝北。"]


def test_what_the_rules_took_is_decided(policies: Policies) -> None:
    assert left(policies, "My name is Ana. My kitchen faces north.") == ["My kitchen faces north."]
    assert left(policies, "我叫小兰。家里厨房朝北。") == ["家里厨房朝北。"]
    assert left(policies, "My name is Ana; my kitchen faces north;") == ["my kitchen faces north"]
    assert left(policies, "My name is Ana.") == left(policies, "我叫小兰。") == []


def test_news_that_only_replaces_decides_nothing(policies: Policies) -> None:
    text = "The kitchen faces south now."
    news = Extracted("event", text, text, importance=0.3, replaces=True)
    message = Said("user", text, 1_770_000_000.0, 1)
    assert undecided(message, [news]) == [text]
    assert undecided(message, [Extracted("event", text, text, importance=0.5, replaces=True)]) == []


@pytest.mark.parametrize(
    ("text", "taken", "rest"),
    [
        ("I hate noise, my flat faces a railway.", "I hate noise", ["my flat faces a railway."]),
        ("My partner is deaf and we sign at home.", "My partner is deaf", ["we sign at home."]),
        ("My cousin lives in Melbourne, I visit her.", "My cousin lives in Melbourne", []),
        ("我用读屏软件，所以不要表格。", "不要表格", ["我用读屏软件"]),
        ("我怕吵，也怕黑。", "我怕吵", []),
    ],
)
def test_of_a_sentence_the_other_clauses_with_a_subject_of_their_own_are_left(
    text: str, taken: str, rest: list[str]
) -> None:
    found = [Extracted("habit", taken, text)]
    assert undecided(Said("user", text, 1_770_000_000.0, 1), found) == rest


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("We moved! 14 Mill Road since Saturday.", ["We moved! 14 Mill Road since Saturday."]),
        ("An offer was accepted! 285 thousand, oh dear.", ["An offer was accepted! 285 thousand, oh dear."]),
        (
            "The new lodger snores. He's called Kwame.",
            ["The new lodger snores.", "The new lodger snores. He's called Kwame."],
        ),
        ("是格列美脲，我记错了", []),
        ("打胰岛素那个也改回来了，还是一天两次", []),
        ("14 Mill Road since Saturday", []),
        ("He's called Kwame.", []),
        ("30 of us sing in the choir.", ["30 of us sing in the choir."]),
    ],
)
def test_what_leans_on_the_sentence_before_is_left_with_it(policies: Policies, text: str, sentences: list[str]) -> None:
    assert left(policies, text) == sentences


def test_only_users_are_judged(policies: Policies) -> None:
    for role in ("assistant", "tool"):
        assert undecided(Said(role, "My kitchen faces north.", 0.0, 1), []) == []


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([
    "My kitchen faces north.", "我家厨房朝北。", "Is it?", "“", "> quoted\n", "if ", "我差点", "Just kidding.",
    "```\n", "I live in Rome, ", "our car is red; ", "\n\n", "如果", "，", "please write a story. ", "\x00",
])))  # fmt: skip
def test_what_is_left_stands_in_the_message(pieces: list[str]) -> None:
    text = "".join(pieces)
    message = Said("user", text, 1_770_000_000.0, 1)
    found = undecided(message, importance(message, []))
    assert all(sentence and sentence in text for sentence in found)
    assert len(set(found)) == len(found)
    assert not any(one.asks for sentence in found for one in sentences(sentence))
