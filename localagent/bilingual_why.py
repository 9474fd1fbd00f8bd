"""What /why tells, in the language that the user writes: where something stands in a prompt, or why not. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from localagent.bilingual import Phrase

# Who spoke, as records name them.
SPEAKERS: Final[Mapping[str, Phrase]] = {
    "user": Phrase("user", "用户"),
    "assistant": Phrase("assistant", "助手"),
    "tool": Phrase("tool", "工具"),
    "pasted by the user": Phrase("pasted by the user", "用户粘贴的"),
    "piped in by the user": Phrase("piped in by the user", "用户用管道传入的"),
}

# Candidates of recall.
MESSAGE = Phrase("message {id}", "消息 {id}")
MESSAGE_OF_THREAD = Phrase("message {id} of thread {thread}", "会话 {thread} 的消息 {id}")
THREAD_MESSAGE = Phrase("thread {thread}, message {id}", "会话 {thread}，消息 {id}")
SCORED = Phrase("{score:.2f}: {parts}", "{score:.2f}：{parts}")
SCORE = Phrase("{score:.2f} ({parts})", "{score:.2f}（{parts}）")
# A passage of a message without what was corrected, or forgotten on request, has nothing left.
NOTHING_LEFT = Phrase(
    "not recalled: all of it was corrected, or is what you asked to forget",
    "不回忆：全部已更正，或者是您要求忘掉的",
)
NOTHING_OF_IT = Phrase("(corrected or forgotten since)", "（后来已更正或已忘掉）")

# What became of a candidate, as a sentence.
USED = Phrase("recalled with score {score}", "回忆到了，得分 {score}")
STANDING = Phrase("in every prompt (a preference, or pinned)", "每个提示词里都有（偏好，或已置顶）")
BELOW = Phrase(
    "scored {score}, below the threshold (memory_search_min_score)", "得分 {score}，低于阈值（memory_search_min_score）"
)
BELOW_LEAST = Phrase(
    "scored {score}, below the threshold of {least} (memory_search_min_score)",
    "得分 {score}，低于阈值 {least}（memory_search_min_score）",
)
BEYOND = Phrase(
    "scored {score}, but enough others scored higher (memory_search_top_k)",
    "得分 {score}，但得分更高的已经够多（memory_search_top_k）",
)
SAME_AS = Phrase("says the same as {other}", "与 {other} 说的一样")
SAME_AS_ANOTHER = Phrase("says the same as another one", "与另一条说的一样")
NO_ROOM_OF_STANDING = Phrase(
    "belongs into every prompt, and found no room there: {note} (memory.preference_tokens)",
    "本该在每个提示词里，但放不下：{note}（memory.preference_tokens）",
)
NO_ROOM_FOR_IT = Phrase("there was no room for it", "放不下")
SCORED_BUT_NO_ROOM = Phrase("scored {score}, but there was no room for it", "得分 {score}，但放不下")
SUPERSEDED_BY = Phrase("no longer holds: superseded by {other}", "不再有效：已被 {other} 取代")
SUPERSEDED = Phrase("no longer holds: superseded", "不再有效：已被取代")
RECENT = Phrase(
    "found with score {score}, and left to the recent messages, which hold it anyway",
    "找到了，得分 {score}，但最近的消息里本来就有",
)
SAYS_NOTHING = Phrase(
    "found with score {score}, but it only asks, or says nothing by itself",
    "找到了，得分 {score}，但它只是提问，或者单独看没有内容",
)
SUMMARISED = Phrase(
    "found with score {score}, and left to the summary, which says it", "找到了，得分 {score}，但摘要里已经说了"
)
KEPT = Phrase("recalled for an earlier request, and kept where it stood", "为以前的请求回忆到的，留在原处")
NO_NEW_PREFIX = Phrase(
    "scored {score}, too little for the model to read everything behind the memories again",
    "得分 {score}，不够高，不值得让模型把记忆之后的一切重读一遍",
)
OTHER_FATE = Phrase("{fate}, scored {score}", "{fate}，得分 {score}")

# How an entry came to be archived, as a sentence and in few words.
ARCHIVED: Final[Mapping[str, tuple[Phrase, Phrase]]] = {
    "forgotten": (
        Phrase("archived: you asked to forget it", "已归档：您要求忘掉它"),
        Phrase("you asked to forget it", "您要求忘掉它"),
    ),
    "faded": (
        Phrase("archived: it has faded, or what it was made of was taken back", "已归档：已淡忘，或它的来源已撤回"),
        Phrase("has faded", "已淡忘"),
    ),
    "": (
        Phrase("archived: it has faded, or was put away", "已归档：已淡忘，或被收起"),
        Phrase("archived", "已归档"),
    ),
}
ANOTHER_RESTORED = (
    Phrase("archived: {other} was restored in its place", "已归档：恢复了 {other} 来代替它"),
    Phrase("another was restored", "另一条已恢复"),
)

# /why: what was used, and what was near.
IN_PROMPT: Final[Mapping[str, Phrase]] = {
    "standing": Phrase("in every prompt", "每个提示词里都有"),
    "used": Phrase("used for this answer", "这个回答用到"),
    "kept from before": Phrase("there since an earlier request", "以前的请求留下的"),
}
TITLE = Phrase("{title}:", "{title}：")
TITLE_OF_SOME = Phrase("{title}: {count}, of which:", "{title}：共 {count}，其中：")
NEAR = Phrase("near, and not used:", "接近但没有用到：")
SOME_MORE = Phrase("and {count} more: /why all", "还有 {count} 条：/why all")
NOTHING = Phrase("memory had nothing for this answer", "这个回答没有用到记忆")
NO_PROMPT = Phrase("no prompt is recorded in this thread yet", "这个会话还没有提示词的记录")
FATES: Final[Mapping[str, Phrase]] = {
    "below threshold": Phrase("below the threshold", "低于阈值"),
    "beyond top_k": Phrase(
        "beyond the number of memories wanted (memory_search_top_k)", "超出要取的条数（memory_search_top_k）"
    ),
    "double": SAME_AS_ANOTHER,
    "over budget": Phrase("no room for it", "放不下"),
    "superseded": Phrase("superseded", "已被取代"),
    "archived": Phrase("archived", "已归档"),
    "in the recent messages": Phrase("stands in the recent messages anyway", "最近的消息里本来就有"),
    "says nothing": Phrase("only asks, or says nothing by itself", "只是提问，或者单独看没有内容"),
    "in the summary": Phrase("stands in the summary anyway", "摘要里本来就有"),
    "not worth a new prefix": Phrase(
        "too little better than what stands there to have everything behind it read again",
        "比原有的好得不多，不值得把后面的一切重读一遍",
    ),
}
# What stands over several of them.
OF_GROUPS: Final[Mapping[str, Phrase]] = {
    "superseded": Phrase("no longer holds", "不再有效"),
    "archived": Phrase("put away, as you asked or because it has faded", "已收起：您要求的，或者已淡忘"),
}
# In few words.
BRIEF: Final[Mapping[str, Phrase]] = {
    "below threshold": Phrase("below threshold", "低于阈值"),
    "beyond top_k": Phrase("beyond top_k", "超出条数"),
    "double": Phrase("says the same as another", "与另一条说的一样"),
    "over budget": Phrase("no room", "放不下"),
    "superseded": FATES["superseded"],
    "in the recent messages": Phrase("is recent anyway", "最近的消息里有"),
    "in the summary": Phrase("in the summary anyway", "摘要里有"),
    "not worth a new prefix": Phrase("little better than what is there", "比原有的好得不多"),
    "says nothing": Phrase("only asks, or says nothing", "只是提问，或没有内容"),
}
NOT_RECALLED = Phrase("not recalled", "不回忆")
CORRECTED = Phrase("(corrected since)", "（后来已更正）")
IN_PART_CORRECTED = Phrase("(in part corrected since)", "（后来更正了一部分）")
BY_WORDS = Phrase("memory was searched by words alone: {why}", "只按字词搜索了记忆：{why}")
INSIDE = Phrase("in the prompt:", "在提示词里：")
OUTSIDE = Phrase("looked at, and not in the prompt:", "查看过，不在提示词里：")
GROUP = Phrase("{title}: {count}", "{title}：{count}")
GROUP_SCORED = Phrase("{title}: {count}, the best with {best:.2f}", "{title}：{count}，最高得分 {best:.2f}")
ONE_OF_THESE = Phrase(
    "one of these, with the parts of the scores (vector: meaning, keyword: words): /why all NUMBER",
    "列出其中一类，连同得分的各部分（向量：含义；词语：字词）：/why all 序号",
)
NO_SUCH_GROUP = Phrase("there is no {number} in it", "其中没有 {number}。")
NUMBERS = Phrase("/why all lists the numbers.", "用 /why all 列出序号。")
MORE_OF_GROUP = Phrase(
    "and {count} more: localagent prompts show --json", "还有 {count}：localagent prompts show --json"
)
NO_ROOM_OF_GROUP = Phrase(
    "no room among what is in every prompt: {note} (memory.preference_tokens)",
    "每个提示词都有的内容里放不下它：{note}（memory.preference_tokens）",
)
WITH_REASON = Phrase("{told}: {reason}", "{told}：{reason}")
REPLACED_BY = Phrase("superseded by {other}", "已被 {other} 取代")

# /why TEXT: where it stands.
HEADING = Phrase("{asked} and prompt {prompt}", "{asked} 与提示词 {prompt}")
IT_IS_THERE = Phrase("it is there:", "在里面：")
IT_IS_NOT_THERE = Phrase("it is not there:", "不在里面：")
BESIDE_THAT = Phrase("and beside that:", "此外：")
MORE = Phrase("  and {count} more", "  还有 {count} 处")
INSTRUCTIONS = Phrase("stands in the agent's instructions", "在智能体的指令里")
SUMMARY_LINE = Phrase(
    "line {number} of {count} of the summary (version {version}): {line}",
    "摘要（版本 {version}）共 {count} 行中的第 {number} 行：{line}",
)
LINE_WITHOUT_ROOM = Phrase(
    "a line of the summary (version {version}) that found no room in this prompt: {line}",
    "摘要（版本 {version}）的一行，这个提示词放不下：{line}",
)
LINE_UNTIL = Phrase(
    "a line of the summary until version {version} of it, {place}: {line}",
    "摘要的一行，到版本 {version} 为止，{place}：{line}",
)
SAYS_IN_ITS_PLACE = Phrase("which says in its place {line}", "那个版本改说 {line}")
LEAVES_OUT = Phrase(
    "which leaves out what was corrected, is done, or is the lightest where there is no room",
    "那个版本去掉了已更正的、已完成的，或放不下时最轻的",
)
LINE_CORRECTED = Phrase(
    "a line of the summary until prompt {prompt}{request}; corrected or forgotten since: {line}",
    "摘要的一行，到提示词 {prompt}{request} 为止；后来已更正或已忘掉：{line}",
)
WITH_REQUEST = Phrase(" (with {text})", "（请求是 {text}）")
NAMED_MESSAGE = Phrase("message {id} ({role})", "消息 {id}（{role}）")
A_MESSAGE = Phrase("a message ({role})", "一条消息（{role}）")
IN_REQUEST = Phrase("the request itself, {name}: {text}", "就是这次的请求，{name}：{text}")
IN_RECENT = Phrase("recent messages, {name}: {text}", "最近的消息，{name}：{text}")
STANDS_IN_RECENT = Phrase("message {id} stands in the recent messages", "消息 {id} 在最近的消息里")
UNKNOWN_MESSAGE = Phrase(
    "message {id} is in none of the recorded prompts of this thread, nor in its summary",
    "消息 {id} 不在这个会话的任何提示词记录里，也不在它的摘要里",
)
SAID_MESSAGE = Phrase("message {id} ({role}: {text})", "消息 {id}（{role}：{text}）")
LEFT_OUT = Phrase(
    "{name} was left out of this prompt: the recent messages had no room for it",
    "{name} 没有进入这个提示词：最近的消息里放不下",
)
CAME_LATER = Phrase("{name} came later: it is first in prompt {prompt}", "{name} 是后来的：最早在提示词 {prompt} 里")
TAKEN_BACK = Phrase("{name} had been taken back (/undo or /retry)", "{name} 已经撤回（/undo 或 /retry）")
OLDER_SUMMARISED = Phrase(
    "{name} is older than the recent messages; the summary stands for it", "{name} 比最近的消息更早；由摘要代表"
)
OLDER = Phrase(
    "{name} is older than the recent messages ({count} are)", "{name} 比最近的消息更早（这样的有 {count} 条）"
)
COVERED = Phrase(
    "{name} left the recent messages when version {version} of the summary covered messages {first} to {last}{then}",
    "{name} 在摘要版本 {version} 收入消息 {first} 到 {last} 时离开了最近的消息{then}",
)
NO_LINE = Phrase("; no line was made of it", "；没有为它写下一行")
ITS_LINE = Phrase("; its line is {line}{where}", "；对应的一行是 {line}{where}")
LINE_HERE = Phrase(", line {number} of the summary in this prompt", "，是这个提示词里摘要的第 {number} 行")
LINE_NO_ROOM = Phrase(", for which this prompt had no room", "，这个提示词放不下")
LINE_LEFT = Phrase(", which left the summary with version {version}", "，它在版本 {version} 离开了摘要")
LINE_NOT_HERE = Phrase(", not in this prompt", "，不在这个提示词里")
NOT_LOOKED_AT = Phrase(
    "{name} {text} was not looked at for this prompt; for prompt {prompt} it was: {reason}",
    "{name} {text}：这个提示词没有查看它；提示词 {prompt} 查看过：{reason}",
)
NO_MEMORY = Phrase("no memory {id} was looked at for this prompt", "这个提示词没有查看过记忆 {id}")
WISH = Phrase(
    "a standing wish, in every prompt: {text} ({id}){since}", "长期愿望，每个提示词里都有：{text}（{id}）{since}"
)
SINCE = Phrase("; in part corrected since: {quoted}", "；后来更正了一部分：{quoted}")
PINNED = Phrase("pinned, in every prompt: {name} {text}{since}", "已置顶，每个提示词里都有：{name} {text}{since}")
RECALLED = Phrase("recalled with score {score}: {name} {text}{since}", "回忆到了，得分 {score}：{name} {text}{since}")
KEPT_ENTRY = Phrase(
    "recalled for an earlier request, and kept where it stood: entry {id} {text}{now}{since}",
    "为以前的请求回忆到的，留在原处：记忆 {id} {text}{now}{since}",
)
NOW_SCORED = Phrase("; for this request it scored {score}", "；对这次的请求得分 {score}")
PASSAGE = Phrase("recalled from earlier messages: {line}{since}", "从以前的消息里回忆到的：{line}{since}")
SCORED_PASSAGE = Phrase(
    "recalled from earlier messages with score {score}, {name}: {line}{since}",
    "从以前的消息里回忆到的，得分 {score}，{name}：{line}{since}",
)
PART_CORRECTED = Phrase(" (a part of it was corrected since)", "（后来更正了一部分）")
CANDIDATE = Phrase("{name} {text}: {reason}", "{name} {text}：{reason}")
NOTHING_OFFERED = Phrase(
    "it is in no part of this prompt, and memory offered nothing for it: it was off or empty{why}",
    "不在这个提示词的任何部分，记忆也没有提供什么：它是关闭的或空的{why}",
)
BECAUSE = Phrase(" ({why})", "（{why}）")
NO_CANDIDATE = Phrase(
    "it is in no part of this prompt, and was no candidate of recall: "
    "none of the {count} entries and passages that came nearest to the request says it{words}",
    "不在这个提示词的任何部分，也不是回忆的候选：最接近请求的 {count} 条记忆和片段都没有说到它{words}",
)
BY_WORDS_TOO = Phrase("; memory was searched by words alone: {why}", "；只按字词搜索了记忆：{why}")

# What to do about it.
LOOK_FOR_IT = Phrase(
    "Whether memory has it: localagent memory search TEXT. What must be in every prompt: /remember it, then "
    "localagent memory pin ID",
    "记忆里有没有：localagent memory search 内容。要让每个提示词里都有：先用 /remember 记下，"
    "再 localagent memory pin 编号",
)
TO_RESTORE = Phrase("To have it again: localagent memory restore ID", "要恢复：localagent memory restore 编号")
MAKE_ROOM = Phrase(
    "Make it shorter (localagent memory edit {id}), or memory.preference_tokens more",
    "把它改短（localagent memory edit {id}），或调大 memory.preference_tokens",
)
TO_PIN = Phrase(
    "To have it in every prompt: localagent memory pin ID", "要让每个提示词里都有：localagent memory pin 编号"
)
TO_REMEMBER = Phrase(
    "To have it in every prompt: /remember it, then localagent memory pin ID",
    "要让每个提示词里都有：先用 /remember 记下，再 localagent memory pin 编号",
)
