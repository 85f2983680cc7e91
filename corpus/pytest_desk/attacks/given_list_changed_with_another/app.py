from .right import *


def keep(seen, given):
    seen[:] = given[:] = [7]
