"""Token counts out of a server's `usage`, which is a courtesy: odd ones count as not told."""


def count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if type(value) is int and value >= 0 else None
