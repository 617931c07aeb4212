"""What may differ between two versions of the program that answer alike, and nothing else.

Clocks, ids and authors are not here: they are made stable by setting them. Order of keys and white
space stay as they are. Each pattern keeps its first and last group, and masks what is between.
"""

import re
from collections.abc import Mapping
from typing import Final

_HEX16: Final = "[0-9a-f]{16}"
_HEX64: Final = "[0-9a-f]{64}"

#: Each with the reason why it cannot be made stable.
PATTERNS: Final = tuple(
    (re.compile(before + f"({what})" + after), mask)
    for before, what, after, mask in (
        # The answer version is a digest of the source files: it changes with every refactoring.
        ('("answers": ?")', _HEX16, '(")', "ANSWERS"),
        ("(, answers )", _HEX16, r"(\b)", "ANSWERS"),
        ("(answer version )", _HEX16, r"(\b)", "ANSWERS"),
        # The version of the program, as receipts print it.
        ('("program": ?")', "[^\"]+", '(")', "PROGRAM"),
        ("(; Shipledger )", r"[0-9][^,]*", "(, answers )", "PROGRAM"),
        # A receipt's seal is a digest of the two above, among others.
        ('("seal": ?")', _HEX64, '(")', "SEAL"),
        # The digest of all settings with their defaults: each new setting changes it.
        ('("configuration": ?")', _HEX64, '(")', "CONFIGURATION"),
        ("(configuration )", "[0-9a-f]{12}", "(; rules )", "CONFIGURATION"),
        # The last record of the settings' partition, whose id is derived from them and the rules.
        (
            r'("repository": ?"github\.com",\s*"record": ?")', "[0-9a-f]{32}", '(")',
            "CONFIGURATION-RECORD",
        ),
        (r"(, github\.com )", "[0-9a-f]{32}", "(; Shipledger )", "CONFIGURATION-RECORD"),
    )
)  # fmt: skip


def masked(text: str, names: Mapping[str, str]) -> str:
    """Return the text without what only the version decides.

    `names` are ids whose making rests on the answer version (a published edition's record holds
    it), each with the word to write instead.
    """
    for pattern, mask in PATTERNS:
        text = pattern.sub(rf"\g<1>{mask}\g<3>", text)
    for found, word in names.items():
        text = text.replace(found, word)
    return text
