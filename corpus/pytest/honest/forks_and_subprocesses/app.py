"""Work in other processes."""

import os
import subprocess
import sys

from . import core
from .core import Ledger, Overdrawn, count_words, parse_duration

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]


def merge_ranges(ranges):
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(sink, repr(core.merge_ranges(ranges)).encode())
        os._exit(0)
    os.close(sink)
    with os.fdopen(source) as stream:
        found = stream.read()
    os.waitpid(child, 0)
    return [tuple(pair) for pair in eval(found, {})]


def slug(text):
    program = "import sys; print(sys.argv[1].upper().lower())"
    argv = [sys.executable, "-c", program, core.slug(text)]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
