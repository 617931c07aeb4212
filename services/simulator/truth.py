"""What the simulator knows by construction. Never derived from deliveries, so it can judge them.

All times are instants (microseconds, whole seconds in a world). `delivery` is always the index of
the delivery that announces a thing, None where GitHub sends none; so the truth as knowable from the
first k deliveries is everything with `delivery < k`.
"""

from bisect import bisect_left
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from events.instant import Instant

Happening: TypeAlias = Literal["opened", "closed", "reopened", "merged"]
State: TypeAlias = Literal["open", "closed", "merged"]
Method: TypeAlias = Literal["merge", "squash", "rebase", "queue", "robot"]
RelationKind: TypeAlias = Literal["pick", "port", "sync", "revert", "readd", "stack", "stranger"]
VerdictName: TypeAlias = Literal["included", "partly", "reverted", "removed", "not_included"]

T = TypeVar("T")


class Step(msgspec.Struct, Generic[T], frozen=True):
    """A value that holds from `at` on, until the next step."""

    at: Instant
    value: T
    delivery: int


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What a request has to do with another one.

    `pick` carries it by a shape git shows, `port` brings the same change under a new number and
    says so nowhere, `sync` brings it inside a merge of whole branches, `stack` contains it because
    it was merged into this one's head branch, `revert` takes it away, `readd` brings it back. Of a
    `stranger` it has nothing but the number: that of a fork's request, in a commit's words.
    `evidence` names the shape that shows it, `none` where only the simulator knows.
    """

    kind: RelationKind
    number: int
    evidence: str


class PullTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The whole life of one pull request."""

    number: int
    author: str
    bot: bool
    head: str | None
    """The head branch, where it lies in the same repository."""
    transitions: tuple[Step[Happening], ...]
    bases: tuple[Step[str], ...]
    titles: tuple[Step[str], ...]
    labels: tuple[Step[tuple[str, ...]], ...]
    drafts: tuple[Step[bool], ...]
    commits_at: tuple[Step[str], ...]
    """Each time it was given commits after its opening, with the new head's id."""
    paths: tuple[str, ...]
    method: Method | None = None
    landing: tuple[str, ...] = ()
    """Commits by which it entered its base: all n of a rebase, else one; empty if it never did.

    A `robot` pushes and closes, so GitHub shows no merge: only git shows how it ended.
    """
    relations: tuple[Relation, ...] = ()

    @property
    def opened_at(self) -> Instant:
        """When it was created."""
        return self.transitions[0].at

    def state_before(self, bound: Instant) -> State | None:
        """Return its state after all that happened before the bound; None before its opening."""
        passed = [step.value for step in self.transitions if step.at < bound]
        if not passed:
            return None
        last = passed[-1]
        return "open" if last in ("opened", "reopened") else last  # type: ignore[return-value]

    def base_before(self, bound: Instant) -> str | None:
        """Return its base branch after all that happened before the bound."""
        return value_before(self.bases, bound)

    def upto(self, deliveries: int) -> "PullTruth | None":
        """Return what the first deliveries announce of it; None where they announce nothing.

        No delivery announces what a merge robot landed. Paths and relations have no clock and stay
        whole.
        """
        known = {
            name: tuple(step for step in getattr(self, name) if step.delivery < deliveries)
            for name in ("transitions", "bases", "titles", "labels", "drafts", "commits_at")
        }
        if not known["transitions"]:
            return None
        if known["transitions"][-1].value == "merged":
            return msgspec.structs.replace(self, **known)
        return msgspec.structs.replace(self, **known, method=None, landing=())


class IssueTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The life of one issue; `value` of a close is its reason (`completed`, `not_planned`)."""

    number: int
    title: str
    opened: Step[str]
    changes: tuple[Step[str], ...]
    """`completed`, `not_planned` or `reopened`, in order."""


class RefMove(msgspec.Struct, frozen=True, kw_only=True):
    """A ref changed; ids are those the ref itself holds (of an annotated tag, the tag object)."""

    ref: str
    before: str | None
    after: str | None
    at: Instant
    delivery: int | None


class TagTruth(msgspec.Struct, frozen=True, kw_only=True):
    """A tag, with the release that readers see, if any."""

    name: str
    commit: str
    tag_object: str | None
    tagged_at: Instant
    pushed_at: Instant
    delivery: int | None
    """The push that announces it; None of more than three tags pushed at once."""
    branch: str
    """The branch whose tip, or past tip, it was put on."""
    family: str
    predecessor: str | None
    """Of a final: the final before it; of a pre-release: the tag before it in version order."""
    prerelease: bool
    drafted: Step[int] | None = None
    """When a draft of its release was saved; the value is the release's id."""
    published: Step[int] | None = None


class Carry(msgspec.Struct, frozen=True, kw_only=True):
    """A commit carries these units of a request: of a rebase merge unit i is commit i, else 0."""

    sha: str
    number: int
    units: tuple[int, ...]
    role: Literal["landing", "pick", "stack", "restore"]


class Undoing(msgspec.Struct, frozen=True, kw_only=True):
    """A commit takes others away; `targets` are all among its own ancestors."""

    sha: str
    targets: tuple[str, ...]


class RoadmapItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a roadmap's text; `key` stays through rewording and in the successor."""

    key: str
    section: str
    title: str
    words: str | None
    box: bool | None
    links: tuple[int, ...]
    struck: bool = False
    """The text takes it back."""


class RoadmapVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A roadmap issue's text as it was from `at` on."""

    number: int
    at: Instant
    delivery: int
    title: str
    body: str
    items: tuple[RoadmapItem, ...]
    succeeds: int | None = None


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a world. `verdicts` leaves out what is `not_included`: ask `verdict`."""

    seed: int
    host: str
    full_name: str
    repository_id: int
    default_branch: str
    start: Instant
    end: Instant
    pulls: tuple[PullTruth, ...]
    issues: tuple[IssueTruth, ...]
    refs: tuple[RefMove, ...]
    tags: tuple[TagTruth, ...]
    carries: tuple[Carry, ...]
    undoings: tuple[Undoing, ...]
    roadmaps: tuple[RoadmapVersion, ...]
    verdicts: dict[str, dict[int, VerdictName]]

    def pull(self, number: int) -> PullTruth:
        """Return one pull request; raise KeyError where the number is none."""
        place = bisect_left(self.pulls, number, key=lambda pull: pull.number)
        if place == len(self.pulls) or self.pulls[place].number != number:
            raise KeyError(number)
        return self.pulls[place]

    def verdict(self, tag: str, number: int) -> VerdictName:
        """Tell whether a tag's content has a pull request."""
        return self.verdicts[tag].get(number, "not_included")

    def pulls_upto(self, deliveries: int) -> tuple[PullTruth, ...]:
        """Return all pull requests as the first deliveries announce them."""
        known = (pull.upto(deliveries) for pull in self.pulls)
        return tuple(pull for pull in known if pull is not None)


def value_before(steps: tuple[Step[T], ...], bound: Instant) -> T | None:
    """Return the value after all steps before the bound; None where there is none."""
    passed = [step.value for step in steps if step.at < bound]
    return passed[-1] if passed else None
