"""The versions of one roadmap: the same items under the same ids, and what changed."""
