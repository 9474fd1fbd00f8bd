"""What a request names by a side of somebody's life: "my mother's illness", 我妈的病. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from localagent.memory.entries import Memory
from localagent.sides import sides
from localagent.statements import Statement, statement

# "My mother's illness", 我妈的病: which side of a life that names.
_SIDES = (
    (r"(?:illness|disease|diagnosis|condition|sickness)|病情?|疾病|诊断", "illness"),
    (r"(?:school|college|university)|学校|大学|幼儿园", "school"),
    (r"(?:job|work|employer|company|workplace)|工作|单位|公司|职业", "work"),
    (r"(?:address|home)|住址|地址|住处", "home"),
)
_TIME = re.compile(r"(?:time|date|day|schedule|hour)s?|时间|日期|时候|日子", re.IGNORECASE)
_SIDE_OF = re.compile(
    r"^(?P<who>(?:my|our) .+?)(?:'s|s') (?P<side>[\w]+)$|^the (?P<side2>\w+) of (?P<who2>(?:my|our) .+)$"
    r"|^(?P<who3>我.{1,10}?)的?(?P<side3>病情?|疾病|诊断|时间|日期|时候|日子|学校|大学|幼儿园|工作|单位|公司|职业|住址|地址|住处)$",
    re.IGNORECASE,
)


def by_side(about: str, said: Iterable[tuple[Memory, Statement]]) -> list[Memory]:
    """Of "my mother's illness", the entries about her that tell of an illness."""
    match = _SIDE_OF.match(about)
    if match is None:
        return []
    groups = match.groupdict()
    who = groups["who"] or groups["who2"] or groups["who3"]
    side = groups["side"] or groups["side2"] or groups["side3"]
    named = statement(who).content
    told = [(memory, text) for memory, text in said if named and named <= text.content]
    if _TIME.fullmatch(side):
        return [memory for memory, text in told if text.days or text.numbers]
    which = next((name for names, name in _SIDES if re.fullmatch(names, side, re.IGNORECASE)), None)
    return [memory for memory, _ in told if which in sides(memory.text)]
