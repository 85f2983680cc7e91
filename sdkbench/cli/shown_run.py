"""run_shown: attempts on this machine, with a display that follows them."""

import os
from collections.abc import Callable, Sequence

from sdkbench.cli.display import Display
from sdkbench.engine import run_local
from sdkbench.errors import Cancelled
from sdkbench.judge.subject import Subject
from sdkbench.sandbox import Cancellation
from sdkbench.test_harness import FCorrResult


def run_shown(
    subjects: Sequence[Subject],
    work: Callable[[Subject], FCorrResult],
    display: Display,
    *,
    workers: int | None,
    cancellation: Cancellation,
) -> list[FCorrResult]:
    """As run_local; when Cancelled is raised, what had finished has been shown."""
    try:
        with display:
            return run_local(
                subjects,
                work,
                workers=workers or os.cpu_count() or 1,
                emit=display.on_event,
                cancellation=cancellation,
            )
    except Cancelled:
        display.interrupted()
        raise
