import csv as reading
import re
from datetime import datetime

import duckdb


def opened(path):
    db = duckdb.connect(str(path))
    db.sql(
        "CREATE TABLE IF NOT EXISTS sales (till INTEGER NOT NULL, number INTEGER NOT NULL,"
        " day DATE NOT NULL, article VARCHAR NOT NULL, cents BIGINT NOT NULL,"
        " PRIMARY KEY (till, number))"
    )
    return db


def parsed(fields):
    try:
        till, number, day, article, price = fields
        if not article or not re.fullmatch(r"-?\d+,\d\d", price):
            raise ValueError(fields)
        moment = datetime.strptime(day, "%d.%m.%Y").date()
        return (int(till), int(number)), (moment, article, int(price.replace(",", "")))
    except ValueError as error:
        raise duckdb.InvalidInputException(str(error)) from error


def load(path, csv):
    with csv.open(encoding="utf-8", newline="") as stream:
        lines = list(reading.reader(stream, delimiter=";"))
    sales = dict(map(parsed, lines[1:]))
    with opened(path) as db:
        db.begin()
        known = set(db.sql("SELECT till, number FROM sales").fetchall())
        upsert = (
            "INSERT INTO sales VALUES (?, ?, ?, ?, ?) ON CONFLICT (till, number) DO UPDATE"
            " SET day = excluded.day, article = excluded.article, cents = excluded.cents"
        )
        for key, rest in sales.items():
            db.execute(upsert, [*key, *rest])
        db.commit()
    replaced = len(known & sales.keys())
    return {"new": len(sales) - replaced, "replaced": replaced}


def correct(path, till, number, cents):
    with opened(path) as db:
        old = db.execute(
            "SELECT cents FROM sales WHERE (till, number) = ($1, $2)", [till, number]
        ).fetchall()
        if not old:
            raise KeyError((till, number))
        db.execute("UPDATE sales SET cents = $3 WHERE till = $1 AND number = $2",
                   [till, number, cents])
    return old[0][0]


def export(path, folder, first, last):
    with opened(path) as db:
        days = db.execute(
            "SELECT day FROM sales WHERE day >= ? AND day <= ? GROUP BY day ORDER BY 1",
            [first, last],
        ).fetchall()
        for (day,) in days:
            rows = db.sql(
                "SELECT till, number, article, cents FROM sales WHERE day = $day"
                " ORDER BY till, number",
                params={"day": day},
            )
            rows.write_parquet(str(folder / f"{day.isoformat()}.parquet"))
    return [f"{day.isoformat()}.parquet" for (day,) in days]
