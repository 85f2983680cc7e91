"""What the tests see in place of the solution: modules, classes, functions, objects.

All of it is made here, from names and plain data that are checked. Nothing that comes from the
solution decides a comparison, a truth or an instance check on this side.
"""

import collections
import enum
import inspect
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from . import wire
from .exceptions import BUILTINS, EXCEPTIONS
from .link import Link
from .live import ATTRIBUTE, async_iterator, awaitable, function, iterator, state_of
from .modules import SolutionModule, source_file
from .objects import MAX_NAME, ClassOfObjects, SolutionObject, is_name, make_record, object_class
from .profile import STAND_IN, joined
from .wire import Node

# Classes of these decide on tests: judged code has no business to name them.
FORBIDDEN = frozenset(
    {"pytest", "_pytest", "unittest", "pluggy", "bdb", "doctest", "sdkbench", "tests", "conftest"}
)
BUILTIN_TYPES = {
    kind.__name__: kind
    for kind in (int, float, str, bool, bytes, bytearray, list, dict, tuple, set, frozenset,
                 complex, object, type)
}  # fmt: skip


class Standins:
    """Makes them, and knows what each stands for."""

    def __init__(self) -> None:
        self.link: Link = None  # type: ignore[assignment] # set when both are made
        self._objects: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._classes: dict[int, type] = {}
        self._class_numbers: dict[type, int] = {}
        self._reached: set[type] = set()  # classes that came themselves, not just their objects
        self._functions: dict[tuple[int, str], Any] = {}
        self._function_numbers: dict[int, tuple[Any, int]] = {}

    # ---- what something stands for

    def number_of(self, value: object) -> int | None:
        if isinstance(value, SolutionObject | SolutionModule):
            number: int = state_of(value)["_apart_number"]
            return number
        if isinstance(value, type):
            return self._class_numbers.get(value)
        known = self._function_numbers.get(id(value))
        return known[1] if known is not None and known[0] is value else None

    def stands_for(self, made: Any, number: int) -> None:
        """Whenever the solution gives what has this number, it is `made`."""
        self._objects[number] = made

    def class_number(self, kind: type) -> int | None:
        return self._class_numbers.get(kind)

    def member_of(self, value: object) -> Node | None:
        if not isinstance(value, enum.Enum) or type(value) not in self._class_numbers:
            return None
        return ["en", self._class_numbers[type(value)], value.name]

    # ---- making them

    def made_from(
        self, tag: str, node: list[Node], decoder: wire.Decoder, depth: int, path: str
    ) -> object:
        """For `wire.Decoder`: what is not plain data, reached for at `path`."""
        if tag in BY_NUMBER:
            return BY_NUMBER[tag](self.link, wire.number(node[1]), path)
        if tag == "fn":
            return self._function(node, path)
        if tag in {"B", "X", "C"}:
            return self._by_way(self._class(node, path), path)
        if tag == "ob":
            kind = self._class(node[2], path, of_object=True)
            return self._object(wire.number(node[1]), kind, path)
        if tag == "m":
            return self._object(wire.number(node[1]), SolutionObject, path)
        if tag == "en":
            return self._member(self._class_by_number(wire.number(node[1]), path), node[2])
        if tag == "nt":
            values = decoder.decode_all(node[2:], depth + 1)
            return self._named_tuple(wire.number(node[1]), values, path)
        if tag == "ex":
            return self._exception(node, decoder, path)
        raise wire.WireError(f"unknown form {tag[:20]!r}")

    def _object(self, number: int, kind: type, path: str) -> object:
        known = self._objects.get(number)
        if known is not None:
            state = state_of(known)
            state["_apart_path"] = joined(state["_apart_path"], path)
            return known
        if not issubclass(kind, SolutionObject):
            raise wire.WireError("class of an object")
        made: Any = object.__new__(kind)
        state = {
            "_apart_number": number,
            "_apart_path": path,
            "_apart_link": self.link,
            "_apart_changed": set(),
        }
        object.__setattr__(made, ATTRIBUTE, state)
        self._objects[number] = made
        self.link.release(made, number)
        return made

    def _member(self, kind: type, name: Node) -> object:
        if not issubclass(kind, enum.Enum) or type(name) is not str:
            raise wire.WireError("no enumeration")
        if name not in kind.__members__:
            raise wire.WireError("no such member")
        return kind[name]

    def _named_tuple(self, number: int, values: list[Any], path: str) -> object:
        kind: Any = self._class_by_number(number, path)
        if not issubclass(kind, tuple) or len(values) != len(kind._fields):
            raise wire.WireError("not of this named tuple")
        return kind(*values)

    def _function(self, node: list[Node], path: str) -> object:
        number = wire.number(node[1])
        if (number, path) not in self._functions:
            made = function(self.link, number, f"{path}()", is_async=node[3] == "async")
            made.__name__ = made.__qualname__ = _shown_name(node[2])
            made.__doc__ = node[5] if type(node[5]) is str else None
            _place(made, node[7])
            if node[6] is True:
                made.__wrapped__ = None  # that it wraps another one can be seen, not which
            signature = _signature(node[4])
            if signature is not None:
                made.__signature__ = signature
            self._functions[number, path] = made
            self._function_numbers[id(made)] = made, number
        return self._functions[number, path]

    # ---- classes

    def _by_way(self, kind: type, path: str) -> type:
        """What its objects are allowed hangs on the ways by which the class came."""
        if isinstance(kind, ClassOfObjects):
            link, number, before = kind._apart_class  # noqa: SLF001 - of ours
            now = joined(before, path) if kind in self._reached else path
            type.__setattr__(kind, "_apart_class", (link, number, now))
            self._reached.add(kind)
        return kind

    def _class(self, node: Node, path: str, *, of_object: bool = False) -> type:
        """A class that the solution names: a real one where this process knows it."""
        if type(node) is not list or not node:
            raise wire.WireError("class")
        if node[0] == "C":
            return self._class_by_number(wire.number(node[1]), path)
        number = wire.number(node[-1])
        real: type | None = None
        if node[0] == "B":
            real = BUILTIN_TYPES.get(node[1]) or EXCEPTIONS.get(node[1])
        elif node[0] == "X":
            real = known_class(wire.text(node[1], MAX_NAME), wire.text(node[2], MAX_NAME))
        if of_object:
            return self._class_by_number(number, path, real=real)
        if real is not None:
            self._class_numbers.setdefault(real, number)
            return real
        return self._class_by_number(number, path)

    def _class_by_number(self, number: int, path: str, real: type | None = None) -> type:
        if number in self._classes:
            return self._classes[number]
        described = self.link.describe(number)
        name, what, bases, methods, protocol, extra, doc, compares, place = described
        shown = _shown_name(name)
        if what == "exception":
            made = self._exception_class(shown, bases, path)
        elif what == "enum":
            made = self._enumeration(shown, extra, bases, path)
        elif what == "named tuple":
            made = _named_tuple_class(shown, [_name(field) for field in extra])
        else:
            own = [kind for kind in map(self._own_class, bases) if kind is not None]
            made = object_class(shown, own, methods, protocol, compares=compares is True, real=real)
            if what in {"dataclass", "record"}:
                make_record(
                    made, [_name(field) for field in extra], is_dataclass=what == "dataclass"
                )
            type.__setattr__(made, "_apart_class", (self.link, number, path))
        if type(doc) is str and "__doc__" not in vars(type(made)):
            type.__setattr__(made, "__doc__", doc)
        if type(place) is list and all(type(each) is str for each in place):
            type.__setattr__(made, "__module__", place[0][:MAX_NAME])
            type.__setattr__(made, "__qualname__", place[1][:MAX_NAME])
        type.__setattr__(made, STAND_IN, True)
        self._classes[number] = made
        self._class_numbers[made] = number
        return made

    def _own_class(self, base: Node) -> type | None:
        """A base of a class that is the solution's own, too."""
        if type(base) is not list or base[:1] != ["C"]:
            return None
        made = self._class_by_number(wire.number(base[1]), "?")
        return made if issubclass(made, SolutionObject) else None

    def _exception_class(self, name: str, bases: Node, path: str) -> type:
        real = [self._class(base, path) for base in bases]
        kept = tuple(dict.fromkeys(base for base in real if issubclass(base, BaseException)))
        body: dict[str, Any] = {"__module__": path.rpartition(".")[0], "__str__": _message}
        try:
            return type(name, kept or (Exception,), body)
        except TypeError:  # bases that no class can have together
            return type(name, kept[:1], body)

    def _enumeration(self, name: str, members: Node, bases: Node, path: str) -> type:
        named = {base[1] for base in bases if base[0] == "B"}
        flags = any(base[0] == "X" and base[2] in {"Flag", "IntFlag"} for base in bases)
        whole = any(base[0] == "X" and base[2] == "IntEnum" for base in bases)
        text = any(base[0] == "X" and base[2] == "StrEnum" for base in bases)
        if members is None:
            raise self.link.undecidable(f"{path}: an enumeration of more than plain values")
        decoder = wire.Decoder([], _refuse_live)
        pairs = [(_member_name(each[0]), decoder.decode(each[1])) for each in members]
        kind: Any = enum.Enum
        if flags:
            kind = enum.Flag
        elif whole or "int" in named:
            kind = enum.IntEnum
        elif text:
            kind = enum.StrEnum
        elif "str" in named:
            kind = _TextEnum
        try:
            made: type[enum.Enum] = kind(name, pairs)
        except (TypeError, ValueError, AttributeError) as error:
            raise wire.WireError(f"enumeration: {error}") from None
        # By what became of them: 1, 1.0 and True make one member.
        alike = len({*map(id, made.__members__.values())}) < len(pairs)
        if alike and not self.link.profile.may_use(path, "aliases"):
            raise self.link.undecidable(f"{path}: members of one value are one and the same")
        return made

    # ---- exceptions

    def _of_few_kinds(self, kind: type, path: str) -> type:
        """A class of the solution's that is of every builtin kind would fit every expectation."""
        builtin = [base for base in kind.__mro__ if BUILTINS.get(base.__name__) is base]
        if kind not in self._class_numbers or kind in builtin:
            return kind
        kinds = sorted(
            one.__name__
            for one in builtin
            if not any(other is not one and issubclass(other, one) for other in builtin)
        )
        sentence = f"raises {' and '.join(kinds)} at once"
        if len(kinds) == 1 or self.link.profile.may_use(path, sentence):
            return kind
        if len(kinds) > MOST_KINDS:
            return Exception
        raise self.link.undecidable(f"{path} {sentence}, which the reference does not")

    def _exception(self, node: list[Node], decoder: wire.Decoder, path: str) -> BaseException:
        _, named, arguments, message, attributes, particular, trace, notes, cause = node
        kind = self._class(named, path)
        if not issubclass(kind, BaseException) or issubclass(kind, NEVER_RAISED):
            kind = Exception
        kind = self._of_few_kinds(kind, path)
        plain = wire.Decoder(decoder.blobs, _no_live)
        values = plain.decode_all(arguments, 1)
        try:
            error: BaseException = kind.__new__(kind, *values)
            BaseException.__init__(error, *values)
        except Exception:  # noqa: BLE001 - a class of a package's; a plain one tells as much
            error = Exception(*values)
        vars(error)["_apart_message"] = wire.text(message)
        for name, value in plain.decode_pairs(attributes, 1):
            if is_name(name) and not name.startswith("_"):
                vars(error)[name] = value
        _set_particular(error, plain.decode(particular))
        if trace:
            vars(error)[TRACE] = f"In the solution:\n{wire.text(trace)}"
        for note in plain.decode(notes):
            error.add_note(wire.text(note))
        if cause is not None:
            error.__cause__ = decoder.decode(cause, 1)
        return error


