"""A text without clauses that hold no longer: what is left of their sentences must be readable by itself, or goes too.
Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Stands where something was cut out; no stored text has it.
_CUT = "\x00"
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|\.(?=\w))+[.!?。！？]*\s*|[.!?。！？\s]+")
_END = re.compile(r"[.!?。！？]*\s*$")
_MARKS = " \t\n,;:，；：、.。!?！？-–—"
_BEFORE = re.compile(
    r"(?:(?:^|(?<=[\s,]))(?:and|but|or|so|because|since|that|as|to|with|which|who|though|although|while|if|when)"
    r"|和|跟|与|及|而且|并且|但是?|所以|因为|虽然|如果|是)$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?:(?:and|but|or|so|then|also|too|as well)\b|而且|并且|但是?|所以|然后|还有|也)[\s,，]*", re.IGNORECASE
)
# Of whom or what was said in the clause that is gone.
_REFERS = re.compile(
    r"^(?:he|she|it|they|his|her|its|their|him|them|who|which|that|this|these|those|because|since|in|at|on|for|from|with|"
    r"to|of|by|than|instead|is|are|was|were|has|have|had|does|did|will|would|can|could)\b"
    r"|^(?:[他她它]|因为|其中|那|这|是|有|在|从|到|比|而|会|要|想)",
    re.IGNORECASE,
)
_LATIN = re.compile(r"[^\W\d_\u4e00-\u9fff][^\W_\u4e00-\u9fff]*|\d+")
_CJK = re.compile(r"[\u4e00-\u9fff]")
# What is shorter says nothing by itself.
LEAST_WORDS, LEAST_CHARACTERS = 2, 4


def cut_out(text: str, clauses: Sequence[str]) -> str:
    """Empty if nothing that can be read is left; the text itself if none of the clauses is in it."""
    left = text
    for clause in sorted(filter(None, clauses), key=len, reverse=True):
        left = left.replace(clause, _CUT)
    if left == text:
        return text
    kept = "".join(_left_of(sentence) if _CUT in sentence else sentence for sentence in _SENTENCE.findall(left))
    return kept.strip() if any(char.isalnum() for char in kept) else ""


def _left_of(sentence: str) -> str:
    first, *others = sentence.split(_CUT)
    pieces = [first, *(piece for piece in others if not _REFERS.match(_AFTER.sub("", piece.strip(_MARKS))))]
    readable = [piece for one in pieces if _is_enough(piece := _trimmed(one))]
    if not readable:
        return ""
    end = _END.search(sentence)
    comma = "，" if _CJK.search(readable[0]) else ", "
    return comma.join(readable) + (end[0] if end else "")


def _trimmed(piece: str) -> str:
    before = ""
    while piece != before:
        before = piece
        piece = _AFTER.sub("", _BEFORE.sub("", piece.strip(_MARKS)))
    return piece


def _is_enough(piece: str) -> bool:
    signs, words = len(_CJK.findall(piece)), len(_LATIN.findall(piece))
    return signs + words >= LEAST_CHARACTERS if signs else words >= LEAST_WORDS
