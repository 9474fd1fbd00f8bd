"""A message that takes back the one before it in its thread: "don't remember that", "scratch that", "just kidding",
别记这个, 忘了吧. English and Chinese. No I/O of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from localagent.courtesy import AS_UNSAID_ZH, PLEASE, PLEASE_ZH
from localagent.excepted import excepted
from localagent.forgetting import MOST_CHARACTERS, Request, asked_to_forget
from localagent.heard import NOTHING, Heard, says_nothing, sentences
from localagent.joking import jokes_about, only_a_joke
from localagent.let_go import let_go
from localagent.memory.base import StoredMessage
from localagent.memory.entries import Memories, Memory
from localagent.memory.filters import Condition
from localagent.named_freely import is_stated, names_something, only_named
from localagent.noted import has
from localagent.repetitions import said_after
from localagent.spoken import spoken
from localagent.spoken_of import NOTHING_OF_BEFORE, SpokenOf, spoken_of
from localagent.unsaid import alone_of_what_was_said, announces, not_to_note, repeats
from localagent.written import Unclear

# Entries of one thread that are looked through.
MOST_OF_A_THREAD = 200

_LEAD = (
    r"(?:(?:oh(?: no| dear| god)?|"
    r"no|wait|oops|whoops|hmm+|hm|uh|um|ah|well|yeah|hold on|never ?mind|on second thoughts?|thinking about it|"
    r"you know what|my mistake|come to think of it)[\s,.!…—–-]*+){0,4}+"
)
_SAID = r"I(?:'ve| have)?(?: (?:just|ever))? (?:said|told you|wrote|mentioned|typed|shared)"
_WHAT_I_SAID = (
    rf"(?:(?:what(?:ever)?|everything|all(?: that)?|(?:that|the)(?: last)? (?:thing|bit|part|message|sentence)) {_SAID}"
    r"|(?:the|my|that) (?:last|previous) (?:message|sentence|remark|statement|thing|bit|part)|any of (?:that|this))"
    r"(?: just now| a moment ago| before)?"
)
# Of a text that is worked on, they mean its last sentence.
_LAST_ONE = (
    r"(?:forget|scratch|strike|undo|delete|erase|remove|wipe|drop|discard|retract|scrub|cancel|scrap)(?: about)? "
    r"(?:that|the|my|your)(?: very)? (?:last|previous) "
    r"(?:one|bit|part|thing|entry|note|message|sentence|remark|statement)"
)
_TAIL = (
    r"(?:,? (?:please|thanks|thank you|ok(?:ay)?|though|after all|either|any ?more|from now on|for me|again|will you|"
    r"would you|actually|down|anywhere|in (?:your )?(?:memory|notes)|from (?:your )?(?:memory|notes)))*\W*"
)
_DO_NOT = (
    r"(?:(?:don't|dont|do not|never|(?:you )?(?:should not|shouldn't|must not|mustn't|"
    r"(?:don't|do not) (?:have|need) to)|"
    r"(?:there(?:'s| is) )?no need (?:for you )?to|I(?:'d| would) (?:rather|prefer it if) you (?:didn't|did not)|"
    r"I(?: don't| do not) want you to|I(?:'d| would) rather you not)"
    r" (?:(?:remember|memori[sz]e|keep|save|store|note|record|log|write down|hold on to)|(?:make|take|keep) (?:a )?"
    r"(?:note|record) of))"
)
_BACK = re.compile(
    rf"\W*+{_LEAD}{PLEASE}(?:"
    rf"{_DO_NOT} (?:that|this|it|{_WHAT_I_SAID})"
    rf"|(?:forget|un-?remember|scratch|strike) (?:that|this|{_WHAT_I_SAID})|{_LAST_ONE}"
    rf"|forget (?:about {_WHAT_I_SAID}|(?:that )?{_SAID}(?: (?:that|this|it|so|anything))?)"
    rf"|(?:delete|erase|remove|wipe|drop) (?:that|this|it|{_WHAT_I_SAID}) from (?:your |the )?(?:memory|memories|notes)"
    r"|(?:delete|erase|remove|wipe|drop|discard|retract) "
    r"(?:what|whatever|everything|all(?: that)?) I(?:'ve| have)? just (?:said|told you|shared)"
    rf"|(?:leave|keep) (?:that|it|{_WHAT_I_SAID}) out of (?:your |the )?(?:memory|memories|notes)"
    rf"|(?:I )?take (?:that|it|this) back|pretend (?:that )?I (?:never|didn't) (?:say|said|tell you|mention(?:ed)?)"
    rf"(?: (?:that|this|it|anything))?){_TAIL}",
    re.IGNORECASE,
)
_LEAD_ZH = r"(?:(?:哎呀?|唉|等等|等一下|不对|算了|对了|不好意思|抱歉|还是|那|嗯|呃|其实)[，,。！!… ]*+){0,4}+"
_THAT_ZH = (
    r"(?:(?:我|你)?(?:刚才?|刚刚|上面|前面|方才|上一?(?=[条句])){1,2}(?:我)?(?:说|讲|提|告诉你|写|发)?(?:过|到)?(?:的|那|这|条|句|个|"
    r"些|件|消息|内容|话|事情?|东西)*|(?:我)?(?:说|讲|提到|告诉你)的(?:那|这)?(?:句|个|些|件)?(?:话|事情?|东西)?|"
    r"[这那](?:个|件|条|句|些|一?点)?(?:话|事情?|消息|内容|东西)?|它)"
)
_NOT_ZH = r"(?:你?(?:也|都|就|可|千万|最好)*(?:别|不要|不用|不必|甭|请勿|勿|无需|不需要)(?:再|帮我|给我|替我|去)*)"
_NOTE_ZH = r"(?:记(?:住|下来?|录(?:下来)?|着|在心[里上]|进去)?|保存|存(?:下来?|起来)?|留(?:着|下来?)?|保留)"
_FORGET_ZH = r"(?:忘(?:掉|了|记)|删(?:掉|了|除)|抹掉|清除)"
_LAST_MESSAGE_ZH = (
    r"我?(?:上一?[条句]|最后(?:那)?一?[条句]|刚[才刚]?(?:的|那)一?[条句]|刚[才刚]?发的)(?:那[条句])?(?:消息|信息|话)?"
)
# Alone it may be of work as well.
_UNDO_ZH = r"撤[回销]"
_TAIL_ZH = r"(?:了|吧|哦|啊|哈|呀|喔|嘛|啦|就好|就行|好吗|好不好|可以吗|谢谢|[，,。.！!~ ]|就当(?:我)?没说过?)*"
_BACK_ZH = re.compile(
    rf"\W*+{_LEAD_ZH}{PLEASE_ZH}(?:"
    rf"{_NOT_ZH}{_NOTE_ZH}{_THAT_ZH}|{_THAT_ZH}[，, ]?{PLEASE_ZH}{_NOT_ZH}{_NOTE_ZH}"
    rf"|{_NOT_ZH}把{_THAT_ZH}{_NOTE_ZH}|{_NOT_ZH}(?:记(?:住|下来?|录)?|保存|存(?:下来?|起来))"
    rf"|(?:把)?{_THAT_ZH}[，, ]?{PLEASE_ZH}(?:都|全|给我)*(?:忘(?:掉|了|记)|从(?:你的)?记忆(?:里|中)?{_FORGET_ZH})"
    rf"|(?:把)?{_LAST_MESSAGE_ZH}[，, ]?{PLEASE_ZH}(?:都|全|给我)*(?:{_FORGET_ZH}|删|撤[了回销]?|作废|不算数?)"
    rf"|(?:{_FORGET_ZH}|撤[回销]){_LAST_MESSAGE_ZH}|{_UNDO_ZH}"
    rf"|忘(?:掉|了|记){_THAT_ZH}|忘(?:掉|了)(?=[吧！!，,])|忘掉|(?:{_THAT_ZH})?{AS_UNSAID_ZH}"
    rf"){_TAIL_ZH}"
)
# May be of a text that is worked on.
_OF_A_TEXT = re.compile(
    rf"\W*{PLEASE_ZH}{_UNDO_ZH}{_TAIL_ZH}|\W*+{_LEAD}{PLEASE}(?!forget|scratch|strike){_LAST_ONE}{_TAIL}", re.IGNORECASE
)
# Not all of the message before, but its end.
_ITS_END = re.compile(r"\blast (?:bit|part|sentence)\b|最后一?[句点段]|后面?那?一?[句点]", re.IGNORECASE)
# Of what was said before, not of what comes.
_POINTS_BACK = re.compile(
    r"\b(?:that|it|last|previous|earlier|just now|said|told|mentioned|typed|wrote|remark|message)\b(?!.*\bthis\b)"
    r"|那|刚|上面|上[一]?[句条]|前[面头]?一?[句条]|方才|[头頭]先|^(?!.*[这這]).*[说說讲講话話没沒]",
    re.IGNORECASE,
)
# Of whom not to speak; what is known of them may be more than the message before.
_OF_SOMEBODY = re.compile(
    r"\b(?:bring|mention|discuss|about|of) (?:him|her|them)\b|[提说讲聊谈][起到及]?[他她]", re.IGNORECASE
)
# What somebody else said or did.
_OF_ANOTHER = re.compile(r"^(?:[他她]们?|人家|别人)(?:[说讲]|的话|[^，。]{0,4}当)")
_FIRST_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!。！\n]*")


@dataclass(frozen=True, slots=True)
class TakenBack:
    """`asked`: the words that take back, "" where none do; `going`: the entries of the message before; `passages`: with
    ids of messages, what is not recalled any more (of a joke nothing but what its entries say); `before`: what the
    message before says, "" where there is none. `heard`: what the message asks in words that are not known; `sure`:
    whether it is sure enough to put something away; `named`: what its wishes name of what was said before; `asks`:
    its requests to forget in known words."""

    asked: str = ""
    going: tuple[Memory, ...] = ()
    passages: tuple[tuple[int, str], ...] = ()
    joke: bool = False
    before: str = ""
    heard: Heard = NOTHING
    sure: bool = True
    named: SpokenOf = NOTHING_OF_BEFORE
    asks: tuple[Request, ...] = ()

    def beside(
        self, memories: Memories, message: StoredMessage, earlier: Sequence[StoredMessage], unsaid: Sequence[str]
    ) -> TakenBack:
        """With what its wishes (`unsaid` and others) name of the messages before; where it takes one of them back, that
        says it all."""
        if self.asked or message.message.role != "user" or message.status != "complete":
            return self
        text = spoken(message).text
        # What a request names in known words is found among all entries.
        plain = [one.asked for one in self.asks if one.named not in ("free", "quiet", "own")]
        wishes = [*unsaid, *self.heard.forgets, *jokes_about(text)]
        heard = [one for one in wishes if not any(asked in one or one in asked for asked in plain)]
        named = spoken_of(memories, message, earlier, heard)
        return replace(self, named=named, passages=(*self.passages, *named.passages))

    def open(self, requests: Sequence[Request]) -> list[Request]:
        """Those that ask for more than these wishes put away."""
        return [one for one in requests if one.named not in ("free", "quiet") or not self.named.has(one.asked)]

    @property
    def put_away(self) -> list[tuple[Memory, str]]:
        """The entries, each with the words that ask for it."""
        return [*((memory, self.asked) for memory in self.going if self.sure), *self.named.going]

    @property
    def unclear(self) -> tuple[Unclear, ...]:
        """Where it puts no entry away, what it means."""
        if self.joke or not self.asked or (self.going and self.sure):
            return self.named.unclear
        if self.going:
            return (Unclear(self.asked, self.going),)
        return (Unclear(self.before or self.asked, (), self.passages, before=True),)

    def unsaid(self, text: str) -> list[str]:
        """What else a message asks not to note."""
        found = not_to_note(text if self.joke else text.replace(self.asked, "", 1), self.heard)
        return [one for one in found if _names_nothing(one)]

    def requests(self, text: str) -> list[Request]:
        """What else it asks to forget."""
        unsaid = self.unsaid(text)
        found = [one for one in self.asks if not self.asked or one.asked not in self.asked]
        found = [one for one in found if one.asked not in unsaid or let_go(one.asked) is None]
        known = [self.asked, *(one.asked for one in found), *unsaid]
        heard = [_with_what_it_means(text, sentence) for sentence in self.heard.forgets]
        new = [asked for asked in heard if not any(one and (one in asked or asked in one) for one in known)]
        found += [Request(one, (named := excepted(one))[0], "free", told=True, but=named[1]) for one in new]
        asked = [self.asked, *(one.asked for one in found)]
        quiet = [(one, about) for one in sentences(text) if one in self.heard.confided and (about := only_named(one))]
        # "Never mind the birthday, scrub that": what it names was said before.
        others = [
            *(Request(one, about, "quiet") for one, about in quiet),
            *(Request(one, one, "perhaps", asks=True) for one in self.heard.may_forget if one not in unsaid),
        ]
        return found + [
            one for one in others if not any(other and (one.asked in other or other in one.asked) for other in asked)
        ]


def _names_nothing(wish: str) -> bool:
    """Whether a wish not to note names nothing that is known: of what it says itself (小孟有抑郁症，就当我没说), not of
    体重就当我没提."""
    named = let_go(wish)
    return named is None or is_stated(named.about)


def takes_back(text: str) -> str:
    """The first sentence of a message, if it says nothing but that the message before is not to be remembered."""
    if len(text) > MOST_CHARACTERS:
        return ""
    first = _FIRST_SENTENCE.match(text)
    sentence = first[0] if first is not None else text
    plain = sentence.replace("’", "'")
    if _BACK.fullmatch(plain) or _BACK_ZH.fullmatch(plain):
        # "Don't remember this. My PIN is ...": of what follows.
        leads_on = re.search(r"\bthis\b|这", plain) and re.search(r"\w", text[len(sentence) :])
        return "" if leads_on else sentence.strip()
    whole = text.strip()
    return whole if alone_of_what_was_said(whole) else ""


def _heard(text: str, heard: Heard) -> str:
    """The same, in words that are not known."""
    said = [one for one in sentences(text) if one in heard.wishes or not says_nothing(one)]
    if not said or said[0] not in heard.wishes or _OF_ANOTHER.match(said[0]) or announces(text, heard):
        return ""
    if heard.wishes.issuperset(said):
        return text.strip()
    return said[0] if _POINTS_BACK.search(said[0]) else ""


def _with_what_it_means(text: str, sentence: str) -> str:
    """With the sentence before it, where the sentence itself names nothing: "My old flat. You can bin that one now."""
    said = sentences(text)
    at = said.index(sentence) if sentence in said else 0
    if not at or names_something(sentence):
        return sentence
    first = text.index(said[at - 1])
    return text[first : text.index(sentence, first) + len(sentence)]


