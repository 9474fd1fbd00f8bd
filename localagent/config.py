"""What an agent.yaml may say. Every field is documented where it is declared; `agent.yaml` at the root shows each.

Reading files, folders and variables is the business of `agent_folder`; this module is the schema alone. The classes
are plain frozen dataclasses that pydantic's validator fills (`pydantic_core`): building the same sections as
pydantic models costs some 60 ms of imports and class building before the first prompt, which is most of what the
program may add to the start of its libraries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from localagent.config_agents import EXPECTED as AGENTS_EXPECTED
from localagent.config_agents import KEYS as AGENT_KEYS
from localagent.config_agents import SubAgent, agents_schema, agents_value
from localagent.config_kinds import (
    Kind,
    Leaf,
    check_base_url,
    check_embedder,
    check_host,
    check_model_name,
    check_name,
    choice,
    flag,
    folders_schema,
    headers_schema,
    keep_alive_schema,
    names_schema,
    number,
    setting,
    text,
    thinking_schema,
    whole,
)
from localagent.config_loop import CompletionConfig, LoopConfig
from localagent.config_servers import EXPECTED, KEYS, McpServer, servers_schema, servers_value
from localagent.messages import JsonValue

if TYPE_CHECKING:
    from pydantic_core import CoreSchema, SchemaValidator

Provider: TypeAlias = Literal["auto", "ollama", "embedded", "scripted"]
Summarizer: TypeAlias = Literal["auto", "rules", "off"]
Think: TypeAlias = bool | Literal["low", "medium", "high", "max"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Which model answers, and how it is asked."""

    provider: Provider = setting(  # noqa: RUF009 (frozen: a field, not a shared value)
        "auto",
        choice("auto", "ollama", "embedded", "scripted"),
        "auto: Ollama if it answers and has the model, otherwise the embedded model. "
        "ollama, embedded: that one, without falling back. scripted: plays answers from a file, for tests.",
    )
    base_url: str = setting(
        "http://localhost:11434",
        text("an address such as http://localhost:11434", check_base_url),
        "Where Ollama listens. Without a scheme and a port: http:// and 11434.",
    )
    model_name: str = setting(
        "",
        text("a model's name in one line", check_model_name),
        "ollama: a model it has or can pull. embedded: a path to a GGUF file, or hf:owner/repo/file.gguf. "
        "scripted: a path to a script. Empty: qwen2.5:14b for ollama, SmolLM2-135M-Instruct for embedded.",
    )
    vision_model: str = setting(
        "",
        text("a model's name in one line", check_model_name),
        "The model of Ollama that describe_image asks about images. Empty: the agent's own, where it sees.",
    )
    temperature: float = setting(0.3, number(0, 2), "0: always the likeliest word; 2: wild.")
    num_ctx: int | None = setting(
        None,
        whole(256, 10_000_000, null=True),
        "The context window in tokens. null: what the Ollama server serves; 8192 when embedded.",
    )
    max_output_tokens: int = setting(
        1024, whole(16, 1_000_000), "The longest answer, in tokens; as many are reserved for it."
    )
    seed: int | None = setting(
        None, whole(0, 2_147_483_647, null=True), "Fixed randomness, for repeatable answers. null: random."
    )
    think: Think = setting(  # noqa: RUF009
        None,
        Kind("true, false, low, medium, high, max or null", thinking_schema),
        "Thinking models: on, off or how hard. null: as the model does by itself.",
    )
    tool_calls: Literal["auto", "constrained", "off"] = setting(
        "auto",
        choice("auto", "constrained", "off"),
        "How tools are offered. auto: natively where the model can; else through replies bound to a JSON schema, but "
        "not to the built-in model, whose answers get worse by it. constrained: always so. off: no tools.",
    )
    keep_alive: str | int = setting(
        "10m",
        Kind("a duration such as 10m or 1h30m, or a number of seconds (-1: for ever)", keep_alive_schema),
        "How long Ollama keeps the model loaded: a duration like 10m, or seconds; -1 for ever.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    """What is put before the model on each call."""

    recent_keep: int = setting(20, whole(2, 1000), "Messages kept verbatim (the ring).")
    recent_slack: int = setting(
        10,
        whole(0, 1000),
        "The ring grows by as many before it is cut back, so that the prompt's beginning stays the same.",
    )
    summary_threshold_tokens: int = setting(
        3500,
        whole(0, 10_000_000),
        "When the ring exceeds this many tokens, its oldest two thirds are summarised (at most half of a window).",
    )
    summary_tokens: int = setting(
        1200,
        whole(0, 1_000_000),
        "The longest summary of a thread, in tokens (a fifth of a small window). The lightest lines leave first.",
    )
    summarizer: Summarizer = setting(  # noqa: RUF009
        "auto",
        choice("auto", "rules", "off"),
        "auto: rules, and the agent's own model in the background. rules: rules alone. "
        "off: older messages leave the ring unsummarised, and are only recalled.",
    )
    memory_search_top_k: int = setting(
        5, whole(0, 100), "At most this many memories are recalled for a request (pinned preferences beside them)."
    )
    memory_search_min_score: float = setting(
        0.45, number(0, 1), "From 0 to 1: what scores below is not recalled; 0.45 separates with every embedder."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """What is remembered, and how it is found again."""

    enabled: bool = setting(True, flag(), "Remember and recall. false: threads are kept, nothing else is.")
    embedder: str = setting(
        "auto",
        text("auto, embedded, ollama:MODEL, chroma:NAME or words", check_embedder),
        "What makes vectors of texts. auto: Ollama's bge-m3 if it is there, otherwise the embedded one. A data folder "
        "keeps the embedder it began with; `localagent memory reindex --embedder NAME` changes it.",
    )
    tenant: str = setting(
        "default",
        text("a name of 1 to 100 characters in one line", check_name),
        "Whose memory it is: agents of one tenant share theirs, others cannot reach it.",
    )
    scope: Literal["thread", "all"] = setting(
        "all", choice("thread", "all"), "Earlier messages are recalled from this thread alone, or from all threads."
    )
    preference_tokens: int = setting(
        300, whole(0, 100_000), "Room for the standing preferences, which stand in every prompt."
    )
    message_tokens: int = setting(
        700, whole(0, 100_000), "Room for recalled passages of earlier messages, with their neighbours."
    )
    archive_below: float = setting(
        0.2, number(0, 1), "Memories whose retention falls below this are archived: out of recall, restorable."
    )
    classifier: bool = setting(
        True, flag(), "Let a small classifier decide what is worth remembering, or outdated, where the rules do not."
    )
    judge: bool = setting(False, flag(), "Ask the model, in the background, what else is worth remembering.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaConfig:
    """Where Chroma runs. By itself it is part of this program, with its files in the data folder."""

    host: str = setting("", text("a host's name or address, or nothing", check_host), "A Chroma server; empty: none.")
    port: int = setting(8000, whole(1, 65535), "The server's port.")
    ssl: bool = setting(False, flag(), "Talk to the server through TLS.")
    headers: tuple[tuple[str, str], ...] = setting(
        (), Kind("a mapping of HTTP headers", headers_schema, pairs=True), "Sent with each request, as a token."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Two deadlines; each ends with a clear message, and what was there is kept."""

    turn_timeout_s: float = setting(900.0, number(0.001, 86_400), "A whole turn, in seconds.")
    request_timeout_s: float = setting(600.0, number(0.001, 86_400), "One call of the model, in seconds.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAccess:
    """What tools may reach, whatever is approved."""

    roots: tuple[str, ...] = setting(
        (".",),
        Kind("a list of folders", folders_schema, item="a folder's path in one line"),
        "Folders whose files tools may reach, with all below them. Relative ones begin where localagent is run; "
        "the first one is where commands run. Empty: none.",
    )
    private_addresses: bool = setting(
        False, flag(), "Whether pages of this machine and of private networks may be fetched."
    )


DEFAULT_INSTRUCTIONS = (
    "You are a helpful assistant that runs on the user's own machine. "
    "Answer in the language of the question. Be brief and exact; say so when you do not know."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """One agent: what stands below `agent:` in the file."""

    name: str = setting(
        "local_context_agent", text("a name of 1 to 100 characters in one line", check_name), "Threads belong to it."
    )
    instructions: str = setting(DEFAULT_INSTRUCTIONS, text("text"), "The system text. Nothing volatile belongs here.")
    model: ModelConfig = ModelConfig()
    context_policy: ContextPolicy = ContextPolicy()
    memory: MemoryConfig = MemoryConfig()
    chroma: ChromaConfig = ChromaConfig()
    limits: Limits = Limits()
    tool_access: ToolAccess = ToolAccess()
    loop: LoopConfig = LoopConfig()  # noqa: RUF009 (frozen)
    completion: CompletionConfig = CompletionConfig()  # noqa: RUF009
    tools: tuple[str, ...] = setting(
        (),
        Kind("a list of tools' names", names_schema, item="a tool's name (letters, digits and _)"),
        "Tools of the tools/ folder, the agent's own or one that comes along, in the order that the model sees.",
    )
    mcp_servers: tuple[McpServer, ...] = setting(
        (),
        Kind(EXPECTED, servers_schema, inner=KEYS),
        "MCP servers whose tools are offered beside these, as SERVER_TOOL.",
    )
    agents: tuple[SubAgent, ...] = setting(
        (),
        Kind(AGENTS_EXPECTED, agents_schema, inner=AGENT_KEYS),
        "Other agents as tools: the model asks them in words, and gets their answer.",
    )
    log_prompts: bool = setting(True, flag(), "Keep a record of every prompt (localagent prompts).")


Section: TypeAlias = (
    ModelConfig | ContextPolicy | MemoryConfig | ChromaConfig | Limits | ToolAccess | LoopConfig | CompletionConfig
)
SECTIONS: Mapping[str, type[Section]] = {
    "model": ModelConfig,
    "context_policy": ContextPolicy,
    "memory": MemoryConfig,
    "chroma": ChromaConfig,
    "limits": Limits,
    "tool_access": ToolAccess,
    "loop": LoopConfig,
    "completion": CompletionConfig,
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
    if key == "mcp_servers":
        return servers_value(config.mcp_servers)
    if key == "agents":
        return agents_value(config.agents)
    if leaves()[key].kind.pairs:
        return dict(cast("tuple[tuple[str, str], ...]", value))
    return cast("JsonValue", value)


def lists_of(config: AgentConfig) -> Mapping[str, Sequence[str]]:
    """The entries of every key that holds a list, by its dotted path."""
    return {key: cast("Sequence[str]", value_of(config, key)) for key, leaf in leaves().items() if leaf.kind.item}


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


def _section_schema(section: type[Section | AgentConfig]) -> CoreSchema:
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
    summary = config.context_policy.summary_tokens
    # The default gives way to a small window by itself; what somebody chose shall not do so in silence.
    chosen = summary != ContextPolicy().summary_tokens and config.context_policy.summarizer != "off"
    if window is not None and chosen and summary + reserve >= window:
        raise PydanticCustomError(
            "conflict",
            "context_policy.summary_tokens ({summary}) and model.max_output_tokens ({reserve}) must together be "
            "smaller than model.num_ctx ({window}): nothing would be left for messages",
            {
                "summary": summary,
                "reserve": reserve,
                "window": window,
                "keys": ("model.num_ctx", "model.max_output_tokens", "context_policy.summary_tokens"),
            },
        )
    return config
