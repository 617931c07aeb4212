"""The smallest client of GitHub's REST API: one question, all of its pages.

It obeys GitHub's limits, follows `Link` headers as they are, and sends the token to the API's own
address only: a page or a redirect that leads elsewhere is refused. The token is in no message.
"""

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, Self
from urllib.parse import urljoin, urlsplit

import httpx
import msgspec
import structlog

from events.errors import (
    ConfigurationError,
    InvalidQuestion,
    NotFound,
    ShipledgerError,
    TransientError,
)
from services.intake.github.limits import pause_before_retry
from services.intake.github.paging import PER_PAGE, Page, announced_pages

_VERSION: Final = "2022-11-28"
_ATTEMPTS: Final = 6
_REDIRECTS: Final = 3
_TIMEOUT: Final = 60.0
_GONE: Final = (404, 410, 451)
_JSON: Final = {"Content-Type": "application/json"}
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")

_logger = structlog.get_logger(__name__)


class GitHubFault(ShipledgerError):
    """GitHub answered in a way that this program does not know."""


class Pages(msgspec.Struct, frozen=True, kw_only=True):
    """The pages of one list, each a JSON list as it came.

    `unchanged`: the first page is what its ETag says, and no page was read. `cut`: there are more
    pages than were wanted, or than came.
    """

    pages: tuple[bytes, ...] = ()
    items: int = 0
    etag: str | None = None
    unchanged: bool = False
    cut: bool = False