def last_turn(earlier: Sequence[StoredMessage]) -> tuple[list[StoredMessage], int | None]:
    """Messages that are not taken back, and the place of the user's last one among them."""
    turns = [one for one in earlier if one.status != "undone"]
    return turns, next((at for at in range(len(turns) - 1, -1, -1) if turns[at].message.role == "user"), None)


def made_of(memories: Memories, message: StoredMessage) -> list[Memory]:
    """Active entries that come from a message, the newest first."""
    found = memories.select(Condition("thread_id", "$eq", message.thread_id), limit=MOST_OF_A_THREAD)
    return [memory for memory in found if memory.message_id == message.id]


def taken_back(
    memories: Memories, message: StoredMessage, earlier: Sequence[StoredMessage], heard: Heard = NOTHING
) -> TakenBack:
    """What a message of the user takes back."""
    asks = tuple(asked_to_forget(spoken(message).text)) if message.message.role == "user" else ()
    return replace(_taken_back(memories, message, earlier, heard, bool(asks)), asks=asks)


def _taken_back(
    memories: Memories, message: StoredMessage, earlier: Sequence[StoredMessage], heard: Heard, asks: bool
) -> TakenBack:
    text = spoken(message).text
    joke = only_a_joke(text)
    known = text.strip() if joke else takes_back(text)
    asked = known or ("" if asks else _heard(text, heard))
    sure = bool(known and not _OF_SOMEBODY.search(known)) or (
        bool(heard.surely.intersection(sentences(asked))) and bool(_POINTS_BACK.search(asked))
    )
    if not asked or message.message.role != "user" or message.status != "complete":
        return TakenBack(heard=heard)
    turns, at = last_turn(earlier)
    # What is only heard may be of what follows as well.
    of_what_follows = not known and asked != text.strip()
    if at is None:
        return TakenBack("" if of_what_follows else asked, joke=joke, heard=heard)
    last, words = turns[at], spoken(turns[at]).text.strip()
    if not joke and _ITS_END.search(asked):
        words = sentences(words)[-1]
    made = [memory for memory in made_of(memories, last) if has(words, memory.evidence)]
    going = tuple(memory for memory in made if not said_after(memories, memory, message))
    if joke:
        return TakenBack(asked, going, joke=True, before=words, heard=heard)
    if not going and (of_what_follows or _OF_A_TEXT.fullmatch(asked)):
        return TakenBack(heard=heard)
    if going and not sure:
        return TakenBack(asked, going, heard=heard, sure=False)
    answers = (one for one in turns[at + 1 :] if one.message.role == "assistant")
    again = [(one.id, sentence) for one in answers for sentence in repeats(words, spoken(one).text)]
    return TakenBack(asked, going, ((last.id, words), *again, (message.id, asked)), before=words, heard=heard)
