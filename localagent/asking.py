"""What a person is shown before a tool may run, and what they may answer. Both the conversation and `ask` use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.utils import get_cwidth

from localagent.calls import Approval, ApprovalRequest, visible

# Rows of the terminal: as many at the beginning and at the end; what lies between is shown when it is asked for.
FIRST_ROWS = 14
LAST_ROWS = 6
BAR = "│ "
TAB = "    "
CHOICES = "[o]nce · [a]lways for exactly this · [d]eny, with a reason if you like"
VIEW = " · [v]iew all"
QUESTION = "may it? (Enter denies) "
AGAIN = "answer o, a, or d; as in: d not this file"

_ONCE = frozenset({"o", "once", "y", "yes", "一次", "是", "好"})
_ALWAYS = frozenset({"a", "always", "总是", "始终", "總是"})
_DENY = frozenset({"d", "deny", "n", "no", "否", "不", "拒绝", "拒絕"})
_VIEW = frozenset({"v", "view", "全部", "查看"})


def asked(request: ApprovalRequest, say: Callable[[str], None], read: Callable[[], str], columns: int) -> Approval:
    """Show with `say`, a line at a time, exactly what would run; `read` an answer until it is one. `columns` of the
    terminal."""
    rows = rows_of(request, columns)
    folded = folded_rows(rows)
    say(title(request))
    for row in folded:
        say(row)
    say(CHOICES + (VIEW if len(folded) < len(rows) else ""))
    while True:
        answer = read()
        if answer.strip().casefold() in _VIEW:
            for row in rows:
                say(row)
            continue
        approval = approval_of(answer)
        if approval is not None:
            return approval
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
    agent = f"the agent {visible(request.agent)}: " if request.agent else ""
    return f"? {agent}{visible(request.tool)} ({effects}) would:"


def rows_of(request: ApprovalRequest, columns: int) -> list[str]:
    """Rows of the terminal, each behind a bar: nothing in them can pass for a line of the program."""
    shown = visible(request.shown)
    # Where a link or `..` leads is part of what will happen.
    leads = [f"→ {path}" for path in map(visible, request.paths) if path not in shown]
    width = max(8, columns - len(BAR) - 1)
    lines = [*shown.split("\n"), *leads]
    return [BAR + row for line in lines for row in _wrapped(line.replace("\t", TAB), width)]


def folded_rows(rows: Sequence[str]) -> Sequence[str]:
    left = len(rows) - FIRST_ROWS - LAST_ROWS
    if left < 2:
        return rows
    return [*rows[:FIRST_ROWS], f"┆ … {left:,} more rows; v shows them all …", *rows[-LAST_ROWS:]]


def _wrapped(line: str, width: int) -> list[str]:
    rows, begin, used = [], 0, 0
    for at, character in enumerate(line):
        cells = max(0, get_cwidth(character))
        if used + cells > width and at > begin:
            rows.append(line[begin:at])
            begin, used = at, 0
        used += cells
    return [*rows, line[begin:]]
