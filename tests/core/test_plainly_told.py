"""What somebody says plainly of their life, and what has changed in it, is noted, by the rules or by the classifier
that comes along; what is said of the work at hand, of the moment and of the world, in the same words, is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from talking import Talk

from localagent.abort import AbortSignal
from localagent.memory.calibration import Calibrated
from localagent.memory.embedded import EmbeddedE5
from localagent.memory.trained_classifier import TrainedClassifier
from localagent.policy import Policies
from localagent.remember import Remember

# With the kinds that are right.
PLAINLY = {
    "I'm a dental hygienist": "profile",
    "I have three cats": "relationship profile",
    "I don't eat pork": "habit profile",
    "I'm studying law": "profile",
    "I own a small bakery": "profile",
    "My husband is a plumber": "relationship",
    "My brother lives in Spain": "relationship",
    "I speak Polish": "profile",
    "I collect vinyl records": "habit profile",
    "I go to bed at ten": "habit",
    "I volunteer at the food bank": "habit profile",
    "I'm a night owl": "profile habit",
    "I'm self-employed": "profile",
    "I'm a retired postman": "profile",
    "I'm the youngest of four": "profile relationship",
    "I've been a nurse for ten years": "profile",
    "I work three days a week as a librarian": "profile habit",
    "we're expecting twins": "relationship profile event",
    "I look after my mum": "relationship profile habit",
    "I keep bees": "habit profile",
    "I'm a member of a book club": "habit profile",
    "I suffer from hay fever": "profile",
    "I never went to university": "profile",
    "我是牙医": "profile",
    "我养了三只猫": "relationship profile",
    "我不吃猪肉": "habit profile",
    "我在读法律": "profile",
    "我老公是水管工": "relationship",
    "我哥在西班牙": "relationship",
    "我会说波兰语": "profile",
    "我收集黑胶唱片": "habit profile",
    "我每周跑两次步": "habit",
    "我戴隐形眼镜": "profile",
}
CHANGED = {
    "I've moved my swimming to Thursdays": "habit event",
    "I quit smoking": "habit profile event",
    "I've stopped drinking coffee": "habit profile",
    "our rent went up to 950 pounds": "profile fact event",
    "I lost my job last week": "event profile",
    "I sold my motorbike": "event profile fact",
    "my wife is pregnant": "relationship",
    "my brother sold his car": "relationship",
    "my son started school": "relationship",
    "we got a puppy": "relationship event profile",
    "I passed my driving test": "event profile",
    "I've lost ten kilos": "profile event",
    "我戒烟了": "habit profile",
    "我把摩托车卖了": "event profile fact",
    "我儿子上小学了": "relationship",
    "我老婆怀孕了": "relationship",
    "我六月搬到成都了": "profile event",
    "我辞职了": "profile event",
    "我驾照考过了": "profile event",
    "我们家养了只小狗": "relationship event profile",
}
# Of the work at hand, of the moment, of the world.
NOTHING = [
    "I changed the function to return a list", "I've moved the tests to tests/core", "I moved the button to the left",
    "I changed my variable to x", "my query works now", "the build is green now", "I started rewriting the intro",
    "I gave up on the second approach", "I joined the two tables", "I broke the build", "I got a promotion code",
    "I'm home now", "I'm hungry now", "I'm having lunch now", "Apple has a new CEO", "London has a new mayor",
    "Messi moved to Miami", "Taylor Swift got engaged", "Brazil won the cup", "Tom ran away in chapter two",
    "She got a new job", "My parent process died", "My colleague has a question", "My sister wants to know",
    "I can't open the drive", "I'm stuck here", "I run the script twice", "I take the first option", "I hate this bug",
    "I have two arrays", "We don't have a test for that", "I quit the program", "I've lost the file",
    "我打不开这个文件", "我卡住了", "我上周把测试弄坏了", "我把服务器停了", "我在看你的回答", "我跑了两次脚本",
    "我选第一个", "我有两个数组", "我饿了", "我们没有这个测试", "我退出程序了", "我文件丢了", "我换了个标题",
    "我开始下载了", "油价涨到8块了",
]  # fmt: skip


@pytest.fixture(scope="module")
def classifier() -> Iterator[TrainedClassifier]:
    embedder = Calibrated(EmbeddedE5(), lambda fingerprint: None, lambda fingerprint, data: None)
    embedder.load(AbortSignal())
    yield TrainedClassifier(lambda abort: embedder, lambda vector, limit: [], AbortSignal())
    embedder.close()


@pytest.fixture
def noted(tmp_path: Path, policies: Policies, classifier: TrainedClassifier) -> Callable[[str], list[str]]:
    """The kinds of what is noted of a sentence where nothing is known."""

    def say(text: str) -> list[str]:
        talk = Talk(tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite3", policies.importance)
        talk.remember = Remember(talk.memories, policies.importance, policies.undecided, lambda: classifier)
        found = talk.say(f"{text}.").memories
        talk.ledger.close()
        return [one.kind for one in found]

    return say


@pytest.mark.parametrize("told", [PLAINLY, CHANGED])
def test_what_is_told_of_ones_life_is_noted(noted: Callable[[str], list[str]], told: dict[str, str]) -> None:
    found = {text: noted(text) for text in told}
    seen = [text for text, kinds in found.items() if kinds]
    assert len(seen) >= 0.85 * len(told), found
    assert sum(any(kind in told[text].split() for kind in found[text]) for text in seen) >= 0.85 * len(seen), found


def test_the_work_the_moment_and_the_world_are_not_noted(noted: Callable[[str], list[str]]) -> None:
    found = [text for text in NOTHING if noted(text)]
    assert len(found) <= 2, found


@pytest.mark.parametrize(
    ("task", "done"),
    [
        ("I need to cancel my gym membership.", "I cancelled my gym membership"),
        ("Remind me to buy a van.", "I bought a van"),
        ("I need to finish my PhD.", "I finished my PhD"),
    ],
)
def test_what_is_done_ends_its_task(talk: Talk, task: str, done: str) -> None:
    (before,) = talk.say(task).added
    assert [old.id for old, _ in talk.say(f"{done}.").superseded] == [before.id]
    assert talk.texts() == [done]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("My cat is called Miso.", "Miso ran away and we never found her"),
        ("My best friend is called Priya.", "Priya had a baby girl"),
        ("My son is called Kai.", "Kai plays the drums now"),
        ("My dog is called Rex.", "Rex is blind now"),
    ],
)
def test_news_of_a_name_are_noted_of_somebody_who_is_known(talk: Talk, known: str, text: str) -> None:
    talk.say(f"{text}.")
    assert talk.texts() == []
    talk.say(known, f"{text}.")
    assert text in talk.texts("relationship")
