"""Roadmaps for people and machines: questions, documents, pages, proposals, decisions."""
