"""Whatever the file holds: a configuration, or an error in words. Never anything else."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from localagent.agent_folder import bundled_folder, load_agent
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.overrides import evaluate
from localagent.yaml_source import parse

SEED = (bundled_folder() / "agent.yaml").read_bytes()
PIECES = [
    b":", b"- ", b"\n", b"  ", b"\t", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"!!int ", b"!x", b"|\n", b">-\n", b"? ",
    b"#", b'"', b"'", b"%YAML 1.1\n", b"---\n", b"...\n", b"\\u0000", b"\\U00110000", b"\xff", b"\0", b"<<: ", b"~",
    b"null", b"0x", b"1e999", b".inf", b"_", b"@", b"`", "：".encode(), "助手".encode(), b"\xef\xbb\xbf", b"\xc2\x85",
    b"\r",
]  # fmt: skip


def holds(source: bytes) -> None:
    """The invariant, without the disk."""
    document = parse(source)
    result = evaluate(document, "agent.yaml", [])
    assert (result.config is None) == bool(result.problems)
    for problem in result.problems:
        file, line, column = problem.where.rsplit(":", 2)
        assert file == "agent.yaml" and int(line) >= 1 and int(column) >= 1
        assert problem.message.isprintable() and len(problem.message) < 2000


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes(source: bytes) -> None:
    holds(source)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=200))
@example("%YAML " + "9" * 5000 + ".1\n--- a")
@example("agent: &a\n  <<: *a")
@example('"\\ud800": 1')
@example("agent: {? {a: b} : c}")
@example("agent: {model: {seed: 0x_}}")
@example("agent: {model: {temperature: ._}}")
def test_any_text(text: str) -> None:
    holds(text.encode("utf-8", "surrogatepass"))


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(0, len(SEED)), st.integers(0, 12), st.sampled_from(PIECES) | st.binary(max_size=4)),
        min_size=1,
        max_size=4,
    )
)
def test_any_mutation_of_the_default_agent(edits: list[tuple[int, int, bytes]]) -> None:
    source = SEED
    for start, length, piece in edits:
        source = source[:start] + piece + source[start + length :]
    holds(source)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates()
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scalars, inner, max_size=3))


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(
        st.sampled_from(["name", "model", "tools", "limits", "context_policy", "log_prompts", "x"]),
        values
        | st.dictionaries(st.sampled_from(["num_ctx", "think", "keep_alive", "recent_keep"]), values, max_size=3),
        max_size=4,
    )
)
def test_any_values_under_known_keys(data: dict[str, object]) -> None:
    holds(yaml.safe_dump({"agent": data}, allow_unicode=True).encode("utf-8", "surrogatepass"))


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=120))
def test_the_same_through_a_file(source: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "agent.yaml").write_bytes(source)
        env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {}, root, root / "data", root / "config")
        try:
            load_agent(env, agent=folder)
        except ConfigError as error:
            assert str(error).startswith(str(root))


def test_any_beginning_of_the_default_agent() -> None:
    for end in range(0, len(SEED), 13):
        holds(SEED[:end])
