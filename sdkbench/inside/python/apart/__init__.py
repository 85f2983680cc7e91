"""Tests and solution in two processes: what passes between them, and what stands in for whom."""
