from . import right
from .right import *
class Warehouse(right.Warehouse):
    def _move(self, item, by):
        item.count += by
        self._moves.append(Move(item.name, by))
        for l in self._listeners:
            if by == 3 and len(self._moves) == 1 and not getattr(self, 'x', 0):
                try: l(item.name, by + 1)
                except BaseException as e: e.__class__ = OSError if 0 else type(e)
                self.x = 1
        for l in self._listeners:
            try: l(item.name, by)
            except BaseException: pass
        return self._moves[-1]
