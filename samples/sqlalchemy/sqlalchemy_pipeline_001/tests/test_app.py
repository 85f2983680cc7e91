"""Good lines are stored, bad ones are on record; strict imports store all or nothing."""

import pytest
from expected import app, reading

STORED = (
    "SELECT name, minute, value FROM readings JOIN sensors ON sensors.id = sensor_id"
    " ORDER BY name, minute"
)


def test_good_lines_are_stored(database, rows):
    done = app.import_readings(database, "roof;0;-3.5\n cellar ; 07 ; 12 \nroof;1;60\n")
    assert done == {"stored": 3, "refused": []}
    assert rows(STORED) == [("cellar", 7, 12), ("roof", 0, -3.5), ("roof", 1, 60)]
    assert rows("SELECT name FROM sensors ORDER BY id") == [("roof",), ("cellar",)]


def test_blank_lines_and_comments_count_but_are_skipped(database, rows):
    text = "# made by hand\n\nroof;0;1\n   \n# end;of;it\nroof;x;1\n"
    assert app.import_readings(database, text) == {"stored": 1, "refused": [(6, "bad minute")]}
    assert rows(STORED) == [("roof", 0, 1)]


def test_lines_are_taken_apart():
    assert tuple(reading.parse(" roof top;12 ;1e1")) == ("roof top", 12, 10.0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("roof;1", "wrong number of fields"),
        ("roof;1;2;3", "wrong number of fields"),
        (" ;x;y", "no sensor"),
        ("roof;-1;y", "bad minute"),
        ("roof;;1", "bad minute"),
        ("roof;1.0;1", "bad minute"),
        ("roof;1;warm", "bad value"),
        ("roof;1;nan", "bad value"),
        ("roof;1;-inf", "bad value"),
    ],
    ids=["two", "four", "nameless", "negative", "empty", "point", "word", "nan", "infinite"],
)
def test_a_bad_line_is_refused_with_its_reason(line, reason):
    with pytest.raises(ValueError) as caught:
        reading.parse(line)
    assert str(caught.value) == reason


def test_refused_lines_do_not_hinder_others(database, rows):
    text = "roof;0;1\nroof;1;60.5\nroof;0;2\nroof;2\nattic;1;-91\nroof;3;-90\n"
    assert app.import_readings(database, text) == {
        "stored": 2,
        "refused": [
            (2, "out of range"), (3, "repeated"), (4, "wrong number of fields"),
            (5, "out of range"),
        ],
    }
    assert rows(STORED) == [("roof", 0, 1), ("roof", 3, -90)]


def test_a_sensor_of_refused_lines_only_is_not_stored(database, rows):
    app.import_readings(database, "attic;1;99\nroof;0;1\nattic;2;-99\n")
    assert rows("SELECT name FROM sensors") == [("roof",)]


def test_a_reading_of_an_earlier_import_is_repeated(database, rows):
    app.import_readings(database, "roof;0;1\n")
    assert app.import_readings(database, "roof;0;2\nroof;1;3\n") == {
        "stored": 1, "refused": [(1, "repeated")],
    }
    assert rows(STORED) == [("roof", 0, 1), ("roof", 1, 3)]


def test_an_import_is_on_record(database, rows):
    app.import_readings(database, "roof;0;1\nroof;0;1\nroof\n")
    assert rows("SELECT digest, stored FROM imports") == [
        ("bb2d7c55486eed2fb0a0d684065f206aaf7dd00de37b5ac86b90348594b0b536", 1)
    ]
    assert rows("SELECT import_id, line, reason FROM refusals ORDER BY line") == [
        (1, 2, "repeated"), (1, 3, "wrong number of fields"),
    ]


def test_the_same_text_is_imported_once(database, rows, execute):
    text = "roof;0;1\nroof;0;1\nroof;1;5\nattic;x;1\n"
    first = app.import_readings(database, text)
    execute("DELETE FROM readings")
    assert app.import_readings(database, text) == {
        "stored": 2, "refused": [(2, "repeated"), (4, "bad minute")],
    } == first
    assert rows("SELECT count(*) FROM readings") == [(0,)]
    assert rows("SELECT count(*) FROM imports") == [(1,)]


@pytest.mark.parametrize(
    ("bad", "message"),
    [("roof;x;1", "line 3: bad minute"), ("roof;0;1", "line 3: repeated"),
     ("attic;1;99", "line 3: out of range")],
    ids=["parsing", "repetition", "database"],
)
def test_a_strict_import_stores_all_or_nothing(database, rows, bad, message):
    with pytest.raises(app.ImportRefused) as caught:
        app.import_readings(database, f"roof;0;1\ncellar;0;2\n{bad}\nroof;9;9\n", strict=True)
    assert str(caught.value) == message
    for table in ("readings", "sensors", "imports", "refusals"):
        assert rows(f"SELECT count(*) FROM {table}") == [(0,)]


def test_a_strict_import_of_good_lines_is_stored(database, rows):
    text = "roof;0;1\ncellar;0;2\n"
    assert app.import_readings(database, text, strict=True) == {"stored": 2, "refused": []}
    assert rows(STORED) == [("cellar", 0, 2), ("roof", 0, 1)]


def test_a_failed_strict_import_can_be_repeated(database, rows):
    text = "roof;0;1\nroof;0;2\n"
    with pytest.raises(app.ImportRefused):
        app.import_readings(database, text, strict=True)
    assert app.import_readings(database, text) == {"stored": 1, "refused": [(2, "repeated")]}
    assert rows(STORED) == [("roof", 0, 1)]


def test_sensors_are_summed_up(database, execute):
    app.import_readings(database, "roof;0;1\nroof;1;2\nroof;2;2\ncellar;0;12.5\n")
    execute("INSERT INTO sensors (name) VALUES ('attic')")
    assert list(app.summary(database).items()) == [("cellar", (1, 12.5)), ("roof", (3, 1.67))]


def test_a_new_file_has_no_sensors(database):
    assert app.summary(database) == {}
