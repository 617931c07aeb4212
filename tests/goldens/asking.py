"""Questions in, golden files out: names, bytes, and an index of what was asked."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import msgspec

from tests.goldens.masking import masked
from tests.goldens.program import Answer, Program

#: The file in which each answer stands with its question and what came beside it.
INDEX: Final = "index.txt"
DIGESTS: Final = "digests.json"


@dataclass
class Pinned:
    """The files of one data set. A name asked for twice must get the same bytes twice."""

    names: Mapping[str, str] = field(default_factory=dict)
    """See `masked`."""
    digested: frozenset[str] = frozenset()
    """Names of answers that are too large to keep: their digest is pinned, with their size."""
    files: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    index: list[str] = field(default_factory=list)

    def commands(self, program: Program, questions: Mapping[str, str]) -> None:
        """Pin what commands print, and beside it what they say on standard error."""
        for name, line in questions.items():
            answer = program.run(*shlex.split(line))
            self._index(name, f"shipledger {line}", answer)
            if answer.body or not answer.errors:
                self.put(name, answer.body)
            if answer.errors:
                self.put(f"{name}.stderr.txt", answer.errors)

    def routes(self, program: Program, questions: Mapping[str, str], below: str = "") -> None:
        """Pin what routes answer; `below` stands before each address."""
        addresses = [f"{below}{address}" for address in questions.values()]
        for (name, address), answer in zip(questions.items(), program.get(addresses), strict=True):
            self._index(name, f"GET {below}{address}", answer)
            self.put(name, answer.body)

    def _index(self, name: str, question: str, answer: Answer) -> None:
        question = masked(question, self.names)
        self.index.append(f"{name}\n    {question}\n    {answer.beside}\n")

    def put(self, name: str, body: bytes) -> None:
        """Pin bytes. JSON on one line is unfolded to be read, and the index says so."""
        text = masked(body.decode(), self.names)
        if name in self.digested:
            digest = sha256(text.encode()).hexdigest()
            self._put(self.digests, name, f"{len(text.encode())} bytes, sha256 {digest}")
            return
        if name.endswith(".json") and "\n" not in text:
            if msgspec.json.format(text, indent=-1) != text:
                raise AssertionError(f"{name}: one line, and not compact")
            self.index.append("    compact JSON, unfolded here\n")
            text = msgspec.json.format(text, indent=2) + "\n"
        self._put(self.files, name, text)

    @staticmethod
    def _put(kept: dict[str, str], name: str, text: str) -> None:
        if kept.setdefault(name, text) != text:
            raise AssertionError(f"{name}: asked in two ways, and answered in two")

    def all(self) -> dict[str, str]:
        """Return the files by name, with the index."""
        found = {**self.files, INDEX: "".join(self.index)}
        if self.digests:
            found[DIGESTS] = msgspec.json.format(msgspec.json.encode(self.digests)).decode() + "\n"
        return found
