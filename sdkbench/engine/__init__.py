"""Many attempts: the plan, the workers, and the events they emit. Nothing is printed here."""

from sdkbench.engine.entrants import ShellSet, generation_settings, load_shell_set
from sdkbench.engine.events import Event, Finished, Planned, Started
from sdkbench.engine.judging import Judge, LocalJudge, judging_here, reading_only
from sdkbench.engine.local import run_local
from sdkbench.engine.on_ray.opening import open_ray_generator, open_ray_judge
from sdkbench.engine.regrade import read_old, regrade_run
from sdkbench.engine.run import Bench, Suites, run_models
from sdkbench.engine.run_events import Answered, Began, Ended, RunEvent, RunPlanned
from sdkbench.engine.settings import EngineKind, RunSettings, SandboxLevel

__all__ = [
    "Answered",
    "Began",
    "Bench",
    "Ended",
    "EngineKind",
    "Event",
    "Finished",
    "Judge",
    "LocalJudge",
    "Planned",
    "RunEvent",
    "RunPlanned",
    "RunSettings",
    "SandboxLevel",
    "ShellSet",
    "Started",
    "Suites",
    "generation_settings",
    "judging_here",
    "load_shell_set",
    "open_ray_generator",
    "open_ray_judge",
    "read_old",
    "reading_only",
    "regrade_run",
    "run_local",
    "run_models",
]
