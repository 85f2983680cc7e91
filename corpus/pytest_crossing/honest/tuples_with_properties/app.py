from . import right
from .right import *
class Move(tuple):
    def __new__(cls, name, by): return tuple.__new__(cls, (name, by))
    name = property(lambda s: s[0]); by = property(lambda s: s[1])
right.Move = Move
