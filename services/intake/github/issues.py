"""Issues by GitHub's API, as far as publishing needs them: read one, list, create, change."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from services.intake.github.client import GitHubClient, GitHubFault

#: An edition that is not among the newest issues of its label is an old one: it is named by number.
_MOST_LISTED: Final = 1_000
_MOST_BYTES: Final = 64 * 1024 * 1024


class Label(msgspec.Struct, frozen=True):
    """A label of an issue."""

    name: str


class Issue(msgspec.Struct, frozen=True):
    """What is read of an issue."""

    number: int
    title: str
    body: str | None = None
    labels: tuple[Label, ...] = ()
    pull_request: dict[str, object] | None = None
    """Only of those that are pull requests."""


class Issues:
    """The issues of one repository (`owner/name`)."""

    def __init__(self, client: GitHubClient, full_name: str) -> None:
        self._client, self.full_name = client, full_name
        self._path = f"/repos/{quote(full_name)}/issues"

    def read(self, number: int) -> Issue:
        """Return one issue; raise NotFound where it is not there, or not visible."""
        return _issue(self._client.item(f"{self._path}/{number}"), self._path)

    def listed(self, label: str | None) -> list[Issue]:
        """Return the newest issues, open and closed, of a label or of all."""
        query = "?state=all" + (f"&labels={quote(label, safe='')}" if label else "")
        answer = self._client.pages(
            self._path + query, most_items=_MOST_LISTED, most_bytes=_MOST_BYTES
        )
        issues = [issue for page in answer.pages for issue in _issues(page, self._path)]
        return [issue for issue in issues if issue.pull_request is None]

    def create(self, title: str, body: str, labels: Sequence[str]) -> Issue:
        """Make an issue."""
        content = msgspec.json.encode({"title": title, "body": body, "labels": list(labels)})
        return _issue(self._client.send("POST", self._path, content), self._path)

    def change(self, number: int, title: str, body: str, labels: Sequence[str]) -> Issue:
        """Change an issue; `labels` become all that it has."""
        content = msgspec.json.encode({"title": title, "body": body, "labels": list(labels)})
        return _issue(self._client.send("PATCH", f"{self._path}/{number}", content), self._path)


def _issue(raw: bytes, path: str) -> Issue:
    try:
        return msgspec.json.decode(raw, type=Issue)
    except msgspec.MsgspecError as error:
        raise GitHubFault(f"{path}: this is no issue: {error}") from None


def _issues(raw: bytes, path: str) -> list[Issue]:
    try:
        return msgspec.json.decode(raw, type=list[Issue])
    except msgspec.MsgspecError as error:
        raise GitHubFault(f"{path}: this is no list of issues: {error}") from None