BY_NUMBER: dict[str, Callable[[Link, int, str], object]] = {
    "it": iterator,
    "ai": async_iterator,
    "aw": awaitable,
}
MAX_CAUSES = 10
TRACE = "_apart_trace"  # not among its notes, where `pytest.raises` looks for words
MOST_KINDS = 2  # that an honest exception is of, for the sake of older callers
NEVER_RAISED = (KeyboardInterrupt, GeneratorExit)


def tell_trace(error: BaseException | None, depth: int = 0) -> None:
    """Whoever reads of it is told where the solution raised it."""
    if error is None or depth > MAX_CAUSES:
        return
    trace = getattr(error, "__dict__", {}).pop(TRACE, None)
    if trace is not None:
        error.add_note(trace)
    for other in (error.__cause__, error.__context__):
        tell_trace(other, depth + 1)


def known_class(module: str, name: str) -> type | None:
    """A class of a package that this process has imported itself; never one of a framework's."""
    if _is_forbidden(module):
        return None
    part_of: Any = sys.modules.get(module)
    for part in name.split("."):
        part_of = vars(part_of).get(part) if isinstance(part_of, types.ModuleType | type) else None
    # A package may offer a class of a framework's as if it were its own.
    if not isinstance(part_of, type) or any(_is_forbidden(c.__module__) for c in part_of.__mro__):
        return None
    return part_of


