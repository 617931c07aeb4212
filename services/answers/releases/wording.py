"""Words that answers about releases share."""

from collections.abc import Iterable, Sequence
from typing import Final

from events.instant import Instant, to_datetime
from projections.release_inclusion.history.verdicts import Outcome, Verdict
from projections.release_inclusion.ports import Port
from projections.release_inclusion.versions import Scheme

#: How a doubtful date came about, by the evidence of a ref; other evidence needs no word.
DATED_BY: Final = {
    "assumed": "assumed: it is its commit's, since nothing shows when the tag appeared",
    "reconstructed": "reconstructed from the history",
    "fetched": "the time of the fetch that found it",
}

#: How a family writes its versions.
SCHEMES: Final = {
    Scheme.SEMANTIC: "semantic versions",
    Scheme.PEP440: "PEP 440",
    Scheme.MAVEN: "Maven's words",
    Scheme.CALENDAR: "days or months",
    Scheme.DASHED: "numbers with dashes",
    Scheme.UNDERSCORED: "numbers with underscores",
}

VERDICTS: Final[dict[Outcome, str]] = {
    "included": "included",
    "partly": "partly",
    "reverted": "reverted",
    "removed": "removed",
    "not_included": "not included",
    "undetermined": "cannot be told",
}


def day(instant: Instant) -> str:
    """Write the day of an instant, in UTC."""
    return f"{to_datetime(instant):%Y-%m-%d}"


def short(sha: str) -> str:
    """Write a commit for people."""
    return sha[:10]


def requests(numbers: Iterable[int]) -> str:
    """Write numbers of requests: `#1`, `#1 and #2`."""
    return listed([f"#{number}" for number in numbers])


def listed(words: Iterable[str]) -> str:
    """Write words as a list in a sentence; empty for none."""
    *others, last = [*words] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def tags_of_commit(tags: Sequence[str]) -> str:
    """Write tags of one commit, the one that speaks for it first: `v1.0 and 93 packages …`."""
    first, *others = tags
    packages = [tag for tag in others if "/" in tag]
    plain = [tag for tag in others if "/" not in tag]
    return listed([first, *_few(plain, "tags", 4), *_few(packages, "packages", 2)])


def _few(tags: Sequence[str], kind: str, most: int) -> Sequence[str]:
    """Return tags by name, or how many they are where that is too many to read."""
    return tags if len(tags) <= most else (f"{len(tags):,} {kind} of that commit",)


def route(verdict: Verdict) -> str:
    """Write by what route a request is in; empty where it is plainly there."""
    by = requests(verdict.by) if verdict.by else ""
    if verdict.how == "cherry-picked":
        return f"cherry-picked as {by}" if by else "cherry-picked"
    if verdict.how == "via":
        return f"by {by}" if by else "by a merge"
    if verdict.how == "restored":
        return f"put back by {by}" if by else "put back after a revert"
    return ""


def ported(port: Port) -> str:
    """Write how far a change group has come to the default branch."""
    by = requests(port.by)
    match port.state:
        case "merged":
            return f"merged to {port.branch} {f'as {by}' if by else 'by a commit'}"
        case "synced":
            return f"reached {port.branch} by sync{f' {by}' if by else ''}"
        case "open":
            branches = f"only on {listed(port.on)}, " if port.on else ""
            return f"{branches}open as {by}"
        case "elsewhere":
            return f"only on {listed(port.on)}"
        case "nowhere":
            return "in force on no branch known here"
