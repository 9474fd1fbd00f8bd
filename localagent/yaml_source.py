"""YAML with places: what stands in a file, and the line and column of every key and value.

Nothing here raises: whatever the bytes are, `parse` returns a document, and its faults say what is wrong where. Plain
words are read as people mean them: `yes`/`off` as in YAML 1.1, numbers as in YAML 1.2 (1e-1 is one, 08192 and 1:30
are not), dates as text. Anchors work but cannot make a document grow without bounds.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from localagent.messages import JsonValue

KeyPath: TypeAlias = tuple[str | int, ...]

MAX_BYTES = 256 * 1024
MAX_DEPTH = 30
MAX_NODES = 5000

_TAG = "tag:yaml.org,2002:"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"))
_FALSE = frozenset(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"))
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9_]{0,400}|0x[0-9a-fA-F][0-9a-fA-F_]{0,99}|0o[0-7][0-7_]{0,99})")
_NUMBER = re.compile(r"[-+]?(\.[0-9_]+|[0-9][0-9_]*\.[0-9_]*)([eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+")
_INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)")
_UNFIT = re.compile("[\0\ud800-\udfff]")
# Only after what looks like a key: Chinese prose in a block of text has such colons, too.
_WIDE_COLON = re.compile(r"^[ \t-]*[a-z_]+[ \t]*(：)", re.MULTILINE)
_OTHER_ENCODINGS = ((codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"))


@dataclass(frozen=True, slots=True)
class Place:
    """Both count from 1; the column in characters."""

    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Fault:
    """`path` is the key concerned, empty if there is none."""

    place: Place
    path: KeyPath
    message: str


@dataclass(slots=True)
class Document:
    """`words` holds the scalars as they were written. After a fault of syntax `data` is None and `broken` is set."""

    data: JsonValue = None
    broken: bool = False
    faults: list[Fault] = field(default_factory=list)
    keys: dict[KeyPath, Place] = field(default_factory=dict)
    values: dict[KeyPath, Place] = field(default_factory=dict)
    words: dict[KeyPath, str] = field(default_factory=dict)


def dotted(path: KeyPath) -> str:
    """`model.num_ctx`, `tools[2]`: the file's own first key `agent` is left out, as in `--set`."""
    parts = path[1:] if len(path) > 1 and path[0] == "agent" else path
    return "".join(f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in parts).removeprefix(".")


def shown(text: str) -> str:
    """A name as it can stand in a line of output: what is not printable is escaped, undecoded bytes are decoded."""
    try:
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if text.isprintable() else repr(text)[1:-1]


def parse(source: bytes) -> Document:
    """Read one document; an empty file is a document whose data is None. See `Document` for what can be wrong."""
    document = Document()
    text = _decode(source, document)
    if text is None:
        return document
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        place = _place(error.problem_mark or error.context_mark)
        _break(document, place, _in_words(error, text, place), text)
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the scanner lets some bad escapes through
        _break(document, Place(loader.line + 1, loader.column + 1), f"not valid YAML: {error}", text)
    else:
        if node is not None:
            document.data = _Builder(document).build(node, ())
    loader.dispose()
    return document


def plain_value(word: str) -> JsonValue:
    """What an unquoted word means."""
    if word in _NULL:
        return None
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    if _WHOLE.fullmatch(word):
        return int(word.replace("_", ""), 0)
    if _NUMBER.fullmatch(word):
        return _float(word)
    if found := _INFINITE.fullmatch(word):
        return -math.inf if found[1] == "-" else math.inf
    return math.nan if word in (".nan", ".NaN", ".NAN") else word


def _float(word: str) -> JsonValue:
    try:
        return float(word.replace("_", ""))
    except ValueError:  # nothing but underscores after the point
        return word


def _break(document: Document, place: Place, message: str, text: str = "") -> None:
    """Full-width colons look right to whoever typed them: name them before the consequence they have."""
    if found := _WIDE_COLON.search(text):
        place, message = _place_in(text, found.start(1)), "a full-width colon (：) where YAML needs ':' and a space"
    document.broken = True
    document.faults.append(Fault(place, (), message))


