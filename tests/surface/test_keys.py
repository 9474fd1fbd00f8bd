"""What is typed while the model works."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.output import DummyOutput

from localagent.abort import AbortSignal
from localagent.repl_keys import KeyWatch


def unannounced(source: PipeInput) -> PipeInput:
    """Keys have arrived, and the loop has not been told of them yet: there is always such a moment."""

    def attach(input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        return nullcontext()

    source.attach = attach  # type: ignore[method-assign]
    return source


def test_keys_that_have_only_just_arrived_do_not_answer_a_question() -> None:
    with create_pipe_input() as pipe:
        source = unannounced(pipe)
        with KeyWatch(source, DummyOutput(), AbortSignal(), lambda: None) as watch:
            source.send_text("a\r")
            with watch.paused():
                assert [key.data for key in source.read_keys()] == []
        assert "".join(key.data for key in get_typeahead(source)) == "a\r"


def test_ctrl_c_that_has_only_just_arrived_still_stops() -> None:
    abort = AbortSignal()
    with create_pipe_input() as pipe:
        source = unannounced(pipe)
        with KeyWatch(source, DummyOutput(), abort, lambda: None):
            source.send_text("\x03")
    assert abort.aborted
