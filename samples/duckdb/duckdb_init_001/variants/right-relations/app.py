import duckdb

KINDS = ("land", "sea", "air")


def set_up(path):
    db = duckdb.connect(str(path))
    try:
        names = {name for (name,) in db.sql("SELECT type_name FROM duckdb_types()").fetchall()}
        if "station_kind" not in names:
            db.execute(f"CREATE TYPE station_kind AS ENUM {KINDS}")
        db.execute("CREATE SEQUENCE IF NOT EXISTS numbers START 1")
        db.execute(
            "CREATE TABLE IF NOT EXISTS stations (id INTEGER DEFAULT nextval('numbers'),"
            " name TEXT NOT NULL, kind station_kind NOT NULL, PRIMARY KEY (id), UNIQUE (name))"
        )
        db.execute(
            "CREATE TABLE IF NOT EXISTS measurements (station_id INT, moment DATETIME,"
            " degrees NUMERIC(4, 1) NOT NULL, CHECK (degrees >= -90 AND degrees <= 60),"
            " PRIMARY KEY (station_id, moment), FOREIGN KEY (station_id) REFERENCES stations)"
        )
        db.execute(
            "CREATE OR REPLACE VIEW latest AS SELECT s.name, m.moment, m.degrees"
            " FROM stations s, measurements m WHERE s.id = m.station_id"
            " QUALIFY row_number() OVER (PARTITION BY s.id ORDER BY m.moment DESC) = 1"
        )
    finally:
        db.close()


def record(path, station, measured):
    db = duckdb.connect(str(path))
    try:
        rows = db.table("stations").filter(
            duckdb.ColumnExpression("name") == duckdb.ConstantExpression(station)
        ).fetchall()
        if not rows:
            raise KeyError(station)
        if measured:
            marks = ", ".join("(?, ?, ?)" for _ in measured)
            values = [value for moment, degrees in measured for value in (rows[0][0], moment, degrees)]
            db.execute(f"INSERT INTO measurements VALUES {marks}", values)
        return len(measured)
    finally:
        db.close()


def report(path, kind):
    with duckdb.connect(str(path), read_only=True) as db:
        found = db.execute(
            "SELECT name, (SELECT count(*) FROM measurements WHERE station_id = id),"
            " (SELECT max(degrees) FROM measurements WHERE station_id = id)"
            " FROM stations WHERE kind = CAST($kind AS station_kind) ORDER BY name",
            {"kind": kind},
        )
        return [tuple(row) for row in found.fetchall()]
