"""The program as its users see it: words on the command line, text, exit codes and files."""

import json
import subprocess

import pytest

CITIES = """\
{"city": "Köln", "size": 1080, "land": "NW"}
{"city": "Bonn", "size": 330.5, "land": "NW", "old": true}

{"city": "Kiel", "size": "247", "land": null}
{"size": 3, "city": "Koog"}
"""


@pytest.fixture
def records(tmp_path):
    """Runs the program in a folder of its own: what it wrote on standard output."""
    folder = tmp_path / "home"
    folder.mkdir()

    def run(*words, stdin=CITIES, code=0):
        done = subprocess.run(
            ["solution", *words], input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True, cwd=folder, timeout=60,
        )
        run.errors = done.stderr.decode()
        assert done.returncode == code, (words, done.returncode, done.stdout, run.errors)
        return done.stdout.decode()

    run.folder = folder
    return run


def names(text):
    return [json.loads(line)["city"] for line in text.splitlines()]


def test_records_come_out_as_they_went_in(records):
    found = records("where", "city~K", "size>3")
    assert found == '{"city":"Köln","size":1080,"land":"NW"}\n'
    assert records.errors == ""


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["land!=NW"], ["Kiel", "Koog"]),
        (["size<=330.5", "city~OO"], ["Koog"]),
        (["--any", "old=true", "land=null", "size=247", "size<3"], ["Bonn", "Kiel"]),
    ],
    ids=["different", "both", "any"],
)
def test_conditions(records, conditions, expected):
    assert names(records("where", *conditions)) == expected


def test_a_condition_holds_all_that_follows_its_operator(records):
    odd = '{"city": "a", "x": "=1"}\n{"city": "b", "x": ">=1"}\n{"city": "c", "x": ""}\n'
    odd += '{"city": "d", "x": true}\n{"city": "e", "x": 1}\n'
    assert names(records("where", "--any", "x==1", "x=", "x>=1", stdin=odd)) == ["a", "c", "e"]


def test_fields_are_cut_and_renamed(records):
    found = records("cut", "old", "city", "size", "--rename", "city=name", "--rename", "size=of")
    assert found == (
        '{"name":"Köln","of":1080}\n{"old":true,"name":"Bonn","of":330.5}\n'
        '{"name":"Kiel","of":"247"}\n{"name":"Koog","of":3}\n'
    )


def test_values_are_counted(records):
    values = ['"b"', "1", "[1]", "true", "1", "null", "[1]", '"1"']
    text = "".join(f'{{"x": {value}}}\n' for value in values) + '{"y": 1}\n'
    assert records("tally", "x", stdin=text) == (
        '{"value":1,"count":2}\n{"value":[1],"count":2}\n{"value":"b","count":1}\n'
        '{"value":true,"count":1}\n{"value":null,"count":1}\n{"value":"1","count":1}\n'
    )


def test_damaged_lines_are_skipped_and_told(records):
    text = b'{"x": 1}\n\n{"x": 2\n[3]\n{"x": NaN}\n{"x": "\xff"}\n{"x": 4}'
    assert records("cut", "x", stdin=text, code=1) == '{"x":1}\n{"x":4}\n'
    assert records.errors.splitlines() == [
        "-:3: not JSON", "-:4: not an object", "-:5: not JSON", "-:6: not JSON",
    ]


def test_a_strict_program_ends_at_the_first_one(records):
    text = '{"x": 1}\nnull\n{"x": 2}\n{\n'
    assert records("--strict", "cut", "x", stdin=text, code=3) == '{"x":1}\n'
    assert records.errors == "-:2: not an object\n"


def test_what_is_not_needed_is_not_read(records):
    text = '{"x": 1}\n{"x": 2}\n{"x": 3}\n{"x": 2}\nnull\n'
    assert records("--strict", "where", "x>1", "--limit", "2", stdin=text) == '{"x":2}\n{"x":3}\n'
    assert records.errors == ""


def test_files_are_read_one_after_the_other(records):
    (records.folder / "a").write_text('{"x": 1}\nno\n')
    (records.folder / "b").write_text('no\n{"x": 3}\n')
    words = ("--from", "b", "--from", "-", "--from", "a", "cut", "x")
    assert records(*words, stdin='\n{"x": 2}\n', code=1) == '{"x":3}\n{"x":2}\n{"x":1}\n'
    assert records.errors == "b:1: not JSON\na:2: not JSON\n"


def test_a_file_is_written(records):
    (records.folder / "out").write_text("before\n")
    assert records("--to", "out", "cut", "city") == ""
    assert (records.folder / "out").read_text(encoding="utf-8") == (
        '{"city":"Köln"}\n{"city":"Bonn"}\n{"city":"Kiel"}\n{"city":"Koog"}\n'
    )


def test_a_file_may_be_read_and_written_at_once(records):
    (records.folder / "data").write_text('{"x": 1, "y": 2}\nno\n{"x": 3}\n')
    records("--from", "data", "--to", "data", "cut", "x", code=1)
    assert (records.folder / "data").read_text() == '{"x":1}\n{"x":3}\n'
    assert [path.name for path in records.folder.iterdir()] == ["data"]


def test_a_strict_failure_leaves_the_file_as_it_was(records):
    (records.folder / "out").write_text("before\n")
    assert records("--strict", "--to", "out", "cut", "x", stdin='{"x": 1}\nno\n', code=3) == ""
    assert (records.folder / "out").read_text() == "before\n"
    assert [path.name for path in records.folder.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "words",
    [
        ["where", "size>=many"],
        ["where", "city=Bonn", "size"],
        ["where", "=Bonn"],
        ["where", "x<nan"],
        ["cut", "city", "--rename", "size=of"],
        ["cut", "city", "--rename", "city="],
        ["--from", "missing", "where", "x=1"],
        ["where", "x=1", "--limit", "0"],
    ],
    ids=["number", "operator", "field", "nan", "uncut", "nameless", "missing", "limit"],
)
def test_wrong_usage_writes_nothing(records, words):
    assert records("--to", "out", *words, code=2) == ""
    assert records.errors.strip() != ""
    assert list(records.folder.iterdir()) == []
