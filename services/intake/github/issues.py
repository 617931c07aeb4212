"""Issues by GitHub's API, as far as publishing needs them: read, look for, create, change one."""

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from services.intake.github.client import GitHubClient, GitHubFault

#: How many issues are looked through, newest first: a hundred requests.
MOST_LISTED: Final = 10_000


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

    def first(
        self, wanted: Callable[[Issue], bool], *, label: str | None = None
    ) -> tuple[Issue | None, bool]:
        """Look through the issues, open and closed, of a label or all, from the newest on.

        Return the first that is wanted, or None, and whether all of them were looked at: beyond
        MOST_LISTED, or where fewer came than GitHub announced, that there is none is not known.
        """
        query = "?state=all" + (f"&labels={quote(label, safe='')}" if label else "")
        items = 0
        for page in self._client.each_page(self._path + query):
            for issue in _issues(page.content, self._path):
                if issue.pull_request is None and wanted(issue):
                    return issue, True
            items += page.items
            if page.short or (page.more and items >= MOST_LISTED):
                return None, False
        return None, True

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
