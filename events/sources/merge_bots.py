"""The merge commits of merge bots, which push by themselves and close the request afterwards. Pure.

* bors-ng, bors: `Merge #43`, of a batch `Merge #43 #44`;
* homu (Rust's bors): `Auto merge of #43 - user:branch, r=reviewer`, and inside of a roll-up
  `Rollup merge of #43 - user:branch, r=reviewer`.

Such a subject is believed of a merge (two parents or more) alone: anybody can write it, and of
these bots the heads of the requests are its other parents. What bots squash ends with ` (#43)`,
like GitHub's own squashes.
"""

import re
from typing import Final

_NUMBER: Final = r"#[1-9][0-9]{0,8}"
_BORS: Final = re.compile(rf"(?:\[[\w -]{{1,20}}\] )?Merge ({_NUMBER}(?: {_NUMBER}){{0,63}})")
_HOMU: Final = re.compile(
    rf"(?:Auto|Rollup) merge of ({_NUMBER}) - [^\s:]{{1,100}}:\S{{1,300}}(?:,|$)"
)


def merged_by_bot(subject: str, *, parents: int) -> tuple[int, ...]:
    """Return the requests that a merge bot's subject says it merges; none for any other subject."""
    if parents < 2:
        return ()
    match = _BORS.fullmatch(subject) or _HOMU.match(subject)
    return tuple(int(number[1:]) for number in match[1].split()) if match else ()


def title_in(message: str, number: int) -> str | None:
    """Return the title of a request as bors lists it, `43: Fix it r=reviewer a=author`."""
    for line in message.splitlines():
        stated, colon, title = line.strip().partition(": ")
        if colon and stated == str(number):
            return re.sub(r"(?: [ar]=\S{1,200}){1,2}\Z", "", title.strip()) or None
    return None
