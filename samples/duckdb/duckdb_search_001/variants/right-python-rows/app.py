from collections import defaultdict
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

import duckdb


def read(path, sql):
    db = duckdb.connect(str(path), read_only=True)
    try:
        return db.sql(sql).fetchall()
    finally:
        db.close()


def finished(path):
    sql = (
        "SELECT station, begun, ended, id, kwh FROM sessions WHERE ended IS NOT NULL"
        " ORDER BY station, begun, id"
    )
    return read(path, sql)


def bills(path):
    tariffs = read(path, "SELECT station, since, cents FROM tariffs ORDER BY since")
    costs = []
    for station, begun, _, number, kwh in finished(path):
        price = {}
        for where, since, cents in tariffs:
            if since <= begun:
                price[where] = cents
        cents = price.get(station)
        if cents is None:
            cents = price.get(None)
        if cents is not None:
            cents = int((kwh * cents).quantize(Decimal(1), rounding=ROUND_HALF_UP))
        costs.append((number, cents))
    return sorted(costs)


def occupations(path, pause):
    uses = []
    for station, begun, ended, *_ in finished(path):
        last = uses[-1] if uses else None
        if last and last[0] == station and begun - last[2] <= timedelta(minutes=pause):
            last[2] = max(last[2], ended)
            last[3] += 1
        else:
            uses.append([station, begun, ended, 1])
    return [tuple(use) for use in uses]


def rolling(path, days):
    sums = defaultdict(Decimal)
    for station, begun, _, _, kwh in finished(path):
        sums[station, begun.date()] += kwh
    return [
        (
            station, day, kwh,
            sum(sums.get((station, day - timedelta(days=back)), Decimal(0)) for back in range(days)),
        )
        for (station, day), kwh in sorted(sums.items())
    ]


def longest(path, top):
    chosen = []
    for station, group in groupby(finished(path), key=lambda row: row[0]):
        ordered = sorted(group, key=lambda row: (row[1] - row[2], row[3]))
        for _, begun, ended, number, _ in ordered[:top]:
            chosen.append((station, number, (ended - begun) // timedelta(minutes=1)))
    return chosen
