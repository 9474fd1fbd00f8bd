"""What `doctor` finds, and what to do about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from localagent.bilingual import Phrase

LEVELS: Final[Mapping[str, Phrase]] = {
    "ok": Phrase("ok", "正常"),
    "warn": Phrase("warn", "注意"),
    "fail": Phrase("fail", "错误"),
}
SUBJECTS: Final[Mapping[str, Phrase]] = {
    "packages": Phrase("packages", "软件包"),
    "data folder": Phrase("data folder", "数据目录"),
    "disk": Phrase("disk", "磁盘"),
    "ledger": Phrase("ledger", "账本"),
    "summaries": Phrase("summaries", "摘要"),
    "agent": Phrase("agent", "智能体"),
    "tools": Phrase("tools", "工具"),
    "memory": Phrase("memory", "记忆"),
    "memory reindex": Phrase("memory reindex", "记忆重建"),
    "memory queue": Phrase("memory queue", "记忆队列"),
    "memory reading": Phrase("memory reading", "记忆查看"),
    "memory index": Phrase("memory index", "记忆索引"),
    "embedder": Phrase("embedder", "嵌入模型"),
    "embedded models": Phrase("embedded models", "进程内的模型"),
    "model": Phrase("model", "模型"),
}
LINE = Phrase("{level}{subject}: {text}", "{level}{subject}：{text}")
FAULT = Phrase("{where}: {what}", "{where}：{what}")
PROGRAM = Phrase("{version}, Python {python} on {platform}", "{version}，Python {python}，系统 {platform}")
UNCHECKED = Phrase(
    "localagent runs from its source folder; they are not checked", "localagent 从源码目录运行；没有检查软件包"
)
LACKING = Phrase("missing: {names}", "缺少：{names}")
REINSTALL = Phrase("Reinstall localagent with pip.", "请用 pip 重新安装 localagent。")
FREE = Phrase("{count} MB free", "剩余 {count} MB")
FREE_SOME = Phrase("Free some space.", "请腾出一些空间。")
COUNTS = Phrase("{threads} threads, {messages} messages", "{threads} 个会话，{messages} 条消息")
KEEP_COPY = Phrase("Keep a copy of {path} and start anew.", "请保留一份 {path}，然后重新开始。")
SUMMARY_FAILED = Phrase(
    "thread {thread}: the model failed {count} times in a row: {error}",
    "会话 {thread}：模型连续失败了 {count} 次：{error}",
)
NONE = Phrase("none", "无")
SERVER_TOOLS = Phrase("{count} {noun} ({where})", "{count} 个工具（{where}）")
MEND_SERVER = Phrase(
    "Mend mcp_servers.{name} in agent.yaml, or start what it needs.",
    "请改正 agent.yaml 里的 mcp_servers.{name}，或启动它需要的程序。",
)
SWITCHED_OFF = Phrase("switched off (memory.enabled)", "已关闭（memory.enabled）")
ENTRIES = Phrase("{entries}, {pieces}, {vectors:,} with a vector", "{entries}，{pieces}，其中 {vectors:,} 段有向量")
ACTIVE = Phrase("{count} active {noun}", "{count} 条有效的记忆")
PIECES = Phrase("{count} {noun}", "{count} 段")
MEND_FILE = Phrase("Mend that file; what waits is looked through then.", "请改正那个文件；之后会补看等着的消息。")
NOT_INDEXED = Phrase("{count} {noun} could not be indexed: {error}", "有 {count} 段无法编入索引：{error}")
EVERY_PIECE = Phrase("{index}; every piece is found by a search for it", "{index}；每一段都能搜索到")
NOT_FOUND = Phrase("a search does not find {count} {noun}", "有 {count} 段搜索不到")
NO_EMBEDDER = Phrase(
    "none yet; the first thing that is remembered chooses it (memory.embedder)",
    "还没有；记住第一条内容时会选定（memory.embedder）",
)
OR_CHANGE = Phrase(
    "Or change to another: localagent memory reindex --embedder NAME",
    "或者换一个：localagent memory reindex --embedder 名称",
)
OLLAMA = Phrase("{version} at {url}, models: {names}", "{version}，{url}，模型：{names}")
NO_MODELS = Phrase("none in the data folder", "数据目录里没有")
