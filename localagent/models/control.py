"""Text from outside cannot pretend to be the chat template.

A server tokenizes a whole prompt at once, so the text of a control token (`<|im_end|>`) within a message would end the
message. Split by a visible space (`< |im_end|>`) it is plain text; the prompt record shows what was sent. Templates
whose marks are ordinary words (`USER:`) have no such protection.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

# The first character of a mark, and an expression for what follows it.
Shape: TypeAlias = tuple[str, str]

# How most families write their control tokens: ChatML, Llama 3, Phi, Qwen and others <|im_end|>, DeepSeek <｜User｜>,
# Gemma 4 <|turn> and <turn|>, EXAONE [|user|]. Hardly anybody else writes so.
_SHAPES: Final[tuple[Shape, ...]] = (
    ("<", r"[|｜][^\s<>|｜]{1,64}[|｜]?>"),
    ("<", r"[^\s<>|｜]{1,64}[|｜]>"),
    ("[", r"\|[^\s\[\]|]{1,64}\|\]"),
)
# Of families with a shape of their own: Gemma, Mistral and Llama 2, GLM, MiniMax.
_FAMILIES: Final = (
    *("<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>"),
    *("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]"),
    *("[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]"),
    *("[gMASK]", "<sop>", "<eop>", "]~b]", "]~!b[", "[e~["),
)
# Control tokens of SentencePiece vocabularies and of Mistral's. The first ones are HTML as well, so they are left alone
# where the model is known to have none.
_SENTENCE_MARKS: Final = ("<s>", "</s>", "<unk>", "<bos>", "<eos>", "<pad>")
# What a template uses as a mark, and not as an example in its prose: <tool_call>, <seed:bos>, <extra_id_0>, [THINK].
_IN_TEMPLATE: Final = re.compile(
    r"</?(?:[^\s<>{}=]*[_:0-9][^\s<>{}=]*|think|tools|s|unk|bos|eos|pad)>|\[/?[A-Z_]{3,}\]"
)
_UNKNOWN_TOKEN, _CONTROL_TOKEN, _USER_DEFINED_TOKEN = 2, 3, 4  # of the GGUF format


def control_pattern(texts: Iterable[str], shapes: Iterable[Shape] = ()) -> re.Pattern[str] | None:
    """Matches the first character of each place where one of the texts or shapes begins, also where they overlap.
    Texts of one character cannot be split and are left out."""
    following: dict[str, list[str]] = {}
    for first, rest in (*shapes, *((text[0], re.escape(text[1:])) for text in sorted(set(texts)) if len(text) > 1)):
        following.setdefault(first, []).append(rest)
    # By first characters, so that the search can leap from one to the next.
    alternatives = "|".join(f"{re.escape(first)}(?={'|'.join(rest)})" for first, rest in following.items())
    return re.compile(alternatives) if alternatives else None


def split_marks(text: str, control: re.Pattern[str] | None) -> str:
    """The text with a space in each mark that `control` (see `control_pattern`) finds."""
    return control.sub(r"\g<0> ", text) if control else text


def served_marks(
    template: str, info: Mapping[str, object], more_shapes: Iterable[Shape] = ()
) -> re.Pattern[str] | None:
    """Marks of a model that a server runs for us, from what it tells: the chat template (in any language), and of the
    GGUF metadata `info` as much as there is. What it does not tell is taken from the families of models there are."""
    marks = {*_FAMILIES, *_IN_TEMPLATE.findall(template), *_vocabulary_marks(template, info)}
    if info.get("tokenizer.ggml.model") != "gpt2" or "[INST]" in template:
        marks.update(_SENTENCE_MARKS)
    return control_pattern(marks, (*_SHAPES, *more_shapes))


def _vocabulary_marks(template: str, info: Mapping[str, object]) -> Iterator[str]:
    tokens, kinds = info.get("tokenizer.ggml.tokens"), info.get("tokenizer.ggml.token_type")
    if not isinstance(tokens, list) or not isinstance(kinds, list):
        return
    for token, kind in zip(tokens, kinds, strict=False):
        if not isinstance(token, str):
            continue
        shown = kind == _USER_DEFINED_TOKEN and token in template and re.search(r"[<|\[]", token)
        if shown or kind in (_UNKNOWN_TOKEN, _CONTROL_TOKEN):
            yield token
