"""What the POSIX judge says about one command."""

from dataclasses import dataclass
from enum import StrEnum

from sdkbench.shell.reader.tree import Span


class Edition(StrEnum):
    """POSIX.1-2024 has `$'…'`, `pipefail`, `;&`, `read -d`, `find -print0`, `sed -E` and more."""

    POSIX_2017 = "2017"
    POSIX_2024 = "2024"


class PosixOutcome(StrEnum):
    COMPLIANT = "compliant"
    NOT_POSIX = "not_posix"  # some shell takes it, POSIX does not define it
    SYNTAX_ERROR = "syntax_error"  # no shell that we know takes it
    UNJUDGED = "unjudged"  # too long, too deep, or the tools gave no answer in time


@dataclass(frozen=True, slots=True)
class PosixFinding:
    """One remark.

    `rule` is a ShellCheck code, `shfmt`, `text`, or from our table one of `utility`, `option`,
    `operand`, `test`, `builtin` and `array`.
    """

    rule: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class PosixReport:
    """`language` decides the outcome; `utilities` says what the table thinks of the programs."""

    command: str
    edition: Edition
    outcome: PosixOutcome
    language: tuple[PosixFinding, ...] = ()
    utilities: tuple[PosixFinding, ...] = ()

    @property
    def compliant(self) -> bool:
        """Whether the shell language is POSIX. Anything unjudged or broken is not."""
        return self.outcome is PosixOutcome.COMPLIANT

    def findings(self, *, full: bool) -> tuple[PosixFinding, ...]:
        """`full`: of the utilities too, not of the language alone."""
        return self.language + (self.utilities if full else ())

    def verdict(self, *, full: bool) -> bool | None:
        """None where there is none."""
        if self.outcome is PosixOutcome.UNJUDGED:
            return None
        return self.fully_compliant if full else self.compliant

    @property
    def fully_compliant(self) -> bool:
        """The language and every utility with its options."""
        return self.compliant and not self.utilities
