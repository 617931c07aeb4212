"""The words of this projection: requests, commits as read, and the commits that carry a request."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Literal, TypeAlias

import msgspec

from events.facts.git import Commit
from events.instant import Instant
from events.sources.commit_message import Landing, landing
from projections.release_inclusion.messages.closing import read_closed
from projections.release_inclusion.messages.fixes import Fix, read_fixes
from projections.release_inclusion.messages.mention import Mention, Role
from projections.release_inclusion.messages.reading import read_mentions
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.messages.squashes import Listed, read_list

State: TypeAlias = Literal["open", "closed", "merged"]


class CarrierRole(StrEnum):
    """As what a commit carries a request."""

    LANDING = "landing"
    """It is the request's own entry into a branch."""
    PICK = "pick"
    """It brings the request's change to another branch, by cherry-pick or backport."""
    TWIN = "twin"
    """It lands another request, which makes the same change on another branch."""
    STACK = "stack"
    """It lands another request, into whose own branch this one was merged before."""
    RESTORE = "restore"
    """It puts the request's change back after a revert."""
    SYNC = "sync"
    """It is the request's own landing, and the request brings the default branch to another."""
    PROMOTION = "promotion"
    """It is the request's own landing, and the request brings another branch's commits."""


class Method(StrEnum):
    """How a carrier was found."""

    MERGE_COMMIT = "merge commit"
    """The API or a payload names the commit."""
    REBASE = "rebase merge"
    """It lies below the named commit, within the request's number of commits."""
    DECIDED = "decided by a person"
    TRAILER = "trailer"
    COPY = "author, date and title"
    """It is another commit once more: its author, author's date and title are that one's."""
    PATCH = "title and patch"
    """Title and patch are those of another commit."""
    SAME_PATCH = "patch alone"
    """The patch is that of another commit, under another title."""
    TEMPLATE = "template"
    LIST = "squash list"
    """It is a squash, and the list in its message names the request."""
    MERGE_SUBJECT = "merge subject"
    INSIDE = "inside"
    """It came in by the request's merge, or inside its head, and nothing else claims it."""
    HEAD = "head"
    """The request is merged, or a commit says that it closes it, and its head is an ancestor."""
    UNDONE_REVERT = "undone revert"
    """It reverts a revert of the request."""
    AGAIN = "landed again"
    """It is the request's change once more, after a revert of that."""
    TRAILING_NUMBER = "trailing number"


#: DESIGN's order of trust; greater wins where two methods tie one commit to one request.
TRUST: Final = {
    Method.MERGE_COMMIT: 60,
    Method.REBASE: 60,
    Method.DECIDED: 55,
    Method.TRAILER: 50,
    Method.COPY: 45,
    Method.PATCH: 45,
    Method.SAME_PATCH: 45,
    Method.TEMPLATE: 40,
    Method.LIST: 35,
    Method.MERGE_SUBJECT: 40,
    Method.UNDONE_REVERT: 40,
    Method.AGAIN: 40,
    Method.INSIDE: 30,
    Method.HEAD: 30,
    Method.TRAILING_NUMBER: 20,
}

OWN_ROLES: Final = frozenset({CarrierRole.LANDING, CarrierRole.SYNC, CarrierRole.PROMOTION})


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a pull request from better sources than git; None where nothing is."""

    number: int
    state: State | None = None
    merge_commit: str | None = None
    """Believed only of a merged request: of an open one it is GitHub's test merge."""
    commits: int | None = None
    head: str | None = None
    base: str | None = None
    title: str | None = None
    opened_at: Instant | None = None
    ended_at: Instant | None = None
    """When it was merged or closed, the last time."""


class ReadCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit as its own message has it."""

    sha: str
    subject: str
    committed_at: Instant
    own: Landing | None
    """The request that it says it lands."""
    mentions: tuple[Mention, ...]
    listed: tuple[Listed, ...] = ()
    """Of a squash: the requests that its list of commits names."""
    fixes: tuple[Fix, ...] = ()
    """The earlier changes that it says it mends."""
    closes: tuple[int, ...] = ()
    """The requests and issues that it says it closes."""


def read_commits(commits: Iterable[Commit], names: Names) -> dict[str, ReadCommit]:
    """Read the messages of commits, each for itself, by SHA."""
    return {commit.sha: read_commit(commit, names) for commit in commits}


def read_commit(commit: Commit, names: Names) -> ReadCommit:
    """Read the message of a commit."""
    mentions = read_mentions(commit.subject, commit.message, names)
    # A revert quotes the title of what it takes back, which may be that of a fix.
    mends = all(mention.role is Role.PICK for mention in mentions)
    return ReadCommit(
        sha=commit.sha,
        subject=commit.subject,
        committed_at=commit.committed_at,
        own=landing(commit.subject, commit.message, parents=len(commit.parents)),
        mentions=mentions,
        fixes=read_fixes(commit.subject, commit.message, names) if mends else (),
        closes=read_closed(commit.subject, commit.message, names) if mends else (),
        listed=tuple(read_list(commit.message)) if len(commit.parents) == 1 else (),
    )


class Carrier(msgspec.Struct, frozen=True, kw_only=True):
    """Commit `sha` carries request `number`.

    All carriers of one `landing` (named by its last commit) belong together. `via` is the carrier
    request that brought it, where that is another one.
    """

    sha: str
    number: int
    landing: str
    role: CarrierRole
    method: Method
    via: int | None = None
    copies: tuple[str, ...] = ()
    """Of a pick or restore of named commits: those commits. Where a landing has several commits,
    it carries no more of the request than these."""

    @property
    def trust(self) -> int:
        """How far the tie is believed; greater wins."""
        return TRUST[self.method]


class Carriers:
    """All carriers, by request and by commit. One commit carries one request once."""

    def __init__(self, carriers: Iterable[Carrier] = ()) -> None:
        self._by_number: dict[int, dict[str, Carrier]] = {}
        self._by_sha: dict[str, dict[int, Carrier]] = {}
        for carrier in carriers:
            self.add(carrier)

    def __iter__(self) -> Iterator[Carrier]:
        """Yield all carriers, by request number."""
        for _, carriers in sorted(self._by_number.items()):
            yield from carriers.values()

    def add(self, carrier: Carrier) -> None:
        """Take a carrier; where commit and request are tied already, the more trusted tie holds."""
        known = self._by_number.get(carrier.number, {}).get(carrier.sha)
        if known and known.trust >= carrier.trust:
            return
        self._by_number.setdefault(carrier.number, {})[carrier.sha] = carrier
        self._by_sha.setdefault(carrier.sha, {})[carrier.number] = carrier

    def replace(self, carrier: Carrier) -> None:
        """Put a carrier in the place of what is known of its commit and request."""
        self._by_number.get(carrier.number, {}).pop(carrier.sha, None)
        self.add(carrier)

    def shas(self) -> Iterable[str]:
        """Return the commits that carry anything."""
        return self._by_sha.keys()

    def parts(self) -> tuple[list[Carrier], list[list[int]]]:
        """Return all carriers by commit, and for each request their places in that list."""
        carriers = [carrier for at in self._by_sha.values() for carrier in at.values()]
        places = {(carrier.sha, carrier.number): n for n, carrier in enumerate(carriers)}
        numbers = self._by_number.values()
        return carriers, [[places[c.sha, c.number] for c in of.values()] for of in numbers if of]

    @classmethod
    def of_parts(cls, carriers: list[Carrier], numbers: list[list[int]]) -> "Carriers":
        """Return the carriers that `parts` were taken from."""
        made = cls()
        for carrier in carriers:
            made._by_sha.setdefault(carrier.sha, {})[carrier.number] = carrier
        for places in numbers:
            of = [carriers[place] for place in places]
            made._by_number[of[0].number] = {carrier.sha: carrier for carrier in of}
        return made

    def numbers(self) -> tuple[int, ...]:
        """Return the requests that any commit carries, sorted."""
        return tuple(sorted(self._by_number))

    def of(self, number: int) -> tuple[Carrier, ...]:
        """Return the carriers of a request."""
        return tuple(self._by_number.get(number, {}).values())

    def at(self, sha: str) -> tuple[Carrier, ...]:
        """Return what a commit carries."""
        return tuple(self._by_sha.get(sha, {}).values())

    def own(self, sha: str) -> int | None:
        """Return the request whose own landing a commit is."""
        return next((c.number for c in self.at(sha) if c.role in OWN_ROLES), None)

    def landings(self, number: int) -> tuple[tuple[Carrier, ...], ...]:
        """Return the carriers of a request, one group for each landing."""
        groups: dict[str, list[Carrier]] = {}
        for carrier in self.of(number):
            groups.setdefault(carrier.landing, []).append(carrier)
        return tuple(tuple(group) for group in groups.values())

    def carried_by(self, number: int) -> tuple[int, ...]:
        """Return the requests that a carrier request brought; empty for an ordinary one."""
        shas = [carrier.sha for carrier in self.of(number)]
        carried = {c.number for sha in shas for c in self.at(sha) if c.via == number}
        return tuple(sorted(carried))
