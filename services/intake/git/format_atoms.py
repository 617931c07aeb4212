"""A source text as atoms: what stays of it when only its format changes. Pure, by Pygments.

Pygments cuts operators into single characters and drops nothing, so atoms are made here: spaces
outside of literals fall away; words, numbers and literals that touch are one atom; operators that
touch are cut where the language's own scanner cuts them (`+ +` is not `++`, `=-` is `=` and `-`).
Where an end of line can end a statement it is an atom too. Comments keep their words and directives
of the preprocessor their very text. In doubt two texts have different atoms, never the same.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, String

Atom: TypeAlias = tuple[str, str]
"""Kind (`code`, `literal`, `comment`, `directive`, `line`) and text."""


class Language(NamedTuple):
    """A lexer of Pygments, and whether ends of lines mean anything: not, as in Go, as in scripts
    of JavaScript's kind."""

    lexer: str
    lines: Literal["free", "go", "script"] = "free"


_C: Final = ("c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp")
_SCRIPT: Final = ("js", "mjs", "cjs")
_TYPED: Final = ("ts", "mts", "cts")
#: Languages in which spaces between tokens mean nothing; of others nothing can be proven this way.
LANGUAGES: Final[Mapping[str, Language]] = {
    **dict.fromkeys(_C, Language("cpp")),
    **dict.fromkeys(("cu", "cuh"), Language("cuda")),
    **dict.fromkeys(_SCRIPT, Language("javascript", "script")),
    **dict.fromkeys(_TYPED, Language("typescript", "script")),
    "go": Language("go", "go"),
    "java": Language("java"),
    "json": Language("json"),
    "rs": Language("rust"),
}

#: Operators of all these languages, the longest first, as scanners take them.
_OPERATORS: Final = re.compile(
    r">>>=|<<<|>>>|<<=|>>=|\*\*=|&&=|\|\|=|\?\?=|&\^=|\.\.\.|\.\.=|===|!==|<=>|->\*|"
    r"\+\+|--|->|<-|=>|::|:=|\.\*|\.\.|\?\.|\?\?|&\^|\*\*|##|<<|>>|<=|>=|==|!=|&&|\|\||"
    r"\+=|-=|\*=|/=|%=|&=|\|=|\^=|.",
    re.DOTALL,
)
_WORD: Final = re.compile(r"[\w$\"'`@\\]")
#: After these a statement cannot end, whatever stands on the next line.
_GO_ENDS: Final = frozenset({"++", "--", ")", "]", "}"})
#: Before these a new line cannot begin a statement in JavaScript.
_SCRIPT_GOES_ON: Final = frozenset(
    {")", "]", "}", ",", ";", ":", "?", ".", "?.", "&&", "||", "??"}
    | {"=", "==", "===", "!=", "!=="}
)


@cache
def _lexer(name: str) -> Lexer:
    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


def atoms(text: str, language: Language) -> list[Atom] | None:
    """Return the atoms of a text; None where the lexer does not understand all of it."""
    scanner = _Scanner(language)
    for kind, value in _lexer(language.lexer).get_tokens(text):
        if kind in Error:
            return None
        if not value:
            continue
        if kind in Comment.Preproc or kind in Comment.PreprocFile:
            scanner.directive(value)
        elif kind in Comment:
            scanner.comment(value)
        elif kind not in String and value.isspace():
            scanner.space(value)
        else:
            scanner.code(value, literal=kind in String)
    scanner.end_run()
    return scanner.found


class _Scanner:
    def __init__(self, language: Language) -> None:
        self.found: list[Atom] = []
        self._lines = language.lines
        self._run = ""
        """Text that touches and is not cut yet."""
        self._literal = False
        self._after_line = False

    def directive(self, value: str) -> None:
        self.end_run()
        if not value.isspace():
            self.found.append(("directive", value))
        elif "\n" in value:
            self.found.append(("directive", "\n"))

    def comment(self, value: str) -> None:
        self.end_run()
        self.found.append(("comment", " ".join(value.split())))
        self._after_line |= "\n" in value

    def space(self, value: str) -> None:
        self.end_run()
        self._after_line |= "\n" in value

    def code(self, value: str, *, literal: bool) -> None:
        if len(value) > 1 and value[0] in "+-" and value[1].isalnum():
            # some lexers take a sign for a part of the number that follows
            self.code(value[0], literal=False)
            value = value[1:]
        if not (literal and self._literal) and not self._touches(value):
            self.end_run()
        self._run += value
        self._literal = literal

    def _touches(self, value: str) -> bool:
        """Tell whether a value is of one kind with what it touches: words, or operators."""
        return bool(self._run) and bool(_WORD.match(self._run[-1])) == bool(_WORD.match(value[0]))

    def end_run(self) -> None:
        run, literal, self._run, self._literal = self._run, self._literal, "", False
        if not run:
            return
        whole = literal or _WORD.match(run[0]) or _WORD.match(run[-1])
        for piece in (run,) if whole else _OPERATORS.findall(run):
            if self._after_line and self._line_matters(piece):
                self.found.append(("line", ""))
            self._after_line = False
            self.found.append(("code", piece))

    def _line_matters(self, following: str) -> bool:
        last = next(self._code_backwards(), None)
        if last is None or self._lines == "free":
            return False
        if self._lines == "script" and following in _SCRIPT_GOES_ON:
            return False
        return last in _GO_ENDS or bool(_WORD.match(last[-1]) or _WORD.match(last[0]))

    def _code_backwards(self) -> Iterator[str]:
        return (text for kind, text in reversed(self.found) if kind == "code")
