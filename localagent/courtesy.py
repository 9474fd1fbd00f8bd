"""How somebody asks for anything: "could you please", 麻烦你把, and how they wish never to have said it. Patterns that
stand before, behind and between the words of requests, in one place.
"""

from __future__ import annotations

import re

# Before an English request.
PLEASE = (
    r"(?:(?:please|kindly|ok|okay|now|and|also|then|just|simply|actually|hey|oh|sorry|so|can you|could you|would you|"
    r"will you|you can|you may|you should|you'd better|(?:(?:can|could|may) I|I(?:'d| would| must)?) (?:want|need|like|"
    r"love|prefer|ask|beg) you to|I wish you(?:'d| would)|but|let's|"
    r"feel free to|go ahead and|do me a favou?r|be so (?:kind|good) as to|be a dear|"
    r"I'd appreciate it if you(?: could|'d| would)?)[, ]++){0,8}"
)
_ZH = (
    r"请|麻烦|拜托|帮个忙|帮帮忙|劳驾|帮我|替我|给我|你|您|可以|能不能|能否|可不可以|能(?=[把帮给请替忘删])|我?(?:希望|想要?|要)[请让求]?(?=[你您])|咱们?|那|现在|就|"
    r"也|还是|都|直接|赶紧|一下|[，, ]"
)
# Before a Chinese one, with what makes its object stand first, and between its parts.
PLEASE_ZH = rf"(?:{_ZH}|把它?){{0,12}}"
PLEADS_ZH = rf"(?:{_ZH}|[以往今]后|全部?|通通|统统|彻底){{0,8}}+"
TO_YOU_ZH = r"(?:[跟对和向同]你们?|刚才|从来|压根|一开始){0,3}"
TOLD_ZH = r"(?:[说讲提聊]|告诉)(?:你|起|到)?过?"
# 就当我没说过, 权当我没跟你提过.
AS_UNSAID_ZH = rf"(?:就|权|只|全)?[当算](?:作|做|是)?我{TO_YOU_ZH}(?:什么都|啥都)?没有?{TO_YOU_ZH}{TOLD_ZH}"

# What dialects say for 别, 不要, 没 and 吧, with as many signs. 莫 and 休 are as often names, or parts of words.
_DIALECTS_ZH = (
    (re.compile(
        r"(?<![姓叫约切落索寂莫])莫(?![名非言斯大不尼桑扎奈愁高干须逆邪如若衷测莫先老女小姐哥工某经家氏村干过属及得]|总(?!是)|"
        r"医生|$|[，。！？,.!?])|[甭勿嫑覅]|(?<![退午公补轮年双假婚产病调离])休(?=[再提])"
    ), "别"),
    (re.compile("(?:(?<![退午公补轮年双假婚产病调离])休[要得]|唔好)(?=..)"), "不要"),
    (re.compile("唔使"), "不用"),
    (re.compile("冇|莫(?=得(?!罪))"), "没"),
    (re.compile("(?<=一)哈(?!哈)"), "下"),
    (re.compile(r"(?<![干为哈嘛])[嘛哈噻哟咯哒呗](?=$|[，。！,.!\n])"), "吧"),
)  # fmt: skip


def plain_zh(text: str) -> str:
    """The text with the negations and particles of Chinese dialects in common words, sign for sign: 莫整太长嘛 is
    别整太长吧."""
    if text.isascii():
        return text
    for pattern, common in _DIALECTS_ZH:
        text = pattern.sub(common, text)
    return text
