"""Running an agent's tool and policy files: by path, under a private module name, from the bytes that were read.

`tools/clock.py` of a folder becomes the module `localagent_agent_<hash of the folder>.tools.clock`; nothing is added
to `sys.path`. Files may import their neighbours relatively (`from ._shared import x`).
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import resolve_name
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, TextIO, TypeVar, cast

from localagent.agent_files import AgentFiles
from localagent.errors import ConfigError, LocalAgentError
from localagent.tool import Tool, tool
from localagent.toolbox.descriptors import gathering
from localagent.toolbox.printing import Printed, printing
from localagent.yaml_source import shown

if TYPE_CHECKING:
    from localagent.calls import ApprovalPolicy, ApprovalRequest, Decision
    from localagent.memory.entries import Memory
    from localagent.policy import (
        Candidate,
        Compressing,
        ImportancePolicy,
        Policies,
        Question,
        RecallPolicy,
        RetentionPolicy,
        Said,
        SummarizationPolicy,
        UndecidedPolicy,
    )

Answer = TypeVar("Answer")
# Characters of what a file prints when it is run.
MOST_TOLD = 500


def load_tool_files(sources: Mapping[str, AgentFiles]) -> dict[str, Tool]:
    """Run `tools/<name>.py` for each name and take the tool out of it, in the order of `sources`.

    Raises ConfigError with the file and line for whatever goes wrong in a file.
    """
    tools: dict[str, Tool] = {}
    for name, importer in importers_of(sources, "tools").items():
        made = _tool_of(importer, name)
        tools[name] = replace(
            made, spec=replace(made.spec, code=importer.digest_of(f"{importer.package}.tools.{name}"))
        )
    return tools


def load_policy_files(sources: Mapping[str, AgentFiles], *, late: bool = False) -> Policies:
    """Run `policies/<name>.py` for each name, which are all there are, and take the function of that name out of it.
    Without `undecided`, nothing is.

    `late`: importance, undecided and summarization are run when they are asked first, which most commands never do;
    their many patterns take longer to compile than all else that a command needs.

    Raises ConfigError with the file and line for whatever goes wrong in a file; so do the policies when they are asked
    and fail, or answer with something else than their contract says.
    """
    from localagent.policy import Extracted, Policies, Ranked, Retention, all_decided
    from localagent.summary import SummaryItem

    importers = importers_of(sources, "policies")

    @cache
    def importance() -> ImportancePolicy:
        return cast("ImportancePolicy", policy_of(importers["importance"], "importance", 2))

    @cache
    def summarization() -> SummarizationPolicy:
        return cast("SummarizationPolicy", policy_of(importers["summarization"], "summarization", 1))

    @cache
    def undecided() -> UndecidedPolicy:
        return cast("UndecidedPolicy", policy_of(importers["undecided"], "undecided", 2))

    if not late:
        importance()
        summarization()
        if "undecided" in importers:
            undecided()
    recall = cast("RecallPolicy", policy_of(importers["recall"], "recall", 2))
    retention = cast("RetentionPolicy", policy_of(importers["retention"], "retention", 3))

    def guarded_importance(message: Said, earlier: Sequence[Said]) -> Sequence[Extracted]:
        return asked(importers["importance"], "importance", lambda: _all_are(Extracted, importance()(message, earlier)))

    def guarded_recall(question: Question, candidates: Sequence[Candidate]) -> Sequence[Ranked]:
        return asked(importers["recall"], "recall", lambda: _all_are(Ranked, recall(question, candidates)))

    def guarded_retention(memory: Memory, now: float, threshold: float) -> Retention:
        return asked(importers["retention"], "retention", lambda: must_be(Retention, retention(memory, now, threshold)))

    def guarded_summarization(given: Compressing) -> Sequence[SummaryItem]:
        return asked(importers["summarization"], "summarization", lambda: _all_are(SummaryItem, summarization()(given)))

    def guarded_undecided(message: Said, found: Sequence[Extracted]) -> Sequence[str]:
        return asked(importers["undecided"], "undecided", lambda: _all_are(str, undecided()(message, found)))

    return Policies(
        guarded_importance,
        guarded_recall,
        guarded_retention,
        guarded_summarization,
        guarded_undecided if "undecided" in importers else all_decided,
    )


def load_approval_file(files: AgentFiles) -> ApprovalPolicy:
    """Run `policies/approval.py` and take its function. It is guarded as those of `load_policy_files` are: what fails
    or answers with something else than a `Decision` raises ConfigError, so nothing runs by mistake."""
    from localagent.calls import Decision

    importer = importers_of({"approval": files}, "policies")["approval"]
    approval = cast("ApprovalPolicy", policy_of(importer, "approval", 1))

    def decided(request: ApprovalRequest) -> Decision:
        decision = must_be(Decision, approval(request))
        if decision.verdict not in ("allow", "ask", "deny"):
            raise ValueError(f"the verdict is none of allow, ask, deny: {decision.verdict!r}")
        return decision

    return lambda request: asked(importer, "approval", lambda: decided(request))


def importers_of(sources: Mapping[str, AgentFiles], kind: str) -> dict[str, Importer]:
    """For each name the importer of its folder, installed."""
    by_folder: dict[str, Importer] = {}
    for files in sources.values():
        key = str(files.folder)
        if key not in by_folder:
            by_folder[key] = Importer(files)
            by_folder[key].install(kind)
    return {name: by_folder[str(files.folder)] for name, files in sources.items()}


def _tool_of(importer: Importer, name: str) -> Tool:
    path = importer.path_of(f"tools/{name}.py")
    try:
        module = importlib.import_module(f"{importer.package}.tools.{name}")
        found = getattr(module, name, None)
        made = found if isinstance(found, Tool) else tool(found) if callable(found) else None
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # the file may do anything
        raise _in_words(error, path) from error
    if made is None:
        raise ConfigError(f"the file offers no function {name}; a tool's function is called like its file", where=path)
    if made.spec.name != name:
        raise ConfigError(f"the tool is called {shown(made.spec.name)!r}, its file {name!r}", where=path)
    return made


def policy_of(importer: Importer, name: str, arguments: int) -> Callable[..., object]:
    path = importer.path_of(f"policies/{name}.py")
    try:
        module = importlib.import_module(f"{importer.package}.policies.{name}")
        found: object = getattr(module, name, None)
        signature = inspect.signature(found) if callable(found) else None
    except ValueError:  # made in C, without a signature
        signature = None
    except (Exception, SystemExit) as error:  # the file may do anything
        raise _in_words(error, path) from error
    if not callable(found):
        line = _line_of(vars(module).get("__loader__"), module.__name__, name)
        said = f"{name} is no function" if line else f"the file offers no function {name}"
        raise ConfigError(f"{said}; a policy's function is called like its file", where=f"{path}:{line or 1}")
    try:
        if signature is not None:
            signature.bind(*[None] * arguments)
    except TypeError as error:
        line = getattr(getattr(found, "__code__", None), "co_firstlineno", 1)
        raise ConfigError(f"{name} must take {arguments} arguments: {error}", where=f"{path}:{line}") from error
    return found


def _line_of(loader: object, module: str, name: str) -> int:
    """Where a module gives something this name; 0 if nowhere."""
    source = loader.get_source(module) if isinstance(loader, Importer) else None
    lines = [
        node.lineno
        for node in ast.walk(ast.parse(source or ""))
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.alias) and (node.asname or node.name) == name)
    ]
    return max(lines, default=0)


def asked(importer: Importer, name: str, ask: Callable[[], Answer]) -> Answer:
    """What a policy answers, or an error with its place: it may be the user's own."""
    try:
        return ask()
    except LocalAgentError:
        raise
    except (Exception, SystemExit) as error:
        raise _in_words(error, importer.path_of(f"policies/{name}.py")) from error


