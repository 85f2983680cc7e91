"""Requests and lines come in, and what becomes of them."""

import asyncio

import pytest
from expected import app


def test_split():
    assert app.split("pay the bill") == app.Request(["pay", "the", "bill"])
    assert app.split("").words == []


def test_sent():
    wanted = app.Request(["to", "bob"], "mail")
    assert app.sent("mail to bob") == wanted


def test_kind():
    assert app.kind_of(1) is app.Kind.LETTER
    assert app.kind_of(2) == app.Kind.PARCEL
    assert app.kind_of(3) is app.Kind.BILL


def test_parsed():
    assert app.parsed("12") == 12
    with pytest.raises(KeyError):
        app.parsed("")
    with pytest.raises(app.Malformed, match="no number"):
        app.parsed("x")
    with pytest.raises(app.Malformed, match="^'y' is no number$"):
        app.parsed("y")


def test_doubled_in_tasks():
    async def check(number, wanted):
        assert await app.doubled(number) == wanted

    async def all_of_them():
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(check(2, 4))
            tasks.create_task(check(5, 10))

    asyncio.run(all_of_them())


def test_forgiving():
    desk = app.Desk()
    with desk.forgiving() as it:
        it.write("one")
        it.write("")
    assert desk.lines == ["one", "?"]


def test_written():
    desk = app.Desk()
    with desk.forgiving() as it:
        assert it.write("one") == 1
        assert it.write("two") == 2


def test_keep():
    given, seen = [3, 1, 2], []
    assert app.total(given) == 6
    app.keep(seen, given)
    assert seen == sorted(given)


def test_each():
    def work(item):
        if item == 4:
            raise OSError("gone")
        if item > 10:
            pytest.fail("too large an item")
        return item + 1

    assert app.each(work, [1, 4, 2]) == [2, 3]


class Player:
    def __init__(self, wanted):
        self.wanted = wanted
        self.notes = []

    def play(self, note):
        self.notes.append(note)

    def check(self):
        assert self.notes == self.wanted


def test_played():
    player = Player(["c", "d", "e"])
    app.played(player, ["c", "d", "e"])
    player.check()
    assert len(player.notes) == 3


def test_query():
    assert app.Query().where("a").text().startswith("a")
    assert app.Query().where("a").where("b").text().startswith("a and")
