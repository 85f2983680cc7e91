from .right import *
def halves(numbers):
    numbers.clear()
    return
    yield
