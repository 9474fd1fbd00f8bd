"""The composition root: the only module that names concrete models and stores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from localagent.abort import AbortSignal
from localagent.environment import Environment
from localagent.errors import ConfigError, ModelMissing, ModelUnreachable, UsageError
from localagent.home import DataHome
from localagent.memory.ledger import SqliteLedger
from localagent.models.builtin import BUILTIN, BUILTIN_TITLE, builtin_weights, is_builtin
from localagent.models.builtin import is_local_name as is_local_name  # for the commands too, which name no adapter

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build_memory import MemoryHome
    from localagent.build_tools import Around
    from localagent.calls import Approver
    from localagent.config import ModelConfig
    from localagent.conversation import Conversation
    from localagent.memory.approvals import SqliteApprovals
    from localagent.memory.base import Thread
    from localagent.models.base import ChatModel
    from localagent.models.ollama_server import OllamaServer
    from localagent.models.weights import LocalModel
    from localagent.summary import Summary, SummaryFailure
    from localagent.trace import PromptFiles

DEFAULT_OLLAMA_MODEL = "qwen2.5:14b"
# How long `auto` waits for an Ollama that takes connections and says nothing.
PROBE_S = 3.0
BETTER = f"For a real assistant: ollama pull {DEFAULT_OLLAMA_MODEL} && ollama pull bge-m3"

Say: TypeAlias = Callable[[str], None]
# The question, and whether yes is the likelier answer (a small download).
Confirm: TypeAlias = Callable[[str, bool], bool]
# Bytes done and in all; 0 in all where it is not known.
Progress: TypeAlias = Callable[[int, int], None]
# Opens a progress bar with a title.
Bar: TypeAlias = Callable[[str], AbstractContextManager[Progress]]


@dataclass(frozen=True)
class ModelPlan:
    """Which model it will be. `notice` is one line for the user, or empty."""

    provider: Literal["ollama", "embedded", "scripted"]
    name: str
    notice: str = ""

    @property
    def built_in(self) -> bool:
        return self.provider == "embedded" and is_builtin(self.name)

    @property
    def title(self) -> str:
        return BUILTIN_TITLE if self.built_in else self.name


@contextmanager
def open_workspace(env: Environment, *, say: Say) -> Iterator[Workspace]:
    """The user's data folder, ledger and prompt records, closed at the end. Raises StorageError."""
    home = DataHome(env.data_dir, say)
    home.open()
    ledger = SqliteLedger(home.ledger, now=env.now)
    try:
        yield Workspace(env, home, ledger, say, ledger)
    finally:
        ledger.close()


