def answer(value):
    raise ValueError("long " * 1_200_000)
