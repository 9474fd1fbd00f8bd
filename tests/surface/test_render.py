"""The answer goes to standard output and nothing else does; on a terminal every line stands there once."""

import io
import re
from collections.abc import Generator
from pathlib import Path

import pyte
import pytest
from prompt_toolkit.utils import get_cwidth

from localagent.environment import Environment
from localagent.errors import IncompleteAnswer, ModelUnreachable
from localagent.events import (
    Evaluated,
    ModelFinished,
    Notice,
    PromptProgress,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    TurnEvent,
    TurnFinished,
    Usage,
    Withdrawn,
)
from localagent.messages import ToolCallPart
from localagent.render import (
    RichRenderer,
    renderer_for,
    rich_renderer,
    show_turn,
)
from localagent.render_plain import PlainRenderer, plain_renderer
from localagent.render_status import Status
from localagent.render_steps import tool_line


class Stream(io.StringIO):
    def __init__(self, *, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        text.encode(self._encoding)
        return super().write(text)


def environment(out: Stream, err: Stream | None = None, **variables: str) -> Environment:
    nowhere = Path("nowhere")
    return Environment(Stream(), out, err or Stream(), {"TERM": "xterm", **variables}, nowhere, nowhere, nowhere)


ANSWER: list[TurnEvent] = [
    PromptProgress(1, 4, 0),
    ThinkingDelta("hm\x1b[2J, "),
    ThinkingDelta("想一想"),
    TextDelta("# Hel"),
    TextDelta("lo\x1b[3"),
    TextDelta("1m\r\n你好"),
    Notice("a\nnotice\x07"),
    TextDelta(" *end*"),
    ModelFinished("stop", Usage()),
]


def test_plainly_the_answer_alone_is_on_standard_output() -> None:
    out, err = Stream(), Stream()
    renderer = plain_renderer(environment(out, err))
    for event in ANSWER:
        renderer.show(event)
    renderer.finish()
    assert out.getvalue() == "# Hello\n你好 *end*\n"
    assert err.getvalue() == "hm, 想一想\na notice\n"


def test_plain_text_is_streamed() -> None:
    out = Stream()
    renderer = plain_renderer(environment(out))
    renderer.show(TextDelta("one "))
    assert out.getvalue() == "one "
    renderer.show(TextDelta("two\n"))
    renderer.finish("interrupted")
    assert out.getvalue() == "one two\n"


def test_no_answer_is_no_output() -> None:
    out, err = Stream(), Stream()
    renderer = plain_renderer(environment(out, err))
    renderer.finish("interrupted")
    renderer.error(ModelUnreachable("nobody answers", where="http://x.test", hint="Start it"))
    assert out.getvalue() == ""
    assert err.getvalue() == "interrupted\nerror: http://x.test: nobody answers. Start it\n"


def test_progress_is_shown_on_a_terminal_only_and_erased() -> None:
    err = Stream(terminal=True)
    renderer = plain_renderer(environment(Stream(), err))
    renderer.show(PromptProgress(320, 2431, 0))
    assert "reading prompt 320/2431 (13 %)" in err.getvalue()
    renderer.show(TextDelta("x"))
    assert err.getvalue().endswith("\r\x1b[K")


def test_an_encoding_that_lacks_a_character_is_no_error() -> None:
    out, err = Stream(encoding="ascii"), Stream(encoding="ascii")
    for renderer in (plain_renderer(environment(out, err)), rich_renderer(environment(out, err))):
        for event in ANSWER:
            renderer.show(event)
        renderer.finish("完")
    assert "Hello" in out.getvalue()


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"TERM": "unknown"}])
def test_a_dumb_terminal_gets_no_escape_codes(variables: dict[str, str]) -> None:
    out = Stream(terminal=True)
    renderer = renderer_for(environment(out, **variables))
    for event in ANSWER:
        renderer.show(event)
    renderer.finish("interrupted")
    assert "\x1b" not in out.getvalue() and "\r" not in out.getvalue()
    assert "你好 end" in out.getvalue()


