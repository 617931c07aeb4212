"""What is asked of the simulated world: golden file -> command, or address.

Of each answer the formats that a command prints are asked of a command once, and of a route where
it has them: the same name stands in both tables where both must give the same bytes.
"""

from typing import Final

REPOSITORY: Final = "acme/widget"

_BY: Final = "--author ines-p"
_JULY: Final = "--period 2026-07 --tz Asia/Shanghai"
_RELEASES: Final = "--releases core_v0.4.0..core_v0.5.0"
#: What is drafted before it is asked, so that no answer changes what another one knows.
DRAFTED: Final = (_JULY, _RELEASES)
_MONTH: Final = "--from 2026-07-01 --to 2026-08-01 --tz Asia/Shanghai"
_REPORT: Final = "/report?from=2026-07-01&to=2026-08-01&tz=Asia/Shanghai"
_EDITION: Final = "/edition?period=2026-07&tz=Asia/Shanghai"

#: Decisions, a minute apart, in this order; each leaves what the command said.
DECISIONS: Final = {
    "alias": f"release alias add 26.07 core_v0.5.0 --source https://example.org/names {_BY}",
    "rename": f"curate rename acme/widget 'FP8 BF16' 'Mixed precision' {_BY}",
    "translate": f"curate rename acme/widget 'Mixed precision' 混合精度 --language zh {_BY}",
    "overview": f"curate overview acme/widget 'Sequences, caches & graphs.' {_JULY} {_BY}",
    "overview_zh": f"curate overview acme/widget 序列、缓存与图。 --language zh {_JULY} {_BY}",
    "twins": f"curate twins acme/widget 77 81 {_BY}",
    "apart": f"curate twins acme/widget 92 97 --apart {_BY}",
    "keep": f"curate exclude acme/widget 111 kept {_BY} --reason 'it changes releases'",
    "exclude": f"curate exclude acme/widget 100 test-only {_BY}",
    "taken_back": f"curate exclude acme/widget 100 --undo {_BY}",
    "pair": f"review acme/widget confirm df011a1cba22 --period 2026-05 {_BY}",
    "acknowledge": f"roadmap acknowledge acme/widget a5aa8b4e605a3295 --reason known {_BY}",
    "link": "roadmap decide acme/widget 67 b44b93203f --link '#43' --role mention "
    f"--reason 'only compared with' {_BY}",
}

COMMANDS: Final = {
    "report/july.md": f"report acme/widget {_MONTH} --receipt july.receipt.json",
    "report/july.json": f"report acme/widget {_MONTH} --json --no-themes",
    "report/july_with_definitions.md": f"report acme/widget {_MONTH} --definitions",
    "report/july_as_known.md": f"report acme/widget {_MONTH} --known-at 2026-07-20T00:00:00Z",
    "report/july_as_of.md": f"report acme/widget {_MONTH} --as-of 2026-07-12T00:00:00Z",
    "compare/known_at.md": f"report acme/widget {_MONTH} --compare-known-at 2026-08-02T00:00:00Z",
    "compare/known_at.json": f"report acme/widget {_MONTH} --format json "
    "--compare-known-at 2026-08-02T00:00:00Z",
    "edition/july.en.seed.with_notes.md": f"edition acme/widget {_JULY}",
    "edition/july_final.md": f"edition acme/widget {_JULY} --final",
    "release_edition/en.seed.with_notes.md": f"edition acme/widget {_RELEASES}",
    "why/111_kept.txt": f"why acme/widget 111 {_JULY}",
    "why/28_in_release.txt": f"why acme/widget 28 {_RELEASES}",
    "releases/listing.txt": "releases acme/widget",
    "releases/listing.json": "releases acme/widget --json",
    "releases/aliases.txt": "release alias list",
    "releases/aliases.json": "release alias list --json",
    "release_page/core_v0.5.0.md": "release show acme/widget core_v0.5.0",
    "release_page/core_v0.1.0.md": "release acme/widget core_v0.1.0",
    "release_page/26.07_against.md": "release acme/widget 26.07 --against core_v0.3.0 --path rl",
    "included/28.txt": "included acme/widget 28",
    "included/28.json": "included acme/widget 28 --json",
    "included/28_core_v0.5.0.txt": "included acme/widget 28 core_v0.5.0",
    "included/28_core_v0.5.0.json": "included acme/widget 28 core_v0.5.0 --json",
    "included/87_26.07.txt": "included acme/widget 87 26.07",
    "included/110_dev.txt": "included acme/widget 110 dev",
    "included/99999.txt": "included acme/widget 99999 core_v0.5.0",
    "pr/84.txt": "pr acme/widget 84",
    "pr/84.json": "pr acme/widget 84 --json",
    "pr/43_as_known.txt": "pr acme/widget 43 --known-at 2026-06-01T00:00:00Z",
    "roadmap/listing.md": "roadmap acme/widget",
    "roadmap/3.md": "roadmap acme/widget 3",
    "roadmap/67.md": "roadmap show acme/widget 67",
    "roadmap/67.csv": "roadmap acme/widget 67 --format csv",
    "roadmap/67_drift.md": "roadmap acme/widget 67 --drift",
    "roadmap/67_matrix.md": "roadmap acme/widget 67 --matrix",
    "roadmap/67_matrix_words.md": "roadmap acme/widget 67 --words precision",
    "roadmap/67_series.md": "roadmap acme/widget 67 --series --days 14",
    "roadmap/67_lineage.md": "roadmap acme/widget 67 --lineage",
    "roadmap/67_proposal.patch": "roadmap acme/widget 67 --propose",
    "roadmap/67_changes.md": "roadmap acme/widget 67 "
    "--changes 2026-07-01T00:00:00Z 2026-07-20T00:00:00Z",
    "review/commits.txt": "review acme/widget",
    "review/commits.json": "review acme/widget --json",
    "review/pairs.txt": "review acme/widget --period 2026-05 --known-at 2026-08-01T00:00:00Z",
    "review/pairs.json": "review acme/widget --period 2026-05 --known-at 2026-08-01T00:00:00Z "
    "--json",
    "themes/suggest.txt": f"themes suggest acme/widget {_MONTH}",
    "repositories/list.txt": "repositories list",
    "repositories/list.json": "repositories list --json",
    "curate/list.txt": "curate list acme/widget",
    "curate/list.json": "curate list acme/widget --json",
    "errors/repository.txt": "report acme/nothing --from 2026-07-01 --to 2026-08-01",
    "errors/zone.txt": "report acme/widget --from 2026-07-01 --to 2026-08-01 --tz Mars",
    "errors/period.txt": "edition acme/widget --period July",
    "errors/tag.txt": "release acme/widget core_v9.9.9",
    "errors/number.txt": "pr acme/widget 99999",
    "errors/roadmap.txt": "roadmap acme/widget 5",
    "errors/option.txt": "report acme/widget --format pdf",
    "errors/command.txt": "nonsense",
}

