"""`localagent mcp serve` with the SDK's own client, and `localagent mcp list`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import cast

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from server_boxes import HERE, PLAYING

from localagent.errors import ExitCode

SERVE = ("-W", "error", "-m", "localagent", "mcp", "serve")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}
Call = Callable[..., Awaitable[tuple[bool, dict[str, object]]]]


@pytest.fixture
def variables(tmp_path: Path) -> Mapping[str, str]:
    """A home of its own, and a scripted model that takes its time for the third answer."""
    script = tmp_path / "script.yaml"
    script.write_text("steps:\n  - 你好。\n  - Again.\n  - {text: Late., delay_s: 3600}\n", encoding="utf-8")
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LOCALAGENT_", "OLLAMA_"))}
    return {
        **keep,
        "LOCALAGENT_HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(script),
        "LOCALAGENT_MEMORY_EMBEDDER": "words",
        "PYTHONPATH": str(HERE.parents[1]),
    }


def with_client(
    variables: Mapping[str, str], log: Path, work: Callable[[Client, Call], Awaitable[None]], *more: str
) -> str:
    """Have the SDK's client do something with the server; returns what the server said on standard error."""

    async def run() -> None:
        from mcp.client.stdio import stdio_client

        with log.open("w") as errors:
            server = StdioServerParameters(command=sys.executable, args=[*SERVE, *more], env=dict(variables))
            async with Client(stdio_client(server, errlog=errors)) as client:

                async def call(tool: str, **arguments: object) -> tuple[bool, dict[str, object]]:
                    result = await client.call_tool(tool, arguments)
                    text = cast(TextContent, result.content[0]).text
                    return result.is_error, {"said": text} if result.is_error else json.loads(text)

                await work(client, call)

    asyncio.run(run())
    said = log.read_text(encoding="utf-8")
    assert "Traceback" not in said
    return said


