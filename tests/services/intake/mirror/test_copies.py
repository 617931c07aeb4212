"""A mirror compares what looks alike, as an import does: where blobs are, and what is new."""

from events.facts.files import PatchesIdentified
from tests.services.intake.git.sandbox import Sandbox
from tests.services.intake.mirror.mirroring import Mirroring, target
from tests.services.intake.mirror.running import Running, until


def picked_by_hand(origin: Sandbox, number: int = 2) -> set[str]:
    """Fix something on main and again on a release branch; return both commits."""
    if number == 2:
        origin.git("branch", "release/1.0")
    file = {f"f{number}": f"{number}"}
    fix = origin.commit(f"Fix the parser of kind {number} (#{number})", **file)
    origin.git("checkout", "-q", "release/1.0")
    copy = origin.commit(f"Fix the parser of kind {number}", **file)
    origin.git("checkout", "-q", "main")
    return {fix, copy}


def identified(mirroring: Mirroring) -> set[str]:
    facts = [fact for fact in mirroring.seen.facts() if isinstance(fact, PatchesIdentified)]
    named = [each.sha for fact in facts for each in fact.patches]
    assert len(named) == len(set(named))
    return set(named)


def test_what_looks_alike_is_compared_once_where_the_remote_sends_blobs(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    both = picked_by_hand(origin)
    mirroring.fetch()
    assert identified(mirroring) == both
    records = mirroring.records()
    mirroring.fetch()
    mirroring.restart()
    mirroring.fetch()
    assert mirroring.records() == records
    more = picked_by_hand(origin, 3)
    mirroring.fetch()
    assert identified(mirroring) == both | more


def test_without_blobs_nothing_is_compared_and_nothing_is_fetched_for_it(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    picked_by_hand(origin)
    fetched = mirroring.fetch()
    assert fetched.outcome == "changed"
    assert identified(mirroring) == set()
    assert set(mirroring.missing_objects()) == {"blob"}


def test_a_clone_that_has_some_blobs_compares_those(origin: Sandbox, mirroring: Mirroring) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    both = picked_by_hand(origin)
    mirroring.fetch()
    origin.git("config", "uploadpack.allowFilter", "true")
    picked_by_hand(origin, 3)
    mirroring.fetch()
    assert identified(mirroring) == both


def test_what_a_killed_process_did_not_compare_the_next_one_does(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    both = picked_by_hand(origin)
    mirroring.seen.run(origin.path)  # recorded, and nothing compared
    assert identified(mirroring) == set()
    mirroring.fetch()
    assert identified(mirroring) == both


def test_a_ref_that_is_no_longer_followed_stops_nothing(
    origin: Sandbox, mirroring: Mirroring
) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    both = picked_by_hand(origin)
    mirroring.fetch()
    mirroring.restart(refs=("refs/heads/main",))
    mirroring.worker._clone.repair("a clone of main alone")
    origin.commit("Go on (#4)", c="1")
    assert mirroring.fetch().outcome == "changed"
    assert identified(mirroring) == both


def test_the_mirror_of_a_running_process_compares_too(origin: Sandbox, running: Running) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    both = picked_by_hand(origin)

    def compared() -> bool:
        _, *patches = running.bodies().split(b"git patch-id")
        return all(sha.encode() in b"".join(patches) for sha in both)

    with running.started(target(origin.path)):
        until(compared)
