"""What is told of memory in a conversation, in the language that the user writes: English or Chinese. Pure.

Commands, ids and the JSON of commands are the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]

_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_OTHER = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff\uf900-\ufaff]+")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
# What is asked may stand before what is spoken of: "Translate this: ...", 请翻译：...
_COLON = re.compile("[:：]")
_LEAST = 2
_YES = frozenset("y yes 是 是的 好 好的 好啊 对 对的 嗯 行 可以 确定 确认".split())


def language_of(*texts: str, otherwise: Language = "en") -> Language:
    """Of the first of these messages that has any words of its writer's own; `otherwise` if none has. A message is
    Chinese that has more Chinese characters than words of other languages; what it quotes does not count, and what
    stands before a colon decides."""
    from localagent.pasted import parts  # its patterns take a while, and a program that tells nothing needs none

    for text in texts:
        own = _QUOTED.sub(" ", "".join(part for part, pasted in parts(text) if not pasted))
        for said in (_COLON.split(own, maxsplit=1)[0], own, text):
            chinese, words = len(_CHINESE.findall(said)), len(_WORD.findall(said))
            if max(chinese, words) >= _LEAST or (said is text and chinese + words):
                return "zh" if chinese > words and not _OTHER.search(said) else "en"
    return otherwise


def language_of_most(texts: Sequence[str], otherwise: Language = "en") -> Language:
    """In which more of them are; `otherwise` if there are none."""
    chinese = sum(language_of(text) == "zh" for text in texts)
    return ("zh" if 2 * chinese > len(texts) else "en") if texts else otherwise


def language_given(*texts: str, otherwise: Language) -> Language:
    """Of what stands behind a command. One word that is not Chinese may be a name, and tells nothing."""
    telling = [text for text in texts if _CHINESE.search(text) or (otherwise == "zh" and " " in text.strip())]
    return language_of(*telling, otherwise=otherwise) if telling else otherwise


def language_of_locale(variables: Mapping[str, str]) -> Language:
    locale = next(filter(None, (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def is_yes(answer: str) -> bool:
    """Whether a question was answered with yes."""
    return answer.strip().rstrip("。.！!").lower() in _YES


@dataclass(frozen=True, slots=True)
class Phrase:
    """Both with the same names in braces."""

    english: str
    chinese: str

    def __call__(self, language: Language, /, **values: object) -> str:
        return (self.chinese if language == "zh" else self.english).format(**values)


def joined(parts: Iterable[str], language: Language) -> str:
    return ("，" if language == "zh" else ", ").join(parts)


def called(names: Mapping[str, Phrase], name: str, language: Language) -> str:
    """What another version of the program wrote has no other name."""
    return names[name](language) if name in names else name


_KINDS_ZH: Final[Mapping[str, str]] = {
    "profile": "个人情况", "preference": "偏好", "habit": "习惯", "relationship": "人际", "event": "事件",
    "persona": "角色", "style": "风格", "emotion": "感受", "opinion": "看法", "decision": "决定", "todo": "待办",
    "fact": "事实", "document": "文档",
}  # fmt: skip


def kind_name(kind: str, language: Language) -> str:
    """A kind of entry; others, which only another version knows, keep their name."""
    return _KINDS_ZH.get(kind, kind) if language == "zh" else kind


ERROR = Phrase("error: {what}", "错误：{what}")

# A message's changes, a line each.
REMEMBERED = Phrase("remembered: {what}", "记住了：{what}")
REPLACES = Phrase("; replaces: {old}", "；取代：{old}")
CORRECTS = Phrase("; both kept: it corrects a part of {old}", "；两条都保留：它更正了 {old} 的一部分")
DONE = Phrase("done: {what}", "已完成：{what}")
KNOWN = Phrase("known already: {what}", "本来就记着：{what}")
FORGOT = Phrase("forgot: {what} (put away, not deleted)", "已忘记：{what}（只是收起，没有删除）")
UNDO = Phrase("\n  undo: {command}", "\n  撤销：{command}")
KEEP_BOTH = Phrase("\n  to keep both: {command} --both", "\n  两条都保留：{command} --both")
NOT_REMEMBERED = Phrase("not remembered: '{what}' (if wrong: {add} TEXT)", "没有记：'{what}'（如果不对：{add} 内容）")
REPLACES_IT = Phrase(
    "both kept: does {new} replace {old}?\n  if so: {command}",
    "两条都保留：{new} 取代 {old} 吗？\n  如果是：{command}",
)
SAY_YES = Phrase('say "yes" (是), or {command}', "回答“是”，或者 {command}")
# Requests to forget that name no entry, or several.
NOT_EVERYTHING = Phrase(
    "nothing forgotten: a sentence is not enough to forget everything\n"
    "  one at a time: {forget} ID (which: localagent memory list; what has faded: localagent memory prune)",
    "什么都没有忘：一句话不足以忘掉所有的记忆\n"
    "  一条一条地忘：{forget} 编号（有哪些：localagent memory list；已淡忘的：localagent memory prune）",
)
NOT_RECALLED = Phrase(
    "not recalled any more: {about}, of which nothing was noted\n  undo: /undo",
    "不再回忆：{about}（没有记下过）\n  撤销：/undo",
)
NO_ENTRY_BUT_SAID = Phrase(
    "no entry is {about}; what you said of it is not recalled any more\n  undo: /undo",
    "没有哪条记忆是 {about}；您说过的有关的话不再回忆\n  撤销：/undo",
)
NOTHING_BEFORE = Phrase(
    "nothing forgotten: it is not clear what {about} means, for no message goes before it in this thread\n"
    '  say what: "forget that ...", 忘掉……',
    "什么都没有忘：不清楚 {about} 指什么，这个会话里在它之前没有消息\n  请说清楚：忘掉……",
)
IN_A_FILE = Phrase(
    "nothing forgotten: {about} stands in what was taken in of {names}, and a file is forgotten as a whole\n"
    "  to forget it: localagent memory documents --remove {file}",
    "什么都没有忘：{about} 在收入的文件 {names} 里，而文件只能整份忘掉\n"
    "  要忘掉它：localagent memory documents --remove {file}",
)
WHICH_ONE = Phrase(
    "nothing forgotten, which one is meant?{which}\n  say which: it is put away; {forget} ID: it is deleted for good",
    "还没有忘：指的是哪一条？{which}\n  说“第二个”这样的话：收起；{forget} 编号：彻底删除",
)
MANY_MORE = Phrase(
    '\n  and {more} more: "all of them" means all {all}', "\n  还有 {more} 条：说“全部”就是 {all} 条都忘掉"
)
THIS_ONE = Phrase(
    "nothing forgotten, is this one meant?{which}\n"
    '  say "yes" (是): it is put away; {forget} ID: it is deleted for good',
    "还没有忘：指的是这一条吗？{which}\n  说“是”：收起；{forget} 编号：彻底删除",
)
NO_ENTRY = Phrase(
    "nothing forgotten: no entry is clearly {about}\n  look for it: localagent memory search TEXT",
    "什么都没有忘：没有哪条记忆明确是 {about}\n  查找：localagent memory search 内容",
)
# Restoring.
PUT_AWAY_FOR_IT = Phrase("put away for it: {what}, which had replaced it", "为它收起了：{what}（那一条曾取代它）")
HOLDS_AS_A_WHOLE = Phrase("it holds as a whole, beside '{what}'", "它仍然整个有效，与 '{what}' 并存")
# What has no room in the prompt.
NO_ROOM = Phrase(
    "{id} has no room, and is in no prompt until it is shorter (localagent memory edit {id}) or "
    "memory.preference_tokens is more",
    "{id} 放不下，不在任何提示词里，除非改短（localagent memory edit {id}）或调大 memory.preference_tokens",
)
TAKES_ROOM = Phrase(
    "it takes the room of {id} '{text}', which is in no prompt now (memory.preference_tokens)",
    "它占了 {id} '{text}' 的位置，那一条现在不在任何提示词里（memory.preference_tokens）",
)
# What waits to be looked through, or had waited.
UNREAD = Phrase(
    "nothing is noted of what you say, and it waits, until this is mended: {why}",
    "您说的话暂时什么都没有记，先等着，直到修好为止：{why}",
)
READ_LATE = Phrase("looked through {count} earlier {noun} that had waited", "补看了 {count} 条等着的消息")


def read_late(language: Language, count: int) -> str:
    return READ_LATE(language, count=f"{count:,}", noun="message" if count == 1 else "messages")


# What a turn used and wrote.
USED = Phrase("{what} used", "用到 {what}")
WRITTEN = Phrase("{count} written", "记下 {count} 条")
ENTRIES = Phrase("{count} {noun}", "{count} 条记忆")
EARLIER = Phrase("{count} {noun}", "{count} 条以前的消息")
BY_WORDS_ALONE = Phrase("memory was searched by words alone: {why}", "只按字词搜索了记忆：{why}")

# What is typed after /memory and /remember.
STAYS = Phrase("stays remembered: {entry} (/memory forget ID)", "仍然记着：{entry}（/memory forget 编号）")
NOTHING_YET = Phrase("nothing is remembered yet", "还什么都没有记")
AND_MORE = Phrase("and more: localagent memory list", "还有更多：localagent memory list")
FORGET_THIS = Phrase("Forget this for good?", "彻底删除这一条吗？")
FORGET_THESE = Phrase("Forget these for good?", "彻底删除这些吗？")
NOTHING_FORGOTTEN = Phrase("nothing was forgotten", "什么都没有忘")
FORGOTTEN = Phrase("forgot {count}", "已删除 {count} 条")
MESSAGE_STAYS = Phrase(
    "the message it comes from stays in its thread; what it says of this is not recalled any more",
    "说出它的消息留在会话里；其中有关的话不再回忆",
)
ACTIVE_ALREADY = Phrase("active already: {entry}", "本来就有效：{entry}")
RESTORED = Phrase("restored: {entry}", "已恢复：{entry}")
PINNED = Phrase("pinned: {entry}", "已置顶：{entry}")
PINNED_ALREADY = Phrase("pinned already: {entry}", "本来就置顶着：{entry}")
UNPINNED = Phrase("unpinned: {entry}", "不再置顶：{entry}")
NOT_PINNED = Phrase("not pinned: {entry}", "本来就没有置顶：{entry}")
PINNED_KIND = Phrase("{kind}, pinned", "{kind}，置顶")
CORRECTED_SINCE = Phrase("in part corrected since: {quoted}", "后来更正了一部分：{quoted}")
# What the score of a hit was made of.
PARTS = Phrase(
    "vector {vector:.2f}, keyword {keyword:.2f}, retention {retention:.2f}",
    "向量 {vector:.2f}，词语 {keyword:.2f}，保留度 {retention:.2f}",
)
BY_WORDS = Phrase("searched by words alone: {why}", "只按字词搜索：{why}")
NOTHING_NEAR = Phrase("nothing is near enough", "没有足够接近的")
ONE_WAITS = Phrase("1 piece is not indexed yet; it is found by its words only", "有 1 段还没有编入索引，只能按字词找到")
SOME_WAIT = Phrase(
    "{count} pieces are not indexed yet; they are found by words only", "有 {count} 段还没有编入索引，只能按字词找到"
)
