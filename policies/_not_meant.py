"""What is said and not meant to be kept: what is to be forgotten, what is not serious, what others said."""

from __future__ import annotations

import re

# What is to be forgotten must not be written down because of it.
FORGET = re.compile(
    r"(?:(?:please|you can|you may|can you|could you|would you|just|now|ok|and|so),? )*"
    r"(?:forget (?:that|about|what|my|the|everything|it|I)\b|(?:delete|erase|remove) .*\bmemory\b)"
    r"|(?:请|你|可以|那就?|麻烦|能不能)*(?:忘掉|忘了(?!什么)|忘记(?!了)|不用记|不必记|不要再记|别再记|别记|"
    r"把[^，。]+(?:忘掉|忘了))",
    re.IGNORECASE,
)
NOT_SERIOUS = re.compile(
    r"\bsaid (?:no ?one|nobody)\b|\byeah,? right\b|[,.] not!?$|想都别想|才怪|想得美|做梦吧", re.IGNORECASE
)
_REPORTED_WISH = re.compile(
    r"\b(?:he|she|they|(?-i:[A-Z]\w+)|boss|friend|teacher|someone|people) (?:always |once |just )?(?:said|says|"
    r"told|tells|asked|wrote|thinks|claims|suggested|wants|prefers|likes|decided)\b|(?:他|她|他们|别人|有人|大家|"
    r"老师|同事|朋友|老板)(?:们)?(?:总|都|常|也)?(?:说|让|叫|告诉|问|觉得|建议|希望)",
    re.I,
)


def reported(words: str) -> bool:
    """Whether a clause tells only of what somebody else says or wants."""
    return bool(_REPORTED_WISH.search(words)) and not re.search(r"\bI\b|\b[Ww]e\b|我", words)


# What others say, or what was heard of: also where it tells of the speaker.
RETELLS = re.compile(
    r"\b(?:I(?:['’]ve| have| just)*|we) (?:(?:read|saw) (?:that|somewhere)|heard (?!badly|well)|was told"
    r"|were told)\b"
    r"|\b(?:apparently|supposedly|allegedly|rumou?r|according to)\b"
    r"|\b(?:he|she|they|(?:my|our|the) (?:\w+ ){0,1}\w+|(?-i:[A-Z]\w+)) (?:always |once |just |also |still )?"
    r"(?:said|says|told|tells|asked|wrote|thinks|claims|suggested|reckons|insists|joked|thought|believes)\b"
    r"|,['’\"”]? (?:said|says|asked|replied) (?:the|my|his|her|(?-i:[A-Z]))"
    r"|听说|据说|(?:[文书报信群网][中里上]|[新报]闻|报纸|指南|来信|文章)[^，。我]{0,3}?(?:说(?!话|明)|写着|写道|提到)"
    r"|[他她妈爸姐哥弟妹婆公奶爷叔姨姑舅儿女友师事板户东医人家居](?:们)?"
    r"(?:总|都|常|也|老|又|刚才?|今天|昨天|跟我|对我)*(?:说(?!话|[^，。]{0,3}[语文话])|告诉|问|觉得|建议|以为)",
    re.IGNORECASE,
)
# What a text, a picture, a game or an exercise shows.
DEPICTED = re.compile(
    r"(?<!hand )(?<!handed )(?<!handing )\b(?:in|of) (?:the|this|that|my) (?:\w+ )?"
    r"(?:story|tale|film|movie|book|novel|poem|game|exercise|example|picture|photo|image|text|article|song|series|episode|attachment|question|problem|scenario|screenshot|excerpt|essay"
    r"|chapter|paragraph|section|draft)\b"
    r"|\bthe (?:main |lead )?(?:hero(?:ine)?|character|narrator|protagonist|villain)s?\b|\bmy character\b"
    r"|文[中里]|[故事小说电影剧游戏题图片照书诗歌例](?:目|子|本|集)?(?:里面?|中(?![国午学文秋餐间心药医]))"
    r"|主人公|主角|我的角色",
    re.IGNORECASE,
)
# What is not so, was not quite, or may be.
UNREAL = re.compile(
    r"\b(?:would|might|perhaps|maybe|I wish|I wonder|if only|could have|should have)\b"
    r"(?! (?:like|prefer|rather|appreciate|love)\b)"
    r"|\b(?:almost|nearly)\b(?! (?:\d|all|every\w*|always|never|an?|half|two|three|four|five|six|seven|eight|nine|ten"
    r"|twenty|thirty|forty|fifty|sixty|no)\b)"
    r"|['’]d (?!(?:really |much )?(?:like|prefer|rather|better|appreciate|love|always like|been|had|never|already)\b)"
    r"|差一?点|险些|要不是|就好了|早知道|恨不得|但愿|说不定|没准|也许|或许|想知道|好奇|可能会|本来(?:想|打算|要)|(?<=[我你他她们])要是",
    re.IGNORECASE,
)
