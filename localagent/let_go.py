"""Chinese requests to let go of what a noun phrase names: 体重就当我没提, 阿杰借钱那条忘了, 我的工资不许留. Pure.

The phrase names something that is known, so such a sentence is neither a statement nor about the message before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from localagent.courtesy import AS_UNSAID_ZH, PLEADS_ZH, TO_YOU_ZH, TOLD_ZH
from localagent.owners import owner
from localagent.persons import of_kin_alone


@dataclass(frozen=True, slots=True)
class LetGo:
    """`about`: the phrase; `every`: whatever is known of it; `sure`: whether memory is meant without doubt, whatever
    there is: not 花店那条删了, which may be a line of a text; `asks`: it may mean something else, and is asked
    about."""

    about: str
    every: bool
    sure: bool
    asks: bool = False


_NAMED = r"(?P<of>[^，,。:：]{1,24}?)"
# What makes a phrase of what was told: 换房的事, 左耳那个, 阿杰借钱那条.
_MARK = (
    r"(?P<mark>的?(?:[那这]一?(?:件|回|个|档子?|码|桩|点)?)?(?:事情?|话题)儿?|的?[那这]些(?:东西|事情?)?|的?[那这]一?[个条句点段](?:记录|记忆|信息)?|的?[那这]一?件|"
    r"(?:的|这个|那个)(?:名字|数字|说法|计划|信息|记录|内容)|的(?:所有|全部|一切)|的(?=[都全通统]))?"
)
_FROM_MEMORY = r"(?:从?(?:你的?)?(?:脑子|脑袋|脑海|记忆|记性|心)(?:里面?|中)?)"
# 就当我没提, and with nobody who said it: 就当不知道.
_SILENT = (
    rf"(?P<silent>{AS_UNSAID_ZH}|(?:就|权|只|全)?当(?:作|做|是)?"
    rf"(?P<bare>没有?{TO_YOU_ZH}(?:{TOLD_ZH}|听[到见说]*过?)|(?:从来|压根)?不知道|没(?:发生过?|这[回个]事)))"
)
_FORGETS = r"(?P<forgets>忘(?:掉|了|记|干净|光)|别?不?记[得着]了)"
_DELETES = (
    r"(?P<deletes>(?:删|清|抹|划|撤|去|擦|消)(?:掉|除|了|空|干净|销)|划去|清理掉|"
    r"作废|不算数?|不要了|取消|扔了)"
)
_KEEPS = (
    r"(?P<keeps>(?:(?P<whole>一个字|一[件条]|半个字|一点儿?|一丁点儿?|一句|什么)?[都也]?)(?:不许|不准|不能|别|甭|不要|不用)(?:再|给我|帮我)*"
    r"(?:留(?:着|下|存)?|存(?:着|下)?|记(?:着|住|得|下|录)?|保[留存]))"
)
_END = r"(?:掉|了|吧|啊|哈|哦|呀|嘛|啦|好了|得了|就行|就好|就可以|好吗|好不好|可以吗|行吗|谢谢|[，,。！!~ ])*+"
_REST = (
    r"(?:[，,](?:别的|其他的?|其它的?|剩下的|另外的)(?:都|就|你)*(?:留着|别动|不动|保留|不用动|不变)(?:吧|就行|就好)?)?"
)
_NEVER_MIND = r"(?:(?:别管|不用管|甭管|别再?提|作罢|拉倒|算)了?[，,]?)?"
_FIRST = re.compile(
    rf"{PLEADS_ZH}(?P<about>关于|有关|[跟和与](?=.{{1,16}}[有相]关))?{_NAMED}(?:[有相]关)?{_MARK}[，,]?{PLEADS_ZH}{_NEVER_MIND}{PLEADS_ZH}(?P<memory>{_FROM_MEMORY})?{PLEADS_ZH}"
    rf"(?:{_SILENT}|{_FORGETS}|{_DELETES}|{_KEEPS}){_END}"
)
_WITH_BA = re.compile(
    rf"{PLEADS_ZH}把(?P<about>关于|有关)?{_NAMED}{_MARK}(?:都|全|给我|通通|统统|就)*(?P<memory>{_FROM_MEMORY})?(?:里|都|给我)*"
    rf"(?:{_FORGETS}|{_DELETES}){_END}"
)
_VERB_FIRST = re.compile(
    rf"{PLEADS_ZH}(?P<forgets>忘(?:掉|了|记)|抹掉|清除|删[掉除])(?P<every>所有|全部|一切)的?(?:关于|有关|跟|和)?{_NAMED}"
    rf"(?:有关|相关)?的?(?:事情?|内容|信息|东西|记忆|记录)?{_END}"
    rf"|{PLEADS_ZH}(?:不许|不准)(?:再|给我)*(?:[存记留]下?|保[存留]|记录)(?P<own>我[^，,。:：]{{1,16}}?){_END}"
)
_SAID_WRONGLY = re.compile(
    r"(?P<of>[^，,。我你]{1,12}?)(?:我)?(?:刚才|刚刚|之前|上次)?(?:说|讲|记)错了?[，,]"
    rf"{PLEADS_ZH}(?:(?:别|不要|不用)(?:再)?(?:记|存|留)[着住下]?|忘(?:了|掉)|删(?:了|掉)){_END}"
)
_ASKED_FOR = re.compile(
    rf"{PLEADS_ZH}把?(?P<of>[^，,。:：]{{1,16}}?)(?:[那这]一?[个条]|的)(?:要求|规矩|约定|叫法|称呼|请求){PLEADS_ZH}"
    rf"(?:取消|作废|不算(?:数|话)?了?|不作数|免了|撤[了销回]|去掉|算了){_END}"
)
# 诊所密码可以忘了; without it, news of who has forgotten it.
_ALLOWS_ZH = re.compile(r"^(?:的事情?)?(?:你|您|现在|也|就)*(?:可以|能|请)")
# What ends of itself: 换房的计划取消了 is news, 体重那条取消 a request.
_ENDS = re.compile(r"作废|不算|不要了|取消|扔了")
_ONE_ENTRY = re.compile(r"[条句]|[那这]一?[个件些]")
# "我说的换房", "我让你叫我马哥".
_I_SAID = re.compile(r"^我(?:刚才|之前|以前|上次)?(?:[跟和对向]你)?(?:(?:[说讲提]|告诉你?)过?的|[让叫要]你)(?=.{2})")
# Points to something else, sets a condition, or tells of what somebody does or says.
_VAGUE = re.compile(
    r"[这那它他她您你](?:们|个|条|些|件|句|事|话)?(?:的|事|话)?|我们?|咱们?|自己|上面?一?[条句]|(?:刚才?|刚刚|方才|上面|前面|之前).*|"
    r"(?:没事|好吧|好了|算了|行吧|不好意思|抱歉|对不起|唉|别的|其他的?|什么|啥|所有|一切|全部|大家|人家|有人)(?:的?)|"
    r"我?(?:说|讲|提)的?.{0,3}"
)
_TELLS = re.compile(
    r"^(?:如果|要是|假如|若是?|万一|不行|不好|不愿|[他她它们]{1,2}[^的]|谁|别|先|下次)|要是|如果|的话$|[说讲劝催教逼]$|"
    r"(?:叫|让|请|要求|规定|[说讲]|希望|告诉|觉得|已经|不小心|差点|总是?|又|才)(?!$)(?=[^错])|[把将被给]|我(?:都|也|又|已|还|就|不|没|自己)"
)
# What is worked on, of which a line is deleted.
_WORK = re.compile(
    r"[段列行页栏]|代码|函数|变量|日志|评论|文[件档章本稿字案]|邮件|照片|图片?|截图|视频|幻灯片|表格?|缓存|订单|购物|短信|消息|聊天|"
    r"会议|日程|闹钟|账单|清单|菜谱|步骤|注释|测试|接口|作文|论文|小说|简历|合同|(?<![心家])里|分支|数据|网页|标题|脚本|目录|订阅|会员|通知|提醒|航班|机票|酒店|预约|课程?|命令|指令"
)
_TOPIC = re.compile(r"(?:叫什么|是谁|是什么|有多少|多少|几[岁点号]|在?哪[里儿]?|怎么样)$")
# What is named so shortly names a thing, and tells nothing of it.
LONGEST_NAME = 4
_WHOLE = re.compile(r"所有|全部|一切|[都全]|通通|统统|一个字|半个字|一点|一丁点")


def let_go(sentence: str) -> LetGo | None:
    """What a sentence asks to let go of; None where it names nothing, tells something, or is a question."""
    if sentence.isascii():
        return None
    plain = re.sub(r"[“”\"「」『』]", "", sentence).strip(" ，,。.！!~\n")
    plain = re.sub(rf"{_REST}$", "", plain)
    if not plain or len(plain) > 60 or re.search(r"[?？]", plain):
        return None
    asked_for = _ASKED_FOR.fullmatch(plain)
    if asked_for is not None:
        of = _I_SAID.sub("", asked_for["of"])
        known = of != asked_for["of"] and len(of) > 1
        return None if _is_vague(of) and not known else LetGo(of, every=False, sure=False, asks=True)
    wrong = _SAID_WRONGLY.fullmatch(plain)
    if wrong is not None and not _is_vague(wrong["of"]):
        return LetGo(_TOPIC.sub("", wrong["of"]), every=False, sure=True)
    return _verb_first(plain) or _phrase_first(plain) or _of_something(plain)


def _of_something(plain: str) -> LetGo | None:
    """工资不许留 may be of something else, and is asked about."""
    if not re.search("不[许准]", plain):
        return None
    match = _FIRST.fullmatch(plain)
    if match is None or not match["keeps"] or not re.search(r"不[许准]", match["keeps"]):
        return None
    of = match["of"]
    other = len(of) > LONGEST_NAME or _is_vague(of) or bool(_WORK.search(of) or re.search(r"\d|是", of))
    return None if other else LetGo(of, every=False, sure=False, asks=True)


def _verb_first(plain: str) -> LetGo | None:
    match = _VERB_FIRST.fullmatch(plain)
    about = (match["of"] or match["own"]) if match is not None else ""
    if match is None or _is_vague(about) or re.search(r"\d|[是了]", about):
        return None
    return LetGo(about, every=bool(match["every"]), sure=True)


def _phrase_first(plain: str) -> LetGo | None:
    match = _WITH_BA.fullmatch(plain) or _FIRST.fullmatch(plain)
    if match is None or _is_vague(said := _I_SAID.sub("", match["of"])):
        return None
    groups = match.groupdict()
    of, mark = _TOPIC.sub("", said), match["mark"] or ""
    topic = bool(mark or match["about"] or of != said)
    notes = False
    memory, somebody = bool(match["memory"]), _is_somebody(of)
    whole = bool(_WHOLE.search(plain[match.end("of") :]))
    deletes, keeps = groups.get("deletes"), groups.get("keeps")
    if groups.get("silent"):
        fits = sure = topic or not groups["bare"] or bool(re.search(r"你[就权只全]*当", plain))
    elif match["forgets"]:
        # 开会的事忘了 is news of its writer.
        allowed = bool(_ALLOWS_ZH.search(plain[match.end("of") :])) and not of.startswith("我")
        asks = plain.endswith("吧") or match["forgets"] not in ("忘了", "忘记") or "条" in mark or allowed
        fits = sure = (topic or allowed) and (asks or match.re is _WITH_BA)
    elif deletes or keeps:
        # 小强全删了 is news of him.
        asked = match.re is _WITH_BA or plain.endswith("吧") or plain[match.end("of")] in "，,"
        fits = topic or memory or (somebody and asked) or bool(groups.get("whole"))
        fits = fits or (bool(keeps) and of.startswith("我") and "的" in of)
        # 罗强的电话不用记了: what is noted here, or what somebody learns.
        notes = not fits and "记" in (keeps or "") and "的" in of.strip("的")
        fits = fits or notes
        sure = memory or bool(match["about"] or keeps) or "事" in mark or (bool(mark) and of.startswith("我"))
        fits = fits and (memory or not _WORK.search(of)) and not (keeps and re.search(r"\d|是", of))
        fits = fits and (memory or not _ENDS.match(deletes or "") or bool(_ONE_ENTRY.search(mark)))
    else:
        return None
    if not fits or not of:
        return None
    # 把我女儿的都删了 may be of pictures, 苹果那些都扔了 of apples.
    things = mark == "的" or not mark or "东西" in mark or ("些" in mark and not somebody)
    asks = notes or (bool(deletes) and things and not (memory or match["about"]))
    return LetGo(of.removesuffix("的"), every=whole or bool(match["about"]), sure=sure and not asks, asks=asks)


def _is_somebody(of: str) -> bool:
    return of_kin_alone(of) or of_kin_alone(f"我{of}") or bool(owner(f"{of}的").name)


def _is_vague(of: str) -> bool:
    return len(of) < 2 or bool(_VAGUE.fullmatch(of)) or bool(_TELLS.search(of))
