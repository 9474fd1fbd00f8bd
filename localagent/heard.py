"""Wishes of silence in free words: "that one's for your ears", "lose the bit about my pay", 这话就到你这儿为止.

`unsaid`, `taken_back` and `forgetting` know many such wishes by their words; what they do not know, a classifier hears
by its meaning, a sentence at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from localagent.errors import EmbeddingFailed, EnvironmentFault
from localagent.forgetting import MOST_CHARACTERS, acts_instead
from localagent.memory.classifying import Classifier, Silence
from localagent.plainly_asked import sighs
from localagent.policy import Extracted

# From these probabilities on it is taken as a wish; from the last one on, the classifier notes nothing of the sentence.
# `benchmarks/classifier.py` prints what they let through.
HUSHED = 0.7
CONFIDED = 0.8
FORGOTTEN = 0.8
PERHAPS = 0.3
# From this one on a clause is a wish about the others of its sentence; where the whole may be one, a half is enough.
OF_A_CLAUSE = 0.85
MAY_BE = 0.2
HALF = 0.7
# From this one on, a wish about what was said before puts it away; below, it is asked about.
SURELY = 0.85
LEAST: dict[Silence, float] = {"wish": HUSHED, "confided": CONFIDED, "forget": FORGOTTEN}
# Of a message, so many sentences are listened to: it costs some 20 ms each.
MOST_SENTENCES = 8
MOST_CLAUSES = 8

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？\n]*")
_CLAUSE = re.compile(r"[,;:](?=\s)|[，；：]|\s[-–—]\s|——")
# To be remembered, whatever it sounds like.
_MEANT = re.compile(
    r"(?:一定要?|务必|千万要?|好好|牢牢|你要)(?:给我|帮我|替我)?记[住牢着]|(?<!不用)(?<!不必)牢记|"
    r"(?<!n't )(?<!not )\b(?:bear|keep) in mind\b"
    r"|(?<!n't )(?<!not )\b(?:keep|hold|store|save|mind) (?:it|this|that|them)(?: \w+)? (?:for me|with you|safe)\b"
    r"|(?<![别不])(?<!不要)(?:搁|放|存|寄|留)在?[你您][这那](?:儿|里|边)?(?:存|记|放|留|收|保管)?(?!不)"
    r"|(?:别|不要|不用|先不)(?:再)?删|\b(?:do not|don['’]?t|no need to) (?:delete|remove|erase)\b"
    # No secret any more.
    r"|\b(?:no longer|not) (?:a |an )?(?:\w+ )?(?:secret|confidential|private)\b|\b(?:it's|is|that's) out now\b"
    # What the listener said.
    r"|你(?:上次|刚才|之前|昨天|前几天)?(?:说|推荐|教我?|提到|讲)过?的[那这]"
    r"|不(?:再)?是(?:什么)?秘密|不用(?:再)?(?:保密|瞒)|(?:可以|能)(?:公开|说出去|告诉(?:别人|大家))了",
    re.IGNORECASE,
)
# The words of others, and programs.
_NOT_SPOKEN = re.compile(r"[\"“”「『»«`>{}<\\=]")
# To be kept, or only asked after.
_NOT_TO_FORGET = re.compile(
    r"^(?:do|did|can) you (?:still )?(?:remember|know|recall)\b|(?:记得|记住|知道)[^，。]{0,40}[吗么呢不没吧]\W{0,3}$|"
    r"(?<!why )\b(?:never|do not|don['’]?t|must(?: not|n['’]t)|should(?: not|n['’]t))"
    r"(?: (?:you|ever|dare|please)){0,2} (?:forget|lose|drop|delete|erase)\b|"
    # What its writer does or did, or what somebody said to them.
    r"\bforget to (?!say\b)\w|\b(?:was|were|been|being|got) (?:told|asked|advised|ordered) to (?:just )?forget\b|"
    r"\b(?:told|asked|wants?|wanted|begged|urged|said to) (?:me|us|him|her|them)(?: just)? "
    r"(?:to )?(?:forget|drop|delete|erase|remove|let (?:it|that|this) go)\b|忘[了记](?:提醒|通知|告诉|叫我)|"
    r"^\W*我[又都还也]?忘[了记](?!.*吧)|^\W*(?:(?:I|we|oh|just|totally|completely) ){0,3}forgot\b|"
    r"(?:叫|让|劝|催)(?:我们?|他|她)(?:赶紧|快点?|就|都|也|别再|不要再)?(?:把.{1,12})?(?:忘|删|放下)|"
    r"(?:别|不要|不能|不许|不准|千万|勿|莫|不可)(?:把.{1,12})?(?:再|给我|就|轻易)?(?:忘|弄丢|搞丢|删|漏)",
    re.IGNORECASE,
)
# To be deleted from what is worked on.
_OF_WORK = re.compile(
    r"\b(?:from|out of|off|on|in) (?:the|this|that|these|our|my) (?:\w+ )?(?:scores?|tables?|files?|texts?|essays?|"
    r"drafts?|scripts?|code|documents?|docs?|articles?|slides?|pages?|recipes?|menus?|spreadsheets?|pictures?|photos?|sections?|"
    r"paragraphs?|folders?|translation|letter|e-?mail)\b"
    r"|从[^，。你我]{0,4}(?:谱|表|文档|文件|文章|图|照片|代码|脚本|作文|稿|页面|幻灯片|菜单|菜谱|购物|邮件|信)[^，。]{0,3}[里中上]"
    r"|把[^，。你我]{0,4}(?:谱子|表格|文档|文件夹?|文章|图片?|照片|代码|脚本|作文|稿子?|页面|幻灯片|菜单|菜谱|邮件)[里中上]",
    re.IGNORECASE,
)
# An order how to answer, and words of one that may be of what is remembered or told.
_ORDER = re.compile(
    r"(?:please |actually |from now on,? |in future,? )*(?:don['’]?t|do not|never|stop|avoid|skip|use|answer|reply|"
    r"call|always|write|speak)\b|(?:请|以后|回答时?|回复时?|你)*(?:别|不要|不用|用|叫|少|只|都|说|回答|回复|总是)",
    re.IGNORECASE,
)
_OF_MEMORY = re.compile(
    r"\b(?:remember|store|not(?:e|es|ing)|sav(?:e|ing)|keep|record\w*|forget\w*|memor\w+|log|writ(?:e|ing) down|tell|"
    r"shar(?:e|ing)|discuss\w*|know|repeat)\b|[记存忘]|告诉|外传|保密|知道",
    re.IGNORECASE,
)
_INTERJECTION = re.compile(r"\W*(?:[A-Za-z']+(?:\W+[A-Za-z']+)?|[\u4e00-\u9fff]{1,3}(?:\W+[\u4e00-\u9fff]{1,3})?)\W*")
_OWN = re.compile(r"\b(?:I|i'?m|my|we)\b|我|'", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heard:
    """Sentences of a message, word for word. `wishes` say nothing else than that something is not to be noted or told,
    `surely` are those of them that hardly say anything else; `confided` say what that is, as well; `forgets` name
    something that is to be forgotten, `may_forget` less surely. `perhaps` may be any of these."""

    wishes: frozenset[str] = frozenset()
    surely: frozenset[str] = frozenset()
    confided: frozenset[str] = frozenset()
    forgets: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    may_forget: tuple[str, ...] = ()


NOTHING = Heard()


class Hearing:
    """`classifier` gives what hears, or None where there is none (yet)."""

    def __init__(self, classifier: Callable[[], Classifier | None]) -> None:
        self._classifier = classifier

    def of(self, text: str, meant: Sequence[str] = ()) -> Heard:
        """What a message of the user asks; nothing if the classifier cannot be asked. `meant` are passages that it asks
        to remember."""
        spoken = [
            one
            for one in sentences(text)
            if not (_NOT_SPOKEN.search(one) or _MEANT.search(one))
            and not any(words in one or one in words for words in meant)
        ][:MOST_SENTENCES]
        classifier = self._classifier() if spoken and len(text) <= MOST_CHARACTERS else None
        if classifier is None:
            return NOTHING
        try:
            guesses = _guesses(classifier, spoken)
        except (EmbeddingFailed, EnvironmentFault):
            return NOTHING
        of: dict[Silence, list[str]] = {"wish": [], "confided": [], "forget": []}
        surely, perhaps, may_forget = [], [], []
        for sentence, (silence, probability) in zip(spoken, guesses, strict=True):
            if silence == "forget" and _asks_for_nothing(sentence):
                continue
            if probability >= LEAST[silence]:
                of[silence].append(sentence)
                surely += [sentence] if probability >= SURELY else []
            elif probability >= PERHAPS:
                perhaps.append(sentence)
                may_forget += [sentence] if silence == "forget" else []
        wishes = frozenset(of["wish"])
        confided, forgets = frozenset(of["confided"]), tuple(of["forget"])
        return Heard(wishes, wishes & set(surely), confided, forgets, tuple(perhaps), tuple(may_forget))


def no_wishes(taken: Sequence[Extracted]) -> list[str]:
    """Passages of what the rules took that are no wish of silence: what is to be remembered, and orders how to answer
    ("please don't use tables, I hate them")."""
    return [
        one.evidence
        for one in taken
        if one.explicit
        or (one.kind in ("preference", "style") and _ORDER.match(one.text) and not _OF_MEMORY.search(one.text))
    ]


def _asks_for_nothing(sentence: str) -> bool:
    """Whether a sentence that speaks of forgetting asks memory for nothing."""
    named = _OF_WORK.search(sentence) or _NOT_TO_FORGET.search(sentence)
    return bool(named) or sighs(sentence) or acts_instead(sentence)


def _guesses(classifier: Classifier, spoken: Sequence[str]) -> list[tuple[Silence, float]]:
    """Of each sentence; one of whose clauses is surely a wish by itself is confided; what only a clause asks to forget,
    it perhaps asks."""
    whole = classifier.silences(spoken)
    clauses = [
        (at, clause.strip())
        for at, (sentence, (silence, likely)) in enumerate(zip(spoken, whole, strict=True))
        if (likely < LEAST[silence] or silence == "forget") and len(found := _CLAUSE.split(sentence)) > 1
        for clause in found
        if clause.strip()
    ][:MOST_CLAUSES]
    of_clauses = classifier.silences([clause for _, clause in clauses]) if clauses else []
    for (at, _), (silence, likely) in zip(clauses, of_clauses, strict=True):
        perhaps = whole[at][0] != "forget" and whole[at][1] >= MAY_BE
        if silence != "forget" and likely >= (HALF if perhaps else OF_A_CLAUSE):
            whole[at] = ("confided", max(likely, CONFIDED))
        elif silence == "forget" and likely >= FORGOTTEN and whole[at][1] < LEAST[whole[at][0]]:
            whole[at] = ("forget", max(PERHAPS, whole[at][1] if whole[at][0] == "forget" else 0.0))
    return whole


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a message begin and end."""
    return (match.span() for match in _SENTENCE.finditer(text) if match[0].strip())


def says_nothing(sentence: str) -> bool:
    """Whether it is but a word or two before what is meant: "Hm.", "oops tmi.", 唉！"""
    return bool(_INTERJECTION.fullmatch(sentence)) and not _OWN.search(sentence)


def sentences(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in spans(text)]
