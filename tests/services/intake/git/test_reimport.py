"""Importing again appends what is new, and only that; the log is the only memory."""

from pathlib import Path

import msgspec

from events.facts.repository import RepositoryObserved
from events.instant import SECOND
from events.log.irregular import redacted_record
from events.log.port import START
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox
from tests.services.intake.mirror.mirroring import push_record


def test_an_import_of_what_is_known_appends_nothing(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin (#1)", a="1")
    first = imports.run(repo.path)
    assert (first.commits, first.refs, first.records) == (1, 1, 2)
    again = imports.run(repo.path)
    assert (again.commits, again.refs, again.records) == (0, 0, 0)


def test_new_commits_and_a_moved_branch_are_appended_with_the_span_of_doubt(
    repo: Sandbox, imports: Imports
) -> None:
    one = repo.commit("One (#1)", a="1")
    imports.run(repo.path)
    first_reading = imports.now
    two = repo.commit("Two (#2)", a="2")
    assert imports.run(repo.path).commits == 1
    first, second = imports.refs()["refs/heads/main"]
    assert (first.sha, first.evidence, first.before) == (one, "assumed", None)
    assert (second.sha, second.evidence, second.before) == (two, "fetched", one)
    assert (second.at, second.not_before) == (imports.now, first_reading)
    assert second.forced is False


def test_a_force_push_is_told_from_a_fast_forward(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin", a="1")
    repo.commit("Dropped (#2)", a="2")
    imports.run(repo.path)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("Instead (#3)", a="3")
    imports.run(repo.path)
    assert [ref.forced for ref in imports.refs()["refs/heads/main"]] == [None, True]


def test_a_branch_that_goes_back_and_forth_is_four_observations(
    repo: Sandbox, imports: Imports
) -> None:
    one = repo.commit("One", a="1")
    two = repo.commit("Two", a="2")
    repo.git("tag", "v1", one)
    for target in (one, two, one, two):
        repo.git("tag", "--force", "v1", target)
        imports.run(repo.path)
    assert [ref.sha for ref in imports.refs()["refs/tags/v1"]] == [one, two, one, two]


def test_a_fast_forward_of_dev_to_main_gives_its_commits_to_main(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    repo.git("switch", "-qc", "dev")
    repo.commit("On dev (#2)", a="2")
    repo.git("switch", "-q", "main")
    imports.run(repo.path)
    assert imports.by_subject()["On dev (#2)"].branch == "dev"
    repo.git("merge", "-q", "--ff-only", "dev")
    assert imports.run(repo.path).commits == 1
    assert imports.by_subject()["On dev (#2)"].branch == "main"


def test_a_commit_that_returns_to_a_branch_is_recorded_again(
    repo: Sandbox, imports: Imports
) -> None:
    begin = repo.commit("Begin", a="1")
    repo.git("switch", "-qc", "dev")
    tip = repo.commit("Moving (#2)", a="2")
    for target in (begin, tip, begin):
        repo.git("update-ref", "refs/heads/main", target)
        imports.run(repo.path, default_branch="main")
    assert [base for base, _ in imports.landed()[2]] == ["dev", "main", "dev"]


def test_a_deleted_ref_is_seen_as_deleted_once(repo: Sandbox, imports: Imports) -> None:
    one = repo.commit("Begin", a="1")
    repo.git("branch", "topic")
    imports.run(repo.path)
    repo.git("branch", "-qD", "topic")
    imports.run(repo.path)
    assert imports.run(repo.path).records == 0
    _, gone = imports.refs()["refs/heads/topic"]
    assert (gone.sha, gone.before, gone.evidence) == (None, one, "fetched")


def test_another_clone_without_tags_or_of_one_branch_deletes_nothing(
    repo: Sandbox, imports: Imports, tmp_path: Path
) -> None:
    repo.commit("Begin", a="1")
    repo.git("branch", "dev")
    repo.git("tag", "v1")
    imports.run(repo.path)
    url = repo.path.as_uri()
    repo.git("clone", "-q", "--no-tags", "--single-branch", url, str(tmp_path / "part"))
    result = imports.run(tmp_path / "part")
    assert result.refs == 0
    assert result.incomplete == ("the clone follows only some branches of origin",)


def test_an_import_that_was_cut_off_goes_on_where_it_ended(repo: Sandbox, imports: Imports) -> None:
    for number in range(3):
        repo.commit(f"Change (#{number + 1})", a=str(number))
    imports.run(repo.path)
    rest = Imports()
    (commits, _refs) = imports.log.read(REPOSITORY, START)
    body = msgspec.json.decode(commits.record.body)
    body["commits"] = body["commits"][:1]
    rest.log.append([msgspec.structs.replace(commits.record, body=msgspec.json.encode(body))])
    assert rest.run(repo.path).commits == 2
    assert rest.commits() == imports.commits()


def test_the_name_and_the_default_branch_are_observed_and_a_change_of_them_too(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    repo.git("branch", "trunk")
    imports.run(repo.path)
    imports.run(repo.path, default_branch="trunk")
    seen = [fact for fact in imports.facts() if isinstance(fact, RepositoryObserved)]
    assert [(fact.full_name, fact.default_branch) for fact in seen] == [
        ("acme/tool", "main"),
        ("acme/tool", "trunk"),
    ]


def test_what_is_checked_out_does_not_change_the_default_branch(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    imports.run(repo.path)
    repo.git("switch", "-qc", "topic")
    assert imports.run(repo.path).default_branch == "main"


def test_a_push_in_the_log_dates_the_ref_and_one_of_the_merge_queue_is_no_branch(
    repo: Sandbox, imports: Imports
) -> None:
    sha = repo.commit("Begin (#1)", a="1")
    repo.git("branch", "gh-readonly-queue/main/pr-2-abc")
    pushed_at = imports.now - 60 * SECOND
    imports.log.append([push_record("refs/heads/main", sha, pushed_at)])
    imports.run(repo.path)
    assert imports.refs().keys() == {"refs/heads/main"}
    (main,) = imports.refs()["refs/heads/main"]
    assert (main.evidence, main.at) == ("pushed", pushed_at)


def test_a_redacted_record_is_said_again_and_stops_nothing(repo: Sandbox, imports: Imports) -> None:
    repo.commit("Begin (#1)", a="1")
    imports.run(repo.path)
    rest = Imports()
    commits, refs = (entry.record for entry in imports.log.read(REPOSITORY, START))
    rest.log.append([redacted_record(commits, "a name in it", imports.now), refs])
    assert rest.run(repo.path).commits == 1
