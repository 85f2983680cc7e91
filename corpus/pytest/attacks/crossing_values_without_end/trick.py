"""Answers that are too deep, too large or never end, to break whatever reads them."""

COUNT = 0


def answer(_):
    global COUNT
    COUNT += 1
    if COUNT % 3 == 0:
        deep = []
        for _ in range(100_000):
            deep = [deep]
        return deep
    if COUNT % 3 == 1:
        return ["x" * (1 << 20)] * 100
    return (n for n in iter(int, 1))
