"""Random damage to payloads: values replaced, keys taken away, structure broken."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.events.sources.github_webhook.golden import CASES, event_of, payload

#: Values that have broken readers of this kind before, and a few of each type.
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, -1, 2**31, 2**63 - 1, 2**63, 10**30]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(
        [
            "9999-12-31T23:59:59-23:59",
            "0001-01-01T00:00:00+23:59",
            "2026-02-28T23:59:60Z",
            "\x00",
            "\ud800",
            "https://[",
            "a/b/c",
        ]
    ),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return an event and a body of it in which one to three things are not as they should be."""
    case = draw(st.sampled_from(CASES))
    body = json.loads(payload(case))
    for _ in range(draw(st.integers(1, 3))):
        _damage(draw, body)
    return event_of(case), json.dumps(body).encode()


def _damage(draw: st.DrawFn, body: Any) -> None:
    places = list(_places(body))
    if not places:
        return
    holder, key = draw(st.sampled_from(places))
    if isinstance(holder, dict) and draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = draw(VALUES)


def _places(node: Any) -> Any:
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    for key in list(keys):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _places(node[key])
