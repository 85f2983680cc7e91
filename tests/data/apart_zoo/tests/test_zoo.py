import asyncio
import dataclasses
import datetime as dt
import decimal
import importlib
import inspect
import io
import json
import logging
import pathlib
import sys
import threading
import types
import unittest
import uuid
from unittest import mock

import pytest
from expected import app
from expected.app import Color, Level, NotFound, Point, Store, Tag, ZooError, add


def test_function():
    assert add(1) == 3
    assert add(1, 2, 3, scale=2, x=4) == 20
    assert app.add.__doc__ == "Adds."
    assert app.add.__name__ == "add"


def test_signature():
    assert list(inspect.signature(add).parameters) == ["a", "b", "rest", "scale", "more"]
    assert inspect.iscoroutinefunction(app.later)


def test_constants():
    assert app.LIMIT == 7
    assert app.NAMES == ["a", "b"]
    assert app.TABLE["many"][2]["deep"] == (3, None)


def test_missing_attribute():
    assert not hasattr(app, "nothing")
    with pytest.raises(AttributeError):
        app.nothing
    with pytest.raises(TypeError):
        app.echo()


def test_kinds():
    found = app.kinds()
    assert found[3] == 2**80
    assert found[5] == float("inf")
    assert found[9] == bytearray(b"x")
    assert found[13] == dt.datetime(2024, 1, 2, 3, 4, tzinfo=dt.timezone.utc)
    assert found[17] == decimal.Decimal("1.10")
    assert found[18] == uuid.UUID(int=5)
    assert found[19] == pathlib.Path("/a/b")
    assert [type(x).__name__ for x in found[:4]] == ["NoneType", "bool", "int", "int"]


@pytest.mark.parametrize("value", [None, 0, -1.5, "ü", [1, [2]], {"a": (1,)}, {1, 2}, b"x", 10**30])
def test_echo(value):
    assert app.echo(value) == value
    assert type(app.echo(value)) is type(value)


def test_exceptions():
    with pytest.raises(NotFound) as caught:
        app.fail("missing")
    assert caught.value.code == 404
    assert str(caught.value) == "no thing"
    assert caught.value.args == ("thing",)
    assert issubclass(NotFound, KeyError)
    with pytest.raises(ZooError):
        app.fail("missing")
    with pytest.raises(KeyError):
        app.fail("missing")
    with pytest.raises(ValueError, match="bad value") as other:
        app.fail("value")
    assert other.value.args[1] == 3
    with pytest.raises(ZooError) as chained:
        app.fail("chain")
    assert isinstance(chained.value.__cause__, KeyError)


def test_known_exceptions():
    with pytest.raises(SystemExit) as left:
        app.fail("exit")
    assert left.value.code == 3
    with pytest.raises(FileNotFoundError) as lost:
        app.fail("os")
    assert lost.value.filename == "/does/not/exist"
    with pytest.raises(json.JSONDecodeError):
        app.fail("json")


def test_enums():
    assert app.color("red") is Color.RED
    assert Color.RED.value == "red"
    assert app.color("blue") != Color.RED
    assert [c.name for c in Color] == ["RED", "BLUE"]
    assert Level.HIGH > Level.LOW
    assert Level.HIGH == 2
    assert Tag.NEW == "new"
    assert app.echo(Color.RED) is Color.RED


def test_named_tuple():
    p = app.point(1, 2)
    assert p == (1, 2)
    assert p.x == 1
    assert p == Point(1, 2)
    assert isinstance(p, Point)


def test_store():
    store = Store({"a": 1})
    assert isinstance(store, Store)
    assert store.size == 1
    assert store.put("b", [1]).get("b") == [1]
    assert len(store) == 2
    assert "a" in store
    assert "z" not in store
    assert store["a"] == 1
    store["c"] = 3
    del store["a"]
    assert sorted(store) == ["b", "c"]
    assert store("c") == 3
    assert repr(store) == "Store({'b': [1], 'c': 3})"
    with pytest.raises(KeyError):
        store["a"]


