"""Wishes for one conversation, or for one text or file: they are none for every answer."""

from __future__ import annotations

import re

_ONLY_HERE = re.compile(
    r"\b(?:in|for|during|throughout) (?:this|our|the current|the rest of (?:this|our|the)) (?:conversation|chat|"
    r"thread|session|discussion|dialog(?:ue)?|talk)\b|\bfor now\b|\bfor the moment\b|\btoday only\b"
    r"|\b(?:in|for|on|to|of) this (?:\w+ )?(?:script|file|module|function|class|report|text|e-?mail|letter|document|"
    r"essay|article|paragraph|chapter|section|table|slide|poem|story|post|page|translation|summary|question|one|task|"
    r"ticket)\b"
    r"|(?:这次|本次|这个|此次|这场|这轮|当前)(?:对话|会话|聊天|谈话|讨论|交流)|这次(?!的?(?:会议|考试|旅行|出差|"
    r"项目|发布))|暂时|今天的对话"
    r"|这(?:一)?(?:[份篇封段张首]|个(?=文件|脚本|函数|类|模块|报告|表|问题|任务))",
    re.IGNORECASE,
)


def only_here(words: str) -> bool:
    """Whether what is wished is so for this conversation, or for one text or file, alone."""
    return bool(_ONLY_HERE.search(words))
