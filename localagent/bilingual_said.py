"""What other parts of the program say in English, in the user's language: errors, notices, and what is waited for.

Where it is said nobody knows who reads it: the record and JSON are English. So it is read back here. What is not known
(words of a server, of a tool, of the system) stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Final

from localagent.bilingual import Language, Phrase

if TYPE_CHECKING:
    from localagent.errors import LocalAgentError

# The model cannot be reached.
UNREACHABLE: Final = (
    Phrase("nothing answers ({why})", "没有应答（{why}）"),
    Phrase("the connection timed out", "连接超时"),
    Phrase("[Errno {number}] Connection refused", "[Errno {number}] 连接被拒绝"),
    Phrase("the server takes connections but did not answer within {s} s", "服务器接受连接，但 {s} 秒内没有回答"),
    Phrase("something answers that is not Ollama", "应答的不是 Ollama"),
    Phrase("something answers in place of Ollama: {what}", "应答的不是 Ollama：{what}"),
    Phrase("the server refuses requests from here (403)", "服务器拒绝来自这里的请求（403）"),
    Phrase(
        "the server sends requests on to {target}, and that is not followed",
        "服务器把请求转到 {target}，而这样的转向不会跟随",
    ),
    Phrase("the proxy refused: {why}", "代理拒绝了：{why}"),
    Phrase("the connection broke before an answer came ({why})", "还没有回答，连接就断开了（{why}）"),
    Phrase("model.base_url cannot be used: {why}", "model.base_url 不能用：{why}"),
    Phrase(
        "Start Ollama (ollama serve) or correct model.base_url", "启动 Ollama（ollama serve），或改正 model.base_url"
    ),
    Phrase("Restart it", "请重新启动它"),
    Phrase("Correct model.base_url; Ollama's port is 11434", "请改正 model.base_url；Ollama 的端口是 11434"),
    Phrase(
        "Its OLLAMA_HOST or OLLAMA_ORIGINS do not allow this address",
        "它的 OLLAMA_HOST 或 OLLAMA_ORIGINS 不允许这个地址",
    ),
    Phrase(
        "If that is your server, set model.base_url to its address",
        "如果那是您的服务器，请把 model.base_url 设为它的地址",
    ),
)
# It is not there, or is none.
MISSING: Final = (
    Phrase("model {name} is not installed", "没有安装模型 {name}"),
    Phrase("Install it with: localagent models pull {name}", "安装：localagent models pull {name}"),
    Phrase("{what}. Pull it?", "{what}。要下载吗？"),
    Phrase(
        "The built-in model is not here yet. Download it (93 MB, once)?",
        "内置模型还没有下载。现在下载吗（93 MB，只需一次）？",
    ),
    Phrase("the model {name} has not been fetched yet", "还没有下载模型 {name}"),
    Phrase("Run `localagent models pull {name}`", "请运行 `localagent models pull {name}`"),
    Phrase("there is no such model file", "没有这个模型文件"),
    Phrase(
        "model.model_name is a path of a GGUF file, hf:owner/repo/file.gguf, or {name}",
        "model.model_name 是 GGUF 文件的路径、hf:owner/repo/file.gguf，或 {name}",
    ),
    Phrase("there is no such file", "没有这个文件"),
    Phrase(
        "Check model.model_name, or see `localagent models list`",
        "请检查 model.model_name，或看 `localagent models list`",
    ),
    Phrase("this is a folder, not a GGUF file", "这是文件夹，不是 GGUF 文件"),
    Phrase("Name the .gguf file in it", "请写出里面的 .gguf 文件"),
    Phrase("this is not a GGUF file", "这不是 GGUF 文件"),
    Phrase("Models are files of the GGUF format (*.gguf)", "模型是 GGUF 格式的文件（*.gguf）"),
    Phrase("the model file is empty", "模型文件是空的"),
    Phrase(
        "the model file is cut short: it has {size} of {whole} bytes", "模型文件不完整：{whole} 字节中只有 {size} 字节"
    ),
    Phrase("the model file is cut short or damaged: its header does not end", "模型文件不完整或已损坏：文件头没有结尾"),
    Phrase("Fetch the file again", "请重新下载这个文件"),
    Phrase("model {name} does not see images", "模型 {name} 不能看图片"),
    Phrase("Model {name} cannot call tools: choose one that can", "模型 {name} 不能调用工具：请选一个能调用的"),
    Phrase("Set model.think to null or false", "请把 model.think 设为 null 或 false"),
    Phrase(
        "Model {name} makes embeddings, not answers: choose another one",
        "模型 {name} 生成的是向量，不是回答：请选别的模型",
    ),
    Phrase(
        "It wants a key: put it into the variable OLLAMA_API_KEY (sent to https:// addresses only)",
        "它需要密钥：请放进变量 OLLAMA_API_KEY（只发送到 https:// 地址）",
    ),
    Phrase(
        "This model runs at ollama.com: sign in with `ollama signin`, or choose a local one",
        "这个模型在 ollama.com 上运行：请用 `ollama signin` 登录，或选一个本地的",
    ),
    Phrase("Choose a smaller model or a smaller model.num_ctx", "请选小一些的模型，或调小 model.num_ctx"),
)
# What was asked has no room.
TOO_LONG: Final = (
    Phrase(
        "the request does not fit: it has {request} tokens, the system text {system}, and {free} are free (window "
        "{window}, {reserve} reserved for the answer, {tools} for tools)",
        "请求放不下：它有 {request} token，系统文本 {system}，只剩 {free}（窗口 {window}，其中 {reserve} 留给回答，"
        "{tools} 留给工具）",
    ),
    Phrase(
        "Shorten the request, raise model.num_ctx or lower model.max_output_tokens.",
        "请缩短请求，调大 model.num_ctx，或调小 model.max_output_tokens。",
    ),
    Phrase("Shorten the request or raise model.num_ctx", "请缩短请求，或调大 model.num_ctx"),
    Phrase(
        "model.max_output_tokens ({reserve}) must be smaller than model.num_ctx ({window}): what is reserved for the "
        "answer is part of the window",
        "model.max_output_tokens（{reserve}）必须小于 model.num_ctx（{window}）：留给回答的是窗口的一部分",
    ),
    Phrase("the prompt has {needed} tokens, the window {window}", "提示词有 {needed} token，窗口是 {window}"),
    Phrase("the server refused the prompt: {what}", "服务器拒绝了提示词：{what}"),
    Phrase("what the tools gave leaves no room for an answer: {why}", "工具给出的内容太长，放不下回答：{why}"),
    Phrase(
        "Ask for less at once, raise model.num_ctx or lower loop.tool_result_tokens.",
        "请一次少问一些，调大 model.num_ctx，或调小 loop.tool_result_tokens。",
    ),
    Phrase(
        "the server counted more tokens than we did; asking again with less history",
        "服务器算出的 token 比我们多；带少一些历史重新问",
    ),
    Phrase("the tool {name} is not offered: {why}", "没有提供工具 {name}：{why}"),
    Phrase("the tools {names} are not offered: {why}", "没有提供工具 {names}：{why}"),
    Phrase(
        "with their descriptions too little of the window ({window} tokens) would be left to talk. Raise "
        "model.num_ctx, or name fewer under tools:",
        "加上它们的说明，窗口（{window} token）剩给对话的太少。请调大 model.num_ctx，或在 tools: 下少列几个",
    ),
    Phrase(
        "the answer was cut at {count} tokens (model.max_output_tokens)",
        "回答在 {count} token 处被截断（model.max_output_tokens）",
    ),
    Phrase(
        "the server read {read} of about {count} prompt tokens: it cut the beginning without saying so. Set "
        "model.num_ctx to the window it really serves",
        "提示词约有 {count} token，服务器只读了 {read}：它截掉了开头而没有说明。"
        "请把 model.num_ctx 设为它实际提供的窗口",
    ),
)
# It gave no answer, or none that can be used.
NO_ANSWER: Final = (
    Phrase("the model gave an empty answer", "模型给出了空的回答"),
    Phrase("the model stopped without saying that it was done", "模型停下了，却没有说它已经完成"),
    Phrase("the answer ended before the model said that it was done", "模型还没有说完成，回答就结束了"),
    Phrase("the model used up its tokens by thinking and gave no answer", "模型思考用完了 token，没有给出回答"),
    Phrase("the model called the tool {name}, and it was offered none", "没有向模型提供工具，它却调用了 {name}"),
    Phrase("the model's call of a tool was cut by the token limit", "模型对工具的调用因 token 上限被截断"),
    Phrase("the model's reply has no form", "模型的回复不符合格式"),
    Phrase("the model gave no answer in {count} steps: {why}", "模型在 {count} 步内没有给出回答：{why}"),
    Phrase("the connection broke during the answer", "回答途中连接断开了"),
    Phrase("the answer stops in the middle of a line", "回答在一行中间停住了"),
    Phrase("the embedded model stopped before the end of its answer", "内置模型没有答完就停下了"),
    Phrase("the embedded model refused the request: {what}", "内置模型拒绝了请求：{what}"),
    Phrase("the server answered: {what}", "服务器的回答是：{what}"),
    Phrase("the server is busy: {what}", "服务器正忙：{what}"),
    Phrase("Try again in a moment", "请稍后再试"),
    Phrase("Ollama's own log tells more", "详情见 Ollama 自己的日志"),
    Phrase("{what} took longer than {s} s", "{what}超过了 {s} 秒"),
    Phrase("the model's answer (limits.request_timeout_s)", "模型的回答（limits.request_timeout_s）"),
    Phrase("the turn (limits.turn_timeout_s)", "这一轮（limits.turn_timeout_s）"),
    Phrase("loading the model (limits.request_timeout_s)", "加载模型（limits.request_timeout_s）"),
    Phrase("the server's answer", "服务器的回答"),
    Phrase("Ask again (/retry) or put it another way.", "请再问一次（/retry），或换个说法。"),
    Phrase("Ask again (/retry) or choose another model.", "请再问一次（/retry），或换一个模型。"),
    Phrase("Raise model.max_output_tokens.", "请调大 model.max_output_tokens。"),
    Phrase(
        "Raise model.max_output_tokens or set model.think to false.",
        "请调大 model.max_output_tokens，或把 model.think 设为 false。",
    ),
    Phrase("Ask for less at once, or raise loop.max_steps.", "请一次少问一些，或调大 loop.max_steps。"),
    Phrase("It may have been repeating itself; ask again", "它可能在重复自己；请再问一次"),
    Phrase("the model cannot call tools by itself; {instead}", "模型自己不会调用工具；{instead}"),
    Phrase("it is told of none", "没有把工具告诉它"),
    Phrase("its replies are bound to a form instead", "改用固定格式约束它的回复"),
    Phrase(
        "the server may not take the schema ({why}); asking with a simpler one",
        "服务器可能不接受这个 schema（{why}）；改用简单一些的再问",
    ),
    Phrase("the answer stands, but was judged incomplete: {why}", "回答保留，但被判为不完整：{why}"),
    Phrase("ended by {mechanism}: {why}", "由 {mechanism} 结束：{why}"),
)
# What is asked of the conversation or of a command, and cannot be done.
REFUSED: Final = (
    Phrase("interrupted", "已中断"),
    Phrase("terminated", "已终止"),
    Phrase("the program was told to end", "程序收到了结束的要求"),
    Phrase("the request is empty", "请求是空的"),
    Phrase("nothing to retry: this thread has no request yet", "没有可以重问的：这个会话还没有问过什么"),
    Phrase("older messages are not summarised", "较早的消息不做摘要"),
    Phrase(
        "Set context_policy.summarizer to auto or rules in agent.yaml.",
        "请在 agent.yaml 里把 context_policy.summarizer 设为 auto 或 rules。",
    ),
    Phrase("the thread {name} was deleted", "会话 {name} 已删除"),
    Phrase("Start a new one: /new", "开始新会话：/new"),
    Phrase("there is already a thread named {name}", "已经有名为 {name} 的会话"),
    Phrase("Choose another name.", "请换一个名称。"),
    Phrase("a thread's name cannot be empty", "会话的名称不能是空的"),
    Phrase(
        "a thread's name has at most {most} characters; this one has {count}",
        "会话的名称最多 {most} 个字符；这个有 {count} 个",
    ),
    Phrase("a thread's name cannot begin with a dash, as {name} does", "会话的名称不能像 {name} 这样以短横开头"),
    Phrase("Is it an option?", "它是选项吗？"),
    Phrase("a thread's name cannot have line breaks or control characters", "会话的名称不能有换行符或控制字符"),
    Phrase("there is no thread {key}", "没有会话 {key}"),
    Phrase("See: localagent threads list --all", "见：localagent threads list --all"),
    Phrase("several threads are called {key}, or begin so: {which}", "有几个会话叫 {key}，或者以它开头：{which}"),
    Phrase("there is no entry {key}", "没有编号为 {key} 的记忆"),
    Phrase(
        "See: localagent memory list (an id, or {least} characters or more that it alone begins with)",
        "见：localagent memory list（编号，或者只有它才有的开头，{least} 个字符以上）",
    ),
    Phrase("several entries begin with {key}: {which}", "有几条记忆的编号以 {key} 开头：{which}"),
    Phrase(
        "nothing is remembered yet; say it in a conversation, or: localagent memory add TEXT",
        "还什么都没有记；在对话里说，或者：localagent memory add 内容",
    ),
    Phrase("nothing fits; everything: {command} --state all", "没有符合的；全部：{command} --state all"),
    Phrase(
        "nothing fits ({what}); everything: {command} --state all", "没有符合的（{what}）；全部：{command} --state all"
    ),
    Phrase("{what} is empty", "{what}是空的"),
    Phrase("{what} has no word in it", "{what}里没有词"),
    Phrase("the query", "查询"),
    Phrase("the text", "内容"),
    Phrase("Give more of the id.", "请多给几个字符。"),
    Phrase("there is no thread yet", "还没有会话"),
    Phrase("localagent chat begins one.", "localagent chat 会开始一个。"),
    Phrase("not deleted", "没有删除"),
    Phrase("Without a terminal say --yes.", "没有终端时请加 --yes。"),
    Phrase("there is no summary to take back", "没有可以退回的摘要"),
    Phrase("See: localagent threads summary --versions", "见：localagent threads summary --versions"),
    Phrase("no prompts are recorded yet", "还没有提示词的记录"),
    Phrase(
        "Ask something; with log_prompts: false nothing is recorded.",
        "请先问点什么；设为 log_prompts: false 时什么都不记录。",
    ),
    Phrase("there is no prompt record {key}", "没有提示词记录 {key}"),
    Phrase(
        "See: localagent prompts list. The oldest of a long thread are removed in time.",
        "见：localagent prompts list。很长的会话里最早的记录会逐渐删除。",
    ),
    Phrase("there is no prompt before {id} in its thread to compare it with", "会话里 {id} 之前没有可以比较的提示词"),
    Phrase("{id} is the same record twice", "两次都是同一条记录 {id}"),
    Phrase("Name two: localagent prompts diff A B", "请给出两个：localagent prompts diff A B"),
    Phrase("there is nothing to explain", "没有要解释的内容"),
    Phrase("there is no question", "没有问题"),
    Phrase('As in: localagent ask "What is a monad?"', "例如：localagent ask “什么是单子？”"),
)
# What a call of a tool gave where it did not run, as the model is told it too.
NOT_RUN: Final = (
    Phrase("There is no tool {name}. There are: {names}.", "没有工具 {name}。有这些：{names}。"),
    Phrase(
        "Not run: the call of {tool} was not allowed: {why}. {then}", "没有运行：没有允许调用 {tool}：{why}。{then}"
    ),
    Phrase("Not run: the call of {tool} was not allowed. {then}", "没有运行：没有允许调用 {tool}。{then}"),
    Phrase("Do not call it again; go on without it.", "不要再调用它，请继续。"),
    Phrase("Call it again if it is still wanted.", "如果还需要，请再调用一次。"),
    Phrase("denied by the user: {why}", "用户拒绝了：{why}"),
    Phrase("denied by the user, who gave no reason", "用户拒绝了，没有说明理由"),
    Phrase("denied by policy: {why}", "策略拒绝了：{why}"),
    Phrase("denied by policy", "策略拒绝了"),
    Phrase("nobody can be asked: allow it with {flag}", "没有人可问：用 {flag} 允许它"),
    Phrase("what it would do has changed while the user was asked", "询问期间，它要做的事变了"),
    Phrase("allowed by the user, {how}", "用户允许了：{how}"),
    Phrase("once", "一次"),
    Phrase("always for exactly this", "总是允许完全相同的"),
    Phrase("always allowed for exactly this", "完全相同的调用总是允许"),
    Phrase("allow: {why}", "允许：{why}"),
    Phrase("deny: {why}", "拒绝：{why}"),
    Phrase("it only reads", "它只读取"),
    Phrase("Not run: the turn was stopped before it began.", "没有运行：开始之前这一轮就停下了。"),
    Phrase(
        "It was stopped before it ended. What it had done until then is not undone.",
        "它没有结束就被停下了。在那之前做的事没有撤销。",
    ),
    Phrase(
        "Not run: a turn has at most {most} calls of tools. Answer with what you have.",
        "没有运行：一轮最多调用 {most} 次工具。请用已有的内容回答。",
    ),
    Phrase("step {number} of {most}", "第 {number} 步，最多 {most} 步"),
)
# What is waited for or was done.
NOTICES: Final = (
    Phrase("loading {name}", "正在加载 {name}"),
    Phrase("the model", "模型"),
    Phrase("waiting for the MCP server {name}", "正在等待 MCP 服务器 {name}"),
    Phrase("going on with {name} ({count} message)", "继续会话 {name}（{count} 条消息）"),
    Phrase("going on with {name} ({count} messages)", "继续会话 {name}（{count} 条消息）"),
    Phrase("new thread {name}", "新会话 {name}"),
    Phrase("there is no thread to go on with: this is a new one", "没有可以继续的会话：这是一个新会话"),
    Phrase(
        "{reason}: using the small built-in {model}. For a real assistant: {commands}",
        "{reason}：使用内置的小模型 {model}。要得到真正的助手：{commands}",
    ),
    Phrase(
        "{folder}: other users could read {names}; now only you can",
        "{folder}：其他用户本来可以读 {names}；现在只有您可以",
    ),
    Phrase("No Ollama at {url}", "{url} 没有 Ollama"),
    Phrase("No Ollama at {url} ({why})", "{url} 没有 Ollama（{why}）"),
    Phrase("Ollama has no {name}", "Ollama 没有 {name}"),
    Phrase("Ollama has no {name} (it has {others})", "Ollama 没有 {name}（它有 {others}）"),
    Phrase(
        "tools/{name}.py is not there any more; the tool is not offered", "tools/{name}.py 已经不在；不提供这个工具"
    ),
    Phrase(
        "nothing arrived on standard input within {s} s; going on without it",
        "标准输入 {s} 秒内没有任何内容；不等它，继续",
    ),
)


@cache
def every() -> Sequence[Phrase]:
    """What says more of itself comes before what says less: of `new {a}` and `new thread {b}` the second."""
    phrases = (*UNREACHABLE, *MISSING, *TOO_LONG, *NO_ANSWER, *REFUSED, *NOT_RUN, *NOTICES)
    return sorted(phrases, key=lambda phrase: -sum(len(text) for text, *_ in Formatter().parse(phrase.english)))


@cache
def reader(english: str) -> re.Pattern[str]:
    """What finds the fields of a phrase again in what was made of it."""
    parts = Formatter().parse(english)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, *_ in parts), re.S)


def in_language(text: str, language: Language) -> str:
    """What another part of the program says in English; fields may hold such a text themselves."""
    if language == "en" or not text:
        return text
    for phrase in every():
        if found := reader(phrase.english).fullmatch(text):
            fields = {name: in_language(value, language) for name, value in found.groupdict().items()}
            return phrase(language, **fields)
    return text


def told(error: LocalAgentError, language: Language) -> str:
    """An error in one line: where, what happened, and what to do next."""
    said = error.message.rstrip("."), error.hint
    what, hint = (in_language(text, language) for text in said)
    if (what, hint) == said:
        return str(error)
    where = f"{error.where}：" if error.where else ""
    return f"{where}{what.rstrip('。')}。{hint}" if hint else f"{where}{what}"
