"""What the conversation says of itself, its commands, keys and tools, in the language that the user writes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from localagent.bilingual import Phrase

# Before the first message, and at the bottom.
BANNER = Phrase(
    "localagent · {agent} · /help lists the commands",
    "localagent · {agent} · 输入 /help 查看命令",
)
LEAVE_HINT = Phrase("press Ctrl-C again to leave", "再按一次 Ctrl-C 退出")
NO_MODEL = Phrase("no model: send a message to see why", "没有模型：发一条消息看看原因")
METER = Phrase(
    "{about}{used:,}/{window:,} tokens · {cached}{model}", "{about}{used:,}/{window:,} token · {cached}{model}"
)
CACHED = Phrase("cached {cached} · ", "缓存 {cached} · ")
LOADING = Phrase("loading the model", "正在加载模型")
LOADING_IT = Phrase("loading {name}", "正在加载 {name}")
FETCHED = Phrase("fetched {done:,.0f} MB", "已下载 {done:,.0f} MB")
FETCHED_OF = Phrase(
    "fetched {done:,.0f} of {total:,.0f} MB ({share} %)", "已下载 {done:,.0f} MB，共 {total:,.0f} MB（{share} %）"
)
NOT_LOADED = Phrase("not loaded yet", "还没有加载")

# While a turn runs, and where it ends early.
THINKING = Phrase("thinking", "正在思考")
WAITING = Phrase("waiting for the model", "正在等待模型")
READING = Phrase("reading prompt {processed}/{total} ({percent} %)", "正在读提示词 {processed}/{total}（{percent} %）")
RUNNING = Phrase("running {tool}", "正在运行 {tool}")
ASKING_FOR_TOOLS = Phrase("asking for the tools", "正在询问有哪些工具")
WENT_WRONG = Phrase("{head}: {said}", "{head}：{said}")
INTERRUPTED = Phrase("(interrupted)", "（已中断）")
INCOMPLETE = Phrase("(incomplete)", "（不完整）")
WITHDRAWN = Phrase(
    "(not the answer: judged incomplete, the model mends it)", "（这不是答案：被判为不完整，模型正在修改）"
)
# What a mechanism said of an answer.
VERDICTS: Final[Mapping[str, Phrase]] = {
    "retry": Phrase("to be mended", "需要修改"),
    "no retry left": Phrase("accepted with a fault", "有缺陷，但已接受"),
    "not done": Phrase("not complete", "不完整"),
    "failed": Phrase("failed", "失败"),
    "not judged": Phrase("gave no judgement", "没有给出判断"),
}
VERDICT = Phrase("{name}: {said}", "{name}：{said}")
VERDICT_BECAUSE = Phrase("{name}: {said}: {reason}", "{name}：{said}：{reason}")

# The commands.
ARGUMENTS: Final[Mapping[str, Phrase]] = {
    "[name]": Phrase("[name]", "[名称]"),
    "[command]": Phrase("[command]", "[子命令]"),
    "TEXT": Phrase("TEXT", "内容"),
    "[TEXT|all]": Phrase("[TEXT|all]", "[文字|all]"),
}
KEYS = Phrase(
    "Enter sends; Ctrl-J or Esc Enter begins a new line; Ctrl-X Ctrl-E opens an editor.\n"
    "Esc or Ctrl-C stops an answer, and what was there is kept.\n"
    "Ctrl-C clears the box, twice leaves. Ctrl-D leaves. Tab completes commands.\n"
    "A message may begin with a slash: //like this. Paths, and texts of several\n"
    "lines, are messages anyway.",
    "Enter 发送；Ctrl-J 或 Esc Enter 换行；Ctrl-X Ctrl-E 打开编辑器。\n"
    "Esc 或 Ctrl-C 停止回答，已经到达的部分会保留。\n"
    "Ctrl-C 清空输入框，连按两次退出。Ctrl-D 退出。Tab 补全命令。\n"
    "消息要以斜杠开头时多写一个斜杠：//像这样。\n"
    "路径和多行的文字本来就是消息。",
)
UNKNOWN = Phrase(
    "unknown command {name}. {nearest}/help lists them; to send this as a message type /{name}",
    "没有命令 {name}。{nearest}输入 /help 查看命令；要把它当作消息发送，请输入 /{name}",
)
NEAREST = Phrase("Did you mean {nearest}? ", "您是想输入 {nearest} 吗？")
TAKES_NOTHING = Phrase("{name} takes no argument", "{name} 后面不带内容")
MODEL = Phrase("model: {name}", "模型：{name}")
NEW_THREAD = Phrase("new thread{name}", "新会话{name}")
OLD_KEPT = Phrase("; the old one is kept (localagent threads list)", "；原来的会话仍然保留（localagent threads list）")
TAKEN_BACK = Phrase("taken back; change it, or clear it with Ctrl-C", "已撤回；可以修改，或按 Ctrl-C 清空")
NOTHING_TO_TAKE_BACK = Phrase("nothing to take back", "没有可以撤回的")

# /tools.
EFFECTS: Final[Mapping[str, Phrase]] = {
    "reads": Phrase("reads", "读取"),
    "writes": Phrase("writes", "写入"),
    "runs code": Phrase("runs code", "运行代码"),
    "network": Phrase("network", "使用网络"),
}
TOOL = Phrase("{name} ({effects})", "{name}（{effects}）")
TOOL_OF = Phrase("{name} ({effects}; {owner})", "{name}（{effects}；{owner}）")
AN_AGENT = Phrase("an agent", "智能体")
SERVER = Phrase("MCP server {name}", "MCP 服务器 {name}")
NO_TOOLS = Phrase("this agent has no tools", "这个智能体没有工具")
NATIVE = Phrase("this model calls them itself", "这个模型自己会调用工具")
BOUND_BY_SETTING = Phrase(
    "its replies are bound to a form (model.tool_calls: constrained)",
    "它的回复受固定格式约束（model.tool_calls: constrained）",
)
BOUND = Phrase(
    "this model cannot call tools by itself: its replies are bound to a form",
    "这个模型自己不会调用工具：它的回复受固定格式约束",
)
TOLD_OF_NONE_BY_SETTING = Phrase(
    "this model is told of no tools (model.tool_calls: off)", "没有把工具告诉这个模型（model.tool_calls: off）"
)
TOLD_OF_NONE = Phrase(
    "this model is told of no tools: it calls none by itself, and is too small for a form, or its server knows none",
    "没有把工具告诉这个模型：它自己不会调用，又太小，不能用固定格式，或者它的服务器不支持固定格式",
)

# Asking before a tool may run.
WOULD = Phrase("? {who} ({effects}) would:", "? {who}（{effects}）将要：")
UNSAID = Phrase("it does not say what it does", "没有说明自己做什么")
OF_AGENT = Phrase("the agent {agent}: {tool}", "智能体 {agent}：{tool}")
MAY_IT = Phrase("{who}: may it? (Enter denies) ", "{who}：可以吗？（直接按 Enter 就是拒绝）")
CHOICES = Phrase(
    "[o]nce · [a]lways for exactly this · [d]eny, with a reason if you like",
    "[o] 一次 · [a] 总是允许完全相同的 · [d] 拒绝，可以附上理由",
)
VIEW = Phrase(" · [v]iew all", " · [v] 查看全部")
AGAIN = Phrase("answer o, a, or d; as in: d not this file", "请回答 o、a 或 d；例如：d 不要动这个文件")
UNSEEN = Phrase("you have not seen all of it; here it is:", "您还没有看到全部内容，全部内容如下：")
ALL_SEEN = Phrase("that was all of it", "以上是全部内容")
MORE_ROWS = Phrase("{count:,} more rows; v shows them all", "还有 {count:,} 行；按 v 显示全部")
ON_THE_WIRE = Phrase("{host} is {name}", "{host} 实际是 {name}")
