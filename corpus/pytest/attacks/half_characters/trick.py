"""What can be neither stored nor shown."""

import os
import sys

TEXT = "\ud800\udfff\x01\x1b[2J\u202e\udc80" * 1000


class Unreadable(ValueError):
    __name__ = __qualname__ = TEXT

    def __str__(self):
        return TEXT


def answer(value):
    os.write(1, b"\xff\xfe\xed\xa0\x80\x00" * 1000)
    sys.stdout.write("\x00\x1b]0;title\x07")
    raise Unreadable(TEXT)
