"""The report's picture: a stacked bar for each prompt, the cache share below it, compressions between them. SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from localagent.explain_prompt import BLOCKS
from localagent.record import IN_PROMPT
from localagent.report import NAMES, Turn, cache_words, compression_words, visible

# Pixels.
TOP = 26
HEIGHT = 240
GAP = 30
STRIP = 44
BOTTOM = 24
FULL = TOP + HEIGHT + GAP + STRIP + BOTTOM
WIDEST = 928
NARROWEST_PITCH = 8.0
WIDEST_PITCH = 88.0
LEAST_WIDTH = 280.0
LABEL_EVERY = 640
AXIS = 58
# Where the longest prompt takes less of the window than this, the bars are drawn larger, and the window lies above.
LEAST_FILL = 0.25
# Ends that are no fault.
WELL = ("stop", "")


@dataclass(frozen=True, slots=True)
class Scale:
    """`top` tokens are as high as the picture; `pitch` pixels from bar to bar."""

    top: int
    step: int
    pitch: float

    def y(self, tokens: float) -> float:
        return TOP + HEIGHT * (1 - min(tokens, self.top) / self.top)

    @property
    def bar(self) -> float:
        return max(5.0, min(self.pitch * 0.74, 48.0))


def scale_of(turns: Sequence[Turn]) -> Scale:
    longest = max((turn.prompt.tokens for turn in turns), default=0)
    window = max((turn.window for turn in turns), default=0)
    most = window if longest >= LEAST_FILL * window else int(longest * 1.25)
    step = _round_step(most / 5)
    return Scale(max(most, longest, 4), step, max(NARROWEST_PITCH, min(WIDEST_PITCH, WIDEST / max(1, len(turns)))))


def _round_step(least: float) -> int:
    size = 1
    while True:
        for factor in (1, 2, 5):
            if factor * size >= least:
                return factor * size
        size *= 10


def axis(scale: Scale) -> str:
    """The scale at the left, which stays where it is when the bars are scrolled."""
    marks = [
        f'<text x="{AXIS - 8}" y="{scale.y(value) + 4:.1f}" class="tick end">{value:,}</text>'
        for value in _ticks(scale)
    ]
    base = TOP + HEIGHT + GAP
    marks += [
        f'<text x="{AXIS - 8}" y="{base + 9}" class="tick end">100%</text>',
        f'<text x="{AXIS - 8}" y="{base + STRIP}" class="tick end">0</text>',
        f'<text x="{AXIS - 8}" y="{base - 10}" class="tick end strong">cache</text>',
        f'<text x="{AXIS - 8}" y="{TOP - 12}" class="tick end strong">tokens</text>',
    ]
    return f'<svg class="axis" width="{AXIS}" height="{FULL}" aria-hidden="true">{"".join(marks)}</svg>'


def chart(turns: Sequence[Turn], scale: Scale) -> str:
    """The bars. Each is a link to `#t` and its number, and says what it shows."""
    width = max(scale.pitch * len(turns) + 14, LEAST_WIDTH)
    drawn = [
        *_grid(scale, width),
        *(part for at, turn in enumerate(turns) for part in _bar(turn, at, scale)),
        *_limits(turns, scale),
        *(part for at, turn in enumerate(turns) for part in _compressions(turn, at, scale)),
        *_numbers(turns, scale),
    ]
    size = f'width="{width:.0f}" height="{FULL}" viewBox="0 0 {width:.0f} {FULL}"'
    return f'<svg id="chart" {size} role="group" aria-label="Tokens of each prompt by block">{"".join(drawn)}</svg>'


def _ticks(scale: Scale) -> range:
    return range(0, scale.top + 1, scale.step)


def _grid(scale: Scale, width: float) -> Iterator[str]:
    for value in _ticks(scale):
        y = f"{scale.y(value):.1f}"
        yield f'<line class="grid" x1="0" x2="{width:.0f}" y1="{y}" y2="{y}"/>'
    base = TOP + HEIGHT + GAP
    for line in (base, base + STRIP):
        yield f'<line class="grid" x1="0" x2="{width:.0f}" y1="{line}" y2="{line}"/>'


def _bar(turn: Turn, at: int, scale: Scale) -> Iterator[str]:
    left = at * scale.pitch + (scale.pitch - scale.bar) / 2
    label = escape(_label(turn))
    slot = f'x="{at * scale.pitch:.1f}" width="{scale.pitch:.1f}"'
    yield f'<a href="#t{turn.number}" class="bar" data-turn="{turn.number}" aria-label="{label}"><title>{label}</title>'
    yield f'<rect class="hit" {slot} y="{TOP}" height="{FULL - TOP}"/>'
    tokens = 0
    for name in BLOCKS:
        count = turn.prompt.blocks.get(name, 0)
        if count > 0:
            y, bottom = scale.y(tokens + count), scale.y(tokens)
            # The background shows between two blocks, where there is room for it.
            height = max(bottom - y - (1 if bottom - y > 3 else 0), 0.4)
            yield _rect(f"b-{name}", left, y, scale.bar, height)
            tokens += count
    if turn.ended_by not in WELL or not turn.ended_by:
        yield _fault(left + scale.bar / 2, scale.y(tokens) - 8)
    base = TOP + HEIGHT + GAP
    if turn.cache is not None:
        height = STRIP * turn.cache
        yield _rect("cache" if turn.counted else "cache reckoned", left, base + STRIP - height, scale.bar, height)
    yield "</a>"


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _fault(x: float, y: float) -> str:
    """A diamond over a bar whose call did not end with `stop`."""
    return f'<path class="fault" d="M{x:.1f} {y - 5:.1f}l5 5-5 5-5-5z"/>'


def _label(turn: Turn) -> str:
    blocks = [f"{NAMES[name]} {turn.prompt.blocks[name]:,}" for name in BLOCKS if turn.prompt.blocks.get(name)]
    used = sum(1 for trace in turn.prompt.traces if trace.fate in IN_PROMPT)
    told = [
        f"Turn {turn.number}: {turn.prompt.tokens:,} of {turn.budget:,} tokens",
        ", ".join(blocks),
        f"cache {cache_words(turn)}" if turn.cache is not None else "",
        f"{used} recalled" if used else "",
        f"ended by {turn.ended_by}" if turn.ended_by else "no outcome recorded",
    ]
    return visible("; ".join(part for part in told if part))


def _limits(turns: Sequence[Turn], scale: Scale) -> Iterator[str]:
    """The window and the budget, a step where they change; where they are off the scale, the window's name alone."""
    yield from _limit("window", [turn.window for turn in turns], scale)
    yield from _limit("budget", [turn.budget for turn in turns], scale)


