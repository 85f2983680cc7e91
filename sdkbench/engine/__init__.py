"""Many attempts: the plan, the workers, and the events they emit. Nothing is printed here."""

from sdkbench.engine.events import Event, Finished, Planned, Started
from sdkbench.engine.local import run_local

__all__ = ["Event", "Finished", "Planned", "Started", "run_local"]
