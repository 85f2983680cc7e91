import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.test_harness import BuildResult, Evidence, TestStatus
from sdkbench.test_harness.evidence import build_errors
from sdkbench.test_harness.python.records import OWN_RECORDS, to_evidence
from sdkbench.test_harness.session import Records, read_records
from tests.support.evidence_builder import completed, through_the_channel

A, B = "tests/test_app.py::test_a", "tests/test_app.py::test_b"
Record = dict[str, Any]


def phase(name: str, when: str, outcome: str = "passed", **fields: object) -> Record:
    return {
        "kind": "report",
        "id": name,
        "when": when,
        "outcome": outcome,
        "xfail": False,
        "seconds": 0.5,
        **fields,
    }


def case(name: str, setup: str = "passed", call: str | None = "passed", teardown: str = "passed",
         **fields: object) -> list[Record]:  # fmt: skip
    """The records of one test; `fields` go to its call, or to its setup where it has none."""
    middle = [] if call is None else [phase(name, "call", call, **fields)]
    first = phase(name, "setup", setup, **({} if middle else fields))
    return [{"kind": "start", "id": name}, first, *middle, phase(name, "teardown", teardown)]


END: Record = {"kind": "end", "status": 0}


def read(*records: Record) -> Evidence:
    return to_evidence(through_the_pipe(*records), completed(0))


def through_the_pipe(*records: Record) -> Records:
    return through_the_channel(records, OWN_RECORDS)


def one(*records: Record) -> tuple[TestStatus, bool]:
    found = read(*records)
    assert found.faults == ()
    (report,) = found.reports
    return report.status, report.expected_failure


def test_three_phases_are_one_report() -> None:
    found = read({"kind": "collected", "ids": [A, B]}, *case(A), *case(B), END)
    assert found.collected == (A, B)
    assert [(r.id, r.status) for r in found.reports] == [
        (A, TestStatus.PASSED),
        (B, TestStatus.PASSED),
    ]
    assert found.reports[0].duration_seconds == pytest.approx(1.5)
    assert (found.ended, found.framework_exit, found.running) == (True, 0, None)
    assert found.faults == ()


@pytest.mark.parametrize(
    ("phases", "status"),
    [
        ({"call": "failed"}, TestStatus.FAILED),
        ({"setup": "failed", "call": None}, TestStatus.ERROR),
        ({"teardown": "failed"}, TestStatus.ERROR),
        ({"call": "failed", "teardown": "failed"}, TestStatus.FAILED),
        ({"setup": "skipped", "call": None}, TestStatus.SKIPPED),
        ({"call": "skipped"}, TestStatus.SKIPPED),
        ({"call": None}, TestStatus.ERROR),
        ({"call": "surprise"}, TestStatus.ERROR),
    ],
)
def test_the_worst_phase_decides(phases: dict[str, Any], status: TestStatus) -> None:
    assert one(*case(A, **phases)) == (status, False)


def test_an_expected_failure_is_marked_whether_it_fails_or_passes() -> None:
    assert one(*case(A, call="skipped", xfail=True)) == (TestStatus.SKIPPED, True)
    assert one(*case(A, call="passed", xfail=True)) == (TestStatus.PASSED, True)


def test_a_failing_subtest_fails_its_test() -> None:
    start, setup, call, teardown = case(A)
    subtest = {**phase(A, "call", "failed", message="assert 0"), "kind": "subtest"}
    found = read(start, setup, subtest, call, teardown)
    assert found.reports[0].status is TestStatus.FAILED
    assert found.failures[0].error_message == "assert 0"


def test_a_failure_keeps_where_and_why() -> None:
    where: Record = {
        "message": "boom",
        "path": "app.py",
        "line": 7,
        "trace": "long",
        "output": "printed",
    }
    (failure,) = read(*case(A, call="failed", **where)).failures
    assert failure.model_dump() == {
        "test_name": A,
        "error_message": "boom",
        "file_path": "app.py",
        "line_number": 7,
        "stack_trace": "long",
        "output": "printed",
    }


