"""The page of every release of whole public histories against `git log A..B`.

Each commit of A..B that lands a request is accounted for, and each request that a page says is
brought has a commit there. What is left is listed by number, with the reason.
"""

from typing import Final

import pytest

from projections.release_inclusion.answers import contents
from projections.release_inclusion.queries import HEADS, TAGS, RefValue
from projections.release_inclusion.view import Moment, ReleaseView
from tests.builders import REPO, at
from tests.projections.release_inclusion.page_reading import PageReading
from tests.projections.release_inclusion.whole_histories import WholeHistory, read_whole

LEFT_OUT: Final[dict[str, dict[int, str]]] = {
    "NVIDIA/Megatron-LM": {
        4178: "core_v0.17.1 has it as #4237, which says `cp:` and its title, by another author"
    },
    "NVIDIA/TransformerEngine": {},
    "containerd/containerd": {},
    "prometheus/prometheus": {},
}
#: Commits of repositories that were merged in (cri, tsdb) are read by no page's numbers.
UNFOUNDED: Final[dict[str, dict[int, str]]] = {
    "NVIDIA/Megatron-LM": {4178: "core_v0.17.0rc0 has it as #4237, as above"},
    "NVIDIA/TransformerEngine": {},
    "containerd/containerd": {3371: "v1.2.11 has it back by the revert of a revert (8fb208fb1)"},
    "prometheus/prometheus": {1872: "v1.2.0 has it back by the revert of a revert (094a098ce)"},
}


def _view(whole: WholeHistory) -> ReleaseView:
    """Look at a history from the end of all days, with each tag dated by its commit."""
    now = at("2030-01-01T00:00:00Z")
    values = [
        *((HEADS + name, sha) for name, sha in whole.branches.items()),
        *((TAGS + name, sha) for name, sha in whole.tags.items()),
    ]
    refs = {
        ref: RefValue(
            ref=ref,
            sha=sha,
            at=whole.history.committed_at(sha) or 0,
            evidence="assumed",
            record_id="1",
        )
        for ref, sha in values
    }
    moment = Moment(refs, whole.history)
    return ReleaseView(
        repo=REPO, as_of=now, known_at=now, moment=moment, published={}, aliases={}, families=()
    )


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", LEFT_OUT)
def test_each_page_is_what_git_lists_between_the_tags(name: str) -> None:
    whole = read_whole(name)
    view, reading = _view(whole), PageReading(whole)
    left_out, unfounded, rows = set[int](), set[int](), 0
    for release in view.releases:
        page = contents(view, release, view.predecessor(release))
        left_out |= reading.left_out(page)
        unfounded |= reading.unfounded(page)
        rows += len(page.new)
    assert rows > 1_000
    assert (left_out, unfounded) == ({*LEFT_OUT[name]}, {*UNFOUNDED[name]})
