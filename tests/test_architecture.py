"""The house rules, enforced: layers, growth brakes, and the few places where they do not hold."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "localagent"

# docs/architecture.md, "Layers". A folder stands for all of its modules.
LAYERS: dict[int, set[str]] = {
    0: {"", "errors", "messages", "events", "abort", "environment"},
    1: {"tool", "policy", "config", "record", "files", "models.base", "memory.base"},
    2: {
        "models",
        "memory",
        "trace",
        "home",
        "agent_folder",
        "agent_files",
        "agent_tools",
        "trust",
        "yaml_source",
        "overrides",
        "terminal",
    },
    3: {"assembler", "turn", "conversation"},
    4: {"build"},
    5: {"cli", "repl", "render", "__main__"},
}
STANDARD_ONLY = {0}
PYDANTIC_ALLOWED = {1}

MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 7
MAX_FILE_LINES = 400
# The named exceptions, each with its reason.
LONG_FUNCTIONS: set[str] = set()
MANY_PARAMETERS: set[str] = set()
LONG_FILES: set[str] = set()
# The three boundaries: the program's main, the call of a tool, the loading of agent files.
BROAD_EXCEPT = {"cli.main", "agent_folder", "agent_tools"}
# Wire parsing, where a value may be anything.
ANY_ALLOWED: set[str] = set()

FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def layer_of(module: str) -> int:
    """The layer of the longest entry that names the module or a folder above it."""
    best = max(
        (
            (len(entry), layer)
            for layer, entries in LAYERS.items()
            for entry in entries
            if module == entry or (entry and module.startswith((entry + ".", entry + "_")))
        ),
        default=None,
    )
    assert best is not None, f"localagent.{module} stands in no layer: add it to the table in docs/architecture.md"
    return best[1]


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
        if layer in (2, 5) and theirs == layer:
            same_folder = module.split(".")[0] == other.split(".")[0]
            allowed = layer == 5 or same_folder or "." not in module + other
            assert allowed, f"{module} imports {other}: adapters do not know each other across folders"
        elif layer <= 1:
            assert theirs <= layer, f"{module} (layer {layer}) imports {other} (layer {theirs})"
        elif layer == 3:
            assert theirs in (0, 1, 3), f"the core imports {other}: it knows protocols only"
        else:
            assert theirs < layer or module == other, f"{module} (layer {layer}) imports {other} (layer {theirs})"


def test_the_vocabulary_needs_the_standard_library_alone(source: tuple[str, ast.Module, str]) -> None:
    import sys

    module, tree, _ = source
    layer = layer_of(module)
    if layer > 1:
        return
    foreign = {name.split(".")[0] for name in imports_of(tree)} - set(sys.stdlib_module_names) - {"localagent", ""}
    allowed = {"pydantic", "pydantic_core"} if layer == 1 else {"platformdirs"} if module == "environment" else set()
    assert foreign <= allowed, f"{module} imports {foreign - allowed}"


def test_growth_brakes(source: tuple[str, ast.Module, str]) -> None:
    module, tree, text = source
    lines = text.count("\n")
    assert lines <= MAX_FILE_LINES or module in LONG_FILES, f"{module} has {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{module}.{node.name}"
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES or name in LONG_FUNCTIONS, f"{name} has {length} lines"
            arguments = node.args
            named = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            count = len([a for a in named if a not in ("self", "cls")])
            is_command = module.startswith("cli.") and named[:1] == ["context"]  # options of the command line
            assert count <= MAX_PARAMETERS or is_command or name in MANY_PARAMETERS, f"{name} takes {count} parameters"
        assert not isinstance(node, ast.Global), f"{module} uses `global`"
        if isinstance(node, ast.ExceptHandler):
            names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"everything"}
            broad = names & {"Exception", "BaseException", "everything"}
            assert not broad or module in BROAD_EXCEPT, f"{module}:{node.lineno} catches {broad}"


def test_any_stays_at_the_wire(source: tuple[str, ast.Module, str]) -> None:
    module, tree, _ = source
    uses_any = "typing.Any" in imports_of(tree) or any(
        isinstance(node, ast.ImportFrom) and node.module == "typing" and any(a.name == "Any" for a in node.names)
        for node in ast.walk(tree)
    )
    assert not uses_any or module in ANY_ALLOWED, f"{module} uses Any"


def test_package_inits_import_nothing() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not imports_of(tree), f"{path.relative_to(ROOT)} imports something"


def test_only_build_names_concrete_adapters() -> None:
    """Models and embedders are chosen in one place."""
    concrete = {"models.ollama", "models.embedded", "models.scripted", "memory.ledger", "trace"}
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
