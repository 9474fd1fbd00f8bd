"""A second look at sentences of which the rules took nothing, by a classifier that tells by their meaning whether they
are worth remembering, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from localagent.errors import EmbeddingFailed, EnvironmentFault
from localagent.memory.classifying import Classifier, Guess
from localagent.memory.entries import EVERYWHERE, Scope
from localagent.policy import Extracted, Said, UndecidedPolicy
from localagent.whose import kind_of

# From this probability on a sentence is noted, from the lower one if it makes something outdated that is known.
# `benchmarks/classifier.py` prints what that lets through.
NOTED = 0.93
HALF_NOTED = 0.35
# From this one on a short sentence that its speaker begins with themselves ("I can't swim"): it is rarely about the
# work at hand, and gives the classifier little to be sure of.
PLAINLY_NOTED = 0.85
# Of a message, so many sentences are looked at: it costs some 20 ms each.
MOST_SENTENCES = 8
_PLAIN = re.compile(
    r"(?:I|we|(?:I|we)['’](?:m|ve|re)|(?:my|our) [\w'’-]+)(?: [^\s,;:]+){1,7}|我[^，,；;：:。\s]{2,12}", re.IGNORECASE
)


def second_look(
    said: Said, found: Sequence[Extracted], undecided: UndecidedPolicy, classifier: Classifier
) -> Iterator[tuple[Extracted, bool]]:
    """What the classifier takes of the sentences that `undecided` leaves to it, and whether it is sure; nothing if it
    cannot be asked."""
    sentences = list(undecided(said, found))[:MOST_SENTENCES]
    if not sentences:
        return
    try:
        guesses = classifier.kinds(sentences)
    except (EmbeddingFailed, EnvironmentFault):
        return
    likely = dict(zip(sentences, guesses, strict=True))
    for sentence, guess in likely.items():
        if guess.probability >= HALF_NOTED and not _better_told(sentence, likely):
            text = sentence.strip(" .。")
            kind = kind_of(guess.kind, text)
            scope: Scope = "all" if kind in EVERYWHERE else "agent"
            least = PLAINLY_NOTED if _PLAIN.fullmatch(text) else NOTED
            yield Extracted(kind, text, sentence, scope=scope), guess.probability >= least


def _better_told(sentence: str, likely: Mapping[str, Guess]) -> bool:
    """Whether a sentence is likelier to be worth noting with the one after it, or without the one before."""
    return any(
        other != sentence
        and (other.startswith(sentence) or sentence.startswith(other))
        and guess.probability > likely[sentence].probability
        for other, guess in likely.items()
    )
