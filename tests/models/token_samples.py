"""Texts with the tokens that two real tokenizers made of them: SmolLM2's (49,152 tokens, mostly English) and Qwen's
(151,643 tokens, English and Chinese). Recorded, so that the estimate can be judged without any weights."""

from __future__ import annotations

from typing import NamedTuple


class Sample(NamedTuple):
    text: str
    smollm2: int
    qwen: int


ENGLISH = (
    Sample(
        "I have to move my small bakery to another street before the end of March. The new place is twenty "
        "square metres larger, but the oven there runs on gas and mine needs three-phase current. What "
        "should I ask the landlord first?",
        smollm2=48,
        qwen=47,
    ),
    Sample(
        "Ask him about the electricity before anything else. A three-phase line may cost more than the oven "
        "itself if the street has none. Then ask who pays for the flue, how long the lease runs, and whether "
        "you may put tables on the pavement. Get each answer in writing; people remember conversations "
        "differently once money is involved.",
        smollm2=67,
        qwen=66,
    ),
    Sample(
        "He says the line exists, but the fuse box dates from 1974 and nobody has looked at it since. The "
        "lease would be five years with an option for five more. He also mentioned, almost in passing, that "
        "the flat above is let to a couple with a newborn baby.",
        smollm2=60,
        qwen=60,
    ),
    Sample(
        "Then three things matter more than the rent: an electrician's inspection, a clause about noise "
        "before six in the morning, and a clear date on which you may start to rebuild. Bakers begin at "
        "night. If the neighbours can stop you through a court, the cheapest lease is too expensive.",
        smollm2=60,
        qwen=60,
    ),
    Sample(
        "We start mixing at half past two, so that is the real danger. Could rubber mats under the mixers be "
        "enough? My brother thinks so, although he also thought that the cellar would stay dry.",
        smollm2=42,
        qwen=41,
    ),
    Sample(
        "Rubber mats help against vibration, hardly at all against the thump of dough on a table or the "
        "rattle of trays. Put the table on an inside wall, buy trays with plastic feet, and spend one night "
        "upstairs listening, with the neighbours' permission. You will learn more in that night than from "
        "any catalogue.",
        smollm2=66,
        qwen=65,
    ),
    Sample(
        "That is a good idea, and it costs nothing but sleep. Please write down, as a short list, what must "
        "be settled before I sign anything. Keep it under eighty words, because I want to pin it to the door.",
        smollm2=47,
        qwen=47,
    ),
    Sample(
        "Before signing: 1. an electrician's report on the fuse box; 2. written permission for work from "
        "2:30 a.m.; 3. who pays for the flue; 4. the date from which rebuilding may start; 5. the option for "
        "five more years, with the rent fixed or tied to an index; 6. one night of listening upstairs. No "
        "signature until all six are answered on paper.",
        smollm2=94,
        qwen=92,
    ),
    Sample(
        "One more question, then I will let you rest. The old shop has a sign that my grandfather painted in "
        "1951. The landlord there claims that it belongs to the building. Does it?",
        smollm2=42,
        qwen=42,
    ),
    Sample(
        "It depends on how it is attached and on what the old contract says about fixtures. If it hangs on "
        "two hooks, it is usually yours; if it is painted on the wall, it stays. Take photographs today, "
        "look for a bill or an old picture that shows your family putting it up, and offer to repair the "
        "wall behind it.",
        smollm2=69,
        qwen=69,
    ),
)
CHINESE = (
    Sample(
        "我打算在三月底之前把面包店搬到另一条街上。新店面大二十平方米，可是那里的烤炉用煤气，而我的需要三相电"
        "。我应该先问房东什么？",
        smollm2=111,
        qwen=42,
    ),
    Sample(
        "先问电的事。如果那条街没有三相电，拉一条线可能比烤炉本身还贵。然后问烟道由谁出钱、租期多长、能不能在"
        "人行道上摆桌子。每一个回答都要写下来；一旦牵涉到钱，人们对谈话的记忆就各不相同了。",
        smollm2=159,
        qwen=69,
    ),
    Sample(
        "他说线路是有的，但是配电箱是一九七四年装的，之后再也没有人检查过。租约五年，到期可以再续五年。他还顺"
        "便提到，楼上住着一对刚生了孩子的夫妻。",
        smollm2=118,
        qwen=45,
    ),
    Sample(
        "那么有三件事比租金更要紧：请电工来检查，在合同里写清楚早上六点以前的噪音怎么办，还要确定哪一天可以开"
        "始装修。做面包的人夜里就要开工。如果邻居可以通过法院让你停下来，再便宜的租约也太贵了。",
        smollm2=168,
        qwen=58,
    ),
    Sample(
        "我们两点半开始和面，所以这才是真正的麻烦。在搅拌机下面铺橡胶垫够不够？我哥哥觉得够，不过他以前也说地"
        "下室不会进水。",
        smollm2=106,
        qwen=37,
    ),
    Sample(
        "橡胶垫对震动有用，对面团摔在桌子上的声音、烤盘碰撞的声音几乎没有用。把桌子靠在里面的墙上，买带塑料脚"
        "的烤盘，再征得邻居同意，在楼上听一个晚上。这一晚学到的东西比任何产品目录都多。",
        smollm2=170,
        qwen=58,
    ),
    Sample(
        "这个主意很好，除了少睡一觉，什么也不花。请用一个简短的清单写下签字之前必须解决的事情，不要超过八十个"
        "字，我想把它贴在门上。",
        smollm2=104,
        qwen=41,
    ),
    Sample(
        "签字之前：一、电工对配电箱的报告；二、允许凌晨两点半开工的书面同意；三、烟道的费用由谁承担；四、可以"
        "开始装修的日期；五、续租五年，租金固定或者按指数调整；六、在楼上听一个晚上。六件事没有全部写在纸上，"
        "就不要签字。",
        smollm2=185,
        qwen=74,
    ),
    Sample(
        "最后一个问题，问完就让你休息。老店有一块招牌，是我爷爷一九五一年亲手画的。那边的房东说它属于房子。是这样吗？",
        smollm2=90,
        qwen=37,
    ),
    Sample(
        "要看它是怎么固定的，也要看旧合同里对固定设施是怎么写的。如果只是挂在两个钩子上，一般归你；如果是直接"
        "画在墙上的，就只能留下。今天就拍照，找一找能证明是你们家装上去的收据或者老照片，再提出替他把后面的墙"
        "修好。",
        smollm2=175,
        qwen=69,
    ),
)
CODE = (
    Sample(
        "def moving_average(values: list[float], width: int) -> list[float]:\n"
        '    """The mean of each window of `width` values."""\n'
        "    if width < 1:\n"
        '        raise ValueError(f"width must be positive, not {width}")\n'
        "    total = sum(values[:width])\n"
        "    means = [total / width]\n"
        "    for index in range(width, len(values)):\n"
        "        total += values[index] - values[index - width]\n"
        "        means.append(total / width)\n"
        "    return means\n",
        smollm2=111,
        qwen=99,
    ),
    Sample(
        "#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "\n"
        "int main(int argc, char **argv) {\n"
        "    if (argc != 2) {\n"
        '        fprintf(stderr, "usage: %s FILE\\n", argv[0]);\n'
        "        return EXIT_FAILURE;\n"
        "    }\n"
        '    FILE *input = fopen(argv[1], "rb");\n'
        "    if (input == NULL) {\n"
        "        perror(argv[1]);\n"
        "        return EXIT_FAILURE;\n"
        "    }\n"
        "    unsigned long counts[256] = {0};\n"
        "    for (int c; (c = fgetc(input)) != EOF;)\n"
        "        counts[(unsigned char)c]++;\n"
        "    fclose(input);\n"
        "    return EXIT_SUCCESS;\n"
        "}\n",
        smollm2=179,
        qwen=133,
    ),
    Sample(
        "SELECT customer.id, customer.name, SUM(item.price * item.quantity) AS total\n"
        "FROM customer\n"
        "LEFT JOIN purchase ON purchase.customer_id = customer.id\n"
        "LEFT JOIN item ON item.purchase_id = purchase.id\n"
        "WHERE purchase.created_at >= '2025-01-01' AND item.cancelled = 0\n"
        "GROUP BY customer.id, customer.name\n"
        "HAVING total > 250.00\n"
        "ORDER BY total DESC, customer.name ASC\n"
        "LIMIT 50;\n",
        smollm2=128,
        qwen=101,
    ),
    Sample(
        "class RingBuffer:\n"
        "    def __init__(self, capacity):\n"
        "        self._items = [None] * capacity\n"
        "        self._start = 0\n"
        "        self._length = 0\n"
        "\n"
        "    def append(self, item):\n"
        "        end = (self._start + self._length) % len(self._items)\n"
        "        self._items[end] = item\n"
        "        if self._length == len(self._items):\n"
        "            self._start = (self._start + 1) % len(self._items)\n"
        "        else:\n"
        "            self._length += 1\n"
        "\n"
        "    def __iter__(self):\n"
        "        for offset in range(self._length):\n"
        "            yield self._items[(self._start + offset) % len(self._items)]\n",
        smollm2=152,
        qwen=149,
    ),
    Sample(
        "{\n"
        '  "name": "bakery-site",\n'
        '  "version": "0.4.1",\n'
        '  "scripts": {\n'
        '    "build": "vite build --outDir dist",\n'
        '    "test": "vitest run --coverage",\n'
        '    "lint": "eslint src --max-warnings 0"\n'
        "  },\n"
        '  "dependencies": {"preact": "^10.19.3", "zod": "~3.22.4"},\n'
        '  "engines": {"node": ">=20.10"},\n'
        '  "private": true\n'
        "}\n",
        smollm2=126,
        qwen=118,
    ),
    Sample(
        "export async function fetchOrders(baseUrl: string, token: string, signal?: AbortSignal): Promise<Order[]> {\n"
        "  const response = await fetch(`${baseUrl}/orders?limit=100`, {\n"
        "    headers: { Authorization: `Bearer ${token}` },\n"
        "    signal,\n"
        "  });\n"
        "  if (!response.ok) {\n"
        "    throw new HttpError(response.status, await response.text());\n"
        "  }\n"
        "  const payload = await response.json();\n"
        "  return payload.items.map((raw: unknown) => orderSchema.parse(raw));\n"
        "}\n",
        smollm2=133,
        qwen=103,
    ),
    Sample(
        "#!/usr/bin/env bash\n"
        "set -euo pipefail\n"
        "\n"
        "backup_dir=${1:?usage: backup.sh DIR}\n"
        "stamp=$(date +%Y%m%d-%H%M%S)\n"
        "for table in customer purchase item; do\n"
        '    target="$backup_dir/$table-$stamp.csv.gz"\n'
        '    psql --no-psqlrc -c "\\\\copy $table TO STDOUT CSV HEADER" | gzip -9 > "$target"\n'
        '    [[ -s $target ]] || { echo "empty: $target" >&2; exit 1; }\n'
        "done\n"
        "find \"$backup_dir\" -name '*.csv.gz' -mtime +30 -delete\n",
        smollm2=166,
        qwen=129,
    ),
    Sample(
        "fn parse_line(line: &str) -> Result<(String, u32), ParseError> {\n"
        "    let (name, count) = line.split_once('=').ok_or(ParseError::MissingSeparator)?;\n"
        "    let count = count.trim().parse::<u32>().map_err(ParseError::BadNumber)?;\n"
        "    Ok((name.trim().to_owned(), count))\n"
        "}\n"
        "\n"
        "#[cfg(test)]\n"
        "mod tests {\n"
        "    use super::*;\n"
        "\n"
        "    #[test]\n"
        "    fn reads_a_pair() {\n"
        '        assert_eq!(parse_line("rye = 12"), Ok(("rye".into(), 12)));\n'
        "    }\n"
        "}\n",
        smollm2=162,
        qwen=125,
    ),
    Sample(
        "Traceback (most recent call last):\n"
        '  File "shop/orders.py", line 118, in load\n'
        "    record = self._decode(raw)\n"
        '  File "shop/orders.py", line 64, in _decode\n'
        "    return Order(**json.loads(raw))\n"
        "TypeError: Order.__init__() got an unexpected keyword argument 'discount_code'\n",
        smollm2=80,
        qwen=71,
    ),
    Sample(
        "@dataclass(frozen=True, slots=True)\n"
        "class Order:\n"
        "    id: int\n"
        "    placed_at: datetime\n"
        "    items: tuple[Item, ...] = ()\n"
        "    discount_code: str | None = None\n"
        "\n"
        "    @property\n"
        "    def total(self) -> Decimal:\n"
        "        subtotal = sum((item.price * item.quantity for item in self.items), Decimal(0))\n"
        "        return subtotal * (Decimal(1) - DISCOUNTS.get(self.discount_code, Decimal(0)))\n",
        smollm2=112,
        qwen=99,
    ),
)
