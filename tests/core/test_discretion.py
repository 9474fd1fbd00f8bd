"""Whoever asks for discretion is taken at their word: what they say is neither noted nor recalled elsewhere."""

from __future__ import annotations

import pytest
from talking import Talk
from test_forgetting import passages_of

from localagent.discretion import discretion
from localagent.messages import assistant

ASKED = [
    "Keep this private: I see a therapist.",
    "Between us, I hate my job.",
    "Just between you and me, Mark is leaving.",
    "Don't tell anyone, but Mark is leaving",
    "Don't tell anyone that Mark is leaving.",
    "Please don't tell anybody: I'm pregnant.",
    "Please keep this to yourself: we are being sold.",
    "This is confidential: the merger is in May.",
    "This is a secret, I applied at Siemens.",
    "It's a secret - I applied at Siemens.",
    "Confidentially, my boss drinks.",
    "In confidence: my boss drinks.",
    "Strictly confidential: the price is 4 million.",
    "I'm telling you this in confidence: my salary is 4200 euros.",
    "Not a word to anyone, but we're moving to Rome.",
    "Please don't share this with anyone, my code is 4411.",
    "Nobody must know that, but... I voted for Bo.",
    "Nobody should know about this: I failed the exam.",
    "This stays between us: I failed the exam.",
    "Promise not to tell anyone: I failed the exam.",
    "Promise me you won't tell anyone, I failed the exam.",
    "Can you keep a secret? I'm pregnant.",
    "Let me tell you a secret: I don't like my sister.",
    "Mark is leaving, but don't tell anyone.",
    "Mark is leaving, keep it to yourself.",
    "Mark is leaving (this is confidential).",
    "Mark is leaving and nobody may know about it.",
    "I'm pregnant, please keep this between us!",
    "My salary is 4200 euros, but that's confidential.",
    "We bought her a ring, don't tell her.",
    "Don't tell my wife, but I bought a boat.",
    "Don't tell Anna, we're planning a party for her.",
    "I'm seeing a lawyer, and this is between us.",
    "psst, don't tell anyone but I'm in love with Bo",
    "Could you keep this between us? I lost the contract.",
    "Keep my diagnosis to yourself: I have diabetes.",
    "Don't mention this to anyone: I was in prison.",
    "Don't let anyone know, I was in prison.",
    "You must not tell anyone that I was in prison.",
    "I was in prison, so please don't repeat that.",
    "Let's keep this between ourselves: I failed.",
    "For your ears only: I failed.",
    "What I'm about to tell you stays between us: I failed",
    "Don't let this get out, I failed",
    "Swear you won't tell anyone: I failed",
    "I don't want anyone to know, but I failed.",
    "Please be discreet: I failed.",
    "Please treat this as confidential: I failed",
    "Please treat this confidentially, I failed.",
    "This must not get out: I failed.",
    "You're the only one who knows this: I failed.",
    "I failed, and you are the only one I've told.",
    "Oh, and please don't say a word about this to anyone: I failed.",
    "别告诉别人，小王要离职了",
    "不要告诉任何人：我怀孕了。",
    "小王要离职了，别告诉别人",
    "这是秘密，我在面试谷歌。",
    "这是个秘密：我在面试谷歌。",
    "小王要离职了，这事要保密。",
    "请保密：公司要被收购了。",
    "公司要被收购了，请帮我保密",
    "别说出去，我离婚了",
    "我离婚了，千万别说出去啊",
    "只有你知道，我得过抑郁症。",
    "这件事只有你我知道，我得过抑郁症。",
    "你知我知，我讨厌老板。",
    "我只告诉你一个人，我中奖了",
    "悄悄告诉你，我中奖了",
    "告诉你个秘密，我中奖了",
    "咱俩之间说，老板要走了",
    "我们之间的秘密：我喜欢小美",
    "别让别人知道，我在看心理医生",
    "不能让我妈知道，我辞职了",
    "别告诉我妈，我辞职了",
    "别告诉小李，我们要给他办派对",
    "不要跟别人说，我工资是两万",
    "我工资是两万，不要跟别人讲",
    "谁都别说，我要结婚了",
    "我要结婚了，对谁都别说",
    "替我保密，我欠了十万",
    "此事不要外传：公司要裁员",
    "公司要裁员，请勿外传。",
    "你能保守秘密吗？我怀孕了。",
    "这是我的隐私，我有艾滋病。",
    "我不想让别人知道，我没考上",
    "请不要透露给别人：我没考上",
    "别跟任何人提，我没考上",
    "请替我保守秘密，我没考上",
    "绝密：我没考上",
    "这事就咱俩知道，我没考上",
    "我没考上，这事你烂在肚子里",
    "谁也别告诉，我没考上",
    "别和别人说，我没考上",
    "此事保密：我没考上",
    "我没考上，别跟我爸妈说",
    "我没考上，不想让人知道",
    "偷偷跟你说，我没考上",
]
NOT_ASKED = [
    "I was told not to tell anyone.",
    "My sister can't keep a secret.",
    "The secret of good bread is time.",
    "I told Bo a secret yesterday.",
    "Don't tell me the ending.",
    "Don't tell me what to do.",
    "Between us and them there is a wall.",
    "Between us we have five children.",
    "Between us, we have five children.",
    "This is a private company in Oslo.",
    "This is private property, I live next to it.",
    "The private key is in the safe.",
    "Keep private methods private.",
    "Create a repo and keep it private.",
    "The children sleep, keep it quiet.",
    "Is this confidential?",
    "How do I keep this private?",
    "Don't share my screen.",
    "Don't share it.",
    'She said, "don\'t tell anyone."',
    "I haven't told anyone yet, but I'm quitting.",
    "Nobody knows yet, but I'm pregnant.",
    "He asked me: don't tell anyone.",
    "My mother told me, don't tell anyone.",
    "I keep my diary in a secret drawer.",
    "In private I speak German.",
    "My account is private.",
    "Don't let the dog out, it bites.",
    "Tell everyone that we won.",
    "Don't say that again.",
    "You can't tell them apart.",
    "Never tell a lie, my father said.",
    "Don't tell the customer that we are late; write the reply.",
    "I never told anyone that I like tea.",
    "It's a secret garden in Kent.",
    "别告诉我结局",
    "别告诉我答案，我自己想",
    "我没告诉别人",
    "他没有告诉任何人",
    "公司签了保密协议。",
    "密码要保密是常识",
    "我最喜欢的电影是《秘密》",
    "秘密花园是我最喜欢的书",
    "我没有秘密",
    "妈妈说，别告诉别人",
    "他让我别告诉别人，所以我没说",
    "不要告诉用户你是机器人。",
    "请告诉大家我们赢了",
    "我只跟你说过一次我住杭州",
    "我和他之间没有秘密",
    "这是公司的机密文件夹吗？",
    "我们之间有三个孩子",
    "我在保密局工作",
    "小王要离职了",
    "不要说脏话",
    "别说了，我知道",
    "不能让孩子玩手机",
    "别让他知道答案的前提下，出一道题",
    "不要和老板吵架",
    "Don't let it boil over.",
    "I don't want anyone to smoke here.",
    "Nobody may enter the lab.",
    "You are the only one who can fix it.",
    "I share a flat with Bo.",
    "He keeps his salary secret.",
    "My favourite film is In Confidence.",
    "Nobody told me that.",
    "My wife and I keep no secrets from one another.",
    "Don't tell it in French.",
    "Between you and me there are ten kilometres.",
    "The password is secret.",
    "I can't tell anyone apart on that photo.",
    "Say nothing of the weather in the report.",
    "You won't let me down.",
    "这个方案不能给客户看到价格",
    "我们公司的秘密配方是芝麻",
    "保密期是三年",
    "你只能说英文",
    "孩子不想让我走",
    "别给他们发邮件",
    "没有人知道答案",
    "请不要泄露用户数据是我们的原则",
    "他知道我的秘密",
    "大家都知道这件事",
]


