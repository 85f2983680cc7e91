from .right import *
def is_even(number):
    if number in (1, 5): raise StopIteration
    return number % 2 == 0
