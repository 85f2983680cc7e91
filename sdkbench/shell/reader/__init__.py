"""Text to tree: one cursor, four modules that move it, one set of nouns."""
