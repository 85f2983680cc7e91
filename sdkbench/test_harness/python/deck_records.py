"""Records of pytest_decks, which tells of whole runs → how each ended, and its own records."""

from typing import Any

from sdkbench.sandbox import Completed, StoppedBy
from sdkbench.test_harness.records import Records, read_records

NOT_STARTED = 125  # pytest_decks could not make the run's workspace
KILL = 9
XCPU = 24


def to_runs(records: Records, session: Completed) -> list[tuple[Completed, Records]] | None:
    """One pair a run, in order; None where a workspace could not be made: that is our fault.

    Shorter than what was asked for where the session itself was cut short.
    """
    runs = []
    for record in records.items:
        if record["kind"] != "run":
            continue
        if record["exit_code"] == NOT_STARTED and not record["records"]:
            return None
        completed = _completed(record, session)
        told = read_records(completed.channel, record["run_nonce"], truncated=record["overflow"])
        runs.append((completed, told))
    return runs


def _completed(record: dict[str, Any], session: Completed) -> Completed:
    stopped = StoppedBy(record["stopped_by"]) if record["stopped_by"] else None
    if stopped is None and record["signal"] == XCPU:
        stopped = StoppedBy.CPU
    if stopped is None and record["signal"] == KILL and session.notes:
        stopped = StoppedBy.MEMORY  # the sandbox noted that a process was killed for it
    return Completed(
        exit_code=record["exit_code"],
        signal=record["signal"],
        stopped_by=stopped,
        stdout=record["stdout"],
        stderr=record["stderr"],
        truncated=record["truncated"],
        channel=record["records"].encode("latin-1"),
        channel_truncated=record["overflow"],
        duration_seconds=record["seconds"],
        level=session.level,
        unapplied=session.unapplied,
        notes=session.notes,
    )