def test_a_skip_keeps_its_reason() -> None:
    found = read(*case(A, setup="skipped", call=None, reason="no server"))
    assert found.reports[0].reason == "no server"


def test_collection_and_internal_errors_are_kept() -> None:
    found = read(
        {"kind": "run_error", "id": "tests/test_app.py", "message": "ImportError"},
        {"kind": "run_error", "message": "INTERNALERROR"},
    )
    assert [(f.test_name, f.error_message) for f in found.collection_errors] == [
        ("tests/test_app.py", "ImportError"),
        ("outside of any test", "INTERNALERROR"),
    ]


def test_a_record_that_stops_in_a_test_names_it() -> None:
    found = read(*case(A), *case(B)[:2])
    assert (found.running, found.ended, len(found.reports)) == (B, False, 1)


@pytest.mark.parametrize(
    "records",
    [
        [phase(A, "call")],
        [*case(A)[:2], phase(B, "call")],
        [*case(A)[:3], phase(A, "call")],
        [*case(A)[:2], phase(A, "elsewhen")],
        [*case(A), phase(A, "teardown")],
        [END, *case(A)],
        [END, END],
    ],
    ids=[
        "no start",
        "other test",
        "call twice",
        "unknown phase",
        "after teardown",
        "late",
        "two ends",
    ],
)
def test_a_record_that_cannot_follow_is_a_fault(records: list[Record]) -> None:
    assert read(*records).faults != ()


def test_faults_of_the_channel_are_passed_on() -> None:
    assert to_evidence(Records((), ("forged",)), completed(0)).faults == ("forged",)


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "collected"},
        {"kind": "collected", "ids": 5},
        {"kind": "collected", "ids": "test_a"},
        {"kind": "start"},
        {"kind": "report"},
        {"kind": "report", "id": A},
        {"kind": "end"},
        {"kind": "end", "status": None},
        {"kind": "end", "status": "passed"},
        {"kind": "end", "status": 0.5},
        {"kind": "end", "status": float("inf")},
        {"kind": "end", "status": float("nan")},
        {"kind": "run_error", "path": 5},
    ],
    ids=repr,
)
def test_a_malformed_record_is_a_fault(record: Record) -> None:
    found = read(record)
    assert found.faults != ()
    assert not found.ended


@pytest.mark.parametrize(
    "fields",
    [{"seconds": "x"}, {"seconds": 10**400}, {"seconds": None}, {"xfail": None, "seconds": []}],
)
def test_a_malformed_phase_is_a_fault_and_no_pass(fields: Record) -> None:
    found = read(*case(A, **fields), END)
    assert found.faults != ()
    assert found.reports == ()


@pytest.mark.parametrize("missing", ["outcome", "xfail", "seconds", "when", "id"])
def test_a_phase_that_lacks_something_is_a_fault(missing: str) -> None:
    records = case(A)
    del records[2][missing]
    assert read(*records).faults != ()


LONE = "\udc80"  # what os.fsdecode makes of a byte that isn't UTF-8


