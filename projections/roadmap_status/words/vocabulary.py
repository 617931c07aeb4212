"""Status words, English and Chinese, as one pattern: what denies stands before what it denies.

An English word counts only as a whole one ("undone" and "draft-gate" hold no "done" and no
"draft"); Chinese has no boundaries, so there the longer words come first.
"""

import re
from typing import Final

from projections.roadmap_status.words.states import State

_IS: Final = r"(?:(?:is|are|was|were|has|have|had|be|been|being|now|already|fully|all)\s++){0,4}"
_DONE: Final = (
    r"(?:done|delivered|shipped|completed|finished|merged|landed|released|implemented|available|"
    r"launched|rolled\s++out|closed\s++as\s++completed)"
)
_NOT: Final = (
    r"(?:not|never|no\s++longer|(?:is|are|was|were|has|have|does|do|did)n['’]t|cannot|"
    r"(?:yet|still|remains?)\s++to)"
)
_STILL: Final = r"(?:(?:remains?|is|are|was|still|stays?|currently|left|kept)\s++){1,4}"
_END: Final = r"(?=\s*+(?:[,;:.)\]|。，；）】]|$))"

_ENGLISH: Final[tuple[tuple[State, str], ...]] = (
    (
        State.CLOSED_UNMERGED,
        rf"{_IS}closed\s*+,?\s*+(?:and\s++|but\s++)?(?:without\s++(?:being\s++|a\s++)?merg(?:e|ing|ed)|"
        r"un-?merged|not\s++merged|never\s++merged)",
    ),
    (State.DROPPED, rf"{_IS}not\s++planned|won['’]?t\s++(?:do|fix|implement)|wontfix"),
    (
        State.NOT_DONE,
        rf"{_NOT}\s++(?:yet\s++|been\s++|be\s++|fully\s++|started\s++){{0,4}}{_DONE}(?:\s++yet)?"
        r"|not\s++(?:yet\s++)?(?:started|begun|ready|complete|in\s++progress)|not\s++yet"
        r"|undone|unfinished|unmerged|unreleased|undelivered|incomplete|unstarted|to-?do|^to\s++do\s*+$|to\s++do(?=\s*+[:)\]])",
    ),
    (
        State.FOUNDATION_DELIVERED,
        rf"(?:foundations?|groundwork|basics)(?:\s++work|\s++only)?\s++{_IS}{_DONE}",
    ),
    (
        State.PARTLY_DELIVERED,
        rf"(?:part(?:ly|ially)|mostly|half)[\s-]++{_IS}(?:{_DONE}|complete)|{_IS}"
        rf"part(?:ly|ially)\s++{_DONE}|partial(?:ly)?{_END}",
    ),
    (State.REVERTED, rf"{_IS}(?:reverted|rolled\s++back|backed\s++out)|reverts"),
    (
        State.RESTORED,
        rf"{_IS}(?:restor(?:es|ed|ing)|re-?add(?:s|ed)|re-?land(?:s|ed)|re-?appl(?:ies|ied)"
        r"|reinstate[sd])",
    ),
    (
        State.DROPPED,
        rf"{_IS}(?:dropped|cancel(?:l?ed)|abandoned|descoped|out\s++of\s++scope|rejected|obsolete)",
    ),
    (State.BLOCKED, rf"{_IS}(?:blocked|on\s++hold|paused|stalled)"),
    (
        State.IN_PROGRESS,
        r"(?:remains?\s++|is\s++|are\s++|still\s++|now\s++){0,4}(?:(?:work\s++)?in[\s-]++progress|wip"
        r"|under\s++(?:active\s++)?development|ongoing|under\s?way|being\s++(?:worked\s++on|implemented"
        r"|developed))",
    ),
    (State.DRAFT, rf"{_STILL}(?:an?\s++|in\s++)?drafts?(?:\s++(?:work|state|mode))?|draft{_END}"),
    (
        State.OPEN,
        rf"{_STILL}open|(?:{_STILL})?(?:under|in|awaiting|pending|waiting\s++for)\s++review"
        rf"|un-?resolved|open{_END}",
    ),
    (
        State.PLANNED,
        r"(?:remains?\s++|is\s++|are\s++|still\s++){0,4}(?:planned|scheduled|postponed|deferred|delayed"
        r"|slipped|targeted|backlog|upcoming|coming\s++soon|future\s++work)"
        rf"|proposed{_END}",
    ),
    (State.DELIVERED, rf"{_IS}{_DONE}|(?:is|are|now|fully|code)\s++complete|complete{_END}"),
    (State.CLOSED, rf"{_IS}closed"),
)

