"""Every request to forget has a line: what went, what may be meant, or that nothing fits. English and Chinese."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.memory.entries import Add, NewMemory
from localagent.told_of import denied


def noted(talk: Talk, *texts: str) -> None:
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("Our cat Pickle is diabetic and gets insulin twice a day", "Forget the cat's insulin"),
        ("My wife's ring cost 2,000 pounds", "forget the ring's price"),
        ("My uncle gave us an oak table, a long bench and six chairs when he moved", "Forget the oak table."),
    ],
)
def test_what_may_be_meant_is_asked_about(talk: Talk, entry: str, text: str) -> None:
    noted(talk, entry, "I like tea")
    (line,) = talk.say(text).lines()
    assert f"'{entry}'" in line and "meant?" in line
    assert [one.text for one in talk.say("yes").forgotten] == [entry]


@pytest.mark.parametrize("text", ["Forget the cat's insulin", "forget the ring's price", "忘掉戒指的价格"])
def test_where_nothing_fits_it_says_so(talk: Talk, text: str) -> None:
    (line,) = talk.say(text).lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and not talk.texts()


@pytest.mark.parametrize(
    ("name", "piece", "text"),
    [
        ("lease.txt", "The flat is let to Ana.", "forget the lease"),
        ("tenancy_agreement.pdf", "The deposit is 900 euros.", "forget the deposit in the tenancy agreement"),
        ("a.txt", "租约到明年八月为止，押金两千。", "忘掉租约"),
    ],
)
def test_of_what_a_file_has_it_says_how_a_file_is_forgotten(talk: Talk, name: str, piece: str, text: str) -> None:
    talk.memories.write(
        [Add(NewMemory("document", piece, origin="file", scope="all", evidence=f"/home/me/{name}", source=f"{name}#1"))]
    )
    (line,) = talk.say(text).lines()
    assert f"localagent memory documents --remove {name}" in line and len(talk.texts()) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("I never said anything about Marek, ok?", "Marek"),
        ("I never mentioned the loan, right?", "the loan"),
        ("我从来没说过马克的事，好吧？", "马克"),
    ],
)
def test_what_was_never_said(talk: Talk, text: str, about: str) -> None:
    assert denied(text) == (about, False)
    noted(talk, "My colleague Marek drinks too much", "I owe Neil the loan", "我同事马克喝酒喝得凶")
    assert len(talk.say(text).forgotten) == 1


@pytest.mark.parametrize(
    "text",
    ["I never said anything about Marek.", "I never said that, ok?", "I never said that I like tea, right?",
     "I never told you it, ok", "我从来没说过马克的事", "我没说过我喜欢茶，好吧"],
)  # fmt: skip
def test_a_denial_is_no_request(text: str) -> None:
    assert denied(text) is None


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("I bank with Nationwide", "I've switched from Nationwide to Monzo", "forget my bank"),
        ("My bank is Nationwide", "I've switched from Nationwide to Monzo", "my bank, you can forget it"),
        ("我的银行是招商银行", "我从招商银行换到了建设银行", "忘掉我的银行"),
    ],
)
def test_what_took_its_place_goes_with_it(talk: Talk, old: str, new: str, text: str) -> None:
    noted(talk, old, "I moved from Leeds to York", "My brother switched from Monzo to ING")
    noted(talk, new)
    assert {one.text for one in talk.say(text).forgotten} == {old, new} and len(talk.texts()) == 2


def test_a_statement_goes_alone(talk: Talk) -> None:
    noted(talk, "I bank with Nationwide", "I've switched from Nationwide to Monzo")
    assert [one.text for one in talk.say("Forget that I bank with Nationwide").forgotten] == ["I bank with Nationwide"]