def _all_are(expected: type[Answer], found: object) -> Sequence[Answer]:
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise TypeError(f"the answer is no list of {expected.__name__}: {type(found).__name__}")
    return [must_be(expected, entry) for entry in found]


def must_be(expected: type[Answer], found: object) -> Answer:
    if not isinstance(found, expected):
        raise TypeError(f"the answer is no {expected.__name__}: {type(found).__name__}")
    return found


def _in_words(error: BaseException, path: str) -> ConfigError:
    """With the line in the agent's file that the error came from, even if it was raised further down."""
    kind = type(error).__name__
    try:
        said = " ".join(str(error).split())[:300]
    except Exception:  # an exception class of the file's own
        said = "no message"
    if isinstance(error, SyntaxError) and error.filename == path:
        where = f"{path}:{error.lineno or 1}:{max(error.offset or 1, 1)}"
        return ConfigError(f"{kind}: {shown(error.msg)}", where=where)
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SystemExit):
        kind, said = "the file ends the program", f"SystemExit {said}".strip()
    return ConfigError(f"{kind}: {shown(said)}", where=f"{path}:{line}" if line else path)


class Importer(MetaPathFinder, InspectLoader):
    """Finds and loads the modules of one agent. Takes the place of an earlier one for the same folder; what that one
    loaded of another kind (its tools, its policies) stays."""

    def __init__(self, files: AgentFiles) -> None:
        digest = hashlib.sha256(os.fsencode(files.folder)).hexdigest()[:12]
        self.package = f"localagent_agent_{digest}"
        self._files = files

    def install(self, kind: str) -> None:
        sys.meta_path[:] = [
            finder for finder in sys.meta_path if not (isinstance(finder, Importer) and finder.package == self.package)
        ]
        sys.meta_path.append(self)
        below = f"{self.package}.{kind}"
        for name in [name for name in sys.modules if name == below or name.startswith(f"{below}.")]:
            del sys.modules[name]

    def path_of(self, name: str) -> str:
        return str(self._files.folder / name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = self._find(fullname)
        if found is None:
            return None
        name, is_package = found
        spec = ModuleSpec(fullname, self, origin=self.path_of(name) if name else None, is_package=is_package)
        spec.has_location = bool(name)
        return spec

    def exec_module(self, module: ModuleType) -> None:
        # What a tool prints must not end up in the answer, which is all that standard output is for.
        vars(module)["print"] = _print_beside_the_answer
        printed = Printed()
        try:
            with printing(printed), gathering(printed):
                super().exec_module(module)
        finally:
            if said := " ".join(printed.getvalue().split()):
                name = module.__name__.partition(".")[2].replace(".", "/")
                _print_beside_the_answer(f"{name}.py printed while it was loaded: {shown(said[:MOST_TOLD])}")

    def get_source(self, fullname: str) -> str | None:
        from importlib.util import decode_source

        source = self._source(fullname)
        return None if source is None else decode_source(source)

    def get_code(self, fullname: str) -> CodeType | None:
        name, _ = self._find(fullname) or ("", False)
        source = self._source(fullname)
        if source is None:
            raise ImportError(f"no module named {fullname}", name=fullname)
        return compile(source, self.path_of(name), "exec", dont_inherit=True)

    def digest_of(self, fullname: str) -> str:
        """Of the module's code, and of that of all files of the agent that it imports by name, directly or not."""
        found: dict[str, str] = {}
        pending = [fullname]
        while pending:
            name = pending.pop()
            source = self._source(name)
            if name in found or source is None:
                continue
            found[name] = hashlib.sha256(source).hexdigest()
            package = name if self.is_package(name) else name.rpartition(".")[0]
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and node.level:
                    base = resolve_name("." * node.level + (node.module or ""), package)
                    pending += [base, *(f"{base}.{alias.name}" for alias in node.names)]
        return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()

    def is_package(self, fullname: str) -> bool:
        found = self._find(fullname)
        return found is not None and found[1]

    def _source(self, fullname: str) -> bytes | None:
        name, is_package = self._find(fullname) or ("", False)
        return self._files.read(name) if name else b"" if is_package else None

    def _find(self, fullname: str) -> tuple[str, bool] | None:
        """The file of a module ("" for a folder without `__init__.py`), and whether it is a package."""
        if fullname == self.package:
            return "", True
        if not fullname.startswith(f"{self.package}."):
            return None
        base = fullname[len(self.package) + 1 :].replace(".", "/")
        if self._files.read(f"{base}.py") is not None:
            return f"{base}.py", False
        if self._files.read(f"{base}/__init__.py") is not None:
            return f"{base}/__init__.py", True
        return ("", True) if self._files.has_folder(base) else None


def _print_beside_the_answer(
    *values: object, sep: str | None = " ", end: str | None = "\n", file: TextIO | None = None, flush: bool = False
) -> None:
    if file is not None or sys.stderr is not None:  # else it would be standard output
        print(*values, sep=sep, end=end, file=file or sys.stderr, flush=flush)
