"""The only room that starts processes: `Sandbox.run(Command) -> Completed`."""

from sdkbench.sandbox.cancellation import Cancellation
from sdkbench.sandbox.command import Command, Completed, Limits, Mount, StoppedBy
from sdkbench.sandbox.levels import Level, Sandbox, choose, probe

__all__ = [
    "Cancellation",
    "Command",
    "Completed",
    "Level",
    "Limits",
    "Mount",
    "Sandbox",
    "StoppedBy",
    "choose",
    "probe",
]
