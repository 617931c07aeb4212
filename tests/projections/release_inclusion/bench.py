"""A bench for small cases: records arrive when a test says; questions are asked at (T, K)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from events.facts.base import Fact
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.facts.git import RefObserved
from events.record import Record
from events.sources.authored import author
from events.sources.git_history import commits_record, refs_record
from projections.engine.read_model import ReadModel
from projections.release_inclusion.answers import Inclusion, ReleaseContents, contents, inclusion
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from tests.builders import REPO, at, pull_request, repository, webhook
from tests.projections.release_inclusion.histories import Written, sha_of
from tests.worlds import log_of, project

ROLES = BranchRoles(release=("release-*", "core_r*"))
LAST = "2027-01-01T00:00:00Z"
Arrival = tuple[str, Record]


class Bench:
    """Records with their times of arrival, in the read model."""

    def __init__(self, *arrivals: Arrival, families: Sequence[str] = ()) -> None:
        self.arrivals = arrivals
        found = [(at(when), record) for when, record in arrivals]
        log = log_of([record for _, record in found], [when for when, _ in found].__getitem__)
        self.model: ReadModel = project(log)
        self.families = families
        self.cache = HistoryCache()

    def view(self, *, as_of: str = LAST, known_at: str = LAST) -> ReleaseView:
        """Return what was so at T, as known at K."""
        with self.model.snapshot() as snapshot:
            return view(
                snapshot,
                REPO,
                at(as_of),
                at(known_at),
                roles=ROLES,
                families=self.families,
                cache=self.cache,
            )

    def ask(self, number: int, release: str, **moment: str) -> Inclusion:
        """Ask for one request and one release."""
        asked = self.view(**moment)
        return inclusion(asked, number, asked.release(release))

    def outcome(self, number: int, release: str, **moment: str) -> str:
        """Ask for one request and one release, and return only the verdict."""
        return self.ask(number, release, **moment).verdict.outcome

    def page(self, release: str, *, against: str | None = None, **moment: str) -> ReleaseContents:
        """Ask for a release against its predecessor or another one."""
        asked = self.view(**moment)
        one = asked.release(release)
        return contents(asked, one, asked.release(against) if against else asked.predecessor(one))

    def new(self, release: str, *, against: str | None = None, **moment: str) -> list[int]:
        """Return the requests that a release brings."""
        return [one.number for one in self.page(release, against=against, **moment).new]


def dated(written: Written, **dates: str) -> Written:
    """Give every commit of a history its committer date."""
    moments = {sha_of(name): at(when) for name, when in dates.items()}
    written.commits = [
        msgspec.structs.replace(one, committed_at=moments[one.sha]) for one in written.commits
    ]
    return written


def git(
    written: Written, when: str, *, previous: str = "", refs: Mapping[str, str] | None = None
) -> list[Arrival]:
    """Return what a first reading of git says: all commits and refs, dated as `assumed`.

    `refs` are further ones by full name; all are called by the short names of commits.
    """
    tips = {f"refs/heads/{name}": tip for name, tip in written.branches.items()}
    tips |= {f"refs/tags/{name}": tip for name, tip in written.tags.items()}
    dates = {commit.sha: commit.committed_at for commit in written.commits}
    seen = [
        RefObserved(ref=ref, sha=sha_of(tip), at=dates[sha_of(tip)], evidence="assumed")
        for ref, tip in {**tips, **(refs or {})}.items()
    ]
    return [(when, commits(written, when, previous)), (when, read_refs(seen, when, previous))]


def commits(written: Written, when: str, previous: str = "") -> Record:
    """Return the record of the commits of a history."""
    return commits_record(REPO, written.commits, previous=previous, time=at(when))


def read_refs(
    refs: Iterable[RefObserved], when: str, previous: str = "", name: str = "acme/widget"
) -> Record:
    """Return the record of a reading of refs."""
    return refs_record(
        REPO,
        tuple(refs),
        full_name=name,
        default_branch="main",
        fetched_at=at(when),
        previous=previous,
    )


def fetched(ref: str, commit: str | None, when: str, *, before: str, since: str) -> RefObserved:
    """Return what a later reading of git says of a ref that moved."""
    return RefObserved(
        ref=ref,
        sha=None if commit is None else sha_of(commit),
        at=at(when),
        evidence="fetched",
        before=sha_of(before),
        not_before=at(since),
    )


def push(
    ref: str, before: str | None, after: str | None, when: str, *, tag_object: str | None = None
) -> Arrival:
    """Return the delivery of a push, arriving when it happened; commits by their short names."""
    zero = "0" * 40
    new = zero if after is None else sha_of(after)
    body = {
        "ref": ref,
        "before": zero if before is None else sha_of(before),
        "after": tag_object or new,
        "created": before is None,
        "deleted": after is None,
        "forced": False,
        "commits": [],
        "head_commit": None if after is None else {"id": new},
        "repository": repository(pushed_at=at(when) // 1_000_000),
    }
    return when, webhook(f"push-{ref}-{when}", "push", body)


def release(action: str, tag: str, when: str, **fields: Any) -> Arrival:
    """Return a `release` delivery, arriving when it happened."""
    moment = f"2026-{when.replace(' ', 'T')}Z" if " " in when else f"2026-{when}T00:00:00Z"
    shown = {
        "id": 500,
        "tag_name": tag,
        "name": tag,
        "target_commitish": "main",
        "draft": False,
        "prerelease": False,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": moment,
        "published_at": moment,
        **fields,
    }
    body = {"action": action, "release": shown, "repository": repository()}
    return when, webhook(f"release-{action}-{shown['id']}-{when}", "release", body)


def merged(number: int, commit: str | None, when: str, **fields: Any) -> Arrival:
    """Return the delivery of a merge, arriving when it happened."""
    values = {
        "state": "closed",
        "merged": True,
        "merged_at": when,
        "closed_at": when,
        "merge_commit_sha": None if commit is None else sha_of(commit),
        **fields,
    }
    return when, pull_request(f"merged-{number}", number, "closed", when, **values)


def opened(number: int, when: str, **fields: Any) -> Arrival:
    """Return the delivery of an opening, arriving when it happened."""
    return when, pull_request(f"opened-{number}", number, "opened", when, **fields)


def head(commit: str, ref: str = "topic") -> dict[str, Any]:
    """Return the head of a request."""
    return {"ref": ref, "sha": sha_of(commit), "repo": {"id": 1001}}


def alias(name: str, tag: str | None, when: str) -> Arrival:
    """Return a person's statement of what a name means, recorded when it was made."""
    fact = ReleaseAliasDecided(alias=name, tag=tag, decided_at=at(when), author="dev-a")
    return when, _curated(fact, when)


def decision(when: str, **fields: Any) -> Arrival:
    """Return a person's answer for a mention, recorded when it was given."""
    return when, _curated(MentionDecided(decided_at=at(when), author="dev-a", **fields), when)


def _curated(fact: Fact, when: str) -> Record:
    return author(REPO, fact, time=at(when))
