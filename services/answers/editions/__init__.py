"""Editions: the report of a period as it is published, in sections and themes, and its past."""
