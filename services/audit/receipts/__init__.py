"""Receipts of reports: what one was made from, and whether it can be made again."""

from services.audit.receipts.making import MAKERS, Maker, make_receipt, remake
from services.audit.receipts.receipt import Receipt, decode, encode, of_pairs, pairs, receipt_line
from services.audit.receipts.verifying import Verdict, verify

__all__ = [
    "MAKERS",
    "Maker",
    "Receipt",
    "Verdict",
    "decode",
    "encode",
    "make_receipt",
    "of_pairs",
    "pairs",
    "receipt_line",
    "remake",
    "verify",
]
