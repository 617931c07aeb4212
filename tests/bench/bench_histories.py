"""What does it cost to read a history, to unpack a kept one, and to ask; and how does that grow?

Prints ratios and never judges them: times are for reading, not for passing.
"""

import random
import resource
import time
from collections.abc import Callable

import msgspec
import pytest

from events.facts.git import Commit
from projections.release_inclusion.history.attribution import Attribution, attribute
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.packing import pack, unpack
from projections.release_inclusion.history.verdicts import verdict
from tests.projections.release_inclusion.histories import sha_of

SIZES = (10_000, 100_000, 1_000_000)
TAGS = 1_000
RELEASES = 20
ASKED = 1_000


class Generated(msgspec.Struct):
    """Requests of one to three commits, merged to main; release branches with one pick each."""

    commits: list[Commit]
    main: str
    tags: list[str]
    branches: dict[str, str]
    requests: int


def _generated(size: int) -> Generated:
    rng = random.Random(11)
    made = Generated(commits=[], main="", tags=[], branches={}, requests=0)
    while len(made.commits) < size:
        made.requests += 1
        tip = made.main
        for _ in range(rng.randrange(1, 4)):
            subject = f"Change part {len(made.commits)} of module {made.requests % 97}"
            tip = _add(made, subject, tip)
        subject = f"Merge pull request #{made.requests} from dev/topic-{made.requests}"
        made.main = _add(made, subject, made.main, tip)
        if len(made.tags) < TAGS and len(made.commits) >= (len(made.tags) + 1) * size // TAGS:
            made.tags.append(made.main)
    made.branches["main"] = made.main
    for number in range(RELEASES):
        base = made.tags[-1 - number * len(made.tags) // RELEASES]
        picked = _add(made, f"Fix {number} (#{made.requests + 1 + number})", base)
        made.branches[f"release-{number}"] = picked
    return made


def _add(made: Generated, subject: str, *parents: str) -> str:
    number = len(made.commits)
    sha = sha_of(str(number))
    made.commits.append(
        Commit(
            sha=sha,
            parents=tuple(parent for parent in parents if parent),
            authored_at=number * 10**6,
            committed_at=number * 10**6,
            author=f"dev-{made.requests % 300}",
            subject=subject,
            message="",
        )
    )
    return sha


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


class Costs(msgspec.Struct):
    """CPU seconds, and bytes, of one history."""

    reading: float
    unpacking: float
    asking: float
    one_more_tag: float
    kept_bytes: int


def _measured(size: int) -> Costs:
    made, known = _generated(size), list[Attribution]()

    def read() -> None:
        known.append(attribute(made.commits, branches=made.branches, tags=made.tags))

    reading = _cpu(read)
    packed = pack(known[0])
    history = History(known[0], branches=made.branches, tags=made.tags)
    assert history.standing
    numbers = random.Random(7).sample(range(1, made.requests), ASKED)
    tag = made.tags[len(made.tags) // 2]
    tags = [*made.tags, made.commits[-RELEASES - 7].sha]
    return Costs(
        reading=reading,
        unpacking=_cpu(lambda: unpack(packed)),
        asking=_cpu(lambda: [verdict(history, number, tag) for number in numbers]) / ASKED,
        one_more_tag=_cpu(lambda: History(known[0], branches=made.branches, tags=tags)),
        kept_bytes=len(packed),
    )


@pytest.mark.bench
def test_growth_of_a_history(capsys: pytest.CaptureFixture[str]) -> None:
    lines, asking = [], []
    for size in SIZES:
        costs = _measured(size)
        asking.append(costs.asking)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        lines.append(
            f"{size:>9} commits: read {costs.reading / size * 1e6:.0f} us a commit, kept in "
            f"{costs.kept_bytes / size:.0f} bytes a commit, unpack : read "
            f"{costs.unpacking / costs.reading:.3f}, a question {costs.asking * 1e6:.0f} us, "
            f"one more tag {costs.one_more_tag * 1e3:.0f} ms, at most {most:.0f} MiB"
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
        print(f"a question, {SIZES[-1]} : {SIZES[0]} commits: {asking[-1] / asking[0]:.2f}")
