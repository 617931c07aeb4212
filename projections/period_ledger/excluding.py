"""The classes of the requests of a period, and its counts without the excluded ones.

A request is active in a period if it was opened, merged, closed, reopened or given a commit in it
(MODEL.md 4). The exclusion table covers those; the filtered counts take every request of a count.
"""

from collections import Counter
from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from events.identity import RepositoryKey
from events.instant import Instant
from projections.changed_files.queries import KnownJudgement, judgements_of
from projections.period_ledger.counting import delivered
from projections.period_ledger.exclusions import (
    EXCLUDED,
    Class,
    DecidedClass,
    Judge,
    RuleSet,
    Verdict,
)
from projections.period_ledger.files.landed import Files
from projections.period_ledger.files.queries import Sights, files_seen, sights_of
from projections.period_ledger.quality import Quality
from projections.period_ledger.queries import Ledger
from projections.store.snapshot import Snapshot

Outcome: TypeAlias = Literal["merged", "closed", "open"]
"""How a request stood at the end; what a commit landed is `merged` here."""
Bound: TypeAlias = Literal["exact", "at_least", "at_most", "about", "unknown"]
"""How a filtered count is to be read: a request without a list of files may be one too many
(`at_most`), one that was not seen one too few (`at_least`), and both together `about`."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("merged", "closed", "open")
#: The counts whose requests are active; each outcome is only known where all of its counts are.
_ACTIVE: Final = (
    "opened",
    "merged",
    "landed",
    "closed_without_merge",
    "closed_unknown",
    "reopened",
    "active_and_open",
)


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """One request: its class, its files, and where it stood at the end of the period.

    `judgements` are those of the commits that hold its change, as far as any were looked into.
    """

    number: int
    verdict: Verdict
    files: Files
    outcome: Outcome
    active: bool
    judgements: tuple[KnownJudgement, ...] = ()


class Exclusions(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one period. None stands for a number that nothing proves.

    `table` is class -> outcome -> requests active in the period; `filtered` has the names and
    definitions of the raw counts.
    """

    rules: RuleSet
    digest: str
    requests: Mapping[int, Classified]
    table: Mapping[Class, Mapping[Outcome, int | None]]
    filtered: Mapping[str, int | None]
    bounds: Mapping[str, Bound]
    quality: Quality
    """Of the table: `at_least` where a request may have been active unseen."""

    @property
    def classes(self) -> dict[int, Class]:
        """The class of every request of any count."""
        return {number: request.verdict.kind for number, request in self.requests.items()}

    @property
    def doubtful(self) -> tuple[Classified, ...]:
        """The active requests that were kept because their list of files proves nothing."""
        return tuple(r for r in self.requests.values() if r.active and r.verdict.doubt)

    @property
    def decided(self) -> tuple[Classified, ...]:
        """The requests whose class a person decided."""
        return tuple(r for r in self.requests.values() if r.verdict.decided is not None)

    def total(self, kind: Class) -> int:
        """Return how many active requests are of a class, as far as they are known."""
        return sum(count or 0 for count in self.table[kind].values())


def exclusions(
    snapshot: Snapshot,
    repo: RepositoryKey,
    ledger: Ledger,
    known_at: Instant,
    rules: RuleSet,
    decided: Mapping[int, DecidedClass] = MappingProxyType({}),
    sights: Sights | None = None,
) -> Exclusions:
    """Classify the requests of a ledger by what was known at K; T is the ledger's end.

    `decided` are the classes that persons gave: they come before the rules. `sights` hold all
    requests of the ledger, if they were read before.
    """
    active = {entry.number for name in _ACTIVE for entry in ledger.entries[name]}
    outcomes = _outcomes(ledger)
    requests = classify(
        *(snapshot, repo, outcomes, ledger.b - 1, known_at, rules),
        active=active,
        decided=decided,
        sights=sights,
    )
    return Exclusions(
        rules=rules,
        digest=rules.digest,
        requests=requests,
        table=_table(requests, ledger),
        filtered=_filtered(requests, ledger),
        bounds={name: _bound(requests, ledger, name) for name in ledger.counts},
        quality="exact" if set(ledger.quality.values()) == {"exact"} else "at_least",
    )


def classify(
    snapshot: Snapshot,
    repo: RepositoryKey,
    outcomes: Mapping[int, Outcome],
    as_of: Instant,
    known_at: Instant,
    rules: RuleSet,
    *,
    active: Container[int],
    decided: Mapping[int, DecidedClass] = MappingProxyType({}),
    sights: Sights | None = None,
) -> dict[int, Classified]:
    """Give each of some requests its class; `outcomes` say how they stand at T."""
    merged = {number for number, outcome in outcomes.items() if outcome == "merged"}
    sights = sights or sights_of(snapshot, repo, outcomes, known_at)
    files = files_seen(
        snapshot, repo, sights.of(outcomes), merged, as_of, known_at, commits=sights.commits
    )
    formats = judgements_of(snapshot, repo, _commits_in_question(files), known_at)
    judge = Judge(rules)
    return {
        number: _classified(
            judge, number, outcome, files[number], formats, number in active, decided.get(number)
        )
        for number, outcome in sorted(outcomes.items())
    }


def _outcomes(ledger: Ledger) -> dict[int, Outcome]:
    """Return where each request of any count stood at the end: only the merged stay merged."""
    merged = {entry.number for entry in delivered(ledger.entries)}
    still_open = {entry.number for entry in ledger.entries["open_at_end"]}
    every = {entry.number for entries in ledger.entries.values() for entry in entries}
    return {
        number: "merged" if number in merged else "open" if number in still_open else "closed"
        for number in every
    }


def _commits_in_question(files: Mapping[int, Files]) -> set[str]:
    return {
        sha
        for files_of_one in files.values()
        if files_of_one.state == "whole"
        for sha in files_of_one.commits
    }


def _classified(
    judge: Judge,
    number: int,
    outcome: Outcome,
    files: Files,
    formats: Mapping[str, KnownJudgement],
    active: bool,
    decided: DecidedClass | None,
) -> Classified:
    looked_into = tuple(formats[sha] for sha in files.commits if sha in formats)
    proven = bool(files.commits) and len(looked_into) == len(files.commits)
    format_only = proven and all(known.judgement.format_only for known in looked_into)
    verdict = judge.request(files.paths, files.state, format_only=format_only)
    return Classified(
        number=number,
        verdict=verdict.overruled(decided),
        files=files,
        outcome=outcome,
        active=active,
        judgements=looked_into,
    )


def _table(
    requests: Mapping[int, Classified], ledger: Ledger
) -> dict[Class, dict[Outcome, int | None]]:
    counts = Counter((r.verdict.kind, r.outcome) for r in requests.values() if r.active)
    known = {
        outcome: outcome == "merged" or ledger.quality["opened"] != "unknown"
        for outcome in OUTCOMES
    }
    return {
        kind: {outcome: counts[kind, outcome] if known[outcome] else None for outcome in OUTCOMES}
        for kind in EXCLUDED
    }


def _filtered(requests: Mapping[int, Classified], ledger: Ledger) -> dict[str, int | None]:
    return {
        name: None
        if raw is None
        else sum(not requests[entry.number].verdict.excluded for entry in ledger.entries[name])
        for name, raw in ledger.counts.items()
    }


def _bound(requests: Mapping[int, Classified], ledger: Ledger, name: str) -> Bound:
    quality = ledger.quality[name]
    doubtful = any(requests[entry.number].verdict.doubt for entry in ledger.entries[name])
    if not doubtful or quality == "unknown":
        return quality
    return "at_most" if quality == "exact" else "about"
