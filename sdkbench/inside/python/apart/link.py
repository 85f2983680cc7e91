"""The tests' end: asks the solution's process, and believes nothing of its answers but values."""

import asyncio
import contextlib
import pickle
import socket
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from . import wire
from .exceptions import Broken, Undecidable, fails_a_test, name_of_builtin
from .forwarded import log_again, print_again, warn_again
from .handed import how_handed, used
from .profile import ITERATORS, STAND_IN, Profile, in_words, is_data, kinds_of
from .shared import Shared, make_alike
from .surroundings import Surroundings
from .wire import Node

PUMP_SECONDS = 0.005
MOST_OF_A_NAME = 100
DESCRIPTION = 9  # parts of what the solution says of a class
MODULES = "modules"
HANDED = "what tests hand over"
BASES: tuple[Any, ...] = (int, float, str, bytes, list, dict, tuple, set, frozenset)


class Link:
    """One for a run. `standins` makes what stands in for the solution's live objects."""

    def __init__(self, stream: socket.socket, profile: Profile, standins: Any) -> None:
        self._stream = wire.Socket(stream)
        self._lock = threading.RLock()
        self._shared = Shared(2)
        self._handed: dict[int, Any] = {}  # what tests gave to the solution, by number
        self._handed_numbers: dict[int, int] = {}
        self._forget = False
        self._released: list[int] = []
        self._waiting = False  # for an answer
        self._unused: list[int] = []  # iterators that were let go of meanwhile
        self.unsent: list[Any] = []  # objects that the test has made, and nobody was told of
        self._told = Surroundings.now()
        self._first_words = list(sys.argv)
        self.profile = profile
        self.standins = standins
        self.test = ""
        self.trouble: str | None = None  # what must fail the running test, whatever it catches
        self.gone: str | None = None
        self.obstacles: dict[str, str] = {}

    # ---- tests come and go

    def hello(self) -> list[str]:
        """What is wrong with the solution before it is asked for anything."""
        message, _ = self._received()
        if type(message) is not list or message[:-1] != ["hello", wire.VERSION]:
            self._break("it does not speak this protocol")
        errors = message[-1]
        if type(errors) is not list or not all(type(each) is str for each in errors):
            self._break("it does not speak this protocol")
        return [error[:2000] for error in errors[:1000]]

    def begin(self, test: str) -> None:
        self.test = test
        self.trouble = None
        self._forget = True
        self._shared.clear()

    def tell_all(self) -> None:
        """What the test has made must be what the solution can make, too."""
        unsent, self.unsent = self.unsent, []
        for each in unsent:
            self.standins.number_of(each)

    def _break(self, reason: str) -> Any:
        self.gone = self.gone or f"The solution's process cannot be asked any more: {reason}."
        raise Broken(self.gone)

    def undecidable(self, sentence: str) -> Undecidable:
        """On the reference this is why its sample can't be apart, on a solution a departure."""
        sentence = in_words(sentence)
        self.profile.depart(sentence)
        self.obstacles.setdefault(self.test, sentence)
        return Undecidable(sentence)

    # ---- asking

    def ask(
        self,
        operation: str,
        nodes: list[Node],
        arguments: Any,
        named: Any,
        path: str | None,
        *,
        held: bool = True,
        origin: str | None = None,
    ) -> Any:
        """Ask and decode; `arguments` and `named` are encoded behind `nodes`, if given: at
        `origin`, where that is another path than the answer's.

        Unless `held`, what comes back is looked at by the caller.
        """
        __tracebackhide__ = True
        with self._lock:
            encoder = wire.Encoder(self._other)
            words = [*nodes]
            if arguments is not None:
                at = origin or path or operation
                given = {**dict(enumerate(arguments)), **named}
                sent = [
                    self._shared.node_of(value, encoder, f"{at}({key})")
                    for key, value in given.items()
                ]
                count = len(arguments)
                pairs = [x for pair in zip(named, sent[count:], strict=True) for x in pair]
                words += [["T", *sent[:count]], ["D", *pairs]]
            value = self._exchange(operation, words, encoder.blobs, path)
        return value if path is None or not held else self.held_to_profile(value, path)

    def set(self, target: Node, name: str, value: object) -> None:
        with self._lock:
            encoder = wire.Encoder(self._other)
            node = self._shared.node_of(value, encoder, f"set {name}")
            self._exchange("set", [target, name, node], encoder.blobs, None)

    async def ask_async(
        self, how: str, nodes: list[Node], arguments: Any, named: Any, path: str | None
    ) -> Any:
        """The solution's own event loop runs it, a little at a time, while ours goes on."""
        task = self.ask("start", [how, *nodes], arguments, named, None, origin=path)
        if type(task) is not int:
            self._break("it does not speak this protocol")
        seconds = 0.0
        try:
            while True:
                answer = self.ask("pump", [task, seconds], None, None, path, held=False)
                done, value = self.pair(answer)
                if done and how == "next":
                    more, item = self.pair(value)
                    return more, self.held_to_profile(item, path or how)
                if done:
                    return self.held_to_profile(value, path or how)
                await asyncio.sleep(0)
                seconds = PUMP_SECONDS
        except asyncio.CancelledError:
            self.ask("cancel", [task], None, None, None)
            raise

    def next(self, number: int, how: str, value: object, path: str) -> tuple[bool, Any]:
        with self._lock:
            encoder = wire.Encoder(self._other)
            words = [["h", number], how, self._shared.node_of(value, encoder, path)]
            more, item = self.pair(self._exchange("next", words, encoder.blobs, path))
        return more, self.held_to_profile(item, path)

    def pair(self, answer: Any) -> tuple[bool, Any]:
        match answer:
            case (bool() as done, value):
                return done, value
        return self._break("it does not speak this protocol")  # type: ignore[no-any-return]

    def close(self, number: int) -> None:
        """The test has no more use for an iterator. It may be found so at any moment."""
        if self._waiting:
            self._unused.append(number)
        elif not self.gone:
            self.ask("close", [["h", number]], None, None, None)

    def describe(self, number: int) -> list[Node]:
        """What the solution says of a class of its own; the caller believes none of it."""
        described = self.ask("describe", [["h", number]], None, None, None)
        if type(described) is not tuple or len(described) != DESCRIPTION:
            raise wire.WireError("description of a class")
        return list(described)

    def has_module(self, name: str) -> bool:
        """Whether the solution has a module that the tests can import by its bare name.

        Only such as the reference has: code of packages looks for optional modules, too.
        """
        if not self.profile.recording:
            return self.profile.may_use(MODULES, name)
        known = self.ask("has", [name], None, None, None) is True
        return known and self.profile.may_use(MODULES, name)

    def import_module(self, name: str, again: str) -> object:
        return self.ask("import", [name, again], None, None, None)

    def _exchange(
        self, operation: str, words: list[Node], blobs: list[bytes], path: str | None
    ) -> Any:
        __tracebackhide__ = True
        if self.gone:
            raise Broken(self.gone)
        while self._unused:
            self.close(self._unused.pop())
        self._send(operation, words, blobs)
        way = path or operation
        while True:
            message, received = self._received()
            try:
                what, body, changes, printed, logs, warned = message
                decoder = wire.Decoder(received, _AtPath(self, way))
                self._apply(changes, decoder, way)
                print_again(printed)
                log_again(logs)
                warn_again(warned)
                value = self._decoded(what, body, decoder, way)
            except wire.TooLarge as error:
                raise self._too_much(str(error)) from None
            except Undecidable:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a hostile answer brings about
                self._break(f"it does not keep to the protocol ({str(error)[:200]})")
            if what == "raised":
                raise self._seen(operation, words, value, way)
            if what == "returned":
                return value

    def _seen(
        self, operation: str, words: list[Node], error: BaseException, way: str
    ) -> BaseException:
        """What the tests see raised. A `map` or a loop of theirs would take a StopIteration for its
        own end, and a task of theirs a CancelledError, and check nothing; as in generators, it is
        no more than an error.
        """
        kind = next((each for each in type(error).__mro__ if _ends_quietly(each)), None)
        if kind is None or (operation == "method" and words[1] in {"__next__", "__anext__"}):
            return error
        name = f"raises {kind.__name__}"
        return error if self.profile.may_use(way, name) else RuntimeError(in_words(f"{way} {name}"))

    def _decoded(self, what: Any, body: Node, decoder: wire.Decoder, path: str) -> Any:
        if what == "call":
            return self._call_back(body, decoder, path)
        if what == "refused":
            raise wire.TooLarge(wire.text(body, 200_000)[:2000])
        if what == "returned":
            return self._top_value(body, decoder, path)
        error = decoder.decode(body) if what == "raised" else None
        if not isinstance(error, BaseException):
            raise wire.WireError("unknown answer")
        return error

    def _too_much(self, reason: str) -> Broken:
        """Not the end of the run, but of this test."""
        self.trouble = f"What the solution gives is too large to be compared: {reason}."
        self.obstacles.setdefault(self.test, self.trouble)
        return Broken(self.trouble)

    def held_to_profile(self, value: Any, path: str) -> Any:
        """What came at `path`, in the form that the reference gave there where it gave another."""
        unknown = self.profile.unknown(path, kinds_of(value))
        if not unknown:
            return value
        for operation, words in self._other_forms(value, path):
            with contextlib.suppress(Exception):  # it need not have any such form
                other = self.ask(operation, words, None, None, path, held=False)
                if not self.profile.unknown(path, kinds_of(other)):
                    return other
        raise self.undecidable(
            f"{path} gives {', '.join(unknown)}, which the reference does not give there"
        )

    def _other_forms(self, value: Any, path: str) -> Iterator[tuple[str, list[Node]]]:
        """Questions for the same in a form that the profile may know."""
        number = self.standins.number_of(value)
        base = self.profile.base(path)
        if number is not None and base is not None:
            yield "plain", [["h", number], base]
        if number is not None and self.profile.gave_only(path, "builtins.function"):
            yield "function", [["h", number]]
        if number is not None and any(self.profile.gave_only(path, one) for one in ITERATORS):
            yield "iterator", [["h", number]]
        encoder = wire.Encoder(self._other)
        node = encoder.encode(value) if self.profile.gave_data(path) else None
        if node is not None and not encoder.blobs:
            yield "data", [node]

    def _send(self, operation: str, words: list[Node], blobs: list[bytes]) -> None:
        self._waiting = True
        forget, self._forget = self._forget, False
        released, self._released = self._released, []
        changes = [] if forget else self._shared.changes(self._again)
        rest = [forget, changes, self._surroundings(), released]
        try:
            self._stream.send([operation, words, rest], blobs)
        except wire.TooLarge as error:
            self._waiting = False
            raise self.undecidable(f"A value is too large to be handed over: {error}") from None
        except OSError:
            self._break("it has ended")

    def _received(self) -> tuple[Node, list[bytes]]:
        try:
            message = self._stream.receive()
        except wire.TooLarge as error:
            self._break(f"it gave {error}")
        except wire.WireError as error:
            self._break(f"it does not keep to the protocol ({error})")
        except (EOFError, OSError):
            self._break("it has ended")
        else:
            self._waiting = False
            return message
        raise AssertionError

    def _surroundings(self) -> Node:
        """Working folder, variables and command line, where they changed since the last time."""
        folder, variables = Surroundings.now()
        old_folder, old = self._told
        words = list(sys.argv) if sys.argv != self._first_words else None
        if folder == old_folder and variables == old and words is None:
            return None
        self._told = Surroundings(folder, variables)
        gone = [name for name in old if name not in variables]
        new = [[name, value] for name, value in variables.items() if old.get(name) != value]
        return [folder if folder != old_folder else None, [gone, new], words]

    # ---- from the tests to the solution

    def _again(self, value: object) -> Node:
        try:
            return wire.Encoder(self._other).encode(value)
        except (Undecidable, wire.TooLarge):
            return ["el"]

    def _other(self, value: object, encoder: wire.Encoder, depth: int) -> Node:
        number = self.standins.number_of(value)
        if number is not None:
            return ["h", number]
        member = self.standins.member_of(value)
        if member is not None:
            return member
        kind = self.standins.class_number(type(value))
        if kind is not None and isinstance(value, tuple):
            return ["nt", kind, *encoder.encode_all(value, depth + 1)]
        if isinstance(value, BaseException):
            return self._given_exception(value, encoder)
        what = how_handed(value)
        if what is not None:
            return ["cb", self._hand(value), what]
        for base in BASES:
            if isinstance(value, base):
                return encoder.encode(base(value), depth + 1)
        try:
            # The solution's side believes the tests; never the other way.
            return ["pk", encoder.blob(pickle.dumps(value))]
        except Exception as error:  # noqa: BLE001 - any class may refuse in its own way
            name = f"{type(value).__module__}.{type(value).__qualname__}"
            raise self.undecidable(
                f"A {name} is handed to the solution, and cannot be sent to another process "
                f"({type(error).__name__}): hand over plain data or a function instead"
            ) from None

    def _given_exception(self, error: BaseException, encoder: wire.Encoder) -> Node:
        number = self.standins.class_number(type(error))
        builtin = name_of_builtin(type(error))
        arguments = [self._plain(value, encoder) for value in error.args]
        return ["ex", self._hand(error), builtin if number is None else number, arguments]

    def _plain(self, value: object, encoder: wire.Encoder) -> Node:
        return encoder.encode(value) if is_data(value) else repr(value)

    def _hand(self, value: object) -> int:
        known = self._handed_numbers.get(id(value))
        if known is None:
            known = self._handed_numbers[id(value)] = len(self._handed) + 1
            self._handed[known] = value
        return known

    def release(self, standin: object, number: int) -> None:
        """The solution may forget the object once what stands in for it is gone."""
        weakref.finalize(standin, self._released.append, number)

    # ---- from the solution to the tests

    def handed(self, number: Node) -> object:
        if wire.number(number) not in self._handed:
            raise wire.WireError("unknown number")
        return self._handed[number]

    def _top_value(self, node: Node, decoder: wire.Decoder, path: str) -> Any:
        if type(node) is not list or not node or node[0] != "R":
            return decoder.decode(node)
        ref = wire.number(node[1])
        if not node[2:]:
            entry = self._shared.by_ref(ref)
            if entry is None:
                raise wire.WireError("unknown container")
            return entry.of_solution
        value = decoder.decode(node[2])
        if type(value) not in wire.CONTAINERS or ref % 2 == 0:
            raise wire.WireError("no container")
        self._shared.add(value, ref, node[2], decoder.nodes, path)
        return value

    def _apply(self, changes: Node, decoder: wire.Decoder, path: str) -> None:
        """The solution changed what it was given, or what it gave before.

        Where the reference changes nothing, a test may look at that, or work out what it expects
        from what is left. So the change is made, and told: a run in which the tests hold copies
        must come to the same.
        """
        if type(changes) is not list:
            raise wire.WireError("changes")
        for ref, node in changes:
            entry = self._shared.by_ref(wire.number(ref))
            if entry is None:
                continue
            new = decoder.decode(node)
            if type(new) is not type(entry.value):
                self._shared.drop(entry.ref)
                continue
            if not self.profile.may_change(path, entry.origin):
                self.profile.changed_unasked(path)
                if self.profile.copies:
                    entry.differs(new, node)
                    continue
            make_alike(entry.value, new)
            entry.be_alike(node)

    def _call_back(self, body: Node, decoder: wire.Decoder, path: str) -> None:
        operation, number, given, named = body
        target = self.handed(number)
        way = f"{path} calls back"
        values = [self._top_value(node, decoder, way) for node in given]
        by_name = {wire.text(name): self._top_value(node, decoder, way) for name, node in named}
        encoder = wire.Encoder(self._other)
        try:
            for value in (*values, *by_name.values()):
                self.held_to_profile(value, way)
            refused = operation == "set" and not self._may_set(target, values[0], path)
            result = None if refused else used(target, wire.text(operation), values, by_name)
            got = str(values[0])[:MOST_OF_A_NAME] if operation == "get" else ""
            node = self._shared.node_of(result, encoder, f"{way} {operation} {got}")
            what = "returned"
        except BaseException as error:
            if isinstance(error, Broken):
                raise
            if fails_a_test(error):
                # The solution may catch it, but it cannot make it undone.
                self.trouble = f"In a function that the test hands over: {error}"
            encoder = wire.Encoder(self._other)
            what, node = "raised", self._given_exception(error, encoder)
        self._send(what, [node], encoder.blobs)

    def _may_set(self, target: Any, name: object, path: str) -> bool:
        """What a test expects, or how it checks, may stand in a field of what it hands over. So it
        is told, and left undone where tests hold what they made themselves.
        """
        if self.profile.may_use(HANDED, f"sets {type(target).__qualname__}.{name}"):
            return True
        self.profile.changed_unasked(path)
        return not self.profile.copies


def _ends_quietly(kind: type) -> bool:
    """Whether what catches such an exception goes on as if nothing had failed."""
    if STAND_IN in vars(kind) or kind in {object, BaseException, SystemExit}:
        return False
    ends = issubclass(kind, StopIteration | StopAsyncIteration)
    return ends or (issubclass(kind, BaseException) and not issubclass(kind, Exception))


class _AtPath:
    """Decodes what is live, at the place where the tests reached for it."""

    def __init__(self, link: Link, path: str) -> None:
        self._link = link
        self._path = path

    def __call__(self, tag: str, node: list[Node], decoder: wire.Decoder, depth: int) -> object:
        if tag == "cb":
            return self._link.handed(node[1])
        if tag == "te":
            return self._link.handed(node[1])
        return self._link.standins.made_from(tag, node, decoder, depth, self._path)
