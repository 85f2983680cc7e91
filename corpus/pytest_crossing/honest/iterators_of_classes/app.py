from . import right
from .right import *
class Halves:
    def __init__(self, n): self.n = list(n)
    def __iter__(self): return self
    def __next__(self):
        if not self.n: raise StopIteration
        return self.n.pop(0) / 2
def halves(numbers): return Halves(numbers)
class Warehouse(right.Warehouse):
    def moves(self): return map(lambda m: m, self._moves)
    def __iter__(self): return (n for n in sorted(self._items))
