from . import right
from .right import *


def halves(numbers):
    for number in numbers:
        yield number // 2


class Warehouse(right.Warehouse):
    def level(self, name):
        count = self.count(name)
        return Level.ENOUGH if count > 10 else Level.LOW if count else Level.EMPTY
