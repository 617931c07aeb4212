"""What is asked of editions in the simulated world, once persons have decided much about them.

Each of these makes a whole edition, themes and all, so they are many and slow.
"""

from typing import Final

from tests.goldens.world_questions import REPOSITORY

_BY: Final = "--author ines-p"
_JULY: Final = "--period 2026-07 --tz Asia/Shanghai"
_RELEASES: Final = "--releases core_v0.4.0..core_v0.5.0"
#: What is drafted before it is asked, so that no answer changes what another one knows.
DRAFTED: Final = (_JULY, "--period 2026-W29", _RELEASES)
_MONTH: Final = "--from 2026-07-01 --to 2026-08-01 --tz Asia/Shanghai"
_JUNE: Final = "--from 2026-06-01 --to 2026-07-01 --tz Asia/Shanghai"
_EDITION: Final = "/edition?period=2026-07&tz=Asia/Shanghai"
_RELEASE_EDITION: Final = "/edition?releases=core_v0.4.0..core_v0.5.0"

#: Decisions beside those of `world_questions`.
DECISIONS: Final = {
    "theme": f"curate theme acme/widget 74 'Packed sequences' {_JULY} {_BY} --reason 'same code'",
    "theme_only_here": f"curate theme acme/widget 88 'Rank-local caches and schedule plan' {_JULY} "
    f"{_BY} --only-here",
    "summary": "curate summary acme/widget 'Packed sequences' 'Packing is <simpler> now.' "
    f"{_JULY} {_BY}",
    "bullet": f"curate bullet acme/widget 83 'Mixed precision needs fewer casts.' {_JULY} {_BY}",
    "bullet_zh": f"curate bullet acme/widget 83 减少类型转换。 --language zh {_JULY} {_BY}",
    "bullet_of_release": "curate bullet acme/widget 84 'Packed sequences are simpler.' "
    f"{_RELEASES} {_BY}",
    "hide": f"curate hide acme/widget 94 {_JULY} {_BY} --reason embargoed",
    "hidden_nowhere": f"curate hide acme/widget 99999 {_JULY} {_BY}",
    "no_class": f"curate exclude acme/widget 83 nonsense {_BY}",
}

COMMANDS: Final = {
    "report/july_with_themes.json": f"report acme/widget {_MONTH} --format json",
    "edition/july.en.seed.with_notes.md": f"edition acme/widget {_JULY}",
    "edition/july.zh.inline.with_notes.txt": f"edition acme/widget {_JULY} --language zh "
    "--shape inline --format txt",
    "edition/july.csv": f"edition acme/widget {_JULY} --format csv --no-notes",
    "edition/week.en.seed.md": "edition acme/widget --period 2026-W29 --author A --no-notes",
    "edition/july_final.md": f"edition acme/widget {_JULY} --final",
    "release_edition/en.seed.with_notes.md": f"edition acme/widget {_RELEASES}",
    "why/86.txt": f"why acme/widget 86 {_JULY}",
    "why/89.txt": f"why acme/widget 89 {_JULY}",
    "why/94_hidden.txt": f"why acme/widget 94 {_JULY}",
    "why/111_kept.txt": f"why acme/widget 111 {_JULY}",
    "why/111_kept.json": f"why acme/widget 111 {_JULY} --json",
    "why/5_not_in_it.txt": f"why acme/widget 5 {_JULY}",
    "why/28_in_release.txt": f"why acme/widget 28 {_RELEASES}",
    "why/84_in_release.txt": f"why acme/widget 84 {_RELEASES}",
    "why/84_in_release.json": f"why acme/widget 84 {_RELEASES} --json",
}

#: Below `/v1/repositories/acme/widget`.
ROUTES_OF_REPOSITORY: Final = {
    **{
        f"edition/july.{language}.{shape}.{form}": f"{_EDITION}&language={language}&shape={shape}"
        f"&format={form}"
        for language, shape, form in (
            *(("en", "seed", "md"), ("en", "seed", "txt"), ("en", "seed", "html")),
            *(("en", "inline", "md"), ("en", "inline", "html"), ("zh", "seed", "md")),
            *(("zh", "seed", "html"), ("zh", "inline", "md"), ("zh", "inline", "txt")),
        )
    },
    "edition/july.json": f"{_EDITION}&format=json",
    "edition/july.csv": f"{_EDITION}&format=csv",
    **{
        f"release_edition/{language}.seed.{form}": f"{_RELEASE_EDITION}&language={language}"
        f"&format={form}"
        for language in ("en", "zh")
        for form in ("md", "txt", "html")
    },
    "release_edition/en.inline.md": f"{_RELEASE_EDITION}&shape=inline&format=md",
    "release_edition/edition.json": _RELEASE_EDITION,
    "release_edition/edition.csv": f"{_RELEASE_EDITION}&format=csv",
    "editions/published.json": "/editions",
    "why/28_of_api.json": "/pulls/28/why?releases=core_v0.4.0..core_v0.5.0",
    "why/94_of_api.json": "/pulls/94/why?period=2026-07&tz=Asia/Shanghai",
}


def commands_about(edition: str) -> dict[str, str]:
    """Return what is asked of June's edition, which was published: its record."""
    return {
        "receipt/verify_edition.txt": f"verify {edition}",
        "compare/edition.md": f"report {REPOSITORY} {_JUNE} --compare-edition {edition}",
        "compare/edition.json": f"report {REPOSITORY} {_JUNE} --compare-edition {edition} "
        "--format json",
    }
