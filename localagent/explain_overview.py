"""For people: an explanation, and a whole prompt in a few lines, what each block holds and why."""

from __future__ import annotations

from collections import Counter

from localagent import bilingual_why as say
from localagent.bilingual import Language
from localagent.explain import Explanation, History
from localagent.explain_fates import quoted
from localagent.explain_prompt import Prompt
from localagent.record import IN_PROMPT

# So many of the items of a block are named.
NAMED = 3


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


def overview(prompt: Prompt, history: History) -> list[str]:
    """`history` is of the same thread."""
    budget, window = prompt.raw.get("budget"), prompt.raw.get("window")
    lines = [
        f"prompt {prompt.id} of thread {prompt.thread_id}: {prompt.tokens} of {budget} tokens (window {window})",
        _line("system", prompt, "the agent's instructions"),
        *_summary(prompt, history),
        *_recalled(prompt),
        _line("recent", prompt, _span(prompt)),
        _line("request", prompt, quoted(prompt.messages[-1].text) if prompt.messages else ""),
    ]
    if prompt.dropped_ids:
        lines.append(f"left out: {len(prompt.dropped_ids)} recent messages, for which there was no room")
    if prompt.older:
        stand_in = "the summary stands for" if prompt.summary_version else "left out:"
        lines.append(f"{stand_in} {prompt.older} messages, older than the recent ones")
    fates = Counter(trace.fate for trace in prompt.traces if trace.fate not in IN_PROMPT)
    if fates:
        told = ", ".join(f"{count} {fate}" for fate, count in fates.most_common())
        lines.append(f"looked at and not used: {told}")
    if prompt.recall_note:
        lines.append(f"memory was searched by words alone: {prompt.recall_note}")
    if prompt.shared is not None:
        lines.append(f"begins as the prompt before it for {prompt.shared} of {prompt.tokens} tokens")
    return lines


def _line(block: str, prompt: Prompt, told: str) -> str:
    return f"  {block:<9}{prompt.blocks.get(block, 0):>7} tokens" + (f": {told}" if told else "")


def _summary(prompt: Prompt, history: History) -> list[str]:
    if not prompt.summary_version:
        return []
    told = f"version {prompt.summary_version}, {len(prompt.summary)} lines"
    made = next((one for one in reversed(history.compressions) if one.version == prompt.summary_version), None)
    if made is not None:
        told += f", covers {made.messages} messages up to message {made.covers_to}, by {made.made_by}"
    if prompt.summary_dropped:
        told += f"; {len(prompt.summary_dropped)} lines found no room"
    return [_line("summary", prompt, told)]


def _recalled(prompt: Prompt) -> list[str]:
    lines = [_line("recalled", prompt, "" if prompt.quoted else "nothing")]
    for wish, name in ((True, "standing wish"), (False, "quoted")):
        items = [item for item in prompt.quoted if item.wish is wish]
        for item in items[:NAMED]:
            trace = prompt.trace_of(item.id)
            score = f"{trace.score:.2f} " if trace is not None and trace.score and not wish else ""
            lines.append(f"    {name} {score}{item.id} {quoted(item.text)}")
        if len(items) > NAMED:
            lines.append(f"    and {len(items) - NAMED} more")
    return lines


def _span(prompt: Prompt) -> str:
    ids = prompt.recent_ids
    return f"{len(ids)} messages, {ids[0]} to {ids[-1]}" if ids else "none"
