"""The files of requests: from landings, heads, and lists of the API, at any (T, K)."""

import json
from collections.abc import Sequence

import pytest
from sqlalchemy import event

from events.facts.git import Commit, RefObserved
from events.record import Record
from events.sources.git_history import commits_record, refs_record
from events.sources.github_api import files_record
from projections.period_ledger.files.landed import Files
from projections.period_ledger.files.queries import files_at
from tests.builders import REPO, at, merge, pull_request
from tests.lab import Lab, created

K = "2026-12-31T00:00:00Z"


def sha(name: str) -> str:
    return name.encode().hex().ljust(40, "0")


def commit(
    name: str,
    *parents: str,
    paths: Sequence[str] | None,
    when: str = "06-01",
    subject: str = "Work",
) -> Commit:
    return Commit(
        sha=sha(name),
        parents=tuple(map(sha, parents)),
        authored_at=at(when),
        committed_at=at(when),
        author="Ada",
        subject=subject,
        paths=None if paths is None else tuple(paths),
    )


def git(*commits: Commit, when: str, main: str) -> list[tuple[str, Record]]:
    """Return what a reading of a clone records: commits, and where main stands."""
    ref = RefObserved(ref="refs/heads/main", sha=sha(main), at=at(when), evidence="fetched")
    refs = refs_record(
        REPO, [ref], full_name="acme/widget", default_branch="main", fetched_at=at(when)
    )
    return [(when, commits_record(REPO, commits, time=at(when))), (when, refs)]


def listing(
    number: int, when: str, *names: str, head: str | None = None, cut: bool = False
) -> tuple[str, Record]:
    url = f"https://api.example/contents?ref={sha(head)}" if head else None
    page = json.dumps([{"filename": name, "contents_url": url} for name in names]).encode()
    return when, files_record(REPO, number, [page], time=at(when), cut=cut)


def head(name: str) -> dict[str, object]:
    return {"ref": "topic", "sha": sha(name), "repo": {"id": 1001}}


def asked(lab: Lab, number: int, *, merged: bool = False, t: str = "11-30", k: str = K) -> Files:
    with lab.model.snapshot() as snapshot:
        return files_at(snapshot, REPO, [number], [number] if merged else [], at(t), at(k))[number]


ROOT = commit("root", paths=["README.md"], when="01-02")


def test_a_squash_has_the_paths_of_its_commit() -> None:
    landed = commit("s", "root", paths=["a.py", "tests/a.py"], subject="Add a (#7)")
    lab = Lab(
        [
            created(),
            *git(ROOT, landed, when="06-03", main="s"),
            ("06-04", merge("m", 7, "06-02", merge_commit_sha=sha("s"), commits=3)),
        ]
    )
    found = asked(lab, 7, merged=True)
    assert (found.paths, found.state, found.origin) == (("a.py", "tests/a.py"), "whole", "landing")
    assert found.commits == (sha("s"),)
    assert len(found.records) == 1


def test_a_rebase_merge_has_the_paths_of_all_its_commits() -> None:
    commits = [ROOT]
    for name, before in (("o", "root"), ("r1", "o"), ("r2", "r1"), ("r3", "r2")):
        commits.append(commit(name, before, paths=[f"{name}.py"]))
    lab = Lab(
        [
            created(),
            *git(*commits, when="06-03", main="r3"),
            ("06-04", merge("m", 7, "06-02", merge_commit_sha=sha("r3"), commits=3)),
        ]
    )
    assert asked(lab, 7, merged=True).paths == ("r1.py", "r2.py", "r3.py")


def test_a_rebase_merge_ends_at_the_landing_before_it() -> None:
    """A commit that became empty is dropped by GitHub: there are fewer than it says."""
    commits = [ROOT, commit("o", "root", paths=["o.py"]), commit("r1", "o", paths=["r1.py"])]
    lab = Lab(
        [
            created(),
            *git(*commits, when="06-03", main="r1"),
            ("06-04", merge("m6", 6, "06-01", merge_commit_sha=sha("o"))),
            ("06-04", merge("m7", 7, "06-02", merge_commit_sha=sha("r1"), commits=2)),
        ]
    )
    with lab.model.snapshot() as snapshot:
        found = files_at(snapshot, REPO, [6, 7], [6, 7], at("11-30"), at(K))
    assert found[7].paths == ("r1.py",)


def test_a_landing_that_is_not_recorded_is_missing() -> None:
    lab = Lab([created(), ("06-04", merge("m", 7, "06-02", merge_commit_sha=sha("gone")))])
    assert asked(lab, 7, merged=True) == Files()


def test_a_commit_whose_paths_were_not_read_is_missing() -> None:
    edge = commit("e", paths=None, subject="Add (#7)")
    lab = Lab(
        [
            created(),
            *git(edge, when="06-03", main="e"),
            ("06-04", merge("m", 7, "06-02", merge_commit_sha=sha("e"))),
        ]
    )
    assert asked(lab, 7, merged=True).state == "missing"


