"""What a person is shown before a tool may run, and what they may answer. Both the conversation and `ask` use it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from prompt_toolkit.utils import get_cwidth

from localagent import bilingual_talk as told
from localagent.bilingual import Language, called
from localagent.calls import ROW_END, TAB_MARK, Approval, ApprovalRequest, visible

# In the first column stands what a row is; what is shown stands behind it and can pass for none of these.
LINE = "│ "  # a line begins
WRAPPED = "↪ "  # the line above goes on
LEADS = "→ "  # where something leads
LEFT_OUT = "┄ "
TAB = TAB_MARK + "   "
# The rows between the beginning and the end are shown when it is asked for; so many are seen on the smallest screen.
FEWEST_ROWS = 5

_ONCE = frozenset({"o", "once", "y", "yes", "一次", "是", "好", "允许", "允許", "可以", "同意"})
_ALWAYS = frozenset({"a", "always", "总是", "始终", "總是", "总是允许", "始终允许", "總是允許", "总是允许完全相同的"})
_DENY = frozenset({"d", "deny", "n", "no", "否", "不", "拒绝", "拒絕", "不允许", "不允許", "不可以", "不同意"})
_VIEW = frozenset({"v", "view", "全部", "查看", "查看全部"})
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://([^\s/?#\\\"'<>]+)", re.IGNORECASE)


def asked(
    request: ApprovalRequest,
    say: Callable[[str], None],
    read: Callable[[str], str],
    columns: int,
    lines: int,
    language: Language = "en",
) -> Approval:
    """Show with `say`, a line at a time, exactly what would run; `read` an answer to a question until it is one.
    `columns` and `lines` of the terminal. What was left out is shown before it can be allowed."""
    rows = rows_of(request, columns, language)
    head, choices, view = title(request, language), told.CHOICES(language), told.VIEW(language)
    question, again = told.MAY_IT(language, who=_who(request, language)), told.AGAIN(language)
    around = sum(-(-_cells(text) // columns) for text in (head, choices + view, question + again))
    folded = folded_rows(rows, lines - around, language)
    seen = len(folded) == len(rows)
    say(head)
    for row in folded:
        say(row)
    say(choices + ("" if seen else view))
    while True:
        answer = read(question)
        approval = approval_of(answer)
        allows = approval is not None and approval.answer != "deny"
        if answer.strip().casefold() in _VIEW or (allows and not seen):
            if allows:
                say(told.UNSEEN(language))
            for row in rows:
                say(row)
            say(f"{told.ALL_SEEN(language)} · {choices}")
            seen = True
        elif approval is not None:
            return approval
        else:
            say(again)


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


def title(request: ApprovalRequest, language: Language = "en") -> str:
    effects = effects_of(request.effects, language) or told.UNSAID(language)
    return told.WOULD(language, who=_who(request, language), effects=effects)


def effects_of(effects: Iterable[str], language: Language) -> str:
    """What a tool does to the world, in one text."""
    names = (called(told.EFFECTS, effect, language) for effect in sorted(effects))
    return ("、" if language == "zh" else ", ").join(names)


def _who(request: ApprovalRequest, language: Language) -> str:
    tool = _line(request.tool)
    return told.OF_AGENT(language, agent=_line(request.agent), tool=tool) if request.agent else tool


def _line(name: str) -> str:
    return visible(name).replace("\n", "\\x0a").replace("\t", "\\x09")


def rows_of(request: ApprovalRequest, columns: int, language: Language = "en") -> list[str]:
    """Rows of the terminal, each behind a mark: nothing in them can pass for a line of the program, and a row that goes
    on for one that begins. Another text gives other rows, also to the eye: tabs and blanks at the end of a row show."""
    shown = visible(request.shown)
    # Where a link or `..` leads, and which name an address has on the wire, is part of what will happen.
    leads = [path for path in map(_line, request.paths) if path not in shown]
    width = max(8, columns - len(LINE) - 1)
    marked = [(LINE, line) for line in shown.split("\n")] + [
        (LEADS, line) for line in (*leads, *_addresses(shown, language))
    ]
    rows = []
    for mark, line in marked:
        first, *others = _wrapped(line.replace("\t", TAB), width)
        rows += [mark + _closed(first), *(WRAPPED + _closed(row) for row in others)]
    return rows


def folded_rows(rows: Sequence[str], room: int, language: Language = "en") -> Sequence[str]:
    """The beginning and the end, in `room` rows of the terminal."""
    room = max(room, FEWEST_ROWS)
    if len(rows) <= room:
        return rows
    last = (room - 1) // 3
    first = room - 1 - last
    left = len(rows) - first - last
    return [*rows[:first], LEFT_OUT + told.MORE_ROWS(language, count=left), *rows[-last:]]


def _addresses(shown: str, language: Language) -> Iterator[str]:
    """Names in addresses that are not ASCII, as they are asked for: letters of other scripts look like ours."""
    for authority in dict.fromkeys(_ADDRESS.findall(shown)):
        host = re.sub(r":\d*$", "", authority.rpartition("@")[2])
        if not host.isascii():
            yield told.ON_THE_WIRE(language, host=host, name=_on_the_wire(host))


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
