"""Prices by time, times of use, sums over days and longest sessions, with answers known by hand."""

from datetime import date, datetime
from decimal import Decimal

import duckdb
import pytest
from expected import app

TABLES = """
CREATE TABLE sessions (
    id INTEGER, station VARCHAR, begun TIMESTAMP, ended TIMESTAMP, kwh DECIMAL(8,3));
CREATE TABLE tariffs (station VARCHAR, since TIMESTAMP, cents INTEGER);
"""


@pytest.fixture
def fill(database, query):
    """Makes the file: sessions as (id, station, begin, end, kwh), times as 'DAY HH:MM' of June."""

    def moment(text):
        return None if text is None else f"2026-06-{text}"

    def run(sessions, tariffs=()):
        query(TABLES)
        for number, station, begun, ended, kwh in sessions:
            query("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                  number, station, moment(begun), moment(ended), kwh)
        for station, since, cents in tariffs:
            query("INSERT INTO tariffs VALUES (?, ?, ?)", station, moment(since), cents)
        # As long as somebody reads the file, nobody can open it for writing.
        readers.append(duckdb.connect(database, read_only=True))
        return database

    readers = []
    yield run
    for reader in readers:
        reader.close()


def at(day, hour, minute=0):
    return datetime(2026, 6, day, hour, minute)


def test_the_tariff_in_force_decides(fill):
    sessions = [
        (4, "a", "02 09:59", "02 20:00", 10), (3, "a", "02 10:00", "02 20:00", 10),
        (2, "a", "09 00:00", "09 20:00", 10), (1, "b", "03 00:00", "03 20:00", 10),
    ]
    tariffs = [("a", "05 00:00", 30), ("a", "01 00:00", 10), ("a", "02 10:00", 20),
               ("b", "01 00:00", 5)]
    assert app.bills(fill(sessions, tariffs)) == [(1, 50), (2, 300), (3, 200), (4, 100)]


def test_the_tariff_of_every_station_fills_in(fill):
    sessions = [
        (1, "a", "01 12:00", "01 13:00", 1), (2, "a", "02 12:00", "02 13:00", 1),
        (3, "a", "03 12:00", "03 13:00", 1), (4, "a", "04 12:00", "04 13:00", 1),
        (5, "b", "03 12:00", "03 13:00", 1), (6, "b", "05 12:00", "05 13:00", 1),
    ]
    tariffs = [(None, "02 00:00", 40), (None, "04 00:00", 41), (None, "05 00:00", None),
               ("a", "03 00:00", 30), ("a", "04 00:00", None)]
    assert app.bills(fill(sessions, tariffs)) == [
        (1, None), (2, 40), (3, 30), (4, 41), (5, 40), (6, None),
    ]


@pytest.mark.parametrize(
    ("kwh", "cents", "cost"),
    [("12.345", 100, 1235), ("0.5", 1, 1), ("0.499", 1, 0), ("2.5", 1, 3), ("9.99", 0, 0)],
)
def test_half_a_cent_is_rounded_up(fill, kwh, cents, cost):
    path = fill([(1, "a", "02 00:00", "02 01:00", kwh)], [("a", "01 00:00", cents)])
    assert app.bills(path) == [(1, cost)]


def test_a_car_that_is_charging_counts_nowhere(fill):
    path = fill(
        [(1, "a", "02 00:00", None, None), (2, "a", "02 01:00", "02 02:00", 3)],
        [("a", "01 00:00", 10)],
    )
    assert app.bills(path) == [(2, 30)]
    assert app.occupations(path, 600) == [("a", at(2, 1), at(2, 2), 1)]
    assert app.rolling(path, 1) == [("a", date(2026, 6, 2), Decimal(3), Decimal(3))]
    assert app.longest(path, 9) == [("a", 2, 60)]


def test_a_pause_ends_a_use(fill):
    path = fill([
        (3, "b", "01 08:00", "01 09:00", 1), (1, "b", "01 09:10", "01 10:00", 1),
        (2, "b", "01 10:11", "01 11:00", 1), (4, "a", "01 08:30", "01 08:40", 1),
    ])
    assert app.occupations(path, 10) == [
        ("a", at(1, 8, 30), at(1, 8, 40), 1), ("b", at(1, 8), at(1, 10), 2),
        ("b", at(1, 10, 11), at(1, 11), 1),
    ]
    assert [use[3] for use in app.occupations(path, 11)] == [1, 3]
    assert [use[3] for use in app.occupations(path, 0)] == [1, 1, 1, 1]


def test_a_long_session_bridges_a_pause(fill):
    path = fill([
        (1, "a", "01 08:00", "01 12:00", 1), (2, "a", "01 08:30", "01 09:00", 1),
        (3, "a", "01 11:30", "01 11:45", 1), (4, "a", "01 12:05", "01 12:30", 1),
        (5, "a", "01 12:50", "01 13:00", 1),
    ])
    assert app.occupations(path, 5) == [
        ("a", at(1, 8), at(1, 12, 30), 4), ("a", at(1, 12, 50), at(1, 13), 1),
    ]


def test_sessions_that_begin_together_are_one_use(fill):
    path = fill([
        (1, "a", "01 08:00", "01 08:30", 1), (2, "a", "01 08:00", "01 09:00", 1),
        (3, "a", "01 09:00", "01 09:30", 1),
    ])
    assert app.occupations(path, 0) == [("a", at(1, 8), at(1, 9, 30), 3)]


def test_days_of_the_calendar_are_summed_up(fill):
    path = fill([
        (1, "b", "01 23:59", "02 01:00", "1.5"), (2, "b", "01 01:00", "01 02:00", "0.25"),
        (3, "b", "03 00:00", "03 02:00", 4), (4, "b", "09 01:00", "09 02:00", 8),
        (5, "b", "10 01:00", "10 02:00", 16), (6, "a", "02 01:00", "02 02:00", 100),
    ])
    days = [(station, day.day, float(kwh)) for station, day, kwh, _ in app.rolling(path, 7)]
    assert days == [("a", 2, 100), ("b", 1, 1.75), ("b", 3, 4), ("b", 9, 8), ("b", 10, 16)]
    assert [float(total) for *_, total in app.rolling(path, 7)] == [100, 1.75, 5.75, 12, 24]
    assert [float(total) for *_, total in app.rolling(path, 8)] == [100, 1.75, 5.75, 12, 28]
    assert [float(total) for *_, total in app.rolling(path, 1)] == [100, 1.75, 4, 8, 16]


def test_sums_are_exact(fill):
    path = fill([(number, "a", "01 01:00", "01 02:00", "0.1") for number in range(3)])
    assert app.rolling(path, 2) == [("a", date(2026, 6, 1), Decimal("0.3"), Decimal("0.3"))]


def test_the_longest_sessions(fill):
    path = fill([
        (1, "b", "01 08:00", "01 08:30", 1), (2, "b", "01 09:00", "01 10:30:59", 1),
        (3, "b", "01 08:00", "01 09:30:58", 1), (4, "b", "02 09:00", "02 09:30", 1),
        (5, "a", "01 23:59:30", "02 00:00:29", 1), (6, "b", "01 09:00", "01 10:31", 1),
    ])
    assert app.longest(path, 3) == [("a", 5, 0), ("b", 6, 91), ("b", 2, 90), ("b", 3, 90)]
    assert app.longest(path, 4)[4:] == [("b", 1, 30)]
    assert len(app.longest(path, 99)) == 6


def test_empty_tables_have_no_answers(fill):
    path = fill([])
    assert app.bills(path) == []
    assert app.occupations(path, 5) == []
    assert app.rolling(path, 5) == []
    assert app.longest(path, 5) == []
