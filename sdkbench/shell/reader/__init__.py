"""Text → tree: a cursor, the modules that move it, and the nodes."""
