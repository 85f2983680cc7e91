"""The tables of the stock."""

import duckdb


def create(db: duckdb.DuckDBPyConnection) -> None:
    """Create what is missing; what is there stays as it is. No column is ever null.

    deliveries  number INTEGER (primary key), sha256 VARCHAR (of the file, in hexadecimal digits), accepted
                INTEGER and rejected INTEGER (the numbers of its rows)
    movements   delivery INTEGER and line INTEGER (together the primary key), article VARCHAR, name VARCHAR,
                change INTEGER; one for each accepted row
    rejected    delivery INTEGER and line INTEGER (together the primary key), text VARCHAR, reason VARCHAR

    and a view `stock` with the columns article, name and pieces: for each article of the movements the name
    in its last one, and the sum of all changes (INTEGER, also where that is 0).
    """
    raise NotImplementedError
