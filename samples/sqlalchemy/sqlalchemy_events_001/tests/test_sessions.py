"""Whatever the desk does is on record, and customers are marked, not removed."""

import pytest
from expected import desk, sessions


@pytest.fixture
def ida(database):
    """The first customer, with two notes."""
    assert desk.add(database, "eve", "Ida", None, ("tall", "late")) == 1
    return 1


def test_inserts_are_on_record(database):
    assert desk.add(database, "eve", "Ida", "i@x", ("tall",)) == 1
    assert desk.add(database, "bob", "Ben") == 2
    assert sorted(desk.history(database)[:2], key=lambda each: each[2]) == [
        ("eve", "insert", "customers", 1,
         {"name": [None, "Ida"], "email": [None, "i@x"], "deleted": [None, False]}),
        ("eve", "insert", "notes", 1, {"customer_id": [None, 1], "text": [None, "tall"]}),
    ]
    assert desk.history(database)[2:] == [
        ("bob", "insert", "customers", 2, {"name": [None, "Ben"], "deleted": [None, False]})
    ]


def test_an_update_tells_what_changed(database, ida):
    desk.edit(database, "bob", ida, name="Ida B", email="b@x")
    desk.edit(database, "bob", ida, email=None)
    assert desk.history(database)[3:] == [
        ("bob", "update", "customers", 1, {"name": ["Ida", "Ida B"], "email": [None, "b@x"]}),
        ("bob", "update", "customers", 1, {"email": ["b@x", None]}),
    ]


def test_the_old_value_need_not_be_loaded(database, ida):
    desk.edit_twice(database, "bob", ida, "A", "B")
    assert [fields for *_, fields in desk.history(database)[3:]] == [
        {"name": ["Ida", "A"]}, {"name": ["A", "B"]},
    ]


def test_what_changes_nothing_is_not_on_record(database, ida):
    desk.edit(database, "bob", ida, name="Ida", email=None)
    desk.edit_twice(database, "bob", ida, "Ida", "Ida")
    assert len(desk.history(database)) == 3


def test_only_what_changed_is_told(database, ida):
    desk.edit(database, "bob", ida, name="Ida", email="i@x")
    assert desk.history(database)[3][4] == {"email": [None, "i@x"]}


def test_a_note_that_is_struck_is_on_record(database, ida, rows):
    desk.write(database, "bob", ida, "kind")
    desk.strike(database, "eve", ida, 0)
    assert desk.history(database)[3:] == [
        ("bob", "insert", "notes", 3, {"customer_id": [None, 1], "text": [None, "kind"]}),
        ("eve", "delete", "notes", 1, {"customer_id": [1, None], "text": ["tall", None]}),
    ]
    assert rows("SELECT text FROM notes ORDER BY id") == [("late",), ("kind",)]


def test_a_customer_is_marked(database, ida, rows):
    assert desk.remove(database, "bob", ida) == ("Ida", True)
    assert rows("SELECT name, deleted FROM customers") == [("Ida", 1)]
    marked = [each for each in desk.history(database) if each[2] == "customers"]
    assert marked[1:] == [("bob", "update", "customers", 1, {"deleted": [False, True]})]


def test_notes_go_with_their_customer(database, ida, rows):
    desk.remove(database, "bob", ida)
    assert rows("SELECT * FROM notes") == []
    gone = [(who, action, key) for who, action, table, key, _ in desk.history(database)[3:]
            if table == "notes"]
    assert sorted(gone) == [("bob", "delete", 1), ("bob", "delete", 2)]


def test_deleted_customers_are_left_out(database, ida):
    desk.add(database, "eve", "Ben", "b@x", ("calm",))
    desk.remove(database, "bob", ida)
    assert desk.found(database, "names") == [("Ben",)]
    assert desk.found(database, "other names") == [("Ben",)]
    assert desk.found(database, "objects") == [("Ben", "b@x", ["calm"])]
    assert desk.found(database, "count") == [(1,)]
    assert (desk.known(database, 1), desk.known(database, 2)) == (False, True)


def test_deleted_customers_are_left_out_of_joins(database, ida):
    desk.add(database, "eve", "Ben")
    desk.visit(database, 1, 10)
    desk.visit(database, 2, 20)
    desk.remove(database, "bob", ida)
    assert desk.found(database, "visits") == [("Ben", 20)]
    assert desk.found(database, "all visits") == [(10, None), (20, "Ben")]


def test_deleted_customers_can_be_asked_for(database, ida):
    desk.visit(database, 1, 10)
    desk.remove(database, "bob", ida)
    assert desk.found(database, "names", True) == [("Ida",)]
    assert desk.found(database, "objects", True) == [("Ida", None, [])]
    assert desk.found(database, "count", True) == [(1,)]
    assert desk.found(database, "visits", True) == [("Ida", 10)]


def test_other_models_are_not_on_record(database, ida, rows):
    number = desk.visit(database, 1, 10)
    desk.end_visit(database, number)
    assert rows("SELECT * FROM visits") == []
    assert len(desk.history(database)) == 3


def test_what_is_rolled_back_is_not_on_record(database, ida, rows):
    desk.give_up(database, "bob", ida, "nobody")
    assert len(desk.history(database)) == 3
    assert rows("SELECT count(*) FROM notes") == [(2,)]


def test_sessions_of_two_persons(database, ida):
    desk.hand_over(database, "bob", "eve", ida)
    assert [(who, fields) for who, *_, fields in desk.history(database)[3:]] == [
        ("bob", {"name": ["Ida", "bob"]}), ("eve", {"name": ["bob", "eve"]}),
    ]


@pytest.mark.parametrize(
    "which", ["update notes", "update customers", "delete notes", "insert notes"]
)
def test_statements_leave_no_record(database, ida, rows, which):
    with pytest.raises(sessions.NotOnRecord) as caught:
        desk.statement(database, "bob", which)
    assert sessions.NotOnRecord in type(caught.value).__mro__
    assert rows("SELECT text FROM notes ORDER BY id") == [("tall",), ("late",)]
    assert rows("SELECT name FROM customers") == [("Ida",)]


def test_statements_on_other_models_are_executed(database, ida, rows):
    desk.visit(database, 1, 10)
    desk.visit(database, 1, 20)
    assert desk.statement(database, "bob", "update visits") == 2
    assert rows("SELECT minutes FROM visits ORDER BY id") == [(11,), (21,)]
    assert desk.statement(database, "bob", "delete visits") == 2


def test_a_new_file_has_no_history(database, rows):
    assert desk.history(database) == []
    assert rows("SELECT count(*) FROM customers") == [(0,)]
