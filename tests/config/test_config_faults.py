"""What a broken or mistaken agent.yaml says: where, which key, what was expected, and what was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from localagent.agent_folder import LoadedAgent, load_agent
from localagent.build_check import check
from localagent.environment import Environment
from localagent.errors import ConfigError

ARTICLE = """\
agent:
  name: local_context_agent
  model:
    provider: ollama
    base_url: http://localhost:11434
    model_name: qwen2.5:14b
    temperature: 0.3
    num_ctx: 8192
  context_policy:
    recent_keep: 20
    summary_threshold_tokens: 3500
    memory_search_top_k: 5
    memory_search_min_score: 0.45
  tools:
    - memory_write
    - memory_search
    - get_current_time
"""


def load(env: Environment, source: str | bytes, **overrides: str) -> LoadedAgent:
    path = env.cwd / "mine.yaml"
    path.write_bytes(source.encode("utf-8") if isinstance(source, str) else source)
    return load_agent(env, agent=str(path), overrides={key.replace("__", "."): text for key, text in overrides.items()})


def fault(env: Environment, source: str | bytes, **overrides: str) -> str:
    """The error's line, from the file's name on."""
    with pytest.raises(ConfigError) as raised:
        load(env, source, **overrides)
    line = str(raised.value)
    assert "\n" not in line
    return line.replace(str(env.cwd) + "/", "")


def model(line: str) -> str:
    return f"agent:\n  model:\n    {line}\n"


def test_the_yaml_of_the_article_loads_unchanged(env: Environment) -> None:
    loaded = load(env, ARTICLE)
    assert loaded.config.model.model_name == "qwen2.5:14b"
    assert loaded.config.tools == ("memory_write", "memory_search", "get_current_time")
    assert loaded.origins["model.temperature"] == "mine.yaml:7:5"
    assert loaded.origins["model.seed"] == "default"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("num_ctx: abc", "mine.yaml:3:14: model.num_ctx: expected a whole number from 256 to 10000000 or null, "
         "found the text 'abc'"),
        ("num_ctx: 08192", "found the text '08192' (write it without the leading 0)"),
        ("num_ctx: '8192'", "found the text '8192' (remove the quotes)"),
        ("num_ctx: ８１９２", "found the text '８１９２' (write it with the digits 0 to 9)"),
        ("num_ctx: 1:30", "found the text '1:30'"),
        ("num_ctx: 1e4", "found the number 1e4"),
        ("num_ctx: [8192]", "found a list"),
        ("num_ctx: 255", "from 256 to 10000000 or null, found the number 255"),
        ("seed: 1e3", "mine.yaml:3:11: model.seed: expected a whole number"),
        ("seed: " + "9" * 5000, "model.seed: expected a whole number"),
        ("temperature: true", "expected a number from 0 to 2, found true"),
        ("temperature: .nan", "expected a number from 0 to 2, found the number .nan"),
        ("temperature: .inf", "found the number .inf"),
        ("temperature: 2.5", "found the number 2.5"),
        ("model_name: no", "found no, which YAML reads as false (put it in quotes)"),
        ("model_name: 123", "found the number 123 (put it in quotes)"),
        ("model_name: {a: b}", "found keys with values"),
        ("think: maybe", "expected true, false, low, medium, high, max or null, found the text 'maybe'"),
        ("keep_alive: '300'", "expected a duration such as 10m or 1h30m, or a number of seconds"),
        ("keep_alive: 10 minutes", "found the text '10 minutes'"),
        ("keep_alive: null", "found null"),
        ("keep_alive: " + "1" * 5000 + "s", "expected a duration such as 10m"),
        ("keep_alive: 2000000000", "expected a duration such as 10m"),
        ("keep_alive: true", "expected a duration such as 10m"),
        ("base_url: ''", "expected an address such as http://localhost:11434, found an empty text"),
        ("base_url: 11434", "expected an address such as http://localhost:11434, found the number 11434"),
        ("base_url: http://[::1", "mine.yaml:3:15: model.base_url: no address: "),
        ("base_url: http://h:99999", "no address: Port out of range 0-65535 (Write it like http://localhost:11434)"),
        ("base_url: ftp://h", "model.base_url: ftp:// is not http:// or https:// (Write it like"),
        ("base_url: http://h:11434/v1", "model.base_url: the address ends in /v1 (Leave that out: Ollama's own is"),
        ("provider: olama", "expected one of auto, ollama, embedded, scripted, found the text 'olama'"),
        ("provder: ollama", "mine.yaml:3:5: model.provder: unknown key; the nearest valid one is model.provider"),
        ("recent_keep: 3", "model.recent_keep: unknown key; the nearest valid one is context_policy.recent_keep"),
        ("zzzz: 3", "model.zzzz: unknown key"),
        ("seed: 1\n    seed: 2", "mine.yaml:4:5: model.seed: given twice; the first is in line 3"),
        ("<<: {seed: 1}", "merge keys (<<) are not supported"),
        ("? [a]\n    : 1", "a key must be a word"),
        ("seed: !!python/object:os.system ls", "the tag '!!python/object:os.system' is not supported"),
        ("seed: !!int abc", "'abc' is not a value of the tag '!!int'"),
        ('model_name: "\\ud800"', "the character U+D800 cannot be used"),
        ('model_name: "\\0"', "the character U+0000 cannot be used"),
        ('model_name: "\\U00110000"', "not valid YAML"),
        ('model_name: "a\\e[31m"', "found the text 'a\\x1b[31m'"),
        ('"a\\e[31m": 1', "model.a\\x1b[31m: unknown key"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_model_section(env: Environment, line: str, expected: str) -> None:
    assert expected in fault(env, model(line))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", "mine.yaml:1:1: the file is empty; the key 'agent' is expected"),
        ("# nothing yet\n", "the file is empty"),
        ("--- \n...\n", "the key 'agent' with a value is expected, not nothing"),
        ("{}", "the key 'agent' is missing"),
        ("hello", "the key 'agent' with a value is expected, not the text 'hello'"),
        ("- agent", "the key 'agent' with a value is expected, not a list"),
        ("agent:", "agent: expected keys (name, instructions, model, ...) below it, found nothing"),
        ("agent: 3", "agent: expected keys (name, instructions, model, ...) below it, found the number 3"),
        ("agent:\n  model: null", "mine.yaml:2:10: model: expected keys (provider, base_url, model_name, ...) below"),
        ("agent:\n  model: [a]", "model: expected keys (provider, base_url, model_name, ...) below it, found a list"),
        ("model: {}", "mine.yaml:1:1: model: belongs below the key 'agent', indented"),
        ("agnet: {}", "agnet: unknown key; the nearest valid one is agent"),
        ("agent: {num_ctx: 4096}", "num_ctx: unknown key; the nearest valid one is model.num_ctx"),
        ("agent:\n\tname: x", "mine.yaml:2:1: a tab; YAML is indented with spaces"),
        ("agent: {}\n---\nagent: {}", "mine.yaml:2:1: a second document (---); the file must hold one"),
        ("agent: {name: x", "mine.yaml:1:16: not valid YAML"),
        ("agent:\n  name: a: b", "mine.yaml:2:10: not valid YAML: a ':' where no key can be"),
        ("agent: *nobody", "mine.yaml:1:8: not valid YAML: found undefined alias"),
        ("agent: &a {model: *a}", "aliases make the document endless"),
        ("[" + "a," * 50_000 + "]", "more than 5000 keys and values"),
        ("agent:\n  instructions: |\n    注意：简短\n\tname: x", "mine.yaml:4:1: a tab"),
        ("[" * 100_000, "nested more than 30 levels deep"),
        ("- " * 100_000, "nested more than 30 levels deep"),
        ("agent:\n  name: " + "x" * 300_000, "larger than 256 KiB"),
        ("agent：\n  name: x", "mine.yaml:1:6: a full-width colon"),
        ("agent:\n  name：助手", "found the text 'name：助手'; a key ends with ':' and a space, not with a full-width"),
        ("agent: {name: ''}", "name: expected a name of 1 to 100 characters in one line, found an empty text"),
        ("agent: {name: '" + "助" * 101 + "'}", "name: expected a name of 1 to 100 characters"),
        ('agent: {name: "a\\nb"}', "name: expected a name of 1 to 100 characters in one line, found the text 'a\\nb'"),
        ("agent: {tools: get_current_time}", "tools: expected a list of tools' names, found the text"),
        ("agent: {tools: {a: b}}", "tools: expected a list of tools' names, found keys"),
        ("agent: {tools: [a, a]}", "tools: named twice: a"),
        ("agent: {tools: [get_current_time, ../x]}", "mine.yaml:1:35: tools[1]: expected a tool's name"),
        ("agent: {tools: [get_curent_time]}", "mine.yaml:1:17: tools: there is no tools/get_curent_time.py; the "
         "nearest one there is get_current_time"),
        ("agent: {log_prompts: 1}", "log_prompts: expected true or false, found the number 1"),
        (b"\xff\xfea\0g\0", "the file is UTF-16; save it as UTF-8"),
        ("agent: {name: café}".encode("latin-1"), "mine.yaml:1:18: the byte 0xe9 is not UTF-8"),
        (b"agent:\r\n  name: a\0b\r\n", "mine.yaml:2:10: the character U+0000 cannot be in a YAML file"),
        (bytes(range(256)) * 4, "mine.yaml:"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file(env: Environment, source: str | bytes, expected: str) -> None:
    assert expected in fault(env, source)


def test_aliases_can_not_blow_a_document_up(env: Environment) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 20)]
    assert "aliases make the document endless, or larger than any configuration" in fault(env, "\n".join(lines))


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("think: off", "think", False),
        ("think: on", "think", True),
        ("think: high", "think", "high"),
        ("temperature: 1", "temperature", 1.0),
        ("temperature: 1e-1", "temperature", 0.1),
        ("temperature: 0", "temperature", 0.0),
        ("num_ctx: 8_192", "num_ctx", 8192),
        ("num_ctx: 0x2000", "num_ctx", 8192),
        ("num_ctx: ~", "num_ctx", None),
        ("seed: 0", "seed", 0),
        ("keep_alive: 10m", "keep_alive", "10m"),
        ("keep_alive: 1h30m", "keep_alive", "1h30m"),
        ("keep_alive: -1", "keep_alive", -1),
        ("keep_alive: 0", "keep_alive", 0),
        ("model_name: 2024-01-01", "model_name", "2024-01-01"),
        ("model_name: 12:30", "model_name", "12:30"),
        ("model_name: !!str 123", "model_name", "123"),
        ('model_name: ""', "model_name", ""),
        ("model_name: ./模型.gguf", "model_name", "./模型.gguf"),
        ("base_url: https://[::1]:8080/ollama", "base_url", "https://[::1]:8080/ollama"),
        ("base_url: localhost:11434", "base_url", "localhost:11434"),
        ("base_url: :5000", "base_url", ":5000"),
        ("base_url: ::1", "base_url", "::1"),
        ("base_url: '[::1]'", "base_url", "[::1]"),
        ("base_url: 192.168.1.5", "base_url", "192.168.1.5"),
        ("num_ctx: &n 4096\n    max_output_tokens: 1024", "num_ctx", 4096),
    ],
)
def test_words_mean_what_people_mean(env: Environment, line: str, key: str, value: object) -> None:
    found = getattr(load(env, model(line)).config.model, key)
    assert (found, type(found)) == (value, type(value))


def test_a_byte_order_mark_and_crlf_change_nothing(env: Environment) -> None:
    source = "\ufeff" + ARTICLE.replace("\n", "\r\n").replace("local_context_agent", "助手")
    loaded = load(env, source)
    assert loaded.config.name == "助手"
    assert loaded.origins["name"] == "mine.yaml:2:3"


def test_the_reserve_must_fit_into_the_window(env: Environment) -> None:
    line = fault(env, model("num_ctx: 1000"))
    assert line.startswith("mine.yaml:3:14: model.max_output_tokens (1024) must be smaller than model.num_ctx (1000)")
    assert fault(env, ARTICLE, model__max_output_tokens="8192").startswith("--set model.max_output_tokens: model.max_")
    assert fault(env, model("max_output_tokens: 5000"), model__num_ctx="4096").startswith("--set model.num_ctx: model.")


def test_the_summary_must_fit_beside_the_reserve(env: Environment) -> None:
    small = model("num_ctx: 2048")
    assert fault(env, small, context_policy__summary_tokens="1024").startswith(
        "--set context_policy.summary_tokens: context_policy.summary_tokens (1024) and model.max_output_tokens (1024)"
    )
    assert load(env, small, context_policy__summary_tokens="1023").config.context_policy.summary_tokens == 1023
    assert load(env, small, context_policy__summary_tokens="5000", context_policy__summarizer="off")
    assert load(env, model("num_ctx: 512\n    max_output_tokens: 100")).config.context_policy.summary_tokens == 1200


def test_every_mistake_is_named_the_first_one_first(env: Environment) -> None:
    source = "agent:\n  nmae: x\n  model:\n    num_ctx: abc\n    temperature: 9\n    seed: 1\n    seed: 2\n"
    line = fault(env, source)
    places = [line.index(f"mine.yaml:{number}:") for number in (2, 4, 5, 7)]
    assert line.startswith("mine.yaml:2:3: nmae") and places == sorted(places)
    found = check(env, agent=str(env.cwd / "mine.yaml"))
    assert [type(entry) for entry in found] == [ConfigError] * 4
    assert all(":" not in error.hint for error in found if isinstance(error, ConfigError))


def test_many_mistakes_stay_one_line_of_bearable_length(env: Environment) -> None:
    line = fault(env, "agent:\n" + "".join(f"  key{number}: 1\n" for number in range(500)))
    assert "and 494 more" in line and len(line) < 1000


@pytest.mark.parametrize("kind", ["folder", "missing", "nul", "empty", "long", "pipe"])
def test_a_path_that_is_no_file(env: Environment, kind: str) -> None:
    import os

    path = env.cwd / "odd.yaml"
    if kind == "folder":
        (path / "agent.yaml").mkdir(parents=True)
    elif kind == "pipe":
        os.mkfifo(path)
    named = {"nul": "a\0b", "empty": "", "long": "x" * 10_000}.get(kind, str(path))
    with pytest.raises(ConfigError) as raised:
        load_agent(env, agent=named)
    assert raised.value.where


def test_an_unreadable_file_says_so(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    path = env.cwd / "mine.yaml"
    path.write_text(ARTICLE)
    path.chmod(0)
    if os.geteuid() == 0:  # who may read everything

        def refuse(*arguments: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ConfigError, match=r"mine\.yaml: cannot be read: Permission denied"):
        load_agent(env, agent=str(path))


def test_folders_without_an_agent_name_the_way_to_one(env: Environment, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no agent\.yaml\. Make one with: localagent init"):
        load_agent(env, agent=str(tmp_path))
