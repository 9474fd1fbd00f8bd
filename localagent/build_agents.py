"""The composition root of agents that another agent asks: each is a tool that runs a turn of its own."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field, StringConstraints

from localagent.abort import AbortSignal
from localagent.agent_folder import recalls_alike
from localagent.build import is_local_name
from localagent.build_tools import Around, acting, roots_of
from localagent.calls import CallResult
from localagent.conversation import Conversation
from localagent.errors import (
    ConfigError,
    DeadlineExceeded,
    InternalError,
    Interrupted,
    LocalAgentError,
    StorageError,
)
from localagent.events import Notice, PromptAssembled, ToolFinished, ToolStarted, TurnEvent, TurnFinished, Waiting
from localagent.longterm import LongTerm
from localagent.messages import ToolCallPart
from localagent.sub_agents import CALLER
from localagent.tool import Tool, ToolContext, tool
from localagent.toolbox.capping import capped
from localagent.toolbox.local import LocalToolbox

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build_memory import MemoryHome
    from localagent.config_agents import SubAgent
    from localagent.memory.ledger import SqliteLedger
    from localagent.models.base import ChatModel

Request: TypeAlias = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    Field(description="What it shall do, complete in itself: it knows nothing of this conversation."),
]
# How often whoever waits for an agent that is being asked looks whether to stop.
LOOK_S = 0.05
# What is wrong with the program, its files or its configuration is no answer to a model.
NOT_FOR_MODELS = (ConfigError, StorageError, InternalError, Interrupted)


class Models:
    """What agents answer with that are asked: one model for all whose configuration leads to the same, and for those
    whose configuration leads to the `first` one of the agent that a person talks to, that one while it is used."""

    def __init__(self, loaded: LoadedAgent, conversation: Conversation, around: Around, first: ChatModel) -> None:
        self._workspace = around.workspace
        self._conversation = conversation
        self._first = first
        self._first_key = self._key(loaded)
        self._made: dict[tuple[object, ...], ChatModel] = {}
        self._stack = ExitStack()

    def of(self, loaded: LoadedAgent, tell: Callable[[Notice], None], abort: AbortSignal) -> ChatModel:
        """Ready to answer. Raises ModelMissing and what else keeps it from that; Aborted."""
        key = self._key(loaded)
        if key == self._first_key and self._conversation.model is self._first:
            return self._first
        if key not in self._made:
            plan = self._workspace.plan(loaded)
            if plan.notice:
                tell(Notice(plan.notice))
            with ExitStack() as failed:
                model = self._workspace.build(plan, loaded)
                failed.callback(model.close)
                self._workspace.load(model, loaded, abort)
                self._stack.push(failed.pop_all())
            self._made[key] = model
        return self._made[key]

    def close(self) -> None:
        self._stack.close()

    def _key(self, loaded: LoadedAgent) -> tuple[object, ...]:
        """Equal for agents with one model: what is told to it with each request makes no other one."""
        model, name = loaded.config.model, loaded.config.model.model_name
        is_path = bool(name) and (model.provider == "scripted" or is_local_name(name))
        file = self._workspace.base_of(loaded) / Path(name).expanduser() if is_path else None
        # The same file may have two names, and one name may be two files.
        what = file.resolve() if file is not None and file.exists() else name
        return (model.provider, model.base_url, what, model.num_ctx, model.think, model.keep_alive)


@dataclass(frozen=True)
class _Said:
    text: str
    is_error: bool = False


class AgentsToolbox(LocalToolbox):
    """The agents that an agent may ask, as tools of a conversation. One is asked at a time, whatever the model asks for
    at once: they use the same model, the same memory and the same person. `first`: the model that the configuration of
    the caller led to. Raises ConfigError for folders of `tool_access.roots` that are not there, and for what is wrong
    in the files of an agent once it is asked."""

    def __init__(self, loaded: LoadedAgent, conversation: Conversation, around: Around, first: ChatModel) -> None:
        loop = loaded.config.loop
        entries = {entry.name: entry for entry in loaded.config.agents}
        super().__init__(
            {name: _tool(entry, loaded.agents[name]) for name, entry in entries.items()},
            lambda abort: ToolContext(),
            default_timeout_s=loop.tool_timeout_s,
            result_tokens=loop.tool_result_tokens,
            count=conversation.count,
        )
        self._limits = loop.tool_result_tokens, conversation.count
        self._asking = threading.Lock()
        # Of the whole tree: closed by whoever a person talks to.
        self._models = Models(loaded, conversation, around, first) if around.models is None else None
        models = around.models or self._models
        assert models is not None
        self._asked = {
            name: _AskedAgent(entry, loaded.agents[name], _Caller(loaded, conversation, around, models))
            for name, entry in entries.items()
        }

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        abort.raise_if_aborted()
        refused = self.refusal(call)
        if refused is not None:
            return refused
        started = time.monotonic()
        while not self._asking.acquire(timeout=LOOK_S):
            abort.raise_if_aborted()
        try:
            asked = self._asked[call.name]
            said = asked.ask(str(call.arguments["request"]), abort)
            linked = asked.linked
        finally:
            self._asking.release()
        text, left_out = capped(said.text, *self._limits)
        seconds = time.monotonic() - started
        return CallResult(call, text, is_error=said.is_error, seconds=seconds, left_out=left_out, linked=linked)

    def close(self) -> None:
        with ExitStack() as stack:  # each one, even if another cannot be
            if self._models is not None:
                stack.callback(self._models.close)
            for asked in self._asked.values():
                stack.callback(asked.close)


@dataclass(frozen=True)
class _Caller:
    """Who asks."""

    loaded: LoadedAgent
    conversation: Conversation
    around: Around
    models: Models


class _AskedAgent:
    """One agent that another one asks, with what it needs: opened when it is asked first, kept for the next request.
    Each request is a thread of its own, in a ledger that never touches the disk. `linked`: the record of its last
    prompt in the last request; empty if none is kept."""

    def __init__(self, entry: SubAgent, loaded: LoadedAgent, caller: _Caller) -> None:
        self.linked = ""
        self._entry = entry
        self._loaded = loaded
        self._caller = caller
        self._roots = roots_of(loaded, caller.around.workspace.env.cwd)
        self._stack = ExitStack()
        self._opened: tuple[Conversation, SqliteLedger] | None = None

    def ask(self, request: str, abort: AbortSignal) -> _Said:
        """Its answer, or why there is none and what there was of it. Raises Aborted, and `NOT_FOR_MODELS`."""
        name, limit_s = self._entry.name, self._entry.timeout_s
        self.linked = ""
        try:
            with abort.child(timeout_s=limit_s, what=f"the agent {name} (agents.{name}.timeout_s)") as within:
                model = self._model(within)
                return self._answer(self._conversation(model), request, within)
        except DeadlineExceeded as error:
            abort.raise_if_aborted()
            return self._without_end(f"The agent {name} was stopped: {error}.")
        except NOT_FOR_MODELS:
            raise
        except LocalAgentError as error:
            return self._without_end(f"The agent {name} could not answer: {error}")
        finally:
            self._forget()

    def close(self) -> None:
        self._stack.close()

    def _answer(self, conversation: Conversation, request: str, abort: AbortSignal) -> _Said:
        finished: TurnFinished | None = None
        with closing(conversation.send(request, abort=abort)) as events:
            for event in events:
                if isinstance(event, PromptAssembled):
                    self.linked = event.record_id or self.linked
                elif isinstance(event, TurnFinished):
                    finished = event
                self._watch(event)
        if finished is None:
            raise InternalError("the turn of an agent has no end")
        if not finished.text.strip():
            return _Said(f"The agent gave no answer; its turn was ended by {finished.stop_reason}.", is_error=True)
        ended = "" if finished.stop_reason == "stop" else f"\n\n(its turn was ended by {finished.stop_reason})"
        return _Said(f"{finished.text}{ended}")

    def _without_end(self, why: str) -> _Said:
        """What it had said in this request goes with the reason why it did not end."""
        said = []
        if self._opened is not None:
            conversation, _ = self._opened
            said = [one.message.text for one in conversation.history() if one.message.role == "assistant"]
        until_then = "\n\n".join(text for text in said if text.strip())
        return _Said(f"{why}\n\nWhat it had said until then:\n{until_then}" if until_then else why, is_error=True)

    def _watch(self, event: TurnEvent) -> None:
        """Its calls and notices are told to whoever watches the caller, under its own name."""
        watch = self._caller.conversation.watch
        if isinstance(event, ToolStarted | ToolFinished):
            watch(replace(event, call=replace(event.call, name=f"{self._entry.name}.{event.call.name}")))
        elif isinstance(event, Waiting):
            watch(event)
        elif isinstance(event, Notice):
            watch(Notice(f"{self._entry.name}: {event.text}"))

    def _conversation(self, model: ChatModel) -> Conversation:
        """In a new thread, with this model."""
        if self._opened is None:
            self._opened = self._open(model)
            return self._opened[0]
        conversation, _ = self._opened
        conversation.new_thread()
        if conversation.model is not model:
            conversation.use_model(model)
        return conversation

    def _open(self, model: ChatModel) -> tuple[Conversation, SqliteLedger]:
        loaded, around, config = self._loaded, self._caller.around, self._loaded.config
        with ExitStack() as stack:
            workspace = around.workspace
            ledger = stack.enter_context(workspace.without_trace()).threads(loaded)
            memory = self._memory(stack)
            longterm = None
            if memory is not None:
                longterm = LongTerm(config, ledger, memory.opened, recall=memory.recall, writing=False)
            caller = self._caller.conversation
            log = around.log.asked(lambda: caller.thread.id, self._caller.loaded.config.name) if around.log else None
            log = log if config.log_prompts else None
            conversation = Conversation(config, model, ledger, log, ledger.create_thread(config.name), memory=longterm)
            conversation.watch = self._watch
            key, title = around.key or self._caller.loaded.config.name, around.title
            inside = replace(
                around,
                roots=self._roots,
                private_addresses=config.tool_access.private_addresses,
                memory=memory,
                writing=False,
                log=log,
                models=self._caller.models,
                key=f"{key}.{self._entry.name}",
                title=f"{title}.{self._entry.name}" if title else self._entry.name,
            )
            made = acting(loaded, conversation, inside)
            stack.callback(made.close)
            conversation.act(made)
            self._stack.push(stack.pop_all())
        return conversation, ledger

    def _forget(self) -> None:
        """The thread of a request is over with it."""
        if self._opened is not None:
            conversation, ledger = self._opened
            ledger.delete_thread(conversation.thread.id)

    def _model(self, abort: AbortSignal) -> ChatModel:
        """The caller's where its own file speaks of none. Raises ModelMissing: nobody is asked whether to download
        one."""
        if self._loaded.origins["model.provider"] == CALLER:
            return self._caller.conversation.model
        return self._caller.models.of(self._loaded, self._watch, abort)

    def _memory(self, stack: ExitStack) -> MemoryHome | None:
        """What it recalls from: the caller's memory where that is the same, which has loaded what it takes."""
        around, memory = self._caller.around, self._loaded.config.memory
        if not memory.enabled:
            return None
        if around.memory is not None and recalls_alike(self._loaded, self._caller.loaded):
            return around.memory
        return stack.enter_context(around.workspace.memory(self._loaded))


def _tool(entry: SubAgent, loaded: LoadedAgent) -> Tool:
    """Asking does nothing to the world; what the agent does itself is asked about by itself."""

    def ask(request: Request) -> str:
        """What the model is told is in agent.yaml."""
        raise InternalError("an agent is asked by its toolbox")

    made = tool(effects=["reads"])(ask)
    code = hashlib.sha256(repr((entry, loaded.config)).encode("utf-8", "replace")).hexdigest()
    spec = replace(made.spec, name=entry.name, description=entry.description, code=code)
    return replace(made, spec=spec, shown=_shown(entry.name))


def _shown(name: str) -> Callable[..., str]:
    return lambda request: f"ask the agent {name}:\n{request}"
