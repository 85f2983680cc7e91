"""Reach: whether a model can be reached at all."""

from sdkbench.backends import BackendFailure
from sdkbench.backends.patience import HOPELESS, HOPELESS_AFTER


class Reach:
    """After some requests of which none got through, no more are made."""

    def __init__(self) -> None:
        self._heard = False
        self._lost = 0
        self._last: BackendFailure | None = None

    def check(self) -> None:
        """Raises the last failure again where asking has been shown to be in vain."""
        if self._last is not None and not self._heard and self._lost >= HOPELESS_AFTER:
            # A new one each time: an exception collects the places that it was raised at.
            raise BackendFailure(str(self._last), self._last.kind)

    def got_through(self) -> None:
        self._heard = True

    def failed(self, failure: BackendFailure) -> None:
        """A server that refuses one request has been reached."""
        if failure.kind in HOPELESS:
            self._lost += 1
            self._last = failure
        else:
            self._heard = True
