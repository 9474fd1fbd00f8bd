"""What is shown of recorded prompts and of threads, in the language of what they hold. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from localagent.bilingual import Phrase

# A record: `prompts show`, /prompt.
PROMPT = Phrase("prompt {id}, {when}, thread {thread}", "提示词 {id}，{when}，会话 {thread}")
SIZE = Phrase(
    "{provider} {model}: {about}{tokens} of {budget} tokens (window {window}, {reserve} reserved for the answer)",
    "{provider} {model}：{about}{tokens} token，最多 {budget}（窗口 {window}，其中 {reserve} 留给回答）",
)
ABOUT = Phrase("about ", "约 ")
ASKED_BY = Phrase("asked by the agent {agent}, in thread {thread}", "由智能体 {agent} 在会话 {thread} 中询问")
BLOCK = Phrase("  {name}{tokens:>7} tokens", "  {name}{tokens:>7} token")
OF_MESSAGES = Phrase(", {count} messages", "，{count} 条消息")
SUMMARISED = Phrase(
    "  summarised {count} messages (summary version {version})", "  {count} 条消息由摘要代表（摘要版本 {version}）"
)
OLDER_LEFT_OUT = Phrase(
    "  left out  {count} messages, older than the recent ones", "  省略了 {count} 条比最近的消息更早的消息"
)
RECENT_LEFT_OUT = Phrase(
    "  left out  {count} recent messages that did not fit: {ids}", "  省略了 {count} 条放不下的最近消息：{ids}"
)
RANGE = Phrase("{first} to {last}", "{first} 到 {last}")
TOOLS = Phrase("  tools    {tokens:>7} tokens, offered {way}", "  工具     {tokens:>7} token，{way}")
TOOLS_NOTE = Phrase("  tools    {note}", "  工具     {note}")
WAYS: Final[Mapping[str, Phrase]] = {
    "native": Phrase("natively", "由模型自己调用"),
    "constrained": Phrase("through a reply bound to a form", "通过受固定格式约束的回复"),
    "none": Phrase("not at all", "没有提供"),
}
MEMORY = Phrase("memory:", "记忆：")
BY_WORDS = Phrase("searched by words alone: {why}", "只按字词搜索：{why}")
FATES: Final[Mapping[str, Phrase]] = {
    "standing": Phrase("standing ", "常驻 "),
    "used": Phrase("used     ", "用到 "),
    "kept": Phrase("kept     ", "保留 "),
}
SCORED: Final = Phrase(" (", "（"), Phrase(")", "）")
NOT_USED = Phrase("not used {fates}", "没有用到：{fates}")
OF_FATE = Phrase("{count} {fate}", "{fate} {count} 条")
TURN = Phrase("turn {id}: {steps} steps, ended by {ended_by}", "轮次 {id}：{steps} 步，结束于 {ended_by}")
STEP = Phrase("  step {step}  {what}", "  第 {step} 步  {what}")
WHAT_IT_DID = Phrase(
    "          what it did: localagent prompts show {id}", "          它做了什么：localagent prompts show {id}"
)
VERDICT = Phrase("{name}: {verdict}{reason}{ended}", "{name}：{verdict}{reason}{ended}")
VERDICTS: Final[Mapping[str, Phrase]] = {
    "go on": Phrase("go on", "继续"),
    "stop": Phrase("stop", "停止"),
    "accept": Phrase("accept", "接受"),
    "skipped": Phrase("skipped", "跳过"),
    "done": Phrase("done", "完整"),
    "retry": Phrase("retry", "重试"),
    "no retry left": Phrase("no retry left", "不能再重试"),
    "not done": Phrase("not done", "不完整"),
    "failed": Phrase("failed", "失败"),
    "not judged": Phrase("not judged", "没有判断"),
}
# How a call or a turn ended.
ENDS: Final[Mapping[str, Phrase]] = {
    "stop": Phrase("stop", "说完"),
    "length": Phrase("length", "长度上限"),
    "tool_calls": Phrase("tool_calls", "调用工具"),
    "answer": Phrase("answer", "给出回答"),
    "max_steps": Phrase("max_steps", "步数上限"),
    "calls": Phrase("calls", "调用上限"),
    "interrupted": Phrase("interrupted", "中断"),
    "deadline": Phrase("deadline", "超时"),
}
REASON = Phrase(": {reason}", "：{reason}")
ENDED_TURN = Phrase(", ended the turn", "，结束了这一轮")
TURN_ERROR = Phrase("  error: {error}", "  错误：{error}")
CALL = Phrase(
    "{tool}({arguments}): {ended}, {took}{approval}: {first}", "{tool}({arguments})：{ended}，{took}{approval}：{first}"
)
CALL_OK = Phrase("ok", "成功")
CALL_ERROR = Phrase("error", "出错")
TOOK = Phrase("{seconds:.2f} s", "{seconds:.2f} 秒")
NOT_RUN = Phrase("not run", "没有运行")
APPROVAL = Phrase(", {approval}", "，{approval}")
NEVER_ENDED = Phrase(
    "the call never ended: the program was killed during it, or it is still running",
    "这次调用没有结束：程序中途被强行终止，或者还在运行",
)
ENDED_BY = Phrase("ended by {how}{counts}", "结束于 {how}{counts}")
COUNTS = Phrase(
    "; the model read {read} tokens ({cached} from its cache) and wrote {written}",
    "；模型读了 {read} token（其中 {cached} 来自缓存），写了 {written}",
)
TIMES = Phrase(
    "assembled in {assembled:.1f} ms, first token after {first}, {total:.2f} s in all",
    "组装用了 {assembled:.1f} 毫秒，第一个 token 用了 {first}，共 {total:.2f} 秒",
)
FAILED = Phrase("error: {error}", "错误：{error}")
WARNING = Phrase("warning: {text}", "注意：{text}")
AND = Phrase("--- and", "--- 以及")

# What changed from one to another: `prompts diff`.
FROM_TO = Phrase("from prompt {before} to prompt {after}", "从提示词 {before} 到提示词 {after}")
OTHER_THREADS = Phrase(
    "of different threads ({one} and {other}): they share no messages",
    "属于不同的会话（{one} 和 {other}）：没有共同的消息",
)
BEFORE = Phrase("before", "之前")
AFTER = Phrase("after", "之后")
TOKENS = Phrase("tokens", "token")
SAME = Phrase("the prompts are the same", "两个提示词相同")
FIRST_SAME = Phrase(
    "the first {about}{count:,} of {all:,} tokens are the same", "{all:,} token 中，开头 {about}{count:,} token 相同"
)
BEGINS_IN = Phrase("{told}; the change begins in {place}", "{told}；变化从{place}开始")
PLACES: Final[Mapping[str, Phrase]] = {
    "system": Phrase("the instructions", "指令"),
    "summary": Phrase("the summary", "摘要"),
    "recalled": Phrase("the recalled memories", "回忆的记忆"),
    "recent": Phrase("the recent messages", "最近的消息"),
    "request": Phrase("the request", "请求"),
}
AT_MESSAGE = Phrase("{place}, at message {id}", "{place}（消息 {id} 处）")
AT_TEXT = Phrase("{place}, at {text}", "{place}（{text} 处）")
BEYOND_END = Phrase("what the earlier prompt had beyond its end", "较早的提示词在它末尾之后多出的部分")
ENTERED: Final[Mapping[bool, tuple[Phrase, Phrase]]] = {
    True: (
        Phrase("1 message entered:", "进入了 1 条消息："),
        Phrase("{count} messages entered:", "进入了 {count} 条消息："),
    ),
    False: (
        Phrase("1 message left:", "离开了 1 条消息："),
        Phrase("{count} messages left:", "离开了 {count} 条消息："),
    ),
}
MESSAGE = Phrase("  message {id}", "  消息 {id}")
SAID_MESSAGE = Phrase("  message {id} ({role}): {text}", "  消息 {id}（{role}）：{text}")
MORE_MESSAGES = Phrase("  ... {count} more", "  ……还有 {count} 条")
SUMMARY_DIFFERENT = Phrase(
    "the summary (version {version}) is shown differently:", "摘要（版本 {version}）显示得不同："
)
SUMMARY_VERSIONS = Phrase("the summary: version {then} -> {now}:", "摘要：版本 {then} -> {now}：")
CHANGES: Final[Mapping[str, Phrase]] = {
    "memories added": Phrase("memories added:", "新增的记忆："),
    "memories gone": Phrase("memories gone:", "不再有的记忆："),
    "wishes added": Phrase("wishes added:", "新增的愿望："),
    "wishes gone": Phrase("wishes gone:", "不再有的愿望："),
}
BEFORE_IT_WAS = Phrase("before, it was {fate}", "以前是：{fate}")
STILL_THERE = Phrase("still there, in other words or another place", "还在，说法或位置不同")
NO_WISH = Phrase(
    "no standing wish any more: forgotten, superseded or put away", "不再是长期愿望：已忘掉、已被取代或已收起"
)
NOTHING_OFFERED = Phrase("memory offered nothing", "记忆没有提供什么")
NOT_LOOKED_AT = Phrase("not among what recall looked at for this request", "不在这次请求查看过的内容里")
INSTRUCTIONS = Phrase("instructions changed:", "指令有变化：")
SETTINGS = Phrase("settings changed:", "设置有变化：")
UNSET = Phrase("(none)", "（无）")

# A whole prompt: `prompts why` without a text.
OVERVIEW = Phrase(
    "prompt {id} of thread {thread}: {tokens} of {budget} tokens (window {window})",
    "会话 {thread} 的提示词 {id}：{tokens} token，最多 {budget}（窗口 {window}）",
)
OF_BLOCK = Phrase("{line}: {told}", "{line}：{told}")
THE_INSTRUCTIONS = Phrase("the agent's instructions", "智能体的指令")
LEFT_OUT = Phrase("left out: {count} recent messages, for which there was no room", "省略了 {count} 条放不下的最近消息")
SUMMARY_FOR = Phrase(
    "the summary stands for {count} messages, older than the recent ones", "摘要代表 {count} 条比最近的消息更早的消息"
)
OLDER = Phrase("left out: {count} messages, older than the recent ones", "省略了 {count} 条比最近的消息更早的消息")
LOOKED_AT = Phrase("looked at and not used: {fates}", "查看过但没有用到：{fates}")
BEGINS_AS = Phrase(
    "begins as the prompt before it for {shared} of {tokens} tokens",
    "{tokens} token 中，开头 {shared} 与前一个提示词相同",
)
VERSION = Phrase("version {version}, {count} lines", "版本 {version}，{count} 行")
COVERS = Phrase(
    ", covers {count} messages up to message {last}, by {by}", "，收入 {count} 条消息，到消息 {last} 为止，由 {by} 写成"
)
LINES_WITHOUT_ROOM = Phrase("; {count} lines found no room", "；{count} 行放不下")
NOTHING = Phrase("nothing", "无")
NONE = Phrase("none", "无")
STANDING_WISH = Phrase("standing wish", "长期愿望")
QUOTED = Phrase("quoted", "引用")
AND_MORE = Phrase("    and {count} more", "    还有 {count} 条")
SPAN = Phrase("{count} messages, {first} to {last}", "{count} 条消息，{first} 到 {last}")

# Lists, and `threads`.
HEADERS: Final[Mapping[str, Phrase]] = {
    "id": Phrase("id", "编号"),
    "name": Phrase("name", "名称"),
    "agent": Phrase("agent", "智能体"),
    "messages": Phrase("messages", "消息"),
    "last": Phrase("last", "最近"),
    "begins with": Phrase("begins with", "开头"),
    "when": Phrase("when", "时间"),
    "model": Phrase("model", "模型"),
    "tokens": Phrase("tokens", "token"),
    "cached": Phrase("cached", "缓存"),
    "ended by": Phrase("ended by", "结束"),
    "thread": Phrase("thread", "会话"),
    "version": Phrase("version", "版本"),
    "state": Phrase("state", "状态"),
    "lines": Phrase("lines", "行"),
    "made by": Phrase("made by", "写成者"),
    "note": Phrase("note", "说明"),
}
UNENDED = Phrase("never ended", "没有结束")
NO_PROMPTS = Phrase("no prompts recorded yet", "还没有提示词的记录")
NO_THREADS = Phrase("no threads yet; localagent chat begins one", "还没有会话；localagent chat 会开始一个")
RENAMED = Phrase("renamed {thread} to {name}", "已把 {thread} 改名为 {name}")
DELETE = Phrase("Delete {thread!r} ({count} {noun})?", "删除 {thread!r}（{count} 条消息）吗？")
DELETED = Phrase("deleted {thread} ({count} {noun})", "已删除 {thread}（{count} 条消息）")
REMEMBERED_STAYS = Phrase(
    "what was remembered from it stays; see: localagent memory list",
    "从中记住的内容仍然保留；见：localagent memory list",
)
EXPORTED = Phrase("exported {count} {noun} to {path}", "已把 {count} 条消息导出到 {path}")
SPEAKERS: Final[Mapping[str, Phrase]] = {
    "user": Phrase("You", "您"),
    "assistant": Phrase("Assistant", "助手"),
    "tool": Phrase("Tool", "工具"),
    "system": Phrase("System", "系统"),
}
STATUSES: Final[Mapping[str, Phrase]] = {
    "interrupted": Phrase("interrupted", "已中断"),
    "incomplete": Phrase("incomplete", "不完整"),
    "undone": Phrase("undone", "已撤回"),
}
HEADING = Phrase("## {speaker}, {when}{number}{mark}", "## {speaker}，{when}{number}{mark}")
NUMBER = Phrase(", message {id}", "，消息 {id}")
MARK = Phrase(" ({status})", "（{status}）")
CALLS = Phrase("calls {tool} {arguments}", "调用 {tool} {arguments}")
ANSWERS = Phrase("{tool} answers:", "{tool} 回答：")
ATTACHED = Phrase("Attached {name}:", "附件 {name}：")
VERSION_TAKEN_BACK = Phrase(
    "version {version} is taken back; what it covered is sent as it is again",
    "版本 {version} 已退回；它收入的消息又原样发送",
)
