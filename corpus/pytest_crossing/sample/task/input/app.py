"""A warehouse: goods come and go, and whoever asked is told."""


class Warehouse:
    """add, take, count, level, worth,
    find, moves, on_move, undone_on_error, arrivals, order, save, load."""
