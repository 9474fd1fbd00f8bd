"""A process of its own that opens the folder of an index and searches in it: damage ends this one, not the chat.

    owner_probe.py FOLDER COLLECTION TIMEOUT

Standard input: a JSON object of vectors by their keys. Ends with 0 if a search for each vector finds its key, and
after TIMEOUT seconds in any case: whoever waits for it may be gone, and it has the lock.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from localagent.memory.chroma_package import load_chromadb

if TYPE_CHECKING:
    from chromadb.api.client import Client

# Equal vectors are no further apart than rounding makes them.
_SAME = 1e-3
_AT_ONCE = 100


def main(folder: str, name: str, sample: Mapping[str, Sequence[float]]) -> None:
    settings = load_chromadb()
    import chromadb
    import numpy as np

    client = chromadb.PersistentClient(folder, settings=settings(anonymized_telemetry=False))
    with cast("Client", client):
        if not sample:  # nothing of this tenant is in it
            return
        collection = client.get_collection(name, embedding_function=None)
        keys = list(sample)
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            vectors = np.array([sample[key] for key in some], np.float32)
            found = collection.query(query_embeddings=vectors, n_results=10, include=["distances"])
            for key, near, distances in zip(some, found["ids"], found["distances"] or (), strict=True):
                # Of many equal ones, ten others may come first.
                if not near or distances[0] > _SAME or (key not in near and distances[-1] > _SAME):
                    raise ValueError(f"{key} is not found by its own vector")


if __name__ == "__main__":
    clock = threading.Timer(float(sys.argv[3]), os._exit, (2,))
    clock.daemon = True
    clock.start()
    main(sys.argv[1], sys.argv[2], json.load(sys.stdin))
