"""The report: one file that shows a thread's prompts, in a real browser without a window."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import pytest
from browser import Browser, find_browser
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_program import Here
from program import scripted
from recorded import compression, entry, long_thread, prompt_record, trace

from localagent.explain import History
from localagent.explain_prompt import read_compression, read_prompt
from localagent.report import Report, payload, turns_of, visible
from localagent.report_page import page

Records = Sequence[Mapping[str, object]]
HOSTILE = (
    "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\">"
    "<!-- <script> &lt;b&gt; \u202eabc\u202c \x1b[31m\x00\x7f \ud800 ]]> 'q' \u2028 ${1} 你好 مرحبا"
)


def report(records: Records, compressions: Records = (), title: str = "a thread") -> Report:
    history = History([read_prompt(one) for one in records], [read_compression(one) for one in compressions])
    turns, late = turns_of(history)
    return Report(title, "thread0000000001", turns, late, 2 * len(records), 0, 1_790_000_000.0)


def written(folder: Path, made: Report) -> Path:
    path = folder / "report.html"
    path.write_bytes(page(made).encode("utf-8", "replace"))
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(find_browser(), tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _as_usual(request: pytest.FixtureRequest) -> None:
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").look()


def shown(browser: Browser) -> str:
    return str(browser.value("document.getElementById('panel').dataset.turn"))


# In the browser.


def test_a_page_opens_from_the_disk_and_asks_for_nothing(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, report(*long_thread(30, told=200)))
    browser.open(path)
    assert browser.requested == [path.as_uri()] and browser.complaints == []
    assert shown(browser) == "30", "the newest prompt is shown first"
    assert browser.value("document.querySelectorAll('.bar').length") == 30
    assert browser.value("document.querySelectorAll('.fold').length") == 3
    assert browser.value("document.querySelectorAll('.line').length") == 2
    assert browser.value("document.documentElement.scrollWidth") <= 1200


def test_a_turn_is_read_by_mouse_by_keyboard_and_by_its_address(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, report(*long_thread(20)))
    browser.open(path, "#t7")
    assert shown(browser) == "7"
    browser.click('.bar[data-turn="4"]')
    assert shown(browser) == "4"
    text = browser.value("document.getElementById('panel').textContent")
    assert "Question 4: what about" in text and "We decided on port 5003" in text
    for key, expected in (("ArrowRight", "5"), ("Home", "1"), ("ArrowLeft", "1"), ("End", "20"), ("ArrowLeft", "19")):
        browser.press(key)
        assert shown(browser) == expected
        assert browser.value("document.activeElement.dataset.turn") == expected
    assert browser.value("document.querySelectorAll('.bar[tabindex=\"0\"]').length") == 1
    browser.value("document.querySelector('.bar[data-turn=\"12\"]').focus()")
    browser.press("Enter", "\r")
    assert shown(browser) == "12" and browser.value("location.hash") == "#t12"
    browser.click("#back")
    assert shown(browser) == "11"
    assert browser.value("document.querySelector('.bar[aria-current]').dataset.turn") == "11"
    assert browser.complaints == []


def test_a_compression_leads_to_what_it_did(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, report(*long_thread(9, told=200))))
    assert browser.value("document.getElementById('c1').open") is False
    browser.value("document.querySelector('.fold').focus()")
    browser.press("Enter", "\r")
    assert browser.value("location.hash") == "#c1"
    opened = "new Promise((done) => { const c = document.getElementById('c1');"
    opened += " c.open ? done(true) : c.addEventListener('toggle', () => done(c.open)); })"
    assert browser.value(opened) is True


def test_hostile_texts_stay_texts(browser: Browser, tmp_path: Path) -> None:
    memory = "1m8nf69htxhpfca1"
    record = prompt_record(
        "p1",
        {1: HOSTILE, 2: HOSTILE, 3: HOSTILE},
        instructions=HOSTILE,
        summary=[f"- fact: {' '.join(HOSTILE.split())}"],
        summary_version=1,
        recalled=[entry(memory, HOSTILE)],
        traces=[trace(memory, HOSTILE, kind=HOSTILE), trace("x", HOSTILE, fate=HOSTILE, note=HOSTILE)],
        model=HOSTILE,
        ended_by=HOSTILE,
    )
    folded = compression(1, 1, 2, added=[HOSTILE], left=[HOSTILE], made_by=HOSTILE, note=HOSTILE, created_at=1.0)
    browser.open(written(tmp_path, report([record], [folded], title=HOSTILE)))
    assert browser.complaints == [] and len(browser.requested) == 1
    assert browser.value("document.title") != "taken"
    assert browser.value("document.querySelectorAll('img, #panel script, header script').length") == 0
    requests = browser.value("[...document.querySelectorAll('.request pre')].map((e) => e.textContent)")
    assert requests == [visible(HOSTILE)]
    whole = browser.value("document.documentElement.textContent")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", whole)


def test_a_text_is_found_and_marked(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, report(*long_thread(12))))
    browser.click("#find")
    browser.type("QUESTION 3:")
    told = browser.value("document.getElementById('told').textContent")
    assert told == "in 6 of 12 prompts", "until it is summarised"
    assert browser.value("document.querySelectorAll('.bar.away').length") == 6
    browser.press("Enter", "\r")
    assert shown(browser) == "3"
    assert browser.value("[...document.querySelectorAll('mark')].map((e) => e.textContent)") == ["Question 3:"]
    browser.value("document.getElementById('find').select()")
    browser.type("第 12 个")
    assert browser.value("document.getElementById('told').textContent") == "in 1 of 12 prompts"


@pytest.mark.parametrize("turns", [1, 3, 500])
@pytest.mark.parametrize("width", [390, 1200])
def test_it_fits_the_window(browser: Browser, tmp_path: Path, turns: int, width: int) -> None:
    browser.look(width=width)
    browser.open(written(tmp_path, report(*long_thread(turns, told=20))))
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert shown(browser) == str(turns)
    in_view = "(() => { const b = document.querySelector('.bar[aria-current] .hit').getBoundingClientRect();"
    in_view += " const s = document.querySelector('.scroll').getBoundingClientRect();"
    assert browser.value(in_view + " return b.left >= s.left - 1 && b.right <= s.right + 1; })()"), "the newest bar"


def test_light_dark_and_paper(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, report(*long_thread(5))))
    colours = []
    for scheme in ("light", "dark"):
        browser.look(scheme=scheme)
        colours.append(browser.value("getComputedStyle(document.body).backgroundColor"))
        fills = browser.value("[...document.querySelectorAll('.legend rect')].map((e) => getComputedStyle(e).fill)")
        assert len(set(fills)) == len(fills) >= 6
    assert colours[0] != colours[1]
    browser.look(media="print")
    assert browser.value("getComputedStyle(document.querySelector('.search')).display") == "none"
    assert browser.value("getComputedStyle(document.getElementById('panel')).display") == "block"


def test_it_can_be_heard(browser: Browser, tmp_path: Path) -> None:
    """What a screen reader is told: names of links and regions, headings in order, tables with headings."""
    browser.open(written(tmp_path, report(*long_thread(9))))
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    named: dict[str, list[str]] = {}
    for node in nodes:
        role = node.get("role", {}).get("value", "")
        named.setdefault(role, []).append(node.get("name", {}).get("value", ""))
    links = [name for name in named["link"] if name.startswith("Turn ")]
    assert len(links) == 9 and "tokens" in links[0] and "instructions" in links[0] and "ended by" in links[0]
    assert any(name.startswith("Compression: version 1") for name in named["link"])
    assert "Tokens by block" in named["table"] and "What memory found" in named["table"]
    assert "Find in the prompts" in named["searchbox"]
    assert all(named["button"]) and "Legend" in named["list"]
    levels = browser.value("[...document.querySelectorAll('h1, h2, h3')].map((e) => Number(e.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1


def test_what_the_log_does_not_tell_is_left_out(browser: Browser, tmp_path: Path) -> None:
    old = prompt_record("p1", {1: "Hello"}, ended_by=None)
    for name in ("recall", "recall_note", "shared", "summary_version", "summary_dropped"):
        del old[name]
    bare = {**prompt_record("p2", {1: "Hello", 2: "Hi", 3: "And?"}), "request": {}, "blocks": [], "outcome": {}}
    browser.open(written(tmp_path, report([old, bare])))
    assert browser.complaints == [] and shown(browser) == "2"
    browser.press("Tab")
    browser.click('.bar[data-turn="1"]')
    assert "never ended" in browser.value("document.getElementById('panel').textContent")


def test_a_thread_without_records_says_so(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, report([])))
    assert "none of its prompts was recorded" in browser.value("document.body.textContent")
    assert browser.complaints == []


# The file itself.


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_whatever_is_said_the_file_holds_two_scripts_that_its_policy_allows(title: str, said: str) -> None:
    text = page(report([prompt_record("p1", {1: said})], title=title))
    assert text.encode("utf-8")
    scripts = re.findall(r"<script(?: type=\"application/json\" id=\"data\")?>(.*?)</script>", text, re.DOTALL)
    assert text.count("<script") == text.count("</script>") == len(scripts) == 2
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None and "default-src 'none'" in policy[1]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    for allowed in (scripts[1], style[1]):
        assert base64.b64encode(hashlib.sha256(allowed.encode()).digest()).decode() in policy[1]
    assert json.loads(scripts[0])["texts"][-1] == visible(said)


def test_the_file_names_nothing_outside_itself() -> None:
    text = page(report(*long_thread(10)))
    assert not re.search(r"https?:|\ssrc=|@import|<link|url\((?!#)", text)
    assert not re.search(r"\sstyle=|\son\w+=", text), "its policy would not allow these"


def test_each_text_is_written_once() -> None:
    few, many = (len(page(report(*long_thread(turns)))) for turns in (50, 200))
    assert many < 5 * few
    given = payload(report(*long_thread(40)))
    texts = given["texts"]
    assert isinstance(texts, list) and len(set(texts)) == len(texts)


def test_the_palette_can_be_told_from_the_page_in_both_themes() -> None:
    css = files("localagent").joinpath("report.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in css.split("@media", 2)[:2])
    for theme in (light, dark):
        for name in ("system", "summary", "recalled", "recent", "request", "cache", "bad", "focus"):
            assert _contrast(theme[name], theme["card"]) >= 3, name
        for name in ("ink", "soft"):
            assert min(_contrast(theme[name], theme[behind]) for behind in ("card", "page")) >= 4.5, name


def _contrast(one: str, other: str) -> float:
    """Of two colours, as WCAG 2 defines it."""
    lighter, darker = sorted(map(_luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# The command.


@pytest.fixture
def talking(tmp_path: Path) -> Here:
    return Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['the answer, 答案。']}"))


def test_the_command_writes_a_private_file_and_replaces_only_its_own(talking: Here, tmp_path: Path) -> None:
    for text in ("Please keep answers under 200 words.", "我们决定用 PostgreSQL 16。"):
        assert talking("ask", "--thread", "plan A/B", text).code == 0
    done = talking("report", "plan A/B")
    path = tmp_path / "localagent-plan-A-B.html"
    assert done.code == 0 and f"wrote {path}: 2 prompts" in done.err and done.out == ""
    assert path.stat().st_mode & 0o077 == 0
    assert "我们决定用 PostgreSQL 16。" in path.read_text(encoding="utf-8")
    assert talking("report", "plan A/B", "--output", str(path)).code == 0
    other = tmp_path / "mine.html"
    other.write_text("<p>mine", encoding="utf-8")
    refused = talking("report", "plan A/B", "-o", "mine.html")
    assert refused.code == 2 and "exists already" in refused.err and other.read_text() == "<p>mine"
    assert talking("report", "nothing").code == 2
    assert talking("report", "plan A/B", "-o", "no/such/folder.html").code not in (0, 1)


def test_a_thread_whose_prompts_are_not_recorded_gets_a_page_that_says_so(talking: Here, tmp_path: Path) -> None:
    assert talking("ask", "--thread", "quiet", "--no-log", "Hello").code == 0
    done = talking("report", "quiet", "-o", "quiet.html")
    assert done.code == 0 and "no prompts of this thread are recorded" in done.err
    assert "none of its prompts was recorded" in (tmp_path / "quiet.html").read_text(encoding="utf-8")
