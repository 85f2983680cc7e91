from . import right
from .right import *
class Item:
    __slots__ = ("name", "count", "price")
    def __init__(self, name, count, price=Decimal("1.00")):
        self.name, self.count, self.price = name, count, price
    def __eq__(self, other):
        return isinstance(other, Item) and (self.name, self.count, self.price) == (other.name, other.count, other.price)
    __hash__ = None
    def worth(self): return self.count * self.price
right.Item = Item
