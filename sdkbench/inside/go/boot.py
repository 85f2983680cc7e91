"""Runs inside the sandbox: builds a Go project, then runs its tests and reports by the channel.

No judged code runs in this process.
"""

import os
import sys

from ..channel import Channel, given_order
from ..processes import adopt_orphans, high, protect
from ..protocol import Begin, Built, End
from .build import GoOrder, Judged, build_own, build_sample
from .tests import test_own, test_sample


def main() -> None:
    protect()
    adopt_orphans()
    order: GoOrder = given_order()
    channel = Channel(order, high(int(order["channel_fd"])))
    channel.send(Begin(kind="begin"))
    judged, sample, run_tests = Judged(order), order["sample"], order["run_tests"]
    if sample is not None:
        errors = build_sample(judged, sample, check=order["build"], compile_tests=run_tests)
    else:
        errors = build_own(judged) if order["build"] else []
    channel.send(Built(kind="built", errors=errors))
    status = 0
    if run_tests and not errors:
        status = test_sample(judged, sample, channel) if sample else test_own(judged, channel)
        channel.send(End(kind="end", status=status))
    sys.stdout.flush()
    os._exit(status)