def _is_forbidden(module: object) -> bool:
    if not isinstance(module, str):
        return True
    return module.partition(".")[0] in FORBIDDEN or module.rpartition(".")[2].startswith("test")


def _refuse_live(tag: str, _: list[Node], __: wire.Decoder, ___: int) -> object:
    raise wire.WireError(f"unknown form {tag[:20]!r}")


def _no_live(_: str, __: list[Node], ___: wire.Decoder, ____: int) -> object:
    """Arguments and attributes of an exception are looked at, never called."""
    return None


def _named_tuple_class(name: str, fields: list[str]) -> type:
    return collections.namedtuple(name, fields)  # noqa: PYI024 - not known before


class _TextEnum(str, enum.Enum):  # noqa: UP042 - a StrEnum prints otherwise
    pass


def _name(value: Node) -> str:
    if not is_name(value) or value.startswith("_"):
        raise wire.WireError("a name was expected")
    return str(value)


def _member_name(value: Node) -> str:
    if _name(value) in {"mro", "name", "value"}:
        raise wire.WireError("name of a member")
    return str(value)


def _shown_name(value: Node) -> str:
    return value if is_name(value) else "unnamed"


def _message(self: BaseException) -> str:
    message = vars(self).get("_apart_message")
    return message if type(message) is str else BaseException.__str__(self)


def _set_particular(error: BaseException, value: Any) -> None:
    if isinstance(error, SystemExit):
        error.code = value
    elif isinstance(error, OSError) and type(value) is tuple:
        error.errno, error.strerror, error.filename = value
    elif isinstance(error, StopIteration):
        error.value = value


def _place(made: Any, place: Node) -> None:
    """Where the solution's function stands: `inspect.getsource` looks there, not in this file."""
    module, line = place
    made.__module__ = wire.text(module, MAX_NAME)
    file = source_file(made.__module__)
    first = max(1, min(wire.number(line), 1 << 30))
    made.__code__ = made.__code__.replace(co_filename=file, co_firstlineno=first)


def _signature(parameters: Node) -> inspect.Signature | None:
    if type(parameters) is not list:
        return None
    made = []
    for name, kind, has_default, default in parameters:
        if not is_name(name) or type(kind) is not int:
            return None
        value = default if has_default is True else inspect.Parameter.empty
        made.append(inspect.Parameter(name, inspect._ParameterKind(kind), default=value))  # noqa: SLF001
    try:
        return inspect.Signature(made)
    except ValueError:
        return None
