"""The report as one HTML file: no network, nothing outside it, and texts that are never anything but text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from localagent.record import CompressionRecord
from localagent.render_memory import moment
from localagent.report import (
    NAMES,
    Report,
    Turn,
    cache_words,
    compression_words,
    payload,
    visible,
)
from localagent.report_chart import axis, chart, scale_of

# What a file of ours begins with: one that does may be replaced by a newer one.
BEGINNING = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="generator" content="localagent report">'
)

_PATTERNS = (
    '<svg class="hidden" aria-hidden="true" width="0" height="0"><defs>'
    '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="p-summary" width="5" height="5"/><rect class="p-mark" width="1" height="5" opacity=".45"/></pattern>'
    '<pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<rect class="p-recalled" width="5" height="5"/>'
    '<circle class="p-mark" cx="2.5" cy="2.5" r=".9" opacity=".6"/></pattern>'
    "</defs></svg>"
)


def page(report: Report) -> str:
    """The whole file. Lone surrogates and control characters are gone: it can be written as UTF-8."""
    style, script = _resource("report.css"), _resource("report.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    title = _text(report.title)
    return "\n".join(
        (
            BEGINNING,
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{title} - localagent report</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            _PATTERNS,
            *_header(report, title),
            "<main>",
            *(_body(report) if report.turns else _empty(report)),
            f"<footer>Made by localagent on {moment(report.made_at)} from the recorded prompts. "
            "This file needs no network and tells nobody anything; it holds what was said.</footer>",
            "</main>",
            *(_scripts(report, script) if report.turns else ()),
            "</body>",
            "</html>",
            "",
        )
    )


def _header(report: Report, title: str) -> Iterator[str]:
    yield f'<header><h1 dir="auto">{title}</h1>'
    if report.turns:
        first, last = (moment(turn.prompt.created_at) for turn in (report.turns[0], report.turns[-1]))
        models = dict.fromkeys(str(turn.prompt.raw.get("model")) for turn in report.turns)
        span = first if first == last else f"{first} to {last}"
        yield f'<div class="soft">{_text(", ".join(models))} · {span} · thread {_text(report.thread_id)}</div>'
    else:
        yield f'<div class="soft">thread {_text(report.thread_id)}</div>'
    if report.damaged:
        yield f'<p class="notice">{report.damaged} lines of the prompt record cannot be read and are left out.</p>'
    yield "</header>"


def _empty(report: Report) -> Iterator[str]:
    yield (
        '<section class="card"><h2>No prompts are recorded</h2>'
        f"<p>This thread has {report.messages} messages, and none of its prompts was recorded: "
        "<code>log_prompts</code> was false, or <code>--no-log</code> was given.</p></section>"
    )


def _body(report: Report) -> Iterator[str]:
    scale = scale_of(report.turns)
    yield _figures(report)
    yield (
        '<section class="card" aria-labelledby="bars"><div class="bar-top"><h2 id="bars">Tokens of each prompt</h2>'
        '<div class="search" role="search"><label for="find">Find in the prompts</label>'
        '<input id="find" type="search" autocomplete="off" spellcheck="false">'
        '<span id="told" class="soft" role="status"></span></div></div>'
    )
    yield _legend(report)
    yield (
        f'<div class="plot">{axis(scale)}<div class="scroll" role="region" aria-label="Bars, one for each prompt" '
        f'tabindex="-1">{chart(report.turns, scale)}</div></div>'
        '<p class="soft">Click a bar to read its prompt; with the keyboard: arrows, Home and End.</p></section>'
    )
    yield (
        '<section class="card" aria-labelledby="turn"><div class="bar-top"><div><h2 id="turn" aria-live="polite"></h2>'
        '<div id="when" class="soft"></div></div><div class="steps"><button id="back" type="button">Earlier</button> '
        '<button id="on" type="button">Later</button></div></div><div id="panel"></div>'
        "<noscript><p>To read the prompts here, scripts must be allowed for this file.</p></noscript></section>"
    )
    if report.compressions:
        yield from _compressions(report.compressions)
    yield from _table(report.turns)


def _figures(report: Report) -> str:
    turns = report.turns
    tokens = [turn.prompt.tokens for turn in turns]
    shares = [(turn.cache, turn.prompt.tokens) for turn in turns if turn.cache is not None]
    cached = sum(share * count for share, count in shares) / max(1, sum(count for _, count in shares))
    used = sum(trace.fate == "used" for turn in turns for trace in turn.prompt.traces)
    folded = report.compressions
    rows = [
        ("prompts", f"{len(turns):,}", f"{report.messages:,} messages in the thread" if report.messages else ""),
        ("average prompt", f"{sum(tokens) / len(tokens):,.0f}", "tokens"),
        ("largest prompt", f"{max(tokens):,}", f"of {turns[tokens.index(max(tokens))].budget:,} allowed"),
        ("from the cache", f"{cached:.0%}" if shares else "-", "of the tokens read" if shares else "nothing known"),
        (
            "compressions",
            f"{len(folded)}",
            f"{sum(one.message_tokens for one in folded):,} tokens of messages, now {folded[-1].tokens_after:,}"
            if folded
            else "none was due",
        ),
        ("recalled", f"{used:,}", "entries and passages"),
    ]
    cells = (f"<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>" for name, value, note in rows)
    return f'<dl class="figures">{"".join(cells)}</dl>'


_CACHE = '<rect class="cache" width="12" height="12"/>'
_RECKONED = '<rect class="cache reckoned" x=".5" y=".5" width="11" height="11"/>'
_FOLD = '<path class="foldmark" d="M0 11l6-10l6 10z"/>'
_FAULT = '<path class="fault" d="M6 1l5 5-5 5-5-5z"/>'


def _legend(report: Report) -> str:
    turns = report.turns
    shown = [
        *((_swatch(name), words) for name, words in NAMES.items()),
        (_drawn(_CACHE), "share read from the cache") if any(turn.counted for turn in turns) else None,
        (_drawn(_RECKONED), "share that begins as the prompt before")
        if any(turn.cache is not None and not turn.counted for turn in turns)
        else None,
        (_drawn(_FOLD), "compression") if any(turn.compressions for turn in turns) else None,
        (_drawn(_FAULT), "not ended by stop") if any(turn.ended_by != "stop" for turn in turns) else None,
    ]
    items = "".join(f"<li>{one[0]}{one[1]}</li>" for one in shown if one is not None)
    return f'<ul class="legend" aria-label="Legend">{items}</ul>'


def _swatch(name: str) -> str:
    return _drawn(f'<rect class="b-{name}" width="12" height="12" rx="2"/>', f' data-swatch="{name}"')


def _drawn(shape: str, attributes: str = "") -> str:
    return f'<svg class="swatch" width="12" height="12" aria-hidden="true"{attributes}>{shape}</svg>'


def _compressions(compressions: Sequence[CompressionRecord]) -> Iterator[str]:
    yield '<section class="card"><h2>Compressions</h2>'
    for one in compressions:
        yield (
            f'<details id="c{one.version}"><summary>Version {one.version}, {moment(one.created_at)}</summary>'
            f"<p>{_text(compression_words(one))}.</p>"
        )
        if one.note:
            yield f'<p class="notice">{_text(one.note)}</p>'
        for title, lines in (("added", one.added), ("left", one.left)):
            if lines:
                items = "".join(f'<li dir="auto">{_text(line.removeprefix("- "))}</li>' for line in lines)
                yield f'<h3>{title}</h3><ul class="lines">{items}</ul>'
        yield "</details>"
    yield "</section>"


def _table(turns: Sequence[Turn]) -> Iterator[str]:
    heads = ["turn", "when", "tokens", *NAMES.values(), "cache", "ended by", "seconds"]
    marked = {"turn", "tokens", "cache", "seconds", *NAMES.values()}
    cells = "".join(f'<th scope="col"{_number(head in marked)}>{head}</th>' for head in heads)
    yield (
        '<section class="card"><details><summary>All turns as a table</summary><div class="wide"><table>'
        f"<caption class=hidden>All turns</caption><thead><tr>{cells}</tr></thead><tbody>"
    )
    for turn in turns:
        total = turn.outcome.get("total_s")
        row = [
            (f'<a href="#t{turn.number}">{turn.number}</a>', True),
            (moment(turn.prompt.created_at), False),
            (f"{turn.prompt.tokens:,}", True),
            *((f"{turn.prompt.blocks.get(name, 0):,}", True) for name in NAMES),
            (
                f'<span title="{_text(cache_words(turn))}">{turn.cache:.0%}</span>' if turn.cache is not None else "-",
                True,
            ),
            (_text(turn.ended_by or "never ended"), False),
            (f"{total:.1f}" if isinstance(total, int | float) else "-", True),
        ]
        yield f"<tr>{''.join(f'<td{_number(figure)}>{value}</td>' for value, figure in row)}</tr>"
    yield "</tbody></table></div></details></section>"


def _number(figure: bool) -> str:
    return ' class="number"' if figure else ""


def _scripts(report: Report, script: str) -> Iterator[str]:
    # `<` alone could end the element; everything else is data.
    data = json.dumps(payload(report), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script type="application/json" id="data">{data}</script>'
    yield f"<script>{script}</script>"


def _resource(name: str) -> str:
    return files("localagent").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Of an inline style or script, as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _text(text: str) -> str:
    return escape(visible(" ".join(text.split())))
