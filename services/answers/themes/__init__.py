"""Themes: configured rules first, the rest clustered from titles, paths and authors."""
