"""Flags before variables before the file before the defaults; every value knows where it came from."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.agent_folder import describe_config, load_agent
from localagent.config import leaves
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.overrides import Override, evaluate, overrides_of
from localagent.yaml_source import parse

WithVariables = Callable[..., Environment]


def test_the_order_of_precedence(with_variables: WithVariables) -> None:
    env = with_variables(LOCALAGENT_MODEL_NUM_CTX="2048", LOCALAGENT_MODEL_SEED="7", LOCALAGENT_NAME="助手")
    path = env.cwd / "a.yaml"
    path.write_text("agent:\n  model: {num_ctx: 4096, seed: 1, temperature: 0.5}\n")
    loaded = load_agent(env, agent=str(path), overrides={"model.num_ctx": "8192"})
    model = loaded.config.model
    assert (model.num_ctx, model.seed, model.temperature, model.think) == (8192, 7, 0.5, None)
    assert loaded.config.name == "助手"
    rows = {key: (value, origin) for key, value, origin in describe_config(loaded)}
    assert list(rows) == list(leaves())
    assert rows["model.num_ctx"] == (8192, "flag --set")
    assert rows["model.seed"] == (7, "LOCALAGENT_MODEL_SEED")
    assert rows["model.temperature"] == (0.5, "a.yaml:2:35")
    assert rows["model.think"] == (None, "default")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("model.temperature", "0", 0.0),
        ("model.seed", "0", 0),
        ("model.model_name", "", ""),
        ("instructions", "", ""),
        ("instructions", "Say: hi # ok", "Say: hi # ok"),
        ("name", "on", "on"),
        ("name", "123", "123"),
        ("model.think", "off", False),
        ("model.think", "null", None),
        ("model.num_ctx", "null", None),
        ("model.keep_alive", "-1", -1),
        ("model.keep_alive", "5m", "5m"),
        ("log_prompts", "no", False),
        ("tools", "", ()),
        ("tools", "get_current_time", ("get_current_time",)),
        ("tools", "memory_write, get_current_time", ("memory_write", "get_current_time")),
        ("tools", "[memory_write, get_current_time]", ("memory_write", "get_current_time")),
    ],
)
def test_texts_are_read_as_yaml_words_and_empty_or_zero_is_a_value(
    env: Environment, with_variables: WithVariables, key: str, text: str, value: object
) -> None:
    variable = "LOCALAGENT_" + key.upper().replace(".", "_")
    by_flag = load_agent(env, overrides={key: text})
    by_variable = load_agent(with_variables(**{variable: text}))
    for loaded, origin in ((by_flag, "flag --"), (by_variable, variable)):
        found = {name: (got, where) for name, got, where in describe_config(loaded)}[key]
        assert found[0] == value and type(found[0]) is type(value)
        assert found[1].startswith(origin)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("model.num_ctx", "", "--set model.num_ctx: expected a whole number from 256 to 10000000 or null, found an em"),
        ("model.num_ctx", "many", "--set model.num_ctx: expected a whole number from 256 to 10000000 or null, found t"),
        ("model.think", "0", "found the number 0"),
        ("name", "", "--set name: expected a name of 1 to 100 characters in one line, found an empty text"),
        ("model", "x", "--set model: model is a section; set one of its keys, such as model.provider"),
        ("num_ctx", "4096", "--set num_ctx: unknown key; the nearest valid one is model.num_ctx"),
        ("model.numctx", "4096", "--set model.numctx: unknown key; the nearest valid one is model.num_ctx"),
        ("zzzzzz", "1", "--set zzzzzz: unknown key"),
        ("tools", "[a", "--set tools: expected a list of tools' names, found the text '[a'"),
        ("tools", "get_curent_time", "--set tools: there is no tools/get_curent_time.py"),
        ("model.model_name", "a\nb", "--model: model.model_name: expected a model's name in one line"),
        ("name", "caf\udce9", "--set name: the text is not UTF-8"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_flag_names_the_flag(env: Environment, key: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_agent(env, overrides={key: text})
    assert message in str(raised.value).replace("name: the text", "the text")


def test_a_mistake_in_a_variable_names_the_variable(with_variables: WithVariables) -> None:
    with pytest.raises(
        ConfigError, match=r"^LOCALAGENT_LIMITS_TURN_TIMEOUT_S: limits\.turn_timeout_s: expected a number"
    ):
        load_agent(with_variables(LOCALAGENT_LIMITS_TURN_TIMEOUT_S="soon"))


def test_unknown_variables_are_noticed_with_the_nearest_known_one(with_variables: WithVariables) -> None:
    env = with_variables(
        LOCALAGENT_MODEL_NUMCTX="1", LOCALAGENT_HOME="/x", LOCALAGENT_EVAL_DATA="", LOCALAGENT_TEST_MODELS="", OTHER="1"
    )
    (notice,) = load_agent(env).notices
    assert "LOCALAGENT_MODEL_NUMCTX sets nothing" in notice and "LOCALAGENT_MODEL_NUM_CTX" in notice


def test_text_that_python_could_not_decode_is_read_as_utf_8(with_variables: WithVariables) -> None:
    name = os.fsencode("助手").decode("ascii", "surrogateescape")
    assert load_agent(with_variables(LOCALAGENT_NAME=name)).config.name == "助手"


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from([*leaves(), "model", "x"]), st.text(max_size=12), max_size=4))
def test_any_text_gives_a_configuration_or_problems(texts: dict[str, str]) -> None:
    overrides = [Override(key, text, "flag --set") for key, text in texts.items()]
    result = evaluate(parse(b"agent: {}"), "agent.yaml", overrides)
    assert (result.config is None) == bool(result.problems)
    assert set(result.origins) == set(leaves())


def test_each_key_has_exactly_one_variable() -> None:
    names = ["LOCALAGENT_" + key.upper().replace(".", "_") for key in leaves()]
    assert len(set(names)) == len(names)
    found, notices = overrides_of(dict.fromkeys(names, "x"))
    assert not notices and sorted(override.key for override in found) == sorted(leaves())
