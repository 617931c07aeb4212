"""`/`: the repositories, with links to their reports and releases."""

from collections.abc import Iterator
from datetime import date
from typing import Final
from urllib.parse import quote, urlencode

import msgspec
from fastapi import APIRouter
from starlette.responses import HTMLResponse

from events.instant import Instant, to_datetime
from projections.release_inclusion.queries import has_commits
from services.answers.reports.repositories import ListedRepository, list_repositories
from services.documents import html
from services.runtime.clock import zone_of
from services.stream.stores import Stores

_MONTHS: Final = [f"{date(2000, month, 1):%b}" for month in range(1, 13)]
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'"


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """A month of a year; `href` is its report, empty where nothing happened."""

    name: str
    href: str


class Year(msgspec.Struct, frozen=True, kw_only=True):
    """A year with its twelve months."""

    year: int
    months: tuple[Month, ...]


class RepositorySection(msgspec.Struct, frozen=True, kw_only=True):
    """What the page has of a repository; `releases` is empty without git history."""

    name: str
    key: str
    zone: str
    releases: str
    years: tuple[Year, ...]


def page_router(stores: Stores) -> APIRouter:
    """Return the route."""
    router = APIRouter(include_in_schema=False)
    template = html.environment("services.api.pages").get_template("home.html")

    @router.get("/", response_class=HTMLResponse)
    def page() -> HTMLResponse:
        with stores.read_model.snapshot() as snapshot:
            repositories = [
                _section(
                    repository,
                    stores.settings.zone(repository.full_name),
                    git=has_commits(snapshot, repository.repo),
                )
                for repository in list_repositories(snapshot)
            ]
        text = template.render(language="en", repositories=repositories)
        return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY})

    return router


def _section(repository: ListedRepository, zone: str, *, git: bool) -> RepositorySection:
    releases = quote(f"/v1/repositories/{repository.full_name}/releases")
    return RepositorySection(
        name=repository.full_name,
        key=repository.repo,
        zone=zone,
        releases=f"{releases}?format=html" if git else "",
        years=tuple(
            Year(
                year=year,
                months=tuple(
                    Month(
                        name=_MONTHS[month - 1],
                        href=_href(repository, zone, year, month) if month in months else "",
                    )
                    for month in range(1, 13)
                ),
            )
            for year, months in _years(repository, zone)
        ),
    )


def _href(repository: ListedRepository, zone: str, year: int, month: int) -> str:
    after = (year + month // 12, month % 12 + 1)
    question = urlencode(
        {
            "from": f"{year:04}-{month:02}-01",
            "to": f"{after[0]:04}-{after[1]:02}-01",
            "tz": zone,
            "format": "html",
        }
    )
    return f"{quote(f'/v1/repositories/{repository.full_name}/report')}?{question}"


def _years(repository: ListedRepository, zone: str) -> Iterator[tuple[int, range]]:
    """Yield the years in which something happened, newest first, each with its months."""
    if repository.first is None or repository.last is None:
        return
    first, last = _month(repository.first, zone), _month(repository.last, zone)
    for year in range(last[0], first[0] - 1, -1):
        start = first[1] if year == first[0] else 1
        end = last[1] if year == last[0] else 12
        yield year, range(start, end + 1)


def _month(instant: Instant, zone: str) -> tuple[int, int]:
    local = to_datetime(instant).astimezone(zone_of(zone))
    return local.year, local.month
