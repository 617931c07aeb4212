"""Carries commands that only ask out in a running process, for those who called them elsewhere."""

import io
from collections.abc import Callable
from typing import Final

from services.cli.catalog import asks
from services.cli.commands import run_expecting
from services.cli.served import NotHere, Served, serving
from services.documents.terminal import PIPE, Terminal
from services.runtime.question_server import Answer, Answerer, Question
from services.stream.stores import Stores

_OUT: Final = 1
_ERR: Final = 2


class _Said(io.StringIO):
    """A stream of the caller's; what is written to it is kept, in one order with its other one."""

    def __init__(self, keep: Callable[[str], None], *, terminal: bool) -> None:
        super().__init__()
        self._keep = keep
        self._terminal = terminal

    def write(self, text: str) -> int:
        """See `io.StringIO.write`."""
        self._keep(text)
        return len(text)

    def isatty(self) -> bool:
        """See `io.IOBase.isatty`."""
        return self._terminal


def answerer_on(stores: Stores) -> Answerer:
    """Return what answers commands on these stores.

    It raises NotHere, or what went wrong, where the process that was called has to do it.
    """

    def answer(question: Question) -> Answer:
        if not asks(question.arguments):
            raise NotHere("it does not only ask")
        said: list[tuple[int, str]] = []
        place = Served(
            out=_Said(lambda text: said.append((_OUT, text)), terminal=question.out),
            err=_Said(lambda text: said.append((_ERR, text)), terminal=question.err),
            terminal=_terminal(question),
            folder=question.folder,
            data=question.data,
            stores=stores,
        )
        with serving(place):
            code = run_expecting(question.arguments)
        return Answer(code=code, said=tuple(said))

    return answer


def _terminal(question: Question) -> Terminal:
    if not question.out:
        return PIPE
    return Terminal(width=question.width, colours=question.colours)
