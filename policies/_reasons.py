"""What goes on with a wish of how to answer: why it is wished, and how much. "Don't use tables, I can't stand them",
"keep it under 100 words, I hate waffle", "shorter, please. Three sentences max"."""

from __future__ import annotations

from ._rule import any_of

_AMOUNT_ZH = r"[\d一二两三四五六七八九十百千几]+"
_UNIT = r"(?:words?|sentences?|lines?|paragraphs?|bullets?|characters)"
# An order how an answer is to be: this one, unless what the speaker likes or hates is given as the reason.
SHAPED = any_of(
    r"^(?:please )?(?:keep|make|have) (?:it|things|them|everything|that) (?:(?:nice and|a bit|very|really|more) )?"
    r"(?:short|brief|simple|plain|snappy|concise|to the point|"
    rf"(?:under|below|within|to|at|around|about|down to|no more than) (?:[\w-]+ ){{1,3}}{_UNIT})",
    r"^(?:please )?(?:get|come|go) (?:straight )?to the point",
    r"^(?:please )?(?:cut (?:out )?|spare me |skip |no |less |fewer )(?:the )?(?:waffle|waffling|fluff|padding|"
    r"rambling|chit-?chat|pleasantries|flattery|preamble)",
    rf"^(?:please )?(?:at most|max(?:imum)?|no more than|under) (?:[\w-]+ ){{1,2}}{_UNIT}$",
    rf"^(?:请)?(?:都|就|再|尽量)?(?:控制在|不超过|最多|写)?{_AMOUNT_ZH}(?:个)?(?:字|句|行|段)(?:话)?(?:以内|之内|内|左右)?$",
    r"^(?:请)?(?:说|写|讲)?(?:简短|简单|简洁|短|直接)(?:一?点|一?些)$|^(?:请)?(?:直接)?(?:说|讲)重点$|^(?:少|别)(?:说)?废话$",
)
REASON = any_of(
    r"^(?:because |since |as |cos |and )?(?:I|we) (?:(?:really|just|simply|absolutely|honestly|always) ){0,2}"
    r"(?:hate|loathe|dislike|detest|love|like|prefer|find|(?:can't|cannot|can not|couldn't) (?:stand|bear|read|see|"
    r"take|abide)|(?:don't|do not) (?:like|need|want|enjoy|use|care for)) (?:it|them|that|those|these|this)"
    r"(?: (?:so |very |really |too )?\w+| (?:any ?more|at all|either|that way|better|like that)){0,2}$",
    r"^(?:因为)?我(?:真的?|实在|就|很|最|特别|一看就|看着就?|都|非常){0,3}(?:受不了|讨厌|不喜欢|反感|烦|头疼|看不惯|喜欢)"
    r"(?:了|的)?(?:这[个些样种]?|那[个些样种]?|它们?|看)?$",
)
_MUCH = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty|a hundred|two hundred)"
# Said by itself after a wish.
MEASURE = any_of(
    r"^(?:(?:say|about|around|at most|max(?:imum)?(?: of)?|no more than|not more than|up to|under|ideally) ){0,2}"
    rf"{_MUCH}(?: (?:or|to) {_MUCH}|-{_MUCH})? (?:short )?{_UNIT}"
    r"(?:,? (?:max(?:imum)?|at most|tops|or (?:less|fewer|so)|(?:is|are) (?:enough|fine|plenty|ok)|will do|please|"
    r"each))*$",
    rf"^(?:大概|大约|最多|至多|顶多|不超过|控制在|就|每次)*{_AMOUNT_ZH}(?:[到至-]{_AMOUNT_ZH})?(?:个)?(?:字|句|行|段)话?"
    r"(?:以内|之内|以下|左右|就|可以|行|好|够|了)*$",
)
