"""Runs inside the sandbox: builds a Go project, then runs its tests and reports by the channel.

No judged code runs in this process.
"""

import os
import sys

from ..channel import Channel, given_order
from ..processes import adopt_orphans, high, protect
from ..protocol import Begin, Built, End
from .build import GoOrder, GoSample, Judged, build_sample
from .own_tests import test_own
from .tests import test_sample


def main() -> None:
    protect()
    adopt_orphans()
    order: GoOrder = given_order()
    channel = Channel(order, high(int(order["channel_fd"])))
    channel.send(Begin(kind="begin"))
    judged, sample = Judged(order), order["sample"]
    status = (
        examine_sample(judged, sample, channel) if sample is not None else test_own(judged, channel)
    )
    sys.stdout.flush()
    os._exit(status)


def examine_sample(judged: Judged, sample: GoSample, channel: Channel) -> int:
    run_tests = judged.order["run_tests"]
    errors = build_sample(judged, sample, check=judged.order["build"], compile_tests=run_tests)
    channel.send(Built(kind="built", errors=errors))
    if errors or not run_tests:
        return 0
    status = test_sample(judged, sample, channel)
    channel.send(End(kind="end", status=status))
    return status
