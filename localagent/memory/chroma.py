"""`VectorIndex` in Chroma: embedded in a folder, or on a Chroma server. The same code for both."""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from localagent.errors import FingerprintMismatch, IndexDamaged, LocalAgentError
from localagent.files import private_folder
from localagent.memory.chroma_errors import ChromaErrors, Translation, of_folder, of_server
from localagent.memory.chroma_package import load_chromadb
from localagent.memory.chroma_server import ChromaServer as ChromaServer
from localagent.memory.chroma_server import connect
from localagent.memory.embedding import Fingerprint, Vectors
from localagent.memory.filters import Filter, to_json
from localagent.memory.index import Hit, Item

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection
    from chromadb.api.types import Include, Where

T = TypeVar("T")

# Items in one call; Chroma takes 5,461 and is as fast with these.
BATCH = 250
# Keys in one call.
PAGE = 20_000
# Which home an item came from: the only key of metadata that is not the caller's alone.
HOME = "home"
# Against Chroma's defaults (16 neighbours, 100, 100), on 20,000 vectors of 384 numbers: of the 150 nearest it finds
# 0.99 instead of 0.93; building takes a fifth longer. Among 100,000 as texts have them, a search of 128 finds 0.985 of
# the 100 nearest and all of the ten nearest; one of 200 finds 0.993, and takes a tenth to a third longer.
_EF_SEARCH = 128
_HNSW = {"space": "cosine", "max_neighbors": 24, "ef_construction": 200, "ef_search": _EF_SEARCH}


