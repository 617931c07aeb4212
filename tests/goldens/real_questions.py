"""What is asked of the real history: golden file -> command, or address."""

from typing import Final

REPOSITORY: Final = "NVIDIA/Megatron-LM"

_ZONE: Final = "--tz Asia/Shanghai"
_OF_JULY: Final = f"--from 2026-07-01 --to 2026-08-01 {_ZONE}"
_OF_AUGUST: Final = f"--from 2026-08-01 --to 2026-09-01 {_ZONE}"
_MONTHS: Final = {
    "july": "from=2026-07-01&to=2026-08-01&tz=Asia/Shanghai",
    "august": "from=2026-08-01&to=2026-09-01&tz=Asia/Shanghai",
}
_RELEASES: Final = "core_v0.18.0..core_v0.18.2"
#: What is drafted before it is asked, so that no answer changes what another one knows.
DRAFTED: Final = (f"--period 2026-07 {_ZONE}", f"--releases {_RELEASES}")

COMMANDS: Final = {
    "report/july.md": f"report {REPOSITORY} {_OF_JULY}",
    "report/july_with_themes.json": f"report {REPOSITORY} {_OF_JULY} --json",
    "compare/august_known_at.md": f"report {REPOSITORY} {_OF_AUGUST} "
    "--compare-known-at 2026-08-12T00:00:00Z",
    "edition/july.en.seed.with_notes.md": f"edition {REPOSITORY} --period 2026-07 {_ZONE}",
    "release_edition/en.seed.with_notes.md": f"edition {REPOSITORY} --releases {_RELEASES}",
    "included/4228_core_v0.17.0.txt": f"included {REPOSITORY} 4228 core_v0.17.0",
    "included/4228_core_v0.17.0.json": f"included {REPOSITORY} 4228 core_v0.17.0 --json",
    "included/2898_core_v0.18.0.txt": f"included {REPOSITORY} 2898 core_v0.18.0",
    "included/2270_main.txt": f"included {REPOSITORY} 2270 main",
    "included/6022.txt": f"included {REPOSITORY} 6022",
    "included/4228.txt": f"included {REPOSITORY} 4228",
    "why/5865.txt": f"why {REPOSITORY} 5865 --period 2026-08 {_ZONE}",
    "why/6022.txt": f"why {REPOSITORY} 6022 --period 2026-07 {_ZONE}",
    "why/4228_in_release.txt": f"why {REPOSITORY} 4228 --releases {_RELEASES}",
    "releases/listing.txt": f"releases {REPOSITORY}",
    "release_page/core_v0.18.2.md": f"release {REPOSITORY} core_v0.18.2",
    "pr/4228.txt": f"pr {REPOSITORY} 4228",
    "roadmap/5676_as_of.md": f"roadmap {REPOSITORY} 5676 --as-of 2026-08-22T23:59:59Z",
    "review/commits.txt": f"review {REPOSITORY}",
    "review/pairs.txt": f"review {REPOSITORY} --period 2026-07 {_ZONE}",
    "themes/suggest.txt": f"themes suggest {REPOSITORY} {_OF_JULY}",
    "repositories/list.txt": "repositories list",
}

#: Below `/v1/repositories/NVIDIA/Megatron-LM`.
ROUTES: Final = {
    **{
        f"report/{month}.{form}": f"/report?{asked}&format={form}"
        for month, asked in _MONTHS.items()
        for form in ("md", "json", "html", "csv")
    },
    **{
        f"edition/{month}.{language}.{shape}.{form}": f"/edition?period={period}&tz=Asia/Shanghai"
        f"&language={language}&shape={shape}&format={form}"
        for month, period in (("july", "2026-07"), ("august", "2026-08"))
        for language in ("en", "zh")
        for shape in ("seed", "inline")
        for form in ("md", "html")
    },
    "edition/july.json": "/edition?period=2026-07&tz=Asia/Shanghai",
    "edition/august.json": "/edition?period=2026-08&tz=Asia/Shanghai",
    "compare/july_known_at.json": f"/report/compare?{_MONTHS['july']}"
    "&compare_known_at=2026-08-12T00:00:00Z",
    "releases/listing.json": "/releases",
    "releases/listing.html": "/releases?format=html",
    **{
        f"release_page/{tag}.{form}": f"/releases/{tag}?format={form}"
        for tag in ("core_v0.18.0", "core_v0.18.2")
        for form in ("md", "json", "html")
    },
    **{
        f"release_edition/{language}.seed.{form}": f"/edition?releases={_RELEASES}"
        f"&language={language}&format={form}"
        for language in ("en", "zh")
        for form in ("md", "html")
    },
    "release_edition/edition.json": f"/edition?releases={_RELEASES}",
    **{
        f"included/{number}_everywhere.md": f"/pulls/{number}/releases?format=md"
        for number in (2898, 2270)
    },
    "included/6022_everywhere.json": "/pulls/6022/releases",
    "why/5865.json": "/pulls/5865/why?period=2026-08&tz=Asia/Shanghai",
    "roadmap/5676.md": "/roadmaps/5676?format=md",
    "roadmap/5676.json": "/roadmaps/5676",
    "roadmap/5676.csv": "/roadmaps/5676?format=csv",
    "roadmap/5676_drift.md": "/roadmaps/5676?drift=true&format=md",
    "roadmap/5676_matrix.md": "/roadmaps/5676/releases?format=md",
    "roadmap/5676_proposal.patch": "/roadmaps/5676/proposal",
}

#: Large, and readable in another format that is kept.
DIGESTED: Final = frozenset(
    {
        "report/july_with_themes.json",
        "report/august.json",
        "edition/august.json",
        *(
            f"edition/{month}.{language}.{shape}.html"
            for month in ("july", "august")
            for language in ("en", "zh")
            for shape in ("seed", "inline")
            if (month, language, shape) != ("july", "en", "inline")
        ),
    }
)


def commands_about(edition: str) -> dict[str, str]:
    """Return what is asked of the edition that was imported: its record."""
    return {
        "compare/august_edition.md": f"report {REPOSITORY} {_OF_AUGUST} --compare-edition {edition}"
    }
