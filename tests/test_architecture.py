"""The house rules, enforced: layers, growth brakes, and the few places where they do not hold."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "localagent"

# docs/architecture.md, "Layers". Every module by its name; a name that ends in a dot is a folder.
LAYERS: dict[int, set[str]] = {
    0: {"", "errors", "messages", "events", "abort", "environment"},
    1: {"tool", "config", "config_kinds", "addresses", "record", "files", "models.base", "models", "memory", "toolbox"}
    | {"config_loop", "config_servers", "config_agents", "mcp"}
    | {
        "columns",
        "bilingual",
        "bilingual_doctor",
        "bilingual_records",
        "bilingual_said",
        "bilingual_shown",
        "bilingual_talk",
        "bilingual_why",
        "policy",
        "summary",
        "calls",
        "quality",
        "pasted",
        "memory.base",
        "memory.characters",
        "memory.entries",
        "memory.embedding",
    }
    | {"memory.filters", "memory.index"}
    | {"memory.kinds", "memory.language", "memory.searching"}
    | {"memory.classifying"},
    2: {"models.", "memory.", "toolbox.", "mcp.", "trace", "home", "terminal", "answer_schema"}
    | {"agent_folder", "agent_files", "agent_tools", "agent_mechanisms", "trust", "yaml_source", "overrides"}
    | {"sub_agents"},
    3: {
        "assembler",
        "wire",
        "completion",
        "ring",
        "proposing",
        "compression",
        "compression_notes",
        "corrections",
        "summarizer",
        "spoken",
        "turn",
        "model_call",
        "prompting",
        "loop",
        "doing",
        "offering",
        "shortening",
        "fitting",
        "conversation",
        "recall",
        "recall_block",
        "covering",
        "doubles",
        "sorting",
        "sticky",
        "substance",
        "longterm",
        "prune",
    }
    | {"approval"}
    | {
        "remember",
        "as_written",
        "writing",
        "noted",
        "second_look",
        "whose",
        "linking",
        "excepted",
        "courtesy",
        "joking",
        "forgetting",
        "plainly_asked",
        "known_of",
        "discretion",
        "unsaid",
        "withheld",
        "taken_back",
        "spoken_of",
        "which_entry",
        "heard",
        "named_alone",
        "named_freely",
        "putting_away",
        "nearby",
        "meant",
        "belonging",
        "named_sides",
        "told_of",
        "let_go",
        "repetitions",
        "written",
        "relation",
        "changes",
        "slots",
        "statements",
    }
    | {"same_thing", "persons", "facets", "endings", "deaths", "in_part", "planned", "cutting"}
    | {"alterations", "contrasts"}
    | {"companions", "owners", "sides", "several", "misspoken", "which_one", "bygone", "wished"}
    | {"stated", "tool_memory", "judge"}
    | {"explain", "explain_diff", "explain_fates", "explain_overview", "explain_prompt", "explain_text"},
    4: {"build", "build_memory", "build_embedder", "build_mcp", "build_compression", "build_tools", "build_vision"}
    | {"build_agents", "build_check", "build_classifier"},
    5: {"cli", "cli.", "__main__"}
    | {"asking"}
    | {
        "repl",
        "repl_chat",
        "repl_commands",
        "repl_history",
        "repl_input",
        "repl_keys",
        "repl_memory",
        "repl_paste",
        "repl_tools",
    }
    | {"render", "render_blocks", "render_flow", "render_markdown", "render_record", "render_memory", "render_summary"}
    | {"render_steps", "render_plain", "render_status"}
    | {"render_context", "render_recall"}
    | {"report", "report_chart", "report_page"},
}
# Adapters know nothing of each other, but for the parts of one thing.
TOGETHER = (
    {"agent_folder", "agent_files", "agent_tools", "agent_mechanisms", "trust", "yaml_source", "overrides"}
    | {"sub_agents"},
    {"agent_tools", "toolbox.descriptors", "toolbox.printing"},  # what a file prints when it is run
    {"trust", "home"},  # where the file of trusted folders lies
    # Tools of MCP servers are shown, capped and ended as the agent's own.
    {"mcp.client", "mcp.results", "mcp.streams"}
    | {"toolbox.capping", "toolbox.local", "toolbox.processes", "toolbox.running"},
)
# Packages beside the standard library. What is not named here may import none.
FOREIGN: dict[str, set[str]] = {
    "environment": {"platformdirs"},
    "tool": {"pydantic", "pydantic_core"},
    "config": {"pydantic_core"},
    "config_kinds": {"pydantic_core"},
    "config_servers": {"pydantic_core"},
    "config_agents": {"pydantic_core"},
}
FOREIGN["memory.embedding"] = {"numpy"}  # a type
INPUT_AND_OUTPUT = {"sqlite3", "socket", "http", "urllib", "subprocess", "os", "shutil", "pathlib", "tempfile", "io"}

MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 7
MAX_FILE_LINES = 400
# The boundaries: the program's main, the call of a tool (also of one of an MCP server) with the check of its arguments,
# the loading of agent files.
BROAD_EXCEPT = {"mcp.connection", "cli.main", "agent_tools", "toolbox.running", "toolbox.arguments"}

FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def layer_of(module: str) -> int:
    """By its own name, else by its folder's."""
    for name in (module, module.rpartition(".")[0] + "."):
        for layer, entries in LAYERS.items():
            if name in entries and name != ".":
                return layer
    raise AssertionError(f"localagent.{module} stands in no layer: add it here and to docs/architecture.md")


