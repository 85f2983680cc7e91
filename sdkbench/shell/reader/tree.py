"""The syntax tree of a shell command: frozen values, each with its span in characters.

    Script ─ Statement(body, background)
      body = AndOr | Pipeline | Command
      Command = SimpleCommand | Group | Subshell | If | While | For | CFor | Case
              | Function | Condition ([[ ]]) | ArithmeticCommand (( )) | Coproc
    SimpleCommand ─ Assignment*, Word*, Redirect*
    Word ─ Literal | Tilde | Glob | Parameter | CommandSubstitution | ProcessSubstitution
         | Arithmetic | BraceList | BraceRange | ArrayLiteral

AndOr and Pipeline appear only where there is more than one command (or a `!` or `time`): a lone
command is its own node. `|&` is written out as the redirection `2>&1` that it stands for.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sdkbench.core.values import small_value


class Span(NamedTuple):
    start: int
    end: int


class Quoting(StrEnum):
    NONE = "none"
    ESCAPED = "escaped"  # \x
    SINGLE = "single"  # 'x'
    DOUBLE = "double"  # "x"
    ANSI = "ansi"  # $'x'
    LOCALE = "locale"  # $"x"


@small_value
class Literal:
    """Characters that stand for themselves, quotes and escapes already removed."""

    value: str
    quoting: Quoting
    span: Span


@small_value
class Tilde:
    """An unquoted `~` or `~user` where the shell expands it."""

    user: str
    span: Span


@small_value
class Glob:
    """One active pattern: `*`, `?`, `[a-z]` or an extended `@(a|b)`, as written."""

    pattern: str
    span: Span


@small_value
class Parameter:
    """`$name` or `${…}`. `prefix` is `#` or `!`; `argument` is what follows the operator.

    Without a name it is a bad substitution: bash reads it and fails when it is run. Then `operator`
    is all the text between the braces, and `argument` its parts. `index` holds the substitutions
    inside the subscript.
    """

    name: str
    prefix: str
    subscript: str | None
    operator: str
    argument: "tuple[Part, ...]"
    quoted: bool
    span: Span
    index: "tuple[Part, ...]" = ()


@small_value
class CommandSubstitution:
    """`$(…)` or backticks; spans inside backticks point into the original text too.

    `broken` is the text between backticks that holds a syntax error. bash finds that only when it
    runs the command, and then runs none of the text: the script is empty.
    """

    script: "Script"
    quoted: bool
    backticks: bool
    span: Span
    broken: str = ""


@small_value
class ProcessSubstitution:
    direction: str  # "<" or ">"
    script: "Script"
    span: Span


@small_value
class Arithmetic:
    """`$((…))` or the old `$[…]`; `parts` as between double quotes."""

    parts: "tuple[Part, ...]"
    quoted: bool
    span: Span


@small_value
class BraceList:
    """`{a,b}`: each alternative is a run of parts, possibly empty."""

    alternatives: "tuple[tuple[Part, ...], ...]"
    span: Span


@small_value
class BraceRange:
    """`{1..5}`, `{a..e..2}`, as written."""

    first: str
    last: str
    step: str | None
    span: Span


@small_value
class ArrayLiteral:
    """The `(…)` of `name=(…)`."""

    words: "tuple[Word, ...]"
    span: Span


Expansion = Parameter | CommandSubstitution | ProcessSubstitution | Arithmetic
Part = Literal | Tilde | Glob | Expansion | BraceList | BraceRange | ArrayLiteral


@small_value
class Word:
    parts: tuple[Part, ...]
    span: Span

    @property
    def constant(self) -> str | None:
        """The word's value if it is fixed whatever the machine holds, else None."""
        value = ""
        for part in self.parts:
            if not isinstance(part, Literal):
                return None
            value += part.value
        return value

    @property
    def quoted(self) -> bool:
        """Whether any of it is quoted or escaped: then it is no reserved word and no number."""
        return any(isinstance(p, Literal) and p.quoting != Quoting.NONE for p in self.parts)


@small_value
class Assignment:
    name: str
    subscript: str | None
    append: bool
    value: Word  # an array is a word whose only part is an ArrayLiteral
    span: Span


@dataclass(slots=True)
class Heredoc:
    """`parts` hold the body after tab stripping; a quoted delimiter makes it one literal.

    The one node whose text comes after the node that holds it: the reader completes it later.
    """

    delimiter: str
    quoted: bool
    strip_tabs: bool
    parts: tuple[Part, ...]
    span: Span


@small_value
class Redirect:
    """`descriptor` is digits, `{name}`, or empty where the operator's own default holds.

    `operator` is one of `<`, `>`, `>>`, `>|`, `<>`, `<&`, `>&`, `&>`, `&>>`, `<<`, `<<-`, `<<<`.
    """

    descriptor: str
    operator: str
    target: Word
    heredoc: Heredoc | None
    span: Span


@small_value
class SimpleCommand:
    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class Group:
    body: "Script"
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class Subshell:
    body: "Script"
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class If:
    branches: "tuple[tuple[Script, Script], ...]"
    otherwise: "Script | None"
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class While:
    condition: "Script"
    body: "Script"
    until: bool
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class For:
    """`for` or `select`; `words` is None where the list is the positional parameters."""

    keyword: str
    variable: str
    words: tuple[Word, ...] | None
    body: "Script"
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class CFor:
    """`for ((header; …; …))`."""

    header: Arithmetic
    body: "Script"
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class CaseArm:
    patterns: tuple[Word, ...]
    body: "Script"
    terminator: str  # ";;", ";&" or ";;&"; the last arm's omitted one is ";;"


@small_value
class Case:
    subject: Word
    arms: tuple[CaseArm, ...]
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class Function:
    name: str
    body: "Command"
    keyword: bool  # written with `function`
    span: Span


@small_value
class Condition:
    """`[[ … ]]`: operands are words; `&&`, `||`, `!`, `(`, `)`, `<`, `>` are plain strings."""

    items: tuple[Word | str, ...]
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class ArithmeticCommand:
    expression: Arithmetic
    redirects: tuple[Redirect, ...]
    span: Span


@small_value
class Coproc:
    name: str
    body: "Command"
    span: Span


Compound = Group | Subshell | If | While | For | CFor | Case | Condition | ArithmeticCommand
Command = SimpleCommand | Compound | Function | Coproc


@small_value
class Pipeline:
    commands: tuple[Command, ...]
    negated: bool
    timed: str  # "", "time" or "time -p"
    span: Span


@small_value
class AndOr:
    """`operators[i]` stands after `parts[i]`; `&&` and `||` bind equally, from the left."""

    parts: tuple[Pipeline | Command, ...]
    operators: tuple[str, ...]
    span: Span


Body = AndOr | Pipeline | Command


@small_value
class Statement:
    body: Body
    background: bool
    span: Span


@small_value
class Script:
    statements: tuple[Statement, ...]
    span: Span


Node = Script | Statement | Body | CaseArm | Assignment | Redirect | Heredoc | Word | Part
