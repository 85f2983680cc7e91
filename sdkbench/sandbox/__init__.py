"""The only room that starts processes: `Sandbox.run(Command) -> Completed`."""

from sdkbench.sandbox.black_box import Counterpart, Link, Program
from sdkbench.sandbox.collect import FOLDER, Collected, OutputFile, collect
from sdkbench.sandbox.command import Command, Completed, Limits, Mount, StoppedBy
from sdkbench.sandbox.levels import Level, Sandbox, choose, probe
from sdkbench.sandbox.plain import run_own
from sdkbench.sandbox.process import Cancellation
from sdkbench.sandbox.worker import Ending, Reply, Worker
