"""What is left of a title once its links and owners are out, without the words that led to them.

"Decoding (#1, #2, contact: @a)" is "Decoding", "Kernels, tracked in #3" is "Kernels", "Fix by @a in
#4" is "Fix". Each pattern looks at a bounded stretch, so that the work grows with the text alone.
"""

import re
from typing import Final

GAP: Final = "\ufffc"
"""Stands where a link or an owner was."""

_SMALL: Final = (
    r"see(?: also)?|by|via|in|at|of|for|from|to|on|with|per|cf\.?|and|or|plus|also|through|under"
    r"|within|into|as|e\.g\.|i\.e\."
)
_PASSIVE: Final = (
    r"tracked|tracking|implemented|landed|merged|done|discussed|described|continued|closed|fixed"
    r"|superseded|replaced|owned|led|driven|proposed|contributed|authored|requested|reported|handled"
    r"|covered|thanks|depends|depending|based|part|related"
)
_LABEL: Final = (
    r"PRs?|MRs?|pull requests?|merge requests?|issues?|tickets?|tracker|tracking issue|meta"
    r"|umbrella|epic|follow-?up|work|close[sd]?|closing|fix(?:es|ed)?|resolve[sd]?|refs?|references?|implement(?:s|ed)?|addresses"
    r"|contacts?|owners?|assignees?|reviewers?|authors?|lead|dri|poc|cc|credits?|thanks|links?|here|this"
    r"|more|others|etc\.?|requires|blocked|depends|needs|after|before|supersedes|replaces"
)
_SMALL_ZH: Final = "请?参?详?见|参考|和|与|及|或|由|已?被|在|于|通过|跟踪"
_JOIN: Final = r"[,;/|&+、，；·→-]|and|or|和|与|及"

_SPACES: Final = re.compile(r"\s+")
_RUN: Final = re.compile(rf"{GAP}(?: ?(?:{_JOIN})? ?(?:and |or )?{GAP})+", re.I)
_GROUP: Final = re.compile(r"[(\[（【{<]([^()\[\]（）【】{}<>]*)[)\]）】}>]")
_SPLIT: Final = re.compile(r"([,;，、；])")
_QUIET: Final = re.compile(
    rf"{GAP}|(?<!\w)(?:{_SMALL}|{_PASSIVE}|{_LABEL})(?!\w)|{_SMALL_ZH}|[\W_]", re.I
)
_LABELLED: Final = re.compile(rf"[^:：]{{1,30}}[:：]\s?{GAP}[\W_]*")
_LED: Final = re.compile(
    rf"(?:(?<!\w)(?:(?:{_PASSIVE}) )?(?:{_SMALL}|PRs?|MRs?|pull requests?) |(?:{_SMALL_ZH}) ?"
    rf"|(?<= )[&+/|→=] ){{0,4}}(?:\" ?{GAP} ?\"|“ ?{GAP} ?”|' ?{GAP} ?'|{GAP})"
    rf"(?= ?(?:$|[,;.:!?，。；：)\]}}）】—–-]|{GAP}|(?:{_SMALL})(?!\w)))",
    re.I,
)
_OWNED: Final = re.compile(rf"{GAP}(?:['’]s(?!\w))?")
_BEFORE_SIGN: Final = re.compile(r" (?=[,;:.)\]!?，、；。：）】])")
_AFTER_OPEN: Final = re.compile(r"(?<=[(\[（【]) +")
_DOUBLED: Final = re.compile(r"([,;，、；])(?: ?[,;，、；])+")
_EMPTY: Final = re.compile(r"(?<!\w)[(\[（【] ?(?:[,;，、] ?)?[)\]）】]")
_LEFT: Final = " \t\n—–-:：,，、;；|·→*)]）】"
_RIGHT: Final = " \t\n—–-:：,，、;；|·→*([（【"
_NESTED: Final = 3


def tidied(text: str) -> str:
    """Return a text without its gaps, and without what only led to them."""
    text = _SPACES.sub(" ", text.replace("\ufe0f", ""))
    if GAP in text:
        text = _RUN.sub(GAP, text)
        for _ in range(_NESTED):
            text = _GROUP.sub(_group, text)
        text = _OWNED.sub("", _LED.sub("", _pieces(text)))
    for _ in range(_NESTED):
        text = _EMPTY.sub(" ", text)
    text = _BEFORE_SIGN.sub("", _DOUBLED.sub(r"\1", _SPACES.sub(" ", text)))
    return _AFTER_OPEN.sub("", text).lstrip(_LEFT).rstrip(_RIGHT)


def is_quiet(text: str) -> bool:
    """Tell whether a text says nothing but that something else is there: "PR", "see also"."""
    return not _QUIET.sub("", text)


def _group(match: re.Match[str]) -> str:
    inside = match[1]
    if GAP not in inside:
        return match[0]
    kept = _pieces(inside)
    kept = _OWNED.sub("", _LED.sub("", kept)).strip(" ,;，、；:：—–-")
    return f"{match[0][0]}{kept}{match[0][-1]}" if not is_quiet(kept) else ""


def _pieces(text: str) -> str:
    """Leave out what between commas says nothing without its gap."""
    parts = _SPLIT.split(text)
    kept = ""
    for at in range(0, len(parts), 2):
        piece = parts[at]
        gone = GAP in piece and (is_quiet(piece) or _LABELLED.fullmatch(piece.strip()))
        if gone and at:
            continue
        if gone and len(parts) > 1:
            piece = ""
        kept += (parts[at - 1] if at and kept else "") + (piece.lstrip() if not kept else piece)
    return kept
