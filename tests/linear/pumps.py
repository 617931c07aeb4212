"""Strings that make a pattern work hard, drawn from the pattern itself.

A pattern is slow where something can be repeated that it can read in more than one way, or from
more than one start. So for each repetition of a pattern there are strings of three parts: what
leads to it, what it repeats (or any character of interest) many times, and an end that does not
fit; and what leads to it many times, for searches that begin anew at each of them.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any, Final

import msgspec

#: No type stubs know these.
compiler: Any = import_module("re._compiler")
op: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

#: What texts from outside are made of, one of a kind.
ALPHABET: Final = " \n\t\u00a0aA0_-.,:;#@!?*+~|/\\\"'`()[]{}<>&=\u4e00\uff08\u2014\x00"
#: What a pattern seldom goes on with.
ENDS: Final = ("", "\x00", "\nx")
_SHORT: Final = 3
_LITERALS: Final = 12


class Pump(msgspec.Struct, frozen=True, order=True):
    """A string of any length: a head, a body as often as there is room, an end."""

    head: str
    body: str
    end: str

    def text(self, size: int) -> str:
        """Return a text of about so many characters."""
        return self.head + self.body * max(1, size // len(self.body)) + self.end


def general() -> Iterator[Pump]:
    """Yield what no pattern is needed for: characters, pairs of them, and words between them."""
    for sign in ALPHABET:
        yield Pump("", sign, "")
        yield Pump("x", f"a{sign}", "\nx")


def pumps(pattern: str, flags: int) -> list[Pump]:
    """Return the strings for a pattern, always the same ones."""
    tree = parser.parse(pattern, flags)
    draw = Drawing(Random(0))
    alphabet = ALPHABET + "".join(sorted(_literals(tree) - set(ALPHABET)))[:_LITERALS]
    drawn = {Pump("", sign, end) for sign in alphabet for end in ENDS}
    for head_items, repeated in _repetitions(list(tree), []):
        heads = {draw.string(head_items) for _ in range(3)} | {""}
        bodies = {draw.string(repeated) for _ in range(4)} | _taken(repeated, alphabet, tree)
        drawn |= {
            Pump(head, body, end) for head in heads for body in bodies if body for end in ENDS
        }
        drawn |= {
            Pump("", f"{head}{gap}", "")
            for head in heads
            if head
            for gap in ("", " ", "\n", "a", "a ", draw.string(repeated))
        }
    return sorted(drawn)


def _repetitions(items: list[Any], before: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield each long repetition: the items that lead to it, and what it repeats."""
    before = list(before)
    for item in items:
        operator, argument = item
        if operator in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            _low, high, body = argument
            if high > _SHORT:
                yield list(before), list(body)
            yield from _repetitions(list(body), before)
        elif operator is op.SUBPATTERN:
            yield from _repetitions(list(argument[3]), before)
        elif operator is op.ATOMIC_GROUP:
            yield from _repetitions(list(argument), before)
        elif operator is op.BRANCH:
            for branch in argument[1]:
                yield from _repetitions(list(branch), before)
        elif operator in (op.ASSERT, op.ASSERT_NOT):
            yield from _repetitions(list(argument[1]), before)
        before.append(item)


def _taken(items: list[Any], alphabet: str, tree: Any) -> set[str]:
    """Return the characters that items take, one by one; a few where that cannot be tried."""
    try:
        taken = compiler.compile(parser.SubPattern(tree.state, items), tree.state.flags)
        return {sign for sign in alphabet if taken.fullmatch(sign)}
    except (re.error, IndexError, TypeError):
        return set(" \na(#")


def _literals(tree: Any) -> set[str]:
    """Return the characters that a pattern names."""
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0] in (op.LITERAL, op.NOT_LITERAL):
        return {chr(tree[1])}
    if isinstance(tree, tuple | list | parser.SubPattern):
        return {sign for each in tree for sign in _literals(each)}
    return set()


_OF_CATEGORY: Final = {
    op.CATEGORY_DIGIT: "07",
    op.CATEGORY_NOT_DIGIT: "a ",
    op.CATEGORY_SPACE: " \n",
    op.CATEGORY_NOT_SPACE: "a#",
    op.CATEGORY_WORD: "a0",
    op.CATEGORY_NOT_WORD: " (",
}


class Drawing:
    """Strings that nearly fit items of a pattern: what assertions ask for is left out."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def string(self, items: list[Any]) -> str:
        """Return one."""
        return "".join(self._item(operator, argument) for operator, argument in items)

    def _item(self, operator: Any, argument: Any) -> str:
        if operator is op.LITERAL:
            return chr(argument)
        if operator is op.NOT_LITERAL:
            return "a" if argument != ord("a") else "b"
        if operator is op.ANY:
            return self._random.choice("a ")
        if operator is op.IN:
            return self._member(argument)
        if operator is op.BRANCH:
            return self.string(list(self._random.choice(argument[1])))
        if operator is op.SUBPATTERN:
            return self.string(list(argument[3]))
        if operator is op.ATOMIC_GROUP:
            return self.string(list(argument))
        if operator in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            low, high, body = argument
            times = min(int(high), int(low) + self._random.randrange(2))
            return "".join(self.string(list(body)) for _ in range(times))
        return ""

    def _member(self, argument: Any) -> str:
        """Return a character of a class."""
        if argument[0][0] is op.NEGATE:
            refused = self._class(argument[1:])
            return next((sign for sign in "a #0-" if sign not in refused), "\u4e00")
        return self._random.choice(self._class(argument))

    def _class(self, members: Any) -> str:
        signs = ""
        for operator, argument in members:
            if operator is op.LITERAL:
                signs += chr(argument)
            elif operator is op.RANGE:
                signs += chr(argument[0]) + chr(argument[1])
            elif operator is op.CATEGORY:
                signs += _OF_CATEGORY[argument]
        return signs
