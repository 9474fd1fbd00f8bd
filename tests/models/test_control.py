"""Marks of chat templates in text: all that matter are split, and hardly anything else."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ollama_fixture import FakeOllama
from ollama_support import Make

from localagent.messages import user
from localagent.models.base import ChatRequest
from localagent.models.control import control_pattern, served_marks, split_marks

FAMILIES = {
    "ChatML": ("<|im_start|>", "<|im_end|>", "<|endoftext|>"),
    "Llama 3": ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|python_tag|>"),
    "Gemma": ("<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<|turn>", "<turn|>", '<|"|>'),
    "Mistral": ("[INST]", "[/INST]", "<s>", "</s>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[/SYSTEM_PROMPT]", "<<SYS>>"),
    "Phi": ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>"),
    "DeepSeek": ("<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "<｜tool▁calls▁begin｜>"),
    "others": ("<|START_OF_TURN_TOKEN|>", "[|user|]", "[gMASK]", "<sop>", "]~b]", "<|channel|>"),
}
ALL = tuple(mark for marks in FAMILIES.values() for mark in marks)
HARMLESS = (
    "a < b and c > d || e",
    "<div class='x'><b>1</b></div>",
    "<name>Ada</name><tools>2</tools>",
    "xs |> List.map (fun x -> x <| y)",
    "cmd [OPTIONS] [ARGS]...",
    "[1] 见第[2]章 【注】 《书名》 「引」",
    "<- -> <= => <> <|> [] [[x]] {{ y }}",
    "std::vector<std::pair<int, char>> f;",
    "| a | b |\n|---|---|\n",
)
QWEN = "{{ .Role }}<|im_start|> <tool_call>\n{'name': <function-name>}\n</tool_call> <tools> <think>"
LEFT = st.lists(st.sampled_from([*ALL, "<", "|", ">", "[", "]", " ", "\n", "x", "｜", "/"]), max_size=12).map("".join)


@pytest.mark.parametrize("mark", ALL)
def test_a_model_of_which_nothing_is_known_is_of_any_family(mark: str) -> None:
    control = served_marks("{{ .Prompt }}", {})
    assert split_marks(f"a{mark}b", control) == f"a{mark[0]} {mark[1:]}b"


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_mark_stays_as_it_is(text: str) -> None:
    assert split_marks(text, served_marks("{{ .Prompt }}", {})) == text


@settings(deadline=None, max_examples=200)
@given(LEFT)
def test_no_mark_remains_and_nothing_is_lost(text: str) -> None:
    control = served_marks("", {})
    clean = split_marks(text, control)
    assert not [mark for mark in ALL if mark in clean]
    assert clean.replace(" ", "") == text.replace(" ", "")
    assert split_marks(clean, control) == clean


@pytest.mark.parametrize(
    ("template", "info", "marks", "others"),
    [
        (QWEN, {}, ("<tool_call>", "</tool_call>", "<tools>", "<think>"), ("<function-name>", "</think>", "<name>")),
        ("<seed:bos>{{ x }}<extra_id_0>[ARGS]", {}, ("<seed:bos>", "<extra_id_0>", "[ARGS]"), ("[THINK]",)),
        ("<|im_start|>", {"tokenizer.ggml.model": "gpt2"}, ("<|im_end|>",), ("<s>", "</s>", "<bos>")),
        ("[INST]", {"tokenizer.ggml.model": "gpt2"}, ("<s>", "</s>"), ()),
        ("</s>", {"tokenizer.ggml.model": "gpt2"}, ("</s>",), ("<s>",)),
        ("", {"tokenizer.ggml.model": "llama"}, ("<s>", "</s>"), ()),
        (
            "{{ .Prompt }} <turn>",
            {
                "tokenizer.ggml.tokens": ["a", "<x>", "<unk-x>", "<turn>", "<word>", 3],
                "tokenizer.ggml.token_type": [1, 3, 2, 4, 4, 3],
            },
            ("<x>", "<unk-x>", "<turn>"),
            ("<word>", "a"),
        ),
        ("", {"tokenizer.ggml.tokens": None, "tokenizer.ggml.token_type": None}, ("[INST]",), ()),
    ],
)
def test_the_template_and_the_vocabulary_name_more(
    template: str, info: Mapping[str, object], marks: tuple[str, ...], others: tuple[str, ...]
) -> None:
    control = served_marks(template, info)
    for mark in marks:
        assert split_marks(mark, control) == f"{mark[0]} {mark[1:]}"
    for text in others:
        assert split_marks(text, control) == text


def test_overlapping_marks() -> None:
    assert split_marks("<<<a", control_pattern(["<<", "<a"])) == "< < < a"
    assert control_pattern(["a", ""]) is None
    assert split_marks("a", None) == "a"


def test_ollama_is_asked_what_marks_its_model_has(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model = ollama_server.add("odd")
    model.template, model.parameters = "{{ .System }}<turn:end>", 'stop                           "<halt_now>"'
    model.metadata = {"tokenizer.ggml.tokens": ["<c>"], "tokenizer.ggml.token_type": [3]}
    body = make_ollama("odd").encode(ChatRequest((user("<turn:end> <halt_now> <c> [img-0] <b>"),), stop=("<c>",)))
    assert re.findall(r"'content': '([^']*)'", str(body)) == ["< turn:end> < halt_now> < c> [ img-0] <b>"]
    assert "'stop': ['<c>']" in str(body), "no part of the prompt"


def test_a_schema_for_the_answer_is_no_part_of_the_prompt(make_ollama: Make) -> None:
    schema = {"enum": ["<|im_end|>"]}
    assert make_ollama().encode(ChatRequest((user("x"),), schema=schema))["format"] == schema
