"""A run that is killed again and again ends with the same table as one that nobody disturbed."""

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from sdkbench.store import RunState
from tests.support.run_samples import SDK, SECONDS, Place, make_place, sandboxes_of

SAMPLES = 5
# Verdicts that are stored when the blow falls, and how long after the last of them.
BLOWS = ((1, 0.0), (4, 0.15), (7, 0.3))
SLOW_TESTS = "import time\ndef test_slow():\n    time.sleep(0.8)\n"


@pytest.fixture
def words(place: Place) -> tuple[str, ...]:
    """Ten attempts that take a moment each."""
    make_place(place.root / "more", SAMPLES)
    (place.root / "more" / "samples").rename(place.root / "many")
    for tests in place.root.glob("many/*/*/tests"):
        (tests / "test_slow.py").write_text(SLOW_TESTS)
    return (
        "run", "--sdk", SDK, "--integrity", "checked", "--samples-dir", "many", "--run-id", "mine",
        "--model", "reference", "--model", "starter", "--workers", "2",
    )  # fmt: skip


def strike(place: Place, words: tuple[str, ...], verdicts: int, later_seconds: float) -> int:
    """How many processes of sandboxes there were when the blow fell; afterwards there is none."""
    with place.started(*words) as process:
        place.wait_for(verdicts, process)
        time.sleep(later_seconds)
        assert process.poll() is None
        struck = len(sandboxes_of(place))
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait(timeout=SECONDS) == -signal.SIGKILL
    deadline = time.monotonic() + 10
    while sandboxes_of(place):
        assert time.monotonic() < deadline, "sandboxes outlived the run"
        time.sleep(0.05)
    return struck


def test_killed_three_times_and_resumed(place: Place, words: tuple[str, ...]) -> None:
    verdicts: Mapping[str, object] = {}
    struck = 0
    for count, later_seconds in BLOWS:
        struck += strike(place, words, count, later_seconds)
        now = {a.key: a.ended_at for a in place.attempts() if a.finished}
        assert count <= len(now) < 2 * SAMPLES
        assert verdicts.items() <= now.items()
        verdicts = now
        assert [run.state for run in place.runs()] == [RunState.RUNNING]
    assert struck, "no sandbox was there to be killed"
    resumed = place.program(*words)
    assert resumed.code == 0, resumed.err
    assert f"{len(verdicts)} of them done before" in resumed.err
    after = place.attempts()
    assert verdicts.items() <= {a.key: a.ended_at for a in after}.items()

    undisturbed = Place(place.root, str(place.root / "other.db"))
    whole = undisturbed.program(*words)
    assert (whole.code, whole.out) == (0, resumed.out)
    planned = sorted(each.key for each in undisturbed.attempts())
    assert len(planned) == 2 * SAMPLES
    assert sorted(each.key for each in after) == planned
    assert place.outcomes() == undisturbed.outcomes()
    assert not Path(f"{place.store}-journal").exists()
