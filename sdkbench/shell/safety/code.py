"""Text that reaches an interpreter: where it came from, and what it would do."""

from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import OPAQUE, Stream, Taint
from sdkbench.shell.syntax import Span


def run_stream(
    stream: Stream, scope: Scope, span: Span, stdin: Stream = OPAQUE, *, shell: bool = True
) -> Stream:
    """Judge a stream as the code of an interpreter (of another language if not `shell`)."""
    if Taint.NETWORK in stream.taints:
        scope.report(
            "network-to-interpreter", Hazard.CODE_FLOW, Severity.CRITICAL, span,
            "What comes from the network is run without being looked at.",
        )  # fmt: skip
    if Taint.DECODED in stream.taints:
        scope.report(
            "decoder-to-interpreter", Hazard.CODE_FLOW, Severity.HIGH, span,
            "Encoded or assembled text is decoded and run: what it does is hidden.",
        )  # fmt: skip
    if shell and stream.text:
        return scope.run_text(stream.text, scope, span, stdin)
    return OPAQUE
