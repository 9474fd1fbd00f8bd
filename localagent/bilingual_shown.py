"""What commands show of memory, of the context and of the summary, in the language that the user writes. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from localagent.bilingual import Language, Phrase

# How long ago: seconds, the longest first. A month is 30 days here.
SPANS: Final = (
    (31_536_000, Phrase("{count} {noun}", "{count} 年"), "year"),
    (2_592_000, Phrase("{count} {noun}", "{count} 个月"), "month"),
    (604_800, Phrase("{count} {noun}", "{count} 周"), "week"),
    (86_400, Phrase("{count} {noun}", "{count} 天"), "day"),
    (3600, Phrase("{count} {noun}", "{count} 小时"), "hour"),
    (60, Phrase("{count} {noun}", "{count} 分钟"), "minute"),
)
AGO = Phrase("{span} ago", "{span}前")
AHEAD = Phrase("in {span}", "{span}后")
JUST_NOW = Phrase("just now", "刚刚")
NEVER = Phrase("never", "从未")
ONCE = Phrase("once", "1 次")
TIMES = Phrase("{count} times", "{count} 次")
NONE = Phrase("none", "无")
NOW = Phrase("now", "现在")

# An entry.
STATES: Final[Mapping[str, Phrase]] = {
    "active": Phrase("active", "有效"),
    "superseded": Phrase("superseded", "已被取代"),
    "archived": Phrase("archived", "已归档"),
}
WHOSE: Final[Mapping[str, Phrase]] = {
    "user": Phrase("you", "您"),
    "assistant": Phrase("the assistant", "助手"),
    "tool": Phrase("a tool", "工具"),
    "file": Phrase("a file", "文件"),
    "recalled": Phrase("memory", "记忆"),
    "pasted": Phrase("pasted by you", "您粘贴的"),
    "stdin": Phrase("piped in by you", "您用管道传入的"),
}
ROWS: Final[Mapping[str, Phrase]] = {
    "entry": Phrase("entry", "编号"),
    "kind": Phrase("kind", "种类"),
    "state": Phrase("state", "状态"),
    "scope": Phrase("scope", "范围"),
    "from": Phrase("from", "来源"),
    "evidence": Phrase("evidence", "原话"),
    "written": Phrase("written", "写于"),
    "holds": Phrase("holds", "有效"),
    "held": Phrase("held", "曾有效"),
    "due": Phrase("due", "到期"),
    "used": Phrase("used", "用过"),
    "with others": Phrase("with others", "一起用过"),
    "importance": Phrase("importance", "重要性"),
    "retention": Phrase("retention", "保留度"),
}
MESSAGE = Phrase("message", "消息")
MESSAGE_NUMBER = Phrase("message {id}", "消息 {id}")
THREAD = Phrase("thread {name}", "会话 {name}")
NO_THREAD = Phrase("in a thread that is not here (any more)", "在一个不在这里的会话里")
IN_STATE = Phrase("{kind} ({state})", "{kind}（{state}）")
OF_ASSISTANT = Phrase("{kind}, about the assistant", "{kind}，关于助手")
PINNED_STATE = Phrase("{state}, pinned", "{state}，置顶")
EVERYWHERE = Phrase("everywhere", "所有智能体")
OF_AGENT = Phrase("agent {name}", "智能体 {name}")
OF_THIS_AGENT = Phrase("this agent", "这个智能体")
WRITTEN = Phrase("{moment} ({age})", "{moment}（{age}）")
HOLDS = Phrase("since {moment}", "自 {moment} 起")
HELD = Phrase("{since} to {until}", "{since} 到 {until}")
USED_LAST = Phrase("{times}, last {age}", "{times}，最近一次是{age}")
SAID_AGAIN = Phrase("; said again {found}", "；又说过 {found}")
STANDING: Final[Mapping[str, Phrase]] = {
    "all": Phrase("in every prompt that has room for it", "在每个放得下的提示词里"),
    "agent": Phrase("in every prompt of this agent that has room for it", "在这个智能体每个放得下的提示词里"),
    "thread": Phrase("in every prompt of this thread that has room for it", "在这个会话每个放得下的提示词里"),
}
FADES = Phrase(
    "{importance:.2f} of 1, fades by {rate:g} a day{feeling}", "{importance:.2f}（最高 1），每天淡去 {rate:g}{feeling}"
)
STAYS = Phrase("{importance:.2f} of 1, does not fade{feeling}", "{importance:.2f}（最高 1），不会淡去{feeling}")
FEELING = Phrase(", feeling {emotion:.2f}", "，情绪 {emotion:.2f}")
RETENTION = Phrase("{score}: {reason}", "{score}：{reason}")
HISTORY = Phrase("what held when:", "各在何时有效：")
MARKED = Phrase("{text} ({marks})", "{text}（{marks}）")
PINNED = Phrase("pinned", "置顶")
ONLY: Final[Mapping[str, Phrase]] = {
    "agent": Phrase("this agent only", "仅这个智能体"),
    "thread": Phrase("this thread only", "仅这个会话"),
}
HEADERS: Final[Mapping[str, Phrase]] = {
    "id": Phrase("id", "编号"),
    "score": Phrase("score", "得分"),
    "kind": Phrase("kind", "种类"),
    "written": Phrase("written", "写于"),
    "text": Phrase("text", "内容"),
    "why": Phrase("why", "原因"),
}
# What was done to one.
CHANGED = Phrase("changed: {entry}", "已修改：{entry}")
UNCHANGED = Phrase("unchanged: {entry}", "没有变：{entry}")

# Forgetting on the command line.
FORGET_ENTRY = Phrase("Forget this entry for good?", "彻底删除这一条吗？")
FORGET_ENTRIES = Phrase("Forget these {count} entries for good?", "彻底删除这 {count} 条吗？")
FORGOT = Phrase("forgot {count} {noun}", "已删除 {count} 条")
NOTHING_FADED = Phrase(
    "nothing has faded; how well entries are kept: localagent memory stats",
    "没有淡忘的；各条的保留度：localagent memory stats",
)
DELETE = Phrase("Delete {count} {noun} for good?", "彻底删除 {count} 条吗？")
# By whether they are deleted, and whether that is only planned.
PRUNED: Final[Mapping[tuple[bool, bool], Phrase]] = {
    (False, True): Phrase("{count} {noun} would be archived", "会归档 {count} 条"),
    (True, True): Phrase("{count} {noun} would be deleted", "会删除 {count} 条"),
    (False, False): Phrase("archived {count} {noun}", "已归档 {count} 条"),
    (True, False): Phrase("deleted {count} {noun}", "已删除 {count} 条"),
}

# Searching on the command line.
NO_FIT = Phrase("nothing fits the filters", "没有符合筛选条件的")
NOTHING_THERE = Phrase("there is nothing to be found yet", "还没有可以找的内容")
NOTHING_SCORES = Phrase(
    "nothing scores {least:g} or more; what is nearest scores {best:.2f} (--min-score 0 shows it)",
    "没有得分达到 {least:g} 的；最接近的得分 {best:.2f}（用 --min-score 0 显示）",
)
SAY_WHAT = Phrase("; give a word that says what you look for", "；请给出一个说明要找什么的词")
IS_ENTRY = Phrase("{id} is an entry: localagent memory show {id}", "{id} 是一条记忆：localagent memory show {id}")
BY_WORDS_UNTIL = Phrase("found by its words only until this is mended: {why}", "修好之前只能按字词找到：{why}")
PARKED = Phrase(
    "{count} {noun} could not be indexed ({error}); see: localagent memory stats",
    "有 {count} 段无法编入索引（{error}）；见：localagent memory stats",
)

# `memory stats`.
FIGURES: Final[Mapping[str, Phrase]] = {
    "entries": Phrase("entries", "记忆"),
    "kinds": Phrase("kinds", "种类"),
    "pieces": Phrase("pieces", "片段"),
    "embedder": Phrase("embedder", "嵌入模型"),
    "index": Phrase("index", "索引"),
    "size": Phrase("size", "大小"),
    "queue": Phrase("queue", "队列"),
    "reindex": Phrase("reindex", "重建"),
    "unread": Phrase("unread", "未看"),
    "parked": Phrase("parked", "搁置"),
}
COUNTED = Phrase("{count} {name}", "{name} {count}")
PIECES = Phrase(
    "{passages:,} of entries and messages can be found, {vectors:,} by meaning too",
    "可以找到记忆和消息的 {passages:,} 段，其中 {vectors:,} 段也能按含义找到",
)
NO_EMBEDDER = Phrase("none yet", "还没有")
SMALL = Phrase("small enough to do without: compared exactly", "数量不多，不需要索引：逐一精确比较")
SIZE = Phrase("ledger {ledger}, index {index}", "账本 {ledger}，索引 {index}")
TO_CUT = Phrase("{count} {noun} to be cut into pieces", "{count} 条消息等着切分")
TO_READ = Phrase("{count} {noun} to be looked through", "{count} 条消息等着查看")
TO_EMBED = Phrase("{count} {noun} to be embedded", "{count} 段等着计算向量")
TO_RETRY = Phrase("{count} {noun} to be tried again", "{count} 段失败的等着重试")
TO_INDEX = Phrase("{count} {noun} still to go into the index", "{count} 处改动还要编入索引")
NOTHING_TO_EMBED = Phrase("nothing waits to be embedded", "没有等着计算向量的")
NOTHING_WAITS = Phrase("nothing waits", "没有等待的")
REINDEXING = Phrase(
    "{done:,} of {total} {noun} embedded with {name} so far; the old embedder is in use. "
    "To go on: localagent memory reindex --embedder {name}",
    "已用 {name} 计算了 {total} 段中的 {done:,} 段；目前使用的还是旧的嵌入模型。"
    "要继续：localagent memory reindex --embedder {name}",
)
UNREAD = Phrase(
    "{count:,} {noun} to be looked through, and nothing is noted of them until this is mended: {why}",
    "有 {count:,} 条消息等着查看，修好之前什么都不会记：{why}",
)
MEND_AND_RETRY = Phrase(
    "{count}; once it is mended: localagent memory retry", "{count}；修好之后：localagent memory retry"
)
HOW_WELL = Phrase(
    "how well the active entries are kept, 0 to 1 (what fades goes with memory prune):",
    "有效记忆的保留度，0 到 1（淡去的由 memory prune 归档）：",
)

# /context.
BLOCKS: Final[Mapping[str, Phrase]] = {
    "system": Phrase("system", "系统"),
    "wishes": Phrase("wishes", "愿望"),
    "recalled": Phrase("recalled", "回忆"),
    "summary": Phrase("summary", "摘要"),
    "recent": Phrase("recent", "最近"),
    "request": Phrase("request", "请求"),
    "tools": Phrase("tools", "工具"),
    "in all": Phrase("in all", "共计"),
}
IN_ALL = Phrase(" of {budget:,} tokens", " token，最多 {budget:,}")
BESIDE = Phrase(" tokens beside that (/tools)", " token，不算在内（/tools）")
WINDOW = Phrase(
    "window {window:,}, of which {reserve:,} are reserved for the answer", "窗口 {window:,}，其中 {reserve:,} 留给回答"
)
IN_SUMMARY = Phrase(
    "{count:,} older messages are in the summary, version {version} (/summary)",
    "{count:,} 条较早的消息在摘要里，版本 {version}（/summary）",
)
NOT_SENT = Phrase(
    "{count:,} older messages are kept in the thread and not sent", "{count:,} 条较早的消息留在会话里，不发送"
)
CACHED = Phrase(
    "cached {cached}: that part of the last prompt was still known to the model",
    "缓存 {cached}：上一个提示词的这一部分模型还记得",
)
IN_EVERY_PROMPT = Phrase("in every prompt:", "每个提示词里都有：")
STILL_THERE = Phrase("recalled for the last prompt, and still there:", "为上一个提示词回忆到的，还在：")
AND_MORE = Phrase("  and {count} more: {command}", "  还有 {count} 条：{command}")
PART_CORRECTED = Phrase("(in part corrected since)", "（后来更正了一部分）")

# What cannot be done in a conversation.
UNKNOWN_PART = Phrase("/memory does not know {name!r}", "/memory 没有 {name!r}。")
DID_YOU_MEAN = Phrase("Did you mean {nearest}? There are {usage}.", "您是想说 {nearest} 吗？有这些：{usage}。")
NEEDS = Phrase("/memory {name} needs {argument}", "/memory {name} 后面要有{argument}")
NEEDS_NOTHING = Phrase("/memory {name} takes no argument", "/memory {name} 后面不带内容")
TWO_NEEDED = Phrase("/memory replace needs two entries", "/memory replace 要有两条记忆。")
AS_OLD_NEW = Phrase("As in: /memory replace OLD NEW (their ids)", "例如：/memory replace 旧 新（它们的编号）")
NOTHING_SAID = Phrase("nothing to remember", "没有要记的内容。")
AS_REMEMBER = Phrase("As in: /remember the boiler is serviced in May", "例如：/remember 锅炉五月保养")
ARGUMENTS: Final[Mapping[str, Phrase]] = {
    "QUERY": Phrase("QUERY", "查询"),
    "TEXT": Phrase("TEXT", "内容"),
    "ID": Phrase("ID", "编号"),
    "OLD NEW": Phrase("OLD NEW", "旧 新"),
}
SWITCHED_OFF = Phrase("memory is switched off", "记忆是关闭的。")
SWITCH_ON = Phrase("Set memory.enabled to true in agent.yaml.", "在 agent.yaml 里把 memory.enabled 设为 true。")
UNUSABLE_NOW = Phrase("memory cannot be used now", "记忆现在不能用。")
SEE_DOCTOR = Phrase("See: localagent doctor", "见：localagent doctor")
LOOKING = Phrase("looking into memory", "正在查看记忆")
NOT_ITSELF = Phrase("an entry does not replace itself", "一条记忆不能取代自己。")
AS_REPLACE = Phrase("As in: {command} OLD NEW", "例如：{command} 旧 新")
DOES_NOT_COUNT = Phrase("entry {id} is {state}", "记忆 {id} {state}。")
TO_COUNT = Phrase("To have it count again: {command} {id}", "要让它重新有效：{command} {id}")
NOT_PINNABLE: Final[Mapping[str, Phrase]] = {
    "archived": Phrase(
        "{id} is archived (forgotten or faded): pinned it would be in no prompt either; nothing was pinned",
        "{id} 已归档（要求忘掉的，或已淡忘）：置顶了也不会在任何提示词里；什么都没有置顶。",
    ),
    "superseded": Phrase(
        "{id} is superseded: pinned it would be in no prompt either; nothing was pinned",
        "{id} 已被取代：置顶了也不会在任何提示词里；什么都没有置顶。",
    ),
}
RESTORE_FIRST = Phrase(
    "Bring it back first: localagent memory restore {id}", "先恢复它：localagent memory restore {id}"
)

# The summary.
VERSION = Phrase(
    "version {version}{state}: {messages:,} messages, up to {last}, in {tokens:,} tokens; made by {by}, {when}",
    "版本 {version}{state}：{messages:,} 条消息，到消息 {last} 为止，{tokens:,} token；由{by}写成，{when}",
)
NOT_IN_USE: Final[Mapping[str, Phrase]] = {
    "rolled back": Phrase(" (rolled back)", "（已退回）"),
    "undone": Phrase(" (undone)", "（已撤回）"),
}
SUMMARY_STATES: Final[Mapping[str, Phrase]] = {
    "active": Phrase("active", "有效"),
    "rolled back": Phrase("rolled back", "已退回"),
    "undone": Phrase("undone", "已撤回"),
}
BY_RULES = Phrase("rules", "规则")
NOTE = Phrase("note: {note}", "说明：{note}")
OF_MESSAGE = Phrase("{line}  (message {id})", "{line}  （消息 {id}）")
NO_SUMMARY = Phrase(
    "nothing is summarised yet; all messages are sent as they are", "还没有做过摘要；所有消息都原样发送"
)
SUMMARISED = Phrase(
    "{count} older {noun} summarised: {before:,} -> {after:,} tokens (localagent threads summary)",
    "{count} 条较早的消息已做成摘要：{before:,} -> {after:,} token（localagent threads summary）",
)
NOW_SUMMARISED = Phrase(
    "{count} older {noun} now summarised: {before:,} -> {after:,} tokens (localagent threads summary)",
    "{count} 条较早的消息现在已做成摘要：{before:,} -> {after:,} token（localagent threads summary）",
)
NOT_SUMMARISED_YET = Phrase(
    "{count} older {noun} could not be summarised yet, and stay as they are for now: {why}",
    "{count} 条较早的消息还没能做成摘要，暂时保持原样：{why}",
)
NOT_SUMMARISED = Phrase("older messages could not be summarised: {why}", "较早的消息没能做成摘要：{why}")
UNUSABLE = Phrase("the model gave no usable summary", "模型没有给出可用的摘要")
NOTHING_TO_SUMMARISE = Phrase(
    "there is nothing to summarise but the newest exchange", "除了最新的一次问答，没有可以做摘要的"
)
SUMMARISING = Phrase("summarising", "正在做摘要")

# What the policy of the agent says of how well an entry is kept, where it is the one that is part of the program.
_REASONS: Final = tuple(
    (re.compile(pattern), chinese)
    for pattern, chinese in (
        (r"^pinned$", "已置顶"),
        (r"^a preference: it holds until another takes its place$", "偏好：在被另一条取代之前一直有效"),
        (r"^a piece of a document: it stays until the document goes$", "文档的片段：文档删除之前一直保留"),
        (r"^(\S+) is below ([\d.]+): ", r"\1 低于 \2："),
        (r"^just below ([\d.]+): ", r"略低于 \1："),
        (r"^([\d.]+): ", r"\1："),
        (r"unused for (.+)$", r"\1没有用到"),
        (r"last used (.+) ago, (.+) in all$", r"最近一次用到是\1前，共 \2"),
        (r"^it falls due in (.+)$", r"\1后到期"),
        (r"^it fell due (.+) ago$", r"\1前已到期"),
        (r"less than a day", "不到一天"),
        (r"(\d+) days?", r" \1 天"),
        (r"(\d+) times", r"\1 次"),
        (r"\bonce\b", "1 次"),
    )
)


def reason_kept(reason: str, language: Language) -> str:
    """Why an entry is kept or not. What a policy of the agent's own says stays in its words."""
    if language == "en":
        return reason
    told = reason
    for pattern, chinese in _REASONS:
        told = pattern.sub(chinese, told)
    return reason if re.search("[A-Za-z]", told) else re.sub(r"^ |(?<=[：]) ", "", told)
