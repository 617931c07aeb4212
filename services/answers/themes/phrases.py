"""The phrases of titles as people spell them: the material of names. Pure.

Spellings that differ in case, hyphens, spaces or a plural are one phrase: `CUDA graphs`,
`cuda-graph` and `cudagraph`. What a phrase says of a title is only that it is there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from services.answers.themes.words import BRANCH_TAG, STOP_WORDS, without_places

_PORT: Final = re.compile(r"^\s*(?:cp|cherry-?pick)\b[^`]*`(?P<title>[^`]+)`", re.I)
_SCOPE: Final = re.compile(r"^\s*(?:\[(?P<tag>[^\]]+)\]|(?:\w+\((?P<scope>[^)]+)\)!?:))\s*:?")
_PREFIX: Final = re.compile(r"^\s*(?P<prefix>[^:`(\[]{2,25}):\s")
_BREAK: Final = re.compile(r"[,;:()\[\]{}\"“”`'…!?/&+=<>|]|\s-+\s|\.(?:\s|$)|#\d+|--[\w-]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-_.’][^\W_]+)*")
_LONGEST: Final = 2
#: What says how or where in the code, and not what about; beside the words that titles are full of.
_VAGUE_TEXT: Final = """
access across adding additional after all allocate apis arg args argument arguments around assert
attempt automated avoids based basic before being best better both branch broken build builds bump
call cancel case cases change check cherry-pick ci class close common compatibility compose compute
configs configurable core correctness cp crash custom debug default defaults deprecate deprecated
dev different docs documentation downgrade due duplicate during dynamic each empty enabled erroneous
every example examples exclude existing experimental explicit expose extend external extra fail
failure failures fallback feature features file files final first flag flags follow-up format
forward found full gate general generic golden guard guide handles has have helper helpers high
hotfix how id implementation improve improved improvements improves incorrect increase initial input
integration internal into invalid issues its keep key large last latest leak legacy let link local
log long low main make makes manual mark message minor misc missing models modules more mr multiple
name names native nightly non none number old one only optimize optimized option optional options
other output outputs own parameters params parity part part1 parts path paths per per-token perf
performance pointer port post pre prefix problem proper properly provide public python race raw
readme real recipe recipes recommended reduce redundant refactoring related release respect restore
reuse rid run runs safe same script scripts separate setup shape shared should side simple single
size skip small specific split src stable step steps still style suite support sync tag temporary
test text than their them time tool tools true turn two type types understands undo unit unused
upgrade usage use user util utils value values variable various version versions via warning wide
wire wiring wise within without workaround wrapper wrong changelog chloggen newsfragment
"""
#: Files by their endings; `.js` is also how frameworks are written.
_FILES: Final = (
    *(".py", ".md", ".rst", ".txt", ".go", ".mod", ".sum", ".rs", ".c", ".cc", ".cpp", ".cu"),
    *(".h", ".hpp", ".java", ".ts", ".tsx", ".sh", ".json", ".toml", ".yaml", ".yml", ".lock"),
    *(".cfg", ".ini", ".xml", ".proto"),
)
_VERSION: Final = re.compile(r"v\d+(?:\.\w+)+")
_VAGUE: Final = frozenset(_VAGUE_TEXT.split()) | STOP_WORDS
#: What says something only beside another word: `process group`, `model builder`.
_HALVES_TEXT: Final = """
accumulation agent api backward batch buffer builder capture config configuration context data
dict dtype engine fused gpu grad group head hidden hook layer layout list loss mode model module
param parameter parser phase preparation process schedule server state strategy submodule tensor
token training transformer weight worker
"""
_HALVES: Final = frozenset(_HALVES_TEXT.split())


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """A phrase of a title: `key` is the same for all its spellings."""

    key: str
    spelling: str
    is_scope: bool
    #: A title begins with a capital that says nothing of how the word is written.
    is_first: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The keys of its words."""
        return tuple(folded(word) for word in self.spelling.split())