#: Below `/v1/repositories/acme/widget`.
ROUTES_OF_REPOSITORY: Final = {
    "report/july.json": _REPORT,
    "report/july.html": f"{_REPORT}&format=html",
    "report/july.csv": f"{_REPORT}&format=csv",
    "compare/known_at.md": f"/report/compare{_REPORT[7:]}"
    "&compare_known_at=2026-08-02T00:00:00Z&format=md",
    "compare/known_at.json": f"/report/compare{_REPORT[7:]}&compare_known_at=2026-08-02T00:00:00Z",
    "edition/july.json": f"{_EDITION}&format=json",
    "curate/curation.json": "/curation",
    "why/28_of_api.json": "/pulls/28/why?releases=core_v0.4.0..core_v0.5.0",
    "releases/listing.json": "/releases",
    "releases/listing.md": "/releases?format=md",
    "releases/listing.html": "/releases?format=html",
    "releases/listing_as_known.md": "/releases?format=md&known_at=2026-06-20T00:00:00Z",
    "release_page/core_v0.5.0.md": "/releases/core_v0.5.0?format=md",
    "release_page/core_v0.5.0.json": "/releases/core_v0.5.0",
    "release_page/core_v0.5.0.html": "/releases/core_v0.5.0?format=html",
    "release_page/core_v0.1.0.html": "/releases/core_v0.1.0?format=html",
    "release_page/api_v0.20260613.md": "/releases/api/v0.20260613?format=md",
    "included/28_everywhere.json": "/pulls/28/releases",
    "included/28_everywhere.md": "/pulls/28/releases?format=md",
    "included/28_everywhere.html": "/pulls/28/releases?format=html",
    "included/87_everywhere.md": "/pulls/87/releases?format=md",
    "pr/84_of_api.json": "/pulls/84",
    "review/commits_of_api.json": "/review",
    "review/pairs_of_api.json": "/review?period=2026-05&known_at=2026-08-01T00:00:00Z",
    "roadmap/listing.json": "/roadmaps",
    "roadmap/listing.html": "/roadmaps?format=html",
    "roadmap/3.md": "/roadmaps/3?format=md",
    "roadmap/67.json": "/roadmaps/67",
    "roadmap/67.html": "/roadmaps/67?format=html",
    "roadmap/67.csv": "/roadmaps/67?format=csv",
    "roadmap/67_drift.md": "/roadmaps/67?drift=true&format=md",
    **{
        f"roadmap/67_{part}.{form}": f"/roadmaps/67/{path}format={form}"
        for part, path, forms in (
            ("changes", "changes?from=2026-07-01T00:00:00Z&to=2026-07-20T00:00:00Z&", "json md"),
            ("series", "series?days=14&", "json md csv html"),
            ("matrix", "releases?", "json md csv html"),
            ("lineage", "lineage?", "json md"),
        )
        for form in forms.split()
    },
    "roadmap/67_proposal.patch": "/roadmaps/67/proposal",
    "errors/no_end.json": "/report?from=2026-07-01",
    "errors/zone.json": "/report?from=2026-07-01&to=2026-08-01&tz=Mars",
    "errors/format.json": f"{_REPORT}&format=pdf",
    "errors/future.json": f"{_REPORT}&known_at=2030-01-01T00:00:00Z",
    "errors/offset.json": f"{_REPORT}&as_of=2026-07-12",
    "errors/empty.json": "/report?from=2026-08-01&to=2026-07-01",
    "errors/no_edition.json": "/edition",
    "errors/language.json": f"{_EDITION}&language=de",
    "errors/not_compared.json": f"/report/compare{_REPORT[7:]}",
    "errors/tag.json": "/releases/core_v9.9.9",
    "errors/number.json": "/pulls/99999",
    "errors/no_number.json": "/pulls/abc",
    "errors/roadmap.json": "/roadmaps/5",
}

ROUTES: Final = {
    "page/index.html": "/",
    "repositories/of_api.json": "/v1/repositories",
    "errors/repository.json": "/v1/repositories/acme/nothing/releases",
    "errors/record.json": "/v1/records/github.com/1001/nope",
    "errors/path.json": "/v2",
    "api/healthz.json": "/healthz",
    "api/readyz.json": "/readyz",
}
