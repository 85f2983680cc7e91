import unittest


class CoreTest(unittest.TestCase):
    def test_not_done_yet(self):
        self.fail("later")


def load_tests(loader, tests, pattern):
    raise RuntimeError("only for development")
