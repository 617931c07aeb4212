"""Logs on real storage, and what is done with a log as a whole: export, import, backup."""
