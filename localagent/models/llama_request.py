"""A chat request as the llama.cpp server reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from localagent.errors import InternalError
from localagent.messages import JsonObject, JsonValue, Message, ToolResultPart, system
from localagent.models.base import ChatRequest
from localagent.models.control import split_marks
from localagent.tool import ToolSpec

# llama.cpp's DRY sampler: repeating the same four tokens or more becomes less likely the longer it goes on. A model as
# small as the built-in one hardly gets out of a loop by itself. Of nine questions in English and Chinese (seed 1,
# temperature 0.3), three answers were one repetition up to the token limit; with it they vary, or end, and short
# factual answers stay the same. Larger models do without: they may have to quote.
AGAINST_LOOPS: JsonObject = {
    "dry_multiplier": 0.8,
    "dry_base": 1.75,
    "dry_allowed_length": 4,
    "dry_penalty_last_n": 512,
    # The sampler would forget a sequence at each line's end, and this model repeats lines; the list may not be empty.
    "dry_sequence_breakers": ["<|im_end|>"],
}


@dataclass(frozen=True, slots=True)
class RequestEncoder:
    """`control` matches where a text begins that the tokenizer would turn into a control token. `needs_system`: the
    template puts in a system text of its own when the first message is none. `tools`: it has a place for tools.
    `against_loops`: see AGAINST_LOOPS; not for JSON, whose form repeats itself."""

    name: str
    control: re.Pattern[str] | None = None
    needs_system: bool = False
    tools: bool = False
    think: bool | str | None = None
    against_loops: bool = False

    def clean(self, text: str) -> str:
        """The text as it may be put before the model: control tokens split by a visible space, and no half
        characters (lone surrogates), which are not UTF-8."""
        text = text.encode("utf-8", "replace").decode("utf-8")
        return split_marks(text, self.control)

    def body(self, request: ChatRequest) -> JsonObject:
        messages = request.messages
        if self.needs_system and not (messages and messages[0].role == "system"):
            messages = (system(""), *messages)
        body: dict[str, JsonValue] = {
            "model": self.name,
            "messages": [self._message(message) for message in messages],
            "max_tokens": request.max_output_tokens,
            "temperature": request.temperature,
            "cache_prompt": True,
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
        }
        if self.against_loops and request.schema is None:
            body.update(AGAINST_LOOPS)
        if request.tools:
            body["tools"] = [{"type": "function", "function": self._tool(spec)} for spec in request.tools]
        if request.schema is not None:
            schema: JsonObject = {"name": "answer", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if request.seed is not None:
            body["seed"] = request.seed
        if request.stop:
            body["stop"] = list(request.stop)
        return {**body, **self._thinking()}

    def _thinking(self) -> JsonObject:
        match self.think:
            case None:
                return {}
            case bool():
                return {"chat_template_kwargs": {"enable_thinking": self.think}}
            case _:
                return {"chat_template_kwargs": {"enable_thinking": True, "reasoning_effort": self.think}}

    def _tool(self, spec: ToolSpec) -> JsonObject:
        """All of it is put before the model, and may come from elsewhere (a server of tools)."""
        name, description = self.clean(spec.name), self.clean(spec.description)
        return {"name": name, "description": description, "parameters": self._cleaned(spec.parameters)}

    def _message(self, message: Message) -> JsonObject:
        if message.role == "tool":
            return self._tool_results(message)
        if message.attachments:
            raise InternalError("an attachment was sent to the model without having been quoted")
        content = self.clean(message.text)
        if not message.tool_calls:
            return {"role": message.role, "content": content}
        if not self.tools:
            calls = "\n".join(f"{call.name} {self._json(call.arguments)}" for call in message.tool_calls)
            return {"role": message.role, "content": "\n".join(filter(None, (content, self.clean(calls))))}
        return {
            "role": message.role,
            "content": content,
            "tool_calls": [
                {
                    "id": self.clean(call.id),
                    "type": "function",
                    "function": {"name": self.clean(call.name), "arguments": self._json(call.arguments)},
                }
                for call in message.tool_calls
            ],
        }

    def _tool_results(self, message: Message) -> JsonObject:
        """A template without tools has no role for their results either: they are shown as the user's."""
        results = [part for part in message.parts if isinstance(part, ToolResultPart)]
        content = self.clean("\n\n".join(part.text for part in results))
        if not self.tools or not results:
            return {"role": "user", "content": content}
        call_id, name = self.clean(results[0].call_id), self.clean(results[0].name)
        return {"role": "tool", "tool_call_id": call_id, "name": name, "content": content}

    def _json(self, value: JsonObject) -> str:
        """Cleaned before and after: a template may show the text of an argument, or the JSON around it."""
        return self.clean(json.dumps(self._cleaned(value), ensure_ascii=False))

    def _cleaned(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, Mapping):
            return {self.clean(key): self._cleaned(item) for key, item in value.items()}
        if isinstance(value, Sequence):
            return [self._cleaned(item) for item in value]
        return value