def folded(text: str) -> str:
    """Return a text without case, hyphens, spaces and the plural of its last word."""
    low = re.sub(r"[\W_]+", "", text.lower())
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low


def phrases(title: str) -> dict[str, Phrase]:
    """Return the phrases of a title by key: its scopes, its telling words, and their pairs."""
    scopes, rest = _scopes(without_places(title))
    by_key: dict[str, Phrase] = {}
    for nth, segment in enumerate(_BREAK.split(rest)):
        tokens = _TOKEN.findall(segment)
        for length in range(1, _LONGEST + 1):
            for at in range(len(tokens) - length + 1):
                words = tokens[at : at + length]
                if _tell(words):
                    phrase = _phrase(" ".join(words), is_first=nth == 0 and at == 0)
                    by_key.setdefault(phrase.key, phrase)
    for scope in scopes:
        words = _TOKEN.findall(scope)
        if words and len(words) <= _LONGEST and _tell(words):
            phrase = _phrase(" ".join(words), is_scope=True)
            by_key[phrase.key] = phrase
    return by_key


def spellings(titles: Iterable[Mapping[str, Phrase]]) -> dict[str, str]:
    """Return how each phrase is written: as most write it, with capitals where they mean it.

    Capitals inside (`MoE`, `FSDP`) are meant where one in five has them; those of a first letter
    where most have them.
    """
    counts_by_key: dict[str, Counter[str]] = {}
    for title in titles:
        for phrase in title.values():
            weak = phrase.is_first and phrase.spelling[1:] == phrase.spelling[1:].lower()
            written = phrase.spelling[0].lower() + phrase.spelling[1:] if weak else phrase.spelling
            counts_by_key.setdefault(phrase.key, Counter())[written] += 1
    spelled = {key: _best_spelling(counts) for key, counts in counts_by_key.items()}
    return {key: _joined(written, spelled) for key, written in spelled.items()}


def _best_spelling(counts: Counter[str]) -> str:
    meant = {word: n for word, n in counts.items() if word[1:] != word[1:].lower()}
    among = meant if 5 * sum(meant.values()) >= counts.total() else counts
    # a phrase that is written with a space is read more easily than one without
    return max(sorted(among), key=lambda word: (among[word], " " in word))


def _joined(written: str, spelled: Mapping[str, str]) -> str:
    """Write the words of a pair as each is written alone."""
    words = written.split()
    return (
        " ".join(spelled.get(folded(word), word) for word in words) if len(words) > 1 else written
    )


def _scopes(title: str) -> tuple[list[str], str]:
    port = _PORT.match(title)
    rest = BRANCH_TAG.sub("", port["title"] if port else title)
    scopes = []
    while match := _SCOPE.match(rest):
        scopes += re.split(r"[,/]", match["tag"] or match["scope"])
        rest = rest[match.end() :]
    if match := _PREFIX.match(rest):
        scopes.append(match["prefix"])
        rest = rest[match.end() :]
    return scopes, rest


def _phrase(spelling: str, *, is_scope: bool = False, is_first: bool = False) -> Phrase:
    key = "".join(folded(word) for word in spelling.split())
    return Phrase(key=key, spelling=spelling, is_scope=is_scope, is_first=is_first)


def _tell(words: Sequence[str]) -> bool:
    """Return whether words say what a title is about, being no more than joined and doing."""
    lone_half = len(words) == 1 and _is_half(words[0])
    return not lone_half and not any(_is_vague(word) for word in words)


def _is_vague(word: str) -> bool:
    low = word.lower()
    known = low in _VAGUE or folded(low) in _VAGUE
    # an identifier names a place in the code, and a file too
    is_code = "_" in low or low.endswith(_FILES)
    is_version = low[0].isdigit() or _VERSION.fullmatch(low) is not None
    return known or is_code or len(low) < 2 or is_version


def _is_half(word: str) -> bool:
    return word.lower() in _HALVES or folded(word) in _HALVES
