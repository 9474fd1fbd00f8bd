"""What a GGUF file says about itself, read without loading it: enough to know what is wrong with a bad one, how long
a window the model was trained for, how much memory a window takes, and which texts are control tokens.

The layout is the one of the GGUF specification, versions 2 and 3 (little-endian): magic, version, number of tensors,
number of metadata pairs, the pairs, the tensors' descriptions, padding, the tensors.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from localagent.errors import ModelMissing, StorageError

Scalar: TypeAlias = "bool | int | float | str"

_FIXED: Final = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
# Bytes of a block of so many elements, by the type number of a tensor. An unknown type only weakens the check of the
# file's size.
_BLOCK_BYTES: Final[Mapping[int, Mapping[int, int]]] = {
    1: {0: 4, 1: 2, 24: 1, 25: 2, 26: 4, 27: 8, 28: 8, 30: 2},
    32: {2: 18, 3: 20, 6: 22, 7: 24, 8: 34, 9: 36, 20: 18, 39: 17},
    256: dict(enumerate((84, 110, 144, 176, 210, 292, 66, 74, 98, 50), 10))
    | {21: 110, 22: 82, 23: 136, 29: 56}
    | {34: 54, 35: 66},
}
_BLOCKS: Final = {kind: (n, size) for n, sizes in _BLOCK_BYTES.items() for kind, size in sizes.items()}
_MAX_DIMENSIONS = 4
_UNKNOWN_TOKEN, _CONTROL_TOKEN, _USER_DEFINED_TOKEN = 2, 3, 4
_DOWNLOAD_AGAIN = "Fetch the file again"


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """`size` is what the file must have at least, in bytes. `control_tokens` are texts the tokenizer turns into
    control tokens wherever they occur; `user_tokens` are the tokens a model's maker added to the vocabulary."""

    metadata: Mapping[str, Scalar]
    control_tokens: tuple[str, ...]
    user_tokens: tuple[str, ...]
    size: int

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", "unknown"))

    @property
    def trained_window(self) -> int | None:
        """Tokens; None where the file does not say."""
        return self._number("context_length")

    def cache_bytes(self, window: int) -> int:
        """Memory of the key-value cache for a window of so many tokens; 0 where the file does not say enough."""
        layers, heads, width = self._number("block_count"), self._number("attention.head_count"), None
        embedding = self._number("embedding_length")
        if heads and embedding:
            width = embedding // heads
        kv_heads = self._number("attention.head_count_kv") or heads
        key = self._number("attention.key_length") or width
        value = self._number("attention.value_length") or width
        if not (layers and kv_heads and key and value):
            return 0
        half_precision = 2
        return window * layers * kv_heads * (key + value) * half_precision

    def _number(self, name: str) -> int | None:
        value = self.metadata.get(f"{self.architecture}.{name}")
        return value if isinstance(value, int) else None


@contextlib.contextmanager
def model_file_errors(path: Path) -> Iterator[None]:
    """Errors of the system leave the block as `ModelMissing` when there is no such file, else as `StorageError`."""
    try:
        yield
    except FileNotFoundError:
        raise _no_file(path) from None
    except OSError as error:
        raise StorageError(
            f"the model file cannot be read: {error.strerror or error}",
            where=str(path),
            hint="Check that you may read it, and the disk it lies on",
        ) from error


def read_header(path: Path) -> GgufHeader:
    """Raises `ModelMissing` when the file is missing, not a GGUF, or cut short; `StorageError` when it cannot be
    read."""
    where = str(path)
    if "\0" in where:
        raise _no_file(path)
    with model_file_errors(path):
        if path.is_dir():
            raise ModelMissing("this is a folder, not a GGUF file", where=where, hint="Name the .gguf file in it")
        if path.exists() and not path.is_file():
            raise ModelMissing("this is not a regular file", where=where, hint="Name a .gguf file")
        with path.open("rb") as file:
            _check_magic(file.read(64), where)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as buffer:
                header = _Reader(buffer, where).header()
                _check_size(len(buffer), header, where)
    return header


def _no_file(path: Path) -> ModelMissing:
    return ModelMissing(
        "there is no such file", where=str(path), hint="Check model.model_name, or see `localagent models list`"
    )


