"""What an MCP server says beside the protocol: its last words, as far as they are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from localagent.mcp.log import ServerLog


@pytest.mark.parametrize(
    ("said", "last"),
    [
        (b"first\ntool failed: no key\ntool fail", "tool failed: no key"),
        ("错误：没有密钥\r\n\n  \n".encode(), "错误：没有密钥"),
        (b"one line, not ended", "one line, not ended"),
        (b"\nnot ended", "not ended"),
        (b"", ""),
        (b"x" * 5000 + b"\nend\n" + b"y" * 10, "end"),
    ],
)
def test_the_last_whole_line_is_quoted(tmp_path: Path, said: bytes, last: str) -> None:
    log = ServerLog(tmp_path / "log")
    log.begin()
    for at in range(0, len(said), 7):
        log.write(said[at : at + 7])
    assert log.last_words() == last
    log.close()
