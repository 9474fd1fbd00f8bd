"""Passwords, codes, keys, numbers of cards and papers are not noted by themselves, however they are said."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said

SECRETS = [
    "My password for the wifi is hunter2.",
    "My email password: hunter2",
    "The PIN of my card is 4821.",
    "My card is 4111 1111 1111 1111, expires 04/27.",
    "My Visa is 4111111111111111.",
    "I use the key sk-abcdEFGH1234567890abcd for the project.",
    "We decided to use the key sk-abcdEFGH1234567890abcd.",
    "The token is ghp_abcdefghijklmnopqrstuvwxyz012345.",
    "AWS: AKIAIOSFODNN7EXAMPLE is our key.",
    "My SSN is 123-45-6789.",
    "My passport number is C01X00T47.",
    "My driver's license number is D1234567.",
    "My IBAN is DE89 3704 0044 0532 0130 00.",
    "My bank account number is 12345678.",
    "My one-time code is 482913.",
    "The verification code is 482913.",
    "My 2FA code is 482913.",
    "My new PIN is 9921 now.",
    "I changed my password to hunter3.",
    "My seed phrase is apple banana cherry.",
    "postgres://admin:hunter2@db.example.org/prod is our database.",
    "The alarm code at mum's is 2290.",
    "The code for the garage is 8813.",
    "The gate code is 1984",
    "Door code for the eco club shed: 5590",
    "The door code is 4711.",
    "Our safe combination is 12-40-7",
    "4471 opens the garage",
    "To get in press 4471# at the gate",
    "门禁码是2290",
    "大门按2290进",
    "保险柜转到12-40-7就能开",
    "我家门锁码4567",
    "我的密码是hunter2。",
    "WiFi密码是sunshine88",
    "我的密码改成hunter3了",
    "我的账号是ada，密码是hunter2",
    "我的银行卡号是6222020200112233445。",
    "我的卡号是6222 0202 0011 2233 445。",
    "我的信用卡是4111111111111111。",
    "身份证：11010119900307123X",
    "我身份证是11010119900307123X",
    "我的护照号是E12345678。",
    "我的社保号是123456789",
    "验证码是482913。",
    "动态码是482913",
    "我的API密钥是sk-abcdEFGH1234567890abcd",
    "我的助记词是苹果 香蕉 樱桃",
    "我的PIN是4471",
]


def noted(policies: Policies, text: str) -> list[tuple[str, bool]]:
    """Without what is kept only in the place of what somebody asked to have remembered."""
    found = policies.importance(Said("user", text, 1_780_000_000.0, 1), ())
    return [(one.text, one.explicit) for one in found if not (one.replaces and (one.importance or 0) <= 0.3)]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_not_noted_by_itself(policies: Policies, text: str) -> None:
    assert noted(policies, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Please remember: my PIN is 4821.",
        "Remember that my card is 4111 1111 1111 1111.",
        "记住，我的密码是hunter2。",
        "请记住我的身份证号是11010119900307123X",
        "My PIN is 4821, please remember it.",
        "The door code is 4711. Don't forget that!",
        "My card is 4111 1111 1111 1111. Can you remember that for me?",
        "My passport number is C01X00T47, keep it in mind",
        "家里wifi密码是abc12345，记住",
        "我的PIN是4471，帮我记一下",
        "我的护照号是E12345678。麻烦记住。",
        "I want you to remember my PIN: 4821",
        "Make a note of my PIN, 4821",
        "Store my card number 4111 1111 1111 1111",
        "My PIN's 4821 (remember it)",
        "把门禁码2290记下来",
        "请保存我的身份证号11010119900307123X",
        "给我记住，密码abc123",
        "我WiFi密码是sunshine88你记一下",
    ],
)
def test_what_somebody_asks_to_have_remembered_is_kept(policies: Policies, text: str) -> None:
    ((kept, explicit),) = noted(policies, text)
    assert explicit and kept in text
    assert not any(asks in kept.lower() for asks in ("remember", "forget", "mind", "记"))


@pytest.mark.parametrize(
    "text",
    [
        "My PIN is 4471, do you remember that?",
        "My PIN is 4471, I can never remember it",
        "My PIN is 4471, my wife remembers it",
        "She said: my PIN is 4471, remember that",
        "Translate this: my PIN is 4471, remember that",
        "Store my API key in the environment of server 3",
        "How do I save my PIN in Chrome?",
        "我的PIN是4471，我老记不住",
        "我把密码4471记在本子上了",
        "我的PIN是4471，记住了吗",
        "我密码是abc12345，我记住了",
    ],
)
def test_but_not_what_somebody_only_says_to_be_remembered(policies: Policies, text: str) -> None:
    assert noted(policies, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My passport expires in May 2030.",
        "My phone number is +49 170 1234567890.",
        "My phone number is 13800001234.",
        "The router is 192.168.7.1.",
        "My birthday is 1990-03-07.",
        "I like card games.",
        "My order number is 123456.",
        "我的手机号是13800001234。",
        "我的工号是9921",
        "我喜欢打牌。",
    ],
)
def test_what_opens_nothing_is_noted(policies: Policies, text: str) -> None:
    assert noted(policies, text)


@pytest.mark.parametrize(
    "text",
    [
        "My area code is 0161",
        "my code is 1200 lines long",
        "the course code is 4410",
        "The safe costs 1200 euros",
        "My flat is 120 square metres",
        "我家门牌号是2290",
        "我的车库有 120 平米",
        "我的邮编是200030",
    ],
)
def test_a_number_that_opens_nothing_is_noted(policies: Policies, text: str) -> None:
    assert noted(policies, text)


@pytest.mark.parametrize(
    "text", ["The alarm code for the shop is 5508 and the safe is 23-17-44.", "The safe at home opens with 12-34-56."]
)
def test_what_opens_a_safe_is_not_noted(policies: Policies, text: str) -> None:
    found = policies.importance(Said("user", text, 1_773_223_200.0, 9), ())
    assert [one for one in found if not one.replaces] == []
