"""Chinese sentences about English texts: the same units, numbers and limits in other words. Pure.

Each is brought into the words in which the sources say it, so that one check serves both languages.
What has no certain counterpart is left as it stands, and is then a number without a source.
"""

import re
from collections.abc import Mapping
from typing import Final

#: Chinese unit -> the unit as English texts write it; longer ones first, as one ends another.
_UNITS: Final[Mapping[str, str]] = {
    "个百分点": "pp",
    "毫秒": "ms",
    "微秒": "us",
    "纳秒": "ns",
    "分钟": "min",
    "小时": "hours",
    "秒": "s",
    "倍": "x",
    "次迭代": "iterations",
    "次调用": "calls",
    "步": "steps",
}
_VALUE: Final = r"[-+]?(?<!\d)\d++(?:[,_]\d{3}){0,12}(?:\.\d+)?"
_PERCENT: Final = re.compile(rf"百分之\s*+({_VALUE})")
_UNIT: Final = re.compile(rf"({_VALUE})\s*+({'|'.join(_UNITS)})")
#: `4 张 GPU`, `3 个 kernels`: the measure word says nothing.
_MEASURED: Final = re.compile(rf"({_VALUE})\s*+[个块张台路条]\s*+(?=[A-Za-z])")
_DIGITS: Final[Mapping[str, str]] = {
    "半": "half|halves|halved",
    "二": "two",
    "两": "two",
    "三": "three",
    "四": "four",
    "五": "five",
    "六": "six",
    "七": "seven",
    "八": "eight",
    "九": "nine",
    "十": "ten",
}
_TIMES: Final[Mapping[str, str]] = {
    "二": r"twice|twofold|doubled?|doubles|2(?:\.0)?\s?[xX\u00d7]",
    "两": r"twice|twofold|doubled?|doubles|2(?:\.0)?\s?[xX\u00d7]",
    "三": r"tripled?|triples|threefold|3(?:\.0)?\s?[xX\u00d7]",
    "十": r"tenfold|10(?:\.0)?\s?[xX\u00d7]",
}
_COUNT: Final = "一二两三四五六七八九十百千万亿"
#: A quantity in characters: a ratio, a time, or a count of more than one of something.
_WORDED: Final = re.compile(
    rf"百分之[{_COUNT}零〇点]{{1,24}}|[{_COUNT}半](?:倍|成以上|个百分点)|[{_COUNT}]{{1,12}}(?:倍|个百分点)"
    r"|翻(?:倍|番|了?[一两三四五]?[倍番])|减半|一半|过半|[数几上成][十百千万亿]{1,12}"
    rf"|[{_COUNT}]{{1,12}}\s*+(?:毫秒|微秒|纳秒|秒|分钟|小时)"
    r"|[二两三四五六七八九十百千万亿][一二三四五六七八九十百千万亿]{0,12}"
    r"\s*+(?:个|种|项|块|张|条|次|步|类|处|台|路|层|倍)"
    rf"|{_VALUE}\s*+[十百千万亿]"
)
#: What a limit may be called in a Chinese sentence, by the English word that it must keep.
_LIMITS: Final[tuple[tuple[str, str], ...]] = (
    (r"drafts?", "草稿|草案"),
    (r"wip|work in progress", "进行中|未完成|尚未完成"),
    (
        r"not .*(?:tested|executed|run|verified|validated)|un(?:tested|verified|validated)",
        "未(?:经|曾)?(?:充分|完整)?(?:测试|执行|运行|验证)|(?:没有|尚未|还没)(?:测试|执行|运行|验证)",
    ),
    (r"not .*(?:measured|benchmarked)", "未(?:经)?(?:测量|实测|基准测试)"),
    (r"prox(?:y|ies)", "代理"),
    (r"preliminary", "初步"),
    (r"estimated?s?", "估计|估算|预估"),
    (r"projected", "预测|推算|预计"),
    (r"theoretical(?:ly)?", "理论"),
    (r"simulated", "模拟|仿真"),
    (r"synthetic", "合成"),
    (r"toy", "玩具"),
    (r"expected", "预期|预计"),
    (r"experimental", "实验性|试验性"),
    (r"approximate(?:ly)?", "(?<![节契])约|近似"),
    (r"(?:only|just) on", "仅在|只在"),
    (r"single run", "单次"),
    (r"noisy", "噪声|波动"),
    (r"may vary", "可能(?:不同|变化|波动)|因.*而异"),
    (r"todo|tbd", "待办|待定"),
)


def in_their_units(text: str) -> str:
    """Write numbers with Chinese units as English texts do: `1.2 毫秒` as `1.2 ms`."""
    text = _PERCENT.sub(r"\1%", text)
    text = _UNIT.sub(lambda match: f"{match[1]} {_UNITS[match[2]]} ", text)
    return _MEASURED.sub(r"\1 ", text)


def worded_numbers(sentence: str, sources: str) -> list[str]:
    """Return the quantities in Chinese words, of a sentence, that its sources do not have."""
    quantities = [match[0].strip() for match in _WORDED.finditer(sentence)]
    return [
        quantity
        for quantity in quantities
        if quantity not in sources and not _said(quantity, sources)
    ]


def keeps(limit: str, sentence: str) -> bool:
    """Tell whether a Chinese sentence keeps a limit that its source states in English."""
    return any(
        re.fullmatch(english, limit, re.IGNORECASE) and re.search(chinese, sentence)
        for english, chinese in _LIMITS
    )


def _said(quantity: str, sources: str) -> bool:
    """Tell whether English sources state a quantity of one character in their words."""
    if quantity in ("减半", "一半"):
        words = _DIGITS["半"]
    elif quantity in ("翻倍", "翻番"):
        words = _TIMES["两"]
    elif quantity[1:].strip() == "倍":
        words = _TIMES.get(quantity[0], "")
    else:
        words = _DIGITS.get(quantity[0], "") if len(quantity) == 2 else ""
    return bool(words) and re.search(rf"\b(?:{words})\b", sources, re.IGNORECASE) is not None
