from . import right
from .right import *


def each(work, items):
    try:
        work(99)
    except BaseException:
        pass
    return right.each(work, items)
