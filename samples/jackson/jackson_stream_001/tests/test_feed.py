"""Documents of all kinds go in, a line for each scan comes out."""

import json
import subprocess


def feed(text: str, status: int = 0) -> list[str]:
    done = subprocess.run(["solution"], input=text.encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (status, b"")
    return done.stdout.decode().splitlines()


def arrival(**changes: object) -> dict[str, object]:
    scan = {"kind": "arrival", "parcel": "P1", "kilos": 2.5, **changes}
    return {name: value for name, value in scan.items() if value != "gone"}


def departure(**changes: object) -> dict[str, object]:
    scan = {"kind": "departure", "parcel": "P2", "to": "K\u00f6ln", **changes}
    return {name: value for name, value in scan.items() if value != "gone"}


def damage(**changes: object) -> dict[str, object]:
    scan = {"kind": "damage", "parcel": "P3", "note": "wet", "photos": ["a", "b"], **changes}
    return {name: value for name, value in scan.items() if value != "gone"}


def document(*scans: object) -> str:
    return json.dumps({"depot": "HAM", "scans": scans})


def reasons(*scans: object) -> list[str]:
    """Why each of these scans is wrong; the one behind them is right."""
    *told, last, end = feed(document(*scans, departure()))
    assert last == f"{len(scans) + 1} departure P2 to K\u00f6ln"
    assert end == f"depot HAM: {len(scans) + 1} scans, {len(scans)} wrong, 0 kilos"
    starts = [f"{number} wrong: " for number in range(1, len(scans) + 1)]
    assert [line[: len(start)] for line, start in zip(told, starts, strict=True)] == starts
    return [line[len(start) :] for line, start in zip(told, starts, strict=True)]


def test_scans_of_all_kinds_are_told() -> None:
    assert feed(document(arrival(), departure(), damage(), arrival(parcel="P 4", kilos=10))) == [
        "1 arrival P1 2.5",
        "2 departure P2 to K\u00f6ln",
        "3 damage P3 wet (2)",
        "4 arrival P 4 10",
        "depot HAM: 4 scans, 0 wrong, 12.5 kilos",
    ]


def test_documents_follow_one_another() -> None:
    first, second = document(arrival()), '{"scans": [], "depot": "BER"}'
    assert feed(f"{first}{second}\n\n  {first} {{}}\n") == [
        "1 arrival P1 2.5",
        "depot HAM: 1 scans, 0 wrong, 2.5 kilos",
        "depot BER: 0 scans, 0 wrong, 0 kilos",
        "1 arrival P1 2.5",
        "depot HAM: 1 scans, 0 wrong, 2.5 kilos",
        "depot -: 0 scans, 0 wrong, 0 kilos",
    ]
    assert feed(" \n") == []


def test_members_come_in_any_order() -> None:
    scan = '{"to": "X", "parcel": "P9", "kind": "departure"}'
    other = '{"kilos": 1.0, "kind": "arrival", "parcel": "P8"}'
    assert feed(f'{{"scans": [{scan}, {other}], "depot": "MUC"}}') == [
        "1 departure P9 to X",
        "2 arrival P8 1",
        "depot MUC: 2 scans, 0 wrong, 1 kilos",
    ]


def test_kilos_are_exact_and_plain() -> None:
    numbers = ["0.1", "0.2", "1E+3", "2.500", "12345678901234567.89", "1e-7"]
    scans = ", ".join(f'{{"kind":"arrival","parcel":"P","kilos":{number}}}' for number in numbers)
    assert feed(f'{{"scans": [{scans}]}}') == [
        "1 arrival P 0.1",
        "2 arrival P 0.2",
        "3 arrival P 1000",
        "4 arrival P 2.5",
        "5 arrival P 12345678901234567.89",
        "6 arrival P 0.0000001",
        "depot -: 6 scans, 0 wrong, 12345678901235570.6900001 kilos",
    ]


def test_what_nobody_knows_is_passed_over() -> None:
    inner = {"scans": [arrival()], "depot": "X", "deep": [[{"scans": [1]}]]}
    scan = departure(extra=inner, kilos=-1, at=[{"parcel": "Q"}])
    text = json.dumps(
        {"a": inner, "scans": [scan], "b": [inner, "depot"], "depot": "HAM", "c": None}
    )
    assert feed(text) == ["1 departure P2 to K\u00f6ln", "depot HAM: 1 scans, 0 wrong, 0 kilos"]


def test_depots_and_scans_of_another_type_are_passed_over() -> None:
    scans = [None, "scans", {"kind": "arrival"}, 5]
    documents = [
        {"depot": depot, "scans": scan}
        for depot, scan in zip([5, ["A"], None, {}], scans, strict=True)
    ]
    documents.append({"depot": "HAM", "scans": [departure()]})
    assert feed("".join(map(json.dumps, documents))) == [
        *["depot -: 0 scans, 0 wrong, 0 kilos"] * 4,
        "1 departure P2 to K\u00f6ln",
        "depot HAM: 1 scans, 0 wrong, 0 kilos",
    ]
    assert feed('{"depot": "A", "depot": [], "scans": []}') == [
        "depot A: 0 scans, 0 wrong, 0 kilos"
    ]


def test_what_is_no_scan_is_wrong() -> None:
    scans = [
        5,
        "arrival",
        None,
        [arrival()],
        {},
        arrival(kind=None),
        arrival(kind=7),
        arrival(kind=["a"]),
    ]
    assert reasons(*scans) == ["no object"] * 4 + ["no kind"] * 4


def test_a_kind_must_be_known() -> None:
    kinds = ["Arrival", "lost", "", "feed.Scan$Arrival"]
    assert reasons(*(arrival(kind=kind) for kind in kinds)) == [
        f"unknown kind {kind}" for kind in kinds
    ]


def test_texts_must_be_texts() -> None:
    values: list[object] = ["gone", None, 5, 1.5, True, ["x"], {"x": "y"}]
    assert reasons(*(departure(to=value) for value in values)) == ["bad to"] * 7
    others = [damage(note=value) for value in values[:4]]
    parcels = [scan(parcel=value) for scan in (arrival, damage) for value in values[:3]]
    assert reasons(*others, *parcels) == ["bad note"] * 4 + ["bad parcel"] * 6


def test_kilos_must_be_a_number_above_0() -> None:
    values: list[object] = ["gone", None, "2.5", "", True, [1], 0, 0.0, -0.5]
    assert reasons(*(arrival(kilos=value) for value in values)) == ["bad kilos"] * 9


def test_photos_are_a_list_of_texts_or_missing() -> None:
    photos = ["gone", None, [], [""]]
    told = feed(document(*(damage(photos=one) for one in photos)))
    assert told[:4] == [
        "1 damage P3 wet (0)",
        "2 damage P3 wet (0)",
        "3 damage P3 wet (0)",
        "4 damage P3 wet (1)",
    ]
    wrong = ["a", {}, 5, ["a", 5], [None], ["a", ["b"]]]
    assert reasons(*(damage(photos=photos) for photos in wrong)) == ["bad photos"] * 6


def test_wrong_scans_are_counted_and_add_nothing() -> None:
    assert feed(document(arrival(), arrival(to={}, kilos=-1), arrival(kilos=1), 5)) == [
        "1 arrival P1 2.5",
        "2 wrong: bad kilos",
        "3 arrival P1 1",
        "4 wrong: no object",
        "depot HAM: 4 scans, 2 wrong, 3.5 kilos",
    ]


def test_what_was_read_before_a_break_has_been_told() -> None:
    whole = document(arrival())
    lines = ['{"depot": "HAM",', ' "scans": [', f"{json.dumps(departure())},", '{"kind": "arri']
    assert feed(f"{whole}\n" + "\n".join(lines), status=2) == [
        "1 arrival P1 2.5",
        "depot HAM: 1 scans, 0 wrong, 2.5 kilos",
        "1 departure P2 to K\u00f6ln",
        "broken at line 5",
    ]
    lines[3] = '{"kind": "arrival", "parcel": oops, "kilos": 1}\n]}'
    assert feed("\n".join(lines), status=2) == ["1 departure P2 to K\u00f6ln", "broken at line 4"]


def test_only_objects_are_documents() -> None:
    assert feed(f"{document()}\n\n[]\n{document()}", status=2) == [
        "depot HAM: 0 scans, 0 wrong, 0 kilos",
        "broken at line 3",
    ]
    assert feed('"text"', status=2) == ["broken at line 1"]
    assert feed("{}\n}", status=2) == ["depot -: 0 scans, 0 wrong, 0 kilos", "broken at line 2"]


def test_a_long_document_is_read_to_its_end() -> None:
    told = feed(document(*(arrival(kilos=0.1) for _ in range(20000))))
    assert len(told) == 20001
    assert told[-2:] == ["20000 arrival P1 0.1", "depot HAM: 20000 scans, 0 wrong, 2000 kilos"]