_NAME: Final = r"[A-Za-z][A-Za-z0-9_./-]{0,40}"
_BRANCH_BEFORE: Final = (
    rf"(?:(?:在|于)\s*+{_NAME}(?:[\s、和与及]++{_NAME}){{0,2}}[\s、和与及]*+(?:分支)?上?\s*+)?"
)
_ZH_DONE: Final = "(?:完成|交付|发布|合并|合入|上线|实现|落地|支持)"
_ZH_NOT: Final = "(?:尚未|还未|还没有|还没|没有|并未|暂未|未能|未|不再)"

_CHINESE: Final[tuple[tuple[State, str], ...]] = (
    (State.CLOSED_UNMERGED, "未合[并入][^，。；、]{0,2}(?:就|即|便|而)?(?:被)?关闭"),
    (State.CLOSED_UNMERGED, "已?关闭[，、（(]?\\s*+(?:但|且|而)?(?:未|没有)合[并入]"),
    (State.DROPPED, "不再计划|不做|已?(?:取消|放弃|废弃)"),
    (State.NOT_DONE, f"{_ZH_NOT}(?:全部|完全|被|正式)?(?:{_ZH_DONE}|开始|启动)|待办|待开始|待定"),
    (State.PARTLY_DELIVERED, f"(?:部分|大部分)(?:功能|工作)?(?:已|已经)?{_ZH_DONE}"),
    (State.FOUNDATION_DELIVERED, f"基础(?:功能|部分|工作|能力)?(?:已|已经)?{_ZH_DONE}"),
    (State.REVERTED, "已?被?(?:回滚|回退|撤销|还原)"),
    (State.RESTORED, "已?(?:恢复|重新合[并入]|重新添加|重新加入)"),
    (State.BLOCKED, "阻塞|受阻|暂停|搁置"),
    (State.DRAFT, "(?:仍|仍然|还)?(?:是|为)?草稿"),
    (State.OPEN, "(?:仍|仍然|依然|还)(?:是|处于)?(?:开放|打开|未关闭)"),
    (State.OPEN, "(?:评审|审核|审查)中|待合[并入]|待评审"),
    (State.IN_PROGRESS, "(?:正在)?(?:进行|开发|推进|实现|处理|适配|迁移)中|正在(?:进行|开发|推进)"),
    (State.PLANNED, "(?:已|仍|仍在)?(?:计划|规划|排期)(?:中|之中)?|待排期|推迟|延期|顺延"),
    (State.DELIVERED, f"已(?:经)?(?:于[^，。；]{{1,12}}日)?{_BRANCH_BEFORE}(?:全部)?{_ZH_DONE}"),
    (State.DELIVERED, "全部完成|完成|交付(?!日期|时间)"),
    (State.CLOSED, "已关闭"),
)

STATE_OF_GROUP: Final = {f"g{at}": state for at, (state, _) in enumerate((*_ENGLISH, *_CHINESE))}


def _either(words: tuple[tuple[State, str], ...], first: int) -> str:
    return "|".join(f"(?P<g{at}>{pattern})" for at, (_, pattern) in enumerate(words, first))


# The conditions stand outside of the alternatives: most characters then fail at once.
STATUS_WORDS: Final = re.compile(
    rf"(?<![A-Za-z0-9_-])(?=[A-Za-z])(?:{_either(_ENGLISH, 0)})(?![A-Za-z0-9_-])"
    rf"|(?=[一-鿿])(?:{_either(_CHINESE, len(_ENGLISH))})",
    re.IGNORECASE,
)
MAY_HOLD_STATUS: Final = re.compile(
    r"done|deliver|ship|complet|finish|merg|land|releas|implement|availab|launch|roll|plan|won"
    r"|yet|not|start|partial|revert|back|restor|re-?add|appl|reinstat|drop|cancel|abandon|scope"
    r"|reject|obsolet|block|hold|paus|stall|progress|wip|develop|going|under|being|draft|open"
    r"|review|resolv|schedul|defer|delay|slip|target|upcoming|coming|future|propos|clos|to-?\s*+do"
    r"|[一-鿿]",
    re.IGNORECASE,
)
"""A cheap look that spares the whole pattern for most lines."""