def test_class():
    assert Store.kind == "memory"
    assert Store.twice(3) == 6
    assert Store.of(x=1).get("x") == 1
    assert app.Sub({"k": 1}).get("k") == ("sub", 1)
    assert Store.__name__ == "Store"


def test_attributes():
    store = app.make_store()
    assert store.open is True
    store.open = "no"
    assert store.open == "no"
    store.extra = {"a": 1}
    assert store.extra == {"a": 1}
    assert store.put("x", 1) is store


def test_context_manager(tmp_path):
    with Store() as store:
        assert store.open
    assert store.open is False
    with pytest.raises(ZeroDivisionError), Store():
        1 / 0
    with app.opened(tmp_path / "f") as path:
        assert path == tmp_path / "f"
    assert (tmp_path / "f").read_text() == "begin\nend\n"


def test_generators():
    numbers = app.count(3)
    assert next(numbers) == 0
    assert list(numbers) == [1, 2]
    assert list(app.count(2)) == [0, 1]
    talk = app.talk()
    assert next(talk) == "ready"
    assert talk.send("you") == "heard you"
    talk.close()
    assert isinstance(app.count(1), types.GeneratorType)


def test_async():
    assert asyncio.run(app.later(5)) == 5

    async def several():
        both = await asyncio.gather(app.later(1, 0.01), app.later(2))
        numbers = [n async for n in app.stream(3)]
        async with app.Client() as client:
            return both, numbers, await client.fetch("x")

    assert asyncio.run(several()) == ([1, 2], [0, 1, 2], {"name": "x"})


def test_async_timeout():
    async def slow():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(app.later(1, 5), 0.05)

    asyncio.run(slow())


def test_async_callback():
    async def double(value):
        return value * 2

    assert asyncio.run(app.each([1, 2], double)) == [2, 4]


def test_callbacks():
    seen = []
    assert app.apply(lambda v: v + 1, [1, 2]) == [2, 3]
    assert app.apply(seen.append, [1, 2]) == [None, None]
    assert seen == [1, 2]
    assert app.apply(str, [1]) == ["1"]


def test_callback_raises():
    def bad():
        raise ValueError("from the test")

    assert app.try_each([bad, lambda: 1]) == ["from the test", 1]

    def worse():
        raise RuntimeError("through")

    with pytest.raises(RuntimeError, match="through"):
        app.try_each([worse])


def test_mocks():
    service = mock.Mock()
    service.name = "service"
    assert app.use(service) == "service"
    service.send.assert_called_once_with("hello", count=2)
    function = mock.Mock(return_value=4)
    assert app.apply(function, [1, 2]) == [4, 4]
    assert function.call_args_list == [mock.call(1), mock.call(2)]


class Fake:
    name = "fake"

    def __init__(self):
        self.sent = []

    def send(self, text, count):
        self.sent.append((text, count))


def test_fake_object():
    fake = Fake()
    assert app.use(fake) == "fake"
    assert fake.sent == [("hello", 2)]


def test_arguments_change():
    values = []
    app.fill(values)
    assert values == [1, {"two": 2}]
    target = {"a": 1}
    assert app.merge(target, {"b": 2}) is target
    assert target == {"a": 1, "b": 2}


def test_shared_list():
    events = []
    bus = app.Bus(events)
    bus.publish("one")
    assert events == ["one"]
    events.clear()
    bus.publish("two")
    assert events == ["two"]


def test_iterator_argument():
    assert app.consume(iter([1, 2, 3])) == 6
    assert app.consume(n for n in (1, 2)) == 3


def test_files(tmp_path):
    path = app.write(tmp_path / "deep" / "x.txt", "hello")
    assert path.read_text() == "hello"
    assert path.exists()
    (tmp_path / "in.txt").write_text("in")
    assert app.temporary().read_text() == "temporary"


def test_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app.here()
    assert pathlib.Path("here.txt").read_text() == "here"


