"""Roman numbers, leap years and settings."""

import unittest

from expected import app


class RomanTest(unittest.TestCase):
    def test_subtractive_forms(self) -> None:
        self.assertEqual(app.roman(1994), "MCMXCIV")
        self.assertEqual(app.roman(48), "XLVIII")

    def test_zero_has_no_form(self) -> None:
        with self.assertRaises(ValueError):
            app.roman(0)


class SettingsTest(unittest.TestCase):
    def test_blanks_do_not_count(self) -> None:
        settings = app.parse_settings("mode = fast; depth=3;mode=slow")
        self.assertEqual(settings, {"mode": "slow", "depth": "3"})

    def test_part_without_sign_is_refused(self) -> None:
        self.assertRaises(app.Malformed, app.parse_settings, "mode=fast; depth")
        with self.assertRaisesRegex(app.Malformed, "depth") as caught:
            app.parse_settings("depth")
        self.assertIn(app.Malformed, type(caught.exception).__mro__)


class LeapTest(unittest.TestCase):
    def test_centuries(self) -> None:
        self.assertTrue(app.is_leap(2000))
        self.assertFalse(app.is_leap(1900))
