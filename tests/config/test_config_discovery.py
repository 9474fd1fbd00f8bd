"""Which agent is used, and that no found folder runs its code before the user said so."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.agent_folder import bundled_folder, copy_default, load_agent, load_tools
from localagent.environment import Environment
from localagent.errors import ConfigError, StorageError
from localagent.trust import trust, trusted, untrust

MakeAgent = Callable[..., Path]
WithVariables = Callable[..., Environment]

TOOL = '''
def {name}() -> str:
    """Say what this version says."""
    return "{said}"
'''


def tool(name: str, said: str) -> str:
    return TOOL.format(name=name, said=said)


def test_without_anything_the_bundled_agent_is_used(env: Environment) -> None:
    loaded = load_agent(env)
    assert loaded.folder == bundled_folder() and not loaded.notices


def test_the_order_of_discovery(env: Environment, make_agent: MakeAgent, tmp_path: Path) -> None:
    make_agent(env.config_dir, "agent: {name: own}")
    assert load_agent(env).config.name == "own"
    make_agent(env.cwd, "agent: {name: here}")
    assert load_agent(env).config.name == "own"
    trust(env, env.cwd)
    assert load_agent(env).config.name == "here"
    variable = make_agent(tmp_path / "variable", "agent: {name: variable}")
    env = replace(env, variables={"LOCALAGENT_AGENT": str(variable)})
    assert load_agent(env).config.name == "variable"
    flag = make_agent(tmp_path / "flag", "agent: {name: flag}")
    assert load_agent(env, agent=str(flag)).config.name == "flag"
    assert load_agent(env, agent=str(flag / "agent.yaml")).folder == flag


def test_a_named_agent_may_be_relative_or_in_the_home_folder(
    env: Environment, make_agent: MakeAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_agent(env.cwd / "sub 目录", "agent: {name: sub}")
    make_agent(tmp_path / "home" / "mine", "agent: {name: home}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert load_agent(env, agent="sub 目录").config.name == "sub"
    assert load_agent(env, agent="./sub 目录/agent.yaml").config.name == "sub"
    assert load_agent(env, agent="~/mine").config.name == "home"


def test_an_empty_variable_names_nothing_and_a_wrong_one_is_an_error(with_variables: WithVariables) -> None:
    assert load_agent(with_variables(LOCALAGENT_AGENT="")).folder == bundled_folder()
    with pytest.raises(ConfigError, match=r"^LOCALAGENT_AGENT: there is no file or folder 'nowhere'"):
        load_agent(with_variables(LOCALAGENT_AGENT="nowhere"))


def test_a_found_folder_is_not_used_until_trusted_and_one_line_says_so(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd, "agent: {name: stranger, tools: [boom]}", boom="raise SystemExit('executed')")
    loaded = load_agent(env)
    assert loaded.folder == bundled_folder()
    (notice,) = loaded.notices
    assert notice.startswith("./agent.yaml is not used") and "`localagent trust .`: its folder is not trusted" in notice
    load_tools(loaded)  # the bundled ones: nothing of the stranger runs


def test_the_bundled_folder_itself_needs_no_trust(env: Environment) -> None:
    loaded = load_agent(replace(env, cwd=bundled_folder()))
    assert loaded.folder == bundled_folder() and not loaded.notices


def test_changes_after_trust_ask_again_and_are_named(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd, "agent: {name: here, tools: [one]}", one=tool("one", "1"), two=tool("two", "2"))
    trust(env, env.cwd)
    assert load_agent(env).config.name == "here"
    make_agent(env.cwd, "agent: {name: here, tools: [one]}", one=tool("one", "changed"), three=tool("three", "3"))
    (env.cwd / "tools" / "two.py").unlink()
    loaded = load_agent(env)
    assert loaded.folder == bundled_folder()
    assert "changed: tools/one.py; added: tools/three.py; removed: tools/two.py" in loaded.notices[0]
    trust(env, env.cwd)
    assert load_agent(env).config.name == "here"


@pytest.mark.parametrize(
    "name", ["agent.yaml", "tools/one.py", "tools/deep/er/x.py", "tools/_shared.py", "policies/p.py", "tools/new.py"]
)
def test_every_file_that_can_run_counts(env: Environment, make_agent: MakeAgent, name: str) -> None:
    make_agent(env.cwd, one=tool("one", "1"), _shared="X = 1\n")
    for path in ("tools/deep/er/x.py", "policies/p.py"):
        (env.cwd / path).parent.mkdir(parents=True, exist_ok=True)
        (env.cwd / path).write_text("x = 1\n")
    trust(env, env.cwd)
    assert load_agent(env).folder == env.cwd
    with (env.cwd / name).open("a") as file:
        file.write("# more\n")
    assert load_agent(env).folder == bundled_folder()


def test_what_a_link_points_to_counts(env: Environment, make_agent: MakeAgent, tmp_path: Path) -> None:
    make_agent(env.cwd)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "one.py").write_text(tool("one", "1"))
    (env.cwd / "tools").symlink_to(outside)
    (outside / "loop").symlink_to(outside)
    (outside / "gone.py").symlink_to(tmp_path / "nowhere.py")
    trust(env, env.cwd)
    assert load_agent(env).folder == env.cwd
    (outside / "one.py").write_text(tool("one", "2"))
    assert "changed: tools/one.py" in load_agent(env).notices[0]


def test_a_folder_that_is_found_by_another_name_is_the_same_folder(
    env: Environment, make_agent: MakeAgent, tmp_path: Path
) -> None:
    make_agent(env.cwd)
    (tmp_path / "link").symlink_to(env.cwd)
    trust(env, tmp_path / "link")
    assert load_agent(env).folder == env.cwd
    assert load_agent(replace(env, cwd=tmp_path / "link")).folder == tmp_path / "link"


def test_the_bytes_that_were_compared_are_those_that_run(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd, "agent: {tools: [one]}", one=tool("one", "trusted"))
    trust(env, env.cwd)
    loaded = load_agent(env)
    (env.cwd / "tools" / "one.py").write_text(tool("one", "swapped"))
    (env.cwd / "tools" / "__pycache__").mkdir()
    assert load_tools(loaded).tools["one"].function() == "trusted"


def test_trust_is_kept_private_and_can_be_taken_back(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd, one=tool("one", "1"))
    record = trust(env, Path())
    assert sorted(record.files) == ["agent.yaml", "tools/one.py"] and record.trusted_at == 1000.0
    path = env.data_dir / "trust.json"
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(env.data_dir.stat().st_mode) == 0o700
    assert trusted(env) == ([record], "")
    assert untrust(env, env.cwd) and not untrust(env, env.cwd)
    assert load_agent(env).folder == bundled_folder()


def test_two_folders_are_trusted_apart(env: Environment, make_agent: MakeAgent, tmp_path: Path) -> None:
    for name in ("a", "b 助手"):
        make_agent(tmp_path / name)
        trust(env, tmp_path / name)
    assert [Path(record.folder).name for record in trusted(env)[0]] == ["a", "b 助手"]
    untrust(env, tmp_path / "a")
    assert load_agent(replace(env, cwd=tmp_path / "b 助手")).folder.name == "b 助手"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 2, "folders": []}', b"[" * 100_000, b'{"version": 1, "folders": [1]}',
     b'{"version": 1, "folders": [{"folder": 1, "fingerprint": "", "files": {}, "trusted_at": 0}]}',
     b'{"version": 1, "folders": [{"folder": "", "fingerprint": "", "files": [], "trusted_at": 0}]}'],
)  # fmt: skip
def test_a_damaged_trust_file_means_no_trust_and_a_notice(
    env: Environment, make_agent: MakeAgent, content: bytes
) -> None:
    make_agent(env.cwd)
    trust(env, env.cwd)
    (env.data_dir / "trust.json").write_bytes(content)
    loaded = load_agent(env)
    assert loaded.folder == bundled_folder()
    assert "is damaged" in loaded.notices[0]
    trust(env, env.cwd)
    assert load_agent(env).folder == env.cwd


KEYS = st.sampled_from(["version", "folders", "folder", "files", "fingerprint", "trusted_at"])
ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner),
)


@settings(deadline=None, max_examples=100)
@given(ANYTHING)
def test_any_json_is_either_read_or_damaged(data: object) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "trust.json").write_text(json.dumps(data))
        env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {}, root, root, root / "config")
        records, notice = trusted(env)
        assert records == [] or notice == ""


def test_what_can_not_be_checked_is_not_trusted(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd)
    (env.cwd / "tools").mkdir()
    for number in range(600):
        (env.cwd / "tools" / f"t{number}.py").touch()
    loaded = load_agent(env)
    assert loaded.folder == bundled_folder() and "more than 500 Python files" in loaded.notices[0]
    with pytest.raises(ConfigError, match="more than 500 Python files"):
        trust(env, env.cwd)


def test_an_agent_yaml_that_is_a_folder_or_a_pipe_does_not_stop_anybody(env: Environment) -> None:
    path = env.cwd / "agent.yaml"
    path.mkdir()
    assert "cannot be checked" in load_agent(env).notices[0]
    path.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        assert "not a regular file" in load_agent(env).notices[0]


def test_trusting_what_is_no_agent_is_an_error(env: Environment, tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", env.cwd):
        with pytest.raises(ConfigError, match="No such file"):
            trust(env, folder)


def test_a_data_folder_that_can_not_be_written(env: Environment, make_agent: MakeAgent) -> None:
    make_agent(env.cwd)
    env.data_dir.write_text("in the way")
    with pytest.raises(StorageError):
        trust(env, env.cwd)
    assert "not trusted" in load_agent(env).notices[0]


def test_init_copies_the_default_agent_and_trusts_the_copy(env: Environment) -> None:
    target = env.cwd / "助手 agent"
    copied = copy_default(env, Path("助手 agent"))
    names = {path.relative_to(target).as_posix() for path in copied}
    assert {"agent.yaml", "tools/get_current_time.py", "policies/README.md"} <= names
    loaded = load_agent(replace(env, cwd=target))
    assert loaded.folder == target and not loaded.notices
    assert "get_current_time" in load_tools(loaded).tools


@pytest.mark.parametrize("taken", ["agent.yaml", "tools/mine.py", "policies/mine.py"])
def test_init_overwrites_nothing(env: Environment, taken: str) -> None:
    (env.cwd / taken).parent.mkdir(exist_ok=True)
    (env.cwd / taken).write_text("mine")
    with pytest.raises(ConfigError, match="already there"):
        copy_default(env, env.cwd)
    assert (env.cwd / taken).read_text() == "mine"
    assert [path for path in env.cwd.rglob("*") if path.is_file()] == [env.cwd / taken]


def test_init_beside_other_files_is_fine_and_a_blocked_place_is_told(env: Environment) -> None:
    (env.cwd / "notes.txt").write_text("mine")
    copy_default(env, env.cwd)
    (env.cwd / "file").write_text("x")
    with pytest.raises(StorageError):
        copy_default(env, env.cwd / "file" / "agent")


def test_a_name_in_any_script_loads_in_a_locale_without_it(tmp_path: Path) -> None:
    folder = tmp_path / "助手"
    folder.mkdir()
    (folder / "agent.yaml").write_text("agent:\n  name: 助手\n", encoding="utf-8")
    script = (
        "import sys\n"
        "from localagent.environment import Environment\n"
        "from localagent.agent_folder import load_agent, copy_default\n"
        "env = Environment.of_process()\n"
        "loaded = load_agent(env, agent=sys.argv[1])\n"
        "copy_default(env, loaded.folder / 'new')\n"
        "print(ascii(loaded.config.name), ascii(loaded.origins['name']))\n"
    )
    root = Path(__file__).resolve().parents[2]
    variables = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "LOCALAGENT_HOME": str(tmp_path / "home")}
    variables["PYTHONPATH"] = str(root)
    done = subprocess.run([sys.executable, "-c", script, folder], env=variables, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().split() == [ascii("助手"), "'agent.yaml:2:3'"]


def test_the_same_agent_in_an_installed_package(tmp_path: Path) -> None:
    """The wheel carries the three beside the engine; nothing of the checkout is there."""
    root = bundled_folder()
    site = tmp_path / "site"
    shutil.copytree(root / "localagent", site / "localagent", ignore=shutil.ignore_patterns("__pycache__"))
    inside = site / "localagent" / "default_agent"
    inside.mkdir()
    shutil.copy(root / "agent.yaml", inside)
    for name in ("tools", "policies"):
        shutil.copytree(root / name, inside / name)
    script = (
        "from localagent.environment import Environment\n"
        "from localagent.agent_folder import load_agent, load_policies, load_tools\n"
        "from localagent.policy import Said\n"
        "loaded = load_agent(Environment.of_process())\n"
        "kept = load_policies(loaded).importance(Said('user', 'My name is Ana.', 0.0, 1), [])\n"
        "print(loaded.folder, *load_tools(loaded).tools, len(kept))\n"
    )
    variables = {**os.environ, "PYTHONPATH": str(site), "LOCALAGENT_HOME": str(tmp_path / "home")}
    variables["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    done = subprocess.run(
        [sys.executable, "-c", script], env=variables, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(inside), "get_current_time", "memory_search", "memory_write", "1"]
