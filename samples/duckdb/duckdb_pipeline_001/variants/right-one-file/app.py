import csv
import hashlib
import io

import duckdb

TABLES = [
    "deliveries (number INTEGER PRIMARY KEY, sha256 VARCHAR NOT NULL,"
    " accepted INTEGER NOT NULL, rejected INTEGER NOT NULL)",
    "movements (delivery INTEGER, line INTEGER, article VARCHAR NOT NULL, name VARCHAR NOT NULL,"
    " change INTEGER NOT NULL, PRIMARY KEY (delivery, line))",
    "rejected (delivery INTEGER, line INTEGER, text VARCHAR NOT NULL, reason VARCHAR NOT NULL,"
    " PRIMARY KEY (delivery, line))",
]
VIEW = """
CREATE OR REPLACE VIEW stock AS
WITH latest AS (
    SELECT article, name FROM movements
    QUALIFY row_number() OVER (PARTITION BY article ORDER BY delivery DESC, line DESC) = 1
)
SELECT article, name, CAST(total AS INTEGER) AS pieces
FROM latest JOIN (SELECT article, sum(change) AS total FROM movements GROUP BY ALL) USING (article)
"""


class Bad(Exception):
    pass


def connect(path):
    con = duckdb.connect(str(path))
    for table in TABLES:
        con.sql(f"CREATE TABLE IF NOT EXISTS {table}")
    con.sql(VIEW)
    return con


def check(line):
    parts = [part.strip() for part in next(csv.reader(io.StringIO(line), delimiter=";"))]
    if len(parts) != 3:
        return "wrong number of fields", parts
    digits = parts[2][1:] if parts[2][:1] in ("+", "-") else parts[2]
    good = digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits)
    if not parts[0]:
        return "no article", parts
    if not parts[1]:
        return "no name", parts
    return (None if good else "bad change"), parts


def rows_of(content, pieces):
    try:
        lines = str(content, "utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        raise Bad("not UTF-8")
    if lines[0] != "article;name;change":
        raise Bad("wrong header")
    good, bad = [], []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        reason, parts = check(line)
        if reason is None:
            article, name, change = parts[0], parts[1], int(parts[2])
            if pieces.get(article, 0) + change < 0:
                reason = "not enough"
            else:
                pieces[article] = pieces.get(article, 0) + change
                good.append((number, article, name, change))
        if reason:
            bad.append((number, line, reason))
    if len(bad) * 2 > len(bad) + len(good):
        raise Bad("too many rejected")
    return good, bad


def load(path, inbox):
    found = {}
    for file in inbox.glob("*.csv"):
        if file.stem.isascii() and file.stem.isdigit():
            found[int(file.stem)] = file.read_bytes()
    with connect(path) as con:
        known = dict(con.sql("SELECT number, sha256 FROM deliveries").fetchall())
        new = sorted(set(found) - set(known))
        for number in sorted(set(found) & set(known)):
            if hashlib.sha256(found[number]).hexdigest() != known[number]:
                return {"loaded": [], "refused": (number, "changed"), "waiting": new}
        loaded = []
        following = max(known, default=0) + 1
        while following in found:
            pieces = dict(con.sql("SELECT article, pieces FROM stock").fetchall())
            try:
                good, bad = rows_of(found[following], pieces)
            except Bad as error:
                rest = [number for number in new if number > following]
                return {"loaded": loaded, "refused": (following, str(error)), "waiting": rest}
            con.execute("BEGIN TRANSACTION")
            if good:
                con.executemany(
                    f"INSERT INTO movements VALUES ({following}, ?, ?, ?, ?)", good
                )
            if bad:
                con.executemany(f"INSERT INTO rejected VALUES ({following}, ?, ?, ?)", bad)
            con.execute(
                "INSERT INTO deliveries VALUES (?, ?, ?, ?)",
                [following, hashlib.sha256(found[following]).hexdigest(), len(good), len(bad)],
            )
            con.execute("COMMIT")
            loaded.append(following)
            following += 1
    return {"loaded": loaded, "refused": None, "waiting": [n for n in new if n not in loaded]}


def stock(path):
    with connect(path) as con:
        return {row[0]: row[1:] for row in con.table("stock").order("article").fetchall()}


def undo(path):
    with connect(path) as con:
        last = con.execute("SELECT max(number) FROM deliveries HAVING count(*) > 0").fetchone()
        if last is None:
            return None
        con.execute("BEGIN")
        for table, column in (("movements", "delivery"), ("rejected", "delivery"),
                              ("deliveries", "number")):
            con.execute(f"DELETE FROM {table} WHERE {column} = $1", list(last))
        con.execute("COMMIT")
        return last[0]
