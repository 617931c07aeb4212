"""The clone itself: partial, shallow, locked, damaged, cut off."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from events.facts.files import FormatsJudged, PatchesIdentified
from events.facts.repository import GapObserved
from events.log.port import START
from events.translate import translate
from services.intake.git.memory import SHALLOW_REASON
from services.intake.mirror import RemoteFault
from services.intake.mirror.process import CloneUnusable
from tests.services.intake.git.sandbox import REPOSITORY, Sandbox
from tests.services.intake.mirror.mirroring import Mirroring, git_in, target


def test_no_blob_is_fetched_where_the_remote_allows_that(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    origin.git("mv", "a", "renamed")
    origin.commit("Rename (#2)", c="3")
    origin.git("tag", "-a", "v1", "-m", "v1")
    mirroring.fetch()
    assert mirroring.seen.by_subject()["Rename (#2)"].paths == ("a", "c", "renamed")
    missing = mirroring.missing_objects()
    assert set(missing) == {"blob"}
    assert len(missing) == 3  # the contents "1", "2" and "3"


def test_contents_are_read_where_they_are_asked_for_and_a_clone_without_them_is_made_anew(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.commit("Begin", **{"a.py": "x=1\n"})
    formatted = origin.commit("Format (#1)", **{"a.py": "x = 1\n"})
    mirroring.fetch()
    assert mirroring.missing_objects()
    assert not contents(mirroring)
    mirroring.restart(contents=True)
    mirroring.fetch()
    assert mirroring.missing_objects() == []
    judged, patches = contents(mirroring)
    assert [one.sha for one in judged.judgements if one.format_only] == [formatted]
    assert formatted in {one.sha for one in patches.patches}
    made, records = mirroring.clone.stat().st_ino, mirroring.records()
    mirroring.fetch()
    assert (mirroring.clone.stat().st_ino, mirroring.records()) == (made, records)
    again = origin.commit("Format (#2)", **{"a.py": "x =  1\n"})
    mirroring.fetch()
    assert again in {one.sha for one in contents(mirroring)[-1].patches}


def contents(mirroring: Mirroring) -> list[Any]:
    """Return what was read of contents, in order."""
    kinds = FormatsJudged | PatchesIdentified
    return [fact for fact in mirroring.seen.facts() if isinstance(fact, kinds)]


def test_a_remote_that_ignores_the_filter_works_as_well(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    mirroring.fetch()
    assert mirroring.seen.by_subject()["Change (#1)"].paths == ("a", "b")
    assert mirroring.missing_objects() == []


def gaps(mirroring: Mirroring) -> list[GapObserved]:
    entries = mirroring.seen.log.read(REPOSITORY, START)
    facts = (fact for entry in entries for fact in translate(entry.record).facts)
    return [fact for fact in facts if isinstance(fact, GapObserved)]


def test_a_shallow_remote_is_never_complete_and_grows_when_it_is_deepened(
    origin: Sandbox, tmp_path: Path
) -> None:
    for number in range(2, 7):
        origin.commit(f"Change (#{number})", a=str(number))
    origin.git("clone", "-q", "--bare", "--depth=2", origin.path.as_uri(), str(tmp_path / "short"))
    mirroring = Mirroring(origin, tmp_path / "mirror")
    mirroring.worker = mirroring.worker_of(target(tmp_path / "short"))
    first = mirroring.fetch().result
    assert first is not None
    assert (first.commits, first.incomplete) == (2, (SHALLOW_REASON,))
    assert [gap.reason for gap in gaps(mirroring)] == [SHALLOW_REASON]
    assert mirroring.seen.by_subject()["Change (#5)"].paths is None
    git_in(tmp_path / "short", "fetch", "-q", "--depth=4", "origin", "main")
    second = mirroring.fetch().result
    assert second is not None
    assert (second.commits, second.incomplete) == (3, (SHALLOW_REASON,))
    git_in(tmp_path / "short", "fetch", "-q", "--unshallow", "origin", "main")
    third = mirroring.fetch().result
    assert third is not None
    assert third.incomplete == ()
    assert len(mirroring.seen.commits()) == 7
    assert all(commit.paths is not None for commit in mirroring.seen.commits().values())


@pytest.mark.parametrize("lock", ["shallow.lock", "packed-refs.lock", "refs/heads/main.lock"])
def test_a_lock_left_by_a_killed_process_is_mended(
    origin: Sandbox, mirroring: Mirroring, lock: str
) -> None:
    mirroring.fetch()
    (mirroring.clone / lock).parent.mkdir(parents=True, exist_ok=True)
    (mirroring.clone / lock).write_text("")
    sha = origin.commit("Next (#2)", a="3")
    mirroring.fetch()
    assert mirroring.shas("refs/heads/main")[-1] == sha


def _remove_head(clone: Path) -> None:
    (clone / "HEAD").unlink()


def _empty_packs(clone: Path) -> None:
    for pack in clone.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(b"")


def _remove_objects(clone: Path) -> None:
    shutil.rmtree(clone / "objects")


def _into_a_file(clone: Path) -> None:
    shutil.rmtree(clone)
    clone.write_text("not a folder")


def _spoil_pack(clone: Path) -> None:
    for pack in clone.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        raw = bytearray(pack.read_bytes())
        raw[20:-30] = bytes(len(raw) - 50)
        pack.write_bytes(raw)


@pytest.mark.parametrize(
    "damage", [_remove_head, _empty_packs, _remove_objects, _into_a_file, _spoil_pack]
)
@pytest.mark.parametrize("news", [True, False])
def test_a_damaged_clone_is_made_anew_and_goes_on(
    origin: Sandbox, mirroring: Mirroring, damage: object, news: bool
) -> None:
    mirroring.fetch()
    before = mirroring.records()
    assert callable(damage)
    damage(mirroring.clone)
    if news:
        origin.commit("Next (#2)", a="3")
    assert mirroring.fetch().outcome == ("changed" if news else "unchanged")
    assert mirroring.shas("refs/heads/main")[-1] == origin.sha("main")
    assert mirroring.records() == before + (2 if news else 0)
    assert [path.name for path in mirroring.clone.parent.glob("clone*")] == ["clone.git"]


def test_a_remote_that_is_away_leaves_the_clone_and_the_dates_as_they_are(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    last = mirroring.seen.now
    origin.path.rename(origin.path.with_name("away"))
    with pytest.raises(RemoteFault, match="does not appear to be a git repository"):
        mirroring.fetch()
    assert mirroring.counted("failed") == 1
    origin.path.with_name("away").rename(origin.path)
    origin.commit("Next (#2)", a="3")
    mirroring.fetch()
    assert mirroring.refs("refs/heads/main")[-1].not_before == last


def test_a_half_made_clone_is_begun_again(mirroring: Mirroring) -> None:
    part = mirroring.clone.with_name("clone.git.x1y2z3")
    part.mkdir(parents=True)
    (part / "HEAD").write_text("half")
    assert mirroring.fetch().outcome == "changed"
    assert not part.exists()


def test_a_folder_that_cannot_be_used_is_a_fault_that_may_pass(mirroring: Mirroring) -> None:
    own = mirroring.clone.parent
    own.parent.mkdir()
    own.write_text("not a folder")
    with pytest.raises(CloneUnusable):
        mirroring.fetch()
    own.unlink()
    assert mirroring.fetch().outcome == "changed"


def test_a_log_that_was_lost_is_filled_again_as_at_first_sight(
    origin: Sandbox, mirroring: Mirroring, tmp_path: Path
) -> None:
    mirroring.fetch()
    again = Mirroring(origin, mirroring.folder)
    again.fetch()
    assert [ref.evidence for ref in again.refs("refs/heads/main")] == ["assumed"]
    assert again.seen.commits() == mirroring.seen.commits()


def test_a_lost_or_spoilt_state_costs_a_fetch_and_nothing_else(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    mirroring.fetch()
    first = mirroring.seen.now
    for text in (None, "{", '{"version": 99}'):
        state = mirroring.clone.with_name("state.json")
        state.unlink() if text is None else state.write_text(text)
        mirroring.restart()
        assert mirroring.fetch().outcome == "unchanged"
    mirroring.clone.with_name("state.json").unlink()
    mirroring.restart()
    origin.commit("Next (#2)", a="3")
    mirroring.fetch()
    assert mirroring.refs("refs/heads/main")[-1].not_before == first
