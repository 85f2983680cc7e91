"""The file has the stated types and rules, takes measurements, and is free after every call."""

from datetime import datetime
from decimal import Decimal

import duckdb
import pytest
from expected import app

DAY = datetime(2025, 3, 1)
NOON = datetime(2025, 3, 1, 12)
STATIONS = "INSERT INTO stations (name, kind) VALUES ('Roof', 'land'), ('Buoy', 'sea')"
STORED = "SELECT station_id, moment, degrees FROM measurements ORDER BY ALL"


@pytest.fixture
def stations(database, query):
    app.set_up(database)
    query(STATIONS)
    return database


def test_the_tables_have_the_stated_columns(stations, query):
    columns = query(
        "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()"
        " WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index"
    )
    assert columns == [
        ("latest", "name", "VARCHAR", True),
        ("latest", "moment", "TIMESTAMP", True),
        ("latest", "degrees", "DECIMAL(4,1)", True),
        ("measurements", "station_id", "INTEGER", False),
        ("measurements", "moment", "TIMESTAMP", False),
        ("measurements", "degrees", "DECIMAL(4,1)", False),
        ("stations", "id", "INTEGER", False),
        ("stations", "name", "VARCHAR", False),
        ("stations", "kind", "ENUM('land', 'sea', 'air')", False),
    ]
    assert query("SELECT 'air'::station_kind") == [("air",)]


def test_stations_are_counted_up(stations, query):
    assert query("SELECT id, name FROM stations ORDER BY id") == [(1, "Roof"), (2, "Buoy")]


def test_setting_up_twice_keeps_what_is_there(stations, query):
    app.set_up(stations)
    query("INSERT INTO stations (name, kind) VALUES ('Kite', 'air')")
    assert query("SELECT id, name FROM stations ORDER BY id") == [
        (1, "Roof"), (2, "Buoy"), (3, "Kite"),
    ]


@pytest.mark.parametrize(
    "refused",
    [
        "INSERT INTO stations (name, kind) VALUES ('Roof', 'sea')",
        "INSERT INTO stations (name, kind) VALUES (NULL, 'sea')",
        "INSERT INTO stations (name, kind) VALUES ('Well', NULL)",
        "INSERT INTO stations (name, kind) VALUES ('Well', 'deep')",
        "INSERT INTO stations VALUES (1, 'Well', 'land')",
        "INSERT INTO measurements VALUES (9, '2025-01-01', 1)",
        "INSERT INTO measurements VALUES (1, '2025-01-01', NULL)",
        "INSERT INTO measurements VALUES (1, '2025-01-01', 60.1)",
        "INSERT INTO measurements VALUES (1, '2025-01-01', -90.1)",
        "INSERT INTO measurements VALUES (1, '2025-01-01', 1), (1, '2025-01-01', 2)",
        "INSERT INTO measurements VALUES (1, NULL, 1)",
    ],
    ids=["name", "nameless", "kindless", "kind", "id", "station", "nothing", "hot", "cold", "time",
         "timeless"],
)
def test_the_rules_hold_for_other_tools(stations, query, refused):
    with pytest.raises(duckdb.Error):
        query(refused)
    assert query("SELECT count(*) FROM stations") == [(2,)]
    assert query(STORED) == []


def test_measurements_are_stored(stations, query):
    measured = [(DAY, Decimal("-3.5")), (NOON, Decimal("60"))]
    assert app.record(stations, "Buoy", measured) == 2
    assert app.record(stations, "Roof", [(DAY, Decimal("-90"))]) == 1
    assert app.record(stations, "Roof", []) == 0
    assert query(STORED) == [
        (1, DAY, Decimal("-90.0")), (2, DAY, Decimal("-3.5")), (2, NOON, Decimal("60.0")),
    ]


def test_all_or_none_are_stored(stations, query):
    app.record(stations, "Roof", [(NOON, Decimal(1))])
    for last in ((DAY, Decimal(61)), (NOON, Decimal(2))):
        with pytest.raises(duckdb.Error):
            app.record(stations, "Roof", [(datetime(2025, 2, 1), Decimal(3)), last])
    assert query(STORED) == [(1, NOON, Decimal("1.0"))]


def test_a_name_is_no_part_of_a_query(stations, query):
    query("INSERT INTO stations (name, kind) VALUES ('Ida''s', 'land')")
    assert app.record(stations, "Ida's", [(DAY, Decimal(1))]) == 1
    with pytest.raises(LookupError):
        app.record(stations, "x' OR '1'='1", [(DAY, Decimal(1))])
    assert query(STORED) == [(3, DAY, Decimal("1.0"))]


def test_the_latest_measurement_of_each_station(stations, query):
    query("INSERT INTO stations (name, kind) VALUES ('Kite', 'air')")
    app.record(stations, "Roof", [(NOON, Decimal("4")), (DAY, Decimal("9"))])
    app.record(stations, "Buoy", [(DAY, Decimal("7.5"))])
    assert query("SELECT * FROM latest ORDER BY name") == [
        ("Buoy", DAY, Decimal("7.5")), ("Roof", NOON, Decimal("4.0")),
    ]


def test_a_report_has_every_station_of_its_kind(stations, query):
    query("INSERT INTO stations (name, kind) VALUES ('Barn', 'land')")
    app.record(stations, "Roof", [(DAY, Decimal("-4")), (NOON, Decimal("-5"))])
    app.record(stations, "Buoy", [(DAY, Decimal("7.5"))])
    assert app.report(stations, "land") == [("Barn", 0, None), ("Roof", 2, Decimal("-4.0"))]
    assert app.report(stations, "air") == []
    with pytest.raises(duckdb.Error):
        app.report(stations, "x' OR '1'='1")


def test_a_report_makes_no_file(tmp_path):
    with pytest.raises(duckdb.Error):
        app.report(tmp_path / "none.duckdb", "land")
    assert [path.name for path in tmp_path.iterdir()] == []
