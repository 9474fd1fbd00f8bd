"""The conversation in the terminal: its parts put together, and the model loaded while the user types."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.cli import process
from localagent.cli.one_shot import Choices, answer
from localagent.environment import Environment
from localagent.errors import ExitCode, InternalError, LocalAgentError, ModelMissing

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build import ModelPlan, Workspace
    from localagent.build_memory import MemoryHome
    from localagent.calls import Approver
    from localagent.conversation import Conversation
    from localagent.memory.base import Thread
    from localagent.models.base import ChatModel


# How long leaving waits for a model that is just being loaded; it has been told to stop.
_PATIENCE_S = 5.0


def converse(env: Environment, choices: Choices) -> int:
    """Talk until the user leaves, or answer what is piped in; returns the exit code."""
    if not env.interactive:
        answer(env, "", choices)
        return ExitCode.OK
    from localagent.agent_folder import load_agent
    from localagent.build import open_workspace
    from localagent.repl import run_repl

    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        loaded = load_agent(env, agent=choices.agent, overrides=process.overrides(choices.settings, choices.model))
        for notice in loaded.notices:
            process.say(env, notice)
        plan = None
        if workspace.lacks_built_in(loaded.config.model):
            # Questions and downloads belong before the prompt; all else is loaded behind it.
            plan = _fetch_if_needed(env, workspace, loaded, choices)
        talk = BackgroundChat(workspace, loaded, choices, plan)
        try:
            return run_repl(env, talk)
        finally:
            talk.close()


def _fetch_if_needed(env: Environment, workspace: Workspace, loaded: LoadedAgent, choices: Choices) -> ModelPlan:
    plan = workspace.plan(loaded)
    if plan.notice:
        process.say(env, plan.notice)
    with process.stop_on_signals() as abort:
        workspace.offer_built_in(
            plan, confirm=choices.confirm(env), bar=lambda what: process.progress_bar(env, what), abort=abort
        )
    return replace(plan, notice="")


class BackgroundChat:
    """What the REPL talks to: the model is loaded in a thread while the user types."""

    def __init__(self, workspace: Workspace, loaded: LoadedAgent, choices: Choices, plan: ModelPlan | None) -> None:
        self.agent = loaded.config.name
        self.history: Path = workspace.home.history
        self._workspace = workspace
        self._loaded = loaded
        self._choices = choices
        self._plan = plan
        self._model: ChatModel | None = None
        self._memory: MemoryHome | None = None
        self._conversation: Conversation | None = None
        self._error: LocalAgentError | None = None
        self._notices: list[str] = []
        self._thread: threading.Thread | None = None
        self._done = threading.Event()
        self._abort = AbortSignal()
        self._approver: Approver | None = None
        # A thread that was asked for is opened at once, so that it is named before the first prompt.
        self._room: Thread | None = self._open_thread() if choices.go_on or choices.thread is not None else None

    @property
    def begins_with(self) -> str:
        """The title of a thread that is gone on with."""
        return self._room.title if self._room is not None else ""

    def start(self) -> None:
        """Begin to load the model."""
        self._done.clear()
        self._error = None
        self._thread = threading.Thread(target=self._load, name="model loader", daemon=True)
        self._thread.start()

    def ask_through(self, approver: Approver) -> None:
        """Who is asked before a tool may run."""
        self._approver = approver

    def poll(self) -> str | None:
        """One line about what loading is doing; None when it is over."""
        return None if self._done.is_set() else f"loading {self._plan.title if self._plan else 'the model'}"

    def ready(self) -> Conversation | None:
        """The conversation, once there is one."""
        return self._conversation

    def conversation(self, abort: AbortSignal) -> Conversation:
        """Wait for the model; after an error, try again."""
        if self._thread is None or (self._done.is_set() and self._error is not None):
            self.start()
        self._settle(abort)
        if self._error is not None:
            raise self._error
        if self._conversation is None:
            raise InternalError("the model could not be loaded")
        return self._conversation

    def switch_model(self, name: str, abort: AbortSignal) -> None:
        """Load another model, and let it answer from now on. The old one stays if that fails."""
        from localagent.agent_folder import load_agent

        settings = process.overrides(self._choices.settings, name)
        loaded = load_agent(self._workspace.env, agent=str(self._loaded.path), overrides=settings)
        plan = self._workspace.plan(loaded)
        model = self._workspace.build(plan, loaded)
        try:
            self._workspace.load(model, loaded, abort)
            self._settle(abort)
            if self._conversation is None:  # the first model could not be loaded; this one takes its place
                self._conversation = self._open_conversation(loaded, model)
            else:
                self._conversation.use_model(model)
        except LocalAgentError:
            model.close()
            raise
        if plan.notice:
            self._notices.append(plan.notice)
        if self._model is not None:
            self._model.close()
        self._model, self._loaded, self._plan, self._error = model, loaded, plan, None

    def remedy(self, error: LocalAgentError) -> str:
        """A question to which yes means `apply_remedy`; empty if nothing can be done here."""
        if isinstance(error, ModelMissing) and self._plan is not None and self._plan.provider == "ollama":
            from localagent.build import pull_question

            return pull_question(error)
        return ""

    def apply_remedy(self, abort: AbortSignal, progress: Callable[[int, int], None]) -> None:
        """Let Ollama download the model."""
        if self._plan is not None:
            base_url = self._loaded.config.model.base_url
            self._workspace.pull(base_url, self._plan.name, progress=progress, abort=abort)

    def notices(self) -> list[str]:
        """What the user was not told yet."""
        told, self._notices = self._notices, []
        return told

    def close(self) -> None:
        """Free the model, and the thread if nothing was said in it."""
        self._abort.abort()
        if self._thread is not None:
            self._thread.join(_PATIENCE_S)
        left = self._conversation.thread if self._conversation is not None else self._room
        if left is not None:
            self._workspace.drop_if_empty(left)
        if self._conversation is not None:
            self._conversation.close()
        if self._memory is not None:
            self._memory.close()
        if self._model is not None:
            self._model.close()

    def _load(self) -> None:
        try:
            self._conversation = self._open()
        except LocalAgentError as error:
            self._error = error
        finally:
            self._done.set()

    def _open(self) -> Conversation:
        self._plan = self._plan or self._workspace.plan(self._loaded)
        if self._plan.notice:
            self._notices.append(self._plan.notice)
            self._plan = replace(self._plan, notice="")
        model = self._model or self._workspace.build(self._plan, self._loaded)
        self._model = model
        self._workspace.load(model, self._loaded, self._abort)
        return self._open_conversation(self._loaded, model)

    def _open_conversation(self, loaded: LoadedAgent, model: ChatModel) -> Conversation:
        self._room = self._room or self._open_thread()
        return self._workspace.conversation(
            loaded,
            model,
            self._room,
            memory=self._open_memory(loaded),
            approver=self._approver,
            named=self._choices.allow_tools,
        )

    def _open_thread(self) -> Thread:
        choices = self._choices
        thread = self._workspace.open_thread(self._loaded, name=choices.thread, go_on=choices.go_on)
        if thread.messages:
            label = f"{thread.name}: {thread.title}" if thread.name else thread.title
            self._notices.append(f"going on with {label} ({process.counted(thread.messages, 'message')})")
        elif thread.name:
            self._notices.append(f"new thread {thread.name}")
        elif choices.go_on:
            self._notices.append("there is no thread to go on with: this is a new one")
        return thread

    def _open_memory(self, loaded: LoadedAgent) -> MemoryHome | None:
        """Its worker loads the embedder at once, so that the first question need not wait for it."""
        if self._memory is None and loaded.config.memory.enabled:
            self._memory = self._workspace.open_memory(loaded, once=False)
            self._memory.background.start()
        return self._memory

    def _settle(self, abort: AbortSignal) -> None:
        """Wait until loading is over, well or not."""
        while self._thread is not None and not self._done.wait(0.05):
            abort.raise_if_aborted()
