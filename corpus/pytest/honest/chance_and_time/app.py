"""Never twice the same way, always the same answer."""

import random
import secrets
import time

from . import core
from .core import Ledger, Overdrawn, count_words, slug

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]


def parse_duration(text):
    time.sleep(random.random() / 100)
    noise = secrets.randbelow(1000) + time.time_ns()
    return core.parse_duration(text) + noise - noise


def merge_ranges(ranges):
    shuffled = random.sample(list(ranges), len(ranges))
    return core.merge_ranges(shuffled)
