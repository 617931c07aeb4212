"""Publishing editions: one issue for each, or files, and the record of what was published."""
