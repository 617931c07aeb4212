"""What a mirror sees of a real remote: every move of every ref, once, with its valid time."""

from pathlib import Path

import pytest

from events.instant import SECOND, format_instant
from events.log.port import START
from events.record import Entry
from events.sources.git_history import COMMITS_TYPE
from tests.services.intake.git.sandbox import REPOSITORY, START_OF_TIME, Imports, Sandbox
from tests.services.intake.mirror.mirroring import (
    HOUR,
    ZERO,
    Mirroring,
    push_record,
    release_record,
)

MAIN = "refs/heads/main"
V1 = "refs/tags/v1"


def test_the_first_fetch_says_of_commits_what_an_import_says(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("switch", "-qc", "core_r0.1.0")
    origin.commit("Fix (#2)", c="3")
    origin.git("switch", "-q", "main")
    origin.merge("core_r0.1.0", message="Merge pull request #3 from acme/fix")
    origin.git("tag", "-a", "v1", "-m", "v1")
    result = mirroring.fetch().result
    assert result is not None
    assert (result.commits, result.refs, result.default_branch) == (4, 3, "main")
    imported = Imports()
    imported.run(origin.path)

    def commits(entries: list[Entry]) -> list[tuple[str, bytes]]:
        records = (entry.record for entry in entries)
        return [(r.id, r.body) for r in records if r.type == COMMITS_TYPE]

    assert commits(mirroring.seen.log.read(REPOSITORY, START)) == commits(
        imported.log.read(REPOSITORY, START)
    )
    assert mirroring.seen.landed() == imported.landed()


def test_nothing_new_appends_nothing(mirroring: Mirroring) -> None:
    assert mirroring.fetch().outcome == "changed"
    before = mirroring.records()
    assert mirroring.fetch().outcome == "unchanged"
    assert mirroring.records() == before
    assert (mirroring.counted("changed"), mirroring.counted("unchanged")) == (1, 1)


def test_a_push_is_seen_between_the_two_fetches_around_it(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    mirroring.fetch()
    last = mirroring.seen.now
    sha = origin.commit("Next (#2)", a="3")
    mirroring.fetch()
    first, second = mirroring.refs(MAIN)
    assert (first.evidence, second.evidence, second.sha) == ("assumed", "fetched", sha)
    assert (second.not_before, second.at, second.forced) == (last, mirroring.seen.now, False)


def test_a_force_push_is_told_as_one(origin: Sandbox, mirroring: Mirroring) -> None:
    mirroring.fetch()
    origin.git("reset", "-q", "--hard", "HEAD~1")
    origin.commit("Instead (#2)", a="9")
    mirroring.fetch()
    assert [ref.forced for ref in mirroring.refs(MAIN)] == [None, True]


def test_a_deleted_branch_and_the_last_deleted_tag_are_seen_as_gone(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("branch", "topic/x")
    origin.git("tag", "v1")
    mirroring.fetch()
    origin.git("branch", "-qD", "topic/x")
    origin.git("branch", "topic")
    origin.git("tag", "-d", "v1")
    mirroring.fetch()
    assert mirroring.shas("refs/heads/topic/x")[-1] is None
    assert mirroring.shas(V1)[-1] is None
    assert mirroring.shas("refs/heads/topic") == [origin.sha("main")]


def test_a_tag_that_goes_back_and_forth_is_four_observations(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    one, two = origin.sha("main~1"), origin.sha("main")
    for sha in (one, two, one, two):
        origin.git("tag", "--force", "v1", sha)
        mirroring.fetch()
    assert mirroring.shas(V1) == [one, two, one, two]


def test_tags_pushed_together_are_found_without_a_webhook(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    last = mirroring.seen.now
    for number in range(5):
        origin.git("tag", f"pkg/v{number}")
    mirroring.fetch()
    seen = [mirroring.refs(f"refs/tags/pkg/v{number}")[0] for number in range(5)]
    assert {(ref.evidence, ref.not_before) for ref in seen} == {("fetched", last)}


def test_annotated_tags_are_peeled_and_dated_by_their_tagger_if_that_is_possible(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    origin.git("tag", "-a", "old", "-m", "made long before it was pushed")
    origin.unix_time = mirroring.seen.now // SECOND + 60
    origin.git("tag", "-a", "new", "-m", "new")
    origin.git("tag", "light")
    mirroring.fetch()
    old, new, light = (mirroring.refs(f"refs/tags/{name}")[0] for name in ("old", "new", "light"))
    assert {old.sha, new.sha, light.sha} == {origin.sha("main")}
    assert (old.evidence, light.evidence) == ("fetched", "fetched")
    assert (new.evidence, new.at) == ("tagger", origin.unix_time * SECOND)
    assert (new.tag_object, light.tag_object) == (origin.sha("refs/tags/new"), None)


def test_a_branch_and_a_tag_of_one_name_stay_two(origin: Sandbox, mirroring: Mirroring) -> None:
    origin.git("tag", "v1", "main~1")
    origin.git("branch", "v1", "main")
    mirroring.fetch()
    assert mirroring.shas(V1) == [origin.sha("main~1")]
    assert mirroring.shas("refs/heads/v1") == [origin.sha("main")]


def test_a_push_record_dates_the_value_it_names(origin: Sandbox, mirroring: Mirroring) -> None:
    mirroring.fetch()
    pushed_at = mirroring.seen.now + 60 * SECOND
    sha = origin.commit("Next (#2)", a="3")
    origin.git("tag", "-a", "v1", "-m", "v1")
    tag = push_record(V1, origin.sha(V1), pushed_at + SECOND, commit=sha)
    mirroring.seen.log.append([push_record(MAIN, sha, pushed_at), tag])
    mirroring.fetch()
    main, v1 = mirroring.refs(MAIN)[-1], mirroring.refs(V1)[-1]
    assert (main.evidence, main.at, main.not_before) == ("pushed", pushed_at, None)
    assert (v1.evidence, v1.at) == ("pushed", pushed_at + SECOND)


def test_a_value_that_comes_back_is_not_dated_by_its_first_push(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    one, two = origin.sha("main~1"), origin.sha("main")
    origin.git("tag", "v1", one)
    mirroring.seen.log.append([push_record(V1, one, mirroring.seen.now)])
    mirroring.fetch()
    for sha in (two, one):
        origin.git("tag", "--force", "v1", sha)
        mirroring.fetch()
    assert [ref.evidence for ref in mirroring.refs(V1)] == ["pushed", "fetched", "fetched"]


def test_a_deletion_is_dated_by_its_push(origin: Sandbox, mirroring: Mirroring) -> None:
    origin.git("branch", "topic")
    mirroring.fetch()
    pushed_at = mirroring.seen.now + 60 * SECOND
    origin.git("branch", "-qD", "topic")
    mirroring.seen.log.append([push_record("refs/heads/topic", ZERO, pushed_at)])
    mirroring.fetch()
    gone = mirroring.refs("refs/heads/topic")[-1]
    assert (gone.sha, gone.evidence, gone.at) == (None, "pushed", pushed_at)


def test_a_published_release_dates_its_tag_before_all_else(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    published = mirroring.seen.now + 120 * SECOND
    origin.git("tag", "v1")
    release = release_record(
        "v1", format_instant(published), made=format_instant(START_OF_TIME * SECOND)
    )
    push = push_record(V1, origin.sha("main"), published - SECOND)
    mirroring.seen.log.append([push, release])
    mirroring.fetch()
    moved = origin.commit("Fix (#2)", a="4")
    origin.git("tag", "--force", "v1", moved)
    mirroring.fetch()
    first, second = mirroring.refs(V1)
    assert (first.evidence, first.at) == ("published", published)
    assert second.evidence == "fetched"


def test_request_heads_come_if_they_are_asked_for_and_later_ones_are_seen_for_the_first_time(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("update-ref", "refs/pull/7/head", "main~1")
    origin.git("update-ref", "refs/pull/7/merge", "main")
    origin.git("update-ref", "refs/heads/gh-readonly-queue/main/pr-7-abc", "main")
    mirroring.fetch()
    assert mirroring.seen.refs().keys() == {MAIN}
    mirroring.restart(refs=("refs/heads/*", "refs/tags/*", "refs/pull/*/head"))
    mirroring.fetch()
    assert mirroring.seen.refs().keys() == {MAIN, "refs/pull/7/head"}
    (head,) = mirroring.refs("refs/pull/7/head")
    assert (head.evidence, head.not_before) == ("assumed", None)


def test_fewer_refs_to_follow_delete_nothing(origin: Sandbox, mirroring: Mirroring) -> None:
    origin.git("branch", "topic")
    origin.git("tag", "v1")
    mirroring.fetch()
    mirroring.restart(refs=("refs/heads/main",))
    assert mirroring.fetch().outcome == "unchanged"


def test_the_default_branch_is_the_remotes(origin: Sandbox, mirroring: Mirroring) -> None:
    mirroring.fetch()
    origin.git("branch", "-m", "main", "trunk")
    result = mirroring.fetch().result
    assert result is not None
    assert result.default_branch == "trunk"
    assert mirroring.shas(MAIN)[-1] is None


def test_an_empty_remote_is_no_fault(tmp_path: Path) -> None:
    empty = Mirroring(Sandbox(tmp_path / "empty", bare=True), tmp_path / "mirror")
    assert empty.fetch().outcome == "empty"
    assert empty.records() == 0


def test_the_age_of_the_last_good_fetch_is_told_over_a_restart(mirroring: Mirroring) -> None:
    mirroring.fetch()
    mirroring.seen.now += HOUR
    mirroring.restart()
    age = mirroring.metrics.registry.get_sample_value(
        "shipledger_mirror_good_fetch_age_seconds", {"repository": "acme/tool"}
    )
    assert age == pytest.approx(3600)
