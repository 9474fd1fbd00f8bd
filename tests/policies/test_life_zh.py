"""What is said in Chinese of one's own life, of somebody close, of what one pays and attends, is noted by itself; the
work at hand, the moment and the world are not."""

from __future__ import annotations

import datetime as dt

import pytest

from localagent.memory.entries import Kind
from localagent.policy import Extracted, Policies, Said

# A Wednesday.
SAID_AT = dt.datetime(2026, 3, 11, 10, 0).timestamp()


def found_in(policies: Policies, text: str) -> list[Extracted]:
    """Without what is kept only in the place of something."""
    found = policies.importance(Said("user", text, SAID_AT, 9), ())
    return [one for one in found if not (one.replaces and one.kind == "event" and one.importance == 0.3)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我戒烟了。", "profile"),
        ("我搬回老家了。", "profile"),
        ("我转行了。", "profile"),
        ("我一周上三天班。", "profile"),
        ("我现在一个人住。", "profile"),
        ("我大三了。", "profile"),
        ("我换了辆电动车。", "profile"),
        ("我已经不在深圳了。", "profile"),
        ("其实我现在挺能吃辣的。", "habit"),
        ("我不怕狗了。", "habit"),
        ("我不用上夜班了。", "habit"),
        ("我开始学大提琴了。", "habit"),
        ("我改骑车上班了。", "habit"),
        ("小宝6岁了。", "relationship"),
        ("团子三岁了。", "relationship"),
        ("女儿七岁了。", "relationship"),
        ("我妈搬来跟我住了。", "relationship"),
        ("老婆现在在医院当护士。", "relationship"),
        ("爸爸血压降下来了。", "relationship"),
        ("孩子断奶了。", "relationship"),
        ("我弟弟考上研究生了。", "relationship"),
        ("房租涨到3500了。", "profile"),
        ("工资涨到一万五了。", "profile"),
        ("停车费每个月800。", "profile"),
        ("钢琴课改到周四了。", "fact"),
        ("瑜伽课换到周六上午了。", "fact"),
        ("健身卡到期了。", "fact"),
        ("我现在不怎么喝酒了。", "habit"),
        ("我很少加班了。", "habit"),
        ("我儿子会走路了。", "relationship"),
        ("新领导姓王。", "relationship"),
        ("我们公司改双休了。", "fact"),
        ("房贷还清了。", "profile"),
        ("我们准备要二胎。", "event"),
        ("我不考研了。", "event"),
        ("房租从3000涨到3500了。", "profile"),
        ("我弟当兵去了。", "relationship"),
        ("我奶奶九十了。", "relationship"),
        ("爸爸每天早上打太极。", "relationship"),
        ("我妈住在老家。", "relationship"),
        ("我女儿改名叫林小雨了。", "relationship"),
        ("老婆工资涨到一万五了。", "relationship"),
        ("我五点半下班。", "habit"),
        ("我迷上羽毛球了。", "habit"),
        ("我开车上班。", "profile"),
        ("我失业三个月了。", "profile"),
        ("我瘦了十斤。", "profile"),
        ("我驾照考下来了。", "profile"),
        ("我房子卖了。", "profile"),
        ("舞蹈课停了。", "fact"),
        ("瑜伽课在周三。", "fact"),
        ("打算过年回南京。", "event"),
        ("国庆打算带爸妈去桂林。", "event"),
        ("今年过年不回家了。", "event"),
        ("过年去三亚。", "event"),
        ("我五一结婚。", "event"),
        ("回答可以详细一点。", "preference"),
        ("不用那么简短了。", "preference"),
    ],
)
def test_what_is_stable_is_noted_by_itself(policies: Policies, text: str, kind: Kind) -> None:
    (found,) = found_in(policies, text)
    assert found.kind == kind
    assert found.text in text and found.text[-1] == text[-2]


@pytest.mark.parametrize(
    "text",
    [
        "我现在改了一下函数。",
        "测试又挂了。",
        "代码改到 utils.py 了。",
        "文档改到第二版了。",
        "超时改到30秒了。",
        "我不用这个接口了。",
        "我开始写代码了。",
        "现在有点困。",
        "我到家了。",
        "我吃完饭了。",
        "我不吃了。",
        "我不玩了。",
        "我不想聊了。",
        "我不怕了。",
        "我现在能看到了。",
        "我现在要出门了。",
        "我把车停了。",
        "我不在家了。",
        "天气变冷了。",
        "油价涨到8块了。",
        "比特币涨到10万了。",
        "美国总统换人了。",
        "他6岁了。",
        "小明6岁了，小红几岁？",
        "我差点辞职了。",
        "我没搬家。",
        "如果房租涨到3500了，我就搬。",
        "我戒烟了吗？",
        "我哥刚走。",
        "我老公不理我了。",
        "我住酒店。",
        "我喝完药了。",
        "客户说房租涨到3500了。",
        "应该改到周四。",
        "我不戒烟。",
        "标题改成红色了。",
        "我开始做第二题了。",
        "我搬到新服务器了。",
        "我现在能跑通了。",
        "我不开车了今天。",
        "我不吃饭了。",
        "我不吃这一套。",
        "我当真了。",
        "我买了火车票。",
        "我换了个写法。",
        "我把桌子搬到客厅了。",
        "这个服务费涨到30了。",
        "军费涨到3000亿了。",
        "会议改到周几了？",
        "下周改到周三吧。",
        "公司十岁了。",
        "我妈在做饭。",
        "我女儿在睡觉。",
        "孩子饿了。",
        "我哥们在楼下。",
        "孩子叫我妈妈。",
        "周末去爬山了。",
        "过年去三亚贵。",
        "回答可以了。",
        "我住院的时候写的。",
        "我想搬到苏州。",
        "听说老王离职了。",
        "电影里他戒烟了。",
    ],
)
def test_the_moment_the_work_and_the_world_are_not_noted(policies: Policies, text: str) -> None:
    assert found_in(policies, text) == []
