"""Verdicts → scores and statistics."""
