"""From what was written to a valid configuration: the file, then LOCALAGENT_* variables, then flags.

Each value keeps its origin, and each fault its place: file:line:column, the flag, or the variable.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from localagent.config import SECTIONS, AgentConfig, leaves, lists_of, validate
from localagent.messages import JsonValue
from localagent.yaml_source import Document, KeyPath, dotted, parse, plain_value, shown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

PREFIX = "LOCALAGENT_"
# Variables of the program and its tests that name no key of agent.yaml.
RESERVED = frozenset(PREFIX + name for name in ("HOME", "AGENT", "EVAL_DATA", "TEST_MODELS"))
TOP_KEYS = tuple(dict.fromkeys(key.partition(".")[0] for key in leaves()))


@dataclass(frozen=True, slots=True)
class Problem:
    """`where` is file:line:column, a flag or a variable."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Override:
    """A dotted key, the text given for it, and who gave it: `flag --set`, `LOCALAGENT_MODEL_SEED`."""

    key: str
    text: str
    origin: str


@dataclass(slots=True)
class Evaluation:
    """`config` is None when there are problems. `origins` has every key of the schema, `places` those of the entries
    of each list, and of each section with a name of its own and what is in it (`agents.a`, `mcp_servers.x.env.K`)."""

    config: AgentConfig | None = None
    origins: dict[str, str] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def evaluate(document: Document, file: str, overrides: Iterable[Override]) -> Evaluation:
    """`file` is how the document is called in places. A later override of a key replaces an earlier one."""
    result = Evaluation(origins=dict.fromkeys(leaves(), "default"))
    reader = _Reader(document, file, result.problems)
    data = reader.agent()
    result.origins.update(reader.origins)
    given: dict[str, Override] = {}
    for override in overrides:
        if _apply(override, data, result.problems):
            result.origins[override.key] = override.origin
            given[override.key] = override
    if document.broken:
        return result
    from pydantic_core import ValidationError

    try:
        config = validate(data)
    except ValidationError as error:
        # An error of a union is reported once for each member: one message a key is enough.
        details = {_path(detail): detail for detail in reversed(error.errors(include_url=False))}
        result.problems += [_explain(path, detail, reader, given) for path, detail in reversed(details.items())]
    else:
        if not result.problems:
            result.config = config
            result.places = {
                key: [
                    _flag(given[key]) if key in given else reader.where_or_default(("agent", *key.split("."), index))
                    for index in range(len(entries))
                ]
                for key, entries in lists_of(config).items()
            }
            result.places.update(reader.inner_places())
    result.problems.sort(key=lambda problem: _line(problem, file))
    return result


