"""A program's arguments split into options and operands, the GNU way."""

from collections.abc import Iterable
from dataclasses import dataclass

from sdkbench.shell.safety.values import Text

# `--rec` is taken for `--recursive`; shorter beginnings are ambiguous to GNU's reader too.
SHORTEST_ABBREVIATION = 3


@dataclass(frozen=True, slots=True)
class Arguments:
    flags: frozenset[str]  # letters, and long names without their minuses
    values: tuple[tuple[str, Text], ...]
    operands: tuple[Text, ...]

    def has(self, *names: str) -> bool:
        return any(
            name in self.flags or (len(name) > 1 and self._abbreviated(name)) for name in names
        )

    def _abbreviated(self, name: str) -> bool:
        return any(
            len(flag) >= SHORTEST_ABBREVIATION and name.startswith(flag) for flag in self.flags
        )

    def value(self, *names: str) -> Text | None:
        return next((text for name, text in reversed(self.values) if name in names), None)

    def every(self, *names: str) -> list[Text]:
        return [text for name, text in self.values if name in names]


def read_arguments(
    args: tuple[Text, ...],
    letters: str = "",
    names: Iterable[str] = (),
    *,
    permute: bool = True,
    single: bool = False,
) -> Arguments:
    """`letters` and `names` are the options that take an argument.

    Without `permute` the first operand ends the options. With `single` a word after one minus is
    one long name (`-exec`, `-sf` of the Go and Java worlds).
    """
    flags: set[str] = set()
    values: list[tuple[str, Text]] = []
    operands: list[Text] = []
    taking = frozenset(names)
    at = 0
    while at < len(args):
        arg = args[at]
        value = arg.value
        at += 1
        if value == "--":
            operands += args[at:]
            break
        if len(value) < 2 or value[0] != "-":  # noqa: PLR2004 - a lone minus is an operand
            if not permute:
                operands += args[at - 1 :]
                break
            operands.append(arg)
        elif value[1] == "-" or single:
            name, equals, tail = value.lstrip("-").partition("=")
            flags.add(name)
            if equals:
                values.append((name, arg.saying(tail)))
            elif name in taking and at < len(args):
                values.append((name, args[at]))
                at += 1
        else:
            at += _cluster(arg, args[at : at + 1], letters, flags, values)
    return Arguments(frozenset(flags), tuple(values), tuple(operands))


def _cluster(
    arg: Text,
    following: tuple[Text, ...],
    letters: str,
    flags: set[str],
    values: list[tuple[str, Text]],
) -> int:
    """Reads `-abc`; how many of the following words it took."""
    for at, letter in enumerate(arg.value[1:], start=2):
        flags.add(letter)
        if letter in letters:
            tail = arg.value[at:]
            if tail:
                values.append((letter, arg.saying(tail)))
                return 0
            if following:
                values.append((letter, following[0]))
            return len(following)
    return 0
