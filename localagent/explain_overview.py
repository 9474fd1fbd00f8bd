"""For people: an explanation, and a whole prompt in a few lines, what each block holds and why."""

from __future__ import annotations

from collections import Counter

from localagent import bilingual_records as records
from localagent import bilingual_why as say
from localagent.bilingual import Language, called, joined
from localagent.bilingual_shown import BLOCKS
from localagent.columns import pad
from localagent.explain import Explanation, History
from localagent.explain_fates import quoted
from localagent.explain_prompt import Prompt
from localagent.record import IN_PROMPT

# So many of the items of a block are named.
NAMED = 3
# Columns of what a block is called.
NAME = 9


def explanation_lines(found: Explanation, language: Language = "en") -> list[str]:
    """In the language in which it was explained."""
    lines = [say.HEADING(language, asked=quoted(found.asked), prompt=found.prompt_id)]
    for present, title in ((True, say.IT_IS_THERE), (False, say.IT_IS_NOT_THERE)):
        some = [finding for finding in found.findings if finding.present is present]
        if some and not present and found.present:
            title = say.BESIDE_THAT
        lines += [title(language), *(f"  {finding.words}" for finding in some)] if some else []
    lines += [say.MORE(language, count=found.more)] if found.more else []
    return [*lines, found.hint] if found.hint else lines


def overview(prompt: Prompt, history: History, language: Language = "en") -> list[str]:
    """`history` is of the same thread."""
    sizes = {"tokens": prompt.tokens, "budget": prompt.raw.get("budget"), "window": prompt.raw.get("window")}
    asked = quoted(prompt.messages[-1].text) if prompt.messages else ""
    lines = [
        records.OVERVIEW(language, id=prompt.id, thread=prompt.thread_id, **sizes),
        _line("system", prompt, records.THE_INSTRUCTIONS(language), language),
        *_summary(prompt, history, language),
        *_recalled(prompt, language),
        _line("recent", prompt, _span(prompt, language), language),
        _line("request", prompt, asked, language),
    ]
    if prompt.dropped_ids:
        lines.append(records.LEFT_OUT(language, count=len(prompt.dropped_ids)))
    if prompt.older:
        lines.append((records.SUMMARY_FOR if prompt.summary_version else records.OLDER)(language, count=prompt.older))
    fates = Counter(trace.fate for trace in prompt.traces if trace.fate not in IN_PROMPT)
    if fates:
        told = (records.OF_FATE(language, count=n, fate=_fate(fate, language)) for fate, n in fates.most_common())
        lines.append(records.LOOKED_AT(language, fates=joined(told, language)))
    if prompt.recall_note:
        lines.append(say.BY_WORDS(language, why=prompt.recall_note))
    if prompt.shared is not None:
        lines.append(records.BEGINS_AS(language, shared=prompt.shared, tokens=prompt.tokens))
    return lines


def _fate(fate: str, language: Language) -> str:
    return fate if language == "en" else called(say.FATES, fate, language)


def _line(block: str, prompt: Prompt, told: str, language: Language) -> str:
    name = pad(called(BLOCKS, block, language), NAME)
    line = records.BLOCK(language, name=name, tokens=prompt.blocks.get(block, 0))
    return records.OF_BLOCK(language, line=line, told=told) if told else line


def _summary(prompt: Prompt, history: History, language: Language) -> list[str]:
    if not prompt.summary_version:
        return []
    told = records.VERSION(language, version=prompt.summary_version, count=len(prompt.summary))
    made = next((one for one in reversed(history.compressions) if one.version == prompt.summary_version), None)
    if made is not None:
        told += records.COVERS(language, count=made.messages, last=made.covers_to, by=made.made_by)
    if prompt.summary_dropped:
        told += records.LINES_WITHOUT_ROOM(language, count=len(prompt.summary_dropped))
    return [_line("summary", prompt, told, language)]


def _recalled(prompt: Prompt, language: Language) -> list[str]:
    lines = [_line("recalled", prompt, "" if prompt.quoted else records.NOTHING(language), language)]
    for wish, name in ((True, records.STANDING_WISH), (False, records.QUOTED)):
        items = [item for item in prompt.quoted if item.wish is wish]
        for item in items[:NAMED]:
            trace = prompt.trace_of(item.id)
            score = f"{trace.score:.2f} " if trace is not None and trace.score and not wish else ""
            lines.append(f"    {name(language)} {score}{item.id} {quoted(item.text)}")
        if len(items) > NAMED:
            lines.append(records.AND_MORE(language, count=len(items) - NAMED))
    return lines


def _span(prompt: Prompt, language: Language) -> str:
    ids = prompt.recent_ids
    return records.SPAN(language, count=len(ids), first=ids[0], last=ids[-1]) if ids else records.NONE(language)
