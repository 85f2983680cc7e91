"""The tables as the newest migration leaves them, by name alone; values ↔ their rows."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, TableClause, column, table

from sdkbench.store.values import Attempt, JudgementRecord, Run, TestRow


def _table(name: str, columns: str) -> TableClause:
    return table(name, *(column(each) for each in columns.split()))


# Types and keys are in the migrations. JSON is kept as text; moments too, in ISO 8601 and UTC, so
# that text sorts as time does.
runs = _table("runs", "id label state harness planned worker settings started_at ended_at")
attempts = _table(
    "attempts",
    "id run_id key suite sdk sample task_type model trial outcome fault error score mode assurance "
    "duration_seconds input_tokens output_tokens cost_usd environment_key generation_key result "
    "ended_at reused_from",
)
tests = _table("tests", "attempt_id position test_id status message")
artefacts = _table("artefacts", "attempt_id position kind name digest")
blobs = _table("blobs", "digest codec size data")
judgements = _table(
    "judgements",
    "id run_id key owner idempotency_key request batch sdk sample model notes webhook "
    "webhook_state accepted_at answered_at outcome answer",
)


def moment(value: datetime | None) -> str | None:
    """Always with microseconds, so that text sorts as time does."""
    return None if value is None else value.isoformat(timespec="microseconds")


def json_text(value: Mapping[str, object]) -> str:
    return json.dumps(value, separators=(",", ":"))


def run_row(run: Run) -> dict[str, object]:
    return {
        **run.model_dump(mode="json"),
        "settings": json_text(run.settings),
        "started_at": moment(run.started_at),
        "ended_at": moment(run.ended_at),
    }


def run_value(row: Row[Any]) -> Run:
    values = row._mapping  # noqa: SLF001 - the documented way to a row's names
    return Run.model_validate({**values, "settings": json.loads(values["settings"])})


def attempt_row(run_id: str, attempt: Attempt) -> dict[str, object]:
    return {
        **attempt.model_dump(mode="json", exclude={"tests", "result"}),
        "run_id": run_id,
        "result": json_text(attempt.result),
        "ended_at": moment(attempt.ended_at),
    }


def attempt_value(row: Row[Any], tests: Sequence[TestRow]) -> Attempt:
    values = dict(row._mapping)  # noqa: SLF001
    del values["id"], values["run_id"]
    values["result"] = json.loads(values["result"])
    return Attempt.model_validate({**values, "tests": tuple(tests)})


def test_rows(attempt_id: int, tests: Sequence[TestRow]) -> list[dict[str, object]]:
    return [
        {"attempt_id": attempt_id, "position": position, **test.model_dump()}
        for position, test in enumerate(tests)
    ]


def judgement_row(record: JudgementRecord) -> dict[str, object]:
    return {
        **record.model_dump(mode="json"),
        "notes": json.dumps(record.notes),
        "accepted_at": moment(record.accepted_at),
        "answered_at": moment(record.answered_at),
    }


def judgement_value(row: Row[Any]) -> JudgementRecord:
    values = row._mapping  # noqa: SLF001
    return JudgementRecord.model_validate({**values, "notes": json.loads(values["notes"])})
