"""Builds and tests Java projects inside the sandbox."""
