"""Lists and judgements are kept as they were stated, once, and told by the time they were known."""

import json

from events.facts.files import FormatJudgement
from events.record import Record
from events.sources.git_contents import formats_record
from events.sources.github_api import files_record
from projections.changed_files.queries import file_lists_of, judgements_of
from tests.builders import REPO, at
from tests.worlds import log_of, project, rows

SHA = "a" * 40


def listing(when: str, *names: str) -> Record:
    page = json.dumps([{"filename": name} for name in names]).encode()
    return files_record(REPO, 7, [page], time=at(when))


def judgement(rules: str, *, format_only: bool) -> Record:
    each = FormatJudgement(sha=SHA, format_only=format_only, because="" if format_only else "no")
    return formats_record(REPO, rules, [each], time=at("06-01"))


RECORDS = [
    ("06-01", listing("06-01", "a.py")),
    ("06-02", judgement("1", format_only=False)),
    ("06-03", listing("06-03", "a.py", "b.py")),
    ("06-04", judgement("2", format_only=True)),
]


def test_each_moment_knows_what_was_recorded_by_then() -> None:
    log = log_of([record for _, record in RECORDS], lambda nth: at(RECORDS[nth][0]))
    with project(log).snapshot() as snapshot:
        seen = [
            (
                [one.fact.paths for one in file_lists_of(snapshot, REPO, [7], at(when)).get(7, ())],
                [one.rules for one in judgements_of(snapshot, REPO, [SHA], at(when)).values()],
            )
            for when in ("05-31", "06-02", "06-04")
        ]
    assert seen == [
        ([], []),
        ([("a.py",)], ["1"]),
        ([("a.py",), ("a.py", "b.py")], ["2"]),
    ]


def test_batches_of_any_size_give_the_same_rows() -> None:
    log = log_of([record for _, record in RECORDS], lambda nth: at(RECORDS[nth][0]))
    assert rows(project(log, batch_records=1)) == rows(project(log, batch_records=100))
