"""Lists of things, and the till."""

from expected import app


def test_words_of_a_list() -> None:
    things = app.words("tea, milk , bread")
    assert len(things) == 3
    assert things == ["tea", "milk", "bread"]


def test_words_of_one() -> None:
    assert app.words("salt") == ["salt"]
    assert app.words("oil,") == ["oil", ""]
    assert app.words("rice, beans") == ["rice", "beans"]
    assert app.words(" soap ") == ["soap"]


def test_till_takes_money() -> None:
    till = app.Till()
    with till as opened:
        opened.put(500)
        assert opened.cents == 500
    assert isinstance(till.cents, int)
