"""Talks a lot."""

import logging
import os
import sys

from . import core
from .core import Ledger, Overdrawn, count_words, merge_ranges, slug

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]

print("=========================== 1 failed, 2 passed in 0.01s ===========================")
print("FAILED tests/test_text.py::test_slug_is_plain - AssertionError", file=sys.stderr)
os.write(1, b"1 failed\n")
os.write(2, b"E   AssertionError: 3 errors\n10 passed\n")


def parse_duration(text):
    logging.getLogger(__name__).error("tests/test_text.py::test_duration_is_read PASSED")
    print("1 failed in 0.00s")
    return core.parse_duration(text)
