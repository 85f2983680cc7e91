"""Work elsewhere."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from . import core
from .core import Cache, Malformed, parse_settings

__all__ = ["Cache", "Malformed", "is_leap", "parse_settings", "roman"]

pool = ThreadPoolExecutor(2)


def roman(number):
    return pool.submit(core.roman, number).result()


def is_leap(year):
    child = os.fork()
    if child == 0:
        os._exit(0 if core.is_leap(year) else 1)
    _, status = os.waitpid(child, 0)
    program = f"print({os.waitstatus_to_exitcode(status)} == 0)"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return told.stdout.strip() == "True"
