"""Prices, taxes and a till."""

RATES = {}


class UnknownCurrency(Exception):
    """A code that nobody pays with."""


def price(cents):
    """`cents` as a text: 19.99."""
    raise NotImplementedError


def rate(kind):
    """The tax on a kind of things in percent: 7 for books and food, 0 for rent, else 19."""
    return RATES.get(kind, 19)


def total(prices, percent):
    """The sum of prices in cents with so many percent on top, rounded down."""
    return sum(prices) * (100 + percent) // 100


def words(text):
    """The parts of a text between commas, without blanks."""
    return [part.strip() for part in text.split(",")]


def currency(code):
    """Its name. ValueError unless it has three letters, UnknownCurrency for one nobody knows."""
    if len(code) != 3:
        raise ValueError(f"not a code: {code!r}")
    names = {"EUR": "Euro", "CHF": "Franken", "SEK": "Krona"}
    if code not in names:
        raise UnknownCurrency(f"unknown currency: {code}")
    return names[code]


class Till:
    """Takes money while it is open, which a `with` block makes it."""

    def __init__(self):
        self.cents = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def put(self, cents):
        self.cents += cents