def test_a_message_with_a_lone_surrogate_is_an_honest_failure() -> None:
    odd = case(A, call="failed", message=f"no such file: {LONE}", trace=LONE, output=LONE)
    found = to_evidence(through_the_pipe(*odd), completed(1))
    assert found.faults == ()
    assert found.reports[0].status is TestStatus.FAILED
    assert "no such file" in found.failures[0].error_message
    assert found.model_dump_json()


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "collected", "ids": [LONE]},
        {"kind": "start", "id": LONE},
        {"kind": LONE},
        {"kind": "report", "id": LONE},
        {"kind": "run_error", "id": LONE},
    ],
    ids=ascii,
)
def test_a_lone_surrogate_never_raises(record: Record) -> None:
    found = to_evidence(through_the_pipe(record, END), completed(0))
    assert found.model_dump_json()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from([A, B, "setup", "call", "teardown", "passed", "failed", "skipped", 10**400])
    | st.text(st.characters(), max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
FIELDS = (
    "id", "ids", "when", "outcome", "xfail", "seconds", "status", "message", "path", "line",
    "trace", "text", "errors", "reason", "output",
)  # fmt: skip
KINDS = st.sampled_from(
    [
        "begin",
        "built",
        "collected",
        "run_error",
        "coverage",
        "start",
        "subtest",
        "report",
        "end",
        "?",
    ]
)
RANDOM = st.fixed_dictionaries({"kind": KINDS}, optional=dict.fromkeys(FIELDS, VALUES))
NEARLY = st.builds(
    lambda records, index, key, value: [
        {**record, key: value} if number == index else record
        for number, record in enumerate(records)
    ],
    st.sampled_from([case(A), case(A, call="failed"), case(A, setup="skipped", call=None)]),
    st.integers(0, 3),
    st.sampled_from(FIELDS),
    VALUES,
)


@settings(max_examples=150)
@given(records=st.lists(RANDOM, max_size=6) | NEARLY)
def test_records_of_any_shape_never_raise(records: list[Record]) -> None:
    found = read(*records)
    assert len(found.reports) <= 1 + len(records) // 2
    assert build_errors(through_the_pipe(*records), completed(0)) is not None


STREAM: list[Record] = [
    {"kind": "built", "errors": []},
    {"kind": "collected", "ids": [A, B]},
    {"kind": "run_error", "id": A, "message": "bad"},
    {"kind": "run_error", "message": "bad"},
    *case(A),
    *case(B, call="failed", message="bad", path="app.py", line=1, trace="long", output=""),
    *case("skipped", setup="skipped", call=None, reason="why"),
    END,
]
ODD: tuple[object, ...] = (
    None,
    True,
    5,
    -1,
    10**400,
    0.5,
    float("inf"),
    float("nan"),
    "",
    "text",
    LONE,
    [],
    [[]],
    {},
    [5],
)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd)[:8])
def test_one_odd_field_in_a_good_stream_never_raises(field: str, odd: object) -> None:
    for index, record in enumerate(STREAM):
        stream = [*STREAM[:index], {**record, field: odd}, *STREAM[index + 1 :]]
        assert len(read(*stream).reports) <= 3
        assert isinstance(build_errors(through_the_pipe(*stream), completed(0)), list)


def test_build_errors_come_from_the_build_record() -> None:
    records = through_the_pipe({"kind": "built", "errors": ["app.py:1: bad"]})
    assert build_errors(records, completed(0)) == ["app.py:1: bad"]
    assert build_errors(through_the_pipe({"kind": "built", "errors": []}), completed(0)) == []


def test_a_build_error_with_a_lone_surrogate_can_be_written_as_json() -> None:
    records = through_the_pipe({"kind": "built", "errors": [f"import app: {LONE}"]})
    errors = build_errors(records, completed(0))
    assert "import app" in BuildResult(success=False, errors=errors).model_dump_json()


def test_a_build_that_is_not_on_record_did_not_finish() -> None:
    (error,) = build_errors(Records((), ()), completed(None, signal=9, stdout="partial"))
    assert "the build did not finish: killed by SIGKILL" in error
    assert "partial" in error


def test_a_forged_record_is_for_integrity_to_judge_not_for_the_build() -> None:
    assert build_errors(Records((), ("forged",)), completed(0)) == []


@pytest.mark.parametrize("errors", [5, True, 1.5, {"a": 1}, "text"])
def test_a_malformed_build_record_is_no_clean_build(errors: object) -> None:
    records = through_the_pipe({"kind": "built", "errors": errors})
    assert build_errors(records, completed(0)) or to_evidence(records, completed(0)).faults


def test_a_whole_channel_from_bytes_to_evidence() -> None:
    records: list[Record] = [{"kind": "begin"}, {"kind": "built", "errors": []}, *case(A), END]
    lines = [json.dumps({"nonce": "n", "number": i, **r}) + "\n" for i, r in enumerate(records)]
    found = to_evidence(read_records("".join(lines).encode(), "n", OWN_RECORDS), completed(0))
    assert [r.status for r in found.reports] == [TestStatus.PASSED]
    assert found.ended
