"""The reports say on DuckDB 2 what they said before."""

import json

import pytest
from expected import app

PEOPLE = [
    {"name": "Zoe", "tags": ["green", "grey", "red", "gr"], "scores": [1, 2.5]},
    {"name": "ann", "tags": None, "scores": [7]},
    {"name": "Ida", "tags": [], "scores": None},
    {"name": "Ben", "tags": ["red"], "scores": [0.5, 9]},
]


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.json"
    path.write_text(json.dumps(PEOPLE))
    return path


@pytest.fixture
def bare(tmp_path):
    path = tmp_path / "bare.json"
    rows = ({"name": name, "tags": None, "scores": None} for name in ("b", "a"))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_names_by_score(people):
    assert app.names(people, 2.5) == ["Ben", "Zoe", "ann"]
    assert app.names(people, 2.6) == ["Ben", "ann"]
    assert app.names(people, 10) == []


def test_tags_are_shortened(people):
    found = app.shorten(people, 2)
    assert list(found.items()) == [("Zoe", ["gr", "re"]), ("ann", []), ("Ida", []), ("Ben", ["re"])]
    assert app.shorten(people, 9)["Zoe"] == ["green", "grey", "red", "gr"]


def test_totals_and_shares(people):
    assert app.totals(people) == [
        ("Ben", 9.5, 47), ("Ida", None, None), ("Zoe", 3.5, 17), ("ann", 7.0, 35),
    ]


def test_a_report_is_written(people, tmp_path):
    target = tmp_path / "report.csv"
    assert app.report(people, target) == 4
    assert target.read_text().splitlines() == [
        "name,tags,best", "Ben,1,9.0", "Ida,0,", "Zoe,4,2.5", "ann,0,7.0",
    ]


def test_a_file_of_lines_without_tags_and_scores(bare, tmp_path):
    assert app.names(bare, 0) == []
    assert app.shorten(bare, 3) == {"b": [], "a": []}
    assert app.totals(bare) == [("a", None, None), ("b", None, None)]
    assert app.report(bare, tmp_path / "out.csv") == 2
    assert (tmp_path / "out.csv").read_text().splitlines() == ["name,tags,best", "a,0,", "b,0,"]


def test_paths_hold_any_characters(people, bare, tmp_path):
    odd = tmp_path / "it's [1] * file.json"
    people.rename(odd)
    (tmp_path / "it's 1 and a file.json").write_text("no JSON at all")
    assert app.names(odd, 7) == ["Ben", "ann"]
    assert app.report(odd, tmp_path / "it's out.csv") == 4
    assert app.totals(odd)[0] == ("Ben", 9.5, 47)
    assert len(app.shorten(odd, 1)) == 4


def test_a_report_overwrites_an_older_one(people, tmp_path):
    target = tmp_path / "report.csv"
    target.write_text("old\n" * 100)
    app.report(people, target)
    assert target.read_text().splitlines()[-1] == "ann,0,7.0"
    assert len(target.read_text().splitlines()) == 5
