"""How the assistant is to talk is a standing wish, however it is put; an order for one answer is none, nor is what
somebody else wants of the speaker."""

from __future__ import annotations

import pytest

from localagent.courtesy import plain_zh
from localagent.policy import Policies, Said

WISHES = """
I have ADHD, so please keep lists short
give me the conclusion first, then the reasons
start with the short answer and explain only if I ask
talk to me like I'm five
please write to me in simple English, it's not my first language
no need to be so polite all the time
swear all you like, I don't mind
please don't swear at me
ask me before you assume anything
if something is unclear, ask me instead of guessing
if you don't know something, just say so
you can drop the exclamation marks
I'm dyslexic, please avoid big blocks of text
keep it casual with me
you don't have to explain the basics to me, I'm an engineer
can you please stop hedging everything
make fewer jokes please
from now on British spelling please
use kilometres, not miles, when you talk to me
feel free to disagree with me
one question at a time please
please go back to calling me Ines, Nes sounds like a coffee
don't make things up
please use she/her for me
write numbers as digits please, not words
push back when you think I'm wrong
double check your maths before you answer me
don't treat me like a child
when I vent, just listen, no advice
以后回我消息莫整太长，两三句就够了
答应我，你以后回我都用四川话
回答问题先说结论嘛，莫绕
回答问题先说结论嘛
算了还是喊我罗姐嘛，静姐听起怪
给我用微信那种口气说话
你说话随便点嘛，别那么客气
别老跟我说您，叫你就行
跟我说话用普通话就行
温度都用摄氏度
时间用24小时制
一次只问我一个问题
不清楚的先问我，别自己猜
有话直说，别哄我
可以说脏话，我不介意
像朋友那样跟我聊
基础的就不用跟我解释了
回答结尾别再问我还需要什么了
甭跟我绕弯子
你休要再说教
讲嘢唔好咁长气
希望你对我严厉一点
十点前别给我打电话
算了不喊你用四川话了，普通话就行
你回消息能不能短点嘛
别老问我感受
列清单的时候最多五条
我写错了你就直接纠正我
没把握的别说得那么肯定
""".strip().splitlines()
NONE = """
make this one shorter
translate this in formal language
can you say that again in French?
write it like a pirate
I want to be called up to the national team
my boss wants me to keep my emails short
my teacher told me to stop using emojis in essays
I told my son to stop swearing
please don't call me before ten tomorrow
always give the dog his pills at eight, the vet told us
don't tell my wife about the ring
from now on I go swimming on Mondays
be honest, do you like my haircut?
don't swear at the referee
don't guess, count them
ask me before dinner
if you don't know the way, ask the driver
one step at a time, my therapist says
you can disagree with the contract within two weeks
老板叫我以后写邮件短一点
客户要求我们用繁体字回复
我甲功正常了，医生喊我减到50微克
我妈喊我回家吃饭
我老婆让我别骂脏话
2020年以后在长沙
毕业以后一直用英语工作
用英文回答这道题
帮我用四川话写一段祝福
直接说吧，多少钱？
少放点盐
今晚别等我吃饭
别开玩笑，我住在上海
他叫我莫去，我还是去了
莫总说下周一开会
别猜了，是三个
给我讲讲什么叫区块链，别整太复杂
羊肉泡馍要自己掰，甭叫师傅掰
像朋友一样对我的同事不多
别把密码硬编码在代码里
外婆配了助听器，说话不用喊了
""".strip().splitlines()


def kinds(policies: Policies, text: str) -> set[str]:
    return {entry.kind for entry in policies.importance(Said("user", text, 1773223200.0, 1), ())}


@pytest.mark.parametrize("text", WISHES)
def test_how_to_talk_is_a_standing_wish(policies: Policies, text: str) -> None:
    assert "preference" in kinds(policies, text)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_wish_to_the_assistant(policies: Policies, text: str) -> None:
    assert "preference" not in kinds(policies, text)


@pytest.mark.parametrize(
    ("said", "common"),
    [
        ("以后莫整太长嘛", "以后别整太长吧"),
        ("甭担心，勿念", "别担心，别念"),
        ("休要再提", "不要再提"),
        ("唔好太长", "不要太长"),
        ("我冇钱，莫得办法", "我没钱，没得办法"),
        ("等一哈，我找一哈嘛。", "等一下，我找一下吧。"),
        ("莫言和莫总在莫斯科休息，干嘛不去，哈哈", "莫言和莫总在莫斯科休息，干嘛不去，哈哈"),
        ("切莫忘记，约莫三点", "切莫忘记，约莫三点"),
    ],
)
def test_dialect_is_read_in_common_words_sign_for_sign(said: str, common: str) -> None:
    assert plain_zh(said) == common
