"""What a message asks to forget is put away, and nothing else is. English and Chinese."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Played
from talking import Talk

from localagent.forgetting import asked_to_forget
from localagent.heard import Hearing
from localagent.joking import _ONLY
from localagent.memory.entries import Add, NewMemory
from localagent.memory.passages import Passages
from localagent.memory.searching import Passage
from localagent.plainly_asked import sighs


def passages_of(talk: Talk) -> list[Passage]:
    passages = Passages(talk.ledger.database, "default")
    while passages.take_changed(undone=talk.memories.retract):
        pass
    rows = talk.ledger.database.query("SELECT row FROM passages WHERE source = 'message' ORDER BY row")
    return passages.get([int(str(row)) for (row,) in rows])


@pytest.mark.parametrize(
    ("kept", "going", "request_"),
    [
        (["I live in Oslo."], ["I like tea."], "Forget that I like tea."),
        (["I live in Oslo."], ["I like tea."], "ok, now please forget that I like tea, thanks"),
        (["My rent is 900 euros."], ["My salary is 4200 euros."], "Please forget what I told you about my salary."),
        (["My name is Ana."], ["My birthday is on 4 May."], "Could you forget my birthday?"),
        (["I like tea."], ["My sister lives in Rome.", "My sister is a nurse."], "Forget everything about my sister."),
        (["My cat is called Mimi."], ["My dog is called Rex."], "Delete the memory that my dog is called Rex."),
        (["I live in Oslo."], ["Please answer in French."], "Forget that I asked you to answer in French."),
        (["I like tea."], ["I'm allergic to nuts."], "Hi! Forget that I'm allergic to nuts, the test was wrong."),
        (["我住在大理。"], ["我喜欢喝茶。"], "忘掉我喜欢喝茶这件事。"),
        (["我住在大理。"], ["我喜欢喝茶。"], "请把我喜欢喝茶这件事忘掉，谢谢。"),
        (["我的房租是九百元。"], ["我的工资是四千元。"], "请忘记我跟你说过的关于工资的事。"),
        (["我叫安娜。"], ["我的生日是5月4日。"], "忘了我的生日吧。"),
        (["我喜欢喝茶。"], ["我妹妹住在大理。", "我妹妹是护士。"], "忘掉关于我妹妹的一切。"),
        (["我住在大理。"], ["请用法语回答。"], "忘掉我让你用法语回答的事。"),
        (["I like tea."], ["My dog is called Rex."], "Everything about Rex, please forget it."),
        (["I like tea."], ["My dog is called Rex."], "Everything I told you about Rex: forget it."),
        (
            ["I like tea."],
            ["My sister lives in Rome.", "My sister is a nurse."],
            "All you know about my sister should be forgotten.",
        ),
        (["My name is Ana."], ["My salary is 4200 euros."], "As for my salary, please forget it."),
        (["My name is Ana."], ["My salary is 4200 euros."], "My salary, please forget it."),
        (["我喜欢喝茶。"], ["我姑姑住在大理。", "我姑姑是护士。"], "关于我姑姑的都忘掉"),
        (["我喜欢喝茶。"], ["我的狗叫旺财。"], "关于旺财的都忘了吧"),
        (["我叫安娜。"], ["我的生日是5月4日。"], "我的生日，请忘掉。"),
        (["我叫安娜。"], ["我的工资是四千元。"], "我的工资请你忘了吧"),
    ],
)
def test_what_is_named_is_forgotten(talk: Talk, kept: list[str], going: list[str], request_: str) -> None:
    talk.say(*kept, *going)
    assert len(talk.texts()) == len(kept) + len(going)
    written = talk.say(request_)
    assert {memory.text for memory in written.forgotten} == {text.rstrip(".。") for text in going}
    assert not written.memories and talk.texts() == [text.rstrip(".。") for text in kept]
    for line, memory in zip(written.lines(), written.forgotten, strict=True):
        assert line == f"forgot: '{memory.text}' (put away, not deleted)\n  undo: localagent memory restore {memory.id}"
        assert memory.state == "archived" and memory.valid_to is not None


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget that I like tea.",
        "Did you forget that I like tea?",
        "Forget it.",
        "Forget about tea for a moment and tell me a joke.",
        "I always forget that I like tea.",
        'She wrote: "Forget that I like tea."',
        "> Forget that I like tea.",
        "Remove the tea from the recipe.",
        "Forget that I like green tea with milk and honey from Assam.",
        "Forget that I do not like tea.",
        "别忘了我喜欢喝茶。",
        "你忘了我喜欢喝茶吗？",
        "先忘掉茶，给我讲个笑话。",
        "她写道：“忘掉我喜欢喝茶。”",
        "把茶从菜谱里删掉。",
        "忘掉我不喜欢喝茶。",
        "Everything about tea, I forget it.",
        "I like tea, forget it?",
        "My tea, don't forget it.",
        "喝茶的事我都忘了。",
        "关于茶的你都忘了吗？",
        "我喜欢喝茶你别忘了",
        "我妈把我喜欢喝茶忘了",
    ],
)
def test_what_does_not_ask_to_forget_forgets_nothing(talk: Talk, text: str) -> None:
    talk.say("I like tea.", "我喜欢喝茶。")
    before = {memory.id for memory in talk.memories.select()}
    assert not talk.say(text).forgotten
    assert {memory.id for memory in talk.memories.select()} >= before


@pytest.mark.parametrize(
    "text",
    ["I wish I could forget my birthday", "I really want to forget my birthday", "If only I could forget my birthday!",
     "I'll never forget my birthday", "How do I forget my birthday?", "Help me forget my birthday", "我想忘掉我的生日",
     "真想把我的生日忘了", "怎么才能忘掉我的生日", "希望能忘掉我的生日", "我忘不掉我的生日", "我决定忘了我的生日吧"],
)  # fmt: skip
def test_who_would_like_to_forget_asks_for_nothing(talk: Talk, text: str) -> None:
    talk.say("My birthday is on 4 May.", "我的生日是5月4日。")
    assert not any("forg" in line for line in talk.say(text).lines())
    assert not list(asked_to_forget(text)) and sighs(text)
    played = Played()
    played.silent[text] = ("forget", 0.99)
    assert not Hearing(lambda: played).of(text).forgets


@pytest.mark.parametrize(
    "text",
    ["I want you to forget my birthday", "I need you to forget my birthday", "I wish you'd forget my birthday",
     "I know I told you, but please forget my birthday.", "Can I ask you to forget my birthday?", "能忘掉我的生日吗",
     "我希望你能忘掉我的生日", "我想请你把我的生日忘了", "我想了想，忘掉我的生日吧"],
)  # fmt: skip
def test_who_would_like_it_to_be_forgotten_does(talk: Talk, text: str) -> None:
    talk.say("My birthday is on 4 May.", "我的生日是5月4日。")
    assert len(talk.say(text).forgotten) == 1 and not sighs(text)


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        (["I have a call with Bo on Monday.", "I have a call with Bo on Tuesday."], "Forget my call with Bo."),
        (["周一下午我和阿波开会。", "周二下午我和阿波开会。"], "忘掉我和阿波开会的事。"),
        (["I like tea in the morning.", "I like green tea."], "Forget that I like tea."),
        (["I like green tea.", "I like tea in the morning."], "Forget about my tea."),
        (
            ["My brother lives in Rome near the station.", "My brother Tom lives in Rome."],
            "Forget that my brother lives in Rome.",
        ),
        (
            [
                "I have a meeting with Bo on Monday at 9.",
                "I have a meeting with Bo on Tuesday in the long room about the budget.",
            ],
            "Forget my meeting with Bo.",
        ),
        (["我喜欢喝绿茶。", "我喜欢早上喝茶。"], "忘掉我喜欢喝茶"),
    ],
)
def test_where_several_fit_it_asks_and_keeps_them(talk: Talk, entries: list[str], text: str) -> None:
    talk.say(*entries)
    before = talk.memories.select()
    (line,) = talk.say(text).lines()
    assert line.startswith("nothing forgotten, which one is meant?")
    assert all(f"'{memory.text}'" in line and memory.id in line for memory in before)
    # What was asked for comes first: to put away, by saying which.
    assert line.index("put away") < line.index("localagent memory forget") < line.index("for good")
    assert talk.memories.select() == before


@pytest.mark.parametrize(
    "text",
    ['Delete "I wear glasses"', "Get rid of “I wear glasses”.", 'Erase the entry: "I wear glasses" from your list',
     "删掉“我戴眼镜”", "把「我戴眼镜」这条删掉吧"],
)  # fmt: skip
def test_what_is_quoted_is_the_entry_in_these_words(talk: Talk, text: str) -> None:
    talk.memories.write(
        [Add(NewMemory("fact", one, scope="all")) for one in ("I wear glasses", "我戴眼镜", "I like tea")]
    )
    (gone,) = talk.say(text).forgotten
    assert gone.text in text and len(talk.texts()) == 2


@pytest.mark.parametrize(
    "text",
    ['Delete "import os"', 'Delete "glasses" from the script.', "把脚本里的“我戴眼镜”删掉", "删掉“眼镜”"],
)
def test_other_quotes_are_work(talk: Talk, text: str) -> None:
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in ("I wear glasses", "我戴眼镜")])
    assert talk.say(text).lines() == [] and len(talk.texts()) == 2


def test_a_name_to_get_rid_of_is_asked_about(talk: Talk) -> None:
    talk.say("I work at ING as an analyst.", "I am learning Spanish.")
    before = talk.texts()
    (line,) = talk.say("Get rid of ING").lines()
    assert "is this one meant?" in line and "'I work at ING as an analyst'" in line and talk.texts() == before
    assert talk.say("Get rid of Docker").lines() == []


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Do me a favour and forget that I like tea.", "I like tea"),
        ("帮个忙，忘掉我喜欢喝茶这件事", "我喜欢喝茶"),
        ("小敏的一切都忘掉", "我女儿小敏上二年级"),
        ("烟的事忘了吧", "我每天抽十根烟"),
        ("把烟的事都忘了", "我每天抽十根烟"),
    ],
)
def test_in_other_ways_of_asking(talk: Talk, text: str, gone: str) -> None:
    texts = ("I like tea", "我喜欢喝茶", "我女儿小敏上二年级", "我每天抽十根烟")
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in texts])
    assert [memory.text for memory in talk.say(text).forgotten] == [gone]


@pytest.mark.parametrize(
    ("entries", "text", "gone"),
    [
        (["I like green tea.", "I like tea."], "Forget that I like tea.", "I like tea"),
        (["I'm allergic to nuts.", "I'm allergic to nuts and bees."], "Forget that I'm allergic to nuts.",
         "I'm allergic to nuts"),
        (["My work phone number is 654321.", "My phone number is 123456."], "Forget my phone number.",
         "My phone number is 123456"),
        (["I like tea in the morning.", "I like green tea."], "Forget that I like tea in the morning.",
         "I like tea in the morning"),
        (["我喜欢喝红茶。", "我喜欢喝绿茶。"], "忘掉我喜欢喝绿茶", "我喜欢喝绿茶"),
    ],
)  # fmt: skip
def test_what_says_just_that_is_meant(talk: Talk, entries: list[str], text: str, gone: str) -> None:
    talk.say(*entries)
    assert [memory.text for memory in talk.say(text).forgotten] == [gone] and len(talk.texts()) == 1


def test_what_nobody_noted_cannot_be_forgotten(talk: Talk) -> None:
    talk.say("I like tea.")
    (line,) = talk.say("Forget that I like coffee.").lines()
    assert line.startswith("nothing forgotten: no entry is clearly 'I like coffee'\n  look for it: localagent")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Forget my salary.", "my salary"),
        ("Forget everything about Berlin.", "Berlin"),
        ("Please forget what I said about my boss.", "my boss"),
        ("You can forget our old address.", "our old address"),
        ("Forget about Vienna.", "Vienna"),
        ("忘掉我的工资。", "我的工资"),
        ("忘掉关于柏林的一切。", "柏林"),
        ("把我妹妹的事都忘了吧。", "我妹妹"),
    ],
)
def test_a_subject_that_nobody_noted_is_told(talk: Talk, text: str, about: str) -> None:
    talk.say("I like tea.", "我喜欢喝茶。")
    (line,) = talk.say(text).lines()
    assert line.startswith(f"nothing forgotten: no entry is clearly '{about}'")


@pytest.mark.parametrize(
    "text",
    ["Everything about Vienna, please forget it.", "What I told you about my boss, please forget.",
     "关于我姑姑的都忘掉", "关于旺财的都忘了吧", "我姑姑的事，都忘掉吧。"],
)  # fmt: skip
def test_a_request_is_no_memory_in_whatever_order(talk: Talk, text: str) -> None:
    written = talk.say(text)
    (line,) = written.lines()
    assert line.startswith("nothing forgotten") and not written.memories and not talk.texts()


def test_two_names_that_nobody_noted_are_told(talk: Talk) -> None:
    talk.say("I like tea.")
    lines = talk.say("forget about Vienna and Hamburg").lines()
    assert [line.partition("\n")[0] for line in lines] == [
        f"nothing forgotten: no entry is clearly '{name}'" for name in ("Vienna", "Hamburg")
    ]


@pytest.mark.parametrize(
    "text",
    ["Forget about the cake, I'll bake one.", "Please forget my last question.", "I want to forget my ex.",
     "忘掉蛋糕吧，我们吃别的吧。", "忘了我刚才的问题吧。"],
)  # fmt: skip
def test_what_is_not_meant_for_memory_is_passed_over(talk: Talk, text: str) -> None:
    assert talk.say(text).lines() == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (["My phone number is 555-0199.", "My address is Oak Lane 3."], "Forget my phone number and my address."),
        (["My phone number is 555-0199.", "My address is Oak Lane 3."], "Forget both my phone number and my address."),
        (["My phone number is 555-0199.", "My address is Oak Lane 3."], "Forget my address as well as my phone number"),
        (["我的手机号是13800001234。", "我的地址是橡树巷3号。"], "忘掉我的手机号和地址。"),
        (["I lived in Vienna for a year, I love Vienna.", "I work in Hamburg."], "forget about Vienna and Hamburg"),
        (["我喜欢维也纳。", "我在汉堡工作。"], "忘掉维也纳和汉堡吧"),
    ],
)
def test_two_things_at_once(talk: Talk, said: list[str], text: str) -> None:
    talk.say(*said)
    assert len(talk.say(text).forgotten) == 2 and not talk.texts()


@pytest.mark.parametrize(
    ("said", "text", "secret"),
    [
        ("By the way, the code of my locker is 5512, right?", "Forget the code of my locker.", "5512"),
        ("顺便问一下，我柜子的密码是5512，对吧？", "忘掉我柜子的密码。", "5512"),
    ],
)
def test_what_only_a_message_says_is_not_recalled(talk: Talk, said: str, text: str, secret: str) -> None:
    talk.say(said)
    assert not talk.texts()
    (line,) = talk.say(text).lines()
    assert line.startswith("no entry is '") and "not recalled" in line
    assert any(secret in clause for clause in passages_of(talk)[0].outdated)
    talk.ledger.undo(talk.thread.id)
    assert not passages_of(talk)[0].outdated


@pytest.mark.parametrize(
    ("said", "request_", "rest"),
    [
        ("I'm Ana. My salary is 4200 euros. I like tea.", "Forget my salary. What time is it?", "What time is it?"),
        ("我叫安娜。我的工资是四千元。我喜欢喝茶。", "忘掉我的工资。现在几点？", "现在几点？"),
    ],
)
def test_neither_the_clause_nor_the_request_is_recalled(talk: Talk, said: str, request_: str, rest: str) -> None:
    talk.say(said)
    (forgotten,) = talk.say(request_).forgotten
    first, second = passages_of(talk)
    assert first.outdated == (forgotten.text,) and forgotten.text in first.text
    assert rest not in second.outdated and any("salary" in one or "工资" in one for one in second.outdated)
    back = talk.memories.restore(forgotten.id)
    assert (back.state, back.valid_to) == ("active", None)
    assert all(not passage.outdated for passage in passages_of(talk))


def test_a_request_that_is_taken_back_forgets_nothing(talk: Talk) -> None:
    talk.say("My salary is 4200 euros.", "I like tea.")
    before = talk.memories.select()
    talk.say("Forget my salary.")
    assert len(talk.memories.select()) == 1
    talk.ledger.undo(talk.thread.id)
    (passage, _) = passages_of(talk)
    assert [memory.text for memory in talk.memories.select()] == [memory.text for memory in before]
    assert passage.outdated == ()


def test_what_is_deleted_is_not_recalled_from_its_message(talk: Talk) -> None:
    """Nothing of the entry is kept for it: the place in the message is."""
    (salary, tea) = talk.say("My salary is 4200 euros. I like tea.").added
    assert talk.memories.forget([salary.id]) == 1
    (passage,) = passages_of(talk)
    assert passage.outdated == (salary.text,)
    assert talk.texts() == [tea.text]


def test_what_was_forgotten_and_then_deleted_stays_out(talk: Talk) -> None:
    talk.say("My salary is 4200 euros.")
    (forgotten,) = talk.say("Forget my salary.").forgotten
    talk.memories.forget([forgotten.id])
    assert passages_of(talk)[0].outdated == (forgotten.text,)
    talk.ledger.undo(talk.thread.id)
    assert passages_of(talk)[0].outdated == (forgotten.text,)


def test_said_again_it_counts_again(talk: Talk) -> None:
    talk.say("I like tea.")
    talk.say("Forget that I like tea.")
    assert talk.say("I like tea.").added
    assert talk.texts() == ["I like tea"]


@pytest.mark.parametrize("text", ["Forget that I like tea, I prefer coffee.", "忘掉我喜欢喝茶，我更喜欢喝咖啡。"])
def test_what_is_said_beside_it_is_kept(talk: Talk, text: str) -> None:
    talk.say("I like tea.", "我喜欢喝茶。")
    written = talk.say(text)
    assert len(written.forgotten) == 1
    (new,) = written.added
    assert "coffee" in new.text or "咖啡" in new.text
    assert "orget" not in new.text and "忘" not in new.text


def test_another_agent_s_entries_are_not_forgotten(talk: Talk) -> None:
    talk.say("We decided to use Redis for the cache.")
    other = talk.ledger.create_thread("b")
    assert not talk.say("Forget the decision to use Redis for the cache.", thread=other).forgotten


@pytest.mark.parametrize(
    ("said", "request_"),
    [
        ("I live in Rome.", "Please forget where I live."),
        ("I work at Siemens.", "Forget where I work."),
        ("我住在北京。", "忘掉我住在哪里。"),
        ("我住在北京。", "忘掉我的住址。"),
    ],
)
def test_what_a_question_names_is_forgotten(talk: Talk, said: str, request_: str) -> None:
    talk.say(said, "I like tea.")
    (forgotten,) = talk.say(request_).forgotten
    assert forgotten.text == said.rstrip(".。")


@pytest.mark.parametrize("text", ["Please forget where I live.", "忘掉我住在哪里。"])
def test_what_a_question_names_and_nobody_noted_is_told(talk: Talk, text: str) -> None:
    (line,) = talk.say(text).lines()
    assert line.startswith("nothing forgotten")


@pytest.mark.parametrize("text", ["Forget everything.", "Please forget everything you know about me.", "全都忘掉"])
def test_a_sentence_does_not_forget_everything_and_says_so(talk: Talk, text: str) -> None:
    talk.say("I live in Rome.", "我喜欢喝茶。")
    before = talk.texts()
    (line,) = talk.say(text).lines()
    assert line.startswith("nothing forgotten") and "localagent memory forget" in line
    assert talk.texts() == before


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Don't remember this: my PIN is 9921.", "9921"),
        ("Don't save this, but my locker is number 5512. What time is it?", "5512"),
        ("Please don't remember this. My locker is number 5512.", "5512"),
        ("别记住这个：我的密码是9921。", "9921"),
        ("这个不用记：我的柜子是5512号。现在几点？", "5512"),
    ],
)
def test_what_is_not_to_be_remembered_is_neither_noted_nor_recalled(talk: Talk, text: str, secret: str) -> None:
    assert not talk.say(text).memories
    (passage,) = passages_of(talk)
    assert any(secret in clause for clause in passage.outdated)
    assert not any("What time" in clause or "几点" in clause for clause in passage.outdated)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Please don't remember that my safe code is 7531", "7531"),
        ("Don't remember my locker, it is number 5512.", "5512"),
        ("Do not keep a record of this: my PIN is 9921.", "9921"),
        ("You don't need to remember this, my PIN is 9921", "9921"),
        ("Can you please not remember this: my PIN is 9921?", "9921"),
        ("My PIN is 9921, but please don't remember that.", "9921"),
        ("My PIN is 9921. Don't remember that. What time is it?", "9921"),
        ("Don't remember the following. My PIN is 9921. My locker is number 5512.", "5512"),
        ("Between us, don't store this: I see a therapist.", "therapist"),
        ("This is private, please do not remember it: I had an accident in 2015.", "2015"),
        ("Keep this between us and don't save it: I look for a new job.", "new job"),
        ("Not for the record: my father drinks.", "drinks"),
        ("我姐姐离婚了，这事你别记", "离婚"),
        ("这是私事，别记住：我离婚了。", "离婚"),
        ("off the record, I hate my boss", "boss"),
        ("I hate my boss, but that's off the record.", "boss"),
        ("不要记住：我的密码是 9921", "9921"),
        ("请不要记住我的工号是 9921", "9921"),
        ("别记：门锁密码 9921", "9921"),
        ("不要把我的密码9921记下来", "9921"),
        ("我的密码是9921，不要记住。现在几点？", "9921"),
        ("以下内容不要记录：我的密码是9921。我的门牌是5号。", "5号"),
        ("My locker code is 7531 and please don't note that", "7531"),
        ("私下说，我讨厌老板", "老板"),
    ],
)
def test_a_wish_not_to_remember_holds_in_any_wording_and_says_so(talk: Talk, text: str, secret: str) -> None:
    written = talk.say(text)
    assert not written.memories and not talk.texts()
    (passage,) = passages_of(talk)
    assert any(secret in clause for clause in passage.outdated)
    assert not any("What time" in clause or "几点" in clause for clause in passage.outdated)
    (line,) = written.lines()
    assert line.startswith("not remembered: '") and "if wrong: localagent memory add" in line


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember my PIN.",
        "I had the code but don't remember it.",
        "I had the code, but I don't remember it: it was long.",
        "Don't remember to buy milk.",
        "Don't you remember my name?",
        "Don't save the file yet, the draft is open.",
        "The minister said off the record that it is over.",
        "不要记录日志，太慢了",
        "别记错了：是5号",
        "我不记得密码了。",
        "不要记不住。",
    ],
)
def test_what_only_speaks_of_remembering_is_recalled(talk: Talk, text: str) -> None:
    assert talk.say(text).unsaid == ()
    assert all(not passage.outdated for passage in passages_of(talk))


@pytest.mark.parametrize("text", ["Don't remember that I like tea.", "不要记住我喜欢喝茶"])
def test_a_wish_not_to_remember_what_is_noted_puts_it_away(talk: Talk, text: str) -> None:
    talk.say("I like tea.", "我喜欢喝茶。")
    written = talk.say(text)
    assert len(written.forgotten) == 1 and len(written.lines()) == 1


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My name is Batman.", "Just kidding!"),
        ("My brother is called Batman.", "April fool!"),
        ("我哥哥叫蝙蝠侠。", "骗你的"),
        ("I live on the moon, my name is Batman.", "haha, that was a joke"),
        ("我叫蝙蝠侠。", "哈哈，开玩笑的"),
        ("My name is Batman.", "I'm only having you on!"),
        ("我叫蝙蝠侠。", "哈哈逗你玩的"),
    ],
)
def test_what_the_message_before_said_in_jest_is_put_away(talk: Talk, said: str, text: str) -> None:
    talk.say("I like tea.", said)
    written = talk.say(text)
    assert written.forgotten and talk.texts() == ["I like tea"]
    assert all(line.startswith("forgot: ") for line in written.lines())
    assert any("atman" in clause or "蝙蝠侠" in clause for one in passages_of(talk) for clause in one.outdated)


@pytest.mark.parametrize("text", ["I'm not kidding.", "Are you kidding?", "I love a joke.", "你在开玩笑吗？"])
def test_what_is_meant_stays(talk: Talk, text: str) -> None:
    talk.say("My name is Ada.")
    assert not talk.say(text).forgotten and "My name is Ada" in talk.texts()


@pytest.mark.parametrize(
    ("said", "request_", "hidden"),
    [
        (["Helen is my aunt.", "Is Helen right to sell her house? She needs it. What time is it?"],
         "Forget what I told you about Helen.", ["Is Helen right to sell her house?", "She needs it."]),
        (["My husband and I had a fight yesterday."], "Forget what I said about my husband.",
         ["My husband and I had a fight yesterday."]),
        (["我老婆是护士。", "我老婆该不该休息？她很累。现在几点？"], "忘掉我老婆的事",
         ["我老婆该不该休息？", "她很累。"]),
        (["你觉得海伦该不该卖房？现在几点？"], "忘掉关于海伦的一切", ["你觉得海伦该不该卖房？"]),
    ],
)  # fmt: skip
def test_nor_are_messages_about_it_that_gave_no_entry(
    talk: Talk, said: list[str], request_: str, hidden: list[str]
) -> None:
    noted = len(talk.say(said[0]).added) if len(said) > 1 else 0
    talk.say(*said[1:] if noted else said, "My sister's husband is called Bo.", "我喜欢喝茶。")
    written = talk.say(request_)
    assert len(written.forgotten) == noted and len(written.lines()) == 1
    assert noted or written.lines()[0].startswith("no entry is '")
    about, *others, request = passages_of(talk)[noted:]
    assert list(about.outdated) == hidden and request.outdated and not any(one.outdated for one in others)
    talk.ledger.undo(talk.thread.id)
    assert not any(passage.outdated for passage in passages_of(talk))


@pytest.mark.parametrize("text", ["Forget my salary.", "Forget everything about Berlin.", "忘掉我的工资。"])
def test_a_request_that_finds_nothing_is_not_recalled(talk: Talk, text: str) -> None:
    talk.say(text)
    (request,) = passages_of(talk)
    assert request.outdated == (text.rstrip("."),) or request.outdated == (text,) or request.outdated[0] in text


@pytest.mark.parametrize(
    ("kept", "going", "request_"),
    [
        ("我妈住在成都。", "我妈妈得了乳腺癌。", "把我妈的病忘掉"),
        ("我在小米上班。", "我老公在华为上班。", "别记得我老公在哪上班了"),
        ("我喜欢喝茶。", "我每周三晚上去游泳。", "把我游泳的时间忘了"),
        ("我住在大理。", "我弟弟住在上海。", "忘了我弟弟住哪儿吧"),
        ("我女儿喜欢画画。", "我女儿在师大附小上学。", "把我女儿的学校忘了吧"),
        ("My mother lives in Rome.", "My mother has diabetes.", "Forget my mother's illness."),
        ("I work at Bosch.", "My husband works at Siemens.", "Please forget where my husband works."),
    ],
)
def test_what_a_question_or_a_side_of_a_life_names_is_forgotten(
    talk: Talk, kept: str, going: str, request_: str
) -> None:
    talk.say(kept, going)
    written = talk.say(request_)
    assert [memory.text for memory in written.forgotten] == [going.rstrip(".。")]
    assert not written.memories and talk.texts() == [kept.rstrip(".。")]


@pytest.mark.parametrize(
    ("said", "request_"),
    [
        (["我妈住在成都。"], "把我妈的病忘掉"),
        (["我爸得了肺癌。"], "把我妈的病忘掉"),
        (["My mother lives in Rome."], "Forget my mother's illness."),
        (["我老公喜欢喝茶。"], "别记得我老公在哪上班了"),
        (["I work at Bosch."], "Forget where my husband works."),
    ],
)
def test_another_side_or_another_s_is_not(talk: Talk, said: list[str], request_: str) -> None:
    talk.say(*said)
    before = talk.texts()
    written = talk.say(request_)
    assert not written.forgotten and not written.memories and talk.texts() == before and len(written.lines()) == 1


_PARTS = (
    "Forget that I like tea.", "let it go", "我的工资不许留。", "体重就当我没提", "What time is it?", "现在几点？",
    "my flat, not the office", "Forget my rent", "阿杰借钱那条忘了", "and everything about Rex, please forget it", "\n",
    "the lease - wipe it.", "别记我的年龄", "v1.2", "Delete “I wear glasses”", "关于旺财的都忘了吧", "；", "...", "  ",
)  # fmt: skip


@given(parts=st.lists(st.sampled_from(_PARTS), max_size=6), between=st.sampled_from(("", " ", ". ", "。", ", ", "\n")))
@settings(deadline=None, max_examples=150)
def test_the_words_of_a_request_stand_in_the_message(parts: list[str], between: str) -> None:
    text = between.join(parts)
    for request in asked_to_forget(text):
        assert request.asked and request.asked in text


def test_a_joke_of_blanks_is_looked_at_at_once() -> None:
    assert not _ONLY.search("haha" + " " * 100_000 + "x")


TOM = ("My brother is called Tom", "Tom plays chess", "My brother lives in Cork")
QIANG = ("我弟弟叫小强", "小强在深圳上班", "我弟喜欢打篮球")
RITA = ("My mother is called Rita", "Rita has diabetes", "My mum lives in York")


def noted(talk: Talk, *texts: str) -> None:
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (TOM, "Erase my brother."),
        (TOM, "Wipe Tom"),
        (TOM, "Forget everything about my brother."),
        (TOM, "What I told you about Tom, please forget it."),
        (RITA, "please wipe my mum"),
        (RITA, "wipe everything on my mother"),
        (("Nuala is my sister",), "Wipe Nuala."),
        (("My cat is called Miso",), "lose the cat stuff"),
        (QIANG, "我弟的事全部删掉"),
        (QIANG, "关于我弟弟的全删了"),
        (QIANG, "忘掉小强的一切"),
        (("我婆婆住在长沙", "婆婆脾气很大"), "婆婆那些你都扔了吧"),
        (("我媳妇叫小雨", "小雨是护士"), "忘掉所有关于我媳妇的"),
    ],
)
def test_all_that_is_known_of_somebody_goes_by_their_name_as_well(
    talk: Talk, texts: tuple[str, ...], text: str
) -> None:
    noted(
        talk,
        *texts,
        "I like tea",
        "My neighbour's brother is ill",
        "My sister Mia sings",
        "我喜欢喝茶",
        "我同事老李病了",
    )
    assert {one.text for one in talk.say(text).forgotten} == set(texts) and len(talk.texts()) == 5


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (TOM, "Forget my brother."),
        (TOM, "Drop Tom, please"),
        (TOM, "get rid of my brother"),
        (QIANG, "忘掉我弟弟"),
        (QIANG, "忘了小强吧"),
        (("My friend Bo plays chess", "My friend Al has a boat"), "Erase my friend."),
    ],
)
def test_where_not_all_of_it_is_asked_for_all_of_it_is_asked_about(
    talk: Talk, texts: tuple[str, ...], text: str
) -> None:
    noted(talk, *texts, "I like tea", "我喜欢喝茶")
    (line,) = talk.say(text).lines()
    assert all(f"'{one}'" in line for one in texts) and len(talk.texts()) == len(texts) + 2
    assert len(talk.say("all of them").forgotten) == len(texts)


def test_one_of_two_brothers_goes_alone(talk: Talk) -> None:
    noted(talk, "My older brother is called Ken", "My younger brother is called Phil", "Phil sings", "Ken drinks")
    gone = {one.text for one in talk.say("Erase my younger brother.").forgotten}
    assert gone == {"My younger brother is called Phil", "Phil sings"}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("My cat is called Miso", "You may bin the cat"),
        ("I work at ING", "Delete ING"),
        ("我朋友老周借了我三万", "把老周抹了"),
        ("我婆婆住在长沙", "婆婆那些东西都扔了吧"),
    ],
)
def test_what_may_be_another_thing_is_asked_about(talk: Talk, entry: str, text: str) -> None:
    noted(talk, entry, "I like tea")
    (line,) = talk.say(text).lines()
    assert f"'{entry}'" in line and len(talk.texts()) == 2


@pytest.mark.parametrize(
    "text",
    ["Wipe the table.", "Wipe the floor with Tom.", "Drop Tom at the station.", "Drop Tom a line about Friday.",
     "you can bin the cat litter", "You can drop the second paragraph", "Tom erased my hard drive.",
     "Everything about my brother annoys me", "小强全删了", "我弟把照片全部删掉了", "小强的作业都扔了吧", "我弟全忘了"],
)  # fmt: skip
def test_other_things_are_done_with_somebody_or_something(talk: Talk, text: str) -> None:
    noted(talk, *TOM, *QIANG, "My cat is called Miso", "Our flat is on the second floor")
    assert not any("forg" in line for line in talk.say(text).lines())


@pytest.mark.parametrize(
    ("said", "request_"),
    [
        ("The PIN for the clinic is 4471", "You can forget about the clinic PIN, they changed the locks."),
        ("The door code at work is 8812", "Forget the door code, I've changed it."),
        ("I'm thinking of buying a boat", "Forget the boat thing, we can't afford it."),
        ("公司的门禁码是8812", "忘掉门禁码，我换了。"),
        ("诊所的密码是4471", "诊所密码可以忘了，他们换锁了。"),
    ],
)
def test_a_reason_behind_a_request_is_no_part_of_it(talk: Talk, said: str, request_: str) -> None:
    talk.say(said)
    written = talk.say(request_)
    assert written.forgotten or written.unclear
    assert not talk.texts()


@pytest.mark.parametrize("text", ["forget the lease", "Could you forget the lease?", "忘了租约的事"])
def test_a_bare_request_is_answered(talk: Talk, text: str) -> None:
    assert talk.say(text).unclear


@pytest.mark.parametrize(
    "text",
    ["forget the car, let's walk", "forget the pasta, I'll make rice", "Forget the rain, we're going anyway",
     "Let's forget the gym", "忘了带钥匙", "我忘了租约的事"],
)  # fmt: skip
def test_what_is_to_be_done_instead_is_no_request(talk: Talk, text: str) -> None:
    talk.memories.write([Add(NewMemory("fact", "My car is a Skoda", scope="all"))])
    written = talk.say(text)
    assert not written.unclear and not written.forgotten and talk.texts() == ["My car is a Skoda"]


@pytest.mark.parametrize(
    ("entries", "text", "goes"),
    [
        (["We live in a flat in Leith, the rent is 900"], "forget what I said about the rent", 0),
        (["We live in a flat in Leith, the rent is 900"], "forget the rent", 0),
        (["My rent is 900, it went up in May"], "forget the rent", 1),
        (["Craig is my boss", "Craig has diabetes", "My sister Jo went to school with Craig"],
         "forget everything about Craig", 2),
        (["My sister Jo is a nurse", "My sister Jo is married to Craig"], "forget everything about Jo", 2),
        (["克雷格是我老板", "我妹妹小红跟克雷格是同学"], "忘掉关于克雷格的一切", 1),
    ],
)  # fmt: skip
def test_what_says_another_thing_or_is_of_another_one_is_asked_about(
    talk: Talk, entries: list[str], text: str, goes: int
) -> None:
    talk.memories.write([Add(NewMemory("relationship", one, scope="all")) for one in entries])
    written = talk.say(text)
    assert sorted(one.text for one in written.forgotten) == sorted(entries[:goes])
    assert [one.text for of in written.unclear for one in of.memories] == entries[goes:]


@pytest.mark.parametrize(
    ("entries", "text", "answer"),
    [
        ([f"The boat race in {place} is fun" for place in ("Oban", "Bath", "Hull", "York", "Leeds", "Cowes")],
         "forget the boat", "all of them"),
        ([f"划船比赛在{place}很好玩" for place in ("大连", "青岛", "上海", "厦门", "宁波", "珠海")],
         "忘掉划船", "全部"),
    ],
)  # fmt: skip
def test_all_of_them_are_those_that_the_question_does_not_show_as_well(
    talk: Talk, entries: list[str], text: str, answer: str
) -> None:
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in entries])
    asked = talk.say(text)
    assert re.search("and 2 more|还有 2 条", "".join(asked.lines()))
    assert sorted(one.text for one in talk.say(answer).forgotten) == sorted(entries)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (
            ["I'm doing a van driving course on Thursdays, 6 till 8", "actually the course is Wednesdays now"],
            "forget about the van course, I jacked it in",
        ),
        (["我爸吃氨氯地平，一天一片", "我爸的药换了，现在吃缬沙坦，氨氯地平停了"], "把我爸吃药的事都删了吧"),
    ],
)
def test_what_corrects_a_part_goes_with_what_it_corrects(talk: Talk, told: list[str], asked: str) -> None:
    talk.say(*told[:-1])
    (old,) = talk.memories.select()
    talk.memories.write([Add(NewMemory(old.kind, told[-1], scope=old.scope, agent=old.agent), in_part=(old.id,))])
    made = talk.say(asked)
    assert not talk.texts() and {one.text for one in made.forgotten} == {old.text, told[-1]}


def test_what_is_said_of_it_alone_leaves_what_it_corrects(talk: Talk) -> None:
    talk.say("I'm doing a van driving course on Thursdays")
    (old,) = talk.memories.select()
    new = NewMemory(old.kind, "The course is on Wednesdays now", scope=old.scope, agent=old.agent)
    talk.memories.write([Add(new, in_part=(old.id,))])
    talk.say("forget that the course is on Wednesdays now")
    assert talk.texts() == [old.text]
