"""Runs inside the sandbox: builds a Go project, then runs its tests and reports by the channel.

Started as `python -E -s -S go_boot.py MESSAGE_FD`. The order comes from the message descriptor;
results go out as numbered JSON lines on the channel descriptor that carry the run's nonce. No
judged code runs in this process. Imports nothing of sdkbench.
"""

import os
import sys

from ..channel import Channel, given_order
from ..processes import adopt_orphans, high, protect
from ..protocol import Begin, Built, End
from .build import Judged, build_own, build_sample
from .own_tests import test_own
from .sample_tests import test_sample


def main() -> None:
    protect()
    adopt_orphans()
    order = given_order()
    channel = Channel(order, high(int(order["channel_fd"])))
    channel.send(Begin(kind="begin"))
    judged = Judged(order)
    own = order["own"]
    if own:
        errors = build_own(judged) if order["build"] else []
    else:
        errors = build_sample(judged, check=order["build"], compile_tests=order["run_tests"])
    channel.send(Built(kind="built", errors=errors))
    status = 0
    if order["run_tests"] and not errors:
        status = test_own(judged, channel) if own else test_sample(judged, channel)
        channel.send(End(kind="end", status=status))
    sys.stdout.flush()
    os._exit(status)
