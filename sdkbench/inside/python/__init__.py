"""Builds and tests Python projects inside the sandbox."""
