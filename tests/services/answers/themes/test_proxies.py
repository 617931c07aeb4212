"""The agreement of clusters with proxies of themes, on the months before August 2026.

A proxy labels those requests whose title names one subject, or whose files lie in one module; it is
told by the mean adjusted Rand index over windows of 75 requests. Here are three of the proxies by
which `services.answers.themes.clustering` was chosen, so that a change of it can be compared.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any, Final

import msgspec
import pytest

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.clustering import clusters
from services.answers.themes.words import source_paths
from tests.services.answers.themes.test_published import DATA, requests

#: Narrative requests are neither of these in title nor in all of their paths.
_ROUTINE: Final = re.compile(
    r"^(?:cp:|chore|build|ci\b|revert|reapply|docs?:|test:)|sync |bump ", re.I
)
_ASIDE: Final = re.compile(r"^(?:\.|tests/|docs/|docker/|README|CONTRIB|uv\.lock|pyproject)")
_SUBJECTS: Final = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "moe": r"\bmoe|expert|\brouters?\b|deepep|dispatcher",
        "fsdp": r"fsdp|dbuffer",
        "rl": r"\brl\b|grpo|rollouts?\b|\brefit",
        "inference": r"inference|prefill|kv.?cache|speculative|\bdecode",
        "checkpoint": r"(?<!activation )checkpoint|\bckpt",
        "mimo": r"mimo",
        "hybrid": r"mamba|hybrid|\bssm\b|gdn",
        "graph": r"cuda.?graph",
        "attention": r"deep.?seek|dsv4|\bmla\b|\bdsa\b|\bmhc\b",
        "optimizer": r"muon|optimizer|layer.?wise",
        "context": r"\bcp\b|context.parallel|\bthd\b|packed|packing",
        "precision": r"fp8|fp4",
        "data": r"dataset|tokenizer|dataloader",
    }.items()
}
_MODULE: Final = re.compile(
    r"^(?:megatron/core/(?:transformer/|models/)?|megatron/|examples/)([\w]+)/"
)
_WINDOW, _COUNT, _WINDOWS = 75, 10, 16

Label = Callable[[ThemeRequest], str | None]


def subject(request: ThemeRequest) -> str | None:
    named = [name for name, one in _SUBJECTS.items() if one.search(request.title)]
    return named[0] if len(named) == 1 else None


def module(request: ThemeRequest) -> str | None:
    paths = source_paths(request)
    found = Counter(one[1] for path in paths if (one := _MODULE.match(path)))
    name, count = max(found.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    return name if 2 * count > len(paths) else None


def shown(request: ThemeRequest) -> ThemeRequest:
    return request


def without_subjects(request: ThemeRequest) -> ThemeRequest:
    title = request.title
    for one in _SUBJECTS.values():
        title = re.sub(one.pattern + r"\w*", " ", title, flags=re.I)
    return msgspec.structs.replace(request, title=title)


#: Each with a figure just below what is reached.
PROXIES: Final[dict[str, tuple[Label, Callable[[ThemeRequest], ThemeRequest], float]]] = {
    "subjects": (subject, shown, 0.42),
    "subjects, taken out": (subject, without_subjects, 0.27),
    "modules": (module, shown, 0.44),
}


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the real history is not here")
@pytest.mark.parametrize(("label", "masked", "reached"), PROXIES.values(), ids=PROXIES)
def test_clusters_agree_with_a_proxy(
    label: Label,
    masked: Callable[[ThemeRequest], ThemeRequest],
    reached: float,
    record_property: Any,
) -> None:
    from sklearn.metrics import adjusted_rand_score

    agreements = []
    for window, history in windows():
        labels = [label(one) for one in window]
        ours = clusters([masked(one) for one in window], history, _COUNT)
        both = [(name, own) for name, own in zip(labels, ours, strict=True) if name is not None]
        agreements.append(adjusted_rand_score(*zip(*both, strict=True)))
    record_property("adjusted_rand_index", round(mean(agreements), 3))
    assert mean(agreements) >= reached


def windows() -> list[tuple[Sequence[ThemeRequest], Sequence[ThemeRequest]]]:
    """Return the last windows of narrative requests before August, each with what was before."""
    every = requests(before="2026-08")
    told = [
        nth
        for nth, one in enumerate(every)
        if not _ROUTINE.search(one.title) and not all(_ASIDE.match(path) for path in one.paths)
    ][-_WINDOWS * _WINDOW :]
    starts = range(0, len(told), _WINDOW)
    return [([every[nth] for nth in told[at : at + _WINDOW]], every[: told[at]]) for at in starts]
