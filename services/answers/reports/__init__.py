"""Period reports: assembled once from queries, rendered in several formats."""
