"""Commands beside a running `api`, over Kafka and PostgreSQL: asked or not, they say the same."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from projections.engine import generations
from projections.engine.runner import Runner
from services.logs.kafka import KafkaLog
from services.runtime.clock import wall_clock
from services.runtime.question_socket import NAME
from services.simulator import World
from tests.production import Process, Site
from tests.service_process import command

API: Final = ("-m", "services.cli.main", "api", "--port", "0")
CALLS: Final = (
    ("releases", "acme/widget"),
    ("included", "acme/widget", "7", "--as-of", "2026-07-20T00:00:00Z", "--json"),
    ("included", "acme/widget", "7", "nowhere"),
    ("report", "acme/widget", "--period", "2026-06"),
    ("repositories", "list"),
    ("deadletters", "list"),
)


@pytest.fixture
def site(
    kafka_bootstrap: str, postgres_url: str, tmp_path: Path, small_world: World
) -> Iterator[Site]:
    """A topic with the history of a world, and a read model at its end."""
    site = Site.new(kafka_bootstrap, postgres_url, tmp_path)
    log = KafkaLog(site.kafka)
    log.prepare()
    small_world.build_repository(tmp_path / "world.git")
    imported = told(site, "import", "git", "world.git", "--repo", "acme/widget")
    assert imported[0] == 0, imported
    engine = site.engine()
    generations.prepare(engine)
    Runner(engine, log, wall_clock).catch_up()
    log.close()
    yield site
    engine.dispose()


def told(site: Site, *words: str) -> tuple[int, str, str]:
    """Return what a command of the site says, and its exit code."""
    done = command(*words, data=site.folder / "data", more=site.environment())
    return done.returncode, done.stdout, done.stderr


def test_asked_of_an_api_and_by_itself_a_command_says_the_same(site: Site) -> None:
    given = {**site.environment(), "SHIPLEDGER_LOG_LEVEL": "DEBUG"}
    api = Process(API, given, site.folder / "api.log")
    assert (site.folder / "data" / NAME).exists(), api.log
    for words in CALLS:
        asked = told(site, *words)
        assert asked == told(site, *words, "--no-server"), words
        assert asked[1] or asked[2]
    assert api.stop() == 0
    assert api.log.count("questions.answered") == len(CALLS)
    assert not (site.folder / "data" / NAME).exists()
    assert told(site, *CALLS[0])[0] == 0
