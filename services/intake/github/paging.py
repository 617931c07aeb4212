"""Where a list of GitHub's API goes on, and whether it has come to its end. Pure.

A list is whole only where that is shown: its last page is not full, or the page after it is empty,
and as many pages came as were announced. Links are missing where a list just fits, and where
something between here and GitHub takes them out.
https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

#: The most items that GitHub puts on a page.
PER_PAGE: Final = 100


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a list, a JSON list as it came, with the number of its items.

    `more`: another page follows, or may follow. `short`: it names none, although more pages were
    announced. `unchanged`: the first page is what its ETag says, and nothing came.
    """

    content: bytes = b"[]"
    items: int = 0
    etag: str | None = None
    more: bool = False
    short: bool = False
    unchanged: bool = False


def announced_pages(links: Mapping[Any, Mapping[str, str]]) -> int:
    """Return how many pages the links of a page announce, 0 where they do not say."""
    query = parse_qs(urlsplit(links.get("last", {}).get("url", "")).query)
    number = query.get("page", [""])[-1]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