def overrides_of(variables: Mapping[str, str]) -> tuple[list[Override], list[str]]:
    """The LOCALAGENT_* variables that set a key, and a notice for each that means nothing."""
    keys = {PREFIX + key.upper().replace(".", "_"): key for key in leaves()}
    found, notices = [], []
    for name, text in sorted(variables.items()):
        if name in keys:
            found.append(Override(keys[name], text, name))
        elif name.startswith(PREFIX) and name not in RESERVED:
            closest = nearest(name, (*keys, *RESERVED))
            hint = f"; the nearest one that does is {closest}" if closest else ""
            notices.append(f"the variable {shown(name)} sets nothing{hint}")
    return found, notices


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The most similar candidate, or "" if none is similar."""
    return next(iter(difflib.get_close_matches(word, list(candidates), 1, 0.6)), "")


def subject(key: str, where: str) -> str:
    """How what is said of a key begins at a place: a flag names it already."""
    return "" if where.endswith(f" {key}") else f"{key}: "


def _line(problem: Problem, file: str) -> tuple[bool, int]:
    """Problems of the file come first, in its order."""
    if not problem.where.startswith(f"{file}:"):
        return (True, 0)
    return (False, int(problem.where.rpartition(":")[0].rpartition(":")[2]))


class _Reader:
    """Walks a document along the schema; what it cannot use is noted as a problem and left out."""

    def __init__(self, document: Document, file: str, problems: list[Problem]) -> None:
        self.origins: dict[str, str] = {}
        self._document = document
        self._file = file
        self._problems = problems
        self._faulty = {fault.path for fault in document.faults}
        for fault in document.faults:
            key = dotted(fault.path)
            self._note(str(fault.place), f"{key}: {fault.message}" if key else fault.message)

    def agent(self) -> dict[str, object]:
        """What stands below `agent:`, with known keys only."""
        top = self._document.data
        if self._document.broken or () in self._faulty:
            return {}
        if top is None and not self._document.values:
            self._note("1:1", "the file is empty; the key 'agent' is expected")
        elif not isinstance(top, dict):
            self._note(self.place(()), f"the key 'agent' with a value is expected, not {self.found((), top)}")
        else:
            for key in top:
                if key in TOP_KEYS:
                    self._note(self.place((key,)), f"{key}: belongs below the key 'agent', indented")
                elif key != "agent":
                    self._unknown((key,), ("agent",))
            if "agent" in top:
                return self._section(top["agent"], ("agent",), TOP_KEYS)
            if not top:
                self._note("1:1", "the key 'agent' is missing")
        return {}

    def place(self, path: KeyPath) -> str:
        """Of the key, for an unknown one or an origin; of the value if it has no key."""
        places = self._document.keys if path in self._document.keys else self._document.values
        return str(places.get(path, "1:1"))

    def where_or_default(self, path: KeyPath) -> str:
        """The place of a value, which the file need not have."""
        return self.where(path) if path in self._document.values else "default"

    def where(self, path: KeyPath) -> str:
        """The place of a value."""
        return f"{self._file}:{self._document.values[path]}"

    def key_place(self, path: KeyPath) -> str:
        return f"{self._file}:{self.place(path)}"

    def inner_places(self) -> dict[str, list[str]]:
        """Of the sections that have a name of their own, and of the values in them."""
        found: dict[str, list[str]] = {}
        for path in self._document.values:
            if 3 <= len(path) <= 5 and path[0] == "agent" and _has_inner(path[1:]):
                found[dotted(path)] = [self.key_place(path) if len(path) == 3 else self.where(path)]
        return found

    def found(self, path: KeyPath, value: JsonValue) -> str:
        return describe(value, self._document.words.get(path, ""))

    def value(self, path: KeyPath) -> JsonValue:
        value = self._document.data
        for part in path:
            if isinstance(value, dict):
                value = value.get(str(part))
            elif isinstance(value, list) and isinstance(part, int):
                value = value[part]
        return value

    def _section(self, value: JsonValue, path: KeyPath, known: Iterable[str]) -> dict[str, object]:
        if path in self._faulty:
            return {}
        if not isinstance(value, dict):
            found = self.found(path, value)
            if isinstance(value, str) and "：" in value:
                found += "; a key ends with ':' and a space, not with a full-width colon"
            example = ", ".join(list(known)[:3])
            place = str(self._document.values[path])
            self._note(place, f"{dotted(path)}: expected keys ({example}, ...) below it, found {found}")
            return {}
        data: dict[str, object] = {}
        for key, inner in value.items():
            here = (*path, key)
            if key not in known:
                self._unknown(here, known)
            elif len(path) == 1 and key in SECTIONS:
                names = [name.removeprefix(f"{key}.") for name in leaves() if name.startswith(f"{key}.")]
                data[key] = self._section(inner, here, names)
            elif not any(faulty[: len(here)] == here for faulty in self._faulty):
                data[key] = inner
                self.origins[dotted(here)] = f"{PurePath(self._file).name}:{self.place(here)}"
        return data

    def _unknown(self, path: KeyPath, known: Iterable[str]) -> None:
        key = str(path[-1])
        section = dotted(path[:-1]) if len(path) > 2 else ""
        elsewhere = [name for name in (*leaves(), *SECTIONS) if name.rpartition(".")[2] == key]
        closest = elsewhere[0] if elsewhere else nearest(key, known)
        if closest and not elsewhere and section:
            closest = f"{section}.{closest}"
        self._note(self.place(path), f"{dotted(path)}: {_unknown_key(closest)}")

    def _note(self, place: str, message: str) -> None:
        self._problems.append(Problem(f"{self._file}:{place}", message))


def describe(value: JsonValue, word: str = "") -> str:
    """What was found, for people. `word` is how it was written, if it was one word."""
    if value is None:
        return word if word.lower() == "null" else "nothing"
    if isinstance(value, bool):
        word = word or str(value).lower()
        return word if word.lower() in ("true", "false") else f"{word}, which YAML reads as {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {_cut(word or format(value, 'g'))}"
    if isinstance(value, str):
        return f"the text {_cut(repr(value))}" if value else "an empty text"
    return "a list" if isinstance(value, list | tuple) else "keys with values"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _unknown_key(closest: str) -> str:
    return f"unknown key; the nearest valid one is {closest}" if closest else "unknown key"


def _apply(override: Override, data: dict[str, object], problems: list[Problem]) -> bool:
    """Put an override's value into `data`; False, with a problem noted, if it cannot be used."""
    leaf = leaves().get(override.key)
    where = _flag(override)
    if leaf is None:
        section = [name for name in leaves() if name.startswith(f"{override.key}.")]
        elsewhere = [name for name in leaves() if name.rpartition(".")[2] == override.key]
        message = (
            f"{override.key} is a section; set one of its keys, such as {section[0]}"
            if section
            else _unknown_key(next(iter(elsewhere), "") or nearest(override.key, leaves()))
        )
        problems.append(Problem(where, message))
        return False
    try:
        text = override.text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        problems.append(Problem(where, f"{override.key}: the text is not UTF-8"))
        return False
    value: JsonValue = text
    if leaf.kind.item:
        value = _list(text)
    elif not leaf.kind.text_only and text:
        value = plain_value(text.strip())
    section_name, _, name = override.key.rpartition(".")
    target = data.setdefault(section_name, {}) if section_name else data
    if isinstance(target, dict):
        target[name] = value
    return True


