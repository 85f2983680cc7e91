"""Builds and tests Go projects inside the sandbox."""
