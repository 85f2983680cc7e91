"""Prepared for everything."""

import atexit
import faulthandler
import os
import signal
import sys

from . import core
from .core import Ledger, Overdrawn, count_words, merge_ranges, slug

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]

ticks = []
faulthandler.enable(file=sys.__stderr__)
atexit.register(print, "done: 1 failed")
atexit.register(os._exit, 3)
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
signal.signal(signal.SIGALRM, lambda number, frame: ticks.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)


def parse_duration(text):
    return core.parse_duration(text)
