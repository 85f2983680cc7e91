"""A working folder with samples, for commands over stored runs."""

from tests.support.run_samples import place

__all__ = ["place"]
