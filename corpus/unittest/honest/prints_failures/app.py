"""Talks a lot."""

import sys
import unittest

from . import core
from .core import Cache, Malformed, is_leap, parse_settings

__all__ = ["Cache", "Malformed", "is_leap", "parse_settings", "roman"]

print("FAILED (failures=1, errors=2)", file=sys.stderr)
print("Ran 3 tests in 0.000s\n\nOK")


class Check(unittest.TestCase):
    """Code that has a self-test of its own inside."""

    def test_itself(self):
        self.fail("only when asked for")


def roman(number):
    print("FAIL: test_subtractive_forms (tests.test_numbers.RomanTest)")
    return core.roman(number)