def _limit(name: str, values: Sequence[int], scale: Scale) -> Iterator[str]:
    if max(values, default=0) > scale.top:
        if name == "window":
            yield f'<text class="limit" x="2" y="{TOP - 12}">{name} {values[0]:,}, above the scale \u2191</text>'
        return
    path = ""
    for at, tokens in enumerate(values):
        y = scale.y(tokens)
        path += f"{'L' if path else 'M'}{at * scale.pitch:.1f} {y:.1f}H{(at + 1) * scale.pitch:.1f}"
    if path:
        yield f'<path class="line {name}" d="{path}"/>'
        # Repeated, so that one of them is seen wherever the bars are scrolled to.
        for at in range(0, len(values), max(1, int(LABEL_EVERY / scale.pitch))):
            x, y = at * scale.pitch + 2, scale.y(values[at]) - 4
            yield f'<text class="limit" x="{x:.1f}" y="{y:.1f}">{name} {values[at]:,}</text>'


def _compressions(turn: Turn, at: int, scale: Scale) -> Iterator[str]:
    if not turn.compressions:
        return
    x = at * scale.pitch
    label = escape(visible("Compression: " + "; ".join(compression_words(one) for one in turn.compressions)))
    bottom = TOP + HEIGHT
    yield f'<a href="#c{turn.compressions[-1].version}" class="fold" aria-label="{label}"><title>{label}</title>'
    yield f'<path class="foldline" d="M{x:.1f} {TOP}V{bottom}"/>'
    yield f'<path class="foldmark" d="M{x - 6:.1f} {bottom + 12}l6 -10l6 10z"/></a>'


def _numbers(turns: Sequence[Turn], scale: Scale) -> Iterator[str]:
    every = max(1, _round_step(30 / scale.pitch))
    for at, turn in enumerate(turns):
        if at == 0 or turn.number % every == 0:
            x = (at + 0.5) * scale.pitch
            yield f'<text class="tick middle" x="{x:.1f}" y="{FULL - 6}">{turn.number}</text>'
