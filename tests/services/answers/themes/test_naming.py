"""Names of clusters: a test for each kind of fault that names had."""

import random

import pytest

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.naming import cluster_names
from services.answers.themes.phrases import phrases, spellings

OTHERS = ("Docs for the tokenizer", "Logger prints twice", "Retry the upload", "Dataset of videos")


def cluster(*titles: str, first: int = 1, path: str = "") -> list[ThemeRequest]:
    paths = (path,) if path else ()
    return [
        ThemeRequest(number=first + nth, title=title, paths=paths)
        for nth, title in enumerate(titles)
    ]


def name(*titles: str, taken: tuple[str, ...] = (), path: str = "") -> str:
    groups = [cluster(*titles, path=path), cluster(*OTHERS, first=100)]
    return cluster_names(groups, taken=taken)[0].name


NAMES = {
    "humps are no two words": (
        ("Pack DeepSeek sequences", "Tune DeepSeek recompute", "DeepSeek on B200"),
        "DeepSeek",
    ),
    "a hyphen stays": (
        ("[Megatron-FSDP] Buffers", "[Megatron-FSDP] Hooks", "Overlap in Megatron-FSDP"),
        "Megatron-FSDP",
    ),
    "a scope in lower case is written as titles write it": (
        ("feat(moe): router bias", "fix(moe): drop tokens", "perf(moe): permute", "Slow MoE a2a"),
        "MoE",
    ),
    "a scope that all have alike is no worse": (
        ("fix(inference): a stall", "feat(inference): chunks", "Graph of an inference engine"),
        "Inference",
    ),
    "a plural, a space and a hyphen make no other phrase": (
        ("Replay CUDA graphs", "Warm up a CUDA graph", "Fuse cuda-graph nodes", "CUDAGraph pool"),
        "CUDA graph",
    ),
    "what is vague alone is told with its neighbour": (
        ("Thread process groups", "Make the process group lazy", "Rank of a process group"),
        "Process group",
    ),
    "a vague word is none": (
        (
            "[experimental] Lite file for rollouts",
            "Lite: rollouts of files",
            "Experimental rollout",
        ),
        "Rollouts",
    ),
    "an identifier of the code is none": (
        ("Use pg_collection in MIMO", "Drop pg_collection from MIMO", "Type pg_collection of MIMO"),
        "MIMO",
    ),
    "a title in capitals at its beginning spells nothing": (
        ("Checkpoint shards", "Checkpoint barriers", "Save a checkpoint", "Load a checkpoint"),
        "Checkpoint",
    ),
    "a port is named by what it ports": (
        ("cp: `Fix Mamba states (7)` into `core_r1`", "Mamba prefix", "Grow Mamba scratch space"),
        "Mamba",
    ),
    "two subjects make two phrases": (
        ("GDN kernels", "Fuse GDN", "Speed of GDN", "Mamba states", "Scratch of Mamba", "A Mamba"),
        "GDN and Mamba",
    ),
    "an abbreviation is no second subject": (
        ("Save a checkpoint", "Load one checkpoint", "Shards of a ckpt", "Compress the ckpt"),
        "Checkpoint",
    ),
}


@pytest.mark.parametrize(("titles", "expected"), NAMES.values(), ids=NAMES)
def test_a_name(titles: tuple[str, ...], expected: str) -> None:
    assert name(*titles) == expected


def test_the_word_that_begins_titles_is_what_is_done_and_names_nothing() -> None:
    history = cluster("Thread a rank", "Thread a mesh", "Thread one stream", first=500)
    groups = [cluster("Thread MIMO ranks", "Thread MIMO meshes"), cluster(*OTHERS, first=100)]
    assert cluster_names(groups, history)[0].name == "MIMO"


def test_what_history_has_as_often_says_nothing_of_a_cluster() -> None:
    titles = ("FP8 rollouts", "Rollouts in FP8", "Bank of FP8 rollouts")
    history = cluster(*[f"FP8 part {nth} of ships" for nth in range(20)], first=500)
    groups = [cluster(*titles), cluster(*OTHERS, first=100)]
    assert cluster_names(groups, history)[0].name == "Rollouts"


def test_no_name_is_given_twice_or_taken_from_a_rule() -> None:
    groups = [
        cluster("MoE router", "MoE dispatcher", "MoE experts of MoE"),
        cluster("MoE bias", "MoE sinks", first=10, path="src/router/part.py"),
        cluster(*OTHERS, first=100),
    ]
    names = [one.name for one in cluster_names(groups)]
    assert names[:2] == ["MoE", "Router"]
    assert cluster_names(groups, taken=["moe"])[0].name != "MoE"


@pytest.mark.parametrize(
    ("titles", "path", "expected"),
    [
        (("…", "!"), "", "#1"),
        (("…", "!"), "src/dist_router/a.py", "Dist router"),
        (("1", "2"), "", "#1"),
    ],
)
def test_no_name_is_empty(titles: tuple[str, ...], path: str, expected: str) -> None:
    assert name(*titles, path=path) == expected


def test_the_larger_cluster_chooses_first_whatever_the_order() -> None:
    small, large = cluster("MoE a2a", "MoE bias"), cluster("MoE", "MoE", "MoE", first=9)
    others = cluster(*OTHERS, first=100)
    assert cluster_names([small, large, others])[1].name == "MoE"
    assert cluster_names([large, small, others])[0].name == "MoE"


def test_spellings_do_not_depend_on_the_order() -> None:
    titles = [phrases(text) for text in ("Use MoE", "use moe", "Moe first", "A moe", "The MOE")]
    wanted = spellings(titles)
    random.Random(3).shuffle(titles)
    assert spellings(titles) == wanted
    assert wanted["moe"] in {"MoE", "MOE"}
