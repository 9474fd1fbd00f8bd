"""Commands: all that they start is gone with them, and what they print is bounded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.errors import Interrupted
from localagent.toolbox.processes import Finished, run_command, without_secrets

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")

# Each starts a process that writes its number into the file `pid` and never ends by itself.
SLEEPER = "import os, time; open('pid.tmp', 'w').write(str(os.getpid())); os.rename('pid.tmp', 'pid'); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"
DAEMON = f"import os\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n{SLEEPER}"
UNMARKED = f"import os, sys\nos.execve(sys.executable, [sys.executable, '-c', {SLEEPER!r}], {{}})"
TREES = {
    "the command itself": ("exec {python} -c {code}", SLEEPER),
    "a child": ("{python} -c {code}; true", SLEEPER),
    "one that ignores the request to end": ("{python} -c {code}; true", STUBBORN),
    "one in a session of its own": ("setsid {python} -c {code}; true", SLEEPER),
    "one in a session of its own that ignores it": ("setsid {python} -c {code}; true", STUBBORN),
    "one whose parents have ended": ("{python} -c {code}; sleep 600", DAEMON),
    "one with another environment and session": ("setsid {python} -c {code}; true", UNMARKED),
}
UNTIL_IT_RUNS = "until [ -e pid ]; do sleep 0.01; done; echo done"
AFTERWARDS = {
    "in the background": (f"{{python}} -c {{code}} &\n{UNTIL_IT_RUNS}", SLEEPER),
    "in a session of its own": (f"setsid {{python}} -c {{code}} &\n{UNTIL_IT_RUNS}", STUBBORN),
    "whose parents have ended": (f"{{python}} -c {{code}}; {UNTIL_IT_RUNS}", DAEMON),
}


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., Finished]:
    def run(command: str, abort: AbortSignal | None = None, **more: int) -> Finished:
        return run_command(
            ["/bin/sh", "-c", command],
            folder=tmp_path,
            variables=dict(os.environ),
            abort=abort or AbortSignal(),
            **more,
        )

    return run


def written(command: tuple[str, str], folder: Path) -> str:
    script = folder / "code.py"
    script.write_text(command[1])
    if not shutil.which("setsid"):
        pytest.skip("there is no setsid")
    return command[0].format(python=sys.executable, code='"$(cat code.py)"')


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_a_stopped_command_leaves_nothing_behind(
    tree: tuple[str, str], tmp_path: Path, start: Callable[..., Finished]
) -> None:
    abort = AbortSignal()
    pids: list[int] = []

    def stop() -> None:
        while not (tmp_path / "pid").exists():
            threading.Event().wait(0.01)
        pids.append(int((tmp_path / "pid").read_text()))
        assert runs(pids[0])
        abort.abort()

    stopper = threading.Thread(target=stop)
    stopper.start()
    finished = start(written(tree, tmp_path), abort)
    stopper.join()
    assert finished.code is None and pids and not runs(pids[0])


@pytest.mark.parametrize("tree", AFTERWARDS.values(), ids=AFTERWARDS)
def test_what_a_command_leaves_running_ends_with_it(
    tree: tuple[str, str], tmp_path: Path, start: Callable[..., Finished]
) -> None:
    finished = start(written(tree, tmp_path))
    assert finished.code == 0 and finished.output == "done\n" and finished.killed >= 1
    assert not runs(int((tmp_path / "pid").read_text()))


def test_processes_of_others_are_left_alone(start: Callable[..., Finished]) -> None:
    other = subprocess.Popen(["sleep", "600"])
    try:
        start("sleep 600 & true")
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_code_output_and_input(start: Callable[..., Finished]) -> None:
    finished = start("echo one; echo two >&2; echo 三; exit 3")
    assert (finished.code, finished.output, finished.left_out) == (3, "one\ntwo\n三\n", 0)
    assert start("cat; echo end").output == "end\n"
    assert start("kill -9 $$").code == -9
    assert start("printf '\\377\\000x'").output == "\ufffd\0x"


def test_endless_output_is_bounded_while_it_is_read(start: Callable[..., Finished]) -> None:
    finished = start("echo first; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last", most_bytes=10_000)
    assert finished.output.startswith("first\n") and finished.output.endswith("\nlast\n")
    assert len(finished.output) < 10_100
    assert finished.left_out == 30_000_000 + len("first\n\nlast\n") - 10_000
    assert f"[… {finished.left_out:,} bytes left out …]" in finished.output


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    for command, folder, said in [
        (["no-such-program-here"], tmp_path, "No such file"),
        (["true"], tmp_path / "gone", "No such file"),
        (["tr\0ue"], tmp_path, "null byte"),
    ]:
        with pytest.raises(ValueError, match=said):
            run_command(command, folder=folder, variables=dict(os.environ), abort=AbortSignal())


def test_nothing_is_started_after_the_signal(tmp_path: Path, start: Callable[..., Finished]) -> None:
    abort = AbortSignal()
    abort.abort(Interrupted("enough"))
    with pytest.raises(Interrupted):
        start("touch made", abort)
    assert not (tmp_path / "made").exists()


def test_keys_and_passwords_stay_here() -> None:
    kept = {"PATH": "/bin", "HOME": "/home/王", "GIT_AUTHOR_NAME": "n", "KEYBOARD": "de", "PWD": "/"}
    kept |= {
        "TOKENIZERS_PARALLELISM": "0",
        "XAUTHORITY": "/x",
        "OLDPWD": "/",
        "JAVA_HOME": "/j",
        "QUERY": "filter=a;b=password",
        "http_proxy": "http://p:3128",
    }
    secret = {"OPENAI_API_KEY": "k", "GITHUB_TOKEN": "t", "db_password": "p", "LOCALAGENT_HOME": "/h", "BASH_ENV": "x"}
    secret |= {
        "PGPASSWORD": "p",
        "GH_PAT": "p",
        "MYSQL_PWD": "p",
        "DB_PASS": "p",
        "NPM_CONFIG__AUTH": "a",
        "GITHUBTOKEN": "t",
    }
    secret |= {
        "DATABASE_URL": "postgres://me:hush@db/x",
        "https_proxy": "http://u:p@proxy:3128",
        "AWS_SECRET_ACCESS_KEY": "k",
    }
    names = "MYPASS MYCRED AWS_SESSION AWS_SESSION_ID SLACK_WEBHOOK_URL SENTRY_DSN SSH_AUTH_SOCK SSH_ASKPASS MyKeys"
    secret |= dict.fromkeys(
        f"{names} OAUTH_X HTTP_AUTHORIZATION PRIVATE_THING DBUS_SESSION_BUS_ADDRESS PATS".split(), "x"
    )
    secret |= {"REPORT_TO": "https://abc123@o1.ingest.example/5"}
    secret |= {
        "SESSION_JWT": "j",
        "BEARER": "b",
        "DEPLOY": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl",
        "STORAGE": "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=k==",
        "仓库": "Server=db;User Id=me;Password=hush",
    }
    assert without_secrets({**kept, **secret}) == kept
