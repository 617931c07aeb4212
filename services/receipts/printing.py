"""A receipt inside the report that it is about: a key in JSON, a line at the foot of a page.

The digest of a receipt is that of the report without it, so what is printed can be taken out again.
"""

import json
from typing import Final

import msgspec

from services.receipts.receipt import Receipt

_END_OF_PAGE: Final = "</body>\n</html>\n"


def printed(text: str, receipt: Receipt) -> str:
    """Return a rendered report with its receipt; CSV has no place for one and stays as it is."""
    form = receipt.question.form
    if form == "json":
        document = {**json.loads(text), "receipt": msgspec.to_builtins(receipt)}
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if form == "md":
        return f"{text}\n{footer(receipt)}\n"
    if form == "html" and text.endswith(_END_OF_PAGE):
        return f"{text.removesuffix(_END_OF_PAGE)}<p>{footer(receipt)}</p>\n{_END_OF_PAGE}"
    return text


def footer(receipt: Receipt) -> str:
    """Write a receipt on one line, as text that is the same in Markdown and HTML."""
    rules = ", ".join(f"{name} {digest[:12]}" for name, digest in sorted(receipt.rules.items()))
    cuts = ", ".join(f"{cut.repository} {cut.record}" for cut in receipt.cuts)
    return (
        f"Receipt: content sha256 {receipt.output.sha256[:12]}; "
        f"configuration {receipt.configuration[:12]}; rules {rules}; records up to {cuts}; "
        f"Shipledger {receipt.program}, answers {receipt.answers}."
    )


def content(text: str, receipt: Receipt) -> str:
    """Take the receipt out of what `printed` returned; other text stays as it is."""
    if receipt.question.form == "json":
        document = json.loads(text)
        document.pop("receipt", None)
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if receipt.question.form == "md":
        return text.removesuffix(f"\n{footer(receipt)}\n")
    return text.replace(f"<p>{footer(receipt)}</p>\n{_END_OF_PAGE}", _END_OF_PAGE)
