"""Which embedder memory has: by its name, or chosen."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from localagent.config import ModelConfig
from localagent.errors import ModelUnreachable, UsageError

if TYPE_CHECKING:
    from localagent.memory.embedding import RawEmbedder

OLLAMA_EMBEDDER = "bge-m3"
# How long `auto` waits for an Ollama that takes connections and says nothing.
PROBE_S = 3.0


def automatic(model: ModelConfig) -> str:
    """The name behind `auto`: Ollama's bge-m3 if it is there, else the embedded one."""
    if model.provider in ("auto", "ollama"):
        from localagent.models.ollama_server import OllamaServer

        with contextlib.suppress(ModelUnreachable):
            if OllamaServer(model.base_url, timeout_s=PROBE_S).has(OLLAMA_EMBEDDER):
                return f"ollama:{OLLAMA_EMBEDDER}"
    return "embedded"


def make_embedder(name: str, model: ModelConfig) -> RawEmbedder:
    """Not loaded yet. `model` says where Ollama is. UsageError for a name there is not."""
    kind, _, rest = name.partition(":")
    if kind == "embedded":
        from localagent.memory.embedded import EmbeddedE5

        return EmbeddedE5()
    if kind == "words":
        from localagent.memory.word_embedder import WordEmbedder

        return WordEmbedder()
    if kind == "ollama":
        from localagent.models.ollama_embedder import OllamaEmbedder

        return OllamaEmbedder(model.base_url, rest, keep_alive=model.keep_alive)
    if kind == "chroma":
        from localagent.memory.chroma_embedder import ChromaEmbedder

        return ChromaEmbedder(rest)
    raise UsageError(f"there is no embedder {name!r}", hint="There are: embedded, ollama:MODEL, chroma:NAME and words.")
