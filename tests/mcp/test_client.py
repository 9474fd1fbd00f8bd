"""The tools of MCP servers: real servers, made with the SDK, that work and that do not."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from server_boxes import HERE, PLAYING, Box, alive, opened, python, until

from localagent.abort import AbortSignal
from localagent.calls import CallResult
from localagent.config_servers import McpServer
from localagent.errors import ConfigError, Interrupted
from localagent.messages import JsonValue, ToolCallPart
from localagent.toolbox.combined import CombinedToolbox


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """One server for the tests that leave it as it was."""
    with opened(tmp_path_factory.mktemp("playing"), python(*PLAYING)) as box:
        assert box.names
        yield box


def test_its_tools_are_offered_under_its_name_with_their_schemas(playing: Box) -> None:
    specs = {spec.name: spec for spec in playing.toolbox.specs()}
    add = specs["play_add"]
    assert add.description == "Add two numbers."
    assert add.parameters["required"] == ["a", "b"]
    assert [spec.name for spec in playing.toolbox.specs()] == list(specs)


def test_a_call_gives_the_text_of_the_result(playing: Box) -> None:
    assert playing.call("add", a=1, b=2).text == "3"
    assert playing.call("look_up", word="词").text == "about 词: 您好\ufffd"


def test_arguments_are_checked_before_anything_runs(playing: Box) -> None:
    for arguments, said in (({"a": "x", "b": 1}, "a: 'x' is not of type 'integer'"), ({"a": 1}, "'b' is a required")):
        result = playing.call("add", **arguments)  # type: ignore[arg-type]
        assert said in result.text
        assert result.is_error and result.retry and not result.ran
    wrong = playing.toolbox.refusal(ToolCallPart("1", "play_add", [1]))  # type: ignore[arg-type]
    assert wrong is not None and "object" in wrong.text


def test_a_tool_that_there_is_not(playing: Box) -> None:
    result = playing.call("ad")
    assert "Did you mean play_add" in result.text and not result.ran


def test_a_tool_that_fails_is_an_error_with_words(playing: Box) -> None:
    result = playing.call("fail", reason="no")
    assert result.is_error and result.ran and "fail" in result.text


def test_an_image_is_said_in_words(playing: Box) -> None:
    assert playing.call("picture").text == "look:\n\n[image/png, 12 kB left out]"


def test_a_flood_of_text_is_capped(playing: Box) -> None:
    result = playing.call("flood", kind="text", size=100_000)
    assert len(result.text.split()) <= 110 and result.left_out > 90_000
    assert "left out" in result.text


WORST = {"writes", "runs code", "network"}


def test_a_servers_own_word_spares_no_question(playing: Box) -> None:
    assert [playing.toolbox.effects(name) for name in ("play_add", "play_look_up", "play_fail")] == [WORST] * 3
    assert playing.toolbox.effects("play_nothing") == frozenset()
    said = "it says of itself that it only reads"
    assert said in playing.toolbox.shown(ToolCallPart("1", "play_add", {"a": 1, "b": 2}))
    assert said not in playing.toolbox.shown(ToolCallPart("1", "play_fail", {"reason": "x"}))


def test_hints_that_the_user_trusts_are_believed_and_what_is_not_said_is_the_more_dangerous(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING, trust_hints=True)) as box:
        assert box.names
        assert box.toolbox.effects("play_add") == {"reads"}
        assert box.toolbox.effects("play_look_up") == {"reads", "network"}
        assert box.toolbox.effects("play_fail") == WORST


def test_what_will_run_is_shown_with_the_server(playing: Box) -> None:
    shown = playing.toolbox.shown(ToolCallPart("1", "play_add", {"a": 1, "b": 2}))
    assert "a: 1" in shown and "mcp_servers.play" in shown and "playing_server.py" in shown


def test_what_it_says_to_standard_error_goes_to_the_log_and_is_bounded(
    playing: Box, capfd: pytest.CaptureFixture[str]
) -> None:
    assert playing.call("flood", kind="errors", size=3_000_000).text == "done"
    assert until(lambda: playing.log.read_bytes().endswith(b"[more was left out]\n"))
    assert playing.log.stat().st_size < 1_100_000 and playing.log.stat().st_mode & 0o077 == 0
    assert capfd.readouterr() == ("", "")


def test_two_calls_at_once(playing: Box) -> None:
    results: list[CallResult] = []
    threads = [threading.Thread(target=lambda n=n: results.append(playing.call("add", a=n, b=n))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(result.text) for result in results) == [2 * n for n in range(8)]


def test_an_aborted_call_is_cancelled_at_the_server_which_goes_on(playing: Box, tmp_path: Path) -> None:
    abort, started, cancelled = AbortSignal(), tmp_path / "started", tmp_path / "cancelled"
    raised: list[BaseException] = []

    def call() -> None:
        try:
            playing.call("hang", abort, started=str(started), cancelled=str(cancelled))
        except Interrupted as error:
            raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    assert until(started.exists)
    abort.abort()
    thread.join(30)
    assert raised and until(cancelled.exists)
    assert playing.call("add", a=1, b=1).text == "2"


def test_nothing_starts_before_it_is_needed(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        assert box.toolbox.state().status == "not started"
        assert not box.log.exists()


def test_a_slow_call_ends_with_its_time(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        assert box.names
        box.toolbox.server = replace(box.toolbox.server, timeout_s=1)
        started, cancelled = tmp_path / "started", tmp_path / "cancelled"
        result = box.call("hang", started=str(started), cancelled=str(cancelled))
        assert "took longer than 1 s" in result.text and result.is_error
        assert until(cancelled.exists)


@pytest.mark.parametrize("mode", ["fail", "killed", "odd words", "line", "flood", "missing", "silent"])
def test_a_server_that_does_not_start_is_told_of_once_and_offers_nothing(
    tmp_path: Path, mode: str, capfd: pytest.CaptureFixture[str]
) -> None:
    server = McpServer(name="play", command="no-such-server") if mode == "missing" else python(*PLAYING, mode)
    code = {
        "silent": "import time; time.sleep(3600)",
        "killed": "import os; os.kill(os.getpid(), 9)",
        "odd words": r"import sys; sys.exit('red\x1b[31m \u202e')",
    }.get(mode)
    if code is not None:
        more = {"env": (("PYTHONIOENCODING", "utf-8"),), "timeout_s": 1.0 if mode == "silent" else 60.0}
        server = python("-c", code, **more)
    said = {
        "fail": "it ended with exit code 1; it said: no configuration: give me one",
        "killed": "it was ended by signal 9",
        "odd words": r"it ended with exit code 1; it said: red\x1b[31m \u202e",
        "line": "it sent a message of more than 16,777,216 bytes",
        "flood": "it sent 20,000 messages that nobody asked for",
        "missing": "No such file or directory: no-such-server",
        "silent": "it did not answer within 1 s",
    }[mode]
    with opened(tmp_path, server) as box:
        assert box.names == [] and box.names == []
        assert len(box.told) == 1 and said in box.told[0] and "mcp_servers.play" in box.told[0]
        assert box.toolbox.state().status == "failed"
        assert not box.call("add", a=1, b=2).ran
    assert capfd.readouterr() == ("", "")


def test_what_is_printed_between_messages_is_passed_over(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING, "chatty")) as box:
        assert box.names and box.call("add", a=1, b=2).text == "3"
        assert b"Welcome" in box.log.read_bytes()


def test_one_that_dies_during_a_call_is_started_again_once(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        assert box.names
        first = box.call("die", code=3)
        assert first.is_error and first.ran
        assert "ended during the call (it ended with exit code 3; it said: the sky fell)" in first.text
        assert box.call("add", a=1, b=2).text == "3"  # it runs again, and has earned another start
        box.call("die", code=4)
        box.call("die", code=5)
        refused = box.call("add", a=1, b=2)
        assert not refused.ran and "exit code 5" in refused.text
        assert box.names == []
        assert len(box.told) == 1 and "ended again" in box.told[0]


@pytest.mark.parametrize(("name", "arguments"), [("add", {"a": 1, "b": 2}), ("look_up", {"word": "词"})])
def test_what_has_become_another_tool_with_its_second_start_is_not_called(
    tmp_path: Path, name: str, arguments: dict[str, JsonValue]
) -> None:
    """Somebody may have allowed the call of what it was."""
    with opened(tmp_path, python(*PLAYING, "shrink", str(tmp_path / "begun"))) as box:
        assert f"play_{name}" in box.names
        box.call("die", code=3)
        refused = box.call(name, **arguments)
        assert refused.is_error and not refused.ran and "as it did before" in refused.text
        assert "play_add" not in box.names and box.call("look_up", word="词").text == "deleted"


def test_a_change_of_its_list_is_followed(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        before = box.names
        assert box.call("learn", name="newer").text == "learnt"
        assert until(lambda: box.names == [*before, "play_newer"])
        assert box.call("newer").text == "newer"


def test_a_server_of_the_older_protocol_and_its_changes(tmp_path: Path) -> None:
    with opened(tmp_path, python(str(HERE / "legacy_server.py"), name="old")) as box:
        assert box.names == ["old_grow"]
        assert box.call("grow").text == "grown_1"
        assert until(lambda: box.names == ["old_grow", "old_grown_1"])


def test_a_start_that_is_not_waited_for_is_ended_and_begins_anew(tmp_path: Path) -> None:
    code = "import os, time; open('begun', 'a').write(f'{os.getpid()}\\n'); time.sleep(3600)"
    with opened(tmp_path, python("-c", code, timeout_s=3600)) as box:
        begun = tmp_path / "begun"
        for starts in (1, 2):
            assert box.toolbox.starting
            abort = AbortSignal()
            raised: list[BaseException] = []

            def wait(abort: AbortSignal = abort, raised: list[BaseException] = raised) -> None:
                try:
                    box.toolbox.ready(abort)
                except Interrupted as error:
                    raised.append(error)

            thread = threading.Thread(target=wait)
            thread.start()
            assert until(lambda starts=starts: begun.exists() and begun.read_text().count("\n") == starts)
            abort.abort()
            thread.join(30)
            assert raised and box.toolbox.specs() == [] and box.told == []
            server = int(begun.read_text().split()[-1])
            assert until(lambda server=server: not alive(server)), "also while the program goes on"
            assert box.toolbox.state().status == "not started"


def test_a_server_that_is_there_is_kept_when_another_is_not_waited_for(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        assert box.names and not box.toolbox.starting
        box.toolbox.drop()
        assert box.toolbox.state().status == "running" and box.call("add", a=1, b=2).text == "3"


def test_what_it_is_started_with_is_part_of_what_was_approved(tmp_path: Path) -> None:
    legacy = str(HERE / "legacy_server.py")
    other = tmp_path / "other"
    other.mkdir()
    servers = [
        (tmp_path, python(legacy)),
        (tmp_path, python(legacy, env=(("ROOT", "/"),))),
        (tmp_path, python(legacy, cwd=str(HERE))),
        (other, python(legacy)),
    ]
    codes = set()
    for folder, server in servers:
        with opened(folder, server) as box:
            assert box.names
            codes.add(box.toolbox.specs()[0].code)
    assert len(codes) == len(servers)


def test_all_it_started_is_gone_when_it_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING)) as box:
        assert box.names
        child = int(box.call("start_child", path=str(tmp_path / "pid")).text)
        assert alive(child)
    assert not alive(child)
    box.toolbox.close()  # twice is as well
    assert box.names == []


def test_two_tools_of_one_name_are_refused_with_both(tmp_path: Path) -> None:
    with opened(tmp_path, python(*PLAYING, "twins")) as box, pytest.raises(ConfigError) as raised:
        assert box.names
    assert "'a.b'" in str(raised.value) and "'a/b'" in str(raised.value)


def test_two_servers_with_a_tool_of_one_name_are_refused_with_both(tmp_path: Path) -> None:
    legacy = str(HERE / "legacy_server.py")
    with opened(tmp_path, python(legacy, name="old")) as one, opened(tmp_path, python(legacy, name="old")) as other:
        both = CombinedToolbox({"mcp_servers.one": one.toolbox, "mcp_servers.other": other.toolbox})
        assert one.names == other.names
        with pytest.raises(ConfigError, match=r"mcp_servers\.one and mcp_servers\.other"):
            both.specs()


def test_variables_stand_in_the_environment_and_secrets_do_not(tmp_path: Path) -> None:
    code = "import os, sys; sys.exit(os.environ['GIVEN'] + str(os.environ.get('MY_API_KEY')))"
    server = python("-c", code, env=(("GIVEN", "<${MY_API_KEY}>"),))
    with opened(tmp_path, server, MY_API_KEY="k") as box:
        assert box.names == [] and "it said: <k>None" in box.told[0]
    missing = python("-c", "", env=(("A", "${NOT_SET_ANYWHERE}"),))
    with opened(tmp_path, missing) as box, pytest.raises(ConfigError, match="NOT_SET_ANYWHERE is not set"):
        assert box.names


def test_a_reference_server(tmp_path: Path) -> None:
    with opened(tmp_path, python("-m", "mcp_server_time", "--local-timezone", "UTC", name="time")) as box:
        assert "time_convert_time" in box.names
        result = box.call("convert_time", source_timezone="UTC", time="12:00", target_timezone="Asia/Shanghai")
        assert "20:00" in result.text and not result.is_error


class TestOverHttp:
    @pytest.fixture
    def server(self) -> Iterator[tuple[McpServer, subprocess.Popen[bytes]]]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([sys.executable, *PLAYING, "http", str(port)], stderr=subprocess.DEVNULL)
        try:
            assert until(lambda: _listens(port))
            yield McpServer(name="play", url=f"http://127.0.0.1:{port}/mcp", timeout_s=60), process
        finally:
            process.kill()
            process.wait()

    def test_it_works_and_its_end_is_told(
        self, tmp_path: Path, server: tuple[McpServer, subprocess.Popen[bytes]], capfd: pytest.CaptureFixture[str]
    ) -> None:
        with opened(tmp_path, replace(server[0], trust_hints=True)) as box:
            assert box.call("add", a=1, b=2).ran is False  # nothing is offered before it was asked for
            assert "play_add" in box.names and box.call("add", a=1, b=2).text == "3"
            assert box.toolbox.effects("play_add") == {"reads", "network"}  # whatever it says
            server[1].kill()
            server[1].wait()
            assert box.call("add", a=1, b=2).is_error
            assert box.names == [] and len(box.told) == 1
        assert capfd.readouterr() == ("", "")

    def test_one_that_is_back_is_used_again(
        self, tmp_path: Path, server: tuple[McpServer, subprocess.Popen[bytes]]
    ) -> None:
        with opened(tmp_path, server[0]) as box:
            assert box.names
            server[1].kill()
            server[1].wait()
            port = int(server[0].url.split(":")[2].split("/")[0])
            again = subprocess.Popen([sys.executable, *PLAYING, "http", str(port)], stderr=subprocess.DEVNULL)
            try:
                assert until(lambda: _listens(port))
                box.call("add", a=1, b=2)  # may find the old connection broken
                assert box.call("add", a=1, b=2).text == "3"
            finally:
                again.kill()
                again.wait()

    @pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
    def test_an_answer_without_end(self, tmp_path: Path, kind: str) -> None:
        class Endless(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(b"data: " if "event" in kind else b'{"jsonrpc": "')
                with contextlib.suppress(OSError):
                    while True:
                        self.wfile.write(b"x" * 1_000_000)

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/mcp"
            with opened(tmp_path, McpServer(name="play", url=url, timeout_s=60)) as box:
                assert box.names == [] and "mcp_servers.play: it cannot be used" in box.told[0]
                assert "60 s" not in box.told[0]
            server.shutdown()

    def test_nobody_there(self, tmp_path: Path) -> None:
        with socket.socket() as bound:  # nobody listens, and nobody else can
            bound.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
            with opened(tmp_path, McpServer(name="play", url=url)) as box:
                assert box.names == [] and "mcp_servers.play: it cannot be used" in box.told[0]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_nothing_of_the_sdk_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys; import localagent.mcp.client, localagent.config;"
        "print([name for name in sys.modules if name.split('.')[0] in ('mcp', 'mcp_types', 'anyio', 'httpx2')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