def _check_magic(start: bytes, where: str) -> None:
    if start[:4] == b"GGUF":
        return
    if not start:
        raise ModelMissing("the model file is empty", where=where, hint=_DOWNLOAD_AGAIN)
    if start.startswith(b"version https://git-lfs"):
        raise ModelMissing("this is a pointer of Git LFS, not the model itself", where=where, hint="Run `git lfs pull`")
    raise ModelMissing("this is not a GGUF file", where=where, hint="Models are files of the GGUF format (*.gguf)")


def _check_size(size: int, header: GgufHeader, where: str) -> None:
    if size < header.size:
        raise ModelMissing(
            f"the model file is cut short: it has {size:,} of {header.size:,} bytes", where=where, hint=_DOWNLOAD_AGAIN
        )


class _Reader:
    def __init__(self, buffer: mmap.mmap, where: str) -> None:
        self._buffer = buffer
        self._where = where
        self._at = 4
        self._tokens: list[bytes] = []
        self._kinds: tuple[int, ...] = ()

    def header(self) -> GgufHeader:
        try:
            version = self._fixed("<I")
            if version not in (2, 3):
                raise ModelMissing(
                    f"version {version} of the GGUF format is not supported",
                    where=self._where,
                    hint="Use a little-endian GGUF file of version 2 or 3",
                )
            tensors, pairs = int(self._fixed("<Q")), int(self._fixed("<Q"))
            metadata = dict(pair for _ in range(pairs) if (pair := self._pair()) is not None)
            return GgufHeader(metadata, *self._special_tokens(), self._end_of_tensors(tensors, metadata))
        except (struct.error, OverflowError, KeyError):
            raise ModelMissing(
                "the model file is cut short or damaged: its header does not end",
                where=self._where,
                hint=_DOWNLOAD_AGAIN,
            ) from None

    def _fixed(self, layout: str) -> bool | int | float:
        value: bool | int | float = struct.unpack_from(layout, self._buffer, self._at)[0]
        self._at += struct.calcsize(layout)
        return value

    def _string(self) -> str:
        length = int(self._fixed("<Q"))
        start, self._at = self._at, self._at + length
        return self._buffer[start : self._at].decode("utf-8", "replace")

    def _pair(self) -> tuple[str, Scalar] | None:
        """One metadata pair; None for arrays, of which only the vocabulary is kept."""
        key, kind = self._string(), self._fixed("<I")
        if kind == _STRING:
            return key, self._string()
        if kind == _ARRAY:
            self._array(key)
            return None
        return key, self._fixed(_FIXED[int(kind)])

    def _array(self, key: str) -> None:
        kind, length = int(self._fixed("<I")), int(self._fixed("<Q"))
        if kind == _STRING:
            texts = self._strings(length)
            if key == "tokenizer.ggml.tokens":
                self._tokens = texts
        else:
            layout = _FIXED[kind]
            if key == "tokenizer.ggml.token_type":
                self._kinds = struct.unpack_from(f"<{length}{layout[1]}", self._buffer, self._at)
            self._at += length * struct.calcsize(layout)

    def _strings(self, count: int) -> list[bytes]:
        # A vocabulary has some hundred thousand entries: the loop is kept tight.
        buffer, at, texts = self._buffer, self._at, []
        unpack = struct.Struct("<Q").unpack_from
        for _ in range(count):
            start = at + 8
            at = start + unpack(buffer, at)[0]
            texts.append(buffer[start:at])
        self._at = at
        return texts

    def _special_tokens(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        pairs = list(zip(self._tokens, self._kinds, strict=False))
        control = (text for text, kind in pairs if kind in (_UNKNOWN_TOKEN, _CONTROL_TOKEN))
        user = (text for text, kind in pairs if kind == _USER_DEFINED_TOKEN)
        return tuple(text.decode("utf-8", "replace") for text in control), tuple(
            text.decode("utf-8", "replace") for text in user
        )

    def _end_of_tensors(self, count: int, metadata: Mapping[str, Scalar]) -> int:
        end = 0
        for _ in range(count):
            self._string()
            dimensions = int(self._fixed("<I"))
            if dimensions > _MAX_DIMENSIONS:
                raise KeyError(dimensions)
            elements = math.prod(int(self._fixed("<Q")) for _ in range(dimensions))
            per_block, block_bytes = _BLOCKS.get(int(self._fixed("<I")), (1, 0))
            end = max(end, int(self._fixed("<Q")) + elements // per_block * block_bytes)
        alignment = metadata.get("general.alignment")
        padding = alignment if isinstance(alignment, int) and alignment > 0 else 32
        return -(-self._at // padding) * padding + end
