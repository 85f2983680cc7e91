"""One program about to run, with everything a rule may ask about."""

from dataclasses import dataclass

from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import Stream, Text
from sdkbench.shell.syntax import Span


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    args: tuple[Text, ...]
    stdin: Stream
    scope: Scope
    span: Span

    def report(
        self, rule: str, hazard: Hazard, severity: Severity, message: str, span: Span | None = None
    ) -> None:
        self.scope.report(rule, hazard, severity, span or self.span, message)

    def run_code(self, text: Text) -> None:
        """Judge shell text that this program would hand to a shell."""
        self.scope.run_text(text.value, self.scope, text.span, self.stdin)
