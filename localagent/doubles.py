"""Whether two texts say the same: by their words, numbers and denials, never by their likeness of meaning alone."""

from __future__ import annotations

from dataclasses import dataclass

from localagent.memory.language import negations, words

# Two texts with at least this share of common words say the same, if their numbers are the same too.
DOUBLE_SHARE = 0.9
# A message with so many words more than an entry says nothing else.
MORE_WORDS = 2


@dataclass(frozen=True, slots=True)
class Bag:
    """What of a text decides that."""

    words: frozenset[str]
    numbers: frozenset[str]
    text: str
    is_entry: bool

    @classmethod
    def of(cls, text: str, *, is_entry: bool = False) -> Bag:
        found = frozenset(words(text))
        numbers = frozenset(word for word in found if not word.isalpha() and any(char.isdigit() for char in word))
        return cls(found or frozenset((text.strip(),)), numbers, text, is_entry)

    def says_same(self, other: Bag) -> bool:
        """Nearly the same words, exactly the same numbers, and as much denied."""
        if self.numbers != other.numbers:
            return False
        if len(self.words & other.words) < DOUBLE_SHARE * len(self.words | other.words):
            return False
        return negations(self.text) == negations(other.text)

    def hardly_more_than(self, entry: Bag) -> bool:
        """The message that an entry was made of, or the like: "Remember that" and the entry's words."""
        if self.numbers != entry.numbers or len(self.words) > len(entry.words) + MORE_WORDS:
            return False
        return entry.words <= self.words and negations(self.text) == negations(entry.text)
