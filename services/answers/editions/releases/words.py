"""The fixed words of release editions in each language, beside those of all editions. Pure."""

from collections.abc import Mapping
from typing import Final

import msgspec

from events.facts.editions import Language
from projections.release_inclusion.history.verdicts import How, Reason
from projections.release_inclusion.relation import Kind
from services.answers.editions.release_content import Doubtful


class ReleaseWords(msgspec.Struct, frozen=True, kw_only=True):
    """One language. `{first}` and `{second}` are the two releases."""

    heading: str
    between: str
    """The two releases in a title."""
    releases: str
    counts: str
    reconciliation: str
    doubtful: str
    """Heading of what is not plainly delivered."""
    why: Mapping[Doubtful, str]
    by: str
    commit: str
    reasons: Mapping[Reason, str]
    routes: Mapping[How, str]
    routes_alone: Mapping[How, str]
    """The same where no request stands for the way."""
    first_shipped: str
    separator: str
    """Between two remarks on one number."""
    elsewhere: str
    """Behind a number that the release does not hold: its base, number, state."""
    earlier: str
    """Behind a number that the first release holds."""
    port: str
    relation: Mapping[Kind, str]
    method_text: str
    incomplete: str
    empty: str
    carriers: str
    unattributed: str
    parts: Mapping[Doubtful, str]


ENGLISH: Final = ReleaseWords(
    heading="{project} Release Report — {releases}",
    between="{first} … {second}",
    releases="Releases: {first} ({first_day}) to {second} ({second_day}); source: {source}.",
    counts=(
        "PRs brought by the release: {brought}; only partly: {partly}; "
        "reverted before it: {reverted}; removed: {removed}; cannot be told: {undetermined}."
    ),
    reconciliation=(
        "Brought {merged} = told {told} + twins {twins} + excluded {excluded} "
        "+ not told {not_told}."
    ),
    doubtful="Not Plainly Delivered",
    why={
        "partly": "only a part of it is in {second}",
        "reverted": "reverted before {second}{by}",
        "removed": "{first} had it; taken out{by}",
        "undetermined": "whether {second} has it cannot be told: {reason}",
        "perhaps_before": "in {second}; whether {first} had it cannot be told",
    },
    by=" by {names}",
    commit="commit {sha}",
    reasons={
        "a revert found no target": "a revert of it takes back nothing that is found",
        "a mention waits for review": "a person has to confirm what {names} does to it",
        "history is incomplete": "the recorded history is incomplete",
        "no commit is known": "it was merged, and no commit of it is known",
        "nothing is known of it": "nothing is recorded of it",
    },
    routes={
        "cherry-picked": "cherry-picked as {names}",
        "via": "brought by {names}",
        "restored": "put back by {names} after a revert",
    },
    routes_alone={
        "cherry-picked": "cherry-picked",
        "via": "brought by a merge",
        "restored": "put back after a revert",
    },
    first_shipped="first shipped in {tag}",
    separator="; ",
    elsewhere="[{base} #{number}, {state}, not in {second}]",
    earlier="[{base} #{number}, in {first}]",
    port="{first} has it as {names}",
    relation={
        "same": "{first} and {second} are the same commit: nothing is new.",
        "ancestor": "{first} is an ancestor of {second}.",
        "parted": (
            "{first} is not an ancestor of {second}; they part at {bases}: {only_first} commits "
            "are in {first} alone, {only_second} in {second} alone."
        ),
        "unrelated": "{first} and {second} have no commit in common.",
    },
    method_text=(
        "What a release brings is decided by its commits, never by dates: a request counts where "
        "it is in force in {second} and not in {first}, with cherry-picks and reverts followed. "
        "It is grouped by technical theme, and one change is told once, whatever its numbers. Work "
        "in progress belongs to no release and is left out."
    ),
    incomplete="Known to be incomplete: {count} commits are missing from the recorded history.",
    empty="Nothing that {first} does not have.",
    carriers="only carried others",
    unattributed="Commits without a pull request",
    parts={
        "partly": "partly in",
        "reverted": "reverted before the release",
        "removed": "removed",
        "undetermined": "cannot be told",
        "perhaps_before": "perhaps in the release before",
    },
)

CHINESE: Final = ReleaseWords(
    heading="{project} 发布报告 — {releases}",
    between="{first} … {second}",
    releases="版本：{first}（{first_day}）至 {second}（{second_day}）；来源：{source}。",
    counts=(
        "本版本带来的 PR：{brought}；仅部分进入：{partly}；发布前已回退：{reverted}；"
        "被移除：{removed}；无法判定：{undetermined}。"
    ),
    reconciliation=(
        "带来 {merged} = 叙述 {told} + 同一改动 {twins} + 排除 {excluded} + 未叙述 {not_told}。"
    ),
    doubtful="未完整交付",
    why={
        "partly": "仅部分进入 {second}",
        "reverted": "在 {second} 之前已回退{by}",
        "removed": "{first} 中有，此后被移除{by}",
        "undetermined": "是否在 {second} 中无法判定：{reason}",
        "perhaps_before": "在 {second} 中；{first} 是否已有无法判定",
    },
    by="（由 {names}）",
    commit="提交 {sha}",
    reasons={
        "a revert found no target": "有针对它的回退，但找不到被回退的提交",
        "a mention waits for review": "{names} 对它的作用待人确认",
        "history is incomplete": "记录的历史不完整",
        "no commit is known": "已合并，但不知道其提交",
        "nothing is known of it": "没有关于它的记录",
    },
    routes={
        "cherry-picked": "以 {names} 拣选",
        "via": "由 {names} 带入",
        "restored": "回退后由 {names} 恢复",
    },
    routes_alone={"cherry-picked": "拣选", "via": "由合并带入", "restored": "回退后恢复"},
    first_shipped="首次发布于 {tag}",
    separator="；",
    elsewhere="[{base} #{number}, {state}，不在 {second} 中]",
    earlier="[{base} #{number}, 在 {first} 中]",
    port="{first} 中以 {names} 收录",
    relation={
        "same": "{first} 与 {second} 是同一提交：没有新内容。",
        "ancestor": "{first} 是 {second} 的祖先。",
        "parted": (
            "{first} 不是 {second} 的祖先；两者在 {bases} 分开：仅在 {first} 中的提交 {only_first} "
            "个，仅在 {second} 中的 {only_second} 个。"
        ),
        "unrelated": "{first} 与 {second} 没有共同的提交。",
    },
    method_text=(
        "版本的内容由提交决定，与日期无关：在 {second} 中有效而在 {first} 中无效的 PR 计入，"
        "拣选与回退均已追踪。叙述按技术主题分组，同一改动无论有几个编号只描述一次。进行中的工作不属于任何版本，"
        "不在其中。"
    ),
    incomplete="已知不完整：记录的历史缺少 {count} 个提交。",
    empty="没有 {first} 中没有的内容。",
    carriers="仅转载他人改动",
    unattributed="没有 PR 的提交",
    parts={
        "partly": "仅部分进入",
        "reverted": "发布前已回退",
        "removed": "被移除",
        "undetermined": "无法判定",
        "perhaps_before": "前一版本可能已有",
    },
)

RELEASE_WORDS: Final[Mapping[Language, ReleaseWords]] = {"en": ENGLISH, "zh": CHINESE}
