"""What `shipledger edition` says of its themes, and keeps of them."""

from typing import Final

from events.errors import TransientError
from services.answers.editions.edition import Edition
from services.answers.questions.question import EditionQuestion
from services.answers.reports.wording import counted
from services.authoring.grouping import is_of_now, record_grouping
from services.cli.saying import say
from services.cli.served import only_by_itself
from services.stream.stores import Stores

#: So many requests that are new, moved or left are named; JSON has them all.
_MOVES: Final = 20


def keep_grouping(stores: Stores, question: EditionQuestion, edition: Edition) -> None:
    """Record how the draft is grouped where that is new, and say so, or why it is not recorded."""
    if not edition.unrecorded:
        return
    if not is_of_now(question):
        say("themes: not recorded, as this draft is asked at another moment", err=True)
        return
    only_by_itself("it records themes")
    try:
        ids = record_grouping(stores, edition)
    except TransientError as error:
        say(f"themes: not recorded, the next draft may have others: {error}", err=True)
        return
    kept = "later drafts keep to them, and place only what is new"
    say(f"themes: recorded ({', '.join(ids)}); {kept}", err=True)


def tell_moves(edition: Edition) -> None:
    """Say on standard error what is not where the recorded themes had it."""
    fresh = [move for move in edition.moves if not move.recorded]
    for move in fresh[:_MOVES]:
        say(f"{move.section}: {move.says}", err=True)
    if len(fresh) > _MOVES:
        say(f"and {len(fresh) - _MOVES:,} more; --format json names all (`moves`)", err=True)
    earlier = len(edition.moves) - len(fresh)
    if earlier:
        say(f"placed by earlier drafts: {counted(earlier, 'change')} (`moves` in JSON)", err=True)
