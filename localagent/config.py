"""What an agent.yaml may say. Every field is documented where it is declared; `agent.yaml` at the root shows each.

Reading files, folders and variables is the business of `agent_folder`; this module is the schema alone. The classes
are plain frozen dataclasses that pydantic's validator fills (`pydantic_core`): building the same sections as
pydantic models costs some 60 ms of imports and class building before the first prompt, which is most of what the
program may add to the start of its libraries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

from localagent.addresses import check_keep_alive, normalise_url
from localagent.errors import ConfigError
from localagent.messages import JsonValue

if TYPE_CHECKING:
    from pydantic_core import CoreSchema, SchemaValidator

Provider: TypeAlias = Literal["auto", "ollama", "embedded", "scripted"]
Think: TypeAlias = bool | Literal["low", "medium", "high", "max"] | None

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a key may hold: in words for people, and as pydantic's schema (built late: its import is not free)."""

    expected: str
    schema: Callable[[], CoreSchema]
    text_only: bool = False
    item: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One key of the schema. `description` is its documentation."""

    kind: Kind
    description: str
    default: object


def whole(least: int, most: int, *, null: bool = False) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        number = core_schema.int_schema(ge=least, le=most, strict=True)
        return core_schema.nullable_schema(number) if null else number

    return Kind(f"a whole number from {least} to {most}" + (" or null" if null else ""), schema)


def number(least: float, most: float) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.float_schema(ge=least, le=most, strict=True, allow_inf_nan=False)

    return Kind(f"a number from {least:g} to {most:g}", schema)


def text(expected: str, check: Callable[[str], str] = lambda value: value) -> Kind:
    """`check` returns the value or raises ValueError, which is shown as what was expected."""

    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(check, core_schema.str_schema(strict=True))

    return Kind(expected, schema, text_only=True)


def choice(*options: str) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.literal_schema(list(options))

    return Kind(f"one of {', '.join(options)}", schema, text_only=True)


def flag() -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.bool_schema(strict=True)

    return Kind("true or false", schema)


def _think() -> CoreSchema:
    from pydantic_core import core_schema

    levels = core_schema.literal_schema(["low", "medium", "high", "max"])
    return core_schema.nullable_schema(core_schema.union_schema([core_schema.bool_schema(strict=True), levels]))


def _keep_alive() -> CoreSchema:
    from pydantic_core import core_schema

    number = core_schema.int_schema(strict=True)
    written = core_schema.union_schema([number, core_schema.str_schema(strict=True)])
    return core_schema.no_info_after_validator_function(_duration, written)


def _duration(value: str | int) -> str | float:
    try:
        return check_keep_alive(value)
    except ConfigError as error:
        raise ValueError(error.message) from error


def _matching(pattern: re.Pattern[str], value: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(pattern.pattern)
    return value


def _names() -> CoreSchema:
    from pydantic_core import core_schema

    one = core_schema.no_info_after_validator_function(
        partial(_matching, re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")), core_schema.str_schema(strict=True)
    )
    return core_schema.no_info_after_validator_function(
        _no_doubles, core_schema.tuple_schema([one], variadic_item_index=0)
    )


def _no_doubles(value: tuple[str, ...]) -> tuple[str, ...]:
    from pydantic_core import PydanticCustomError

    doubles = sorted({name for name in value if value.count(name) > 1})
    if doubles:
        raise PydanticCustomError("explained", "named twice: {names}", {"names": ", ".join(doubles)})
    return value


def _name(value: str) -> str:
    if not 1 <= len(value) <= 100 or not value.isprintable():
        raise ValueError(value)
    return value


def _model_name(value: str) -> str:
    if len(value) > 4096 or not value.isprintable():
        raise ValueError(value)
    return value


def _base_url(value: str) -> str:
    from pydantic_core import PydanticCustomError

    if not value.strip():
        raise ValueError(value)
    try:
        normalise_url(value)
    except ConfigError as error:
        raise PydanticCustomError("explained", "{said}", {"said": f"{error.message} ({error.hint})"}) from error
    return value


def _setting(default: T, kind: Kind, description: str) -> T:
    return field(default=default, metadata={"leaf": Leaf(kind, description, default)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Which model answers, and how it is asked."""

    provider: Provider = _setting(  # noqa: RUF009 (frozen: a field, not a shared value)
        "auto",
        choice("auto", "ollama", "embedded", "scripted"),
        "auto: Ollama if it answers and has the model, otherwise the embedded model. "
        "ollama, embedded: that one, without falling back. scripted: plays answers from a file, for tests.",
    )
    base_url: str = _setting(
        "http://localhost:11434",
        text("an address such as http://localhost:11434", _base_url),
        "Where Ollama listens. Without a scheme and a port: http:// and 11434.",
    )
    model_name: str = _setting(
        "",
        text("a model's name in one line", _model_name),
        "ollama: a model it has or can pull. embedded: a path to a GGUF file, or hf:owner/repo/file.gguf. "
        "scripted: a path to a script. Empty: qwen2.5:14b for ollama, SmolLM2-135M-Instruct for embedded.",
    )
    temperature: float = _setting(0.3, number(0, 2), "0: always the likeliest word; 2: wild.")
    num_ctx: int | None = _setting(
        None,
        whole(256, 10_000_000, null=True),
        "The context window in tokens. null: what the Ollama server serves; 8192 when embedded.",
    )
    max_output_tokens: int = _setting(
        1024, whole(16, 1_000_000), "The longest answer, in tokens; as many are reserved for it."
    )
    seed: int | None = _setting(
        None, whole(0, 2_147_483_647, null=True), "Fixed randomness, for repeatable answers. null: random."
    )
    think: Think = _setting(  # noqa: RUF009
        None,
        Kind("true, false, low, medium, high, max or null", _think),
        "Thinking models: on, off or how hard. null: as the model does by itself.",
    )
    keep_alive: str | int = _setting(
        "10m",
        Kind("a duration such as 10m or 1h30m, or a number of seconds (-1: for ever)", _keep_alive),
        "How long Ollama keeps the model loaded: a duration like 10m, or seconds; -1 for ever.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    """What is put before the model on each call."""

    recent_keep: int = _setting(20, whole(2, 1000), "Messages kept verbatim (the ring).")
    recent_slack: int = _setting(
        10,
        whole(0, 1000),
        "The ring grows by as many before it is cut back, so that the prompt's beginning stays the same.",
    )
    summary_threshold_tokens: int = _setting(
        3500,
        whole(0, 10_000_000),
        "Compression is due when the ring exceeds this many tokens. Not used in this version.",
    )
    memory_search_top_k: int = _setting(
        5, whole(0, 100), "At most this many memories are recalled. Not used in this version."
    )
    memory_search_min_score: float = _setting(
        0.45, number(0, 1), "Memories below this score are not recalled. Not used in this version."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Two deadlines; each ends with a clear message, and what was there is kept."""

    turn_timeout_s: float = _setting(900.0, number(0.001, 86_400), "A whole turn, in seconds.")
    request_timeout_s: float = _setting(600.0, number(0.001, 86_400), "One call of the model, in seconds.")


DEFAULT_INSTRUCTIONS = (
    "You are a helpful assistant that runs on the user's own machine. "
    "Answer in the language of the question. Be brief and exact; say so when you do not know."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """One agent: what stands below `agent:` in the file."""

    name: str = _setting(
        "local_context_agent", text("a name of 1 to 100 characters in one line", _name), "Threads belong to it."
    )
    instructions: str = _setting(DEFAULT_INSTRUCTIONS, text("text"), "The system text. Nothing volatile belongs here.")
    model: ModelConfig = ModelConfig()
    context_policy: ContextPolicy = ContextPolicy()
    limits: Limits = Limits()
    tools: tuple[str, ...] = _setting(
        (),
        Kind("a list of tools' names", _names, item="a tool's name (letters, digits and _)"),
        "Tools of the agent's tools/ folder. They are loaded, not offered to the model in this version.",
    )
    log_prompts: bool = _setting(True, flag(), "Keep a record of every prompt (localagent prompts).")


Section: TypeAlias = ModelConfig | ContextPolicy | Limits | AgentConfig
SECTIONS: Mapping[str, type[ModelConfig | ContextPolicy | Limits]] = {
    "model": ModelConfig,
    "context_policy": ContextPolicy,
    "limits": Limits,
}


@cache
def leaves() -> Mapping[str, Leaf]:
    """Every key that holds a value, by its dotted path below `agent`, in the order of declaration."""
    found: dict[str, Leaf] = {}
    for entry in fields(AgentConfig):
        if entry.name in SECTIONS:
            found.update(
                {f"{entry.name}.{inner.name}": inner.metadata["leaf"] for inner in fields(SECTIONS[entry.name])}
            )
        else:
            found[entry.name] = entry.metadata["leaf"]
    return found


def value_of(config: AgentConfig, key: str) -> JsonValue:
    """The value of a dotted key, as it would stand in JSON."""
    value: object = config
    for name in key.split("."):
        value = getattr(value, name)
    return cast("JsonValue", value)


def validate(data: Mapping[str, object]) -> AgentConfig:
    """The configuration that `data` (what stands below `agent:`) describes.

    Raises pydantic_core.ValidationError with every fault in it.
    """
    return cast("AgentConfig", _validator().validate_python(data))


@cache
def _validator() -> SchemaValidator:
    from pydantic_core import SchemaValidator, core_schema

    whole_agent = _section_schema(AgentConfig)
    return SchemaValidator(core_schema.no_info_after_validator_function(_check_combinations, whole_agent))


def _section_schema(section: type[Section]) -> CoreSchema:
    from pydantic_core import core_schema

    entries = []
    for entry in fields(section):
        leaf: Leaf | None = entry.metadata.get("leaf")
        inner = leaf.kind.schema() if leaf else _section_schema(SECTIONS[entry.name])
        schema = core_schema.with_default_schema(inner, default=entry.default)
        entries.append(core_schema.dataclass_field(entry.name, schema, kw_only=True))
    arguments = core_schema.dataclass_args_schema(section.__name__, entries, extra_behavior="forbid")
    return core_schema.dataclass_schema(
        section, arguments, [entry.name for entry in fields(section)], slots=True, frozen=True
    )


def _check_combinations(config: AgentConfig) -> AgentConfig:
    """Values that are right alone and impossible together. The keys are named so that their places can be shown."""
    from pydantic_core import PydanticCustomError

    window, reserve = config.model.num_ctx, config.model.max_output_tokens
    if window is not None and reserve >= window:
        raise PydanticCustomError(
            "conflict",
            "model.max_output_tokens ({reserve}) must be smaller than model.num_ctx ({window}): "
            "what is reserved for the answer is part of the window",
            {"reserve": reserve, "window": window, "keys": ("model.num_ctx", "model.max_output_tokens")},
        )
    return config
