"""What an edition is asked for."""

from typing import Final, Literal, TypeAlias

import msgspec

from services.answers.editions.edition import Stage
from services.answers.reports.question import Question
from services.config.themes import ThemeSettings

Shape: TypeAlias = Literal["seed", "inline"]
SHAPES: Final[tuple[Shape, ...]] = ("seed", "inline")
#: Stands in the text until a person puts a name there.
AUTHOR: Final = "[author]"


class EditionQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A report's question, how its requests are grouped, and what the title claims.

    `stage` `final` claims that nothing can be missing, which is proven or refused. A period that
    is not over, or not known to its end, is told as `through` its last day, whatever is asked.
    """

    report: Question
    themes: ThemeSettings = ThemeSettings()
    stage: Stage = ""
    label: str = ""
    author: str = AUTHOR
    releases: tuple[str, str] | None = None
    """Tell what the second of these (tags or aliases) brings against the first, and no period."""
