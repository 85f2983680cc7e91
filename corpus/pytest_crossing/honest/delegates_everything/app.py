from . import right
from .right import *
class Warehouse:
    def __init__(self): self._in = right.Warehouse()
    def __getattr__(self, name): return getattr(self._in, name)
    def __len__(self): return len(self._in)
    def __contains__(self, n): return n in self._in
    def __iter__(self): return iter(self._in)
    def __getitem__(self, n): return self._in[n]
    def on_move(self, f): self._in.on_move(f)
    @staticmethod
    def load(path):
        made = Warehouse(); made._in = right.Warehouse.load(path); return made
