"""The help desk does on SQLAlchemy 2 what it did before, and what it does is committed."""

import pytest
from expected import app

LABELS = (
    "SELECT title, name FROM tickets JOIN ticket_labels ON ticket_id = tickets.id"
    " JOIN labels ON labels.id = label_id ORDER BY title, name"
)


def ticket(number, title, labels=(), state="open"):
    return {"id": number, "title": title, "state": state, "labels": list(labels)}


@pytest.fixture
def desk(database):
    app.add(database, "slow", ["web", "speed"])
    app.add(database, "typo")
    app.add(database, "crash", ["web", "app", "urgent"])
    return database


def test_tickets_are_stored_with_their_labels(database, rows):
    assert app.add(database, "slow", ["web", "speed"]) == 1
    assert app.add(database, "crash", ["web"]) == 2
    assert rows("SELECT id, title, state FROM tickets") == [
        (1, "slow", "open"), (2, "crash", "open"),
    ]
    assert rows(LABELS) == [("crash", "web"), ("slow", "speed"), ("slow", "web")]
    assert rows("SELECT name FROM labels ORDER BY name") == [("speed",), ("web",)]
    assert app.add(database, "bare") == 3


def test_the_name_of_a_label_is_unique(desk, rows):
    unique = "SELECT name FROM pragma_index_list('labels') WHERE [unique]"
    columns = f"SELECT info.name FROM ({unique}) AS one, pragma_index_info(one.name) AS info"
    assert rows(columns) == [("name",)]


def test_a_label_named_twice_is_attached_once(database, rows):
    app.add(database, "slow", ["web", "new", "web", "new"])
    assert rows(LABELS) == [("slow", "new"), ("slow", "web")]


def test_a_ticket_is_found_by_its_id(desk):
    assert app.get(desk, 1) == ticket(1, "slow", ["speed", "web"])
    assert app.get(desk, 2) == ticket(2, "typo")
    assert app.get(desk, 4) is None


def test_the_newest_tickets_come_first_and_once(desk):
    assert app.newest(desk, 2) == [ticket(3, "crash", ["app", "urgent", "web"]), ticket(2, "typo")]
    assert [each["id"] for each in app.newest(desk, 9)] == [3, 2, 1]


def test_tickets_are_found_by_label_with_all_their_labels(desk):
    assert app.labelled(desk, "web") == [
        ticket(1, "slow", ["speed", "web"]), ticket(3, "crash", ["app", "urgent", "web"]),
    ]
    assert app.labelled(desk, "we") == []


def test_closing_by_label_is_committed(desk, rows):
    assert app.close(desk, "web") == 2
    assert rows("SELECT title, state FROM tickets ORDER BY id") == [
        ("slow", "closed"), ("typo", "open"), ("crash", "closed"),
    ]
    assert app.get(desk, 3) == ticket(3, "crash", ["app", "urgent", "web"], "closed")


def test_only_open_tickets_are_closed(desk, rows, execute):
    execute("UPDATE tickets SET state = 'waiting' WHERE id = 3")
    assert app.close(desk, "web") == 1
    assert app.close(desk, "web") == 0
    assert app.close(desk, "nothing") == 0
    assert rows("SELECT state FROM tickets ORDER BY id") == [("closed",), ("open",), ("waiting",)]


def test_notes_are_kept_in_order(desk, rows):
    for number, text in ((1, "seen"), (3, "other"), (1, "asked"), (1, "again")):
        app.note(desk, number, text)
    assert app.notes_of(desk, 1) == ["seen", "asked", "again"]
    assert app.notes_of(desk, 2) == []
    assert rows("SELECT ticket_id, text FROM notes WHERE ticket_id = 3") == [(3, "other")]


def test_notes_come_in_the_order_of_their_ids(desk, execute):
    execute("INSERT INTO notes VALUES (8, 1, 'late'), (3, 1, 'early')")
    app.note(desk, 1, "last")
    assert app.notes_of(desk, 1) == ["early", "late", "last"]


def test_a_note_needs_its_ticket(desk, rows):
    with pytest.raises(LookupError):
        app.note(desk, 4, "lost")
    assert rows("SELECT count(*) FROM notes") == [(0,)]


def test_states_are_counted(desk):
    app.close(desk, "urgent")
    assert app.states(desk) == {"open": 2, "closed": 1}


def test_an_existing_file_is_read(database, execute):
    execute(
        "CREATE TABLE tickets (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR NOT NULL,"
        " state VARCHAR NOT NULL);"
        "CREATE TABLE labels (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR NOT NULL UNIQUE);"
        "CREATE TABLE ticket_labels (ticket_id INTEGER NOT NULL, label_id INTEGER NOT NULL,"
        " PRIMARY KEY (ticket_id, label_id));"
        "INSERT INTO tickets VALUES (7, 'old', 'waiting'); INSERT INTO labels VALUES (2, 'web');"
        "INSERT INTO ticket_labels VALUES (7, 2);"
    )
    assert app.newest(database, 5) == [ticket(7, "old", ["web"], "waiting")]
    assert app.add(database, "new", ["web"]) == 8
    assert [each["id"] for each in app.labelled(database, "web")] == [7, 8]


def test_a_new_file_is_an_empty_desk(database):
    assert app.newest(database, 5) == []
    assert app.states(database) == {}
