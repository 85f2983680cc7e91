import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from sdkbench.errors import StoreError, StoreFault
from sdkbench.store import (
    Artefact,
    JudgedAs,
    KeyParts,
    Suite,
    TestRow,
    attempt_key,
    default_store,
)
from sdkbench.store.artefacts import pack, unpack
from sdkbench.store.location import PostgresUrl, SqliteFile, locate
from tests.support.store.builder import attempt

PARTS = KeyParts(
    suite=Suite.SDK, sample="demo_001", case="c", tests="t", harness="1", answer="a",
    settings={"mode": "strict", "timeout": 300},
)  # fmt: skip


@given(st.binary(max_size=4000))
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    blob = pack(data)
    assert unpack(blob) == data
    assert blob.size == len(data)
    assert len(blob.data) <= len(data)


def test_other_bytes_under_the_same_digest_are_refused() -> None:
    for data in (b"other", b""):
        with pytest.raises(StoreFault, match="damaged"):
            unpack(pack(b"text " * 100)._replace(data=data))


@pytest.mark.parametrize(
    "change",
    [
        {"sample": "demo_002"}, {"case": "c2"}, {"tests": "t2"}, {"harness": "2"},
        {"answer": "a2"}, {"model": "m"}, {"prompt": "p"}, {"trial": 1}, {"environment": "e"},
        {"settings": {"mode": "weighted", "timeout": 300}}, {"suite": Suite.SHELL},
    ],
)  # fmt: skip
def test_whatever_changes_changes_the_key(change: dict[str, object]) -> None:
    assert attempt_key(PARTS.model_copy(update=change)) != attempt_key(PARTS)


def test_the_order_of_settings_does_not_matter_and_the_key_is_stable() -> None:
    turned = PARTS.model_copy(update={"settings": {"timeout": 300, "mode": "strict"}})
    assert attempt_key(turned) == attempt_key(PARTS)
    # Written down: another value would have every stored attempt run again.
    assert attempt_key(PARTS).startswith("d23af0b600438a01")


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../up", "a/../b", "a//b", "./a", "a/", "a\0b", "a\\b", "."]
)
def test_an_artefact_s_name_stays_below_its_folder(name: str) -> None:
    with pytest.raises(ValidationError):
        Artefact(kind="solution", name=name, data=b"")


@pytest.mark.parametrize("name", ["a", "a/b.py", "app/[[...sign-in]]/page.tsx", ".env", "a b", "…"])
def test_ordinary_names_are_taken(name: str) -> None:
    assert Artefact(kind="solution", name=name, data=b"").name == name


def test_what_no_database_can_hold_is_replaced_or_refused() -> None:
    assert TestRow(test_id="a\0b", status="passed").test_id == "a�b"
    for change in (
        {"score": float("nan")}, {"score": 101}, {"result": {"x": float("inf")}}, {"key": "short"},
        {"input_tokens": 2**60}, {"duration_seconds": -1}, {"ended_at": datetime(2024, 1, 1)},  # noqa: DTZ001
    ):  # fmt: skip
        with pytest.raises(ValidationError):
            attempt(1, **change)


def test_times_are_kept_in_utc() -> None:
    there = datetime(2024, 1, 1, 12, tzinfo=timezone(timedelta(hours=5)))
    assert attempt(1, ended_at=there).ended_at.tzinfo is UTC
    assert attempt(1, ended_at=there).ended_at == there


def test_an_attempt_survives_json() -> None:
    made = attempt(3)
    assert type(made).model_validate(json.loads(made.model_dump_json())) == made


def test_places(monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate("sqlite:////abs/x.db") == locate("/abs/x.db")
    assert isinstance(locate("sqlite:///rel.db"), SqliteFile)
    for url in ("postgresql://u@h/d", "postgres://u@h/d", "postgresql+psycopg://u@h/d"):
        assert locate(url) == PostgresUrl("postgresql+psycopg://u@h/d")
    with pytest.raises(StoreError, match="mysql"):
        locate("mysql://h/d")
    with monkeypatch.context() as patch:
        patch.setenv("SDKBENCH_STORE", "elsewhere.db")
        assert default_store() == "elsewhere.db"
        patch.delenv("SDKBENCH_STORE")
        assert default_store() == ".sdkbench/store.db"


def test_a_url_is_shown_without_its_password() -> None:
    shown = PostgresUrl("postgresql+psycopg://me:secret@host:5/db?password=secret").shown
    assert shown == "postgresql://me@host:5/db"


def test_sqlalchemy_is_loaded_by_those_who_open_a_store_only() -> None:
    heavy = "{'sqlalchemy', 'psycopg', 'pyarrow'}"
    script = f"import sys, sdkbench.cli.app; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_what_a_verdict_was_made_by_is_read_back_from_a_result() -> None:
    parts = KeyParts(
        suite=Suite.SDK, sample="a/b", case="c", tests="t", harness="h", settings={"mode": "strict"}
    )
    made = JudgedAs.by(parts)
    assert JudgedAs.of({"judged_as": made.model_dump(mode="json")}) == made
    assert (made.case, made.tests, made.settings) == ("c", "t", {"mode": "strict"})


@pytest.mark.parametrize("noted", [None, 7, {}, {"case": 1}, {"case": "c", "unknown": 1}])
def test_what_nobody_noted_is_unknown(noted: JsonValue) -> None:
    assert JudgedAs.of({"judged_as": noted}) is None
    assert JudgedAs.of({}) is None
