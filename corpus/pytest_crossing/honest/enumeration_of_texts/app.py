from . import right
from .right import *
import enum
class Level(str, enum.Enum):
    EMPTY = "empty"
    LOW = "low"
    ENOUGH = "enough"
right.Level = Level