class ChromaIndex:
    """One tenant's collection. Its name is a hash, so that a tenant may be called anything."""

    def __init__(
        self,
        client: Client,
        translation: Translation,
        where: str,
        tenant: str,
        fingerprint: Fingerprint,
        *,
        replace_if_only_of: str = "",
    ) -> None:
        """Takes the client over: it is closed with this, also when this fails."""
        self._client = client
        self._translation = translation
        self._where = where
        self._fingerprint = fingerprint
        self._closed = False
        try:
            with self._errors():
                self._collection = self._opened(collection_name(tenant), replace_if_only_of)
        except LocalAgentError:
            self.close()
            raise

    @classmethod
    def in_folder(cls, folder: Path, tenant: str, fingerprint: Fingerprint) -> ChromaIndex:
        """Made if it is not there. This process must be the only one that has the folder open (see `owner`): two lose
        each other's vectors without an error."""
        settings = load_chromadb()
        private_folder(folder)
        translation = of_folder(folder)
        with ChromaErrors(translation):
            import chromadb

            client = chromadb.PersistentClient(str(folder), settings=settings(anonymized_telemetry=False))
        # The function promises less than it returns.
        return cls(cast("Client", client), translation, str(folder), tenant, fingerprint)

    @classmethod
    def on_server(
        cls, server: ChromaServer, tenant: str, fingerprint: Fingerprint, *, replace_if_only_of: str = ""
    ) -> ChromaIndex:
        """Any number of processes and machines may. Another embedder's collection is replaced if it holds nothing but
        what is of this home."""
        translation = of_server(server.url)
        with ChromaErrors(translation):
            client = connect(server)
        return cls(client, translation, server.url, tenant, fingerprint, replace_if_only_of=replace_if_only_of)

    def upsert(self, items: Sequence[Item]) -> None:
        import numpy as np

        unique = list({item.key: item for item in items}.values())
        for batch in _slices(unique, BATCH):
            with self._errors():
                self._collection.upsert(
                    ids=[item.key for item in batch],
                    embeddings=np.stack([item.vector for item in batch]).astype(np.float32),
                    documents=[_plain(item.text) for item in batch],
                    metadatas=[_metadata(item) for item in batch],
                )

    def delete(self, keys: Sequence[str]) -> None:
        for batch in _slices(list(dict.fromkeys(keys)), BATCH):
            with self._errors():
                self._collection.delete(ids=batch)

    def query(self, vector: Vectors, limit: int, where: Filter | None = None, *, full: bool = False) -> list[Hit]:
        import numpy as np

        if limit <= 0:
            return []
        include = cast("Include", ["distances", "documents", "metadatas"] if full else ["distances"])
        with self._errors():
            found = self._collection.query(
                query_embeddings=vector[np.newaxis],
                n_results=limit,
                where=None if where is None else cast("Where", to_json(where)),
                include=include,
            )
            near = zip(found["ids"][0], _first(found["distances"]), strict=True)
            hits = [Hit(key, _cosine(distance)) for key, distance in near]
            if not full:
                return hits
            told = zip(hits, _first(found["documents"]), _first(found["metadatas"]), strict=True)
        return [
            hit._replace(text=text or "", metadata=cast("Mapping[str, str | int | float | bool]", metadata or {}))
            for hit, text, metadata in told
        ]

    def keys(self, home: str = "") -> Iterator[str]:
        """Those of one home alone if it is given."""
        where = cast("Where", {HOME: home}) if home else None
        offset = 0
        while True:
            with self._errors():
                page = self._collection.get(where=where, limit=PAGE, offset=offset, include=[])["ids"]
            yield from page
            offset += len(page)
            if len(page) < PAGE:
                return

    def get(self, keys: Sequence[str]) -> dict[str, Hit]:
        """Texts and metadata by key (`cosine` 0), of those that are there."""
        found: dict[str, Hit] = {}
        for batch in _slices(list(dict.fromkeys(keys)), BATCH):
            with self._errors():
                page = self._collection.get(ids=batch, include=["documents", "metadatas"])
                for key, text, metadata in zip(
                    page["ids"], page["documents"] or (), page["metadatas"] or (), strict=True
                ):
                    values = cast("Mapping[str, str | int | float | bool]", metadata or {})
                    found[key] = Hit(key, 0.0, text or "", values)
        return found

    def count(self) -> int:
        with self._errors():
            return self._collection.count()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            with self._errors():
                self._client.close()

    def _errors(self) -> ChromaErrors:
        return ChromaErrors(self._translation)

    def _opened(self, name: str, replace_if_only_of: str) -> Collection:
        from chromadb.errors import NotFoundError

        try:
            collection = self._client.get_collection(name, embedding_function=None)
        except NotFoundError:
            collection = self._made(name)
        try:
            self._check(collection)
        except FingerprintMismatch:
            others = cast("Where", {HOME: {"$ne": replace_if_only_of}})
            if not replace_if_only_of or collection.get(where=others, limit=1, include=[])["ids"]:
                raise
            self._client.delete_collection(name)
            collection = self._made(name)
            self._check(collection)
        hnsw = collection.configuration_json.get("hnsw")
        if hnsw and hnsw.get("ef_search") != _EF_SEARCH:  # made by a version that searched more or less
            with warnings.catch_warnings():  # that nothing is said of how it embeds
                warnings.simplefilter("ignore", DeprecationWarning)
                collection.modify(configuration={"hnsw": {"ef_search": _EF_SEARCH}})
        return collection

    def _made(self, name: str) -> Collection:
        """`get_or_`: another process may be quicker. What is there already stays as it was made."""
        return self._client.get_or_create_collection(
            name,
            metadata=_described(self._fingerprint),
            configuration=cast("CreateCollectionConfiguration", {"hnsw": _HNSW}),
            embedding_function=None,
        )

    def _check(self, collection: Collection) -> None:
        made = dict(collection.metadata or {})
        if made == _described(self._fingerprint) and _space(collection) == "cosine":
            return
        name, version, dimension = (made.get(key) for key in _described(self._fingerprint))
        if name is None or _space(collection) != "cosine":
            raise IndexDamaged("this index was not made by localagent", where=self._where, hint="It is built anew.")
        raise FingerprintMismatch(
            f"this index is of the embedder {name} {version} ({dimension}), and {self._fingerprint} is in use",
            where=self._where,
            hint=f"`localagent memory reindex --embedder {name}` takes the index's; who shares an index shares an "
            "embedder. Until then only this machine's own memory is searched.",
        )


def collection_name(tenant: str) -> str:
    digest = hashlib.sha256(tenant.encode("utf-8", "surrogatepass")).hexdigest()
    return f"localagent-{digest[:32]}"


def _described(fingerprint: Fingerprint) -> dict[str, str | int]:
    """A collection's own metadata."""
    return {
        "localagent_embedder": _plain(fingerprint.name),
        "localagent_version": _plain(fingerprint.version),
        "localagent_dimension": fingerprint.dimension,
    }


def _space(collection: Collection) -> str:
    configuration = collection.configuration_json
    # A distributed Chroma makes its own kind of index of it.
    for kind in ("hnsw", "spann"):
        if part := configuration.get(kind):
            return str(part.get("space"))
    return ""


def _metadata(item: Item) -> dict[str, str | int | float | bool]:
    return {
        key: _plain(value) if isinstance(value, str) else value
        for key, value in item.metadata.items()
        if not isinstance(value, float) or math.isfinite(value)
    }


def _cosine(distance: float) -> float:
    return max(-1.0, min(1.0, 1.0 - float(distance)))


def _plain(text: str) -> str:
    """A lone surrogate has no UTF-8, and Chroma's SQLite would end a text at its first NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")


def _first(lists: Sequence[Sequence[T]] | None) -> Sequence[T]:
    if lists is None:
        raise ValueError("the answer lacks what was asked for")
    return lists[0]


def _slices(values: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(values), size):
        yield list(values[start : start + size])
