"""Each question is answered by a thread."""

import threading
from concurrent.futures import ThreadPoolExecutor

from . import core
from .core import Ledger, Overdrawn

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]

pool = ThreadPoolExecutor(4)
threading.Thread(target=threading.Event().wait, daemon=True).start()


def parse_duration(text):
    return pool.submit(core.parse_duration, text).result()


def merge_ranges(ranges):
    return pool.submit(core.merge_ranges, ranges).result()


def count_words(text):
    return pool.submit(core.count_words, text).result()


def slug(text):
    return pool.submit(core.slug, text).result()