class GitHubClient:
    """Use it as a context; one question at a time.

    `sleep` and `now` are the clock's, `patience` the longest single wait, in seconds.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
        patience: float = 3_700.0,
    ) -> None:
        """Raise ConfigurationError for an address or a token that must not be used."""
        self._origin = _origin(_checked_url(base_url))
        self._base = base_url.rstrip("/")
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": _VERSION}
        if token is not None:
            headers["Authorization"] = f"Bearer {_checked_token(token)}"
        headers["User-Agent"] = "shipledger"
        self._http = httpx.Client(headers=headers, timeout=_TIMEOUT, trust_env=False)
        self._sleep, self._now, self._patience = sleep, now, patience

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        self._http.close()

    def pages(
        self, path: str, *, etag: str | None = None, most_items: int, most_bytes: int
    ) -> Pages:
        """Return the list at a path (`/repos/…`), 100 items a page, until it ends or is too long.

        Raise NotFound where it is gone, InvalidQuestion where the token may not read it, and
        TransientError where GitHub could not be asked for now.
        """
        pages: list[bytes] = []
        items, size, first_etag = 0, 0, None
        for page in self.each_page(path, etag=etag):
            if page.unchanged:
                return Pages(unchanged=True, etag=etag)
            items += page.items
            size += len(page.content)
            first_etag = first_etag or page.etag
            pages.append(page.content)
            if page.short or (page.more and (items >= most_items or size >= most_bytes)):
                return Pages(pages=tuple(pages), items=items, etag=first_etag, cut=True)
        return Pages(pages=tuple(pages), items=items, etag=first_etag)

    def each_page(self, path: str, *, etag: str | None = None) -> Iterator[Page]:
        """Yield the pages of the list at a path, until it is shown that it ends; raise as above."""
        first = f"{self._base}{path}{'&' if '?' in path else '?'}per_page={PER_PAGE}"
        response = self._get(first, {"If-None-Match": etag} if etag else {})
        if response.status_code == 304:
            yield Page(unchanged=True, etag=etag)
            return
        number, announced = 1, 0
        while True:
            announced = max(announced, announced_pages(response.links))
            page, named = _page(response), response.links.get("next", {}).get("url")
            if named is not None:
                yield msgspec.structs.replace(page, more=True)
                response = self._get(self._own(urljoin(str(response.url), named)), {})
            elif number >= announced and page.items == PER_PAGE:
                response = self._get(f"{first}&page={number + 1}", {})
                # a server without pages gives everything again
                if not _page(response).items or response.content == page.content:
                    yield page
                    return
                yield msgspec.structs.replace(page, more=True)
            else:
                yield msgspec.structs.replace(page, short=number < announced)
                return
            number += 1

    def item(self, path: str) -> bytes:
        """Return one object as it came; raise as `pages` does."""
        return self._get(f"{self._base}{path}", {}).content

    def send(self, method: str, path: str, content: bytes) -> bytes:
        """Send a change, and return what GitHub made of it.

        It is sent again only where GitHub said that it took nothing: after a broken connection
        nobody knows, and a second try might make the same thing twice. Raise as `pages` does.
        """
        url = f"{self._base}{path}"
        for attempt in range(_ATTEMPTS):
            try:
                response = self._http.request(method, url, content=content, headers=_JSON)
            except httpx.TransportError as error:
                raise TransientError(
                    f"{_shown(url)}: the connection broke ({type(error).__name__}), and it is not "
                    "known whether GitHub took the change; look there before you try again"
                ) from error
            pause = _refused_for(response, attempt=attempt, now=self._now())
            if pause is None:
                return _taken(response)
            reason = f"status {response.status_code}"
            self._wait(url, reason, pause, last=attempt == _ATTEMPTS - 1)
        raise AssertionError("not reached")

    def _get(self, url: str, headers: dict[str, str]) -> httpx.Response:
        for _ in range(_REDIRECTS + 1):
            response = self._patiently(url, headers)
            if not response.has_redirect_location:
                return _checked(response)
            url = self._own(urljoin(url, response.headers["location"]))
        raise GitHubFault(f"{_shown(url)} is redirected again and again")

    def _patiently(self, url: str, headers: dict[str, str]) -> httpx.Response:
        reason = ""
        for attempt in range(_ATTEMPTS):
            pause: float | None = float(2**attempt)
            try:
                response = self._http.get(url, headers=headers)
            except httpx.TransportError as error:
                reason = type(error).__name__
            else:
                reason = f"status {response.status_code}"
                pause = pause_before_retry(
                    response.status_code,
                    response.headers,
                    response.content,
                    attempt=attempt,
                    now=self._now(),
                )
                if pause is None:
                    return response
            self._wait(url, reason, pause or 0.0, last=attempt == _ATTEMPTS - 1)
        raise AssertionError("not reached")

    def _wait(self, url: str, reason: str, pause: float, *, last: bool) -> None:
        if last or pause > self._patience:
            raise TransientError(
                f"{_shown(url)} could not be read ({reason}); ask again in {pause:.0f} s or later"
            )
        _logger.warning("github.waiting", path=urlsplit(url).path, said=reason, seconds=pause)
        self._sleep(pause)

    def _own(self, url: str) -> str:
        """Return an address of the API itself; raise GitHubFault for any other."""
        if _origin(url) != self._origin:
            raise GitHubFault(f"GitHub's API names another server: {_shown(url)}; it is not asked")
        return url


def _checked(response: httpx.Response) -> httpx.Response:
    status, address = response.status_code, _shown(str(response.url))
    if status in (200, 304):
        return response
    if status in _GONE:
        raise NotFound(f"{address} is not there, or the token does not see it (status {status})")
    if status == 401:
        raise InvalidQuestion(f"{address}: the token is not valid (any more); give another one")
    if status == 403:
        raise InvalidQuestion(f"{address}: the token may not read this; give it read access")
    raise GitHubFault(f"{address} answered with status {status}")


def _refused_for(response: httpx.Response, *, attempt: int, now: float) -> float | None:
    """Return how long GitHub wants to be left alone, None where it did not refuse for its limits.

    A server error tells nothing about what became of the change.
    """
    if response.status_code >= 500:
        return None
    return pause_before_retry(
        response.status_code, response.headers, response.content, attempt=attempt, now=now
    )


def _taken(response: httpx.Response) -> bytes:
    status, address = response.status_code, _shown(str(response.url))
    if status in (200, 201):
        return response.content
    if status in (401, 403, *_GONE):
        raise InvalidQuestion(f"{address}: the token may not write there (status {status})")
    if status == 422:
        raise InvalidQuestion(f"{address}: GitHub refuses the change: {response.text[:300]}")
    raise GitHubFault(f"{address} answered with status {status}; look there before you try again")


def _page(response: httpx.Response) -> Page:
    try:
        items = len(msgspec.json.decode(response.content, type=list[msgspec.Raw]))
    except msgspec.MsgspecError as error:
        raise GitHubFault(f"{_shown(str(response.url))} is no JSON list: {error}") from None
    return Page(content=response.content, items=items, etag=response.headers.get("etag"))


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise ConfigurationError("the address of the API must not hold credentials")
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return url
    raise ConfigurationError(f"{url!r} is no address for a token; write https://…")


def _checked_token(token: str) -> str:
    # an odd character would be refused further down, with the token in the message
    if not token or not all("!" <= character <= "~" for character in token):
        raise ConfigurationError("the token is empty, or holds spaces or characters of no token")
    return token


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _shown(url: str) -> str:
    """Write an address without what may be secret in it: names, passwords, queries."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