def test_variables(monkeypatch):
    assert app.setting() == "default"
    monkeypatch.setenv("ZOO_SETTING", "other")
    assert app.setting() == "other"
    monkeypatch.delenv("ZOO_SETTING")
    assert app.setting() == "default"


def test_printing(capsys):
    app.say("hi")
    out, err = capsys.readouterr()
    assert out == "hi\n"
    assert err == "problem\n"


def test_logging(caplog):
    with caplog.at_level(logging.WARNING):
        app.note("this")
    assert "noted this" in caplog.text


def test_warnings():
    with pytest.warns(DeprecationWarning, match="old"):
        app.warn()


def test_patching(monkeypatch):
    monkeypatch.setattr(app, "helper", lambda: "patched")
    assert app.uses_helper() == "patched"
    monkeypatch.undo()
    assert app.uses_helper() == "real"
    with mock.patch("expected.app.helper", return_value="mocked") as fake:
        assert app.uses_helper() == "mocked"
    fake.assert_called_once_with()
    with mock.patch.object(app.Store, "get", return_value=9):
        assert app.make_store().get("x") == 9
    assert app.make_store().get("x") is None


def test_patching_a_module_of_its_own(monkeypatch):
    slept = []
    monkeypatch.setattr(app.time, "sleep", slept.append)
    assert app.waits() == "waited"
    assert slept == [0.01]


def test_command_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["zoo", "one", "two"])
    assert app.main() == 0
    assert capsys.readouterr().out == "one two\n"


def test_closures():
    triple = app.maker(3)
    assert callable(triple)
    assert triple(4) == 12


def test_threads():
    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(add(n))) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [2, 3, 4, 5]


def test_dataclass_attributes():
    item = app.item("x")
    assert item.name == "x"
    assert item.price == 1.5
    assert item.tags == []
    assert item.total(2) == 3.0
    assert isinstance(item, app.Item)
    item.price = 2.0
    assert item.total(1) == 2.0


def test_dataclass_values():
    item = app.item("x")
    assert item == app.Item("x")
    assert item != app.Item("y")
    assert app.Item("x", tags=["t"]).tags == ["t"]
    assert dataclasses.asdict(item) == {"name": "x", "price": 1.5, "tags": []}
    assert [field.name for field in dataclasses.fields(app.Item)] == ["name", "price", "tags"]


class TestUnit(unittest.TestCase):
    def setUp(self):
        self.store = Store()

    def test_in_a_class(self):
        self.store.put("a", 1)
        self.assertEqual(self.store.get("a"), 1)
        self.assertIn("a", self.store)
        self.assertRaises(NotFound, app.fail, "missing")
        with self.assertRaisesRegex(ValueError, "bad"):
            app.fail("value")


@pytest.fixture
def store():
    made = Store({"f": 1})
    yield made
    assert made.size >= 1


def test_fixture(store):
    assert store.get("f") == 1


def test_reload(monkeypatch):
    assert importlib.import_module("expected.app") is app
    importlib.reload(app)
    assert app.LIMIT == 7


def test_looking_closer():
    assert issubclass(app.Sub, app.Store)
    assert isinstance(app.Sub(), app.Store)
    assert not isinstance(app.make_store(), app.Sub)
    assert set(vars(app.item("x"))) == {"name", "price", "tags"}
    assert "password" not in app.item("x").__dict__
    assert "LIMIT" in vars(app)
    assert "LIMIT" in dir(app)
    assert "put" in dir(app.Store())
    assert inspect.getsource(app.helper) == 'def helper():\n    return "real"\n'
    assert inspect.getsource(app.Client.fetch).strip().startswith("async def fetch")
    assert inspect.getsource(app.Color).startswith("class Color")
    assert "def uses_helper" in inspect.getsource(app)
    names = {}
    exec("from expected.app import *", names)
    assert names["LIMIT"] == 7
    assert names["add"](1) == 3
