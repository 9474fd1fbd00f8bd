"""No error of the HTTP library, and no answer of a server, leaves untranslated."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.errors import ConfigError, LocalAgentError, ModelUnreachable
from localagent.models.ollama_errors import from_answer, from_error, from_transport


def leaves(kind: type[Exception]) -> set[type[Exception]]:
    return {kind}.union(*(leaves(child) for child in kind.__subclasses__()))


def make(kind: type[Exception]) -> Exception:
    for arguments in (("text",), (), ("text", None, None)):
        try:
            return kind(*arguments)
        except TypeError:
            continue
    request = httpx.Request("GET", "http://h")
    return httpx.HTTPStatusError("text", request=request, response=httpx.Response(500, request=request))


KINDS = sorted(leaves(httpx.HTTPError) | leaves(httpx.StreamError) | {httpx.InvalidURL, OSError}, key=str)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_of_the_http_library_is_translated(kind: type[Exception]) -> None:
    error = from_transport(make(kind), where="http://h")
    assert isinstance(error, ModelUnreachable | ConfigError)
    assert error.where == "http://h"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["error", "message", "type", "n_ctx"]), inner),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(st.integers(300, 599), st.binary(max_size=60) | JSON.map(lambda value: repr(value).encode("utf-8", "replace")))
def test_any_answer_with_a_bad_status_becomes_one_line(status: int, body: bytes) -> None:
    error = from_answer(status, body, where="http://h", model="m")
    assert isinstance(error, LocalAgentError)
    assert "\n" not in str(error)
    assert error.message


@settings(deadline=None, max_examples=60)
@given(JSON)
def test_any_error_value_in_a_stream_becomes_one_line(said: object) -> None:
    error = from_error(said, status=200, where="http://h", model="m")
    assert isinstance(error, LocalAgentError)
    assert "\n" not in str(error)
