"""Time by size: what reads text from outside takes time in proportion to its length."""
