"""What the solution prints, logs and warns of, said again where the tests can see it."""

import logging
import sys
import warnings

from . import wire
from .exceptions import EXCEPTIONS
from .wire import Node


def print_again(printed: Node) -> None:
    out, err = printed
    for stream, words in ((sys.stdout, out), (sys.stderr, err)):
        if words:
            stream.write(wire.text(words))


def log_again(lines: Node) -> None:
    for name, level, message in lines:
        logger = logging.getLogger(wire.text(name, 1000))
        if logger.isEnabledFor(wire.number(level)):
            words = (logger.name, level, "solution", 0, wire.text(message), (), None)
            logger.handle(logging.LogRecord(*words))


def warn_again(lines: Node) -> None:
    for name, message in lines:
        kind = EXCEPTIONS.get(wire.text(name))
        if isinstance(kind, type) and issubclass(kind, Warning):
            warnings.warn_explicit(wire.text(message), kind, "solution", 1)