def imports_of(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            found.add(module)
            if module.startswith("localagent"):
                found.update(f"{module}.{alias.name}" for alias in node.names)
    return found


def own_modules(tree: ast.AST) -> set[str]:
    known = {name_of(path) for path in FILES}
    names = {
        name.removeprefix("localagent").removeprefix(".") for name in imports_of(tree) if name.startswith("localagent")
    }
    return {name for name in names if name in known and name}


@pytest.fixture(scope="module", params=FILES, ids=name_of)
def source(request: pytest.FixtureRequest) -> tuple[str, ast.Module, str]:
    path: Path = request.param
    text = path.read_text(encoding="utf-8")
    return name_of(path), ast.parse(text), text


def test_imports_only_from_rows_above(source: tuple[str, ast.Module, str]) -> None:
    module, tree, _ = source
    layer = layer_of(module)
    for other in own_modules(tree):
        theirs = layer_of(other)
        if layer == theirs == 2:
            same_folder = "." in module and module.split(".")[0] == other.split(".")[0]
            parts = any({module, other} <= group for group in TOGETHER)
            assert same_folder or parts, f"{module} imports {other}: adapters do not know each other"
        elif layer == 3:
            assert theirs in (0, 1, 3), f"the core imports {other}: it knows protocols only"
        else:
            assert theirs <= layer, f"{module} (layer {layer}) imports {other} (layer {theirs})"


def test_what_the_lower_layers_and_the_core_may_import(source: tuple[str, ast.Module, str]) -> None:
    module, tree, _ = source
    packages = {name.split(".")[0] for name in imports_of(tree)} - {"localagent", ""}
    if layer_of(module) in (0, 1, 3):
        foreign = packages - set(sys.stdlib_module_names) - FOREIGN.get(module, set())
        assert not foreign, f"{module} imports {foreign}"
    if layer_of(module) == 3:
        assert not packages & INPUT_AND_OUTPUT, f"the core has no input or output of its own: {module}"


def test_nothing_is_imported_by_a_text(source: tuple[str, ast.Module, str]) -> None:
    module, tree, _ = source
    if module == "agent_tools":  # loads the agent's own files
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("importlib.import_module", "import_module", "__import__"), f"{module}:{node.lineno}"


def test_growth_brakes(source: tuple[str, ast.Module, str]) -> None:
    module, tree, text = source
    lines = text.count("\n")
    assert lines <= MAX_FILE_LINES, f"{module} has {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{module}.{node.name}"
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{name} has {length} lines"
            arguments = node.args
            named = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            count = len([a for a in named if a not in ("self", "cls")])
            is_command = module.startswith("cli.") and named[:1] == ["context"]  # options of the command line
            assert count <= MAX_PARAMETERS or is_command, f"{name} takes {count} parameters"
        assert not isinstance(node, ast.Global), f"{module} uses `global`"
        if isinstance(node, ast.ExceptHandler):
            names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"everything"}
            broad = names & {"Exception", "BaseException", "everything"}
            assert not broad or module in BROAD_EXCEPT, f"{module}:{node.lineno} catches {broad}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            suppressed = {ast.unparse(argument) for argument in node.args}
            assert not suppressed & {"Exception", "BaseException"}, f"{module}:{node.lineno} suppresses {suppressed}"


def test_nothing_is_any(source: tuple[str, ast.Module, str]) -> None:
    module, tree, _ = source
    for node in ast.walk(tree):
        named = (
            isinstance(node, ast.ImportFrom) and node.module == "typing" and any(a.name == "Any" for a in node.names)
        )
        reached = isinstance(node, ast.Attribute) and ast.unparse(node) == "typing.Any"
        assert not (named or reached), f"{module} uses Any"


def test_every_exception_is_needed() -> None:
    """A name that allows something must still have a use for it."""
    modules = {name_of(path) for path in FILES}
    assert modules >= BROAD_EXCEPT | set(FOREIGN)
    for module in BROAD_EXCEPT:
        text = next(path for path in FILES if name_of(path) == module).read_text(encoding="utf-8")
        assert re.search(r"except \(?(Base)?Exception\b", text), module


def test_package_inits_import_nothing() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not imports_of(tree), f"{path.relative_to(ROOT)} imports something"


def test_only_build_names_concrete_adapters() -> None:
    """Models and embedders are chosen in one place."""
    concrete = {name_of(path) for path in FILES if name_of(path).startswith(("models.", "memory.", "mcp."))} | {"trace"}
    concrete -= {name for name in concrete if layer_of(name) == 1}
    for path in FILES:
        module = name_of(path)
        if layer_of(module) in (3, 5):
            used = own_modules(ast.parse(path.read_text(encoding="utf-8"))) & concrete
            assert not used, f"{module} names {used}; that is the business of build"


def test_the_top_level_is_the_documented_one() -> None:
    documented = {
        "pyproject.toml", "agent.yaml", "localagent", "tools", "policies", "tests", "README.md", "README.zh-CN.md",
        "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "constraints.txt", "docs", "benchmarks", ".ci",
        ".gitignore",
    }  # fmt: skip
    ignored = {".git", ".venv", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "dist", "build"}
    found = {path.name for path in ROOT.iterdir() if path.name != "__pycache__"} - ignored
    assert found <= documented, f"not in docs/architecture.md: {found - documented}"
    assert documented - found == set(), f"missing: {documented - found}"


def test_no_two_modules_of_the_tests_have_one_name() -> None:
    """The folders of the tests are no packages: of two modules with one name, whoever comes second gets the first."""
    names = Counter(path.stem for path in (ROOT / "tests").rglob("*.py") if path.stem not in ("conftest", "__init__"))
    assert {name for name, count in names.items() if count > 1} == set()
