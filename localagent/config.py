"""What an agent.yaml may say. Every field is documented where it is declared; `agent.yaml` at the root shows each.

Reading files, folders and variables is the business of `agent_folder`; this module is the schema alone.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Tokens = Annotated[int, Field(ge=0, le=10_000_000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Provider: TypeAlias = Literal["auto", "ollama", "embedded", "scripted"]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, protected_namespaces=())


class ModelConfig(Section):
    """Which model answers, and how it is asked."""

    provider: Provider = Field(
        "auto",
        description="auto: Ollama if it answers and has the model, otherwise the embedded model. "
        "ollama, embedded: that one, without falling back. scripted: plays answers from a file, for tests.",
    )
    base_url: str = Field("http://localhost:11434", description="Where Ollama listens.")
    model_name: str = Field(
        "",
        description="ollama: a model it has or can pull. embedded: a path to a GGUF file, or hf:owner/repo/file.gguf. "
        "scripted: a path to a script. Empty: qwen2.5:14b for ollama, SmolLM2-135M-Instruct for embedded.",
    )
    temperature: float = Field(0.3, ge=0, le=2, description="0: always the likeliest word; 2: wild.")
    num_ctx: int | None = Field(
        None,
        ge=256,
        le=10_000_000,
        description="The context window in tokens. null: what the Ollama server serves; 8192 when embedded.",
    )
    max_output_tokens: int = Field(
        1024, ge=16, le=1_000_000, description="The longest answer, in tokens; as many are reserved for it."
    )
    seed: int | None = Field(None, ge=0, description="Fixed randomness, for repeatable answers.")
    think: bool | Literal["low", "medium", "high", "max"] | None = Field(
        None, description="Thinking models: on, off or how hard. null: as the model does by itself."
    )
    keep_alive: str | int = Field(
        "10m", description="How long Ollama keeps the model loaded: a duration like 10m, or seconds; -1 for ever."
    )

    @field_validator("temperature", mode="before")
    @classmethod
    def _whole_numbers_are_numbers(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class ContextPolicy(Section):
    """What is put before the model on each call."""

    recent_keep: int = Field(20, ge=2, le=1000, description="Messages kept verbatim (the ring).")
    recent_slack: int = Field(
        10,
        ge=0,
        le=1000,
        description="The ring grows by as many before it is cut back, so that the prompt's beginning stays the same.",
    )
    summary_threshold_tokens: Tokens = Field(
        3500, description="Compression is due when the ring exceeds this. Not used in this version."
    )
    memory_search_top_k: int = Field(
        5, ge=0, le=100, description="At most as many memories are recalled. Not used in this version."
    )
    memory_search_min_score: float = Field(
        0.45, ge=0, le=1, description="Memories below this score are not recalled. Not used in this version."
    )


class Limits(Section):
    """Two deadlines; each ends with a clear message, and what was there is kept."""

    turn_timeout_s: Seconds = Field(900.0, description="A whole turn, in seconds.")
    request_timeout_s: Seconds = Field(600.0, description="One call of the model, in seconds.")

    @field_validator("turn_timeout_s", "request_timeout_s", mode="before")
    @classmethod
    def _whole_numbers_are_numbers(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


DEFAULT_INSTRUCTIONS = (
    "You are a helpful assistant that runs on the user's own machine. "
    "Answer in the language of the question. Be brief and exact; say so when you do not know."
)


class AgentConfig(Section):
    """One agent."""

    name: str = Field("local_context_agent", min_length=1, max_length=100, description="Threads belong to it.")
    instructions: str = Field(DEFAULT_INSTRUCTIONS, description="The system text. Nothing volatile belongs here.")
    model: ModelConfig = Field(default_factory=lambda: ModelConfig())
    context_policy: ContextPolicy = Field(default_factory=lambda: ContextPolicy())
    limits: Limits = Field(default_factory=lambda: Limits())
    tools: tuple[str, ...] = Field(
        (), description="Tools of the agent's tools/ folder. They are loaded, not offered to the model in this version."
    )
    log_prompts: bool = Field(True, description="Keep a record of every prompt (localagent prompts).")

    @field_validator("tools", mode="before")
    @classmethod
    def _list_to_tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("tools")
    @classmethod
    def _no_doubles(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        doubles = sorted({name for name in value if value.count(name) > 1})
        if doubles:
            raise ValueError(f"named twice: {', '.join(doubles)}")
        return value

    @model_validator(mode="after")
    def _reserve_fits_the_window(self) -> AgentConfig:
        window, reserve = self.model.num_ctx, self.model.max_output_tokens
        if window is not None and reserve >= window:
            raise ValueError(
                f"model.max_output_tokens ({reserve}) must be smaller than model.num_ctx ({window}): "
                "the answer's reserve is part of the window"
            )
        return self


class AgentFile(Section):
    """The whole file: one key, `agent`."""

    agent: AgentConfig = Field(default_factory=lambda: AgentConfig())
