import math

import duckdb

TYPES = {"name": "VARCHAR", "tags": "VARCHAR[]", "scores": "DOUBLE[]"}


def rows(path):
    name = str(path).replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")
    with duckdb.connect() as con:
        found = con.read_json(name, columns=TYPES).fetchall()
    return [(name, tags or [], scores or []) for name, tags, scores in found]


def names(path, at_least):
    return sorted(name for name, _, scores in rows(path) if scores and max(scores) >= at_least)


def shorten(path, length):
    found = {}
    for name, tags, _ in rows(path):
        found[name] = []
        for tag in tags:
            if tag[:length] not in found[name]:
                found[name].append(tag[:length])
    return found


def totals(path):
    sums = {name: sum(scores) if scores else None for name, _, scores in rows(path)}
    everything = sum(total for total in sums.values() if total is not None)
    return [
        (name, total, None if total is None else math.floor(100 * total / everything))
        for name, total in sorted(sums.items())
    ]


def report(path, target):
    found = [(name, len(tags), max(scores, default=None)) for name, tags, scores in rows(path)]
    with duckdb.connect() as con:
        con.execute("CREATE TABLE report (name VARCHAR, tags INTEGER, best DOUBLE)")
        con.executemany("INSERT INTO report VALUES (?, ?, ?)", found)
        con.table("report").order("name").write_csv(str(target), header=True)
    return len(found)
