"""Editions about a release: what it brings against another one, by inclusion and never by dates."""
