from .right import *