@dataclass(frozen=True)
class Workspace:
    """What a command works with."""

    env: Environment
    home: DataHome
    ledger: SqliteLedger
    say: Say
    # Where memories are: not the ledger of threads that leave no trace.
    memories: SqliteLedger

    @cached_property
    def log(self) -> PromptFiles:
        """The prompt records. Needed after the first prompt only, as is what it imports."""
        from localagent.trace import PromptFiles

        return PromptFiles(self.home.prompts)

    @contextmanager
    def without_trace(self) -> Iterator[Workspace]:
        """The same, with threads that never touch the disk and are gone at the end."""
        ledger = SqliteLedger(None, now=self.env.now)
        try:
            yield replace(self, ledger=ledger)
        finally:
            ledger.close()

    def delete_thread(self, thread_id: str) -> None:
        """The thread, its messages and its prompt records."""
        self.ledger.delete_thread(thread_id)
        self.log.delete_thread(thread_id)

    def summaries(self, thread: Thread) -> Sequence[Summary]:
        """Every version of what a thread's older messages were shortened to, newest first."""
        from localagent.memory.summaries import SqliteSummaries

        return SqliteSummaries(self.ledger.database).shown(thread.id)

    def approvals(self, loaded: LoadedAgent) -> SqliteApprovals:
        """What was allowed "always for exactly this" to the agents of the agent's tenant."""
        from localagent.memory.approvals import SqliteApprovals

        return SqliteApprovals(self.memories.database, loaded.config.memory.tenant, now=self.env.now)

    def summary_failures(self) -> Sequence[SummaryFailure]:
        """Threads whose older messages the model failed to summarise."""
        from localagent.memory.summaries import SqliteSummaries

        return SqliteSummaries(self.ledger.database).failures()

    def roll_back_summary(self, thread: Thread) -> Summary | None:
        """The version in use gives way to the one before; returns it, None if there is none."""
        from localagent.memory.summaries import SqliteSummaries

        return SqliteSummaries(self.ledger.database).roll_back(thread.id)

    def drop_if_empty(self, thread: Thread) -> None:
        """A thread without a name in which nothing was ever said need not be kept."""
        if not thread.name and not self.ledger.messages(thread.id, last=1, undone=True):
            self.delete_thread(thread.id)

    def threads(self, loaded: LoadedAgent) -> SqliteLedger:
        """The ledger with the threads of the agent's tenant alone. What is stored while memory is off stays there."""
        return self.ledger.of_tenant(loaded.config.memory.tenant, remembers=loaded.config.memory.enabled)

    def open_thread(self, loaded: LoadedAgent, *, name: str | None = None, go_on: bool = False) -> Thread:
        """The named one (made if new), the last one with `go_on`, else a new one."""
        ledger, agent = self.threads(loaded), loaded.config.name
        if name is not None and not name.strip():
            raise UsageError("a thread's name cannot be empty")
        if name is not None and go_on:
            raise UsageError("--thread and --continue exclude one another")
        if name is not None:
            found = ledger.find_thread(agent, name)
            try:
                return found or ledger.create_thread(agent, name)
            except UsageError:  # another process was quicker; or it is no name, or another tenant's
                found = ledger.find_thread(agent, name)
                if found is None:
                    raise
                return found
        return (ledger.last_thread(agent) if go_on else None) or ledger.create_thread(agent)

    def agent(self, agent: str | None) -> LoadedAgent:
        """The one that the command line or discovery leads to."""
        from localagent.agent_folder import load_agent

        return load_agent(self.env, agent=agent, overrides={})

    def conversation(
        self,
        loaded: LoadedAgent,
        model: ChatModel,
        thread: Thread,
        *,
        log: bool = True,
        memory: MemoryHome | None = None,
        approver: Approver | None = None,
        named: Collection[str] = (),
    ) -> Conversation:
        """A conversation in `thread`. `approver` asks a person whether a call may run; the `named` tools may. Prompts
        are recorded if both `log` and the agent say so. Nothing is written to memory of a thread that leaves no
        trace."""
        from localagent.agent_folder import load_policies
        from localagent.build_compression import make_compressor
        from localagent.build_tools import acting, check_named
        from localagent.conversation import Conversation
        from localagent.longterm import LongTerm

        check_named(loaded, named)
        config, ledger = loaded.config, self.threads(loaded)
        longterm = None
        if memory is not None:
            writing = self.ledger is self.memories
            longterm = LongTerm(config, ledger, memory.opened, recall=memory.recall, writing=writing)
        prompt_log = self.log if log and config.log_prompts else None
        compressor = make_compressor(
            config,
            ledger,
            lambda: load_policies(loaded).summarization,
            model,
            log=prompt_log,
            memory=memory if self.ledger is self.memories else None,
            now=self.env.now,
        )
        conversation = Conversation(config, model, ledger, prompt_log, thread, memory=longterm, compressor=compressor)
        around = replace(
            self._around(loaded, memory), approver=approver, named=named, log=self.log if prompt_log else None
        )
        with ExitStack() as failed:
            made = acting(loaded, conversation, around)
            failed.callback(made.close)
            conversation.act(made)
            failed.pop_all()
        return conversation

    def _around(self, loaded: LoadedAgent, memory: MemoryHome | None) -> Around:
        """What tools find around them. In a thread that leaves no trace they cannot write to memory either."""
        from localagent.build_tools import Around, fixed_of, roots_of

        return Around(
            workspace=self,
            roots=roots_of(loaded, self.env.cwd),
            off_limits=(self.home.folder.resolve(),),
            fixed=fixed_of(loaded, self.env),
            private_addresses=loaded.config.tool_access.private_addresses,
            variables=self.env.variables,
            memory=memory,
            writing=self.ledger is self.memories,
            approvals=self.approvals(loaded),
        )

    @contextmanager
    def memory(self, loaded: LoadedAgent, *, once: bool = True) -> Iterator[MemoryHome]:
        """The agent's long-term memory, closed at the end. `once`: this program answers once and ends."""
        memory = self.open_memory(loaded, once=once)
        try:
            yield memory
        finally:
            memory.close()

    def open_memory(self, loaded: LoadedAgent, *, once: bool) -> MemoryHome:
        """As `memory`, for whoever closes it later."""
        from localagent.agent_folder import load_policies
        from localagent.build_memory import Given, MemoryHome

        return MemoryHome(
            Given(
                ledger=self.memories,
                index=self.home.index,
                config=loaded.config,
                policies=load_policies(loaded),
                now=self.env.now,
                say=self.say,
                once=once,
            )
        )

    def local_models(self) -> list[LocalModel]:
        """The models in the data folder that run in the process."""
        from localagent.models.weights import list_local

        return list_local(self.home.folder)

    def remove_local(self, name: str) -> bool:
        """Remove a model from the data folder; False if it is not there."""
        from localagent.models.weights import remove_local

        return remove_local(name, self.home.folder)

    def fetch(self, name: str, *, bar: Bar, abort: AbortSignal) -> Path:
        """The built-in model or `hf:owner/repo/file.gguf` into the data folder; returns the file."""
        from localagent.models.weights import fetch_builtin, fetch_from_hub

        with bar(BUILTIN_TITLE if is_builtin(name) else name) as progress:
            if is_builtin(name):
                return fetch_builtin(self.home.folder, progress=progress, abort=abort)
            return fetch_from_hub(name, self.home.folder, progress=progress, abort=abort)

    def ollama(self, base_url: str, *, timeout_s: float = 10.0) -> OllamaServer:
        """`timeout_s` is for the short questions, not for a pull."""
        from localagent.models.ollama_server import OllamaServer

        return OllamaServer(base_url, timeout_s=timeout_s)

    def plan(self, loaded: LoadedAgent) -> ModelPlan:
        """Decide. Only `auto` asks anybody: Ollama, whether it is there and has the model. A model that was named on
        the command line is not exchanged for another one."""
        config = loaded.config.model
        if config.provider != "auto":
            default = DEFAULT_OLLAMA_MODEL if config.provider == "ollama" else ""
            return ModelPlan(config.provider, config.model_name or default)
        name = config.model_name
        if is_local_name(name):
            return ModelPlan("embedded", "" if is_builtin(name) else name)
        wanted = name or DEFAULT_OLLAMA_MODEL
        if loaded.origins["model.model_name"].startswith("flag"):
            return ModelPlan("ollama", wanted)
        try:
            server = self.ollama(config.base_url, timeout_s=PROBE_S)
            if server.has(wanted):
                return ModelPlan("ollama", wanted)
            installed = [model.name for model in server.installed()]
        except ModelUnreachable as error:
            absent = error.message.startswith("nothing answers")
            reason = f"No Ollama at {config.base_url}" + ("" if absent else f" ({error.message})")
        else:
            reason = f"Ollama has no {wanted}" + (f" (it has {', '.join(installed[:5])})" if installed else "")
        return ModelPlan("embedded", "", f"{reason}: using the small built-in {BUILTIN_TITLE}. {BETTER}")

    def lacks_built_in(self, config: ModelConfig) -> bool:
        """Whether the built-in model may be needed and is not there. Asks nobody."""
        may_need = config.provider == "auto" or (config.provider == "embedded" and is_builtin(config.model_name))
        return may_need and builtin_weights(self.home.folder) is None

    def offer_built_in(self, plan: ModelPlan, *, confirm: Confirm, bar: Bar, abort: AbortSignal) -> None:
        """Fetch the built-in model if the plan needs it, it is not there, and the user agrees."""
        missing = plan.built_in and builtin_weights(self.home.folder) is None
        if missing and confirm("The built-in model is not here yet. Download it (93 MB, once)?", True):
            self.fetch(BUILTIN, bar=bar, abort=abort)

    def pull(self, base_url: str, name: str, *, progress: Progress, abort: AbortSignal) -> None:
        """Let Ollama download a model."""
        for step in self.ollama(base_url).pull(name, abort):
            progress(step.completed, step.total)

    @contextmanager
    def model(self, loaded: LoadedAgent, *, confirm: Confirm, bar: Bar, abort: AbortSignal) -> Iterator[ChatModel]:
        """The agent's model, ready to answer and closed at the end; a missing one is fetched if the user agrees."""
        plan = self.plan(loaded)
        if plan.notice:
            self.say(plan.notice)
        model = self.ready(plan, loaded, confirm=confirm, bar=bar, abort=abort)
        try:
            yield model
        finally:
            model.close()

    def ready(
        self, plan: ModelPlan, loaded: LoadedAgent, *, confirm: Confirm, bar: Bar, abort: AbortSignal
    ) -> ChatModel:
        """The model of a plan, loaded. Raises ModelMissing when it is not there and the user does not want it."""
        self.offer_built_in(plan, confirm=confirm, bar=bar, abort=abort)
        model = self.build(plan, loaded)
        try:
            self.load(model, loaded, abort)
        except ModelMissing as missing:
            if plan.provider != "ollama" or not confirm(pull_question(missing), False):
                raise
            with bar(plan.name) as progress:
                self.pull(loaded.config.model.base_url, plan.name, progress=progress, abort=abort)
            self.load(model, loaded, abort)
        return model

    def load(self, model: ChatModel, loaded: LoadedAgent, abort: AbortSignal) -> None:
        """Make a model ready within the deadline of a request: a server may hang before there is one."""
        limit = loaded.config.limits.request_timeout_s
        with abort.child(timeout_s=limit, what="loading the model (limits.request_timeout_s)") as soon:
            model.load(soon)

    def build(self, plan: ModelPlan, loaded: LoadedAgent) -> ChatModel:
        """The model of a plan, not loaded yet."""
        config = loaded.config.model
        if plan.provider == "ollama":
            from localagent.models.ollama import OllamaModel

            return OllamaModel(
                base_url=config.base_url,
                model_name=plan.name,
                num_ctx=config.num_ctx,
                think=config.think,
                keep_alive=config.keep_alive,
                calibration=self.ledger,
            )
        if plan.provider == "embedded":
            from localagent.models.embedded import EmbeddedModel
            from localagent.models.weights import resolve

            path = resolve(plan.name, self.home.folder, self.base_of(loaded))
            return EmbeddedModel(
                path,
                run_dir=self.home.run,
                num_ctx=config.num_ctx,
                name=BUILTIN_TITLE if plan.built_in else "",
                think=config.think,
                against_loops=plan.built_in,
            )
        from localagent.models.script_file import load_script

        if not plan.name:
            raise ConfigError(
                "provider scripted needs the path of a script", where="model.model_name", hint="See docs/usage.md."
            )
        return load_script(self.base_of(loaded) / Path(plan.name).expanduser(), window=config.num_ctx)

    def base_of(self, loaded: LoadedAgent) -> Path:
        """Where a relative path begins: at the agent's folder if its file has it, else where the user is."""
        return loaded.folder if loaded.path.name in loaded.origins["model.model_name"] else self.env.cwd


def pull_question(missing: ModelMissing) -> str:
    """What a person is asked when Ollama lacks the model."""
    return f"{missing.message}. Pull it?"
