"""Runs inside the sandbox: compiles a Java project, runs its test classes, or hands it to Maven.

The order names the task, which is a module beside this one. Judged code never runs in this process.
"""

import importlib
import sys

from ..channel import given_order
from ..processes import adopt_orphans, protect
from ..protocol import Begin
from .session import Session


def main() -> None:
    protect()
    adopt_orphans()
    order = given_order()
    session = Session(order)
    task = importlib.import_module(f".{order['task']}", __package__)
    session.send(Begin(kind="begin"))
    sys.exit(task.run(order, session))
