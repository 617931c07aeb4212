"""Tables of the documents that are made from the code; `make docs` writes them anew."""

from typing import Final

from prometheus_client import CollectorRegistry

from services.runtime.telemetry import Metrics
from tests.places import ROOT

OPERATIONS: Final = ROOT / "docs/operations.md"
_BEGIN: Final = "<!-- metrics: made by `make docs` -->\n"
_END: Final = "<!-- end of metrics -->"


def metrics_table() -> str:
    """Return the table of all metrics: name as it is scraped, type, help."""
    registry = CollectorRegistry()
    Metrics(registry)
    rows = [
        f"| `{each.name}{'_total' if each.type == 'counter' else ''}` | {each.type} | "
        f"{each.documentation} |"
        for each in registry.collect()
    ]
    return "\n".join(["| name | type | meaning |", "|---|---|---|", *rows]) + "\n"


def with_tables(text: str) -> str:
    """Return a document with its tables as they should be."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{metrics_table()}\n{_END}{after}"


if __name__ == "__main__":
    OPERATIONS.write_text(with_tables(OPERATIONS.read_text("utf-8")), "utf-8")
