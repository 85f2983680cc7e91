"""RunContext: what all workers of a run share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sdkbench.engine.events import Event, Started
from sdkbench.engine.memory_store import RunStore
from sdkbench.engine.recorder import Recorder
from sdkbench.engine.records import Origin
from sdkbench.store import Stored


class Regraded(NamedTuple):
    """The run that is judged again, and by the key of each attempt to be that of the old one."""

    run_id: str
    keys: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RunContext:
    """Everything here is used on the event loop only, but for the store."""

    store: RunStore
    recorder: Recorder
    emit: Callable[[Event], None]
    scratch: Path  # solutions stand here, each in a folder named by its key, until they are judged
    own_run: str | None = None  # of a run begun afresh: no other's answers are used
    regraded: Regraded | None = None

    def started(self, origin: Origin, activity: str) -> None:
        self.emit(Started(origin.key, origin.model, origin.sample, activity))

    def recall(self, origin: Origin) -> Stored | None:
        """What was answered before; from any thread."""
        if self.regraded is not None:
            return self.store.stored(self.regraded.run_id, self.regraded.keys[origin.key])
        if origin.generation_key is None:
            return None
        return self.store.generated(origin.generation_key, run_id=self.own_run)
