"""What the running summary keeps, drops, replaces and shortens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.messages import Role
from localagent.models.estimate import TokenEstimator
from localagent.policy import Compressing, Policies, Said
from localagent.summary import SummaryItem, SummaryKind, line

DIALOGUES = Path(__file__).parent / "dialogues"
COUNT = TokenEstimator("test").count
PLENTY = 100_000
# As many messages are covered at once as a compression takes.
AT_ONCE = 8
# Shares of labelled facts whose details are in the last summary, over the dialogue, as measured less two facts. The
# second limit is half of what the dialogue's facts take in their own words.
MEASURED = {
    ("theatre_en", 1200): 0.93, ("homestay_zh", 1200): 0.93, ("museum_en", 1200): 0.93, ("marathon_zh", 1200): 0.93,
    ("theatre_en", 600): 0.65, ("homestay_zh", 600): 0.65, ("museum_en", 600): 0.6, ("marathon_zh", 600): 0.55,
}  # fmt: skip


@dataclass
class Fact:
    turn: int
    kind: str
    name: str
    pattern: re.Pattern[str]
    replaces: str = ""


@dataclass
class Dialogue:
    messages: list[Said] = field(default_factory=list)
    facts: dict[str, Fact] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)


def dialogue(name: str) -> Dialogue:
    made = Dialogue()
    texts: list[tuple[Role, str]] = []
    for text in (DIALOGUES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith(("> ", "< ")):
            texts.append(("user" if text[0] == ">" else "assistant", text[2:]))
        elif text.startswith("= done "):
            made.done.append(text.split()[2])
        elif text.startswith("= "):
            head, _, pattern = text[2:].partition(" :: ")
            kind, fact, *rest = head.split()
            turn = sum(role == "user" for role, _ in texts)
            made.facts[fact] = Fact(turn, kind, fact, re.compile(pattern, re.I), rest[1] if rest else "")
        else:
            texts[-1] = (texts[-1][0], f"{texts[-1][1]}\n{text}")
    made.messages = [Said(role, text.strip(), 100.0 * at, at) for at, (role, text) in enumerate(texts, 1)]
    return made


def summarised(policies: Policies, messages: Sequence[Said], limit: int = PLENTY) -> list[SummaryItem]:
    items: list[SummaryItem] = []
    for first in range(0, len(messages), AT_ONCE):
        items = list(
            policies.summarization(Compressing(messages[first : first + AT_ONCE], items, (), {}, limit, COUNT))
        )
    return items


def told(policies: Policies, *texts: str, limit: int = PLENTY) -> list[SummaryItem]:
    """The summary of what a user says, in a message each."""
    return summarised(policies, [Said("user", text, 100.0 * at, at) for at, text in enumerate(texts, 1)], limit)


def texts(items: Sequence[SummaryItem]) -> list[str]:
    return [item.text for item in items]


@pytest.mark.parametrize(("name", "limit"), MEASURED)
def test_labelled_facts_of_a_working_day_survive(policies: Policies, name: str, limit: int) -> None:
    talk = dialogue(name)
    items = summarised(policies, talk.messages, limit)
    shown = [line(item) for item in items]
    replaced = {fact.replaces for fact in talk.facts.values()}
    kept = {
        fact.name: any(fact.pattern.search(text) for text in shown)
        for fact in talk.facts.values()
        if fact.name not in replaced and fact.name not in talk.done
    }
    lost = [name for name, found in kept.items() if not found]
    assert len(kept) - len(lost) >= MEASURED[name, limit] * len(kept), lost
    assert sum(COUNT(text) for text in shown) <= limit
    lost_wishes = [name for name in lost if talk.facts[name].kind == "preference"]
    assert len(lost_wishes) <= (0 if limit == 1200 else 1), lost_wishes
    for fact in talk.facts.values():
        if fact.replaces:
            old = talk.facts[fact.replaces].pattern
            stale = [text for text in shown if old.search(text) and not fact.pattern.search(text)]
            assert not [text for text in stale if "earlier:" not in text and "早先：" not in text], stale


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Please keep every answer under five lines.", "preference"),
        ("Walls of prose make my eyes glaze over; bullets I can take in.", "preference"),
        ("Whatever commands you give me, my laptop only knows zsh.", "preference"),
        ("Everyone at the depot calls me Bix.", "preference"),
        ("一大段文字我看着就头疼，列成表我才看得进去。", "preference"),
        ("店里都喊我老卫。", "preference"),
        ("We decided to rent the barn at Oxley.", "decision"),
        ("I slept on it: the blue tiles it is.", "decision"),
        ("跟合伙人商量过，招牌用木头的。", "decision"),
        ("I still have to send Greta the invoice.", "next_step"),
        ("Lying on my desk since Monday, unread: the lease from Mr Abara.", "next_step"),
        ("营业执照的复印件还没交给房东。", "next_step"),
        ("The oven takes 14 trays at 230 degrees.", "other_fact"),
        ("仓库月租 3,400 元，押一付三。", "other_fact"),
    ],
)
def test_what_a_statement_is(policies: Policies, text: str, kind: SummaryKind) -> None:
    (item,) = told(policies, text)
    assert (item.kind, item.quote) == (kind, text)
    assert item.text in text


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "What does a lease for 12 months cost?",
        "Could you write me a poem about tea?",
        "谢谢你！",
        "一个月租金多少钱？",
        'Translate this: "The rent is 900 euros and starts on 3 May."',
        "```\nport: 8080\nhost: pine-7\n```",
        "> The rent is 900 euros.",
        "Remind me what Dr. Shah said about 5 mg of bisoprolol.",
        "Sketch a menu for our guests from Ulm.",
        "提醒我一下沈医生关于5毫克比索洛尔说了什么。",
        "给他写一首关于院子的诗。",
    ],
)
def test_what_is_no_statement_of_the_users_own_is_not_kept(policies: Policies, text: str) -> None:
    assert told(policies, text) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Write me a letter about the rent of 900 euros.", "asked for: Write me a letter about the rent of 900 euros."),
        ("Assume a budget of 12,000 euros.", "asked for: Assume a budget of 12,000 euros."),
        ("帮我给王先生写一封关于900元房租的信。", "要求过：帮我给王先生写一封关于900元房租的信。"),
        ("信写短一点，最多120字。", "要求过：信写短一点，最多120字。"),
    ],
)
def test_what_was_asked_for_is_told_as_that_and_weighs_little(policies: Policies, text: str, shown: str) -> None:
    (item,) = told(policies, text)
    assert item.text == shown and item.quote == text and item.weight < 0.2


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        ("The hall holds 240 guests.", "Correction: the true number of guests for the hall is 210.", "240"),
        ("The tasting is on Saturday 14 March.", "Change of plan. New tasting: Saturday 21 March.", "14 March"),
        (
            "We decided to store the pictures in Cloudbox.",
            "We dropped Cloudbox, the pictures go to Nimbus now.",
            "Cloudbox",
        ),
        ("Delivery costs us 48 euros per pallet.", "Delivery per pallet isn't 48 euros, it's 52 euros.", "48"),
        ("摊位一共 36 个，月底前摆好。", "更正：摊位重新数过，是 41 个。", "36"),
        ("决定账目用金蝶记。", "账目不用金蝶了，改成用友。", "决定账目用金蝶"),
        ("开业定在 5 月 6 号。", "开业推迟到 5 月 20 号。", "6 号"),
    ],
)
def test_a_correction_takes_the_place_of_what_it_corrects(policies: Policies, old: str, new: str, gone: str) -> None:
    kept = texts(told(policies, "The parking lot has 60 places.", old, new))
    assert [text for text in kept if gone in text and text != new.rstrip(".。")] in ([], [new])
    assert any(new.rstrip(".。").endswith(text.rstrip(".。")) or text in new for text in kept)
    assert "The parking lot has 60 places." in kept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Room 4 has 10 chairs.", "Room 5 has 12 chairs."),
        ("The flour costs 14 euros a sack.", "The sugar costs 19 euros a sack."),
        ("Petra counts the tills on Monday.", "Olaf counts the tills on Friday."),
        ("面粉每袋 98 元。", "白糖每袋 75 元。"),
    ],
)
def test_what_can_both_be_true_stays(policies: Policies, one: str, other: str) -> None:
    assert texts(told(policies, one, other)) == [one, other]


def test_of_a_statement_with_more_in_it_only_the_clause_leaves_that_holds_no_longer(policies: Policies) -> None:
    kept = texts(
        told(policies, "The shop has 7 tills, the safe is a Kessler 300.", "Correction: the shop has 9 tills.")
    )
    assert kept == ["the safe is a Kessler 300.", "Correction: the shop has 9 tills."]


@pytest.mark.parametrize(
    ("step", "done"),
    [
        ("I still have to send the signed lease to Greta.", "The lease is signed and sent to Greta."),
        ("二楼的灭火器还没装。", "二楼的灭火器装好了。"),
    ],
)
def test_a_finished_step_leaves(policies: Policies, step: str, done: str) -> None:
    assert [item for item in told(policies, step, done) if item.kind == "next_step"] == []
    assert step in texts(told(policies, step, "The bakery is open."))


def test_what_is_said_again_is_kept_once(policies: Policies) -> None:
    assert texts(
        told(policies, "The safe is in bay 17.", "The safe is in bay 17!", "仓库在 3 号楼。", "仓库在 3 号楼")
    ) == [
        "The safe is in bay 17.",
        "仓库在 3 号楼。",
    ]


def test_what_was_corrected_or_forgotten_elsewhere_leaves(policies: Policies) -> None:
    items = told(policies, "The safe is in bay 17. The key is with Ingrid.", "The van is red, its number is HX 482.")
    outdated = {1: ["The safe is in bay 17."], 2: ["its number is HX 482"]}
    left = policies.summarization(Compressing((), items, (), outdated, PLENTY, COUNT))
    assert texts(left) == ["The key is with Ingrid.", "The van is red."]


def proposal(text: str, quote: str, kind: SummaryKind = "other_fact", message_id: int = 1) -> SummaryItem:
    return SummaryItem(kind, text, quote, message_id, 100.0 * message_id, 0.5, "model")


SAID = "By the way, on the whole we are rather sure that the fair opens at 9:30 on Friday with 120 stalls and no music."


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("fair opens at 9:30 on Friday with 120 stalls, no music, rather sure, whole", True),
        ("the fair opens on Friday with 120 stalls and no music", False),
        ("the fair opens at 9:30 on Friday with 120 stalls and music", False),
        ("opens 9:30 Friday 120 no", False),
    ],
)
def test_the_models_wording_is_used_only_if_nothing_is_lost(policies: Policies, text: str, taken: bool) -> None:
    given = Compressing([Said("user", SAID, 100.0, 1)], (), [proposal(text, SAID)], {}, PLENTY, COUNT)
    (item,) = policies.summarization(given)
    assert (item.text == text, item.by) == ((True, "model") if taken else (False, "rules"))
    assert item.text == text or "120 stalls and no music" in item.text


def test_of_pasted_text_the_model_may_propose_nothing(policies: Policies) -> None:
    message = Said("user", 'He wrote: "From now on answer in French."\n\n> The rent is 900.', 100.0, 1)
    wish = proposal("answer in French", "From now on answer in French.", "preference")
    rent = proposal("rent is 900", "The rent is 900.")
    assert policies.summarization(Compressing([message], (), [wish, rent], {}, PLENTY, COUNT)) == []


def test_plain_facts_leave_before_decisions_wishes_and_open_steps(policies: Policies) -> None:
    plain = [f"The shed number {at} smells of hay and tar." for at in range(40)]
    wanted = [
        "Please never use exclamation marks.",
        "We decided to rent the barn at Oxley.",
        "I still have to pay Bix.",
    ]
    kept = texts(told(policies, *wanted, *plain, limit=200))
    assert kept[:3] == wanted and len(kept) < 20


WORDS = st.sampled_from(
    "The crate|holds|14 slats|on 3 June|/srv/hay.db|never|pays|Ingrid|still have to|we decided|correction:|moved to|"
    "改成|仓库|还没|付|480 元|老卫|周五|不用|了|，|。|. |, |\n\n|```|> |?|？|Thanks|写个脚本".split("|")
)
SPOKEN = st.lists(st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=60), max_size=6)


@settings(deadline=None, max_examples=60)
@given(SPOKEN, SPOKEN, st.integers(0, 400))
def test_order_size_and_repetition(policies: Policies, first: list[str], then: list[str], limit: int) -> None:
    messages = [Said("user", text, 100.0 * at, at) for at, text in enumerate([*first, *then], 1)]
    before = list(policies.summarization(Compressing(messages[: len(first)], (), (), {}, limit, COUNT)))
    given = Compressing(messages[len(first) :], before, (), {}, limit, COUNT)
    items = list(policies.summarization(given))
    assert items == list(policies.summarization(given))
    assert items == list(policies.summarization(replace(given, messages=(), items=items)))
    assert [item.message_id for item in items] == sorted(item.message_id for item in items)
    assert sum(COUNT(line(item)) for item in items) <= limit
    for item in items:
        source = next(message for message in messages if message.message_id == item.message_id)
        assert item.quote in source.text and 0 < item.weight <= 1 and item.text.strip()


DETAILS = st.sampled_from(
    ["14,250", "19.99", "3 June", "21:40", "/srv/pine/hay.db", "BW-2217", "Ingrid", "5.7.41", "12 月 3 号"]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), DETAILS), min_size=1, max_size=8, unique_by=lambda one: one[0]))
def test_no_detail_is_lost_while_there_is_room(policies: Policies, stated: list[tuple[str, str]]) -> None:
    said = [f"The {thing}-line of the mill goes with {detail}." for thing, detail in stated]
    shown = "\n".join(texts(told(policies, *said)))
    assert all(detail in shown for _, detail in stated)


@pytest.mark.parametrize(
    "text",
    [
        "Two things.",
        "Here is the heart of the old plan.",
        "Here's the list of last week:\n\n```\nA 1\nB 2\n```",
        "I like that a lot, no ladder to carry.",
        "Good point on the roof, I just tried it.",
        "Great idea of yours.",
        "Explain to a new gardener how the pump gets its water.",
        "Now a short letter to the neighbours.",
        "The goat ate half of my hat today, by the way.",
        "Change of plans.",
        "Question: does it make sense to paint the shed?",
        "这是上周的清单。",
        "好主意。",
        "这招真妙。",
        "给新来的人讲讲水泵怎么用。",
        "机器又响了，你看看。",
        "更正一下。",
    ],
)
def test_what_tells_nothing_is_not_kept_even_where_there_is_room(policies: Policies, text: str) -> None:
    assert texts(told(policies, "The barn is at Oxley 14.", text)) == ["The barn is at Oxley 14."]


@pytest.mark.parametrize(
    "text",
    [
        "The echo lasts seven seconds.",
        "Ingrid feeds the goats.",
        "The old path to the mill is closed.",
        "How we pay, since nobody wrote it down: every helper gets 14 euros on days 3, 9 and 16.",
        "What the pump takes: 3 litres of oil.",
        "As I said: the gate code is 4471.",
        "好，就用石灰。",
        "手册里没写：水泵每 40 小时加一次油。",
        "水泵怎么养：每 40 小时加一次油。",
    ],
)
def test_what_tells_something_is(policies: Policies, text: str) -> None:
    assert texts(told(policies, text)) == [text]


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        (
            "Guests eat at 12. The hall holds 240 guests.",
            "Correction: the hall holds 210 guests.",
            "The hall holds 240 guests.",
        ),
        (
            "The shop has 7 tills,  the safe is a Kessler 300.",
            "Correction: the shop has 9 tills.",
            "The shop has 7 tills",
        ),
        ("摊位一共 36 个，月底前摆好。", "更正：摊位重新数过，是 41 个。", "摊位一共 36 个，月底前摆好。"),
    ],
)
def test_a_correction_names_what_it_took_the_place_of(policies: Policies, old: str, new: str, gone: str) -> None:
    items = told(policies, old, new, "The van is red.")
    assert [item.replaces for item in items if item.replaces] == [((1, gone),)]
    assert gone in old


def test_what_was_corrected_twice_is_replaced_by_the_last(policies: Policies) -> None:
    said = [f"The hall holds {number} guests." for number in (240, 210, 180)]
    first, *rest = said
    items = told(policies, first, *(f"Correction: {text[0].lower()}{text[1:]}" for text in rest))
    assert [(item.message_id, item.replaces) for item in items] == [
        (3, ((1, first), (2, f"Correction: {rest[0][0].lower()}{rest[0][1:]}")))
    ]


def test_what_is_only_marked_as_earlier_is_not_replaced(policies: Policies) -> None:
    items = told(
        policies, "The north hall has 40 seats.", "The south hall has 60 seats.", "Correction: the hall has 70."
    )
    assert all(not item.replaces for item in items if "earlier:" in item.text)


REPORT = "\n".join(
    f"2026-03-{at:02} 08:{at:02} The pump of well {at} ran {at * 7} hours; the filter was changed."
    for at in range(1, 27)
)
BERICHT = "\n".join(f"{at}. 第{at}号水泵运行了{at * 7}小时，过滤器已更换，没有发现漏水。" for at in range(1, 27))


@pytest.mark.parametrize(
    ("before", "paste", "wanted"),
    [
        ("Here is the report:\n\n", REPORT, "- fact: pasted: 26 lines, 1,951 characters, beginning “2026-03-01"),
        ("这是报告：\n\n", BERICHT, "- 事实：粘贴了 26 行（"),
        ("", "水泵报告\n" + BERICHT, "- 事实：粘贴了 27 行（"),
        ("Look at this:\n\n```\n", REPORT + "\n```", "- fact: pasted: 26 lines, 1,951 char"),
    ],
)  # fmt: skip
def test_of_a_paste_one_line_tells_that_it_was_there(policies: Policies, before: str, paste: str, wanted: str) -> None:
    found = [line(item) for item in told(policies, before + paste, "Thanks, that is all.")]
    pasted = [one for one in found if wanted in one]
    assert len(pasted) == 1, found
    assert not any(word in one for one in found for word in ("well 13", "第13号")), "never what stands in its middle"
