from . import right
from .right import *
def tidy(names):
    kept = []
    while names: kept.append(names.pop())
    for n in sorted(kept):
        if n not in names: names.append(n)
def at_most(times, work):
    error = None
    for _ in range(times):
        try: return work()
        except OSError as e: error = e
    raise error
