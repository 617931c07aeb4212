"""Suggested rules: what they take is what they say, in the order in which rules place requests."""

import re
import tomllib

import msgspec
import pytest

from projections.period_ledger.themes import Theme, ThemeRequest, ThemeRule, Themes, place_by_rules
from services.answers.themes.suggest import suggest, title_pattern

TITLES = {
    1: "MoE router bias",
    2: "MoE token drop",
    3: "A slow MoE dispatcher",
    4: "CUDA graphs in inference",
    5: "Replay a cuda-graph",
    6: "CUDA graph pool",
    7: "Quiet the logger",
}
PATHS = {1: ("src/moe/router.py",), 3: ("src/moe/fast/send.py",), 7: ("src/log/a.py",)}
REQUESTS = [ThemeRequest(number=n, title=t, paths=PATHS.get(n, ())) for n, t in TITLES.items()]
THEMES = Themes(
    themes=(
        Theme(name="Wide", numbers=(6, 7), how="rule"),
        Theme(name="MoE", numbers=(1, 2, 3), how="cluster", terms=("MoE",)),
        Theme(name='CUDA "graph"', numbers=(4, 5, 6), how="cluster", terms=("CUDA graph",)),
        Theme(name="Logger", numbers=(7,), how="cluster", terms=("logger",)),
    )
)


def rules(themes: Themes = THEMES) -> list[ThemeRule]:
    shown = tomllib.loads(suggest(themes, REQUESTS))
    return msgspec.convert(shown["repositories"]["themes"]["rules"], list[ThemeRule])


def test_rules_take_their_clusters_and_names_are_quoted() -> None:
    placed, _ = place_by_rules(REQUESTS, rules())
    graph = 'CUDA "graph"'
    assert placed == {1: "MoE", 2: "MoE", 3: "MoE", 4: graph, 5: graph, 6: graph}


def test_one_line_that_takes_all_is_enough_and_is_the_one_in_the_name() -> None:
    assert [rule.titles for rule in rules()] == [(r"\bMoE\b",), (r"\bCUDA[\W_]*graphs?\b",)]
    assert not any(rule.paths for rule in rules())


def test_a_rule_has_what_the_rules_before_it_leave() -> None:
    titles = (
        "MoE bias",
        "MoE drop",
        "MoE in a CUDA graph",
        "CUDA graph pool",
        "A CUDA graph of MoE",
    )
    requests = [ThemeRequest(number=n, title=title) for n, title in enumerate(titles, start=1)]
    graphs = Theme(name="Graphs", numbers=(3, 4, 5), how="cluster", terms=("CUDA graph",))
    moe = Theme(name="MoE", numbers=(1, 2), how="cluster", terms=("MoE",))
    text = suggest(Themes(themes=(graphs, moe)), requests)
    assert '# takes 2 of the 2 it was made from, and 0 others\nname = "MoE"' in text
    assert "MoE" not in suggest(Themes(themes=(moe, graphs)), requests)


def test_what_takes_too_many_others_is_not_suggested() -> None:
    mixed = Themes(themes=(Theme(name="Mixed", numbers=(1, 2, 7), how="cluster"),))
    assert suggest(mixed, [*REQUESTS, ThemeRequest(number=8, title="MoE in MoE")]) == ""


SAME = [
    ("CUDA graphs", "a CUDAGraph"),
    ("CUDA graph", "cuda-graphs"),
    ("Megatron-FSDP", "megatron fsdp: x"),
    ("checkpoint", "Two checkpoints"),
]


@pytest.mark.parametrize(("phrase", "title"), SAME)
def test_a_phrase_is_found_in_all_its_spellings(phrase: str, title: str) -> None:
    assert re.search(title_pattern(phrase), title, re.IGNORECASE)


@pytest.mark.parametrize(("phrase", "title"), [("RL", "a URL"), ("MoE", "Moebius")])
def test_a_phrase_is_not_found_in_other_words(phrase: str, title: str) -> None:
    assert re.search(title_pattern(phrase), title, re.IGNORECASE) is None
