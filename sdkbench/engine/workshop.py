"""Workshop: what all lanes of a run share."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sdkbench.engine.origin import Origin, Recorded
from sdkbench.engine.recorder import Recorder
from sdkbench.engine.run_events import Began, Ended, RunEvent
from sdkbench.store import Stored

if TYPE_CHECKING:
    from sdkbench.store.database import Store


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything here is used on the event loop only, but for the store."""

    store: "Store"
    recorder: Recorder
    emit: Callable[[RunEvent], None]
    scratch: Path  # solutions stand here, each in a folder named by its key, until they are judged
    own_run: str | None = None  # of a run begun afresh: no other's answers are used

    def began(self, origin: Origin, doing: str) -> None:
        self.emit(Began(origin.key, origin.model, origin.sample, doing))

    def recall(self, generation_key: str | None) -> Stored | None:
        """What was answered before; from any thread."""
        if generation_key is None:
            return None
        return self.store.generated(generation_key, run_id=self.own_run)

    async def keep(self, recorded: Recorded) -> None:
        """Into the store, then onto the screen."""
        is_new = await self.recorder.save(recorded)
        self.emit(Ended(recorded.attempt, is_new))
