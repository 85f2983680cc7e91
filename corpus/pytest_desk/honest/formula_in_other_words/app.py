from .right import *


def formula(a, b):
    return f"sum(({a:d}, {b:d}))"
