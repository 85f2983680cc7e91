"""Holds the solution, and does what the tests' side asks for. Nothing here is trusted by it.

Started under the solution's environment, in a sandbox that has no tests in it. Judged code runs in
this very process and may take it over: all that it can forge are its own answers.
"""

import builtins
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import itertools
import os
import pickle
import socket
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any, TypedDict

from . import wire
from .given import stand_in
from .numbered import MAX_MESSAGE, Numbered, plain_copy
from .printed import Printed
from .shared import Shared, make_alike
from .surroundings import forget_private_variables, move_to, use_scratch
from .wire import Node

MAX_LOGS = 2000
MAX_ITEMS = 100_000  # of an object that is to be a list; it may have no end


class SolutionOrder(TypedDict):
    workspace: str
    solution: str
    peer_fd: str
    path_first: list[str]
    path_last: list[str]
    compile: bool
    scratch: str  # the folder that both sides share
    folder: str  # where it begins
    held: bool  # to what the reference gave, whose record says what is plain data


class Server:
    """Objects of the solution have numbers on the other side, until it lets go of them."""

    def __init__(self, stream: wire.Socket, root: str, *, held: bool) -> None:
        self._stream = stream
        self._root = root
        self._objects = Numbered(root, held=held)
        self._shared = Shared(1)
        self._callbacks: dict[int, object] = {}
        self._loop: Any = None
        self._tasks: dict[int, Any] = {}
        self._calls = 0  # that are being answered: only then somebody listens
        self._talking = threading.RLock()
        self._logs: list[Node] = []
        self._warnings: list[Node] = []
        self._streams = Printed(), Printed()

    def _again(self, value: object) -> Node:
        try:
            return wire.Encoder(self._objects.other).encode(value)
        except Exception:  # noqa: BLE001 - judged code; it no longer can be shared
            return ["el"]

    # ---- from the tests to here; trusted

    def _from_tests(self, tag: str, node: list[Node], decoder: wire.Decoder, depth: int) -> object:
        if tag == "h":
            return self._objects.by_number[node[1]]
        if tag == "cb":
            number, what = node[1], node[2]
            if number not in self._callbacks:
                self._callbacks[number] = stand_in(self, number, what)
            return self._callbacks[number]
        if tag == "en":
            return getattr(self._objects.by_number[node[1]], node[2])
        if tag == "nt":
            kind: Any = self._objects.by_number[node[1]]
            return kind(*decoder.decode_all(node[2:], depth))
        if tag == "pk":
            return pickle.loads(decoder.blob(node[1]))  # noqa: S301 - of the tests' own making
        if tag == "ex":
            return self._given_exception(node, decoder)
        if tag == "R":
            return self._given_container(node, decoder)
        raise wire.WireError(tag)

    def _given_exception(self, node: list[Node], decoder: wire.Decoder) -> BaseException:
        _, number, named, arguments = node
        kind: Any = (
            self._objects.by_number[named] if type(named) is int else getattr(builtins, named)
        )
        values = decoder.decode_all(arguments, 1)
        try:
            error: BaseException = kind(*values)
        except Exception:  # noqa: BLE001 - judged code
            error = Exception(*values)
        vars(error)["_apart_number"] = number
        return error

    def _given_container(self, node: list[Node], decoder: wire.Decoder) -> object:
        if not node[2:]:
            entry = self._shared.by_ref(node[1])
            if entry is None:
                raise wire.WireError("forgotten")
            return entry.value
        value = decoder.decode(node[2])
        self._shared.add(value, node[1], node[2], decoder.nodes)
        return value

    # ---- talking

    def hello(self, errors: list[str]) -> None:
        self._stream.send(["hello", wire.VERSION, errors], [])

    def serve(self) -> object:
        """Answer requests, until one of them is the answer to a call of ours."""
        while True:
            message, blobs = self._stream.receive()
            operation, arguments, (forget, changes, surroundings, released) = message
            decoder = wire.Decoder(blobs, self._from_tests)
            self._catch_up(decoder, forget=forget, changes=changes, released=released)
            if surroundings is not None:
                move_to(*surroundings)
            if operation == "returned":
                return decoder.decode(arguments[0])
            if operation == "raised":
                error = decoder.decode(arguments[0])
                assert isinstance(error, BaseException)  # noqa: S101
                raise error
            self._answer(operation, [decoder.decode(each) for each in arguments])

    def _catch_up(
        self, decoder: wire.Decoder, *, forget: bool, changes: list[Node], released: list[int]
    ) -> None:
        if forget:
            self._shared.clear()
        self._objects.release(released)
        for ref, node in changes:
            entry = self._shared.by_ref(ref)
            if entry is not None:
                make_alike(entry.value, decoder.decode(node))
                entry.be_alike(node)

    def _answer(self, operation: str, arguments: list[Any]) -> None:
        self._calls += 1
        self._talking.release()  # other threads may call back meanwhile
        try:
            what, value = "returned", OPERATIONS[operation](self, *arguments)
        except BaseException as error:  # noqa: BLE001 - judged code raises what it likes
            what, value = "raised", error
        finally:
            self._talking.acquire()
            self._calls -= 1
        self._reply(what, value)

    def _reply(self, what: str, value: Any) -> None:
        encoder = wire.Encoder(self._objects.other)
        changes = self._shared.changes(self._again)
        try:
            if what == "raised":
                node = self._objects.exception(value, encoder)
            else:
                node = self._shared.node_of(value, encoder)
            self._send([what, node], changes, encoder.blobs)
        except Exception as error:  # noqa: BLE001 - it has to be told
            why = f"what the solution gives cannot cross: {type(error).__name__}: {error}"
            self._send(["refused", why[:MAX_MESSAGE]], [], [])

    def _send(self, message: list[Node], changes: list[Node], blobs: list[bytes]) -> None:
        printed = [stream.take() for stream in self._streams]
        logs, self._logs = self._logs[:MAX_LOGS], []
        warned, self._warnings = self._warnings[:MAX_LOGS], []
        try:
            self._stream.send([*message, changes, printed, logs, warned], blobs)
        except wire.TooLarge:  # of what is said beside it, maybe: the answer comes first
            self._stream.send([*message, changes, ["", ""], [], []], blobs)

    def call_back(self, operation: str, number: int, arguments: Any, named: Any) -> object:
        """Ask the tests' side for something while it waits for us."""
        with self._talking:
            if not self._calls:
                raise RuntimeError("Nobody waits for an answer: what tests hand over can be used "
                                   "only while one of them calls.")  # fmt: skip
            encoder = wire.Encoder(self._objects.other)
            changes = self._shared.changes(self._again)
            given = [self._shared.node_of(value, encoder) for value in arguments]
            by_name = [
                [name, self._shared.node_of(value, encoder)] for name, value in named.items()
            ]
            self._send(["call", [operation, number, given, by_name]], changes, encoder.blobs)
            return self.serve()

    # ---- what can be asked for

    def do_import(self, name: str, again: str) -> object:
        """`again`: "" for an import, "reload" for a reload, "anew" after it was thrown out."""
        if again == "anew":
            sys.modules.pop(name, None)
        module = importlib.import_module(name)
        return importlib.reload(module) if again == "reload" else module

    def do_has(self, name: str) -> bool:
        """Whether a module of this name stands in the solution's own folder."""
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return False
        return spec is not None and str(spec.origin or "").startswith(self._root)

    def do_variables(self, value: object, _: str) -> object:
        return [name for name in vars(value) if not (name[:2] == name[-2:] == "__")]

    def do_names(self, value: object, _: str) -> object:
        return dir(value)

    def do_public(self, module: object, _: str) -> object:
        listed = getattr(module, "__all__", None)
        names = [name for name in vars(module) if not name.startswith("_")]
        return names if listed is None else list(listed)

    def do_source(self, name: str) -> str | None:
        """The text of a module, for tests that look at it."""
        path = getattr(sys.modules.get(name), "__file__", None)
        if not isinstance(path, str) or not path.endswith(".py"):
            return None
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()

    def do_get(self, value: object, name: str) -> object:
        return getattr(value, name)

    def do_set(self, value: object, name: str, to: object) -> None:
        setattr(value, name, to)

    def do_delete(self, value: object, name: str) -> None:
        delattr(value, name)

    def do_call(self, function: Any, arguments: Any, named: Any) -> object:
        return function(*arguments, **named)

    def do_method(self, value: Any, name: str, arguments: Any, named: Any) -> object:
        if name.startswith("__") and name.endswith("__"):
            protocol = _BY_FUNCTION.get(name)
            if protocol is not None:
                return protocol(value, *arguments)
            return getattr(type(value), name)(value, *_exit_words(name, arguments), **named)
        return getattr(value, name)(*arguments, **named)

    def do_describe(self, kind: type) -> object:
        return tuple(self._objects.describe(kind))

    def do_fields(self, value: object, names: list[str]) -> object:
        return tuple(getattr(value, name) for name in names)

    def do_plain(self, value: Any, base: str) -> object:
        """The same as plain data of a kind that the reference gave here."""
        if base == "dict":
            for name in ("model_dump", "dict", "_asdict"):
                if callable(getattr(value, name, None)):
                    return dict(getattr(value, name)())
            if dataclasses.is_dataclass(value) and not isinstance(value, type):
                return dataclasses.asdict(value)
        if base in {"list", "tuple", "set", "frozenset"}:
            value = list(itertools.islice(iter(value), MAX_ITEMS + 1))
            if len(value) > MAX_ITEMS:
                raise wire.TooLarge(f"more than {MAX_ITEMS:,} items")
        return _PLAIN[base](value)

    def do_data(self, value: object) -> object:
        """The same with plain data in place of what is made from it."""
        return plain_copy(value)

    def do_function(self, value: Any) -> object:
        """An object that can be called, as a function."""
        if not callable(value):
            raise TypeError("it cannot be called")

        async def call_async(*arguments: Any, **named: Any) -> object:
            return await value(*arguments, **named)

        def call(*arguments: Any, **named: Any) -> object:
            return value(*arguments, **named)

        is_async = inspect.iscoroutinefunction(getattr(value, "__call__", None))  # noqa: B004
        return functools.update_wrapper(call_async if is_async else call, value)

    def do_iterator(self, value: Any) -> object:
        """An object that can be iterated over, as a generator."""
        if not hasattr(type(value), "__aiter__"):
            return (item for item in value)
        return (item async for item in value)

    def do_next(self, iterator: Any, how: str, value: Any) -> object:
        try:
            if how == "next":
                return (True, next(iterator))
            if how == "send":
                return (True, iterator.send(value))
            return (True, iterator.throw(value))
        except StopIteration as stop:
            return (False, stop.value)

    def do_close(self, iterator: Any) -> None:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()

    def do_start(self, how: str, *words: Any) -> object:
        """Something to await: it is run by this side's own event loop, in `do_pump`."""
        import asyncio  # noqa: PLC0415 - only where the solution is asynchronous

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        task = self._loop.create_task(self._awaited(how, words))
        self._tasks[id(task)] = task
        return id(task)

    async def _awaited(self, how: str, words: Any) -> object:
        if how == "await":
            return await words[0]
        if how == "next":
            try:
                return (True, await words[0].__anext__())
            except StopAsyncIteration:
                return (False, None)
        made = self.do_call(*words) if how == "call" else self.do_method(*words)
        return await made if inspect.isawaitable(made) else made

    def do_pump(self, number: int, seconds: float) -> object:
        import asyncio  # noqa: PLC0415

        task = self._tasks[number]
        if not task.done():
            self._loop.run_until_complete(asyncio.wait([task], timeout=seconds))
        if not task.done():
            return (False, None)
        del self._tasks[number]
        return (True, task.result())

    def do_cancel(self, number: int) -> None:
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()

    # ---- what the solution prints, logs and warns of

    def listen(self) -> None:
        import logging  # noqa: PLC0415

        sys.stdout, sys.stderr = (stream.text for stream in self._streams)
        server = self

        class Forward(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                if len(server._logs) < MAX_LOGS:
                    line = [record.name, record.levelno, record.getMessage()[:10_000]]
                    server._logs.append(line)

        logging.root.addHandler(Forward(0))
        logging.root.setLevel(1)
        warnings.simplefilter("always")
        warnings.showwarning = self._warn

    def _warn(self, message: object, category: type, *_: object, **__: object) -> None:
        if len(self._warnings) < MAX_LOGS:
            self._warnings.append([category.__name__, str(message)[:10_000]])

    def start(self) -> None:
        self._talking.acquire()
        self.serve()


OPERATIONS: dict[str, Callable[..., object]] = {
    name.removeprefix("do_"): function
    for name, function in vars(Server).items()
    if name.startswith("do_")
}
_BY_FUNCTION: dict[str, Callable[..., object]] = {
    "__contains__": lambda value, item: item in value,
    "__bool__": bool,
    "__len__": len,
    "__iter__": iter,
    "__next__": next,
    "__str__": str,
    "__repr__": repr,
    "__int__": int,
    "__float__": float,
}
_PLAIN: dict[str, Callable[[Any], object]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "bytes": bytes,
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}


def _exit_words(name: str, arguments: Any) -> Any:
    """`__exit__` is given the exception alone: its class and trace are made here."""
    if name in {"__exit__", "__aexit__"} and isinstance(arguments[0], BaseException):
        error = arguments[0]
        return type(error), error, error.__traceback__
    return (None, None, None) if name in {"__exit__", "__aexit__"} else arguments


def run(order: SolutionOrder, errors: list[str], stream: socket.socket) -> None:
    """Serve until the tests' side is gone; ends the process."""
    sys.path[:0] = order["path_first"]
    sys.path += order["path_last"]
    forget_private_variables()
    use_scratch(order["scratch"])
    os.makedirs(order["folder"], exist_ok=True)
    os.chdir(order["folder"])
    server = Server(wire.Socket(stream), order["workspace"], held=order["held"])
    server.listen()
    try:
        server.hello(errors)
        server.start()
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)
