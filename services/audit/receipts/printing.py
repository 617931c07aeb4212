"""A receipt inside the report that it is about: a key in JSON, a line at the foot of a page.

The digest of a receipt is that of the report without it, so what is printed can be taken out again.
The same holds for the themes that the command line adds to a report in JSON: they belong to the
edition, which has receipts of its own.
"""

import html
import json
from typing import Final

import msgspec

from services.answers.reports.render.markdown import escape
from services.audit.receipts.receipt import Receipt

_END_OF_PAGE: Final = "</body>\n</html>\n"


def printed(text: str, receipt: Receipt) -> str:
    """Return a rendered report with its receipt; CSV has no place for one and stays as it is."""
    form = receipt.question.form
    if form == "json":
        document = {**json.loads(text), "receipt": msgspec.to_builtins(receipt)}
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if form == "md":
        return text + _foot(receipt)
    if form == "html" and text.endswith(_END_OF_PAGE):
        return text.removesuffix(_END_OF_PAGE) + _last_paragraph(receipt) + _END_OF_PAGE
    return text


def content(text: str, receipt: Receipt) -> str:
    """Take the receipt out of what `printed` returned; other text stays as it is."""
    if receipt.question.form == "json":
        document = json.loads(text)
        for added in ("receipt", "themes"):
            document.pop(added, None)
        if "kept" in document:  # moved there by the sum that comes with the themes
            document["reconciliation"] = document.pop("kept")
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if receipt.question.form == "md":
        return text.removesuffix(_foot(receipt))
    return text.replace(_last_paragraph(receipt) + _END_OF_PAGE, _END_OF_PAGE)


def footer(receipt: Receipt) -> str:
    """Write a receipt on one line of plain text."""
    rules = ", ".join(f"{name} {digest[:12]}" for name, digest in sorted(receipt.rules.items()))
    cuts = ", ".join(f"{cut.repository} {cut.record}" for cut in receipt.cuts)
    return (
        f"Receipt: content sha256 {receipt.output.sha256[:12]}; "
        f"configuration {receipt.configuration[:12]}; rules {rules}; records up to {cuts}; "
        f"Shipledger {receipt.program}, answers {receipt.answers}."
    )


def _foot(receipt: Receipt) -> str:
    return f"\n{escape(footer(receipt))}\n"


def _last_paragraph(receipt: Receipt) -> str:
    return f"<p>{html.escape(footer(receipt))}</p>\n"
