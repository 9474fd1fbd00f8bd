"""agent.yaml at the root is the reference: complete both ways, honest about defaults, and ready to be uncommented."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime

import pytest

from localagent.agent_folder import bundled_folder, describe_config, load_agent, load_tools
from localagent.build_check import check
from localagent.config import AgentConfig, leaves, validate, value_of
from localagent.environment import Environment
from localagent.tool import Tool
from localagent.yaml_source import dotted, parse

SOURCE = (bundled_folder() / "agent.yaml").read_text(encoding="utf-8")
# A key or list item that is switched off: "# key: value" or "# - item", indented like its neighbours.
COMMENTED = re.compile(r"^( +)# ([a-z_]+:|- )", re.MULTILINE)


def in_new_process(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in the checkout."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=bundled_folder(),
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def uncommented() -> str:
    return COMMENTED.sub(r"\1\2", SOURCE)


def keys_of(source: str) -> set[str]:
    document = parse(source.encode("utf-8"))
    assert not document.faults
    return {dotted(path) for path in document.keys}


def test_every_key_of_the_schema_occurs_and_every_key_that_occurs_is_one() -> None:
    sections = {key.rpartition(".")[0] for key in leaves()} - {""}
    assert keys_of(uncommented()) == {*leaves(), *sections, "agent"}


def test_every_key_has_a_one_line_comment() -> None:
    for line in uncommented().splitlines():
        if re.match(r" +[a-z_]+: ?\S", line) or re.match(r" +- ", line):
            assert " # " in line or line.strip() == "- get_current_time", line


def test_the_values_are_the_defaults(env: Environment) -> None:
    config = load_agent(env).config
    for key, leaf in leaves().items():
        if key != "tools":
            assert value_of(config, key) == ({} if leaf.kind.pairs or leaf.kind.inner else leaf.default), key


def test_it_loads_with_everything_uncommented(env: Environment) -> None:
    path = env.cwd / "all.yaml"
    path.write_text(uncommented(), encoding="utf-8")
    loaded = load_agent(env, agent=str(path))
    assert not [key for key, _, origin in describe_config(loaded) if origin == "default"]
    assert [entry for entry in check(env, agent=str(path)) if not isinstance(entry, str)] == []


def test_what_this_version_does_not_use_says_so() -> None:
    for key, leaf in leaves().items():
        (line,) = [line for line in SOURCE.splitlines() if line.strip().startswith(f"{key.rpartition('.')[2]}:")]
        assert ("Not used in this version" in leaf.description) == ("Not used in this version" in line)


def test_every_field_is_described_and_its_default_valid() -> None:
    for key, leaf in leaves().items():
        assert leaf.description.endswith("."), key
        section, _, name = key.rpartition(".")
        validate({section: {name: leaf.default}} if section else {name: leaf.default})
    assert validate({}) == AgentConfig()


def test_configuration_is_frozen() -> None:
    with pytest.raises(AttributeError):
        AgentConfig().name = "other"  # type: ignore[misc]


@pytest.fixture
def clock(env: Environment) -> Callable[..., str]:
    made = load_tools(load_agent(env)).tools["get_current_time"]
    assert isinstance(made, Tool)
    return lambda **arguments: str(made.function(**arguments))


def test_the_clock_says_time_day_and_zone(clock: Callable[..., str]) -> None:
    for name, zone in (("", None), ("Asia/Shanghai", "Asia/Shanghai"), (" UTC ", "UTC")):
        stamp, day, place = clock(timezone=name).split(maxsplit=2)
        when = datetime.fromisoformat(stamp)
        assert when.tzinfo is not None and abs((datetime.now(when.tzinfo) - when).total_seconds()) < 3600
        assert day == ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[when.weekday()]
        assert zone is None or place == f"({zone})"
    assert clock(timezone="Asia/Shanghai").split()[0].endswith("+08:00")


@pytest.mark.parametrize(
    "name", ["Nowhere/City", "北京", "../../etc/passwd", "/etc/localtime", "\0", "Asia", "x" * 5000]
)
def test_a_wrong_time_zone_tells_the_model_what_to_do(clock: Callable[..., str], name: str) -> None:
    with pytest.raises(ValueError, match="Use an IANA name such as Asia/Shanghai") as raised:
        clock(timezone=name)
    assert len(str(raised.value)) < 400


def test_a_machine_without_time_zone_data_says_so() -> None:
    code = (
        "import sys\nsys.modules['tzdata'] = None\nsys.path.insert(0, 'tools')\n"
        "from get_current_time import get_current_time as clock\nprint(clock.function())\n"
        "try:\n    clock.function('Asia/Shanghai')\nexcept ValueError as error:\n    print(error)\n"
    )
    done = in_new_process(code, PYTHONTZPATH="")
    assert "This machine has no time zone data" in done.stdout, done.stderr


@pytest.mark.parametrize("module", ["pydantic", "pydantic_core", "httpx", "typer", "localagent.config"])
def test_importing_agent_folder_is_cheap(module: str) -> None:
    done = in_new_process(f"import sys, localagent.agent_folder; sys.exit({module!r} in sys.modules)")
    assert done.returncode == 0, done.stderr


def test_loading_an_agent_needs_pydantics_validator_alone() -> None:
    """`pydantic` itself costs as much as the rest of the start together."""
    done = in_new_process(
        "import sys\nfrom localagent.environment import Environment\nfrom localagent.agent_folder import load_agent\n"
        "load_agent(Environment.of_process())\nsys.exit('pydantic' in sys.modules)"
    )
    assert done.returncode == 0, done.stderr
