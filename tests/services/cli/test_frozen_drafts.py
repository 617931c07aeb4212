"""`shipledger edition`, again and again: recorded once, quick from then on, verified for good."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from events.errors import LogUnavailable
from services.cli import edition_grouping
from tests.services.answers.editions.folder import fill
from tests.services.answers.editions.test_frozen_drafts import TITLES, landed
from tests.services_fixtures import Run

JULY = ("acme/widget", "--period", "2026-07")
#: So that clusters are made: fewer changes are one theme without it.
MANY = (*TITLES, *(f"{title} again" for title in TITLES))
HEAVY = ("numpy", "scipy", "sklearn")

_DRAFT = """
import sys
from services.cli.main import main
try:
    main(["edition", "acme/widget", "--period", "2026-07", "--data", sys.argv[1]])
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for number, title in enumerate(MANY, 1):
        fill(tmp_path / "data", [("07-10", record) for record in landed(number, title)])
    return tmp_path / "data"


def modules_of_a_draft(data: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _DRAFT, str(data)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


def test_the_second_draft_imports_nothing_that_clusters(data: Path) -> None:
    assert modules_of_a_draft(data) >= {"sklearn", "numpy"}
    fill(data, [("07-10", record) for record in landed(90, "Shard the checkpoint load")])
    for _ in range(2):
        assert modules_of_a_draft(data).isdisjoint(HEAVY)


def test_drafts_say_what_is_recorded_and_what_is_new(data: Path, shipledger: Run) -> None:
    first = shipledger("edition", *JULY, "--data", str(data))
    assert re.search(r"^themes: recorded \([0-9a-f]{32}\); later drafts keep", first.stderr, re.M)
    second = shipledger("edition", *JULY, "--data", str(data))
    assert "themes: " not in second.stderr
    assert second.stdout == first.stdout
    fill(data, [("07-10", record) for record in landed(90, "Recover the RL rollout")])
    third = shipledger("edition", *JULY, "--data", str(data))
    assert "delivered: #90 is new, placed under RL rollout: nearest to #" in third.stderr
    assert "themes: recorded" in third.stderr
    fourth = shipledger("edition", *JULY, "--data", str(data))
    assert "placed by earlier drafts: 1 change" in fourth.stderr
    again = shipledger("edition", *JULY, "--regroup", "--data", str(data))
    assert again.exit_code == 0, again.output


def test_a_draft_of_another_moment_records_nothing(data: Path, shipledger: Run) -> None:
    asked = (*JULY, "--as-of", "2026-07-20T00:00:00Z", "--data", str(data))
    for _ in range(2):
        drafted = shipledger("edition", *asked)
        assert "themes: not recorded, as this draft is asked at another moment" in drafted.stderr
    refused = shipledger("edition", *asked, "--regroup")
    assert refused.exit_code == 2
    assert "--regroup is for now" in refused.output


def test_where_the_log_is_away_the_draft_is_printed_and_says_so(
    data: Path, shipledger: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise LogUnavailable("the log is away")

    monkeypatch.setattr(edition_grouping, "record_grouping", away)
    drafted = shipledger("edition", *JULY, "--data", str(data))
    assert drafted.exit_code == 0, drafted.output
    assert "themes: not recorded, the next draft may have others: the log is away" in drafted.stderr


def test_what_was_published_is_verified_after_a_regrouping(
    data: Path, shipledger: Run, tmp_path: Path
) -> None:
    out = ("--out", str(tmp_path / "out"), "--with-gaps", "--send", "--data", str(data))
    records = []
    for number in (90, 91, 92):
        fill(data, [("07-10", record) for record in landed(number, f"Shard the load {number}")])
        published = shipledger("publish", *JULY, *out)
        found = re.search(r"record ([0-9a-f]{32})", published.output)
        assert found, published.output
        records.append(found[1])
    shipledger("edition", *JULY, "--regroup", "--data", str(data))
    for record in records:
        verified = shipledger("verify", record, "--data", str(data))
        assert "same bytes" in verified.output, verified.output


def test_a_decision_records_the_themes_that_its_author_saw(data: Path, shipledger: Run) -> None:
    decided = shipledger(
        "curate", "theme", "acme/widget", "4", "Saving", *JULY[1:], "--data", str(data)
    )
    assert decided.exit_code == 0, decided.output
    drafted = shipledger("edition", *JULY, "--data", str(data))
    assert "themes: recorded" not in drafted.stderr
