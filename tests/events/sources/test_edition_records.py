"""The records of decisions and publications: their golden files are never changed."""

from typing import Final

from events.facts.editions import DecisionContext, EditionPublished, TellingDecided, ToldTheme
from events.record import Record
from events.sources.authored import author
from events.translate import translate
from tests.builders import REPO
from tests.places import PAYLOADS

GOLDEN: Final = PAYLOADS / "authored"
TELLING: Final = TellingDecided(
    kind="summary",
    decided_at=1_785_600_000_000_000,
    author="lead",
    value="MoE gained kernels.",
    theme="MoE",
    section="delivered",
    language="en",
    start=1_782_835_200_000_000,
    end=1_785_513_600_000_000,
    saw=DecisionContext(section="delivered", numbers=(4, 7)),
    replaces=("r0",),
    reason="shorter",
)
EDITION: Final = EditionPublished(
    start=1_782_835_200_000_000,
    end=1_785_513_600_000_000,
    zone="Asia/Shanghai",
    at=1_785_600_000_000_000,
    title="widget Monthly Activity Report — July 2026",
    text="# widget\n",
    digest="d0",
    place="acme/widget#12",
    language="zh",
    figures={"opened": 5, "merged": None},
    excluded={"ci-only": 1},
    themes=(ToldTheme(section="delivered", name="MoE", numbers=(4, 7)),),
    known_at=1_785_590_000_000_000,
    receipt={"version": "1"},
)


def test_the_first_version_of_a_decision_is_still_read() -> None:
    assert translate(_record("telling__v1.json", "curation", "shipledger.telling")).facts == (
        TELLING,
    )


def test_the_first_version_of_a_publication_is_still_read() -> None:
    record = _record("edition__v1.json", "publication", "shipledger.edition")
    assert translate(record).facts == (EDITION,)


def test_what_is_written_is_read_back_and_equal_statements_have_equal_ids() -> None:
    for fact in (TELLING, EDITION):
        record, again = author(REPO, fact, time=1), author(REPO, fact, time=2)
        assert translate(record).facts == (fact,)
        assert record.id == again.id


def _record(name: str, source: str, kind: str) -> Record:
    return Record(
        id="r1",
        repository=REPO,
        source=source,  # type: ignore[arg-type]  # one of the sources
        type=kind,
        body=(GOLDEN / name).read_bytes(),
    )
