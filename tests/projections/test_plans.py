"""The period and open-before queries go by their indexes, however long the history has become.

`pytest -s tests/projections/test_plans.py` prints the plans.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Table, event, insert, text

from events.instant import DAY, INF, Instant
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.pull_requests import numbers, queries
from projections.pull_requests.apply import PullRequests
from projections.pull_requests.store import months_of
from projections.pull_requests.tables import BLOCK
from projections.release_inclusion.commit_paths import CommitReader
from projections.release_inclusion.heads import unproven_heads
from projections.release_inclusion.queries import commits_named
from projections.release_inclusion.tips import first_values
from projections.repositories.queries import heard_until
from projections.repositories.tables import RepositoryTables
from projections.store.snapshot import Snapshot
from tests.builders import REPO as WIDGET
from tests.builders import at
from tests.engines import NewEngine
from tests.lab import Lab, created
from tests.projections.period_ledger.test_files import commit, git
from tests.worlds import REPO, SECOND

START: Instant = 1_600_000_000 * SECOND
REQUESTS = 40_000
APART = 1_800 * SECOND
END: Instant = START + REQUESTS * APART
Rows = list[dict[str, Any]]


@cache
def history() -> tuple[Rows, Rows]:
    """Return more than 100,000 rows of pr_state with their months, 98 % of them long ended."""
    chance = random.Random(7)
    states: Rows = []
    months: Rows = []
    for number in range(1, REQUESTS + 1):
        vf = START + number * APART
        vt = vf + chance.randrange(1, 60 * 86_400) * SECOND
        if chance.random() < 0.02:
            states.append(_state(number, vf + 1, INF, (vf, INF), "opened", "open"))
            continue
        enter = "merged" if chance.random() < 0.8 else "closed"
        states.append(_state(number, vf + 1, vt + 1, (vf, INF), "opened", "open"))
        states.append(_state(number, vt + 1, INF, (vf, vt), "opened", "open"))
        states.append(_state(number, vt + 1, INF, (vt, INF), enter, enter))
        for kf, kt, end in ((vf + 1, vt + 1, INF), (vt + 1, INF, vt)):
            months += [
                {"repo": REPO, "month": month, "number": number}
                | {"kf": kf, "kt": kt, "vf": vf, "vt": end}
                for month in months_of(vf, min(end, kt))
            ]
    return states, months


def _state(
    number: int, kf: Instant, kt: Instant, valid: tuple[Instant, Instant], enter: str, state: str
) -> dict[str, Any]:
    return {
        "repo": REPO,
        "number": number,
        "kf": kf,
        "kt": kt,
        "vf": valid[0],
        "vt": valid[1],
        "enter": enter,
        "state": state,
        "evidence": "stated",
        "record_id": f"{number:032x}",
        "flags": "",
    }


def _blocks() -> Iterator[dict[str, Any]]:
    for block in range(REQUESTS // BLOCK):
        first = START + block * BLOCK
        known = {"first_k": first, "last_k": first + BLOCK, "opened_k": first}
        yield {"repo": REPO, "block": block, "numbers": BLOCK, "opened_until": first, **known}


@pytest.fixture(scope="module")
def filled(lasting_engine: NewEngine) -> Engine:
    engine = lasting_engine()
    states, months = history()
    assert len(states) > 100_000
    with engine.begin() as connection:
        found = next(one for one in generations.active(connection) if isinstance(one, PullRequests))
        heard = [{"repo": REPO, "k": START + n, "at": START + n} for n in range(REQUESTS)]
        _fill(connection, found.tables.states, states)
        _fill(connection, found.tables.months, months)
        _fill(connection, RepositoryTables(1).heard, heard)
        _fill(connection, found.tables.landed, heard)
        whole = [{"repo": REPO, "number": n, "k": START + n} for n in range(1, REQUESTS)]
        _fill(connection, found.tables.whole, whole)
        _fill(connection, found.tables.blocks, [*_blocks()])
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("VACUUM ANALYZE"))
    return engine


def _fill(connection: Connection, table: Table, rows: Rows) -> None:
    """Insert many rows by the quickest way."""
    if connection.dialect.name != "postgresql":
        connection.execute(insert(table), rows)
        return
    names = list(rows[0])
    written = [table.c[name].type.bind_processor(connection.dialect) for name in names]
    driver: Any = connection.connection.driver_connection
    with driver.cursor().copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(
                [
                    row[name] if process is None else process(row[name])
                    for name, process in zip(names, written, strict=True)
                ]
            )


def test_no_query_of_a_period_reads_the_whole_of_pr_state(filled: Engine) -> None:
    a, b = START + 300 * DAY, START + 331 * DAY
    with ReadModel(filled).snapshot() as snapshot:
        plans = [
            *_plans(snapshot, lambda: queries.spans_in(snapshot, REPO, a, b, END)),
            *_plans(snapshot, lambda: queries.open_before(snapshot, REPO, [b], END)),
            *_plans(snapshot, lambda: queries.open_before(snapshot, REPO, [b], b)),
        ]
    print("\n\n".join(plans))
    assert len(plans) > 4
    for plan in plans:
        assert "Seq Scan on pr_" not in plan
        assert "SCAN pr_" not in plan
    spans, months, lasting = plans[0], plans[1], plans[2]
    if filled.dialect.name == "postgresql":
        assert "Index Only Scan using ix_pr_state_vf" in spans
        assert "Index Scan using ix_pr_state_vt" in spans
        assert "pr_open_month_g1_pkey" in months
        assert "Index Only Scan using ix_pr_state_open" in lasting
    else:
        assert "USING COVERING INDEX ix_pr_state_vf_g1_covering (repo=? AND vf>? AND vf<?)" in spans
        assert "USING INDEX ix_pr_state_vt_g1_covering (repo=? AND vt>? AND vt<?)" in spans
        assert "USING PRIMARY KEY (repo=? AND month=?)" in months
        assert "USING COVERING INDEX ix_pr_state_open_g1_covering (repo=?)" in lasting


def test_until_when_something_was_heard_is_one_step_in_its_key(filled: Engine) -> None:
    with ReadModel(filled).snapshot() as snapshot:
        (plan,) = _plans(snapshot, lambda: heard_until(snapshot, REPO, START + 30_000))
    if filled.dialect.name == "postgresql":
        assert "Index Scan Backward using repo_heard_g1_pkey" in plan
        assert "Sort" not in plan
    else:
        assert "USING INDEX sqlite_autoindex_repo_heard_g1_1 (repo=? AND k<?)" in plan
        assert "TEMP B-TREE" not in plan


def test_a_proof_reads_no_whole_history(filled: Engine) -> None:
    bound = START + REQUESTS // 2
    with ReadModel(filled).snapshot() as snapshot:
        where = snapshot, REPO
        plans = {
            "undated": [*_plans(snapshot, lambda: queries.undated(*where, END))],
            "landed": [*_plans(snapshot, lambda: numbers.last_landed(*where, bound))],
            "highest": [*_plans(snapshot, lambda: numbers.highest_shown(*where, bound))],
            "opened": [*_plans(snapshot, lambda: numbers.first_opened_from(*where, bound, bound))],
            "lacking": [
                *_plans(
                    snapshot,
                    lambda: [*numbers.stretches(*where, 1, REQUESTS - 7, bound, enough=9)],
                )
            ],
        }
    keys = {name: f"sqlite_autoindex_{name}_g1_1" for name in ("pr_whole", "pr_landed")}
    if filled.dialect.name == "postgresql":
        keys = {name: f"{name}_g1_pkey" for name in keys}
    for asked, steps in plans.items():
        for plan in steps:
            assert "Seq Scan on pr_state" not in plan, asked
            assert "Seq Scan on pr_whole" not in plan, asked
            assert "SCAN" not in plan or filled.dialect.name == "postgresql", asked
    assert "ix_pr_state_vf" in plans["undated"][0]
    assert keys["pr_landed"] in plans["landed"][0]
    assert keys["pr_whole"] in plans["highest"][1]
    assert keys["pr_whole"] in plans["lacking"][1]


def test_commits_and_heads_are_found_by_their_keys(new_engine: NewEngine) -> None:
    arrivals = [created(), *git(commit("root", paths=()), when="06-20", main="root")]
    lab = Lab(arrivals, engine=new_engine())
    if lab.model.engine.dialect.name == "postgresql":
        return  # of so small tables PostgreSQL reads all, whatever indexes there are
    a, end = at("06-01"), at("12-01")
    with lab.model.snapshot() as snapshot:
        shas = [f"{n:040x}" for n in range(300)]
        (named,) = _plans(snapshot, lambda: commits_named(snapshot, WIDGET, shas, end))
        (seen,) = _plans(snapshot, lambda: CommitReader(snapshot, WIDGET, end).recorded(shas))
        committed, *heads = _plans(snapshot, lambda: unproven_heads(snapshot, WIDGET, a, end, end))
    key = "USING INDEX sqlite_autoindex_git_commit_g1_1 (repo=? AND sha=? AND k<?)"
    assert key in named
    assert key in seen
    assert "USING COVERING INDEX ix_git_commit_at_g1 (repo=? AND at>? AND at<?)" in committed
    assert "USING INDEX ix_ref_version_sha_g1 (repo=? AND sha=?" in heads[0]


def test_where_branches_stood_before_is_looked_up_by_record(new_engine: NewEngine) -> None:
    arrivals = [created(), *git(commit("root", paths=()), when="06-20", main="root")]
    lab = Lab(arrivals, engine=new_engine())
    with lab.model.snapshot() as snapshot:
        plans = [
            *_plans(snapshot, lambda: first_values(snapshot, WIDGET, at("06-10"), at("12-01")))
        ]
    if snapshot.connection.dialect.name == "sqlite":
        (sightings,) = [plan for plan in plans if "ref_sighting" in plan]
        assert "SEARCH ref_sighting_g1 USING INDEX" in sightings
        assert "(repo=? AND record_id=?)" in sightings


def _plans(snapshot: Snapshot, ask: Any) -> Iterator[str]:
    """Yield the plan of each statement that a question needs."""
    asked: dict[str, Any] = {}

    def listen(_c: Connection, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        asked.setdefault(statement, given)

    event.listen(snapshot.connection, "before_cursor_execute", listen)
    ask()
    event.remove(snapshot.connection, "before_cursor_execute", listen)
    assert asked
    is_sqlite = snapshot.connection.dialect.name == "sqlite"
    if not is_sqlite:
        # how much of a table is marked as visible to all depends on what else the server does, and
        # between a bitmap of an index and the index alone that decides
        snapshot.connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
    explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN (ANALYZE, BUFFERS)"
    for statement, given in asked.items():
        rows = snapshot.connection.exec_driver_sql(f"{explain} {statement}", given)
        yield "\n".join(str(row[-1]) for row in rows)
