"""The text of a file that is taken in: plain text, Markdown by its headings, PDF by its pages."""

from __future__ import annotations

import codecs
import io
import logging
import re
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.errors import UsageError

MAX_BYTES = 50 * 1024 * 1024
# Of a heading; what is longer is a paragraph that looks like one.
MAX_HEADING = 200

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>|]|\d+[.)])|\t| {4}")
# What pypdf lets through beside its own errors, for files that are damaged in one way or another.
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError)
_MORE_DAMAGE = (OSError, EOFError, MemoryError, NotImplementedError, RuntimeError, zlib.error, struct.error)


@dataclass(frozen=True, slots=True)
class Section:
    """`headings`: those it stands under, the outermost first. `page` from 1; 0 where there are no pages."""

    text: str
    headings: tuple[str, ...] = ()
    page: int = 0


def read_bytes(path: Path) -> bytes:
    """A regular file of at most 50 MB. Raises UsageError."""
    try:
        status = path.stat()
        # Before it is opened: a pipe would wait for somebody who writes.
        if not stat.S_ISREG(status.st_mode):
            raise UsageError("it is not a file", where=str(path))
        if status.st_size > MAX_BYTES:
            size, most = (count / 1024 / 1024 for count in (status.st_size, MAX_BYTES))
            message = f"it has {size:.0f} MB; files of up to {most:.0f} MB can be taken in"
            raise UsageError(message, where=str(path), hint="Split it.")
        with path.open("rb") as file:
            return file.read(MAX_BYTES)
    except (OSError, ValueError) as error:  # ValueError: a NUL in its name
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the file cannot be read: {reason}", where=str(path)) from error


def sections(data: bytes, path: Path, abort: AbortSignal) -> list[Section]:
    """Those with text in them, in order. Raises UsageError for what is no text, and Aborted."""
    if data.lstrip()[:5] == b"%PDF-" or path.suffix.lower() == ".pdf":
        found = list(_pages(data, path, abort))
        if not any(section.text.strip() for section in found):
            raise UsageError(
                "no page of this PDF has text: it is probably scanned",
                where=str(path),
                hint="Run it through a program that recognises text (OCR), and take in what that makes.",
            )
        return found
    text = _decoded(data, path)
    if not text.strip():
        raise UsageError("there is nothing in it", where=str(path))
    if path.suffix.lower() in (".md", ".markdown"):
        return list(_by_headings(text))
    return [Section(text)]


def _decoded(data: bytes, path: Path) -> str:
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError as error:
        if b"\0" in data:
            raise _binary(path) from error
        raise UsageError(
            f"it is not UTF-8 text (byte {error.start + len(bom) + 1})",
            where=str(path),
            hint="Convert it first, for example: iconv -f GB18030 -t UTF-8 OLD > NEW",
        ) from error
    if "\0" in text:
        raise _binary(path)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _binary(path: Path) -> UsageError:
    return UsageError(
        "it is no text but a binary file", where=str(path), hint="Text, Markdown and PDF can be taken in."
    )


def _by_headings(text: str) -> Iterator[Section]:
    """A heading without text of its own comes with what stands under it, or alone where nothing does."""
    path: list[tuple[int, str]] = []
    body: list[str] = []
    parts: list[tuple[tuple[str, ...], str]] = []

    def finish() -> None:
        parts.append((tuple(heading for _, heading in path), "\n".join(body).strip("\n")))
        body.clear()

    for level, line in _lines(text):
        if not level:
            body.append(line)
            continue
        finish()
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, line))
    finish()
    for position, (headings, content) in enumerate(parts):
        below = parts[position + 1][0][: len(headings)] if position + 1 < len(parts) else ()
        if content.strip() or (headings and below != headings):
            yield Section(content, headings)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines, and headings with their level (1-6; 0: no heading). Inside fences there are none."""
    fence = ""
    held: str | None = None  # a line that becomes a heading if it is underlined
    lines = text.split("\n")
    after_gap = True  # what is underlined is a heading where it stands alone
    front_matter = lines[0].rstrip() == "---" and "---" in (line.rstrip() for line in lines[1:200])
    for position, line in enumerate(lines):
        if front_matter:
            front_matter = position == 0 or line.rstrip() != "---"
            yield 0, line
            continue
        mark = _FENCE.match(line)
        if fence or mark:
            if held is not None:
                yield 0, held
                held = None
            if not fence and mark:
                fence = mark[1]
            elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
            yield 0, line
            continue
        underline, heading = _UNDERLINE.match(line), _ATX.match(line)
        if held is not None and underline:
            yield 1 if underline[1][0] == "=" else 2, held.strip()
            held = None
            continue
        if held is not None:
            yield 0, held
            held = None
        if heading and heading[2] and len(heading[2]) <= MAX_HEADING:
            yield len(heading[1]), heading[2].strip()
        elif after_gap and line.strip() and len(line) <= MAX_HEADING and not _NO_PARAGRAPH.match(line):
            held = line
        else:
            yield 0, line
        after_gap = not line.strip() or bool(heading)
    if held is not None:
        yield 0, held


def _pages(data: bytes, path: Path, abort: AbortSignal) -> Iterator[Section]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    # It tells of everything that is odd in a file; we say what cannot be read.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    damage = (PyPdfError, *_DAMAGE, *_MORE_DAMAGE)
    protected = UsageError(
        "this PDF is protected with a password", where=str(path), hint="Save a copy without one and take that in."
    )
    try:
        reader = PdfReader(io.BytesIO(data))
        # Many are encrypted with an empty password: everybody may read them.
        if reader.is_encrypted and not reader.decrypt(""):
            raise protected
        count = len(reader.pages)
    except DependencyError as error:
        raise protected from error
    except damage as error:
        raise _damaged(path, "", error) from error
    for number in range(count):
        abort.raise_if_aborted()
        try:
            text = reader.pages[number].extract_text()
        except damage as error:
            raise _damaged(path, f"page {number + 1}: ", error) from error
        yield Section(text, page=number + 1)


def _damaged(path: Path, place: str, error: BaseException) -> UsageError:
    reason = str(error) or type(error).__name__
    return UsageError(
        f"this PDF is damaged or not one ({place}{reason[:200]})",
        where=str(path),
        hint="Open it in a viewer and save it anew, or convert it to text.",
    )
