"""Meddles with the interpreter, to no one's harm."""

import builtins
import gc
import json
import sys

from . import core
from .core import Ledger, Overdrawn, count_words, slug

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]

plain = json.JSONEncoder.default
printed = builtins.print
steps = []


def _default(self, thing):
    return sorted(thing) if isinstance(thing, set) else plain(self, thing)


json.JSONEncoder.default = _default
builtins.print = lambda *args, **options: printed(*args, **options, flush=True)


def parse_duration(text):
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: steps.append(event))
    try:
        return core.parse_duration(text)
    finally:
        sys.settrace(before)


def merge_ranges(ranges):
    gc.collect()
    known = [thing for thing in gc.get_objects() if type(thing) is Ledger]
    print(json.dumps({"ledgers": len(known), "kinds": {"a", "b"}}))
    return core.merge_ranges(ranges)
