"""What is mended in the next message of a statement of which no rule took anything, but perhaps the classifier."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


@pytest.mark.parametrize(
    ("stated", "mended", "meant"),
    [
        (
            "I'm teaching Year 9 physics as well from January",
            "Sorry, I meant Year 8",
            "I'm teaching Year 8 physics as well from January",
        ),
        ("The van holds 14 crates of pears", "sorry, I meant 12 crates", "The van holds 12 crates of pears"),
        (
            "My nephew takes the Piccadilly line to band practice",
            "Sorry, I meant the Victoria line",
            "My nephew takes the Victoria line to band practice",
        ),
        ("我下学期教九年级物理", "说错了，是八年级", "我下学期教八年级物理"),
    ],
)
def test_news_of_what_was_meant_takes_the_place_of_what_was_noted(
    policies: Policies, stated: str, mended: str, meant: str
) -> None:
    before = Said("user", stated, 1_773_223_100.0, 1)
    assert policies.importance(before, ()) == []
    (news,) = policies.importance(Said("user", mended, 1_773_223_200.0, 2), (before,))
    assert news.text == meant and news.replaces


@pytest.mark.parametrize("mended", ["Sorry, I have no time", "Sorry, what is Year 8?", "Sorry, never mind"])
def test_other_words_mend_nothing(policies: Policies, mended: str) -> None:
    before = Said("user", "I'm teaching Year 9 physics as well from January", 1_773_223_100.0, 1)
    found = policies.importance(Said("user", mended, 1_773_223_200.0, 2), (before,))
    assert not any("Year" in one.text for one in found)


@pytest.mark.parametrize(
    "text", ["I'm teaching Year 9 physics as well. Sorry, I meant Year 8.", "我教九年级物理。说错了，八年级。"]
)
def test_what_was_said_wrong_is_not_left_to_the_classifier(policies: Policies, text: str) -> None:
    message = Said("user", text, 1_773_223_200.0, 1)
    assert not any("9" in one or "九" in one for one in policies.undecided(message, policies.importance(message, ())))
