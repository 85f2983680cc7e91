"""One switch that ends every process of a run, from any thread."""

import threading

from sdkbench.errors import Cancelled


class Cancellation:
    """Set once; each running command sees it within a tenth of a second and kills its tree."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def requested(self) -> bool:
        return self._event.is_set()

    def raise_if_requested(self) -> None:
        if self.requested:
            raise Cancelled("Stopped on request.")
