"""The public boundary: arguments are read as the annotations say, or refused in one sentence.

`@public` stands on the functions that users call, `@public_methods` on the classes whose methods
they call; `PublicModel` is the base of the values that they make themselves. All coerce what
plainly means the same (`"strict"` for ScoreMode.STRICT, text for a path) and raise ArgumentError
for everything else.
"""

import functools
import inspect
import os
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    PydanticUserError,
    TypeAdapter,
    ValidationError,
)

from sdkbench.errors import ArgumentError

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
MAX_SHOWN = 80  # characters of a value in a sentence
MAX_PATH = 4096  # what the system takes
MAX_WORD_BYTES = 128 * 1024  # the same, for one word of a command line
MAX_SECONDS = 86_400.0  # a day, as on the command line
MAX_NUMBER = 10**18  # larger ones are not written out


def _path(value: object) -> Path:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str):
        raise ValueError("should be a path, as text or as a Path")  # noqa: TRY004 - for pydantic
    if not text or "\0" in text or len(text) > MAX_PATH:
        raise ValueError(f"should be a path: not empty, of at most {MAX_PATH} characters, no NUL")
    try:
        os.fsencode(text)
    except UnicodeEncodeError as error:
        raise ValueError("should be a path that a file system can have") from error
    return Path(text)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("should be text")  # noqa: TRY004 - for pydantic
    return value


def _function(value: object) -> object:
    if not callable(value):
        raise ValueError("should be a function")  # noqa: TRY004 - for pydantic
    return value


# In the annotation of a Protocol that has only a `__call__`.
FUNCTION = PlainValidator(_function)
# Half of a surrogate pair is text too: what a model answers, or a file is called, may hold one.
AnyText = Annotated[str, PlainValidator(_text)]
AnyPath = Annotated[Path | str, PlainValidator(_path)]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, allow_inf_nan=False)]


def _word(text: str) -> str:
    if "\0" in text or len(text.encode()) >= MAX_WORD_BYTES:
        raise ValueError(f"should hold text without NUL, of less than {MAX_WORD_BYTES:,} bytes")
    return text


def _name(text: str) -> str:
    if not text or "=" in text:
        raise ValueError("should have names of variables, which hold no =")
    return text


def _no_line(value: object) -> object:
    if isinstance(value, str | bytes):
        raise ValueError("should be a list of words: nothing is given to a shell")  # noqa: TRY004
    return value


# What the system can give to a program.
Word = Annotated[str, AfterValidator(_word)]
Words = Annotated[Sequence[Word], Field(min_length=1), BeforeValidator(_no_line)]
Variables = Mapping[Annotated[Word, AfterValidator(_name)], Word]


class _Boundary:
    """What the annotations of one function say of its arguments."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        self.name = function.__qualname__.removesuffix(".__init__")
        self.signature = inspect.signature(function)
        by_place = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
        parameters = self.signature.parameters.values()
        self.names = tuple(self.signature.parameters)
        self.by_place_alone = {each.kind for each in parameters} <= by_place
        self.required = sum(each.default is inspect.Parameter.empty for each in parameters)

    @functools.cached_property  # and not from the start: annotations may name what comes later
    def readers(self) -> dict[str, TypeAdapter[Any]]:
        hints = typing.get_type_hints(self.function, include_extras=True)
        return {each: _reader(hints[each]) for each in self.names if each in hints}

    def takes_by_place(self, args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
        """Whether each is for the parameter in its place, as `bind` finds out ten times slower."""
        return not kwargs and self.by_place_alone and self.required <= len(args) <= len(self.names)

    def read(self, each: str, value: object) -> Any:
        reader = self.readers.get(each)
        if reader is None:
            return value
        try:
            return reader.validate_python(value)
        except ValidationError as error:
            raise ArgumentError(f"{self.name}: {_refusal(each, value, error)}") from error

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentError(f"{self.name}: {error}.") from error
        for each, value in bound.arguments.items():
            bound.arguments[each] = self.read(each, value)
        return bound


def public(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, whose arguments are what its annotations say, or ArgumentError.

    A parameter of a NamedTuple or Protocol is annotated as `InstanceOf[…]`: it is passed as it is.
    """
    boundary = _Boundary(function)
    unchecked = cast("Callable[..., R]", function)

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if boundary.takes_by_place(args, kwargs):
            return unchecked(*map(boundary.read, boundary.names, args))
        bound = boundary.bind(args, kwargs)
        return unchecked(*bound.args, **bound.kwargs)

    if not inspect.iscoroutinefunction(function):
        return checked

    @functools.wraps(function)
    async def checked_coroutine(*args: P.args, **kwargs: P.kwargs) -> object:
        bound = boundary.bind(args, kwargs)
        return await function(*bound.args, **bound.kwargs)

    return cast("Callable[P, R]", checked_coroutine)


def public_methods(cls: type[C]) -> type[C]:
    """`cls`, with `public` on its constructor and on each method whose name is public."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(public(member.__func__)))
        elif inspect.isfunction(member):
            setattr(cls, name, public(member))
    return cls


class PublicModel(BaseModel):
    """A value that never changes. What doesn't fit its fields is an ArgumentError for whoever makes
    one; `model_validate` and the like still raise what pydantic raises, for those who read files.
    """

    model_config = ConfigDict(frozen=True)

    def __init__(self, /, *args: object, **data: object) -> None:
        if args:
            raise ArgumentError(f"{type(self).__name__}: pass its fields by name.")
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise ArgumentError(f"{type(self).__name__}: {_refusals(data, error)}") from error

    # As pydantic's own: validation of data that was read doesn't come through here.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


def _reader(hint: Any) -> TypeAdapter[Any]:
    try:
        return TypeAdapter(hint, config=ConfigDict(arbitrary_types_allowed=True))
    except PydanticUserError:  # a model has a configuration of its own
        return TypeAdapter(hint)


def _refusals(data: Mapping[str, object], error: ValidationError) -> str:
    """A clause for the first field that is wrong."""
    first = error.errors(include_url=False, include_context=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "missing":
        return f"{field} is missing."
    if first["type"] == "extra_forbidden":
        return f"it has no field {field!r}."
    if field not in data:
        return f"{_clause(first['msg'])}."
    name = ".".join(map(str, first["loc"]))
    return f"{name} {_clause(first['msg'])}, but it is {_shown(first['input'])}."


def _refusal(name: str, value: object, error: ValidationError) -> str:
    """Every way in which it could have been right, where there are several."""
    problems = error.errors(include_url=False, include_context=False)
    clauses = " or ".join(dict.fromkeys(_clause(each["msg"]) for each in problems))
    return f"{name} {clauses}, but it is {_shown(value)}."


def _clause(message: str) -> str:
    message = message.removeprefix("Value error, ").removeprefix("Input ")
    return message[:1].lower() + message[1:].rstrip(".")


def _shown(value: object) -> str:
    """Short, printable, and without a word of an object's own choosing."""
    is_number = isinstance(value, float) or (isinstance(value, int) and abs(value) < MAX_NUMBER)
    if value is not None and not is_number and not isinstance(value, str | bytes | Path):
        return f"of type {type(value).__name__}"
    text = ascii(str(value) if isinstance(value, Path) else value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
