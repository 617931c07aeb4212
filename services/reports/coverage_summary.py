"""Coverage in one line. "Complete" is said only where every figure is proven to the end."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from services.reports.assemble import Report
from services.reports.wording import local

#: What each kind of doubt is called, for one and for several: English, Chinese.
_KINDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "git_only": ("only git history is recorded", "only git history is recorded", "仅有 git 历史"),
    "no_start": ("no full listing at the start", "no full listing at the start", "起点无完整清单"),
    "unexplained": ("numbers without a record", "numbers without a record", "有编号缺记录"),
    "gap": ("1 gap", "{} gaps", "{} 处缺口"),
    "unresolved": ("outcomes to be looked up", "outcomes to be looked up", "有结果待查"),
    "undated": ("merges or closes without a date", "merges or closes without a date", "有日期缺失"),
    "set_aside": ("1 record set aside", "{} records set aside", "{} 条记录被搁置"),
    "conflict": ("1 conflict", "{} conflicts", "{} 处冲突"),
}


def proven(report: Report) -> bool:
    """Tell whether the whole period is known: nothing is in doubt, and nothing was cut off."""
    exact = set(report.quality.values()) == {"exact"}
    return exact and report.ledger.balance == 0 and not report.is_cut


def coverage_summary(report: Report, language: str = "en") -> str:
    """Write what is known of completeness on one line, in English or Chinese (`zh`)."""
    chinese = language == "zh"
    if proven(report):
        return "覆盖：完整。" if chinese else "Coverage: complete."
    counted = Counter(doubt.kind for doubt in report.coverage if doubt.kind != "notice")
    parts = [_said(kind, count, chinese=chinese) for kind, count in counted.items()]
    if report.is_cut:
        when = local(report.end, report.period.zone)
        parts.append(f"截至 {when}" if chinese else f"cut at {when}")
    elif not parts:
        parts.append("账目不平" if chinese else "the ledger does not balance")
    if chinese:
        return f"覆盖：未证实完整（{'；'.join(parts)}）。"
    return f"Coverage: not proven complete ({'; '.join(parts)})."


def _said(kind: str, count: int, *, chinese: bool) -> str:
    one, several, translated = _KINDS.get(kind, (kind, kind, kind))
    if chinese:
        return translated.format(count)
    return (one if count == 1 else several).format(count)
