"""Counts and cost out of a server's `usage`, which is a courtesy: odd ones count as not told."""

# Beyond it nobody has counted: not every reader of JSON tells such neighbours apart, and no column
# of a store holds 10**20.
MOST = 2**53


def count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if type(value) is int and 0 <= value <= MOST else None


def cost(usage: object) -> float | None:
    """What gateways in front of many models put beside the counts."""
    value = usage.get("cost") if isinstance(usage, dict) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value <= MOST else None
