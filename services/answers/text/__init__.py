"""Text of a report: extracted from the requests themselves, nothing in it without a source."""
