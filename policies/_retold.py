"""What the speaker said to somebody else: "I told Ben that I have to sell the car" is news of a plan, and no task."""

from __future__ import annotations

import re

from ._rule import Rule, any_of

_SAID_ZH = (
    r"(?:我|咱)们?(?:(?!要|得|该|必须|需要|准备|打算)[^，。]){0,6}?"
    r"(?:[跟和对向同](?!你|您|自己)[^，。]{1,8}?(?:说|讲|提|保证|坦白|表示)(?!一声|一下|明|好)(?:过|起)?了?|"
    r"(?:告诉|通知)(?:过|了)?+(?!你|您|自己)我?[^，。我]{1,8}?了?)"
)
# The clause that hands on what the next one says: "我跟小峰说，我要卖车".
HANDS_ON = re.compile(_SAID_ZH)
RETOLD = Rule("event", any_of(
    r"^(?:(?:yesterday|today|last \w+|this \w+|on \w+day),? )?(?:I|we)(?:['’]ve| have| had)? (?:just |already |also |"
    r"finally |only )*(?:(?:told|promised|informed|warned|assured|texted|emailed) (?!you\b|myself\b|ourselves\b)\w|"
    r"(?:said|mentioned|explained|admitted|confessed|wrote) to (?!you\b|myself\b)\w|let (?!me\b|us\b|you\b)[\w ]{1,24} "
    r"know\b)",
    rf"^(?:[今昨前]天|刚才|上周)?{_SAID_ZH}[，,]?(?:我|咱)",
), 0.6)  # fmt: skip
