"""Coverage in one line, for reports and editions alike.

"Complete" is said only where every figure is proven to the end. Whatever is in doubt is named: gaps
by their span, the rest by the requests that it touches, as far as they are known; what ends before
the period does, by the moment until which it reaches.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from events.instant import Instant
from projections.period_ledger.quality import Doubt
from services.answers.reports.assemble import Report
from services.answers.reports.wording import local

#: So many gaps or requests of a kind are named; after that the line only says that there are more.
_NAMED: Final = 3


class _Words(msgspec.Struct, frozen=True, kw_only=True):
    """The line in one language; `kinds` are what each kind of doubt is called, one and several.

    In these, `{until}` and `{after}` are the end and the start of a doubt, where it has them.
    """

    complete: str
    incomplete: str
    kinds: Mapping[str, tuple[str, str]]
    until: str
    after: str
    names: str
    span: str
    cut: str
    unbalanced: str
    comma: str
    semicolon: str
    more: str


_ENGLISH: Final = _Words(
    complete="Coverage: complete.",
    incomplete="Coverage: not proven complete ({parts}).",
    kinds={
        "git_only": ("only git history is recorded{until}",) * 2,
        "no_start": ("no full listing at the start", "no full listing at the start"),
        "unexplained": ("numbers without a record", "numbers without a record"),
        "gap": ("1 gap", "{} gaps"),
        "unresolved": ("outcomes to be looked up", "outcomes to be looked up"),
        "undated": ("merges or closes without a date", "merges or closes without a date"),
        "set_aside": ("1 record set aside", "{} records set aside"),
        "conflict": ("1 conflict", "{} conflicts"),
        "unheard": ("nothing was heard{after}",) * 2,
    },
    until=" up to a merge of {when}",
    after=" of the repository after {when}",
    names=": {names}",
    span="{start} to {end}",
    cut="cut at {when}",
    unbalanced="the ledger does not balance",
    comma=", ",
    semicolon="; ",
    more="…",
)
_CHINESE: Final = _Words(
    complete="覆盖：完整。",
    incomplete="覆盖：未证实完整（{parts}）。",
    kinds={
        "git_only": ("仅有 git 历史{until}",) * 2,
        "no_start": ("起点无完整清单", "起点无完整清单"),
        "unexplained": ("有编号缺记录", "有编号缺记录"),
        "gap": ("{} 处缺口", "{} 处缺口"),
        "unresolved": ("有结果待查", "有结果待查"),
        "undated": ("有日期缺失", "有日期缺失"),
        "set_aside": ("{} 条记录被搁置", "{} 条记录被搁置"),
        "conflict": ("{} 处冲突", "{} 处冲突"),
        "unheard": ("{after}未收到任何消息",) * 2,
    },
    until="，最后一次合并为 {when}",
    after="{when} 之后",
    names="：{names}",
    span="{start} 至 {end}",
    cut="截至 {when}",
    unbalanced="账目不平",
    comma="，",
    semicolon="；",
    more="…",
)


def proven(report: Report) -> bool:
    """Tell whether the whole period is known: nothing is in doubt, and nothing was cut off."""
    exact = set(report.quality.values()) == {"exact"}
    doubted = any(doubt.kind != "notice" for doubt in report.coverage)
    return exact and not doubted and report.ledger.balance == 0 and not report.is_cut


def coverage_summary(report: Report, language: str = "en") -> str:
    """Write what is known of completeness on one line, in English or Chinese (`zh`)."""
    words = _CHINESE if language == "zh" else _ENGLISH
    if proven(report):
        return words.complete
    return words.incomplete.format(parts=words.semicolon.join(_parts(report, words)))


def _parts(report: Report, words: _Words) -> Iterator[str]:
    by_kind: dict[str, list[Doubt]] = {}
    for doubt in report.coverage:
        if doubt.kind != "notice":
            by_kind.setdefault(doubt.kind, []).append(doubt)
    for kind, doubts in by_kind.items():
        zone, (singular, plural) = report.period.zone, words.kinds.get(kind, (kind, kind))
        yield (singular if len(doubts) == 1 else plural).format(
            len(doubts),
            until=_moment(words.until, doubts[0].end, zone),
            after=_moment(words.after, doubts[0].start, zone),
        ) + _names(doubts, words, zone)
    if report.is_cut:
        yield words.cut.format(when=local(report.end, report.period.zone))
    elif not by_kind:
        yield words.unbalanced


def _moment(form: str, instant: Instant | None, zone: str) -> str:
    return "" if instant is None else form.format(when=local(instant, zone))


def _names(doubts: Sequence[Doubt], words: _Words, zone: str) -> str:
    """Write the spans of gaps, else the requests in question; empty where neither is known."""
    spans = [
        words.span.format(start=local(doubt.start, zone), end=local(doubt.end, zone))
        for doubt in doubts
        if doubt.start is not None and doubt.end is not None
    ]
    numbers = sorted({number for doubt in doubts for number in doubt.numbers})
    names = spans or [f"#{number}" for number in numbers]
    listed = names[:_NAMED] + ([words.more] if len(names) > _NAMED else [])
    return words.names.format(names=words.comma.join(listed)) if listed else ""
