"""The only room that starts processes: `Sandbox.run(Command) -> Completed`."""

from sdkbench.sandbox.black_box.broker import Counterpart, Link, Program
from sdkbench.sandbox.cancellation import Cancellation
from sdkbench.sandbox.command import Command, Completed, Limits, Mount, StoppedBy
from sdkbench.sandbox.harvest import FOLDER, Harvest, Leavings, harvest
from sdkbench.sandbox.levels import Level, Sandbox, choose, probe
from sdkbench.sandbox.own_program import run_own
from sdkbench.sandbox.worker import Ending, Reply, Worker

__all__ = [
    "FOLDER",
    "Cancellation",
    "Command",
    "Completed",
    "Counterpart",
    "Ending",
    "Harvest",
    "Leavings",
    "Level",
    "Limits",
    "Link",
    "Mount",
    "Program",
    "Reply",
    "Sandbox",
    "StoppedBy",
    "Worker",
    "choose",
    "harvest",
    "probe",
    "run_own",
]