@pytest.fixture(scope="module")
def topic() -> Lab:
    """Request 7: two commits, main merged into it, and a commit that main takes later."""
    commits = [
        ROOT,
        commit("m1", "root", paths=["main1.py"], when="06-02"),
        commit("t1", "root", paths=["t1.py"], when="06-02"),
        commit("t2", "t1", "m1", paths=["main1.py"], when="06-03", subject="Merge main"),
        commit("t3", "t2", paths=["tests/t3.py"], when="06-04"),
        commit("m2", "m1", paths=["main2.py"], when="06-05"),
        commit("m3", "m2", "t3", paths=["t1.py", "tests/t3.py"], when="06-20"),
    ]
    return Lab(
        [
            created(),
            ("06-02", pull_request("o", 7, "opened", "06-02", head=head("t1"))),
            ("06-04", pull_request("s", 7, "synchronize", "06-04", head=head("t3"))),
            *git(*commits, when="06-21", main="m3"),
        ]
    )


def test_an_open_request_has_what_its_head_adds_to_its_base(topic: Lab) -> None:
    """The merge of main into it brings nothing of its own."""
    found = asked(topic, 7, t="06-10")
    assert (found.paths, found.state, found.origin) == (
        ("t1.py", "tests/t3.py"),
        "whole",
        "head",
    )
    assert set(found.commits) == {sha("t1"), sha("t3")}


def test_the_head_and_the_base_are_those_of_the_time(topic: Lab) -> None:
    assert asked(topic, 7, t="06-03").paths == ("t1.py",)
    assert asked(topic, 7, t="06-25").state == "empty"  # main has it all


def test_nothing_is_known_before_it_was_recorded(topic: Lab) -> None:
    assert asked(topic, 7, t="06-10", k="2026-06-15T00:00:00Z") == Files()


def test_a_list_of_the_very_head_comes_before_its_commits() -> None:
    commits = [ROOT, commit("t1", "root", paths=["undone.py", "kept.py"], when="06-02")]
    lab = Lab(
        [
            created(),
            ("06-02", pull_request("o", 7, "opened", "06-02", head=head("t1"))),
            *git(*commits, when="06-03", main="root"),
            listing(7, "06-04", "kept.py", head="t1"),
            listing(7, "06-05", "other.py", head="elsewhere"),
        ]
    )
    assert (asked(lab, 7).paths, asked(lab, 7).origin) == (("kept.py",), "api")
    assert asked(lab, 7, t="06-03").paths == ("kept.py", "undone.py")


@pytest.mark.parametrize(
    ("record", "state", "paths"),
    [
        (listing(7, "06-04", "a.py", "b.py"), "whole", ("a.py", "b.py")),
        (listing(7, "06-04"), "empty", ()),
        (listing(7, "06-04", "a.py", cut=True), "capped", ("a.py",)),
        (listing(7, "06-04", *[f"{n}.py" for n in range(3000)]), "capped", None),
    ],
    ids=["whole", "empty", "cut", "three thousand"],
)
def test_a_list_of_the_api_serves_where_git_shows_nothing(
    record: tuple[str, Record], state: str, paths: tuple[str, ...] | None
) -> None:
    lab = Lab([created(), ("06-02", pull_request("o", 7, "opened", "06-02")), record])
    found = asked(lab, 7)
    assert (found.state, found.origin) == (state, "api")
    assert paths is None or found.paths == paths


def test_a_list_that_changed_while_it_was_read_proves_nothing() -> None:
    pages = [
        json.dumps([{"filename": f"{n}.py", "contents_url": f"x?ref={sha(n)}"}]).encode()
        for n in ("a", "b")
    ]
    torn = files_record(REPO, 7, pages, time=at("06-04"))
    lab = Lab([created(), ("06-02", pull_request("o", 7, "opened", "06-02")), ("06-04", torn)])
    assert asked(lab, 7).state == "missing"


@pytest.mark.parametrize("requests", [2, 9])
def test_a_branch_is_looked_up_once_however_many_requests_go_there(requests: int) -> None:
    arrivals = [created(), *git(commit("root", paths=()), when="06-01", main="root")]
    arrivals.append(git(when="06-20", main="away")[1])  # pushed, and not fetched yet
    for number in range(1, requests + 1):
        opened = pull_request(f"o{number}", number, "opened", "07-02", head=head("tip"))
        arrivals.append(("07-02", opened))
    tip = commit("tip", "root", paths=("a.py",))
    arrivals.append(("07-03", commits_record(REPO, [tip], time=at("07-03"))))
    asked_for: list[str] = []

    def listen(_c: object, _cursor: object, statement: str, *_: object) -> None:
        asked_for.append(statement)

    with Lab(arrivals).model.snapshot() as snapshot:
        event.listen(snapshot.connection, "before_cursor_execute", listen)
        numbers = range(1, requests + 1)
        found = files_at(snapshot, REPO, numbers, (), at("07-10"), at(K))
        event.remove(snapshot.connection, "before_cursor_execute", listen)
    assert {each.paths for each in found.values()} == {("a.py",)}
    assert len(asked_for) < 10