def test_no_color_means_no_colours() -> None:
    out = Stream(terminal=True)
    renderer = rich_renderer(environment(out, NO_COLOR="1"))
    renderer.show(TextDelta("```python\ndef f(): return 'x'\n```\n`code`\n"))
    renderer.error(ModelUnreachable("gone"))
    renderer.finish()
    assert not any(f"\x1b[{code}" in out.getvalue() for code in ("3", "9", "4"))


def test_the_kind_of_renderer_follows_the_terminal() -> None:
    assert isinstance(renderer_for(environment(Stream())), PlainRenderer)
    assert isinstance(renderer_for(environment(Stream(terminal=True))), RichRenderer)


def lines_of(screen: pyte.HistoryScreen) -> list[str]:
    rows = [*screen.history.top, *(screen.buffer[row] for row in range(screen.lines))]
    return ["".join(row[column].data for column in range(screen.columns)).rstrip() for row in rows]


def test_every_line_stands_once_in_the_scrollback() -> None:
    """Thirty paragraphs, emoji and a table on twelve rows, with a resize in the middle and progress all along."""
    screen = pyte.HistoryScreen(44, 12, history=2000, ratio=1)
    terminal = pyte.Stream(screen)

    class Terminal(Stream):
        def write(self, text: str) -> int:
            # pyte forgets what follows a joiner in the same piece
            terminal.feed(text.replace("\u200d", "").replace("\n", "\r\n"))
            return len(text)

    out = Terminal(terminal=True)
    screens = rich_renderer(environment(out))
    status = Status(out, True, lambda: screen.columns)
    renderer = RichRenderer(out, screens.console, width=lambda: screen.columns, status=status)
    paragraphs = [f"start{n} " + f"word{n} " * 20 + f"👩‍👩‍👧 你好 end{n}" for n in range(30)]
    table = "| key | value |\n|---|---|\n| cell1 | 中文 |\n| cell2 | 🎉 |"
    text = "\n\n".join([*paragraphs[:15], table, *paragraphs[15:]])
    renderer.show(ThinkingDelta("thought " * 30))
    for at in range(0, len(text), 4):
        renderer.show(PromptProgress(at, len(text), 0))
        renderer.show(TextDelta(text[at : at + 4]))
        renderer.tick()
        if at == len(text) // 8 * 4:
            screen.resize(12, 60)
    renderer.finish("interrupted")
    shown = "\n".join(lines_of(screen))
    assert shown.count("thought") == 30
    for n in range(30):
        assert shown.split().count(f"start{n}") == shown.split().count(f"end{n}") == 1
        assert shown.split().count(f"word{n}") == 20
    assert shown.count("cell1") == shown.count("cell2") == shown.count("interrupted") == 1
    assert "reading prompt" not in shown and "characters" not in shown


def test_the_status_never_wraps() -> None:
    out = Stream(terminal=True)
    status = Status(out, True, lambda: 20)
    status.set("a very long status line that does not fit")
    status.hide()
    status.set("")
    assert out.getvalue() == "\r\x1b[K\x1b[2ma very long status \x1b[22m\r\x1b[K"


def test_what_had_arrived_is_shown_when_a_turn_ends_early() -> None:
    def events() -> Generator[TurnEvent]:
        yield TextDelta("half an ans")
        raise IncompleteAnswer("the server went away")

    out, err = Stream(), Stream()
    with pytest.raises(IncompleteAnswer):
        show_turn(plain_renderer(environment(out, err)), events())
    assert out.getvalue() == "half an ans\n"
    assert err.getvalue() == "(incomplete)\n"


def test_notices_are_wrapped_at_words_unless_verbatim() -> None:
    out = Stream(terminal=True)
    renderer = rich_renderer(environment(out, TERM="dumb"))
    text = "word " * 30 + "[not markup] :smile:"
    renderer.notice(text)
    assert out.getvalue().split() == text.split()
    assert max(map(len, out.getvalue().split("\n"))) <= 80
    renderer.print("x y" * 60, verbatim=True)
    assert "x y" * 60 + "\n" in out.getvalue()