def _decode(source: bytes, document: Document) -> str | None:
    if len(source) > MAX_BYTES:
        _break(document, Place(), f"larger than {MAX_BYTES // 1024} KiB: not a configuration")
        return None
    for mark, name in _OTHER_ENCODINGS:
        if source.startswith(mark):
            _break(document, Place(), f"the file is {name}; save it as UTF-8")
            return None
    source = source.removeprefix(codecs.BOM_UTF8)
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        before = source[: error.start].decode("utf-8")
        place = _place_in(before, len(before))
        _break(document, place, f"the byte 0x{source[error.start]:02x} is not UTF-8; save the file as UTF-8")
        return None
    if bad := yaml.reader.Reader.NON_PRINTABLE.search(text):
        place = _place_in(text, bad.start())
        _break(document, place, f"the character U+{ord(bad.group()):04X} cannot be in a YAML file")
        return None
    return text


def _place_in(text: str, index: int) -> Place:
    lines = re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text[:index])
    return Place(len(lines), len(lines[-1]) + 1)


def _place(mark: yaml.Mark | None) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark else Place()


def _in_words(error: yaml.MarkedYAMLError, text: str, place: Place) -> str:
    problem = error.problem or error.context or "unreadable"
    if "'\\t'" in problem:
        return "a tab; YAML is indented with spaces"
    if problem.startswith("but found another document"):
        return "a second document (---); the file must hold one"
    if problem.startswith("mapping values are not allowed"):
        return "not valid YAML: a ':' where no key can be; check the indentation, or put the text in quotes"
    return f"not valid YAML: {problem}"


class _Loader(yaml.SafeLoader):
    """Composes nodes, to a bounded depth, with our reading of plain words."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0
        self._nodes = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self._depth += 1
        self._nodes += 1
        if self._depth > MAX_DEPTH or self._nodes > MAX_NODES:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            deep = self._depth > MAX_DEPTH
            problem = f"nested more than {MAX_DEPTH} levels deep" if deep else f"more than {MAX_NODES} keys and values"
            raise yaml.composer.ComposerError(None, None, problem, mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def resolve(self, kind: type[Node], value: str, implicit: tuple[bool, bool] | bool) -> str:
        if kind is ScalarNode and isinstance(implicit, tuple) and implicit[0]:
            return f"{_TAG}plain"
        return {ScalarNode: f"{_TAG}str", SequenceNode: f"{_TAG}seq"}.get(kind, f"{_TAG}map")


class _Builder:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._nodes = 0

    def build(self, node: Node, path: KeyPath) -> JsonValue:
        """The node's value; what is wrong with it is noted, and its value is then null."""
        place = self._document.values[path] = _place(node.start_mark)
        self._nodes += 1
        if self._nodes > MAX_NODES or len(path) > MAX_DEPTH:
            if not self._document.broken:
                self._fault(place, (), "aliases make the document endless, or larger than any configuration")
            self._document.broken = True
            return None
        if isinstance(node, MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, path)
        if isinstance(node, SequenceNode) and node.tag == f"{_TAG}seq":
            return [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
        if isinstance(node, ScalarNode):
            return self._scalar(node, path, place)
        return self._fault(place, path, f"the tag {_tag(node)} is not supported")

    def _mapping(self, node: MappingNode, path: KeyPath) -> Mapping[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            place = _place(key_node.start_mark)
            if not isinstance(key_node, ScalarNode):
                self._fault(place, path, "a key must be a word")
                continue
            key = key_node.value
            inner = (*path, key)
            if key == "<<" and key_node.style is None:
                self._fault(place, path, "merge keys (<<) are not supported; write the keys out")
            elif key in found:
                self._fault(place, inner, f"given twice; the first is in line {self._document.keys[inner].line}")
            else:
                self._document.keys[inner] = place
                found[key] = self.build(value_node, inner)
            if self._document.broken:
                break
        return found

    def _scalar(self, node: ScalarNode, path: KeyPath, place: Place) -> JsonValue:
        word: str = node.value
        self._document.words[path] = word
        if bad := _UNFIT.search(word):
            return self._fault(place, path, f"the character U+{ord(bad.group()):04X} cannot be used")
        if node.tag == f"{_TAG}str":
            return word
        value = plain_value(word)
        kinds = {"plain": object, "int": int, "float": float, "bool": bool, "null": type(None)}
        wanted = kinds.get(node.tag.removeprefix(_TAG))
        if wanted is None:
            return self._fault(place, path, f"the tag {_tag(node)} is not supported")
        if not isinstance(value, wanted):
            return self._fault(place, path, f"{word!r} is not a value of the tag {_tag(node)}")
        return value

    def _fault(self, place: Place, path: KeyPath, message: str) -> JsonValue:
        self._document.faults.append(Fault(place, path, message))
        return None


def _tag(node: Node) -> str:
    return repr(node.tag.replace(_TAG, "!!"))