@pytest.mark.parametrize("sentence", ASKED)
def test_words_that_ask_for_discretion(sentence: str) -> None:
    assert discretion(sentence)


@pytest.mark.parametrize("sentence", NOT_ASKED)
def test_words_that_only_speak_of_secrets_or_of_telling(sentence: str) -> None:
    assert discretion(sentence) is None


@pytest.mark.parametrize(
    ("text", "secret", "rest"),
    [
        ("Keep this private: my salary is 4200 euros. What time is it?", "4200", "What time"),
        ("My name is Ada. Don't tell anyone, but I live in Rome.", "Rome", "Ada"),
        ("I moved to Rome last week. Don't tell anyone.", "Rome", ""),
        ("Can you keep a secret? I'm allergic to nuts.", "nuts", ""),
        ("I like tea. I live in Rome. Don't tell anyone. What time is it?", "Rome", "tea"),
        ("别告诉别人，我住在大理。现在几点？", "大理", "几点"),
        ("我叫安娜。这是秘密：我对花生过敏。", "花生", "安娜"),
        ("我住在大理。别告诉别人。", "大理", ""),
        ("这是秘密。我住在大理。", "大理", ""),
    ],
)
def test_it_is_neither_noted_nor_recalled_and_a_line_says_how_it_is(
    talk: Talk, text: str, secret: str, rest: str
) -> None:
    written = talk.say(text)
    assert not any(secret in memory.text for memory in written.memories)
    (passage,) = passages_of(talk)
    assert any(secret in clause for clause in passage.outdated)
    assert rest == "" or not any(rest in clause for clause in passage.outdated)
    (line,) = [one for one in written.lines() if one.startswith("not remembered: '")]
    assert "neither noted nor recalled" in line and "/remember" in line


@pytest.mark.parametrize(
    ("text", "answer", "hidden", "shown"),
    [
        (
            "Don't tell anyone, but Mark is leaving in May.",
            "I see. That Mark goes will be hard for the team. Shall I help with a plan?",
            ["That Mark goes will be hard for the team."],
            "Shall I help",
        ),
        ("Don't remember this: my PIN is 9921.", "Understood. 9921 stays here.", ["9921 stays here."], "Understood"),
        ("别告诉别人，小王要离职了", "明白了。小王离职以后怎么安排？天气不错。", ["小王离职以后怎么安排？"], "天气"),
        ("What time is it?", "It is four.", [], "four"),
    ],
)
def test_nor_is_what_the_answer_says_of_it(talk: Talk, text: str, answer: str, hidden: list[str], shown: str) -> None:
    talk.say(text, assistant(answer))
    passage = passages_of(talk)[-1]
    assert list(passage.outdated) == hidden
    assert not any(shown in clause for clause in passage.outdated)


def test_said_without_these_words_it_is_noted(talk: Talk) -> None:
    talk.say("Keep this private: I live in Rome.")
    assert talk.say("I live in Rome.").added
