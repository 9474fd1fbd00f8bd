"""What a person is shown before a tool may run, and what they may answer. Both the conversation and `ask` use it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from prompt_toolkit.utils import get_cwidth

from localagent.calls import ROW_END, TAB_MARK, Approval, ApprovalRequest, visible

# In the first column stands what a row is; what is shown stands behind it and can pass for none of these.
LINE = "│ "  # a line begins
WRAPPED = "↪ "  # the line above goes on
LEADS = "→ "  # where something leads
LEFT_OUT = "┄ "
TAB = TAB_MARK + "   "
# The rows between the beginning and the end are shown when it is asked for; so many are seen on the smallest screen.
FEWEST_ROWS = 5
CHOICES = "[o]nce · [a]lways for exactly this · [d]eny, with a reason if you like"
VIEW = " · [v]iew all"
AGAIN = "answer o, a, or d; as in: d not this file"
UNSEEN = "you have not seen all of it; here it is:"
ALL_SEEN = "that was all of it"

_ONCE = frozenset({"o", "once", "y", "yes", "一次", "是", "好", "允许", "允許", "可以", "同意"})
_ALWAYS = frozenset({"a", "always", "总是", "始终", "總是", "总是允许", "始终允许", "總是允許"})
_DENY = frozenset({"d", "deny", "n", "no", "否", "不", "拒绝", "拒絕", "不允许", "不允許", "不可以", "不同意"})
_VIEW = frozenset({"v", "view", "全部", "查看"})
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://([^\s/?#\\\"'<>]+)", re.IGNORECASE)


def asked(
    request: ApprovalRequest, say: Callable[[str], None], read: Callable[[str], str], columns: int, lines: int
) -> Approval:
    """Show with `say`, a line at a time, exactly what would run; `read` an answer to a question until it is one.
    `columns` and `lines` of the terminal. What was left out is shown before it can be allowed."""
    rows = rows_of(request, columns)
    question = f"{_who(request)}: may it? (Enter denies) "
    around = sum(-(-_cells(text) // columns) for text in (title(request), CHOICES + VIEW, question + AGAIN))
    folded = folded_rows(rows, lines - around)
    seen = len(folded) == len(rows)
    say(title(request))
    for row in folded:
        say(row)
    say(CHOICES + ("" if seen else VIEW))
    while True:
        answer = read(question)
        approval = approval_of(answer)
        allows = approval is not None and approval.answer != "deny"
        if answer.strip().casefold() in _VIEW or (allows and not seen):
            if allows:
                say(UNSEEN)
            for row in rows:
                say(row)
            say(f"{ALL_SEEN} · {CHOICES}")
            seen = True
        elif approval is not None:
            return approval
        else:
            say(AGAIN)


def approval_of(answer: str) -> Approval | None:
    """Nothing is a no; None for what is no answer."""
    word, _, rest = answer.strip().partition(" ")
    reason = " ".join(rest.split())
    key = word.casefold().rstrip(":,.：，。")
    if not key or key in _DENY:
        return Approval("deny", reason)
    if not reason and key in _ONCE:
        return Approval("once")
    if key in _ALWAYS and rest.casefold().split() in ([], "for exactly this".split()):
        return Approval("always")
    return None


def title(request: ApprovalRequest) -> str:
    effects = ", ".join(sorted(request.effects)) or "it does not say what it does"
    return f"? {_who(request)} ({effects}) would:"


def _who(request: ApprovalRequest) -> str:
    agent = f"the agent {_line(request.agent)}: " if request.agent else ""
    return f"{agent}{_line(request.tool)}"


def _line(name: str) -> str:
    return visible(name).replace("\n", "\\x0a").replace("\t", "\\x09")


def rows_of(request: ApprovalRequest, columns: int) -> list[str]:
    """Rows of the terminal, each behind a mark: nothing in them can pass for a line of the program, and a row that goes
    on for one that begins. Another text gives other rows, also to the eye: tabs and blanks at the end of a row show."""
    shown = visible(request.shown)
    # Where a link or `..` leads, and which name an address has on the wire, is part of what will happen.
    leads = [path for path in map(_line, request.paths) if path not in shown]
    width = max(8, columns - len(LINE) - 1)
    marked = [(LINE, line) for line in shown.split("\n")] + [(LEADS, line) for line in (*leads, *_addresses(shown))]
    rows = []
    for mark, line in marked:
        first, *others = _wrapped(line.replace("\t", TAB), width)
        rows += [mark + _closed(first), *(WRAPPED + _closed(row) for row in others)]
    return rows


def folded_rows(rows: Sequence[str], room: int) -> Sequence[str]:
    """The beginning and the end, in `room` rows of the terminal."""
    room = max(room, FEWEST_ROWS)
    if len(rows) <= room:
        return rows
    last = (room - 1) // 3
    first = room - 1 - last
    left = len(rows) - first - last
    return [*rows[:first], f"{LEFT_OUT}{left:,} more rows; v shows them all", *rows[-last:]]


def _addresses(shown: str) -> Iterator[str]:
    """Names in addresses that are not ASCII, as they are asked for: letters of other scripts look like ours."""
    for authority in dict.fromkeys(_ADDRESS.findall(shown)):
        host = re.sub(r":\d*$", "", authority.rpartition("@")[2])
        if not host.isascii():
            yield f"{host} is {_on_the_wire(host)}"


def _on_the_wire(host: str) -> str:
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:  # no name that can be asked for
        return host.encode("punycode").decode("ascii")


def _wrapped(line: str, width: int) -> list[str]:
    rows, begin, used = [], 0, 0
    for at, character in enumerate(line):
        cells = max(0, get_cwidth(character))
        if used + cells > width and at > begin:
            rows.append(line[begin:at])
            begin, used = at, 0
        used += cells
    return [*rows, line[begin:]]


def _closed(row: str) -> str:
    """A blank at the end would not be seen."""
    return row[:-1] + ROW_END if row.endswith(" ") else row


def _cells(text: str) -> int:
    return sum(max(0, get_cwidth(character)) for character in text)
