"""A process of its own that opens the folder of an index and searches in it: damage ends this one, not the chat.

    owner_probe.py FOLDER COLLECTION DIMENSION

Ends with 0 if all went well.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from localagent.memory.chroma_package import load_chromadb

if TYPE_CHECKING:
    from chromadb.api.client import Client


def main(folder: str, name: str, dimension: int) -> None:
    settings = load_chromadb()
    import chromadb
    import numpy as np
    from chromadb.errors import NotFoundError

    client = chromadb.PersistentClient(folder, settings=settings(anonymized_telemetry=False))
    with cast("Client", client):
        try:
            collection = client.get_collection(name, embedding_function=None)
        except NotFoundError:  # another tenant's folder so far
            return
        count = collection.count()
        vectors = np.random.default_rng(1).standard_normal((3, dimension)).astype(np.float32)
        found = collection.query(query_embeddings=vectors, n_results=min(10, max(1, count)), include=["distances"])
        if any(len(keys) < min(10, count) for keys in found["ids"]):
            raise ValueError("it does not find what it claims to have")
        page = collection.get(limit=100, include=["documents", "metadatas", "embeddings"])
        if len(page["ids"]) < min(100, count):
            raise ValueError("it does not list what it claims to have")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
