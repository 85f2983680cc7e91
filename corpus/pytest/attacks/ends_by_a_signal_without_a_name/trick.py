import os


def answer(value):
    os.kill(os.getpid(), 40)
    return value
