"""`check_safety`: text in, report out; nothing is raised, whatever the text. `validate_safety`: the
same as yes or no.
"""

from sdkbench.core.arguments import AnyText, public
from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety.dispatch import run_fields
from sdkbench.shell.safety.expand import MAX_PIECES, PIECES
from sdkbench.shell.safety.interpret import run_script, run_uncalled
from sdkbench.shell.safety.report import DEFAULT_POLICY, SafetyPolicy, SafetyReport
from sdkbench.shell.safety.scope import Inspection, Scope
from sdkbench.shell.safety.values import EMPTY, OPAQUE, PRIVATE, Stream
from sdkbench.shell.syntax import ProblemKind, SyntaxProblem, parse

# Code inside code inside code: deeper than this is an attempt to hide.
MAX_NESTING = 12


@public
def validate_safety(command: AnyText, policy: SafetyPolicy = DEFAULT_POLICY) -> bool:
    """Whether `command` may be run, by `policy`; `check_safety` says why not."""
    return check_safety(command, policy).safe


@public
def check_safety(command: AnyText, policy: SafetyPolicy = DEFAULT_POLICY) -> SafetyReport:
    """Every finding in the order met. Text that can't be read is judged piece by piece."""
    text = command.translate(PRIVATE) if not command.isascii() else command
    inspection = Inspection()
    scope = Scope(inspection, run_script, run_text, run_fields)
    parsed = parse(text)
    if parsed.script is not None:
        run_script(parsed.script, scope, OPAQUE)
        run_uncalled(scope)
    elif parsed.problem is not None:
        _unreadable(text, parsed.problem, scope)
    return SafetyReport(command, policy, tuple(inspection.findings), parsed.problem)


def run_text(text: str, scope: Scope, span: Span, stdin: Stream) -> Stream:
    """Code found inside a word or a stream; its findings carry the place it was found at."""
    inspection = scope.inspection
    if inspection.nesting >= MAX_NESTING:
        scope.give_up(span, f"code inside code more than {MAX_NESTING} times")
        return OPAQUE
    parsed = parse(text)
    if parsed.script is None:
        return OPAQUE
    before = scope.within
    scope.within = before or span
    inspection.nesting += 1
    stream = run_script(parsed.script, scope, stdin)
    inspection.nesting -= 1
    scope.within = before
    return stream


def _unreadable(text: str, problem: SyntaxProblem, scope: Scope) -> None:
    """A shell runs the lines before a syntax error; past that, pieces that can be read alone.

    What is too deep or too long to be judged is not safe; what no shell reads does nothing.
    """
    broken = problem.kind is ProblemKind.SYNTAX
    name = "unreadable.broken" if broken else "unreadable.hidden"
    scope.report(name, Span(problem.position, problem.position), what=problem.message)
    if not broken:
        return
    scope.within = Span(0, len(text))
    for piece in PIECES.split(text)[:MAX_PIECES]:
        parsed = parse(piece)
        if parsed.script is not None:
            run_script(parsed.script, scope, EMPTY)
