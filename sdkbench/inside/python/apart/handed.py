"""What tests hand to the solution: which of it is handed over live, and what it may be used for."""

import asyncio
import collections.abc
import functools
import inspect
import threading
import types
import unittest.mock
from collections.abc import Callable
from typing import Any

from . import wire


def how_handed(value: object) -> str | None:
    """As what a function or an object of the tests' own is handed over; None for anything else."""
    if isinstance(value, unittest.mock.NonCallableMock):
        return "async" if isinstance(value, unittest.mock.AsyncMock) else "object"
    if isinstance(value, types.FunctionType | types.MethodType | functools.partial):
        return "async" if inspect.iscoroutinefunction(value) else "object"
    if isinstance(value, types.BuiltinFunctionType) and not isinstance(
        getattr(value, "__self__", None), types.ModuleType | None
    ):
        return "object"  # a method of one of the tests' containers
    if isinstance(value, collections.abc.Iterator) and type(value).__module__ in {
        "builtins",
        "itertools",
    }:
        return "iterator"
    return "object" if _is_of_tests(type(value)) else None


def _is_of_tests(kind: type) -> bool:
    name = kind.__module__.rpartition(".")[2]
    top = kind.__module__.partition(".")[0]
    return name.startswith(("test_", "conftest")) or name.endswith("_test") or top == "tests"


def used(target: Any, operation: str, arguments: list[Any], named: dict[str, Any]) -> object:
    """What the solution does with something of the tests'."""
    if operation == "call":
        return target(*arguments, **named)
    if operation == "await":
        return _awaited(target(*arguments, **named))
    if operation in USES:
        return USES[operation](target, *arguments)
    raise wire.WireError("unknown use")


def _next(target: Any) -> tuple[bool, object]:
    try:
        return (True, next(target))
    except StopIteration:
        return (False, None)


def _leave(target: Any, error: BaseException | None) -> object:
    return target.__exit__(type(error) if error else None, error, None)


def _get(target: Any, name: object) -> object:
    return getattr(target, _open_name(target, name))


def _set(target: Any, name: object, value: object) -> None:
    setattr(target, _open_name(target, name), value)


USES: dict[str, Callable[..., object]] = {
    "next": _next,
    "get": _get,
    "set": _set,
    "item": lambda target, key: target[key],
    "iter": iter,
    "len": len,
    "enter": lambda target: target.__enter__(),
    "exit": _leave,
}


def _open_name(target: object, name: object) -> str:
    """Judged code must not reach the checks of a mock, nor what is not the object's own."""
    closed = (
        type(name) is not str
        or name.startswith("_")
        or isinstance(target, types.FunctionType | types.MethodType)
        or (isinstance(target, unittest.mock.NonCallableMock) and hasattr(MOCK, name))
    )
    if closed:
        raise AttributeError(name)
    return str(name)


MOCK = unittest.mock.MagicMock(spec_set=())


def _awaited(work: Any) -> object:
    """An asynchronous function of the tests', called by the solution: in a loop of its own."""
    box: list[Any] = []

    def run() -> None:
        try:
            box.append((asyncio.run(work), None))
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
            box.append((None, error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    result, error = box[0]
    if error is not None:
        raise error
    return result
