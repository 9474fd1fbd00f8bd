"""A small network: of a row of numbers, and of the words in it, how likely each class is."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]
    Places = npt.NDArray[np.int64]

PLACES: Final = 8192
# How much all words of a row weigh together.
WORDS_SCALE: Final = 0.6


def places(words: Sequence[str]) -> Places:
    """Where words and pairs of neighbours fall."""
    import numpy as np

    found = ["^", *words, "$"]
    both = (f"{word} {after}" for word, after in pairwise(found))
    return np.array(sorted({zlib.crc32(word.encode("utf-8", "replace")) % PLACES for word in (*found, *both)}))


def softmax(values: Numbers) -> Numbers:
    """Of each row, of sum 1."""
    import numpy as np

    values = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(values / values.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Network:
    """A layer of rectified units, the row itself and its words, all summed. `hidden`: shape (columns, units); `units`:
    (units, classes); `direct`: (columns, classes); `words`: (8192, classes), or (0, classes) where rows have none."""

    hidden: Numbers
    units: Numbers
    direct: Numbers
    words: Numbers

    def likely(self, rows: Numbers, words: Sequence[Places] = ()) -> Numbers:
        """Probabilities, shape (rows, classes). `words`: the places of each row's words."""
        import numpy as np

        values = np.maximum(rows @ self.hidden, 0) @ self.units + rows @ self.direct
        for row, at in zip(values, words, strict=False):
            row += self.words[at].sum(axis=0) * WORDS_SCALE / len(at) ** 0.5
        return softmax(values)
