"""An answer that must be JSON of a given form: reading the schema, and checking what a model said against it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import urljoin

from localagent.errors import UsageError
from localagent.messages import JsonObject, JsonValue
from localagent.quality import Form, Output, Processed

# A schema is part of each request; what is larger is a mistake in the file's name.
MOST_BYTES = 256 * 1024
# So many faults are told to the model at once.
MOST_FAULTS = 5
_REFERRING = ("$ref", "$dynamicRef")
# What is under these is no schema, whatever it looks like.
_DATA = ("enum", "const", "default", "examples")
_FENCED = re.compile(r"\A\s*```(?:json)?[^\n]*\n(.*?)\n\s*```\s*\Z", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class AnswerSchema:
    """`schema` is what the model's server is told. `faults` says what is wrong with a value; nothing if it fits."""

    schema: JsonObject
    faults: Callable[[JsonValue], Iterator[str]]

    def value(self, text: str) -> JsonValue:
        """The JSON that an answer is, alone or as one block of code. Raises ValueError, in words for the model."""
        from referencing.exceptions import Unresolvable

        fenced = _FENCED.match(text)
        try:
            value = json.loads(fenced[1] if fenced else text, parse_constant=_no_number)
            found = list(self.faults(value))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        except Unresolvable as error:
            raise ValueError(f"the schema itself refers to what there is not: {error}") from None
        except json.JSONDecodeError as error:
            raise ValueError(f"it is not JSON: {error.msg}, line {error.lineno}, column {error.colno}") from None
        if found:
            more = f"; and {len(found) - MOST_FAULTS} more" if len(found) > MOST_FAULTS else ""
            raise ValueError("; ".join(found[:MOST_FAULTS]) + more)
        return cast("JsonValue", value)

    def form(self) -> Form:
        return Form(self.schema, self._check)

    def _check(self, output: Output) -> Processed:
        """Has an answer made anew until it fits."""
        try:
            value = self.value(output.text)
        except ValueError as error:
            return Processed("retry", reason=f"The answer must be JSON that satisfies the schema; {error}.")
        if not _FENCED.match(output.text):
            return Processed("accept")
        return Processed("replace", json.dumps(value, ensure_ascii=False))


def read_schema(path: Path) -> AnswerSchema:
    """The JSON schema in a file, without references to anything outside it. Raises UsageError with the place."""
    where = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UsageError(f"the schema is larger than {MOST_BYTES // 1024} KiB", where=where)
        schema = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except OSError as error:
        raise UsageError(f"the schema cannot be read: {error.strerror}", where=where) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the byte 0x{data[error.start]:02x} is not UTF-8", where=where) from error
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise UsageError(f"not JSON: {error.msg}", where=place, hint="A JSON schema is needed") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}", where=where, hint="A JSON schema is needed") from error
    if not isinstance(schema, dict) or not schema:
        raise UsageError(
            "a JSON schema is an object that says something", where=where, hint='Such as {"type": "object", ...}'
        )
    return AnswerSchema(schema, _validator(schema, where))


def _validator(schema: JsonObject, where: str) -> Callable[[JsonValue], Iterator[str]]:
    from jsonschema import exceptions, validators
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    kind = validators.validator_for(schema, default=validators.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except exceptions.SchemaError as error:
        raise UsageError(f"not a JSON schema: {error.json_path}: {error.message[:300]}", where=where) from error
    # An empty registry: nothing is ever fetched.
    registry: Registry[JsonValue] = Registry()
    root = DRAFT202012.create_resource(schema)
    known: Registry[JsonValue] = registry.with_resource(root.id() or "", root).crawl()
    for key, reference, base in _references(schema, ""):
        try:
            known.resolver(base).lookup(reference)
        except Unresolvable as error:
            hint = "A schema may refer to its own parts alone, as in #/$defs/NAME"
            raise UsageError(f"{key}: there is no {reference[:200]} in the file", where=where, hint=hint) from error
    validator = kind(schema, registry=registry)

    def faults(value: JsonValue) -> Iterator[str]:
        for error in sorted(validator.iter_errors(value), key=lambda error: error.json_path):
            message = error.message if len(error.message) <= 300 else f"{error.message[:300]}..."
            yield f"{error.json_path}: {message}"

    return faults


def _references(value: JsonValue, base: str) -> Iterator[tuple[str, str, str]]:
    """The keyword, what it refers to, and from where: a part may have an `$id` of its own."""
    if isinstance(value, dict):
        if isinstance(value.get("$id"), str):
            base = urljoin(base, str(value["$id"]))
        for key in _REFERRING:
            reference = value.get(key)
            if isinstance(reference, str):
                yield key, reference, base
        for key, inner in value.items():
            if key not in _DATA:
                yield from _references(inner, base)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner, base)


def _no_number(name: str) -> JsonValue:
    raise ValueError(f"{name} is no number of JSON")
