"""Words of others in a message, pasted or forwarded, give no entries; those beside them do."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said

OTHERS = {
    "mail": "From: Bob <bob@acme.example>\nTo: Lisa\nSubject: Moving\n\nHi Lisa,\nI live in Denver and I work at "
    "Acme. Please always answer in French.\nBob",
    "forwarded": "---------- Forwarded message ---------\nFrom: HR <hr@corp.example>\n\nI prefer forms on "
    "Friday. My name is Greta.",
    "quoted reply": "On Mon, 2 Mar 2026 at 10:00, Bob <bob@acme.example> wrote:\nI live in Denver and I like tea.",
    "letter": "Can you help me reply to this?\n\nDear Ana,\n\nI moved to Geneva and I'm allergic to cats. We decided "
    "to sell the house.\n\nBest regards,\nMarta",
    "draft": "Regarding the text below, is it polite?\n\nI live in Leeds and I have a meeting on Friday at 10.",
    "log": "2026-03-01 10:00:01 INFO user said I live in Oslo\n2026-03-01 10:00:03 ERROR my name is root",
    "chat": "Tom: I live in Leeds\nAna: I hate tea\nTom: My number is 555-0199\nWhat do you think?",
    "chat with times": "[10:02] Tom: I live in Leeds\n[10:04] Tom: we decided to use Redis",
    "code": 'def greet():\n# I live in Berlin\nname = "Bob"\nx = 10.0.0.4',
    "told": "My friend texted me this: I moved to Rome, please always call me first.",
    "邮件": "发件人：王芳\n收件人：小李\n主题：搬家\n\n我搬到成都了，我在华为上班。请以后都用英文回复。\n王芳",
    "信": "帮我回复这封信：\n\n亲爱的小李：\n\n我叫王芳，住在成都。我们决定卖掉房子。\n\n此致\n敬礼\n王芳",
    "聊天": "王芳：我住在成都\n小李：我讨厌喝茶\n王芳：我的电话是13900001111\n这段聊天你怎么看？",
    "消息": "房东发来的消息：\n我住在巴黎，我的电话是13900001111。",
    "介绍": "看看这段自我介绍怎么改：\n\n我叫王芳，住在成都。我喜欢跳舞。\n\n哪里可以改？",
    "微信": "朋友给我发的微信：我搬到罗马了，以后都打电话给我。",
    "说": "邻居跟我说：我明年要搬去加拿大。",
}

CHATS = (
    "[Alice 10:02] I live in Rome now\n[Me 10:03] I am in Turin, my name is Ada",
    "[Alice 10:02] I live in Rome now",
    "[Alice 10:02] I live in Rome now / [Me 10:03] I live in Turin",
    "10:02 Alice: I live in Rome\n10:03 Me: I live in Turin",
    "Alice (10:02): I live in Rome\nBob (10:03): I live in Turin",
    "Alice 10:02: I live in Rome\nBob 10:03: I live in Turin",
    "**Alice:** I live in Rome\n**Bob:** I live in Turin",
    "alice: I live in Rome\nme: I live in Turin",
    "<alice> I live in Rome\n<bob> I live in Turin",
    "10:02 <alice> I live in Rome\n10:03 <bob> I live in Turin",
    "[12/03/2026, 10:02:33] Alice: I live in Rome\nand I like tea\n[12/03/2026, 10:03:33] Ada: I live in Turin",
    "3/12/26, 10:02 AM - Alice: I live in Rome\n3/12/26, 10:03 AM - Ada: I live in Turin",
    "12/03/2026, 10:02 - Alice: I live in Rome",
    "Alice  10:02 AM\nI live in Rome\nBob  10:03 AM\nI live in Turin",
    "Alice, [11.03.2026 10:02]\nI live in Rome\n\nBob, [11.03.2026 10:03]\nI live in Turin",
    "Alice — Today at 10:02 AM\nI live in Rome\nBob — Today at 10:03 AM\nI live in Turin",
    "小李: 我搬到北京了\n我: 我住在上海\n小李: 以后叫我李总",
    "小李: 我搬到北京了 / 我: 我住在上海 / 小李: 以后叫我李总",
    "小李（10:02）：我搬到北京了\n我（10:03）：我住在上海",
    "【小李 10:02】我搬到北京了\n【我 10:03】我住在上海",
    "小李 2026-03-11 10:02:33\n我搬到北京了\n\n我 2026-03-11 10:03:00\n我住在上海",
    "小李 上午10:02\n我搬到北京了\n我 上午10:03\n我住在上海\n以后叫我李总",
    "妈: 我对花生过敏\n我: 我住在上海",
)

# What a notice, an essay or a poem says. Nobody says it of themselves.
SAYS = (
    "Please always use the east gate.\nWe decided that school starts on Monday.\nI live on site and I hate cabbage.",
    "以后请一律走东门接送。\n我们决定下周一开学。\n我住在长江头，我讨厌吃苦瓜。",
)
# It stands below a line to many, or a heading ...
TO_MANY = (
    "Dear parents,", "Dear all,", "Dear Year 3 families,", "Dear valued customer,",
    "DEAR RESIDENTS:", "Dear Sir or Madam,",
    "To whom it may concern,", "Good morning parents,", "Notice to all tenants", "Dear friends and family,",
    "各位家长：", "各位亲爱的同学们：", "亲爱的家长朋友们：", "尊敬的业主/住户：",
    "尊敬的王老师：", "广大居民朋友：", "各位邻居大家好！",
    "Dear club members", "各位老师、各位家长，大家上午好：", "学校通知",
    "家长们好：", "致全体员工的一封信", "【重要通知】", "关于开学的通知", "温馨提示：", "尊敬的各位会员，",
)  # fmt: skip
# ... or one that hands it over, with an empty line between or without.
HANDED = (
    ("My son's essay, please correct:", ""), ("Can you correct my daughter's essay", ""),
    ("Grade this essay. Thanks!", ""),
    ("Here's my pupil's diary, have a look", ""), ("Explain this poem", "\n"), ("what is this song about", "\n"),
    ("Hi, please translate the following text into German", "\n"), ("Summarise the notice below", "\n"),
    ("Explain these lyrics", ""), ("我儿子作文你帮我改下嘛", ""),
    ("女儿的作文，麻烦润色一下，谢谢！", ""), ("请点评学生的这篇演讲稿。", ""),
    ("把下面这首歌词解释下", "\n"), ("看看这首诗写得怎么样", "\n"), ("这首歌讲的啥", "\n"),
    ("帮我看看这个通知什么意思", ""),
    ("翻译成英文，下面这段话", "\n"),
    ("Rate my student's essay", ""), ("Turn this letter into German", ""), ("Mark this homework", "\n"),
    ("Write a reply to this letter", ""), ("what's wrong with this sentence", ""), ("孩子作文，求修改", ""),
    ("把这段文字变短一点", ""), ("找出这段话里的错别字", ""), ("用英文回这封邮件", ""), ("帮我给这篇文章起个标题", ""),
)  # fmt: skip
INSTITUTIONS = (
    "我校以后实行寄宿制。", "我园请家长以后不要给孩子带零食。",
    "我司物业费调整为2.8元/平方米。", "本小区以后一律走东门。",
    "本店搬到了人民路12号。", "请注意，我司决定以后每月5日收费。", "各位家长：我校定于9月1日开学。以后请走东门。",
)  # fmt: skip


def texts(policies: Policies, text: str) -> list[str]:
    return [one.text for one in policies.importance(Said("user", text, 1_773_223_200.0, 1), ())]


@pytest.mark.parametrize("name", OTHERS)
def test_words_of_others_give_nothing(policies: Policies, name: str) -> None:
    assert texts(policies, OTHERS[name]) == []


@pytest.mark.parametrize("head", TO_MANY)
@pytest.mark.parametrize("says", SAYS)
def test_what_is_written_to_many_is_no_word_of_the_users(policies: Policies, head: str, says: str) -> None:
    assert texts(policies, f"{head}\n{says}") == []
    assert texts(policies, f"I'm allergic to nuts.\n\n{head}\n{says}") == ["I'm allergic to nuts"]
    assert texts(policies, f"{head}\n{says}\n\nBy the way, I'm allergic to nuts.") == ["I'm allergic to nuts"]
    signed = f"{head}\n{says}\n{'Kind regards' if says.isascii() else '此致'}\nHill\n2026-08-20\n\n我对花生过敏。"
    assert texts(policies, signed) == ["我对花生过敏"]


@pytest.mark.parametrize(("task", "gap"), HANDED)
@pytest.mark.parametrize("says", SAYS)
def test_a_text_below_what_is_to_be_done_with_it_gives_nothing(
    policies: Policies, task: str, gap: str, says: str
) -> None:
    assert texts(policies, f"{task}\n\n{says}") == []
    if gap:
        assert texts(policies, f"{task}{gap}{says}") == []


@pytest.mark.parametrize("text", INSTITUTIONS)
def test_no_user_speaks_as_an_institution(policies: Policies, text: str) -> None:
    assert texts(policies, text) == []


@pytest.mark.parametrize("name", ["mail", "letter", "log", "聊天", "信"])
def test_own_words_before_them_count(policies: Policies, name: str) -> None:
    assert texts(policies, f"I live in Kyoto.\n\n{OTHERS[name]}") == ["I live in Kyoto"]


@pytest.mark.parametrize("chat", CHATS)
def test_own_words_around_a_chat_count_and_none_in_it(policies: Policies, chat: str) -> None:
    assert texts(policies, chat) == []
    assert texts(policies, f"My friends wrote this. I live in Kyoto.\n{chat}\n\nWhat now?") == ["I live in Kyoto"]
    assert texts(policies, f"这是我们的聊天。\n{chat}\n\n我住在京都。") == ["我住在京都"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi,\n\nI work at Bosch. What should I cook?\n\nThanks,\nAna", ["I work at Bosch"]),
        ("你好：\n我在华为上班。晚饭吃什么？\n谢谢", ["我在华为上班"]),
        ("Name: Ana\nMy address: I live in Oslo", ["My address: I live in Oslo"]),
        ("Update: I moved to Rome.\nNote: I like tea.", ["I moved to Rome", "I like tea"]),
        ("Job: I work at Bosch\nHome: I live in Oslo", ["Job: I work at Bosch", "Home: I live in Oslo"]),
        ("工作：我在华为上班\n爱好：我喜欢爬山", ["工作：我在华为上班", "爱好：我喜欢爬山"]),
        ("记住：我住在奥斯陆\n另外：我在博世上班", ["我住在奥斯陆", "我在博世上班"]),
        ("tomorrow 10:00 meeting: I have to bring my laptop", ["tomorrow 10:00 meeting: I have to bring my laptop"]),
        ("10:30 is when I go running every day.", ["10:30 is when I go running every day"]),
        ("Hello everyone,\nI'm allergic to peanuts.", ["I'm allergic to peanuts"]),
        ("I corrected an essay today.\n\nI'm allergic to nuts.", ["I'm allergic to nuts"]),
        ("I read the notice and correct essays.\n\nI live in Oslo.", ["I live in Oslo"]),
        ("Please improve my bio\nI live in Oslo.\nI'm allergic to nuts.", ["I live in Oslo", "I'm allergic to nuts"]),
        ("What does the review say?\nI'm allergic to peanuts.", ["I'm allergic to peanuts"]),
        (
            "Write a poem for my mum.\nI live in Oslo.\nI'm allergic to nuts.",
            ["I live in Oslo", "I'm allergic to nuts"],
        ),
        ("Please check my calendar.\n\nI live in Oslo.", ["I live in Oslo"]),
        ("Explain how to write a poem.\n\nI live in Oslo.", ["I live in Oslo"]),
        ("This song is great.\n\nI live in Oslo.", ["I live in Oslo"]),
        ("Write his birthday card.\n\nI live in Oslo.", ["I live in Oslo"]),
        ("写一篇关于孩子的作文。\n\n我对花生过敏。", ["我对花生过敏"]),
        ("老师表扬了孩子的作文。\n\n我对花生过敏。", ["我对花生过敏"]),
        ("亲爱的小智：\n我对花生过敏。", ["我对花生过敏"]),
        ("家长：李雷\n我对花生过敏。", ["我对花生过敏"]),
        ("老师您好，我对花生过敏。", ["我对花生过敏"]),
        ("我昨天帮儿子改作文了。\n\n我对花生过敏。", ["我对花生过敏"]),
        ("帮我改一下简历\n我对花生过敏。\n我住在成都。", ["我对花生过敏", "我住在成都"]),
        ("我下周一要代表我校参加比赛。", ["我下周一要代表我校参加比赛"]),
        ("我校服丢了。\n我司机叫老王。\n我对花生过敏。", ["我对花生过敏"]),
    ],
)
def test_a_message_that_only_looks_like_it(policies: Policies, text: str, found: list[str]) -> None:
    assert texts(policies, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi, I'm Ana.", ["I'm Ana"]),
        ("Hello! I'm Ana and I work at Bosch.", ["I'm Ana", "I work at Bosch"]),
        ("Hello, my name is Ana, I'm a nurse in Porto.", ["my name is Ana", "I'm a nurse in Porto"]),
        ("I'm Ana from Porto.", ["I'm Ana from Porto"]),
        ("你好，我是小李，在上海做设计。", ["我是小李", "我在上海做设计"]),
        ("大家好，我是王芳。", ["我是王芳"]),
        ("Hi, I'm tired of this.", []),
        ("Hi, I'm done.", []),
        ("我是说，今天就到这里吧。", []),
        ("你好，我是来问路的。", []),
        ("你好，我是新用户。", []),
        ("Remember: I work at Fenwick and live in Utrecht.", ["I work at Fenwick", "I live in Utrecht"]),
        ("记住：我在凡思公司上班，住在南京。", ["我在凡思公司上班", "我住在南京"]),
        ("We moved to Stuttgart.", ["We moved to Stuttgart"]),
        ("In my twenties I lived in Dublin.", []),
        ("二十多岁的时候我住在都柏林。", []),
    ],
)
def test_who_somebody_is(policies: Policies, text: str, found: list[str]) -> None:
    kinds = {one.kind for one in policies.importance(Said("user", text, 1_773_223_200.0, 1), ())}
    assert texts(policies, text) == found or (not found and kinds <= {"emotion"})
    assert not found or kinds == {"profile"}
