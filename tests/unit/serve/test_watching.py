"""What the viewer knows of the store, and when it looks again."""

from pathlib import Path

import pytest

from sdkbench.errors import StoreError
from sdkbench.serve import watching
from sdkbench.serve.watching import Watcher
from sdkbench.store import RunState, open_store
from tests.support.store.builder import attempt


def test_a_change_is_seen_by_another_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    with open_store(tmp_path / "store.db") as store:
        watcher = Watcher(store)
        first, second = store.start_run(run_id="first"), store.start_run(run_id="second")
        seen = watcher.snapshot()
        store.save_attempt(first.id, attempt(1))
        after = watcher.snapshot()
        assert after.signature() != seen.signature()
        assert after.signature([first.id]) != seen.signature([first.id])
        assert after.signature([second.id]) == seen.signature([second.id])
        store.end_run(second.id, RunState.FINISHED)
        assert watcher.snapshot().signature([second.id]) != after.signature([second.id])


def test_figures_are_made_again_only_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    with open_store(tmp_path / "store.db") as store:
        watcher = Watcher(store)
        run = store.start_run()
        store.save_attempt(run.id, attempt(1))
        first = watcher.collected([run.id])
        assert watcher.collected([run.id]) is first
        store.save_attempt(run.id, attempt(2))
        assert len(watcher.collected([run.id]).rows) == 2
        with pytest.raises(StoreError, match="no run 'other'"):
            watcher.collected(["other"])


def test_the_store_is_looked_at_once_for_all_who_ask(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        watcher = Watcher(store)
        seen = watcher.snapshot()
        store.start_run()
        assert watcher.snapshot() is seen
