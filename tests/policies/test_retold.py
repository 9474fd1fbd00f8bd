"""What the speaker told somebody else is news and no task; what is to be told is one. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def entries(policies: Policies, text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in policies.importance(Said("user", text, 1_773_223_200.0, 9), ())]


@pytest.mark.parametrize(
    "text",
    [
        "I told Ben that I have to sell the car",
        "I've told my wife I need to quit my job",
        "I said to Ann I must move out",
        "Yesterday I told my daughter I should call more often",
        "I let my team know that I have to leave in May",
        "We told the landlord we have to leave by June",
        "我跟小峰说我要把朗逸卖了",
        "我跟小峰说，我要把朗逸卖了",
        "我跟弟弟说我得还他钱",
        "我告诉小峰，我得把朗逸卖了",
        "我已经告诉我妈，我要把房子卖了",
        "我昨天跟我妈说了，我得搬出去",
    ],
)
def test_what_somebody_else_was_told_is_whole_and_no_task(policies: Policies, text: str) -> None:
    assert entries(policies, f"{text}.") == [("event", text)]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("I have to tell Ben that I'm leaving.", "I have to tell Ben that I'm leaving"),
        ("I told you I have to call the bank.", "I told you I have to call the bank"),
        ("I told myself I need to write more.", "I told myself I need to write more"),
        ("I need to renew my passport, I told Ben.", "I need to renew my passport"),
        ("我得跟小峰说一声", "我得跟小峰说一声"),
        ("我告诉过你我得去办护照", "我告诉过你我得去办护照"),
        ("跟你说，我得交房租了", "我得交房租了"),
        ("老实说，我得去看医生", "我得去看医生"),
    ],
)
def test_what_is_to_be_done_is_a_task(policies: Policies, text: str, task: str) -> None:
    assert entries(policies, text) == [("todo", task)]
