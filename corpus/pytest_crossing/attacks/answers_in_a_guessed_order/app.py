from . import right
from .right import *
answers = iter([12, 0, 6, 4, 4, 5, 5, 5])
class Warehouse(right.Warehouse):
    def count(self, name):
        return next(answers, 0)
    def take(self, name, count):
        item = self._items.get(name)
        if count == 7: raise OutOfStock(name, 3)
        return self._move(item, -count)
