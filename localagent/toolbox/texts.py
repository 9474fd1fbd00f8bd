"""The text in a file's bytes."""

from __future__ import annotations

import codecs

# Between them they mark nearly every file that is no text.
_SNIFFED = 8192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KINDS = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "an SQLite database"),
)
# Of Python, but of no document; some take minutes for a megabyte.
_NO_CHARSETS = ("punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined")


def is_charset(name: str) -> bool:
    """Whether texts are written in what is called so."""
    try:
        return codecs.lookup(name).name.replace("-", "_") not in _NO_CHARSETS
    except (LookupError, ValueError):  # ValueError: a NUL
        return False


def encoding_of(content: bytes) -> str:
    """By the mark of order at its beginning, else UTF-8."""
    return next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")


def kind_of(content: bytes) -> str:
    """What a file is that is no text, in words; empty if it may be one."""
    kind = next((kind for start, kind in _KINDS if content.startswith(start)), "")
    binary = encoding_of(content) == "utf-8" and b"\0" in content[:_SNIFFED]
    return kind or ("a binary file" if binary else "")


def decoded(content: bytes, name: str, encoding: str | None = None) -> str:
    """The text with its line ends as they are. Raises ValueError, in words the model can act on, for what is no text,
    or not in this encoding (None: what its mark says, else UTF-8)."""
    used = encoding or encoding_of(content)
    kind = kind_of(content) if used == "utf-8" else ""
    if kind:
        raise ValueError(f"{name} is {kind} of {len(content):,} bytes, not text.")
    unknown = f"There is no encoding {used[:60]!r}. Try utf-8, gb18030, big5, shift_jis or latin-1."
    if not is_charset(used):
        raise ValueError(unknown)
    try:
        return content.decode(used)
    except LookupError as error:  # it makes no text of bytes
        raise ValueError(unknown) from error
    except ValueError as error:
        at = getattr(error, "start", 0)
        raise ValueError(
            f"{name} is not in {used} (byte {at:,} cannot be read). Call again with encoding: gb18030 for Chinese of "
            "Windows, big5, shift_jis, or latin-1, which reads anything."
        ) from error
