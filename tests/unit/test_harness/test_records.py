import json

from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.session import Begin, Records, Start, read_records

NONCE = "0123456789abcdef"


BEGIN = Begin(nonce=NONCE, number=0, kind="begin")


def line(number: int, kind: str = "begin", *, nonce: str = NONCE, **fields: object) -> bytes:
    return json.dumps({"nonce": nonce, "number": number, "kind": kind, **fields}).encode() + b"\n"


def test_good_records_come_back_typed() -> None:
    records = read_records(line(0, "begin") + line(1, "start", id="a"), NONCE)
    assert records == Records((BEGIN, Start(nonce=NONCE, number=1, kind="start", id="a")), ())


def test_an_empty_channel_holds_nothing_and_no_fault() -> None:
    assert read_records(b"", NONCE) == Records((), ())


def test_nothing_is_read_after_a_wrong_nonce() -> None:
    records = read_records(line(0) + line(1, nonce="guessed") + line(2), NONCE)
    assert len(records.items) == 1
    assert records.faults == ("record 1 does not carry the run's nonce",)


def test_a_missing_nonce_is_a_fault() -> None:
    records = read_records(b'{"kind": "begin", "number": 0}\n', NONCE)
    assert records == Records((), ("record 0 is not of our writing",))


def test_records_out_of_order_are_a_fault() -> None:
    for forged in (line(0) + line(0), line(1), line(0) + line(2), line(-1)):
        records = read_records(forged, NONCE)
        assert len(records.faults) == 1
        assert "out of order" in records.faults[0]


def test_garbage_is_a_fault() -> None:
    for garbage in (b"PASSED\n", b"\n", b"\xff\xfe\n", b"{}\n", b"[]\n", b'"x"\n', b"null\n"):
        records = read_records(line(0) + garbage + line(1), NONCE)
        assert len(records.items) == 1
        assert records.faults == ("record 1 is not of our writing",)


def test_a_kind_that_is_not_text_is_a_fault() -> None:
    data = json.dumps({"nonce": NONCE, "number": 0, "kind": ["start"]}).encode() + b"\n"
    (fault,) = read_records(data, NONCE).faults
    assert fault.startswith("record 0 is not of our writing: record: Input tag '['start']'")


def test_the_field_that_does_not_fit_is_named_to_whoever_has_the_nonce() -> None:
    (fault,) = read_records(line(0, "start"), NONCE).faults
    assert fault == "record 0 is not of our writing: start.id: Field required"
    (fault,) = read_records(line(0, "start", nonce="guessed"), NONCE).faults
    assert fault == "record 0 is not of our writing"


def test_a_cut_last_line_is_no_record_and_no_fault() -> None:
    whole = line(0) + line(1)
    for cut in range(len(line(0)), len(whole)):
        assert read_records(whole[:cut], NONCE) == Records((BEGIN,), ())


def test_deep_nesting_is_a_fault() -> None:
    deep = b"[" * 200_000 + b"]" * 200_000 + b"\n"
    assert read_records(deep, NONCE).faults == ("record 0 is not of our writing",)


def test_an_endless_number_is_a_fault() -> None:
    assert read_records(b"9" * 10_000 + b"\n", NONCE).faults == ("record 0 is not of our writing",)


def test_an_overflown_channel_is_a_fault_beside_its_records() -> None:
    records = read_records(line(0), NONCE, truncated=True)
    assert records == Records((BEGIN,), ("the channel overflowed",))


@given(data=st.binary(max_size=300), truncated=st.booleans())
def test_random_bytes_never_raise_and_never_count(data: bytes, *, truncated: bool) -> None:
    records = read_records(data, NONCE, truncated=truncated)
    assert records.items == ()
    assert bool(records.faults) == (truncated or b"\n" in data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values=st.lists(JSON, max_size=4))
def test_random_json_without_the_nonce_never_counts(values: list[object]) -> None:
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    records = read_records(data, NONCE)
    assert records.items == ()
    assert len(records.faults) == bool(values)


@given(count=st.integers(0, 5), junk=st.binary(min_size=1, max_size=40))
def test_what_comes_before_the_junk_is_kept(count: int, junk: bytes) -> None:
    good = b"".join(line(number) for number in range(count))
    records = read_records(good + junk + b"\n", NONCE)
    assert len(records.items) == count
    assert len(records.faults) == 1


GOOD = json.dumps(
    {
        "kind": "case", "id": "a", "status": "passed", "expected_failure": False, "seconds": 0.5,
        "reason": "", "message": "", "path": "a.py", "line": 3, "trace": "", "output": "",
    }
)  # fmt: skip


@given(field=st.sampled_from(sorted(json.loads(GOOD))), value=JSON)
def test_a_field_is_what_the_protocol_says_or_the_record_is_a_fault(
    field: str, value: object
) -> None:
    record = json.loads(GOOD) | {field: value}
    data = json.dumps({**record, "nonce": NONCE, "number": 0}).encode() + b"\n"
    records = read_records(data, NONCE)
    assert len(records.items) + len(records.faults) == 1
    if records.items:
        read = records.items[0].model_dump()
        kinds = (
            (str,) if field in {"id", "kind", "reason", "status"} else (str, int, float, type(None))
        )
        assert isinstance(read[field], kinds)


@given(name=st.text(max_size=8).filter(lambda name: name not in json.loads(GOOD)), value=JSON)
def test_a_field_that_the_protocol_does_not_know_is_a_fault(name: str, value: object) -> None:
    record = json.loads(GOOD) | {"nonce": NONCE, "number": 0}
    data = json.dumps({**record, name: value}).encode() + b"\n"
    assert read_records(data, NONCE).items == ()


def test_a_kind_of_another_language_is_a_fault() -> None:
    assert read_records(line(0, "classes", names=[]), NONCE).faults
