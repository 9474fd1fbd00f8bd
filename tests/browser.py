"""A real browser without a window, told what to do over a pair of pipes (the DevTools protocol; no port is opened)."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TIMEOUT_S = 60.0
# Where tests must not be skipped, this names the browser.
VARIABLE = "LOCALAGENT_TEST_BROWSER"


def find_browser() -> str:
    """The browser's path; skips the test where there is none, unless the variable says that there must be one."""
    wanted = os.environ.get(VARIABLE)
    found = shutil.which(wanted) if wanted else next(filter(None, map(shutil.which, NAMES)), None)
    if wanted and found is None:
        pytest.fail(f"{VARIABLE} names {wanted}, which is not there")
    if found is None:
        pytest.skip(f"no chromium here (Debian: apt-get install chromium); {VARIABLE} may name another")
    return found


class Browser:
    """One browser with one page. `complaints` is what it logged: errors of scripts, violations of the policy.
    `requested` are the addresses it asked for."""

    def __init__(self, path: str, folder: Path) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # Beyond 3 and 4, which the browser wants for itself.
        theirs = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (theirs_in, theirs_out)]
        for one in (theirs_in, theirs_out):
            os.close(one)
        options = ["headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"]
        options += [
            "disable-dev-shm-usage",
            "remote-debugging-pipe",
            f"user-data-dir={folder}",
            "force-color-profile=srgb",
        ]
        quiet = [(os.POSIX_SPAWN_OPEN, one, os.devnull, os.O_RDWR, 0) for one in (0, 1, 2)]
        moved = [(os.POSIX_SPAWN_DUP2, theirs[0], 3), (os.POSIX_SPAWN_DUP2, theirs[1], 4)]
        arguments = [path, *(f"--{one}" for one in options), "about:blank"]
        self._pid = os.posix_spawn(path, arguments, os.environ, file_actions=[*quiet, *moved], setpgroup=0)
        for one in theirs:
            os.close(one)
        self._in, self._out = ours_in, ours_out
        self._buffer = b""
        self._number = 0
        self._events: list[Mapping[str, Any]] = []
        self._session = ""
        self.complaints: list[str] = []
        self.requested: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> Mapping[str, Any]:
        """Do one thing and give back what it gave."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        number = self._number
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a file, and wait until it is there. By way of an empty page: the same file is loaded anew."""
        self._load("about:blank")
        self.complaints.clear()
        self.requested.clear()
        self._load(path.as_uri() + fragment)

    def _load(self, address: str) -> None:
        self._events.clear()
        self.call("Page.navigate", url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._read()

    def value(self, expression: str) -> Any:  # noqa: ANN401 (whatever it is)
        """What a JavaScript expression gives."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of an element that is scrolled into view."""
        place = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center', inline: 'center'});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def press(self, key: str, text: str = "") -> None:
        codes = {"Enter": 13, "Tab": 9, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}
        more = {"windowsVirtualKeyCode": codes.get(key, 0)} | ({"text": text} if text else {})
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes.get(key, 0))

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def look(self, *, width: int = 1200, height: int = 900, scheme: str = "light", media: str = "screen") -> None:
        """The size of the window, the colours the user prefers, and the medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=wanted)

    def close(self) -> None:
        """Its pipes are closed, and so it ends itself and what it started."""
        os.close(self._out)
        os.close(self._in)
        deadline = time.monotonic() + TIMEOUT_S
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.killpg(self._pid, signal.SIGKILL)
            time.sleep(0.02)

    def _read(self) -> Mapping[str, Any]:
        """The next message; events are noted."""
        deadline = time.monotonic() + TIMEOUT_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser has gone"
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: Mapping[str, Any] = json.loads(line)
        if "method" in message:
            self._events.append(message)
            self._note(message["method"], message.get("params", {}))
        return message

    def _note(self, method: str, given: Mapping[str, Any]) -> None:
        if method == "Log.entryAdded":
            self.complaints.append(given["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(given["exceptionDetails"]))
        elif method == "Network.requestWillBeSent":
            self.requested.append(given["request"]["url"])
