"""Runs inside the sandbox of a solution that is judged apart from its tests: compiles it, and waits
to be asked.
"""

import os
import socket
import warnings

from ..channel import given_order
from ..sandbox.first_process import forbid_links
from . import boot
from .apart import solution_side


def run(order: solution_side.SolutionOrder, peer: int | None = None) -> None:
    """`peer` is where the order's descriptor was moved to, if it was. Ends the process."""
    stream = socket.socket(fileno=int(order["peer_fd"]) if peer is None else peer)
    stream.set_inheritable(False)
    forbid_links(order["scratch"])
    errors = []
    if order["compile"]:
        root = os.path.join(order["workspace"], order["solution"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            errors = boot.compile_all(root, order["workspace"])
    boot.forget_our_modules()
    solution_side.run(order, errors, stream)


def main() -> None:
    run(given_order())
