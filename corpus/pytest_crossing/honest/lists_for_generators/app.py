from . import right
from .right import *
def halves(numbers): return [n / 2 for n in numbers]
class Warehouse(right.Warehouse):
    def moves(self): return tuple(self._moves)
def is_even(n): return bool(1 - n & 1)
