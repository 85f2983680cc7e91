"""Callbacks, blocks, files and lists of the tests'."""

import asyncio
import json
from unittest.mock import Mock, call

import pytest
from expected import app


def test_listener_is_told():
    warehouse, told = app.Warehouse(), []
    warehouse.on_move(lambda name, by: told.append((name, by)))
    warehouse.add("nuts", 3)
    warehouse.take("nuts", 1)
    assert told == [("nuts", 3), ("nuts", -1)]


def test_mock_is_told():
    warehouse, listener = app.Warehouse(), Mock()
    warehouse.on_move(listener)
    warehouse.add("nuts", 3)
    listener.assert_called_once_with("nuts", 3)
    warehouse.take("nuts", 2)
    assert listener.call_args_list == [call("nuts", 3), call("nuts", -2)]


def test_listener_checks():
    warehouse = app.Warehouse()

    def check(name, by):
        assert name == "nuts"
        assert by == 3

    warehouse.on_move(check)
    warehouse.add("nuts", 3)


def test_undone():
    warehouse = app.Warehouse()
    warehouse.add("nuts", 5)
    with pytest.raises(RuntimeError, match="stop"), warehouse.undone_on_error() as same:
        same.take("nuts", 2)
        raise RuntimeError("stop")
    assert warehouse.count("nuts") == 5


def test_not_undone():
    warehouse = app.Warehouse()
    with warehouse.undone_on_error():
        warehouse.add("nuts", 5)
        assert warehouse.count("nuts") == 5
    assert warehouse.count("nuts") == 5


def test_new_list():
    numbers = [1, 2, 3]
    assert app.doubled(numbers) == [number * 2 for number in numbers]


def test_halves():
    numbers = [1, 2, 3]
    assert list(app.halves(numbers)) == [number / 2 for number in numbers]


def test_tidy():
    names = ["b", "a", "b"]
    assert app.tidy(names) is None
    assert names == ["a", "b"]


def test_at_most():
    work = Mock(side_effect=[OSError("busy"), OSError("busy"), 7])
    assert app.at_most(3, work) == 7
    assert work.call_count == 3
    with pytest.raises(OSError, match="gone"):
        app.at_most(2, Mock(side_effect=OSError("gone")))


def test_saved(tmp_path):
    warehouse = app.Warehouse()
    warehouse.add("nuts", 3)
    warehouse.add("bolts", 1)
    warehouse.save(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_text()) == {"nuts": 3, "bolts": 1}
    assert list(app.Warehouse.load(tmp_path / "saved.json")) == ["bolts", "nuts"]


def test_asynchronous():
    async def go():
        warehouse = app.Warehouse()
        assert await warehouse.order("nuts", 4) == 4
        got = [name async for name in warehouse.arrivals(["a", "b"])]
        assert got == ["a", "b"]
        assert warehouse.count("a") == 1

    asyncio.run(go())
