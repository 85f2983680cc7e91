"""The cache keeps what was used last, and nothing else."""

import unittest

from expected import app


class CacheTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cache = app.Cache(2)

    def test_oldest_is_forgotten(self) -> None:
        for key in ("a", "b", "c"):
            self.cache.put(key, key.upper())
        self.assertEqual(self.cache.keys(), ["b", "c"])
        self.assertIsNone(self.cache.get("a"))

    def test_reading_is_a_use(self) -> None:
        self.cache.put("a", 1)
        self.cache.put("b", 2)
        self.cache.get("a")
        self.cache.put("c", 3)
        self.assertIn("a", self.cache.keys())
        self.assertNotIn("b", self.cache.keys())

    def test_value_is_not_copied(self) -> None:
        value = ["kept"]
        self.cache.put("a", value)
        self.assertIs(self.cache.get("a"), value)