def test_a_draft_is_shown_and_marked_on_a_terminal_and_kept_out_of_a_pipe() -> None:
    finished = TurnFinished("t", 1, "", "Sixty-four.", "stop", Usage(), 2)
    drafted: list[TurnEvent] = [
        StepStarted(1, provisional=True),
        TextDelta("No idea."),
        Withdrawn(),
        StepStarted(2, provisional=True),
    ]
    events: list[TurnEvent] = [*drafted, TextDelta("Sixty-four."), finished]
    screen, out, err = Stream(terminal=True), Stream(), Stream(terminal=True)
    for renderer in (rich_renderer(environment(screen, TERM="dumb")), plain_renderer(environment(out, err))):
        for event in events:
            renderer.show(event)
        renderer.finish()
    shown = screen.getvalue()
    assert shown.index("No idea.") < shown.index("(not the answer") < shown.index("Sixty-four.")
    assert out.getvalue() == "Sixty-four.\n" and "\x1b[2mNo idea.\x1b[22m\n" in err.getvalue()


def test_what_gives_way_to_a_question_is_not_taken_for_the_answer() -> None:
    out, err = Stream(), Stream()
    renderer = plain_renderer(environment(out, err))
    renderer.show(StepStarted(1, provisional=True))
    renderer.show(TextDelta("I will write it."))
    renderer.break_off()
    assert (out.getvalue(), err.getvalue()) == ("", "I will write it.\n")


@pytest.mark.parametrize(("result", "end"), [("", " 0.2 s\n"), ("Exit code 3.\n不行", " 0.2 s → Exit code 3. 不行\n")])
def test_the_line_of_a_call_has_what_came_of_it(result: str, end: str) -> None:
    err = Stream()
    call = ToolCallPart("1", "run_shell", {"command": "ls"})
    plain_renderer(environment(Stream(), err)).show(ToolFinished(call, result, seconds=0.2))
    assert err.getvalue().endswith(end)
    plain_renderer(environment(Stream(), err)).show(ToolFinished(call, "行 " * 500))
    assert get_cwidth(err.getvalue().splitlines()[-1]) <= 80 and err.getvalue().endswith("…\n")


def test_beside_the_answer_a_renderer_speaks_the_language_it_is_told() -> None:
    call = ToolCallPart("1", "run_shell", {})
    denied = "Not run: the call of run_shell was not allowed: denied by the user: 别."
    no = f"{denied} Do not call it again; go on without it."
    out, err = Stream(terminal=True), Stream()
    for renderer in (plain_renderer(environment(Stream(), err)), rich_renderer(environment(out, TERM="dumb"))):
        renderer.language = "zh"
        renderer.show(Evaluated(1, "completion", "length", "not done", "太短"))
        renderer.show(ToolFinished(call, no, is_error=True, ran=False))
        renderer.show(Withdrawn())
        renderer.show(Notice("the answer was cut at 9 tokens (model.max_output_tokens)"))
        renderer.error(ModelUnreachable("nothing answers (the connection timed out)", where="x", hint="Restart it"))
        renderer.finish("（已中断）")
    told = (
        "length：不完整：太短\n"
        "run_shell()：没有运行：没有允许调用 run_shell：用户拒绝了：别。不要再调用它，请继续。\n"
        "（这不是答案：被判为不完整，模型正在修改）\n"
        "回答在 9 token 处被截断（model.max_output_tokens）\n"
        "错误：x：没有应答（连接超时）。请重新启动它\n"
        "（已中断）\n"
    )
    assert err.getvalue() == told and re.sub("\x1b\\[\\d*m|\\s", "", out.getvalue()) == re.sub(r"\s", "", told)


def test_what_hides_in_a_call_is_written_as_an_escape() -> None:
    call = ToolCallPart("1", "t\u200b\x1b", {"a": "x\u2066y\u202ez\x07"})
    done = tool_line(ToolFinished(call, "gave\u200b\x1b[2J\r\nmore\u202e", seconds=0.2), 200)
    assert done == r't\u200b\x1b(a: "x\u2066y\u202ez\u0007") 0.2 s → gave\u200b\x1b[2J more\u202e'
    failed = tool_line(ToolFinished(call, "no\u2066 \x9b", is_error=True, ran=False), 200)
    assert failed == r't\u200b\x1b(a: "x\u2066y\u202ez\u0007"): no\u2066 \x9b'
