"""Leaves a child that goes on answering in its place, and dies."""

import os


def answer(value):
    if os.fork() == 0:
        return value
    os._exit(0)
