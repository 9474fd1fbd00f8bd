"""What opens something or stands for somebody: passwords, codes, keys, numbers of cards and papers. The rules note none
of it by themselves; what somebody asks to have remembered is kept. English and Chinese."""

from __future__ import annotations

import re

# Spoken of: no fact about it is noted; nor anything else that gives its value.
_SPOKEN_OF = re.compile(
    r"(?<![A-Za-z\d])(?:passwords?|passphrase|passcode|(?:api|secret|private|access) key|"
    r"(?:access|api|auth|bearer) token|cvv|cvc|pin(?: code)?|puk|social security|ssn|credit card|debit card|otp|"
    r"(?:one[- ]time|verification|confirmation|authenticat(?:ion|or)|recovery|backup|security|2fa|mfa|login) codes?|"
    r"(?:seed|recovery) phrase|iban|(?:bank )?account number|routing number|"
    r"(?:passport|identity card|id(?:entity)?(?: card)?|driver'?s? licen[cs]e|driving licen[cs]e|tax(?:payer)?(?: id)?|"
    r"(?:health |social )?insurance|card) (?:number|no\.?)|tax id)(?![A-Za-z\d])"
    r"|密码|口令|密钥|验证码|动态[码口]|校验码|助记词|私钥|(?:身份证|护照|驾照|驾驶证|社保卡?|医保卡?|银行卡|信用卡|银行账|银行帐|卡|税)号"
    r"|纳税人识别号",
    re.IGNORECASE,
)
# A number of its own, called by what it opens or by nothing: the code of the post, of a course or of an error opens
# nothing.
_OPENED = (
    r"(?:doors?|gates?|garages?|alarms?|safes?|sheds?|lockers?|locks?|padlocks?|keypads?|key ?(?:safe|box)|lockbox|"
    r"suitcase|building|flat|entrance|entry|lobby|barrier|vault|intercom|cabinet)"
)
_NO_KEY = "".join(
    rf"(?<!\b{one} )"
    for one in (
        *(
            "post",
            "zip",
            "area",
            "error",
            "exit",
            "status",
            "source",
            "country",
            "course",
            "tax",
            "colour",
            "color",
            "postal",
        ),
        *("module", "product", "promo", "discount", "voucher", "dialling", "dialing", "booking", "reference"),
        *("http", "qr", "bar", "dress", "size", "bus", "icd", "student", "team", "sort"),
    )
)
_NUMBER = r"(?:[A-Za-z]?\d[\d -]{1,14}\d[A-Za-z#*]?|\d{3,12}[#*]?)"
_NO_MORE = r"(?=\W*$|[,.;!)]| (?:and|but|so|if|in case|now|as|at|since)\b)"
_OPENS = re.compile(
    rf"{_NO_KEY}\b(?:codes?|combination|combo)(?: (?:for|to|of|on|at|in|from)(?: [\w'’-]+){{1,5}}?)?"
    rf"(?: (?:is|was|are)(?: now| still)?|\s?[:=–—-]) ?{_NUMBER}{_NO_MORE}"
    rf"|\b(?:{_OPENED} code|combination|combo) {_NUMBER}{_NO_MORE}"
    rf"|\b{_NUMBER} (?:is|opens|unlocks|gets (?:you|us|me) (?:in|into|through))\b[^,.;]{{0,30}}\b"
    rf"(?:{_OPENED}|{_NO_KEY}code|combination)\b"
    rf"|\b(?:press|enter|punch in|key in|type(?: in)?|dial) {_NUMBER} (?:at|on|to|for|into)\b[^,.;]{{0,30}}\b"
    rf"(?:{_OPENED}|get in|open)\b"
    r"|\b(?:gate|garage|alarm|safe|locker|padlock|keypad|lockbox) (?:is|was|are)(?: now| still)? "
    r"(?:\d{4,8}|\d{1,3}(?:[- ]\d{1,3}){2,4})[#*]?(?=\W*$|[,.;!)])"
    rf"|\b{_OPENED}(?: [\w'’-]+){{0,3}} (?:opens|unlocks) with {_NUMBER}"
    r"|(?:门禁?|锁|柜|库|箱|院|报警器?|警报|防盗|解锁|入户|进门|取[件货餐]|提取)的?(?:数字|开[门锁])?(?:码|暗号)"
    r"[^，。\d]{0,6}[A-Za-z]?\d[\d-]{2,}"
    r"|[门锁柜库箱][^，。\d]{0,6}(?:输入?|按|拨到?|转到?)\s?\d[\d#*-]{2,}",
    re.IGNORECASE,
)
# By their shape alone: numbers of cards, accounts and papers, keys, addresses with a password.
_VALUE = re.compile(
    r"(?<![A-Za-z\d.-])(?:\d(?:[ -]?\d){12,18}|\d{17}[\dXx]|\d{3}-\d{2}-\d{4})(?![A-Za-z\d-])"
    r"|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
    r"|\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bAKIA[0-9A-Z]{12,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bhf_\w{20,}|\bnpm_\w{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|(?<=://)[^\s/:@]{1,100}:[^\s/@]{1,100}@|\b0x[0-9a-fA-F]{40,}\b"
)
_GIVEN = re.compile(r"(?:\b(?:is|was|to|as)\b|[=:：是为成])\s?[\"'“]?[^\s，。,]{0,20}\d", re.IGNORECASE)
# Those that begin with a country's code are as long.
_PHONE = re.compile(r"\+\d[\d ()-]{6,20}")


def secret(words: str, kind: str) -> bool:
    """Whether a clause holds what no rule may note of its own accord, as an entry of this kind."""
    if _VALUE.search(_PHONE.sub("", words)) or opens(words):
        return True
    return bool(_SPOKEN_OF.search(words)) and (kind in ("fact", "profile") or bool(_GIVEN.search(words)))


def opens(words: str) -> bool:
    """Whether it gives the number that opens something."""
    return bool(_OPENS.search(words))
