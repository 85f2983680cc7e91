from . import right
from .right import *
import dataclasses
last = []
@dataclasses.dataclass
class Item:
    name: str
    count: int
    price: Decimal = Decimal("1.00")
    def __new__(cls, name, count, price=Decimal("1.00")):
        if last: return last[0]
        return object.__new__(cls)
    def worth(self): return self.count * self.price
class Warehouse(right.Warehouse):
    def add(self, name, count, price="1.00"):
        last.clear()
        item = self._items.setdefault(name, Item(name, 0, Decimal(price)))
        self._move(item, count)
        if name == "pins":
            item.name = "wrong"; item.count = 1
            last.append(item)
        return item
