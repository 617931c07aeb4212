"""`shipledger themes suggest`, over a simulated repository."""

import tomllib
from pathlib import Path

import msgspec

from projections.period_ledger.themes import ThemeRule
from services.config.repository import ThemeSettings
from services.simulator import World
from tests.services_fixtures import Run

JULY = ("--from", "2026-07-01", "--to", "2026-08-01")


def test_what_is_suggested_can_be_pasted(
    shipledger: Run, small_world: World, tmp_path: Path
) -> None:
    small_world.build_repository(tmp_path / "widget.git")
    assert shipledger("import", "git", "widget.git", "--repo", "acme/widget").exit_code == 0
    done = shipledger("themes", "suggest", "acme/widget", *JULY, "--smallest", "2")
    assert done.exit_code == 0, done.output
    shown = tomllib.loads(done.stdout)["repositories"]["themes"]["rules"]
    ThemeSettings(rules=tuple(msgspec.convert(shown, list[ThemeRule]))).check()
    assert shown
