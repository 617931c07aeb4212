"""The pure rules: roles of paths, classes of requests, digests of rule sets."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import EXCLUDED, Judge, Role, Rule, RuleSet
from projections.period_ledger.reconciliation import keep, reconcile

RULES = RuleSet(
    ci=(Rule(name="ci", globs=("ci/", "tests/ci/")),),
    test=(Rule(name="tests", globs=("tests/",)), Rule(name="specs", globs=("**/*.spec.js",))),
)
CI, TEST, BOTH, OTHER = "ci/run.sh", "tests/a.py", "tests/ci/run.py", "src/a.py"
PATHS = st.lists(
    st.sampled_from([CI, TEST, BOTH, OTHER, "ci/b", "tests/ci", "x.spec.js", "docs/a.md"]),
    max_size=6,
)


@pytest.mark.parametrize(
    ("paths", "kind", "rules"),
    [
        ([CI], "ci-only", ("ci",)),
        ([TEST], "test-only", ("tests",)),
        ([CI, TEST], "test-and-ci-only", ("ci", "tests")),
        ([BOTH], "ci-only", ("ci",)),
        ([BOTH, TEST], "test-and-ci-only", ("ci", "tests")),
        ([TEST, "web/x.spec.js"], "test-only", ("specs", "tests")),
        ([CI, TEST, OTHER], "kept", ()),
        ([OTHER], "kept", ()),
    ],
    ids=[
        "ci",
        "test",
        "ci and test",
        "ci is judged first",
        "ci first and test",
        "two rules",
        "anything else",
        "only else",
    ],
)
def test_the_class_follows_from_all_paths(
    paths: list[str], kind: str, rules: tuple[str, ...]
) -> None:
    verdict = Judge(RULES).request(paths)
    assert (verdict.kind, verdict.rules) == (kind, rules)
    assert [each.path for each in verdict.paths] == sorted(paths)


def test_a_kept_request_names_the_path_that_keeps_it() -> None:
    deciding = Judge(RULES).request([TEST, OTHER]).deciding
    assert deciding is not None
    assert (deciding.path, deciding.role, deciding.rule) == (OTHER, "other", None)


def test_a_rename_out_of_the_tests_is_no_test() -> None:
    assert Judge(RULES).request(["src/moved.py", "tests/moved.py"]).kind == "kept"


@pytest.mark.parametrize("state", ["missing", "capped"])
def test_a_list_that_is_not_whole_excludes_nothing_and_is_named(state: str) -> None:
    verdict = Judge(RULES).request([TEST], state, format_only=True)  # type: ignore[arg-type]
    assert (verdict.kind, verdict.doubt) == ("kept", state)


def test_an_empty_list_excludes_nothing_and_is_named() -> None:
    verdict = Judge(RULES).request([], format_only=True)
    assert (verdict.kind, verdict.doubt) == ("kept", "empty")


def test_what_changes_the_format_alone_is_excluded_after_the_paths_were_looked_at() -> None:
    judge = Judge(RULES)
    assert judge.request([OTHER, TEST], format_only=True).kind == "format-only"
    assert judge.request([TEST], format_only=True).kind == "test-only"


@given(paths=PATHS, format_only=st.booleans())
def test_each_request_is_in_the_first_class_that_fits(paths: list[str], format_only: bool) -> None:
    judge = Judge(RULES)
    verdict = judge.request(paths, format_only=format_only)
    roles: set[Role] = {judge.path(path).role for path in paths}
    if verdict.kind == "ci-only":
        assert roles == {"ci"}
    elif verdict.kind == "test-only":
        assert roles == {"test"}
    elif verdict.kind == "test-and-ci-only":
        assert roles == {"ci", "test"}
    elif verdict.kind == "format-only":
        assert "other" in roles
        assert format_only
    else:
        assert not paths or ("other" in roles and not format_only)


@given(paths=PATHS, more=PATHS)
def test_more_paths_never_bring_a_kept_request_into_a_class_of_paths(
    paths: list[str], more: list[str]
) -> None:
    judge = Judge(RULES)
    if judge.request(paths).deciding is not None:
        assert judge.request([*paths, *more]).kind == "kept"


@given(paths=PATHS)
def test_order_and_repetition_of_paths_do_not_matter(paths: list[str]) -> None:
    judge = Judge(RULES)
    assert judge.request([*reversed(paths), *paths]) == judge.request(paths)


def test_rule_sets_are_told_apart_by_their_content() -> None:
    same = msgspec.json.decode(RULES.content, type=RuleSet)
    assert same.digest == RULES.digest
    turned = msgspec.structs.replace(RULES, test=tuple(reversed(RULES.test)))
    renamed = msgspec.structs.replace(RULES, ci=(Rule(name="CI", globs=RULES.ci[0].globs),))
    assert len({RULES.digest, turned.digest, renamed.digest, DEFAULT_RULES.digest}) == 4


numbers = st.sets(st.integers(1, 20))


@given(merged=numbers, told=numbers, twins=numbers, data=st.data())
def test_the_reconciliation_always_adds_up(
    merged: set[int], told: set[int], twins: set[int], data: st.DataObject
) -> None:
    classes = data.draw(st.dictionaries(st.integers(1, 20), st.sampled_from(EXCLUDED)))
    parts = reconcile(merged, classes, told, twins)
    every = [*parts.told, *parts.twins, *sum(parts.excluded.values(), ()), *parts.not_told]
    assert sorted(every) == sorted(merged)
    assert parts.merged == tuple(sorted(merged))
    assert set(parts.told) == merged & told
    plain = keep(merged, classes)
    assert sorted([*plain.kept, *sum(plain.excluded.values(), ())]) == sorted(merged)
    assert not classes.keys() & set(plain.kept)
