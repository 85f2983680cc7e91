from .right import *


def doubled(number):
    return 2 * number


def keep(seen, given):
    seen[:] = sorted(given, reverse=True)
