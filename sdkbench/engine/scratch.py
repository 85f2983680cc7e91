"""scratch_folder: where solutions wait for their judge; what a killed run left is removed."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sdkbench.engine.worker import is_at_work, this_worker

PREFIX = "sdkbench-run-"
MARK = "worker"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder for one run. Those of processes of this machine that are gone go first."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{MARK}"):
        with contextlib.suppress(OSError):  # another user's, or removed at this moment
            if _is_of_a_killed_one(left.read_text(encoding="utf-8")):
                shutil.rmtree(left.parent, ignore_errors=True)
    # A thread that nobody waits for any more may still be writing there at the end.
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / MARK).write_text(this_worker(), encoding="utf-8")
        yield folder


def _is_of_a_killed_one(worker: str) -> bool:
    """Of other machines, which may share the folder, nothing is known."""
    same_host = worker.rpartition(" ")[0].rpartition(" ")[0] == this_worker().rsplit(" ", 2)[0]
    return same_host and worker != this_worker() and not is_at_work(worker)
