"""The fixed words of editions in each language. Pure.

English is that of the published reports, character for character; what is read back from an
edition (`services.answers.editions.reading`) is recognised by these words too.
"""

from collections.abc import Mapping
from datetime import date
from typing import Final

import msgspec

from events.facts.editions import Language, Section
from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.exclusions import Class
from services.answers.text.bullets import GAP


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. `{…}` are filled in by `str.format`."""

    report: Mapping[str, str]
    """Kind of period -> name of the report."""
    heading: str
    months: tuple[str, ...]
    month: str
    quarter: str
    span: str
    through: str
    final: str
    period: str
    counts: str
    landed: str
    excluded: str
    excluded_item: str
    classes: Mapping[Class, str]
    separator: str
    """Between the items of a list inside a sentence."""
    names_separator: str
    """Between items that hold commas themselves."""
    at_least: str
    at_most: str
    about: str
    unknown: str
    overview: str
    sections: Mapping[Section, str]
    related: str
    states: Mapping[str, str]
    tellings: Mapping[str, str]
    method: str
    method_text: str
    reconciliation: str
    not_grouped: str
    by_model: str
    gap: str
    summary_gap: str
    overview_gap: str
    nothing: str
    nothing_told: str
    not_known: str
    candidates: str
    coverage: str
    evidence: str
    quotable: str
    notes: str
    more_notes: str
    quotation: str
    column: str
    parts: Mapping[str, str]
    count_names: Mapping[str, str]
    chart_counts: str
    chart_days: str
    chart_themes: str


ENGLISH: Final = Words(
    report={
        "Weekly": "Weekly Activity Report",
        "Monthly": "Monthly Activity Report",
        "Quarterly": "Quarterly Activity Report",
        "": "Activity Report",
    },
    heading="{project} {report} — {period}",
    months=tuple(f"{date(2000, month, 1):%B}" for month in range(1, 13)),
    month="{month} {year}",
    quarter="Q{quarter} {year}",
    span="{first} through {last}",
    through=" (through {day})",
    final=" (Final)",
    period="Period: {first} through {last} ({zone}); source: {source}.",
    counts=(
        "PRs opened: {opened}; merged during the period: {merged}; "
        "closed without merge: {closed_without_merge}; "
        "still open at period end: {opened_and_still_open}."
    ),
    landed="Closed, landed by commit: {count}.",
    excluded="Excluded from the narrative: {items}.",
    excluded_item="{kind} {count}",
    classes={
        "test-only": "test-only",
        "ci-only": "CI-only",
        "test-and-ci-only": "test/CI-only",
        "format-only": "format-only",
    },
    separator=", ",
    names_separator="; ",
    at_least="at least {}",
    at_most="at most {}",
    about="about {}",
    unknown="unknown",
    overview="Overview",
    sections={"delivered": "Delivered", "in_progress": "In Progress"},
    related="Related PRs: ",
    states={
        "open": "open",
        "merged": "merged",
        "closed": "closed",
        "closed_unknown": "outcome unknown",
    },
    tellings={
        "port": "port of a change that had landed before",
        "resubmission": "brought back after a revert",
        "untraced": "merged on GitHub; no recorded commit shows it",
        "in part": "some of its commits only; others were reverted",
        "partly delivered": "not on every branch yet",
    },
    method="Scope and Method",
    method_text=(
        "The narrative is grouped by technical theme. Related dev and main PRs are described "
        "once; the complete PR ledger, exclusion evidence, and state events remain in the local "
        "database. PRs closed without merge are counted but not narrated."
    ),
    reconciliation=(
        "Merged {merged} = told {told} + twins {twins} + excluded {excluded} + not told {not_told}."
    ),
    not_grouped="Not Grouped: {section}",
    by_model="Sentences by a language model, only their figures and names checked: {themes}.",
    gap=GAP,
    summary_gap="summary of {theme}, from {numbers}",
    overview_gap="overview of {themes}",
    nothing="Nothing in this period.",
    nothing_told="Nothing that could be told here was delivered.",
    not_known="Not known: nothing recorded shows which pull requests were open.",
    candidates=(
        "Candidates, open or closed unproven: {count} further requests whose last commit is of "
        "this period and of which nothing but the head is recorded ({tested} of them with a test "
        "merge, as open ones have); the report lists them."
    ),
    coverage="Coverage",
    evidence="Behind the figures",
    quotable="Figures in the text of {numbers}",
    notes="For whoever writes this sentence, not published: figures in the requests' own words.",
    more_notes="… and {count} more, see --format json.",
    quotation="“{quote}” ({where})",
    column="{heading}: {span}, {rows} rows ({where})",
    parts={"told": "told", "twins": "told under another number", "not_told": "not told"},
    count_names={name: name.replace("_", " ") for name in DEFINITIONS},
    chart_counts="Pull requests of the period",
    chart_days="By day",
    chart_themes="pull requests by theme",
)

CHINESE: Final = Words(
    report={
        "Weekly": "周度活动报告",
        "Monthly": "月度活动报告",
        "Quarterly": "季度活动报告",
        "": "活动报告",
    },
    heading="{project} {report} — {period}",
    months=tuple(f"{month}月" for month in range(1, 13)),
    month="{year}年{month}",
    quarter="{year}年第{quarter}季度",
    span="{first} 至 {last}",
    through="（截至 {day}）",
    final="（最终版）",
    period="周期：{first} 至 {last}（{zone}）；来源：{source}。",
    counts=(
        "新建 PR：{opened}；期内合并：{merged}；未合并关闭：{closed_without_merge}；"
        "期末仍打开：{opened_and_still_open}。"
    ),
    landed="由提交落地后关闭：{count}。",
    excluded="未纳入叙述：{items}。",
    excluded_item="{kind} {count}",
    classes={
        "test-only": "仅测试",
        "ci-only": "仅 CI",
        "test-and-ci-only": "仅测试与 CI",
        "format-only": "仅格式",
    },
    separator="，",
    names_separator="；",
    at_least="至少 {}",
    at_most="至多 {}",
    about="约 {}",
    unknown="未知",
    overview="概述",
    sections={"delivered": "已交付", "in_progress": "进行中"},
    related="相关 PR：",
    states={
        "open": "打开",
        "merged": "已合并",
        "closed": "已关闭",
        "closed_unknown": "结果未知",
    },
    tellings={
        "port": "此前已合入的改动的移植",
        "resubmission": "回退后重新合入",
        "untraced": "GitHub 显示已合并，但已记录的提交中没有它",
        "in part": "仅部分提交生效，其余已回退",
        "partly delivered": "尚未进入所有分支",
    },
    method="范围与方法",
    method_text=(
        "叙述按技术主题分组。相关的 dev 与 main PR 只描述一次；完整的 PR 台账、排除依据和状态"
        "事件保留在本地数据库中。未合并关闭的 PR 计数但不叙述。"
    ),
    reconciliation=(
        "合并 {merged} = 叙述 {told} + 同一改动 {twins} + 排除 {excluded} + 未叙述 {not_told}。"
    ),
    not_grouped="未分组：{section}",
    by_model="由语言模型撰写、仅核对过数字与名称的句子：{themes}。",
    gap="【待撰写：{what}】",
    summary_gap="{theme} 的概括，依据 {numbers}",
    overview_gap="{themes} 的概述",
    nothing="本期没有。",
    nothing_told="没有可在此叙述的已交付改动。",
    not_known="未知：没有记录显示哪些 PR 处于打开状态。",
    candidates=(
        "候选（打开或已关闭，未证实）：另有 {count} 个 PR 的最后一次提交在本期内，"
        "除其 head 外没有任何记录（其中 {tested} 个有测试合并，与打开的 PR 相同）；列表见报告。"
    ),
    coverage="覆盖",
    evidence="数字依据",
    quotable="{numbers} 正文中的数字",
    notes="供撰写此句者参考，不发布：PR 正文中的数字，按原文。",
    more_notes="……另有 {count} 条，见 --format json。",
    quotation="“{quote}”（{where}）",
    column="{heading}：{span}，{rows} 行（{where}）",
    parts={"told": "已叙述", "twins": "在另一编号下叙述", "not_told": "未叙述"},
    count_names={
        "opened": "新建",
        "merged": "合并",
        "landed": "由提交落地后关闭",
        "closed_without_merge": "未合并关闭",
        "closed_unknown": "关闭，结果未知",
        "reopened": "重新打开",
        "open_at_start": "期初打开",
        "open_at_end": "期末打开",
        "opened_and_still_open": "期内新建且仍打开",
        "active_and_open": "期内活跃且仍打开",
    },
    chart_counts="本期 PR",
    chart_days="按日",
    chart_themes="各主题 PR 数",
)

WORDS: Final[Mapping[Language, Words]] = {"en": ENGLISH, "zh": CHINESE}
LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")
#: The classes in the order in which the published reports print them.
CLASSES: Final[tuple[Class, ...]] = ("test-only", "ci-only", "test-and-ci-only", "format-only")
