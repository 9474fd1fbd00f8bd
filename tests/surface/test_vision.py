"""A turn in which an image is looked at by a model of its own."""

from __future__ import annotations

import base64

from ollama_fixture import FakeOllama, say
from program import Program, scripted

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
SCRIPT = """
steps:
  - tool_calls: [{name: describe_image, arguments: {path: 猫.png, question: 这是什么？}}]
  - "It is a cat."
"""


def run(program: Program, server: FakeOllama, vision: str) -> dict[str, object]:
    (program.folder / "猫.png").write_bytes(PNG)
    (program.folder / "agent.yaml").write_text(
        f"agent: {{tools: [describe_image], memory: {{enabled: false}}, model: {{vision_model: {vision!r}}}}}", "utf-8"
    )
    variables = {**scripted(program.folder, SCRIPT), "LOCALAGENT_MODEL_BASE_URL": server.url}
    done = program("ask", "--json", "?", "--agent", str(program.folder), **variables)
    assert done.code == 0, done.err
    found: dict[str, object] = done.json()
    (called,) = found["tools"]  # type: ignore[misc]
    return called  # type: ignore[no-any-return]


def test_an_image_is_described(program: Program, ollama_server: FakeOllama) -> None:
    ollama_server.add("eye", capabilities=("completion", "vision"))
    ollama_server.script("eye", say("一只猫"))
    assert run(program, ollama_server, "eye")["is_error"] is False
    (message,) = ollama_server.chats[0]["messages"]
    assert base64.b64decode(message["images"][0]) == PNG and message["content"] == "这是什么？"


def test_without_a_model_that_sees_the_tool_says_so_and_the_turn_goes_on(
    program: Program, ollama_server: FakeOllama
) -> None:
    ollama_server.add("blind")
    assert run(program, ollama_server, "")["is_error"] is True
    assert run(program, ollama_server, "blind")["is_error"] is True
    assert ollama_server.chats == []


def test_config_check_tells_of_a_tool_without_eyes(program: Program) -> None:
    def said(model: str) -> str:
        (program.folder / "agent.yaml").write_text(f"agent: {{tools: [describe_image], model: {model}}}", "utf-8")
        done = program("config", "check", "--agent", str(program.folder))
        assert done.code == 0
        return done.out + done.err

    assert "describe_image has no model that sees images: name one in model.vision_model" in said(
        "{provider: embedded}"
    )
    assert "unless the agent's own model sees" in said("{provider: ollama}")
    assert "describe_image" not in said("{vision_model: eye}")
