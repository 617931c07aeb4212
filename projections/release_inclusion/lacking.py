"""What a release lacks: changes of its predecessor, later reverts, later fixes, open picks. Pure.

A release can hold a change and lack what was learned of it since. All of this is a hint to the
one who releases, with the sentence or the commit that it rests on; no verdict follows from it.
"""

from collections.abc import Iterator

import msgspec

from projections.release_inclusion.answers import is_carrier_only
from projections.release_inclusion.history.carriers import OWN_ROLES, Carrier
from projections.release_inclusion.history.graph import TipSet
from projections.release_inclusion.history.naming import ShaFinder
from projections.release_inclusion.history.twins import twin_tips
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.messages.fixes import Fix
from projections.release_inclusion.messages.mention import Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.relation import cut_of
from projections.release_inclusion.view import ReleaseView


class RevertedLater(msgspec.Struct, frozen=True, kw_only=True):
    """A request that the release holds, and that the default branch has taken back since."""

    number: int
    by: tuple[int, ...]
    """The requests that took it back; empty where commits without a number did."""
    commits: tuple[str, ...]


class FixedLater(msgspec.Struct, frozen=True, kw_only=True):
    """A request that the release holds, and a change outside of it that says it mends it."""

    number: int
    fix: int | None
    """The request of the fix; None where its commit names none."""
    commit: str
    sentence: str


class OpenPick(msgspec.Struct, frozen=True, kw_only=True):
    """An open request to the release's branch, and the requests that its title says it picks."""

    number: int
    title: str
    picks: tuple[int, ...]


class Lacking(msgspec.Struct, frozen=True, kw_only=True):
    """What a release lacks, as known at the view's (T, K)."""

    of_predecessor: tuple[int, ...] = ()
    """Requests that its predecessor holds and it does not, by history; what it took back for
    itself is removed, and not lacking."""
    reverted_later: tuple[RevertedLater, ...] = ()
    fixed_later: tuple[FixedLater, ...] = ()
    open_picks: tuple[OpenPick, ...] = ()


def lacking(view: ReleaseView, release: KnownRelease, against: KnownRelease | None) -> Lacking:
    """Return what a release lacks; `against` is the release that it is told against."""
    if release.commit not in view.history.graph:
        return Lacking()
    held = [n for n in view.history.carriers.numbers() if _holds(view, n, release)]
    return Lacking(
        of_predecessor=tuple(_of_predecessor(view, release, against)),
        reverted_later=tuple(_reverted_later(view, held)),
        fixed_later=tuple(fixes_of(view, held, release)),
        open_picks=tuple(_open_picks(view, release)),
    )


def lacking_of(view: ReleaseView, number: int, release: KnownRelease) -> Lacking:
    """Return what a release that holds one request lacks about it."""
    if release.commit not in view.history.graph or not _holds(view, number, release):
        return Lacking()
    return Lacking(
        reverted_later=tuple(_reverted_later(view, [number])),
        fixed_later=tuple(fixes_of(view, [number], release)),
    )


def _holds(view: ReleaseView, number: int, release: KnownRelease) -> bool:
    return bool(view.matrix.of(number).present & view.history.reach.bit(release.commit))


def _of_predecessor(
    view: ReleaseView, release: KnownRelease, against: KnownRelease | None
) -> Iterator[int]:
    history = view.history
    if against is None or against.commit not in history.graph:
        return
    here, before = history.reach.bit(release.commit), history.reach.bit(against.commit)
    for number in history.carriers.numbers():
        where = view.matrix.of(number)
        told_before = where.present & before and not where.present & here
        open_question = (where.reverted | where.undetermined) & here
        if told_before and not open_question and not _only_carries(view, number, before):
            yield number


def _only_carries(view: ReleaseView, number: int, tips: TipSet) -> bool:
    return is_carrier_only(view, number) or bool(twin_tips(view.history, number) & tips)


