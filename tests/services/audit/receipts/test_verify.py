"""A report is made again from its receipt, whatever was recorded or configured since."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest

from events.errors import InvalidQuestion
from events.record import Record
from services.audit.receipts import Receipt, decode, encode, of_pairs, pairs
from services.audit.receipts.finding import content, receipt_in
from services.config.settings import Decided, Settings
from services.documents.forms import MEDIA_TYPES
from tests.builders import close, merge, pull_request
from tests.engines import NewEngine
from tests.lab import created
from tests.services.audit.receipts.desk import Desk, Made, configured

JULY = ("2026-07-01", "2026-08-01")
KNOWN = (None, "07-10 12:00:00", "07-31 12:00:00")


def requests() -> Iterator[tuple[str, Record]]:
    yield created("06-01")
    yield "07-02", pull_request("a", 1, "opened", "07-02")
    yield "07-03", pull_request("b", 2, "opened", "07-03", title="Second")
    yield "07-09", merge("c", 1, "07-09", created_at="07-02")
    yield "07-12", close("d", 2, "07-12", created_at="07-03", title="Second")


def thousand_more() -> Iterator[tuple[str, Record]]:
    """Records of all kinds after the report: new requests, a late merge, a rename of a title."""
    for number in range(3, 1_002):
        yield "08-05", pull_request(f"n{number}", number, "opened", "07-20")
    yield "08-06", merge("late", 3, "07-21", created_at="07-20")


def july(made: Desk) -> Desk:
    made.configure("05-01", configured(ci=("ci/",)))
    made.receive(requests())
    made.catch_up("08-01 06:00:00")
    return made


@pytest.fixture
def desk() -> Desk:
    return july(Desk())


@pytest.fixture(scope="module")
def thousand_later() -> tuple[Desk, dict[tuple[str, str | None], Made]]:
    """July in every format, known at several times, and a desk that got more records since."""
    desk, reports = july(Desk()), {}
    for form, known_at in product(MEDIA_TYPES, KNOWN):
        asked = {} if known_at is None else {"known_at": known_at}
        reports[form, known_at] = desk.make(*JULY, form=form, **asked)
    desk.receive(thousand_more())
    desk.catch_up("08-07")
    return desk, reports


@pytest.mark.parametrize("form", MEDIA_TYPES)
@pytest.mark.parametrize("known_at", KNOWN)
def test_a_report_is_verified_after_a_thousand_later_records(
    thousand_later: tuple[Desk, dict[tuple[str, str | None], Made]], form: str, known_at: str | None
) -> None:
    desk, reports = thousand_later
    made = reports[form, known_at]
    assert desk.make(*JULY, form=form).text != made.text
    verdict = desk.verify(decode(encode(made.receipt)))
    assert (verdict.outcome, verdict.exit_code) == ("same", 0), verdict.says


def test_a_report_is_verified_and_compared_on_each_engine(new_engine: NewEngine) -> None:
    desk = july(Desk(engine=new_engine()))
    made = desk.make(*JULY, form="json")
    desk.receive([("08-06", merge("late", 2, "07-11", created_at="07-03"))])
    desk.catch_up("08-07")
    assert desk.verify(made.receipt).outcome == "same"
    assert {each.cause.record for each in desk.compare(*JULY, "08-01").requests} == {"late"}


def test_the_configuration_of_then_is_used_and_not_todays(desk: Desk) -> None:
    made = desk.make(*JULY, form="json")
    desk.configure("08-02", configured(ci=("build/",), test=("check/",)))
    desk.catch_up("08-03")
    assert desk.make(*JULY, form="json").receipt.rules != made.receipt.rules
    assert desk.verify(made.receipt).outcome == "same"
    assert desk.verify(made.receipt).found == made.receipt.output.sha256


def test_a_receipt_names_what_the_report_was_made_from(desk: Desk) -> None:
    receipt = desk.make(*JULY, known_at="07-10 12:00:00").receipt
    assert (receipt.cuts[0].repository, receipt.cuts[0].record) == ("github.com/1001", "c")
    assert receipt.cuts[1].repository == "github.com"
    assert receipt.known_at == "2026-07-10T12:00:00Z"
    assert receipt.configuration == desk.settings.digest
    assert receipt.question.known_at == receipt.known_at
    assert of_pairs(pairs(receipt)) == receipt
    assert all(isinstance(value, str) for value in pairs(receipt).values())


def test_another_program_is_named(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    older = resealed(
        receipt,
        program="0.0.9",
        answers="0" * 16,
        output=msgspec.structs.replace(receipt.output, sha256="0" * 64),
    )
    verdict = desk.verify(older)
    assert (verdict.outcome, verdict.exit_code) == ("changed", 3)
    assert "Shipledger 0.0.9 then" in verdict.says
    assert "answer version 0000000000000000 then" in verdict.says


def test_another_program_that_makes_the_same_bytes_is_no_difference(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    assert desk.verify(resealed(receipt, program="0.0.9", answers="0" * 16)).outcome == "same"


def test_a_record_that_is_read_only_now_is_named(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    output = msgspec.structs.replace(receipt.output, sha256="0" * 64)
    verdict = desk.verify(resealed(receipt, set_aside=("broken",), output=output))
    assert verdict.outcome == "changed"
    assert verdict.because == ("record broken was set aside then and is read now",)


def test_other_bytes_from_the_same_inputs_are_a_fault(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    output = msgspec.structs.replace(receipt.output, sha256="0" * 64)
    verdict = desk.verify(resealed(receipt, output=output))
    assert (verdict.outcome, verdict.exit_code) == ("fault", 1)
    assert "report this as a fault" in verdict.says


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "not a receipt"),
        (b"[]", "not a receipt"),
        (b'{"version": 1}', "not a receipt"),
        (b'{"version": 9}', "has version 9"),
    ],
)
def test_what_is_no_receipt_is_told(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidQuestion, match=words):
        decode(raw)


def test_a_changed_receipt_is_told(desk: Desk) -> None:
    raw = encode(desk.make(*JULY).receipt)
    with pytest.raises(InvalidQuestion, match="changed after it was written"):
        decode(raw.replace(b'"to": "2026-08-01', b'"to": "2026-07-31'))


def test_a_changed_report_is_told(desk: Desk, tmp_path: Path) -> None:
    made = desk.make(*JULY, form="json")
    path = tmp_path / "july.json"
    text = made.printed
    path.write_text(text, "utf-8")
    assert receipt_in(path).receipt == made.receipt
    path.write_text(text.replace('"merged": 1', '"merged": 2', 1), "utf-8")
    with pytest.raises(InvalidQuestion, match="not the report that its receipt is about"):
        receipt_in(path)


def test_a_receipt_of_another_log_is_told(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    with pytest.raises(InvalidQuestion, match="this log has no record"):
        Desk().verify(receipt)
    other = Desk()
    other.configure("05-01", configured(ci=("ci/",)))
    other.receive((f"09-{day:02}", record) for day, (_, record) in enumerate(requests(), 1))
    other.catch_up("09-10")
    with pytest.raises(InvalidQuestion, match="stamped anew"):
        other.verify(receipt)


def test_a_configuration_that_this_program_cannot_read_is_a_change(desk: Desk) -> None:
    receipt = desk.make(*JULY).receipt
    broken = Desk(settings=Settings(data=Path("unused"), decided=Decided(zone="UTC")))
    broken.configure("05-01", broken.settings)
    with pytest.raises(InvalidQuestion, match="no record"):
        broken.verify(receipt)
    unknown = resealed(receipt, configuration="f" * 64)
    with pytest.raises(InvalidQuestion, match="no configuration with the digest ffffffffffff"):
        desk.verify(unknown)


@pytest.mark.parametrize("form", MEDIA_TYPES)
def test_a_receipt_is_printed_in_the_report_and_can_be_taken_out(desk: Desk, form: str) -> None:
    made = desk.make(*JULY, form=form)
    text = made.printed
    if form == "json":
        assert content(json.loads(text)) == made.text
        assert json.loads(text)["receipt"] == json.loads(encode(made.receipt))
    elif form != "csv":
        assert f"Receipt: content sha256 {made.receipt.output.sha256[:12]}" in text


def resealed(receipt: Receipt, **parts: object) -> Receipt:
    return msgspec.structs.replace(receipt, **parts).sealed()
