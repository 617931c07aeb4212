"""Links between the pages of releases, and the line at the foot of each."""

from urllib.parse import quote

from services.answers.releases.context import ResolvedQuestion
from services.answers.reports.wording import rfc3339
from services.documents.model import (
    Footer,
    Inline,
    Link,
)


def footer(asked: ResolvedQuestion) -> Footer:
    settled = " (settled)" if asked.settled else ""
    return Footer(f"As of {rfc3339(asked.as_of)}, known at {rfc3339(asked.known_at)}{settled}.")


def number_link(number: int, base: str | None) -> Inline:
    words = f"#{number}"
    return Link(words, f"{base}/pulls/{number}/releases?format=html") if base else words


def tag_link(tag: str, base: str | None) -> Inline:
    return Link(tag, f"{base}/releases/{quote(tag)}?format=html") if base else tag