def _reverted_later(view: ReleaseView, held: list[int]) -> Iterator[RevertedLater]:
    history = view.history
    tip = next(iter(history.branches.values()), None)
    if tip is None:
        return
    default = history.reach.bit(tip)
    for number in held:
        where = view.matrix.of(number)
        if not where.reverted & default or is_carrier_only(view, number):
            continue
        shas = [c.sha for c in history.carriers.of(number) if history.is_in(c.sha, tip)]
        killers = tuple(dict.fromkeys(y for sha in shas for y in history.killers(sha, tip)))
        owners = (history.carriers.own(sha) for sha in killers)
        by = tuple(dict.fromkeys(owner for owner in owners if owner is not None))
        yield RevertedLater(number=number, by=by, commits=killers)


def fixes_of(view: ReleaseView, held: list[int], release: KnownRelease) -> Iterator[FixedLater]:
    """Yield the changes that say they mend one of the requests held, and are not in the release."""
    wanted = set(held)
    for sha, number, fix in _all_fixes(view):
        if number in wanted and _is_outside(view, sha, number, release):
            own = next((c.number for c in _landed(view, sha)), None)
            yield FixedLater(number=number, fix=own, commit=sha, sentence=fix.sentence)


def _all_fixes(view: ReleaseView) -> list[tuple[str, int, Fix]]:
    """Return each commit that says it fixes a request, oldest first, once for each request."""
    history = view.history
    finder = ShaFinder(history.graph)
    found: dict[tuple[str, int], Fix] = {}
    for sha, fixes in history.fixes.items():
        for fix in fixes:
            named = finder.find(fix.sha) if fix.sha else None
            numbers = {c.number for c in history.carriers.at(named)} if named else {fix.number}
            for number in numbers:
                if number is not None and _landed_before(view, number, sha):
                    found.setdefault((sha, number), fix)
    ordered = sorted(found, key=lambda key: (history.graph.rank(key[0]), key[1]))
    return [(sha, number, found[sha, number]) for sha, number in ordered]


def _landed_before(view: ReleaseView, number: int, sha: str) -> bool:
    """Tell whether a number is a request that was there when a commit was made.

    What only a request's own branch names may be an issue, or another repository's.
    """
    history = view.history
    landings = [c.sha for c in history.carriers.of(number) if c.role in OWN_ROLES]
    lines = [history.line(tip) for tip in history.branches.values()]
    return any(
        history.graph.rank(landing) < history.graph.rank(sha)
        and any(line.on_line(landing) for line in lines)
        for landing in landings
    )


def _is_outside(view: ReleaseView, sha: str, number: int, release: KnownRelease) -> bool:
    """Tell whether a fix is elsewhere: on some branch, not in the release, and no part of what it
    fixes.
    """
    history = view.history
    if history.is_in(sha, release.commit) or not history.is_alive_anywhere(sha):
        return False
    landed = _landed(view, sha)
    if any(carrier.number == number for carrier in landed):
        return False
    bit = history.reach.bit(release.commit)
    where = [view.matrix.of(carrier.number) for carrier in landed]
    return not any((verdicts.present | verdicts.undetermined) & bit for verdicts in where)


def _landed(view: ReleaseView, sha: str) -> list[Carrier]:
    return sorted(view.history.carriers.at(sha), key=lambda c: (c.via is not None, c.number))


def _open_picks(view: ReleaseView, release: KnownRelease) -> Iterator[OpenPick]:
    branch = cut_of(view.history, release.commit).branch
    default = next(iter(view.history.branches), None)
    if branch is None or branch == default:
        return
    for number, request in sorted(view.requests.items()):
        if request.state == "open" and request.base == branch:
            mentions = read_mentions(request.title or "", "", Names())
            picks = {m.number for m in mentions if m.role is Role.PICK and m.number is not None}
            yield OpenPick(number=number, title=request.title or "", picks=tuple(sorted(picks)))