def _list(text: str) -> JsonValue:
    """`a,b` or, as in YAML, `[a, b]`."""
    if text.lstrip().startswith("["):
        document = parse(text.encode("utf-8"))
        return text if document.faults else document.data
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _flag(override: Override) -> str:
    flag = override.origin.removeprefix("flag ")
    return f"{flag} {shown(override.key)}" if flag == "--set" else flag


def _path(detail: ErrorDetails) -> KeyPath:
    """The key of an error of pydantic, without the names of union members and validators it appends."""
    loc = tuple(detail["loc"])
    if _has_inner(loc):
        return tuple(part for part in loc if part != "[key]")
    size = 2 if len(loc) > 1 and f"{loc[0]}.{loc[1]}" in leaves() else 1
    item = loc[size] if len(loc) > size else None
    return (*loc[:size], item) if isinstance(item, int) else loc[:size]


def _explain(path: KeyPath, detail: ErrorDetails, reader: _Reader, given: Mapping[str, Override]) -> Problem:
    if detail["type"] == "conflict":
        return Problem(_place_of_conflict(detail["ctx"]["keys"], reader, given), detail["msg"])
    name = dotted(path)
    if len(path) > 1 and path[0] not in given and _has_inner(path):
        return _explain_inner(path, detail, reader)
    key = name.partition("[")[0]
    kind = leaves()[key].kind
    if key in given:
        where, word = _flag(given[key]), given[key].text.strip()
        value: JsonValue = word if kind.text_only or not word else plain_value(word)
        found = describe(value, word)
    else:
        written = ("agent", *path)
        where, value = reader.where(written), reader.value(written)
        found = reader.found(written, value)
    if detail["type"] == "explained":
        index = detail.get("ctx", {}).get("index")  # of the entry that is wrong
        where = where if key in given or index is None else reader.where(("agent", *path, index))
        return Problem(where, f"{subject(name, where)}{detail['msg']}")
    expected = kind.item if name != key else kind.expected
    return Problem(where, f"{subject(name, where)}expected {expected}, found {found}{_advice(kind.text_only, value)}")


def _has_inner(path: KeyPath) -> bool:
    return bool(path) and path[0] in leaves() and bool(leaves()[str(path[0])].kind.inner)


def _explain_inner(path: KeyPath, detail: ErrorDetails, reader: _Reader) -> Problem:
    """A fault inside a section that has a name of its own, as in `mcp_servers.files.timeout_s`."""
    inner = leaves()[str(path[0])].kind.inner
    written, name = ("agent", *path), dotted(path)
    if detail["type"] == "extra_forbidden":
        closest = nearest(str(path[-1]), inner)
        return Problem(reader.key_place(written), f"{name}: {_unknown_key(closest)}")
    if detail["type"] == "explained":
        return Problem(reader.key_place(written), f"{name}: {detail['msg']}")
    if len(path) == 2:
        expected = f"keys ({', '.join(list(inner)[:3])}, ...) below it"
    else:
        expected = inner[str(path[2])] if len(path) == 3 or path[2] == "headers" else "a text"
    value = reader.value(written)
    advice = _advice(len(path) > 3, value)
    return Problem(reader.where(written), f"{name}: expected {expected}, found {reader.found(written, value)}{advice}")


def _advice(text_only: bool, value: JsonValue) -> str:
    """For mistakes that look right to whoever wrote them."""
    if text_only:
        return " (put it in quotes)" if isinstance(value, bool | int | float) else ""
    if not isinstance(value, str):
        return ""
    if isinstance(plain_value(value), bool | int | float):
        return " (remove the quotes)"
    if value.isdecimal() and not value.isascii():
        return " (write it with the digits 0 to 9)"
    return " (write it without the leading 0)" if value.isdecimal() and value.startswith("0") else ""


def _place_of_conflict(keys: Iterable[str], reader: _Reader, given: Mapping[str, Override]) -> str:
    """Where somebody set one of the keys, not where a default did."""
    for key in keys:
        if key in given:
            return _flag(given[key])
    return next(reader.where(("agent", *key.split("."))) for key in keys if key in reader.origins)
