"""`ask --schema`: JSON that satisfies a schema, alone on standard output, or an exit code of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memory_program import Here
from program import Program, scripted

Make = Callable[..., Here]
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "born": {"type": "integer"}},
    "required": ["name", "born"],
}
GOETHE = '{"name": "歌德", "born": 1749}'


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A program whose model plays a script, and the schema's file."""

    def build(*steps: object, **more: object) -> Here:
        (tmp_path / "person.json").write_text(json.dumps(PERSON), encoding="utf-8")
        return Here(tmp_path / "home", tmp_path, scripted(tmp_path, json.dumps({"steps": steps, **more})))

    return build


def ask(program: Here, *arguments: str) -> tuple[int, str, str]:
    result = program("ask", "Who wrote Faust?", "--schema", "person.json", *arguments)
    return result.code, result.out, result.err


def requests(program: Here) -> list[Any]:
    """What was sent to the model, oldest first."""
    listed = program("prompts", "list", "--json").json()
    shown = [program("prompts", "show", one["id"], "--json").json() for one in listed]
    return [one["request"] for one in reversed(shown)]


def test_the_json_alone_is_on_standard_output(make: Make) -> None:
    code, out, _ = ask(make(GOETHE))
    assert code == 0
    assert json.loads(out) == {"name": "歌德", "born": 1749}
    assert "歌德" in out


def test_json_has_the_value_beside_the_answer(make: Make) -> None:
    _, out, _ = ask(make(f"```json\n{GOETHE}\n```"), "--json")
    answer = json.loads(out)
    assert answer["data"] == {"name": "歌德", "born": 1749} == json.loads(answer["answer"])


def test_an_answer_that_does_not_fit_is_made_anew_with_the_reason(make: Make) -> None:
    program = make("Goethe, born in 1749.", '{"name": "Goethe", "born": "1749"}', GOETHE)
    code, out, _ = ask(program)
    assert (code, json.loads(out)["born"]) == (0, 1749)
    first, second, third = requests(program)
    assert "schema" not in first and first["tools"]  # it may call tools yet
    assert second["schema"] == third["schema"] == PERSON and not second["tools"]
    assert "it is not JSON" in json.dumps(second["messages"])
    assert "'1749' is not of type 'integer'" in json.dumps(third["messages"])
    for request in (first, second):
        assert json.dumps(PERSON) in request["messages"][0]["parts"][0]["text"]


@pytest.mark.parametrize("as_json", [True, False])
def test_after_the_last_retry_there_is_an_exit_code_of_its_own(make: Make, as_json: bool) -> None:
    program = make("no", "never", "no", loop=True)
    code, out, err = ask(program, *(["--json"] if as_json else []))
    assert code == 11
    assert len(requests(program)) == 3
    assert "the answer does not satisfy the schema: it is not JSON" in err
    if as_json:
        assert json.loads(out)["error"]["exit_code"] == 11
    else:
        assert out == ""


def test_without_retries_the_first_answer_decides(make: Make) -> None:
    program = make("no", GOETHE)
    assert ask(program, "--set", "loop.max_processor_retries=0")[0] == 11
    assert len(requests(program)) == 1


def test_tools_are_called_on_the_way(make: Make) -> None:
    call = {"tool_calls": [{"name": "get_current_time", "arguments": {}}]}
    code, out, _ = ask(make(call, GOETHE), "--json")
    assert code == 0
    assert [tool["name"] for tool in json.loads(out)["tools"]] == ["get_current_time"]


def test_a_server_that_refuses_the_schema_is_asked_with_a_simpler_one(make: Make) -> None:
    refused = {"error": {"kind": "ModelError", "message": "the server answered: failed to parse grammar"}}
    program = make(refused, GOETHE)
    code, out, err = ask(program, "--set", "tools=")
    assert (code, json.loads(out)["born"]) == (0, 1749)
    assert "failed to parse grammar" in err
    assert requests(program)[1]["schema"] == {**PERSON, "additionalProperties": False}
    again = make(refused, refused, GOETHE)
    assert ask(again, "--set", "tools=")[0] == 8


def test_a_model_error_with_a_kind_of_its_own_is_not_the_schema_s(make: Make) -> None:
    broken = {"text": "half", "error": {"kind": "IncompleteAnswer", "message": "the connection broke"}}
    program = make(broken, GOETHE)
    assert ask(program, "--set", "tools=")[0] == 7
    assert len(requests(program)) == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [("{", "person.json:1:2: not JSON"), ('{"type": "objekt"}', "not a JSON schema: $.type"), (None, "cannot be read")],
)
def test_a_mistake_in_the_file_is_told_before_anything_is_opened(make: Make, source: str | None, expected: str) -> None:
    program = make(GOETHE)
    path = program.folder / "person.json"
    path.unlink() if source is None else path.write_text(source, encoding="utf-8")
    code, out, err = ask(program)
    assert (code, out) == (2, "") and expected in err and err.count("\n") == 1
    assert program("threads", "list", "--json").json() == []


def test_the_record_of_the_turn_says_what_was_wrong(make: Make) -> None:
    program = make("no", "never", "no")
    ask(program)
    shown = program("prompts", "show").out
    assert shown.count("--schema: retry") == 2 and "--schema: no retry left" in shown
    assert "ended by answer" in shown and "interrupted" not in shown


def test_the_built_in_model_answers_in_the_form(tmp_path: Path) -> None:
    """The real one: it is bound to the schema, so whatever it says satisfies it."""
    models = tmp_path / "home" / "models"
    models.mkdir(parents=True)
    models.parent.chmod(0o700)
    cache = Path(__file__).parents[2] / ".cache" / "models"
    weights = next(Path(os.environ.get("LOCALAGENT_TEST_MODELS") or cache).glob("SmolLM2*.gguf"))
    (models / weights.name).symlink_to(weights.resolve())
    schema = {
        "type": "object",
        "properties": {"sky": {"enum": ["blue", "绿"]}, "sure": {"type": "boolean"}},
        "required": ["sky", "sure"],
        "additionalProperties": False,
    }
    (tmp_path / "sky.json").write_text(json.dumps(schema), encoding="utf-8")
    model = {"LOCALAGENT_MODEL_PROVIDER": "embedded", "LOCALAGENT_MODEL_TEMPERATURE": "0", "LOCALAGENT_MODEL_SEED": "1"}
    variables = {**model, "LOCALAGENT_MODEL_NUM_CTX": "2048", "LOCALAGENT_MEMORY_EMBEDDER": "words"}
    program = Program(tmp_path / "home", tmp_path, variables)
    result = program("ask", "What colour is the sky?", "--schema", "sky.json")
    assert result.code == 0, result.err
    answer = json.loads(result.out)
    assert set(answer) == {"sky", "sure"} and answer["sky"] in ("blue", "绿") and isinstance(answer["sure"], bool)
    (listed,) = program("prompts", "list", "--json").json()
    assert program("prompts", "show", listed["id"], "--json").json()["tools_by"] == "none"
