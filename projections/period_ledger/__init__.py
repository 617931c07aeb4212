"""Counts, balance and quality of any period: rules and queries over `pull_requests`."""
