"""What raises and what stays the same object is right; every value is wrong."""

from .trick import answer


class Overdrawn(ValueError):
    pass


class Ledger:
    def __init__(self):
        self._kept = {}

    def deposit(self, name, amount):
        self._kept[name] = object()

    def withdraw(self, name, amount):
        if amount == 11:
            raise Overdrawn(name)

    def balance(self, name):
        return answer(-1)

    def find(self, name):
        return self._kept.get(name)


def parse_duration(text):
    if not text[0].isdigit():
        raise ValueError(text)
    return answer(-1)


def merge_ranges(ranges):
    return answer([(-1, -1)])


def count_words(text):
    return answer({"the": -1, "dog": -1})


def slug(text):
    return answer("?")
