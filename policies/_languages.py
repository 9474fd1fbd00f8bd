"""In which language a text is, and an answer is expected: by script, and by stop words where that is shared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from localagent.quality import prose

_SCRIPTS = (
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff"),
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("ar", "\u0600-\u06ff"),
    ("he", "\u0590-\u05ff"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
)
_SIGNS = {code: re.compile(f"[{signs}]") for code, signs in _SCRIPTS}
# Words of one of these languages alone, as far as that can be had.
_STOP_WORDS = {
    "en": "the and of is are was were to with you your that this have has for not it what which how from they be can "
    "will would should there do does please or on",
    "de": "der die das und ist nicht ein eine ich sie wir mit auf für den dem von zu sich wie auch oder bitte kann "
    "wird sind",
    "fr": "le les des est et une dans pour vous je que qui pas sur avec ce cette sont nous il elle du au aux ou être",
    "es": "el los las es una y que por para con no del se lo como más pero sus este está son usted muy hay",
    "it": "il gli di è una che per con non del della sono questo come anche più nel alla ma si lo dei",
    "pt": "o os as é uma que para com não do da em no na dos das você mais como mas ao foi são",
    "nl": "de het een en van is niet dat op te met voor zijn ook aan ik je maar naar wordt bij",
}
_BY_WORD = {code: frozenset(words.split()) for code, words in _STOP_WORDS.items()}
_NAMES = {
    "zh": (r"chinese|mandarin|中文|汉语|普通话|华语|国语|简体|繁体|文言文", "Chinese"),
    "en": (r"english|英文|英语|英式|美式", "English"),
    "ja": (r"japanese|日文|日语", "Japanese"),
    "ko": (r"korean|韩文|韩语", "Korean"),
    "ru": (r"russian|俄文|俄语", "Russian"),
    "el": (r"greek|希腊语|希腊文", "Greek"),
    "ar": (r"arabic|阿拉伯语|阿拉伯文", "Arabic"),
    "he": (r"hebrew|希伯来语|希伯来文", "Hebrew"),
    "hi": (r"hindi|印地语|印地文", "Hindi"),
    "th": (r"thai|泰语|泰文", "Thai"),
    "de": (r"german|德文|德语", "German"),
    "fr": (r"french|法文|法语", "French"),
    "es": (r"spanish|西班牙文|西班牙语", "Spanish"),
    "it": (r"italian|意大利文|意大利语", "Italian"),
    "pt": (r"portuguese|葡萄牙文|葡萄牙语", "Portuguese"),
    "nl": (r"dutch|荷兰文|荷兰语", "Dutch"),
}
_NAMED = {code: re.compile(rf"\b(?:{words})\b|(?:{words})" if code == "" else f"(?<![a-z])(?:{words})(?![a-z])", re.I)
          for code, (words, _) in _NAMES.items()}  # fmt: skip
# A language the program cannot tell by itself is as good as any.
_OTHER = re.compile(
    r"\b(?:translat\w*|language|latin|polish|turkish|swedish|vietnamese|ukrainian|czech)\b|翻译|译成|译为|语言|粤语|越南语",
    re.I,
)
_OF_ANSWERS = re.compile(
    r"\b(?:answer|reply|replies|respond|response|speak|talk|write|communicate|chat|explain|use|keep)\w*\b|"
    r"回答|回复|答复|作答|交流|聊|说|写|用|讲|对话|解释|输出",
    re.I,
)
_NOT = re.compile(
    r"\b(?:not|never|no|don['’]t|stop|avoid|except|unless|when|if|for|learning|studying)\b|不要|别|不用|除非|如果|学|遇到|时候?[，,]",
    re.I,
)
# A request that says so of its own answer, as a sentence or a clause of its own: "how do I reply in French?" does not.
_ASKED_FOR = re.compile(
    r"(?:^|[.!?;,:。！？；，：\n])\s*(?:(?:and|but|then|please|kindly|(?:can|could|would|will) you) )*"
    r"(?:answer|reply|respond)(?: me| to me| this)?(?: only)? in (?:\w+ )?(?P<en>[a-z]+)\b"
    r"|(?:^|[。！？；，：\n,.!?:])\s*(?:请|麻烦|你|能|可以|都|只|就)*(?:用|以)(?P<zh>[\u4e00-\u9fff]{2,5}?)(?:来)?"
    r"(?:简短|简单)?(?:地)?(?:回答|回复|答复|作答|说说|解释)",
    re.I,
)
_IF = re.compile(r"\b(?:if|unless|when|whenever)\b|如果|除非", re.I)
_QUOTED = re.compile(r"[\"“「『][^\"”」』\n]{1,400}[\"”」』]|^>.*$", re.MULTILINE)
# Fewer letters than this say nothing about the language of a text.
_LEAST_LETTERS = 12
_LEAST_STOP_WORDS = 2


def name_of(code: str) -> str:
    return _NAMES[code][1]


def main_language(text: str) -> str:
    """The language of most of a text; empty if it is too short, or cannot be told."""
    weights = _weights(_QUOTED.sub(" ", prose(text)))
    if sum(weights.values()) < _LEAST_LETTERS:
        return ""
    (code, weight), *others = weights.most_common(2)
    clear = weight >= 2 * (others[0][1] if others else 0)
    return code if clear and code != "?" else ""


def languages_in(text: str) -> set[str]:
    """Every language that some line or sentence of a text is in."""
    found = set()
    for part in re.split(r"[\n.!?。！？:：]+", prose(text)):
        weights = _weights(part)
        found |= {code for code, weight in weights.items() if code != "?" and weight >= 4}
    return found


def expected_languages(request: str, wishes: Sequence[str]) -> set[str]:
    """Those an answer may be in; empty: any. What a request says of its answer decides; one that names a language
    otherwise, or asks for a translation, leaves it open; then a wish; then the language of the request."""
    asked = {
        code
        for found in _ASKED_FOR.finditer(_QUOTED.sub(" ", request))
        for code, pattern in _NAMED.items()
        if pattern.fullmatch(found["en"] or found["zh"])
    }
    if asked and not _OTHER.search(request) and not _IF.search(request):
        return asked
    if _OTHER.search(request) or any(pattern.search(request) for pattern in _NAMED.values()):
        return set()
    wished = {
        code
        for wish in wishes
        if _OF_ANSWERS.search(wish) and not _NOT.search(wish)
        for code, pattern in _NAMED.items()
        if pattern.search(wish)
    }
    return wished or languages_in(request)


def _weights(text: str) -> Counter[str]:
    """How many letters of each language; Latin letters of an unknown one are "?". A Chinese character, which is a word,
    counts as three letters."""
    weights: Counter[str] = Counter()
    for code, pattern in _SIGNS.items():
        count = len(pattern.findall(text))
        if count:
            weights[code] = count * (3 if code in ("zh", "ja") else 1)
    if weights["ja"]:  # written with Chinese characters too
        weights["ja"] += weights.pop("zh", 0)
    latin = re.findall(r"[^\W\d_]+", "".join(char if char < "\u0370" else " " for char in text.lower()))
    letters = sum(map(len, latin))
    if letters:
        hits = Counter({code: sum(word in known for word in latin) for code, known in _BY_WORD.items()})
        (best, most), (_, second) = hits.most_common(2)
        sure = most >= _LEAST_STOP_WORDS and most > second and most * 12 >= len(latin)
        weights[best if sure else "?"] += letters
    return +weights
