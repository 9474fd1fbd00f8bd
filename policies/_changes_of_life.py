"""A new employer and a home that stays, as told in one sentence that says that something else held, or was planned,
before: "I changed jobs, I'm at ... now", "我换工作了，去了…"."""

from __future__ import annotations

from ._rule import Rule, any_of

_COMPANY = r"(?:an? (?:[\w-]+ ){0,2}(?:startup|start-up|company|firm|agency) (?:called|named) )?(?-i:[A-Z])\w"
_LEFT = (
    r"\b(?:(?:chang|switch)\w* jobs|(?:got|found|have|started) a new job|left (?:my (?:old )?job|(?-i:[A-Z])\w+)|"
    r"quit (?:my job|(?-i:[A-Z])\w+)|resigned|(?:don't|do not|no longer) work\b)"
)
_LEFT_ZH = (
    r"我(?:们)?[^，。]{0,8}?(?:换了?(?:一?[份个])?(?:新)?工作|跳槽|离职|辞职|"
    r"不在[^，。]{1,10}?(?:了|上班|工作|干))[^，。]{0,3}"
)
# Whoever left goes on a journey, or studies.
_NO_EMPLOYER_ZH = r"(?![^，。]{0,8}(?:旅|玩|度假|读|留学|学校|休息|找|面试|散心|家(?:里|$)))"

NEW_JOB = Rule("profile", any_of(
    rf"{_LEFT}[^.;!?]{{0,40}}?(?:,| and| -| –|;) (?:and |so )?(?:now )?"
    rf"I(?:'m| am| have|'ve)? (?:now )?(?:(?:work(?:ing)?|start(?:ed)?) (?:at|for|with)|at|with|joined) {_COMPANY}",
    rf"\bI(?:'ve| have)? (?:just |recently )*(?:got|found|started|have|took) (?:a |my )(?:new )?job (?:at|with) "
    rf"{_COMPANY}",
    rf"\bI(?:'ve| have)? (?:just |recently )*(?:started (?:working )?|switched (?:jobs )?)(?:at|to) {_COMPANY}[^,.;]*"
    r"\bas an? ",
    rf"{_LEFT_ZH}[，,](?:我)?(?:现在|目前|已经|刚|就)*(?:去了?|到了?|加入了?|入职了?|进了?|"
    rf"在){_NO_EMPLOYER_ZH}\w{{2,}}",
    rf"我[^，。]{{0,6}}跳槽(?:到|去)了?{_NO_EMPLOYER_ZH}\w{{2,}}",
    rf"我(?:[^，。]{{0,6}}入职了|(?:刚刚?|已经|最近|上个?(?:周|月)|昨天){{1,2}}入职){_NO_EMPLOYER_ZH}(?!体检|手续|"
    rf"培训|前|后|时|一|两|三|半|的)\w{{2,}}",
), 0.85, any_of(r"\b(?:if|might|may|almost|used to)\b", r"如果|差点|可能|打算|准备|想|要不"))  # fmt: skip

STAYS = Rule("profile", any_of(
    r"\b(?:never mind|scratch that|forget it|change of plans?|on second thoughts?|not moving(?: after all)?)"
    r"\b[^.?]{0,12}?"
    r"\bI(?:'m| am) (?:still )?(?:staying|living) (?:in|at) (?-i:[A-Z])",
    r"\bI(?:'m| am) staying (?:in|at) (?-i:[A-Z])[\w ]{1,24}? after all\b",
    r"^(?:算了|不搬了|我不搬了|改主意了)[，,]?我?(?:还是|就|继续)*(?:住在|留在)(?!家|这|那|酒店)\w{2,}",
    r"我(?:决定)?(?:还是|继续)(?:住在|留在)(?!家|这|那|酒店|学校)\w{2,}(?:不搬|吧|了|$)",
), 0.85)  # fmt: skip

_IS_NOW = r"(?:,|;| -| –|:)? (?:and |so )?(?:it's|it is|its now|now it's|the new (?:one|\w+) is(?: now)?|which is)"
_IS_NOW_ZH = r"(?:了|过了)?[，,、：:](?:现在|新的?[\u4e00-\u9fff]{0,3}|改)(?:是|为|叫|成)?"
_VALUE = r"[：:]? ?(?=[\w +@.-]*(?:[\d@]|(?-i:[A-Z])))\S"
# What has another value, and which: in one sentence.
RENEWED = Rule("profile", any_of(
    rf"^(?:I|we)(?:'ve| have)? (?:just |recently )?(?:(?:changed|switched|updated) (?:an?|my|our|the)|(?:got|"
    rf"have) an?)(?: new)? "
    rf"[\w' -]{{3,30}}?{_IS_NOW}{_VALUE}",
    rf"^(?:my|our) [\w' -]{{3,40}}? (?:has |have |was |is |just )*changed{_IS_NOW}{_VALUE}",
    rf"^(?:我们?|家里)(?:刚|最近|又|已经)*(?:换|"
    rf"改)了?(?:一?个)?新?的?[\u4e00-\u9fffA-Za-z-]{{2,8}}?{_IS_NOW_ZH}{_VALUE}",
    rf"^我们?家?的?[\u4e00-\u9fffA-Za-z-]{{2,8}}?(?:刚|又|已经)*(?:换|改|变){_IS_NOW_ZH}{_VALUE}",
), 0.85, any_of(r"\b(?:if|job|mind|topic|subject)\b", r"如果|打算|想|要不|工作|主意|话题"))  # fmt: skip

WHOLE: tuple[Rule, ...] = (NEW_JOB, STAYS, RENEWED)
