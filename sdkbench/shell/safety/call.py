"""One program about to run, and the rules that look at it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import Stream, Text, joined
from sdkbench.shell.utilities import Arguments, Utility, find_utility, read_arguments
from sdkbench.shell.utilities.table import UNKNOWN


@dataclass(eq=False, slots=True)
class Call:
    name: str
    args: tuple[Text, ...]
    stdin: Stream
    scope: Scope
    span: Span
    utility: Utility = field(init=False)
    _arguments: Arguments[Text] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.utility = find_utility(self.name) or UNKNOWN

    @property
    def arguments(self) -> Arguments[Text]:
        """Read once, and only if a rule asks."""
        if self._arguments is None:
            self._arguments = read_arguments(self.utility, self.args)
        return self._arguments

    @property
    def operands(self) -> list[Text]:
        return self.arguments.operands

    @property
    def plain_words(self) -> list[Text]:
        """The arguments without a minus: what is no option, as far as a glance tells."""
        return [arg for arg in self.args if not arg.value.startswith("-")]

    def has(self, *names: str) -> bool:
        return self.arguments.has(*names)

    def report(self, name: str, at: Text | None = None, /, *, rule: str = "", **shown: str) -> None:
        """`at` is the argument it is about; without one it is about the whole call."""
        self.scope.report(name, at.span if at else self.span, rule=rule, **shown)

    def run_code(self, text: Text) -> None:
        """Judge shell text that this program would hand to a shell."""
        self.scope.run_text(text.value, self.scope, text.span, self.stdin)

    def run_joined(self, texts: list[Text] | tuple[Text, ...], scope: Scope | None = None) -> None:
        """Judge words that are put together to one text for a shell."""
        if texts:
            scope = scope or self.scope
            scope.run_text(joined(texts), scope, texts[0].span, self.stdin)


Rule = Callable[[Call], None]
RULES: dict[str, tuple[Rule, ...]] = {}


def rule(programs: str) -> Callable[[Rule], Rule]:
    """The rule looks at these programs, after the rules that were there before it."""

    def register(looks: Rule) -> Rule:
        for name in programs.split():
            RULES[name] = (*RULES.get(name, ()), looks)
        return looks

    return register
