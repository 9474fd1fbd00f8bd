"""An order for one answer is no standing wish, and what is only supposed is no fact; what an order tells of its
speaker's body is noted. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def said(text: str) -> Said:
    return Said("user", text, 1_773_223_200.0, 9)


@pytest.mark.parametrize(
    "text",
    [
        "write it without dairy, please", "for this one, keep it short", "keep this one short",
        "no emojis in this one please", "give me a dinner idea, no mushrooms please", "make it funny, not too long",
        "write a cover letter, don't mention the gap year", "Recommend a film, no horror please",
        "帮我想个早餐，别带牛奶的", "想个晚饭，别放香菜", "帮我写个请假条，别太正式", "给我写个祝福语，别用表情",
        "帮我把这段改短点，别用成语", "给我想想周末去哪，别太远", "这回用英文写", "帮我推荐个餐厅，不要太贵",
    ],
)  # fmt: skip
def test_an_order_for_one_answer_is_no_standing_wish(policies: Policies, text: str) -> None:
    assert [one for one in policies.importance(said(text), ()) if not one.replaces] == []


@pytest.mark.parametrize(
    "text",
    [
        "always keep it short", "from now on write without dairy", "Keep your answers short", "no emojis, ever",
        "Please don't use emojis", "If I ask about code, always show the tests", "以后别用表情", "回答简短点",
        "如果我用英文提问，请用英文回答", "每次都先说结论",
    ],
)  # fmt: skip
def test_a_standing_wish_stays_one(policies: Policies, text: str) -> None:
    assert [one.kind for one in policies.importance(said(text), ())] == ["preference"]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("I'm lactose intolerant so no milk in the recipe please", "I'm lactose intolerant"),
        ("suggest a breakfast without milk, I'm lactose intolerant", "I'm lactose intolerant"),
        ("Plan a dinner for six, my husband is allergic to shellfish", "my husband is allergic to shellfish"),
        ("give me a snack idea, I don't eat meat", "I don't eat meat"),
        ("想个菜，我不吃香菜", "我不吃香菜"),
        ("推荐个馆子，我对海鲜过敏", "我对海鲜过敏"),
        ("translate for the waiter, I'm allergic to nuts", None),
        ("write a story, I'm diabetic in it", None),
        ("帮我翻译一句话，我对花生过敏", None),
    ],
)
def test_what_an_order_tells_of_a_body_is_noted(policies: Policies, text: str, entry: str | None) -> None:
    assert [one.text for one in policies.importance(said(text), ())] == ([entry] if entry else [])


@pytest.mark.parametrize(
    "text",
    [
        "if I won the lottery I'd buy a boat", "I wish I lived by the sea", "haha if I were rich I'd live in Monaco",
        "lol I wish I had a Ferrari", "if only I had a sister", "I'd be a pilot if I could see properly",
        "哈哈我要是中了五百万就去环游世界", "要是我有三个孩子，我早疯了", "我如果当上了校长，第一件事就是放假",
        "我老公要是会做饭我就烧高香了", "真希望我会说法语", "真希望我有个妹妹", "我多希望能住在海边",
        "我姐要是离婚了就搬来跟我住",
    ],
)  # fmt: skip
def test_what_is_only_supposed_is_no_fact(policies: Policies, text: str) -> None:
    assert list(policies.importance(said(text), ())) == []
    assert list(policies.undecided(said(text), ())) == []


@pytest.mark.parametrize("text", ["我主要是做前端的", "我希望你回答短一点", "我有三个孩子", "我最想去的地方是冰岛"])
def test_what_only_sounds_supposed_may_be_noted(policies: Policies, text: str) -> None:
    assert policies.importance(said(text), ()) or policies.undecided(said(text), ())
