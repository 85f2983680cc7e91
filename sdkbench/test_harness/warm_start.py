"""WarmStarts: the zygotes of a harness, one for each environment that runs share."""

import contextlib
import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator

from sdkbench.sandbox.memory_folder import memory_folder
from sdkbench.sandbox.zygote import ForkRefused, Zygote

MOST = 4  # of a few hundred MB each; the one used longest ago makes room
MAX_REFUSALS = 2  # after that an environment's runs start cold


class WarmStarts:
    """Zygotes start when they are first wanted, and end with this object or with the process."""

    def __init__(self, most: int = MOST) -> None:
        self.counts: Counter[str] = Counter()  # runs that started warm, and those run again cold
        self._most = most
        self._lock = threading.Lock()
        self._starting: dict[str, threading.Lock] = {}
        self._zygotes: OrderedDict[str, Zygote] = OrderedDict()
        self._users: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()
        with contextlib.ExitStack() as stack:
            # Of the folders that pairs of runs share.
            self.shared_root = stack.enter_context(memory_folder("sdkbench-pairs-"))
            self._end = weakref.finalize(self, _stop_all, self._zygotes, stack.pop_all())

    @contextlib.contextmanager
    def zygote(self, key: str, start: Callable[[], Zygote]) -> Iterator[Zygote]:
        """The zygote of `key`. Raises ForkRefused if there can be none."""
        with self._lock:
            starting = self._starting.setdefault(key, threading.Lock())
            self._users[key] += 1
        try:
            with starting:
                zygote = self._running(key) or self._start(key, start)
            yield zygote
        except ForkRefused:
            with self._lock:
                self._refusals[key] += 1
            raise
        finally:
            with self._lock:
                self._users[key] -= 1

    def close(self) -> None:
        self._end()

    def pids(self) -> list[int]:
        """Of the processes that lead each zygote's session."""
        with self._lock:
            return [zygote.pid for zygote in self._zygotes.values()]

    def _running(self, key: str) -> Zygote | None:
        with self._lock:
            zygote = self._zygotes.get(key)
            if zygote is not None and zygote.alive:
                self._zygotes.move_to_end(key)
                return zygote
            self._zygotes.pop(key, None)
        if zygote is not None:
            zygote.stop()
        return None

    def _start(self, key: str, start: Callable[[], Zygote]) -> Zygote:
        if self._refusals[key] >= MAX_REFUSALS:
            raise ForkRefused("Runs of this environment could not be forked before.")
        self._make_room()
        zygote = start()
        with self._lock:
            self._zygotes[key] = zygote
        return zygote

    def _make_room(self) -> None:
        with self._lock:
            idle = [key for key in self._zygotes if not self._users[key]]
            surplus = len(self._zygotes) + 1 - self._most
            leaving = [self._zygotes.pop(key) for key in idle[: max(surplus, 0)]]
        for zygote in leaving:
            zygote.stop()


def _stop_all(zygotes: OrderedDict[str, Zygote], folder: contextlib.ExitStack) -> None:
    with folder:
        while zygotes:
            zygotes.popitem()[1].stop()
