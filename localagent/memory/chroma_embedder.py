"""Embedding functions of Chroma: any that it knows by a name, those a user has registered included.

They are other people's code: they may download a model, call a service, hang, and raise anything. So each call runs in
a thread of its own, which is left behind when the caller says stop, and whatever it raises becomes an error of ours.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Final, Protocol, TypeVar, cast

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, EmbeddingFailed, LocalAgentError
from localagent.memory.chroma_package import load_chromadb
from localagent.memory.embedding import Fingerprint, Vectors, embeddable, unit_vectors

Result = TypeVar("Result")

_PREFIX: Final = "chroma:"
# The smallest of the usual models (all-MiniLM) reads 256 tokens and drops the rest without a word. A character is
# hardly ever more than one.
_LIMIT: Final = 250
_BATCH: Final = 32
_POLL_S: Final = 0.1
_LONGEST: Final = 300


class EmbeddingFunction(Protocol):
    """The part of `chromadb.EmbeddingFunction` that is used."""

    def __call__(self, input: list[str]) -> object: ...

    def embed_query(self, input: list[str]) -> object: ...

    def get_config(self) -> Mapping[str, object]: ...


class ChromaEmbedder:
    """`RawEmbedder` "chroma:NAME" with the function of that name and its default settings.

    Raises ConfigError for a name that Chroma does not know, and for a function that lacks a package, key or setting.
    What the function downloads is its own business: naming it is asking for it.
    """

    def __init__(self, name: str) -> None:
        self._function_name = name.removeprefix(_PREFIX)
        self._alone = threading.Lock()
        self._loading = threading.Lock()
        self._ready: tuple[EmbeddingFunction, Fingerprint] | None = None

    @property
    def name(self) -> str:
        return _PREFIX + self._function_name

    @property
    def limit(self) -> int:
        return _LIMIT

    def load(self, abort: AbortSignal) -> Fingerprint:
        return self._loaded(abort)[1]

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        function, fingerprint = self._loaded(abort)
        return self._embed(function.__call__, texts, fingerprint.dimension, abort)

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        function, fingerprint = self._loaded(abort)
        return self._embed(function.embed_query, texts, fingerprint.dimension, abort)

    def close(self) -> None:
        self._ready = None

    def _loaded(self, abort: AbortSignal) -> tuple[EmbeddingFunction, Fingerprint]:
        ready = self._ready
        if ready is None:
            while not self._loading.acquire(timeout=_POLL_S):
                abort.raise_if_aborted()
            try:
                ready = self._ready = self._ready or self._make(abort)
            finally:
                self._loading.release()
        return ready

    def _make(self, abort: AbortSignal) -> tuple[EmbeddingFunction, Fingerprint]:
        try:
            function = _call(partial(_function, self._function_name), abort, self._alone)
        except _Foreign as foreign:
            raise ConfigError(
                f"Chroma's embedding function {self._function_name} cannot be used: {foreign.said}",
                where="memory.embedder",
                hint="Install what it needs and set its key, or name another embedder",
            ) from foreign.error
        dimension = self._embed(function.__call__, [self.name], 0, abort).shape[1]
        settings = json.dumps(dict(function.get_config()), sort_keys=True, default=str)
        version = hashlib.sha256(settings.encode()).hexdigest()[:12]
        return function, Fingerprint(self.name, version, dimension)

    def _embed(
        self, embed: Callable[[list[str]], object], texts: Sequence[str], dimension: int, abort: AbortSignal
    ) -> Vectors:
        import numpy as np

        found = []
        for start in range(0, len(texts), _BATCH):
            batch = [embeddable(text) for text in texts[start : start + _BATCH]]
            try:
                rows = _call(partial(embed, batch), abort, self._alone)
            except _Foreign as foreign:
                raise EmbeddingFailed(
                    f"the embedder {self.name} failed: {foreign.said}", hint="Try again, or use another embedder"
                ) from foreign.error
            found.append(unit_vectors(rows, len(batch), dimension, self.name))
        abort.raise_if_aborted()
        return np.concatenate(found) if found else np.zeros((0, dimension), np.float32)


def _function(name: str) -> EmbeddingFunction:
    load_chromadb()  # which sees to it that the current folder configures nothing
    from chromadb.utils.embedding_functions import known_embedding_functions

    kind = known_embedding_functions.get(name)
    if kind is None:
        raise ConfigError(
            f"Chroma has no embedding function {name!r}",
            where="memory.embedder",
            hint=f"It has {', '.join(sorted(known_embedding_functions))}",
        )
    return cast("EmbeddingFunction", kind())


class _Foreign(Exception):
    """What somebody else's code raised."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error
        text = " ".join(str(error).split()) or type(error).__name__
        self.said = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class _Caught:
    """A block whose exception is kept, of whatever kind, in place of ending the thread."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error
        return True


def _call(work: Callable[[], Result], abort: AbortSignal, alone: threading.Lock) -> Result:
    """The result of `work`, done in a thread while nothing else is done under the lock `alone`. When aborted, the
    thread goes on by itself, and keeps the lock until it ends.

    Raises what `work` raised: an error of ours as it is, others as `_Foreign`.
    """
    while not alone.acquire(timeout=_POLL_S):
        abort.raise_if_aborted()
    done: queue.SimpleQueue[Result | _Foreign | LocalAgentError | None] = queue.SimpleQueue()

    def run() -> None:
        caught = _Caught()
        with caught:
            try:
                done.put(work())
            finally:
                alone.release()
        if caught.error is not None:
            done.put(caught.error if isinstance(caught.error, LocalAgentError) else _Foreign(caught.error))

    detach = abort.on_abort(lambda: done.put(None))
    try:
        threading.Thread(target=run, name="embedding-function", daemon=True).start()
        result = _taken(done)
    finally:
        detach()
    if result is None:
        abort.raise_if_aborted()
    if isinstance(result, LocalAgentError | _Foreign):
        raise result
    return cast("Result", result)


def _taken(done: queue.SimpleQueue[Result]) -> Result:
    while True:
        try:
            return done.get(timeout=_POLL_S)  # a wait without end could not be interrupted on Windows
        except queue.Empty:
            continue
