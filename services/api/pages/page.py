"""`/`: the repositories, with links to their reports and releases. Self-contained, no script."""

from collections.abc import Iterator
from datetime import date
from html import escape
from importlib.resources import files
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from events.instant import Instant, to_datetime
from projections.release_inclusion.queries import has_commits
from services.answers.reports.repositories import ListedRepository, list_repositories
from services.api.context import Context
from services.runtime.clock import zone_of

_MONTHS: Final = [f"{date(2000, month, 1):%b}" for month in range(1, 13)]
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'"
_EMPTY: Final = (
    "<p>Nothing has been recorded yet. Point a webhook of a repository at "
    "<code>/webhooks/github</code>, or run <code>shipledger import git PATH --repo "
    "OWNER/NAME</code>.</p>"
)


def page_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(include_in_schema=False)

    @router.get("/", response_class=HTMLResponse)
    def page() -> HTMLResponse:
        with context.read_model.snapshot() as snapshot:
            repositories = list_repositories(snapshot)
            with_git = {each.repo for each in repositories if has_commits(snapshot, each.repo)}
        sections = [
            _section(each, context.settings.zone(each.full_name), git=each.repo in with_git)
            for each in repositories
        ]
        template = files("services.api.pages").joinpath("page.html").read_text(encoding="utf-8")
        html = template.replace("{{body}}", "\n".join(sections) or _EMPTY)
        return HTMLResponse(html, headers={"Content-Security-Policy": _POLICY})

    return router


def _section(repository: ListedRepository, zone: str, *, git: bool) -> str:
    rows = "\n".join(
        _year(repository, zone, year, months) for year, months in _years(repository, zone)
    )
    months = f"<table>\n{rows}\n</table>" if rows else "<p>No pull request has been seen yet.</p>"
    note = f"{escape(repository.repo)}; months in {escape(zone)}"
    releases = quote(f"/v1/repositories/{repository.full_name}/releases")
    link = f'<p><a href="{escape(releases)}?format=html">releases</a></p>\n' if git else ""
    return (
        f"<section>\n<h2>{escape(repository.full_name)}</h2>\n<p class=note>{note}</p>\n"
        f"{link}{months}\n</section>"
    )


def _year(repository: ListedRepository, zone: str, year: int, months: range) -> str:
    cells = "".join(
        f"<td>{_link(repository, zone, year, month) if month in months else ''}</td>"
        for month in range(1, 13)
    )
    return f"<tr><th scope=row>{year}</th>{cells}</tr>"


def _link(repository: ListedRepository, zone: str, year: int, month: int) -> str:
    after = (year + month // 12, month % 12 + 1)
    question = urlencode(
        {
            "from": f"{year:04}-{month:02}-01",
            "to": f"{after[0]:04}-{after[1]:02}-01",
            "tz": zone,
            "format": "html",
        }
    )
    path = quote(f"/v1/repositories/{repository.full_name}/report")
    return f'<a href="{escape(f"{path}?{question}")}">{_MONTHS[month - 1]}</a>'


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
