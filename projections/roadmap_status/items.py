"""From the tree that a text is read into to the items of a roadmap.

An item is a list entry, a row of a table with a status column, or a heading that links to a
request or is alone with its status. Entries that are only links belong to the item above them.
In sections that are no plan (feedback, credits, a legend) only boxes make items.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from projections.roadmap_status.claims import Claim
from projections.roadmap_status.legend import Legend, is_legend, read_legend
from projections.roadmap_status.links import Link
from projections.roadmap_status.making import Maker
from projections.roadmap_status.phrases import Phrases
from projections.roadmap_status.reading import (
    Block,
    Box,
    Caution,
    Document,
    Entry,
    Heading,
    Paragraph,
    Reader,
    read,
)
"""placeholder"""
