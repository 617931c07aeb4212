"""Answers about releases in words and as documents: which request is in which release, and why."""