def test_memory_and_questions(variables: Mapping[str, str], tmp_path: Path) -> None:
    async def work(client: Client, call: Call) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["memory_search", "memory_write", "memory_list", "memory_forget", "ask"]
        assert [tool.annotations.read_only_hint for tool in tools.values() if tool.annotations] == [
            True, False, True, False, False,
        ]  # fmt: skip
        for text in ("小李住在大连。", "Xiao Li works at the harbour."):
            failed, written = await call("memory_write", text=text)
            assert not failed and written["text"] == text and written["known_before"] is False
        assert (await call("memory_write", text="小李住在大连。"))[1]["known_before"] is True
        assert (await call("memory_write", text="I prefer tea.", kind="preference"))[1]["kind"] == "fact"
        entries = cast("list[dict[str, str]]", (await call("memory_list"))[1]["entries"])
        assert [entry["text"] for entry in entries][-1] == "小李住在大连。" and len(entries) == 3
        found = cast("list[dict[str, str]]", (await call("memory_search", query="小李住在哪里？"))[1]["results"])
        assert found[0]["text"] == "小李住在大连。"
        assert (await call("memory_forget", id=found[0]["id"]))[1]["forgotten"]
        assert len(cast("list[object]", (await call("memory_list"))[1]["entries"])) == 2

        failed, said = await call("memory_forget", id="zzzzzzzz")
        assert failed and "there is no entry" in str(said)
        failed, said = await call("memory_search", query="x", top_k="five")
        assert failed and "top_k must be an integer from 1 to 50, got 'five'" in str(said)
        failed, said = await call("memory_erase")
        assert failed and "There is no tool 'memory_erase'" in str(said)

        failed, first = await call("ask", question="Who are you?")
        assert not failed and first["answer"] == "你好。"
        assert (await call("ask", question="Again?", thread=first["thread"]))[1] == {
            "answer": "Again.",
            "thread": first["thread"],
        }

    assert with_client(variables, tmp_path / "log", work) == ""
    shown = subprocess.run(
        [sys.executable, "-m", "localagent", "threads", "list", "--json"],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [thread["messages"] for thread in json.loads(shown.stdout)] == [4]
    files = [path.read_text("utf-8") for path in (tmp_path / "home").rglob("*.jsonl")]
    lines = [json.loads(line) for text in files for line in text.splitlines()]
    turns = [(line["ended_by"], line["error"]) for line in lines if line["type"] == "turn"]
    assert turns == [("answer", ""), ("answer", "")]


def test_an_agent_without_memory_offers_questions_alone(variables: Mapping[str, str], tmp_path: Path) -> None:
    async def work(client: Client, call: Call) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["ask"]
        assert (await call("ask", question="Hello", thread="named"))[1] == {"answer": "你好。", "thread": "named"}

    with_client(variables, tmp_path / "log", work, "--set", "memory.enabled=false")


@pytest.mark.parametrize("how", ["hangs up", "is gone", "says stop"])
def test_a_client_that_disconnects_during_a_question(variables: Mapping[str, str], how: str) -> None:
    """The server ends, with all it was doing, and has written nothing but the protocol."""
    process = subprocess.Popen(
        [sys.executable, *SERVE],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None

    def send(message: Mapping[str, object]) -> None:
        process.stdin.write(json.dumps(message).encode() + b"\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]

    def ask(number: int) -> None:
        params = {"name": "ask", "arguments": {"question": "?", "thread": "one"}}
        send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})

    send(HELLO)
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "localagent"
    send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for number in (2, 3):
        ask(number)
        assert json.loads(process.stdout.readline())["id"] == number
    ask(4)  # is never answered
    send({"jsonrpc": "2.0", "id": 5, "method": "tools/list"})
    assert json.loads(process.stdout.readline())["id"] == 5
    if how == "says stop":
        process.send_signal(signal.SIGTERM)
    if how == "is gone":
        process.stdout.close()
    if how != "says stop":
        process.stdin.close()
    code = process.wait(60)
    assert "Traceback" not in process.stderr.read().decode()
    assert code == (ExitCode.TERMINATED if how == "says stop" else ExitCode.OK)
    for line in [] if how == "is gone" else process.stdout.readlines():
        assert json.loads(line)["id"] == 4
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_what_only_reads(variables: Mapping[str, str], tmp_path: Path) -> None:
    async def work(client: Client, call: Call) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["memory_search", "memory_list"]
        refused, said = await call("memory_forget", id="abcd")
        assert refused and "memory_forget" in str(said)

    with_client(variables, tmp_path / "log", work, "--read-only")
    command = [sys.executable, *SERVE, "--read-only", "--set", "memory.enabled=false"]
    done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == ExitCode.USAGE and "memory is switched off" in done.stderr


class TestList:
    @pytest.fixture
    def run(self, variables: Mapping[str, str], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
        agent = tmp_path / "agent.yaml"
        agent.write_text(
            "agent:\n  mcp_servers:\n"
            f"    play:\n      {{command: {json.dumps(sys.executable)}, args: {json.dumps(list(PLAYING))}, "
            "trust_hints: true}\n"
            f"    broken: {{command: {json.dumps(sys.executable)}, args: [-c, 'exit(\"no token\")']}}\n",
            encoding="utf-8",
        )

        def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
            what = ["doctor"] if "--doctor" in arguments else ["mcp", "list"]
            command = [sys.executable, "-W", "error", "-m", "localagent", *what]
            command += [argument for argument in arguments if argument != "--doctor"]
            given = [] if "--agent" in arguments else ["--agent", str(agent)]
            done = subprocess.run([*command, *given], env={**variables, **more}, capture_output=True, text=True)
            assert "Traceback" not in done.stderr
            return done

        return run

    def test_states_and_tools(self, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
        done = run()
        assert done.returncode == 0
        assert "play: running" in done.stdout and "play_add [reads] Add two numbers." in done.stdout
        assert "broken: failed: it ended with exit code 1; it said: no token" in done.stdout
        assert done.stderr == ""
        play, broken = json.loads(run("--json").stdout)
        assert (
            play["state"] == "running"
            and {"name": "play_add", "effects": ["reads"]}.items() <= play["tools"][0].items()
        )
        assert broken["state"] == "failed" and broken["tools"] == []

    def test_none_of_them_runs(self, run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
        (tmp_path / "broken.yaml").write_text(
            "agent:\n  mcp_servers: {a: {command: no-such-program}, b: {command: no-such-program}}\n", encoding="utf-8"
        )
        for more in ([], ["--json"]):
            done = run("--agent", str(tmp_path / "broken.yaml"), *more)
            assert done.returncode == ExitCode.UNREACHABLE and done.stdout.count("No such file") == 2

    def test_a_key_can_be_set(self, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
        done = run("--set", "model.temprature=1")
        assert done.returncode == ExitCode.CONFIG and "model.temperature" in done.stderr

    def test_doctor_starts_them_too(self, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
        done = run("--doctor")
        assert done.returncode == ExitCode.CONFIG
        assert "ok   mcp play: 9 tools" in done.stdout, done.stdout
        assert "fail mcp broken: it ended with exit code 1; it said: no token" in done.stdout, done.stdout

    def test_without_the_sdk_it_says_how_to_get_it(
        self, run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
    ) -> None:
        (tmp_path / "shadow" / "mcp").mkdir(parents=True)
        (tmp_path / "shadow" / "mcp" / "__init__.py").write_text("raise ImportError('No module named mcp')\n")
        done = run(PYTHONPATH=f"{tmp_path / 'shadow'}{os.pathsep}{HERE.parents[1]}")
        assert done.returncode == ExitCode.CONFIG
        assert "pip install 'localagent[mcp]'" in done.stderr and "mcp_servers.play" in done.stderr

    def test_no_servers(self, run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
        (tmp_path / "none.yaml").write_text("agent: {}\n")
        done = run("--agent", str(tmp_path / "none.yaml"))
        assert done.returncode == 0 and done.stdout == "" and "mcp_servers" in done.stderr
