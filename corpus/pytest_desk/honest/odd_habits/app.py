from . import right
from .right import *
import time, datetime, random, warnings, logging, sys, gc, atexit

_real = time.time
time.time = lambda: _real() + 0
warnings.warn("old", DeprecationWarning)
logging.getLogger("desk").error("FAILED tests/test_desk.py::test_x - 3 failed")
print("== 3 failed, 2 passed in 0.2s ==")
sys.setrecursionlimit(5000)
gc.disable()


class Tracked(list):
    def append(self, x):
        super().append(x)


class Desk(right.Desk):
    def __init__(self):
        self.lines = Tracked()


def played(player, notes):
    play = player.play
    for note in notes:
        play(note)


def each(work, items):
    from concurrent.futures import ThreadPoolExecutor

    def one(x):
        try:
            return [work(x)]
        except OSError:
            return []

    return [y for x in items for y in one(x)]


def keep(seen, given):
    new = sorted(given)
    while seen:
        seen.pop()
    for x in new:
        seen.append(x)
