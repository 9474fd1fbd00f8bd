"""Facts: what cannot be guessed, and where things are."""

from __future__ import annotations

from ._rule import Rule, any_of

# Something that cannot be guessed: an address, a version, a path, an id, an amount.
_VALUE = any_of(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?(?![\w.]*\d)",
    r"(?<![A-Za-z\d.])v?\d+\.\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha|lts)\.?\d*)?(?![A-Za-z\d])",
    r"https?://\S+|\b[\w.+-]+@[\w-]+\.\w+|\bwww\.\S+",
    r"(?:^|[\s:：是在到])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.-]+(?:[/\\][\w.-]*)*",
    r"\b[\w-]+\.(?:com|org|net|io|dev|cn|local|lan|md|py|txt|json|yaml|yml|toml|csv|pdf|docx?|xlsx?|db|sqlite|"
    r"conf|env|internal)\b",
    r"(?<![A-Za-z\d])(?-i:(?=[A-Z\d#-]*\d)[A-Z#][A-Z\d]*[-#]?[A-Z\d-]*\d[A-Z\d-]*)(?![A-Za-z\d])",
    r"(?<![A-Za-z\d])\d[\d ,-]{2,}\d(?![A-Za-z\d])", r"(?<!\d)\d{3,}(?!\d)",
    r"(?<![A-Za-z\d])(?=[a-f]*\d)[0-9a-f]{7,40}(?![A-Za-z\d])",
    r"[$€£¥￥]\s?\d",
    r"(?<![A-Za-z\d])\d+(?:[.,]\d+)?\s?(?:%|percent|euros?|dollars?|usd|eur|gb|tb|mb|kb|ghz|mhz|kg|g|km|cm|mm|m²|"
    r"sqm|ml|"
    r"liters?|litres?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|people|users|employees|pages|rooms|"
    r"floors?|ms|volts?|watts?|degrees|°c?|cores|units|seats)(?![A-Za-z])",
    r"\d+(?:\.\d+)?\s?(?:元|块|万|亿|平米|平方米|公里|千米|米|公斤|斤|克|升|毫升|小时|分钟|天|周|个月|年|人|台|"
    r"名|位|辆|间|套|栋|亩|"
    r"层|楼|号楼|室|度|页|端口|核|兆|寸|折)",
    r"\b(?:port|room|floor|build|issue|ticket|version|gate|platform|apartment|flat|unit|line|slot|locker|row|"
    r"seat|step) #?\w?\d+\b",
    # 一万二, 早上七点, 三十块
    r"[一二两三四五六七八九][百千万](?!分)[零一二两三四五六七八九十百千万]*(?![个只条位次种遍年])",
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?!钟头|儿|了|意|事|心|东|也|都)",
    r"[一二两三四五六七八九十]{1,4}(?:元|块钱?|公里|公斤|斤|平米|号楼|层)",
    r"\b\d{1,2}(?::\d{2})? ?(?:am|pm)\b|\b\d{1,2}:\d{2}\b",
)  # fmt: skip
_STATES = any_of(
    r"(?<![:/])\b(?:is|are|was moved to|has|have|runs?|lives?|listens?|sits|uses?|moved|changed|equals|points|"
    r"costs?|expires?|weighs|measures|contains|holds|takes|starts?|opens?|closes?|ends?|needs|requires|supports|"
    r"got|belongs|stands)\b|'s (?!go|see|use)|=|[:：]",
    r"现在(?=\d|[一二两三四五六七八九])|开始|"
    r"(?<![总还都就但可或])是|为|在|改成|改为|换成|变成|叫|位于|放|存|用|跑|部署|等于|值|共|有|花了?|售价|价格|"
    r"需要|占|每|搬到|指向|达到|端口|版本|编号|地址",
)

FACTS = (
    Rule("fact", any_of(
        r"\b(?:the|our|my|this|his|her|their) (?:[\w'/.-]+ ){1,6}(?:is|are|was) (?:called|named|known as|stored|"
        r"located|kept|hosted|owned|maintained|managed|written|deployed|based|run|led|made of|backed up|built|"
        r"hidden|parked|paid|due|open|closed|in the|on the|at the|under the|behind the|next to) \w",
        r"(?:\b(?:we|our \w+(?: \w+)?|the \w+(?: \w+)?)|^(?!I\b|you\b|he\b|she\b|they\b|\w+ moved\b)[\w-]+)(?:'re| are|"
        r" is)? (?:now |currently |still |also )*(?:uses?|"
        r"using|runs? on|running on|deploys? (?:to|on|with)|stores?|host(?:s|ed)? (?:on|at|in)|migrated to|"
        r"moved to|written in|built (?:on|with|in)) (?:\w+ ){0,3}?(?-i:[A-Z]\w*|\w+\.\w+|`)",
        r"^(?!我|你|他|她|今|明|昨)[^，。？]{1,12}?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点半?(?:开门|关门|营业|打烊|开放|开课|闭馆)",
        r"\b(?:my|our|the) (?:[\w'’-]+ ){1,4}name is (?!not\b|what\b|also\b|too\b|so\b)\w",
        r"我们?家?(?:的)?[\w-]{2,10}的?(?:名字|名称|密码|编号)(?:现在)?(?:是|叫)(?!什么|多少|哪|不)\w",
        r"^(?!我|你|他|她|谁|有人|请|大家|别|不|都)[^，。]{1,10}(?:叫做|名叫|叫)(?!我|你|人|做|上|来|车|什么|他|"
        r"她|醒)\w{1,12}[。.!！]?$",
        r"(?:我们|咱们|公司|项目|服务器?|团队|产品|仓库|系统|数据库|网站|应用|路由器|打印机|学校|组|店|备份|文件|"
        r"钥匙|代码|日志|配置|密钥库|车|行李|护照|资料|合同|快递).{0,12}(?:名叫|叫做|叫|的名字是|代号是|位于|"
        r"部署在|放在|存放在|存在|跑在|运行在|托管在|用的是|使用的是|基于|由.{1,10}负责|负责人是|地址是|停在|"
        r"藏在|保存在|备份在|备份到|搬到了?)(?!哪|什么|一起|线|吗)\w",
    ), 0.6, any_of(
        r"\b(?:not|isn't|aren't) (?:stored|located|called)\b",
        r"存在(?:问题|一些|很多|风险|bug|的)", r"叫(?:我|你|人|做什么)")),
)  # fmt: skip
_ANYTHING = any_of(r"\S")
STATED_VALUE = Rule("fact", _VALUE, 0.6)
# What somebody asked to be remembered, whatever it is.
TOLD_FACT = Rule("fact", _ANYTHING, 0.8)
TOLD_WISH = Rule("preference", _ANYTHING, 0.8)


def states_value(clause: str) -> bool:
    """Whether it says of something an address, a version, an amount: what cannot be guessed."""
    value = _VALUE.search(clause)
    return value is not None and bool(_STATES.search(clause[: value.start() + 1]))
