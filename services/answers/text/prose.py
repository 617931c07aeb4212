"""Is an answer one sentence about its sources, in the language asked for? Pure.

A model may answer with a refusal, with chatter, in another language, or about something else.
"""

import re
from typing import Final

from events.facts.editions import Language

#: A sentence is prose: no address, mention, mark-up or second line comes through.
_NOT_PROSE: Final = re.compile(r"https?:|www\.|@\w|[<>{}|\n\r]|\]\(")
_ENDS: Final = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?]['\")\]]*\s+(?=[A-Z\"'(])|[。!?](?=\s*\w)"
)
#: A report does not speak of whoever wrote it, and nobody asked it for anything.
_OF_ITSELF: Final = re.compile(
    r"\b(?:I|I'm|I've|I'd|my|me)\b(?!/)|\b[Ss]orry\b|\b[Aa]s an? (?:AI|language model|assistant)\b"
    r"|\b(?:cannot|can't|unable to) (?:help|assist|comply|provide|summari[sz]e|write)\b"
    r"|抱歉|对不起|作为(?:一个)?(?:AI|人工智能|语言模型|助手)|(?<!自)我|请提供|无法(?:提供|完成|回答|总结|协助)"
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]*[A-Za-z0-9]")
#: A word that is a name whatever the language: inner capitals, digits or underscores.
_NAME: Final = re.compile(r".+[A-Z0-9_]")
#: Words are compared by so many letters: `fuses` and `fused` are one.
_STEM: Final = 4
_SHORTEST: Final = 3
#: Beginnings of words that every text has, and such characters.
_EVERYWHERE: Final = re.compile(
    r"the|and|for|are|was|not|has|all|can|its|via|but|now|this|that|with|from|into|have|been|were"
    r"|will|when|then|than|also|more|most|some|such|each|only|both|they|thei|thes|thos|ther|whic"
    r"|whil|afte|befo|abou|betw|[的了在和与为及对是并使更]"
)


def no_sentence(answer: str, plain: str, language: Language) -> list[str]:
    """Return why an answer is no sentence of a report; `plain` is the same, its forms folded."""
    reasons = [
        f"no prose: {match[0].strip() or 'a new line'}" for match in _NOT_PROSE.finditer(plain)
    ]
    reasons += [f"it speaks of itself: {match[0]}" for match in _OF_ITSELF.finditer(plain)]
    if _ENDS.search(plain.strip()):
        reasons.append("more than one sentence")
    characters = len(_HAN.findall(answer))
    if language == "zh" and not characters:
        reasons.append("it is not Chinese")
    if language == "en" and characters:
        reasons.append("it is not English")
    return reasons


def unknown_names(sentence: str, sources: str, language: Language) -> list[str]:
    """Return the names in a sentence that its sources do not have.

    In a Chinese sentence every word in Latin letters is one.
    """
    source_text = sources.casefold()
    words = [match[0] for match in _WORD.finditer(sentence)]
    names = words if language == "zh" else [name for name in words if _NAME.match(name)]
    return [name for name in names if not _begins_a_word(name.casefold(), source_text)]


def _begins_a_word(name: str, source_text: str) -> bool:
    """Tell whether a name, or its singular, stands at the beginning of some word."""
    pattern = rf"(?<![a-z0-9]){re.escape(name.removesuffix('s'))}"
    return re.search(pattern, source_text) is not None


def unrelated(sentence: str, sources: str) -> bool:
    """Tell whether a sentence has no word in common with its sources."""
    return not _stems(sentence) & _stems(sources)


def _stems(text: str) -> set[str]:
    words = (match[0].casefold() for match in _WORD.finditer(text))
    stems = {word[:_STEM] for word in words if len(word) >= _SHORTEST}
    stems.update(_HAN.findall(text))
    return {stem for stem in stems if not _EVERYWHERE.fullmatch(stem)}
