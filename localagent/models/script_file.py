"""Reading a script for `ScriptedModel` from a YAML file (`provider: scripted`, `model_name: path/to/script.yaml`).

window: 8192              # optional, tokens
loop: false               # optional: start again at the end
steps:
  - Hello.                # the same as {text: Hello.}
  - text: [Os, lo]        # a list is streamed piece by piece
    thinking: Norway
    delay_s: 0.5          # before the first word; piece_delay_s before each
    reason: length
  - tool_calls:
      - name: get_weather
        arguments: {city: Oslo}
  - text: half an ans
    error: {kind: IncompleteAnswer, message: the connection broke}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from localagent import errors
from localagent.errors import ConfigError, LocalAgentError
from localagent.events import FinishReason
from localagent.messages import JsonObject, ToolCallPart
from localagent.models.scripted import Answer, ScriptedModel

Delay: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]

_KINDS: Mapping[str, type[LocalAgentError]] = {
    "ModelUnreachable": errors.ModelUnreachable,
    "ModelMissing": errors.ModelMissing,
    "ModelError": errors.ModelError,
    "IncompleteAnswer": errors.IncompleteAnswer,
    "ContextOverflow": errors.ContextOverflow,
    "DeadlineExceeded": errors.DeadlineExceeded,
}


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Call(_Entry):
    name: str = Field(min_length=1)
    arguments: dict[str, object] = Field(default_factory=dict)
    id: str = ""


class _Error(_Entry):
    kind: Literal[
        "ModelUnreachable", "ModelMissing", "ModelError", "IncompleteAnswer", "ContextOverflow", "DeadlineExceeded"
    ] = "ModelError"
    message: str


class _Step(_Entry):
    text: str | list[str] = ""
    thinking: str = ""
    tool_calls: list[_Call] = Field(default_factory=list)
    reason: FinishReason = "stop"
    hangs: bool = False
    error: _Error | None = None
    delay_s: Delay = 0.0
    piece_delay_s: Delay = 0.0
    progress: int = Field(0, ge=0, le=1000)
    prompt_tokens: int | None = Field(None, ge=0)

    def answer(self, number: int) -> Answer:
        """`number` of the step, which makes the ids of calls that have none."""
        return Answer(
            text=self.text,
            thinking=self.thinking,
            tool_calls=tuple(
                ToolCallPart(call.id or f"call_{number}_{index}", call.name, cast("JsonObject", call.arguments))
                for index, call in enumerate(self.tool_calls, 1)
            ),
            reason=self.reason,
            hangs=self.hangs,
            error=None if self.error is None else _KINDS[self.error.kind](self.error.message),
            delay_s=self.delay_s,
            piece_delay_s=self.piece_delay_s,
            progress=self.progress,
            prompt_tokens=self.prompt_tokens,
        )


class _Script(_Entry):
    window: int = Field(8192, ge=16, le=10_000_000)
    loop: bool = False
    steps: list[_Step]


def load_script(path: Path, *, window: int | None = None) -> ScriptedModel:
    """The model that plays the file; `window` overrides the file's. Raises `ConfigError` with file and key."""
    data = _read(path)
    if isinstance(data, Mapping) and isinstance(data.get("steps"), list):
        data = {**data, "steps": [{"text": step} if isinstance(step, str) else step for step in data["steps"]]}
    try:
        script = _Script.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(
            f"{first['msg']} ({len(error.errors())} fault{'s' if len(error.errors()) > 1 else ''} in the script)",
            where=f"{path}: {_key(first['loc'])}",
            hint="docs/usage.md shows what a script may say, below Models",
        ) from error
    answers = [step.answer(number) for number, step in enumerate(script.steps, 1)]
    return ScriptedModel(answers, window=window or script.window, name=path.name, loop=script.loop)


def _read(path: Path) -> object:
    try:
        return yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise ConfigError(
            f"the script cannot be read: {error.strerror}",
            where=str(path),
            hint="With provider: scripted, model_name is the path of a script",
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise ConfigError(f"not valid YAML: {error.problem or error.context}", where=where) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"not valid YAML: {str(error).splitlines()[0]}", where=str(path)) from error


def _key(location: Sequence[int | str]) -> str:
    """`steps[2].error.kind`; pydantic's names of union members are left out."""
    key = ""
    for part in location:
        if isinstance(part, int):
            key += f"[{part}]"
        elif part not in ("str", "list[str]"):
            key += f".{part}"
    return key.lstrip(".") or "(the whole file)"
