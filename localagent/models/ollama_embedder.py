"""An embedding model served by Ollama.

What one has to know about the server and handles here:
- It cuts a text that is too long without a word: `truncate: false` makes it refuse instead. The refusal names no text,
  so a batch is halved until the text is alone, and then the text is.
- One failing text fails its whole batch.
- Some models were trained with words before questions or passages, and Ollama does not add them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from localagent.abort import AbortSignal
from localagent.addresses import check_keep_alive
from localagent.errors import ConfigError, EmbeddingFailed, ModelError
from localagent.memory.embedding import Fingerprint, Vectors, batches, embeddable, unit_vectors
from localagent.messages import JsonObject
from localagent.models.ollama_errors import ServerBusy
from localagent.models.ollama_http import OllamaHttp
from localagent.models.ollama_server import same_model

# The context of a model that does not say: that of the older ones (BERT).
FALLBACK_TOKENS: Final = 512
# A text in the usual mixture has fewer tokens than a third of its characters; a Chinese one may have as many as
# characters, and is halved if that is too much. No text is longer than this, whatever the model could read at a time.
_CHARACTERS_PER_TOKEN: Final = 3
_LONGEST: Final = 6000
_BATCH_TEXTS: Final = 32
_BATCH_CHARACTERS: Final = 16_000

_LOOKUP_S: Final = 30.0  # for questions that a server answers without loading anything
_TOO_LONG: Final = ("context length", "context size", "too large to process")


class Prompts(NamedTuple):
    """What a model wants before a question and before a passage."""

    query: str
    passage: str = ""


_SEARCHING: Final = Prompts("Represent this sentence for searching relevant passages: ")
# By a part of the model's name, the longest that fits. Source: the model cards. Models that
# are not named (bge-m3, all-minilm, paraphrase-multilingual, granite-embedding ...) want nothing.
_PROMPTS: Final[Mapping[str, Prompts]] = {
    "nomic-embed-text": Prompts("search_query: ", "search_document: "),
    "mxbai-embed-large": _SEARCHING,
    "snowflake-arctic-embed": _SEARCHING,
    "snowflake-arctic-embed2": Prompts("query: "),
    "bge-large": _SEARCHING,
    "multilingual-e5": Prompts("query: ", "passage: "),
    "embeddinggemma": Prompts("task: search result | query: ", "title: none | text: "),
    "qwen3-embedding": Prompts(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
    ),
}


class OllamaEmbedder:
    """`RawEmbedder` "ollama:MODEL". Thread-safe; connects to nothing before it is loaded.

    Its version is the model's digest: another model under the same tag is another embedder. `keep_alive`: seconds
    (negative: for ever) or a duration like "10m". `retry_waits_s`: how long to wait before asking a busy server again.
    Raises ModelUnreachable, ModelMissing, EmbeddingFailed; ConfigError for a bad address or a model that only chats.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        keep_alive: str | float | None = "10m",
        retry_waits_s: Sequence[float] = (0.5, 1.0, 2.0),
    ) -> None:
        self._http = OllamaHttp(base_url)
        self._model = model
        self._keep_alive = None if keep_alive is None else check_keep_alive(keep_alive)
        self._retry_waits_s = tuple(retry_waits_s)
        self._prompts = prompts_of(model)
        self._limit = _limit(FALLBACK_TOKENS)
        self._fingerprint: Fingerprint | None = None

    @property
    def name(self) -> str:
        return f"ollama:{self._model}"

    @property
    def limit(self) -> int:
        """Of texts in usual mixtures; one that is too long all the same is read in parts. Known once it is loaded."""
        return self._limit

    def load(self, abort: AbortSignal) -> Fingerprint:
        """Look the model up and embed a word with it, which loads it."""
        if self._fingerprint is None:
            with abort.child(timeout_s=_LOOKUP_S, what=f"looking up model {self._model}") as soon:
                shown = self._http.call("POST", "/api/show", {"model": self._model}, soon, model=self._model)
                digest = _digest(self._http.call("GET", "/api/tags", None, soon), self._model)
            self._check_kind(shown)
            self._limit = _limit(_context_tokens(shown) or FALLBACK_TOKENS)
            dimension = unit_vectors(self._ask([self._prompts.passage + "."], abort), 1, 0, self.name).shape[1]
            self._fingerprint = Fingerprint(self.name, digest, dimension)
        return self._fingerprint

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, self._prompts.passage, abort)

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, self._prompts.query, abort)

    def close(self) -> None:
        """Closes connections; the server keeps the model for as long as `keep_alive` says."""
        self._http.close()

    def _embed(self, texts: Sequence[str], prompt: str, abort: AbortSignal) -> Vectors:
        import numpy as np

        self.load(abort)
        found = [
            self._batch(batch, prompt, abort)
            for batch in batches([embeddable(text) for text in texts], _BATCH_TEXTS, _BATCH_CHARACTERS)
        ]
        return np.concatenate(found) if found else np.zeros((0, self._dimension), np.float32)

    @property
    def _dimension(self) -> int:
        return 0 if self._fingerprint is None else self._fingerprint.dimension

    def _batch(self, texts: list[str], prompt: str, abort: AbortSignal) -> Vectors:
        import numpy as np

        try:
            rows = self._ask([prompt + text for text in texts], abort)
        except ModelError as error:
            too_long = any(words in error.message for words in _TOO_LONG)
            if not too_long or (len(texts) == 1 and len(texts[0]) == 1):
                raise EmbeddingFailed(error.message, where=error.where, hint=error.hint) from error
            if len(texts) == 1:
                return self._in_halves(texts[0], prompt, abort)
            half = len(texts) // 2
            return np.concatenate([self._batch(texts[:half], prompt, abort), self._batch(texts[half:], prompt, abort)])
        return unit_vectors(rows, len(texts), self._dimension, self.name)

    def _in_halves(self, text: str, prompt: str, abort: AbortSignal) -> Vectors:
        """The vector of a text that the model cannot read at a time: that of its halves, by their length."""
        middle = len(text) // 2
        blank = text.rfind(" ", middle // 2, middle)
        halves = (text[: blank + 1], text[blank + 1 :]) if blank > 0 else (text[:middle], text[middle:])
        vectors = [self._batch([half], prompt, abort) * len(half) for half in halves]
        return unit_vectors(vectors[0] + vectors[1], 1, self._dimension, self.name)

    def _ask(self, inputs: list[str], abort: AbortSignal) -> object:
        """One request, again while the server is busy; its `embeddings`."""
        body: dict[str, str | float | bool | list[str]] = {"model": self._model, "input": inputs, "truncate": False}
        if self._keep_alive is not None:
            body["keep_alive"] = self._keep_alive
        for wait_s in self._retry_waits_s:
            try:
                return self._answer(body, abort)
            except ServerBusy:
                abort.wait(wait_s)
                abort.raise_if_aborted()
        return self._answer(body, abort)

    def _answer(self, body: JsonObject, abort: AbortSignal) -> object:
        answer = self._http.call("POST", "/api/embed", body, abort, model=self._model)
        if not isinstance(answer.get("embeddings"), list):
            raise EmbeddingFailed("the server answered without embeddings", where=self._http.url, hint="Update Ollama")
        return answer["embeddings"]

    def _check_kind(self, shown: Mapping[str, object]) -> None:
        can = shown.get("capabilities")
        if isinstance(can, list) and "completion" in can and "embedding" not in can:
            raise ConfigError(
                f"model {self._model!r} makes answers, not embeddings",
                where="memory.embedder",
                hint="Name one that makes embeddings, such as ollama:bge-m3",
            )


def prompts_of(model: str) -> Prompts:
    """What this model wants before texts; nothing if it is not known to want anything."""
    name = model.lower().rsplit("/", 1)[-1].partition(":")[0]
    known = [part for part in _PROMPTS if part in name]
    return _PROMPTS[max(known, key=len)] if known else Prompts("")


def _limit(tokens: int) -> int:
    return min(tokens * _CHARACTERS_PER_TOKEN, _LONGEST)


def _digest(listing: Mapping[str, object], name: str) -> str:
    """The first 12 characters of the model's digest, as `ollama list` shows it."""
    models = listing.get("models")
    for model in models if isinstance(models, list) else ():
        if isinstance(model, Mapping) and same_model(str(model.get("name")), name):
            digest = model.get("digest")
            return digest[:12] if isinstance(digest, str) and digest else "unknown"
    return "unknown"


def _context_tokens(shown: Mapping[str, object]) -> int | None:
    """How much the model was trained to read at a time, from what /api/show says; None if it does not."""
    info = shown.get("model_info")
    if not isinstance(info, Mapping):
        return None
    length = info.get(f"{info.get('general.architecture')}.context_length")
    return length if isinstance(length, int) and length > 0 else None
