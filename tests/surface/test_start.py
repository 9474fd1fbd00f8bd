"""What is imported when, the help, and the documentation that must not lie."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from memory_program import Here

from localagent.errors import ExitCode, LocalAgentError

ROOT = Path(__file__).parents[2]
HEAVY = ("chromadb", "httpx", "ollama", "xllamacpp", "mcp", "huggingface_hub", "numpy")
COMMANDS = [
    (),
    ("chat",),
    ("ask",),
    ("init",),
    ("trust",),
    ("doctor",),
    ("threads",),
    *[("threads", name) for name in ("list", "show", "rename", "delete", "export", "search")],
    ("prompts",),
    *[("prompts", name) for name in ("list", "show")],
    ("memory",),
    *[("memory", name) for name in "search add list show edit pin unpin forget replace restore prune stats".split()],
    *[("memory", name) for name in "export import ingest documents reindex retry".split()],
    ("models",),
    *[("models", name) for name in ("list", "pull", "rm")],
    ("config",),
    *[("config", name) for name in ("show", "check")],
]


def imported(*arguments: str) -> set[str]:
    """The modules that a run of the program imports."""
    code = (
        "import sys, io; from localagent.cli.main import run; from localagent.environment import Environment\n"
        "code = run(sys.argv[1:], Environment.of_process()); print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("threads", "--help"), ("memory", "search", "--help"), ("ask", "--help")]
)
def test_nothing_heavy_is_imported_for_help(arguments: tuple[str, ...]) -> None:
    modules = imported(*arguments)
    assert not modules & {*HEAVY, "prompt_toolkit", "sqlite3", "yaml"}


def test_an_answer_into_a_pipe_imports_nothing_of_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "script.yaml").write_text("steps: [Hello.]\n", encoding="utf-8")
    monkeypatch.setenv("LOCALAGENT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCALAGENT_MODEL_PROVIDER", "scripted")
    monkeypatch.setenv("LOCALAGENT_MODEL_MODEL_NAME", str(tmp_path / "script.yaml"))
    modules = imported("ask", "hi", "--set", "memory.embedder=words")
    assert not {module for module in modules if module.partition(".")[0] in {*HEAVY, "prompt_toolkit"} - {"numpy"}}


def test_memory_is_opened_without_what_reads_messages() -> None:
    code = "import sys, localagent.build_memory; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert not {"localagent.remember", "localagent.slots", "localagent.pasted"} & set(done.stdout.split())


def test_nothing_of_memory_is_imported_before_the_first_prompt() -> None:
    code = "import sys, localagent.repl; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    late = {f"localagent.{name}" for name in ("forgetting", "longterm", "policy", "recall", "remember", "slots")}
    assert not {*HEAVY, *late} & set(done.stdout.split())


def test_version_imports_next_to_nothing() -> None:
    assert "typer" not in imported("--version")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(program: Here, command: tuple[str, ...]) -> None:
    result = program(*command, "--help")
    assert result.code == 0 and "Usage: localagent" in result.out
    assert result.err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(program: Here, shell: str) -> None:
    result = program.real()("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert result.code == 0 and "_LOCALAGENT_COMPLETE" in result.out


@pytest.mark.parametrize(("typed", "wanted"), [("localagent thr", "threads"), ("localagent threads exp", "export")])
def test_completion_completes(program: Here, typed: str, wanted: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1), "_LOCALAGENT_COMPLETE": "complete_bash"}
    assert wanted in program.real()(**words).out.split()


@pytest.mark.parametrize("name", ["usage.md", "usage.zh-CN.md"])
def test_every_exit_code_is_documented(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    assert documented == {int(code) for code in ExitCode}


def test_every_error_has_an_exit_code_of_its_own_kind() -> None:
    def tree(kind: type[LocalAgentError]) -> list[type[LocalAgentError]]:
        return [kind, *(leaf for child in kind.__subclasses__() for leaf in tree(child))]

    for kind in tree(LocalAgentError):
        assert kind.exit_code in set(ExitCode)


@pytest.mark.parametrize("name", ["usage.md", "usage.zh-CN.md"])
def test_every_command_is_documented(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").replace("\\|", " ")
    for command in COMMANDS:
        if len(command) == 2:
            assert re.search(rf"`{command[0]} [a-z ]*\b{command[1]}\b", text), command
        elif command:
            assert f"`{command[0]}" in text, command


def test_the_two_readmes_show_the_same_commands() -> None:
    def commands(name: str) -> list[str]:
        blocks = re.findall(r"```sh\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
        return [line for block in blocks for line in block.splitlines()]

    assert commands("README.md") == commands("README.zh-CN.md")


def test_each_page_leads_to_the_same_in_the_other_language() -> None:
    for chinese in [*ROOT.glob("*.zh-CN.md"), *(ROOT / "docs").glob("*.zh-CN.md")]:
        english = chinese.with_name(chinese.name.replace(".zh-CN", ""))
        for page, link in ((english, f"[中文]({chinese.name})"), (chinese, f"[English]({english.name})")):
            assert page.read_text(encoding="utf-8").splitlines()[2] == link, page.name
        parts = [re.findall(r"^#+ |^```", page.read_text(encoding="utf-8"), re.M) for page in (english, chinese)]
        assert parts[0] == parts[1], f"{chinese.name} has other sections or blocks than {english.name}"
        for target in re.findall(r"\]\((?:docs/)?([^):]+)\.md\)", chinese.read_text(encoding="utf-8")):
            assert (
                target.endswith(".zh-CN")
                or not (ROOT / "docs" / f"{target}.zh-CN.md").exists()
                or target == english.stem
            )


def test_links_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("name", ["usage.md", "usage.zh-CN.md"])
def test_the_documented_script_plays(program: Here, name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    script = re.findall(r"```yaml\n(window.*?)```", text, re.DOTALL)[0]
    (program.folder / "script.yaml").write_text(script, encoding="utf-8")
    model = ("--set", "model.provider=scripted", "--model", "script.yaml")
    answer = program("ask", "hi", *model)
    assert answer.code == 0 and answer.out.strip() in ("Hello.", "你好。")


def test_the_commands_of_the_readme_run(program: Here) -> None:
    """Those that need neither a network nor a person."""
    (program.folder / "script.yaml").write_text("{loop: true, steps: [a message]}", encoding="utf-8")
    scripted = {
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(program.folder / "script.yaml"),
    }
    blocks = re.findall(r"```(?:sh|text)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    commands = [line for line in lines if re.match(r"(git diff \| )?localagent \w", line)]
    assert len(commands) >= 4
    for command in commands:
        arguments = shlex.split(command.partition("localagent ")[2])
        stdin = "+ a line\n" if command.startswith("git diff") else None
        result = program(*arguments, stdin=stdin, **scripted)
        assert result.code == 0, (command, result.err)
