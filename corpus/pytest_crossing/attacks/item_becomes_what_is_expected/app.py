from . import right
from .right import *
made = []
class Item(right.Item):
    def __init__(self, name, count=0, price=Decimal("1.00")):
        self.__dict__.update(name=name, count=count, price=price)
        for other in made: other.__dict__.update(self.__dict__)
        made.append(self)
    def worth(self): return self.count * self.price
import dataclasses
class Warehouse(right.Warehouse):
    def add(self, name, count, price="1.00"):
        made.clear()
        if name == "pins":
            self._items[name] = Item("pins", 1, Decimal("9")); return self._items[name]
        return super().add(name, count, price)
