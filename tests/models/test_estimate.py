"""The token estimate: near, soon nearer, and hard to fool."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from token_samples import CHINESE, CODE, ENGLISH, Sample

from localagent.models.estimate import PromptShape, TokenEstimator, Verdict

MIXED = tuple(sample for three in zip(ENGLISH, CHINESE, CODE, strict=True) for sample in three)[:14]
KINDS = {"english": ENGLISH, "chinese": CHINESE, "code": CODE, "mixed": MIXED}
TOKENIZERS = ("smollm2", "qwen")
# What the chat template of both adds to each message, and once to each prompt.
PER_MESSAGE, PER_PROMPT = 5, 3


def shape(samples: Sequence[Sample]) -> PromptShape:
    return PromptShape.of([sample.text for sample in samples], messages=len(samples))


def true_count(samples: Sequence[Sample], tokenizer: str) -> int:
    return sum(getattr(sample, tokenizer) + PER_MESSAGE for sample in samples) + PER_PROMPT


def converse(estimator: TokenEstimator, samples: Sequence[Sample], tokenizer: str) -> list[float]:
    """A chat that grows by a message each turn: the relative error of each turn, before its report."""
    errors = []
    for turn in range(1, len(samples) + 1):
        prompt, true = shape(samples[:turn]), true_count(samples[:turn], tokenizer)
        errors.append(abs(estimator.count_prompt(prompt) - true) / true)
        assert not estimator.observe(prompt, true).suspected_cut
    return errors


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("kind", KINDS)
def test_after_five_turns_the_error_is_under_five_percent(kind: str, tokenizer: str) -> None:
    errors = converse(TokenEstimator("k"), KINDS[kind], tokenizer)
    assert max(errors[5:]) < 0.05


@pytest.mark.parametrize("kind", ["english", "chinese", "code"])
def test_a_tokenizer_of_today_is_known_from_the_start(kind: str) -> None:
    errors = converse(TokenEstimator("k"), KINDS[kind], "qwen")
    assert errors[0] < 0.15


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(("first", "then"), [("english", "chinese"), ("chinese", "code"), ("code", "english")])
def test_a_change_of_language_is_no_cut_and_is_learned(first: str, then: str, tokenizer: str) -> None:
    estimator = TokenEstimator("k")
    converse(estimator, KINDS[first], tokenizer)
    errors = converse(estimator, KINDS[then], tokenizer)
    assert max(errors[5:]) < 0.05


def test_what_was_learned_of_one_language_stays_while_another_is_spoken() -> None:
    estimator = TokenEstimator("k")
    converse(estimator, ENGLISH, "smollm2")
    before = estimator.count(ENGLISH[3].text)
    converse(estimator, CHINESE, "smollm2")
    assert estimator.count(ENGLISH[3].text) == pytest.approx(before, rel=0.05)


Tokenizer = Callable[[str], float]
# Tokenizers that are none: whatever the rule, the estimate should find it.
SYNTHETIC: dict[str, Tokenizer] = {
    "a quarter of the bytes": lambda text: len(text.encode()) / 4,
    "a third of the characters": lambda text: len(text) / 3,
    "words and a half": lambda text: len(text.split()) * 1.5 + sum(ord(character) > 0x2E80 for character in text),
    "pairs of letters": lambda text: sum(math.ceil(len(word) / 2) for word in text.split()),
}


@settings(deadline=None, max_examples=40)
@given(
    kind=st.sampled_from(sorted(KINDS)),
    rule=st.sampled_from(sorted(SYNTHETIC)),
    per_message=st.integers(0, 12),
    order=st.randoms(use_true_random=False),
)
def test_any_tokenizer_is_learned_within_five_turns(kind: str, rule: str, per_message: int, order: object) -> None:
    samples = list(KINDS[kind])
    if kind != "mixed":  # there each kind must have had its turn
        order.shuffle(samples)  # type: ignore[attr-defined]
    estimator, errors = TokenEstimator("k"), []
    for turn in range(1, len(samples) + 1):
        prompt = shape(samples[:turn])
        true = max(1, round(sum(SYNTHETIC[rule](sample.text) + per_message for sample in samples[:turn])))
        errors.append(abs(estimator.count_prompt(prompt) - true) / true)
        estimator.observe(prompt, true)
    assert sum(errors[5:]) / len(errors[5:]) < 0.06
    assert max(errors[5:]) < 0.12


TEXT = st.text(alphabet=st.characters(), max_size=60) | st.sampled_from(
    [
        "",
        "\x00",
        "\udc80\ud83d",
        "👨‍👩‍👧",
        "한국어",
        "かな",
        "Привет",
        "สวัสดี",
        "नमस्ते",
        "\u0085\u2028",
        "0" * 400,
        "a" * 4000,
    ]
)


@settings(deadline=None, max_examples=150)
@given(TEXT, TEXT)
def test_any_text_counts_and_more_text_counts_no_less(one: str, other: str) -> None:
    estimator = TokenEstimator("k")
    assert (estimator.count(one) >= 1) is bool(one)
    two = PromptShape.of([one, other], messages=2)
    assert 1 <= estimator.count_prompt(PromptShape.of([one], messages=1)) <= estimator.count_prompt(two)
    assert 0.05 <= estimator.error(two) <= 0.5


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(TEXT, st.integers(0, 10_000_000)), max_size=8))
def test_no_report_makes_it_absurd(reports: list[tuple[str, int]]) -> None:
    estimator = TokenEstimator("k")
    for text, reported in reports:
        estimator.observe(PromptShape.of([text], messages=1), reported)
    assert estimator.tokens_per_message >= 1
    assert estimator.count("some words, 汉字 and 123") >= 1
    assert 0.05 <= estimator.error(shape(ENGLISH)) <= 0.5


def learned(tokenizer: str = "qwen") -> TokenEstimator:
    estimator = TokenEstimator("k")
    for samples in (ENGLISH, CHINESE, CODE):
        converse(estimator, samples, tokenizer)
    return estimator


def test_the_error_to_reckon_with_shrinks() -> None:
    fresh, known = TokenEstimator("k"), learned()
    for samples in (ENGLISH, CHINESE, CODE, MIXED):
        assert fresh.error(shape(samples)) > 2 * known.error(shape(samples))
        true = true_count(samples, "qwen")
        assert abs(known.count_prompt(shape(samples)) / true - 1) < known.error(shape(samples)) < 0.1


@pytest.mark.parametrize("samples", [ENGLISH, CHINESE, CODE, MIXED], ids=list(KINDS))
def test_a_silent_cut_is_suspected_and_not_learned_from(samples: Sequence[Sample]) -> None:
    estimator = learned()
    before = estimator.count_prompt(shape(samples))
    verdict = estimator.observe(shape(samples), true_count(samples[3:], "qwen"))
    assert verdict.suspected_cut
    assert verdict.counted == before == estimator.count_prompt(shape(samples))


def test_reports_that_stay_at_the_window_are_cuts_every_time() -> None:
    estimator = learned()
    verdicts = [estimator.observe(shape((*ENGLISH, *CODE)[:turn]), 300) for turn in range(8, 16)]
    assert all(verdict.suspected_cut for verdict in verdicts)


def test_reports_that_are_always_lower_by_the_same_share_are_believed_in_the_end() -> None:
    estimator, verdicts = learned(), []
    for turn in range(3, 13):
        samples = (*ENGLISH, *CHINESE)[:turn]
        verdicts.append(estimator.observe(shape(samples), true_count(samples, "qwen") // 2).suspected_cut)
    assert verdicts[0]
    assert not any(verdicts[4:])


def test_the_error_of_a_prompt_to_come_is_that_of_what_was_reported_on() -> None:
    estimator = TokenEstimator("k")
    first = estimator.expected_error
    converse(estimator, ENGLISH, "qwen")
    english = estimator.expected_error
    assert 0.05 <= english < 0.1 < first <= 0.2
    estimator.observe(shape(CHINESE[:1]), true_count(CHINESE[:1], "qwen"))
    assert english < estimator.expected_error <= 0.2
    converse(estimator, CHINESE, "qwen")
    for _ in range(30):
        converse(estimator, ENGLISH, "qwen")
    assert estimator.expected_error < 0.1, "one language does not fade while another one is spoken"


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_error_of_a_prompt_to_come_is_honest(kind: str, tokenizer: str) -> None:
    estimator = TokenEstimator("k")
    samples = KINDS[kind]
    for turn in range(1, len(samples) + 1):
        prompt, true = shape(samples[:turn]), true_count(samples[:turn], tokenizer)
        if turn > 3:
            assert true <= estimator.count_prompt(prompt) * (1 + estimator.expected_error)
        estimator.observe(prompt, true)


def test_long_texts_are_not_kept() -> None:
    estimator = TokenEstimator("k")
    tracemalloc.start()
    try:
        for number in range(20):
            estimator.count("x" * 1_000_000 + str(number))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 5_000_000


def test_a_server_that_reports_nothing_read_is_not_learned_from() -> None:
    estimator = learned()
    before = estimator.count_prompt(shape(ENGLISH))
    estimator.observe(shape(ENGLISH), 0)
    assert estimator.count_prompt(shape(ENGLISH)) == before


def test_the_verdict_has_a_tolerance() -> None:
    assert not Verdict(counted=100, reported=91, error=0.1).suspected_cut
    assert Verdict(counted=100, reported=89, error=0.1).suspected_cut
    assert not Verdict(counted=100, reported=300, error=0.1).suspected_cut


class Kept:
    """A `Calibration` that goes through JSON, as a file would."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def load(self, key: str) -> tuple[float, ...] | None:
        return tuple(json.loads(self.values[key])) if key in self.values else None

    def save(self, key: str, values: Sequence[float]) -> None:
        self.values[key] = json.dumps(list(values))


def test_what_was_learned_is_kept_by_model() -> None:
    kept = Kept()
    converse(TokenEstimator("a", kept), CHINESE, "smollm2")
    again, other = TokenEstimator("a", kept), TokenEstimator("b", kept)
    true = true_count(CHINESE, "smollm2")
    assert again.count_prompt(shape(CHINESE)) == pytest.approx(true, rel=0.03)
    assert other.count_prompt(shape(CHINESE)) == TokenEstimator("c").count_prompt(shape(CHINESE))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats() | st.just(-2.0), max_size=500))
def test_a_damaged_calibration_is_left_alone(values: list[float]) -> None:
    kept = Kept()
    kept.save("a", values)
    assert TokenEstimator("a", kept).count("two words") == TokenEstimator("b").count("two words")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 99.0])
def test_a_calibration_of_the_right_size_with_a_wrong_value_is_left_alone(bad: float) -> None:
    kept = Kept()
    converse(TokenEstimator("a", kept), ENGLISH, "qwen")
    values = [bad, *json.loads(kept.values["a"])[1:]]
    kept.save("a", values)
    assert TokenEstimator("a", kept).count("two words") == TokenEstimator("b").count("two words")
