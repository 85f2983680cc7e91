"""Runs as pages for people: one HTML file, and what the viewer shows of the store."""
