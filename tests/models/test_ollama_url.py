"""The forms of an address that people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localagent.addresses import normalise_url
from localagent.errors import ConfigError
from localagent.models.ollama_http import is_loopback


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("http://localhost:11434", "http://localhost:11434"),
        ("", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        ("1.2.3.4:80", "http://1.2.3.4:80"),
        (":5000", "http://127.0.0.1:5000"),
        ("host:5000/", "http://host:5000"),
        ("http://h", "http://h"),
        ("HTTPS://H/path/", "https://h/path"),
        ("h/path", "http://h:11434/path"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:5", "http://[::1]:5"),
        ("::1", "http://[::1]:11434"),
        ("fe80::1", "http://[fe80::1]:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("[::]", "http://[::1]:11434"),
        ('  "1.2.3.4" ', "http://1.2.3.4:11434"),
    ],
)
def test_forms_that_are_understood(written: str, meant: str) -> None:
    assert normalise_url(written) == meant
    assert normalise_url(meant) == meant


@pytest.mark.parametrize(
    "written",
    [
        "ftp://h",
        "h:99999",
        "h:abc",
        "http://u:p@h",
        "http://h?x=1",
        "http://h/#a",
        "http://h:11434/v1",
        "localhost:11434/api/",
        "a b",
        "http://[::1",
        "http://h\\x",
        "h:0",
        "h\x1b[31m",
    ],
)
def test_forms_that_are_refused(written: str) -> None:
    with pytest.raises(ConfigError) as caught:
        normalise_url(written)
    assert "model.base_url" in caught.value.where


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_a_configuration_error(text: str) -> None:
    try:
        url = normalise_url(text)
    except ConfigError:
        return
    assert url.startswith(("http://", "https://"))
    assert not url.endswith("/")


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("http://localhost:1", True),
        ("http://a.localhost", True),
        ("http://127.8.8.8", True),
        ("http://[::1]:1", True),
        ("http://10.0.0.1", False),
        ("https://example.com", False),
    ],
)
def test_what_is_this_machine(url: str, answer: bool) -> None:
    assert is_loopback(url) is answer
