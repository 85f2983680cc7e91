"""The tables of the stock."""

import duckdb

SCHEMA = """
    CREATE TABLE IF NOT EXISTS deliveries (
        number INTEGER PRIMARY KEY, sha256 VARCHAR NOT NULL, accepted INTEGER NOT NULL,
        rejected INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS movements (
        delivery INTEGER, line INTEGER, article VARCHAR NOT NULL, name VARCHAR NOT NULL,
        change INTEGER NOT NULL, PRIMARY KEY (delivery, line)
    );
    CREATE TABLE IF NOT EXISTS rejected (
        delivery INTEGER, line INTEGER, text VARCHAR NOT NULL, reason VARCHAR NOT NULL,
        PRIMARY KEY (delivery, line)
    );
    CREATE VIEW IF NOT EXISTS stock AS
        SELECT article, last(name ORDER BY delivery, line) AS name, sum(change)::INTEGER AS pieces
        FROM movements GROUP BY article;
"""


def create(db: duckdb.DuckDBPyConnection) -> None:
    db.execute(SCHEMA)
