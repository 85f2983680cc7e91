"""The command line is the one of the old program: options, what is printed, codes and the file."""

import json

import pytest
from expected import app


@pytest.fixture
def path(tmp_path):
    return tmp_path / "parcels.json"


@pytest.fixture
def run(path):
    """Runs the program with this file: (exit code, standard output)."""

    def call(*arguments, typed=""):
        code, told, call.errors = app.run(["--file", str(path), *arguments], typed)
        return code, told

    return call


@pytest.fixture
def parcels(path):
    return lambda: json.loads(path.read_text())


def test_a_parcel_with_everything(run, parcels):
    words = "add nut --weight 250g --size 1 200 --kind box -t a -t b --tag c --fragile".split()
    assert run(*words) == (0, "")
    assert parcels() == {
        "nut": {"weight": 250, "size": [1, 200], "kind": "Box", "tags": ["a", "b", "c"],
                "fragile": True}
    }


def test_a_parcel_with_nothing(run, parcels):
    assert run("add", "nut") == (0, "")
    assert parcels() == {
        "nut": {"weight": 1000, "size": [10, 20], "kind": "Letter", "tags": [], "fragile": None}
    }


def test_many_parcels_at_once(run, parcels):
    assert run("add", "-w", "1.5kg", "nut", "fig", "--sturdy") == (0, "")
    found = [(name, each["weight"], each["fragile"]) for name, each in parcels().items()]
    assert found == [("nut", 1500, False), ("fig", 1500, False)]


@pytest.mark.parametrize(
    "words",
    ["nut --size 5", "nut --size 0 9", "nut --size 9 201", "nut -w 5", "nut -w 1.2.3kg",
     "nut -w kg", "nut --kind crate", "-w 1kg", "nut --heavy"],
    ids=["one", "small", "large", "unit", "points", "digits", "kind", "names", "option"],
)
def test_wrong_usage(run, path, words):
    assert run("add", *words.split()) == (2, "")
    assert run.errors != ""
    assert path.exists() is False


def test_a_name_is_given_once(run, parcels):
    run("add", "fig")
    assert run("add", "nut", "fig") == (1, "")
    assert run.errors == "Error: there is a parcel fig\n"
    assert list(parcels()) == ["fig"]


def test_parcels_are_listed_by_name(run):
    run("add", "nut", "fig", "ash", "-t", "x")
    assert run("list") == (0, "ash\nfig\nnut\n")
    assert run("ls") == (0, "ash\nfig\nnut\n")


def test_the_long_list(run):
    run("add", "nut", "-w", "2kg", "--fragile", "--kind", "BOX")
    run("add", "fig", "-w", "3g", "--sturdy", "--size", "7", "8")
    run("add", "ash")
    told = "ash Letter 10x20 1000g\nfig Letter 7x8 3g sturdy\nnut Box 10x20 2000g fragile\n"
    assert run("list", "--long") == (0, told)
    assert run("ls", "-l") == (0, told)


def test_parcels_are_chosen(run):
    run("add", "nut", "-w", "2kg", "-t", "x")
    run("add", "fig", "-w", "3kg", "-t", "y", "-t", "x")
    run("add", "ash", "-w", "4kg")
    assert run("list", "--heavier", "2000g") == (0, "ash\nfig\n")
    assert run("list", "--heavier", "0g", "--tag", "x") == (0, "fig\nnut\n")
    assert run("list", "--heavier", "2") == (2, "")


def test_without_a_command_they_are_counted(run):
    assert run() == (0, "0 parcels\n")
    run("add", "nut", "fig")
    assert run("-v") == (0, "2 parcels\n")
    assert run.errors == ""


def test_twice_verbose_tells_the_file(run, path):
    assert run("-v", "--verbose", "list") == (0, "")
    assert run.errors == f"file: {path}\n"


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(option):
    assert app.run([option]) == (0, "parcels 1.4\n", "")


def test_a_folder_is_no_file(tmp_path):
    assert app.run(["--file", str(tmp_path)])[:2] == (2, "")


def test_a_parcel_is_removed(run, parcels):
    run("add", "nut", "fig", "ash")
    assert run("remove", "nut", "--yes") == (0, "")
    code, told = run("remove", "fig", typed="y\n")
    assert code == 0
    assert told.startswith("Remove fig? [y/N]: ")
    assert list(parcels()) == ["ash"]


@pytest.mark.parametrize("typed", ["n\n", "\n", ""], ids=["no", "empty", "nothing"])
def test_an_answer_of_no_keeps_it(run, parcels, typed):
    run("add", "nut")
    assert run("remove", "nut", typed=typed)[0] == 1
    assert list(parcels()) == ["nut"]


def test_what_is_not_there_cannot_be_removed(run):
    assert run("remove", "nut") == (1, "")
    assert run.errors == "Error: there is no parcel nut\n"


def test_a_parcel_is_renamed(run, parcels):
    run("add", "nut")
    assert run("rename", "nut", "--to", "fig") == (0, "")
    code, told = run("rename", "fig", typed="ash\n")
    assert code == 0
    assert told.startswith("New name: ")
    assert list(parcels()) == ["ash"]


def test_a_name_that_is_taken(run, parcels):
    run("add", "nut", "fig")
    assert run("rename", "nut", "--to", "fig") == (1, "")
    assert run.errors == "Error: nut cannot become fig\n"
    assert run("rename", "ash", "--to", "oak") == (1, "")
    assert list(parcels()) == ["nut", "fig"]


def test_options_come_from_the_environment(tmp_path, monkeypatch):
    path = tmp_path / "other.json"
    monkeypatch.setenv("PARCELS_PATH", str(path))
    monkeypatch.setenv("PARCELS_ADD_WEIGHT", "7g")
    monkeypatch.setenv("PARCELS_ADD_TAGS", "a b")
    assert app.run(["add", "nut"]) == (0, "", "")
    found = json.loads(path.read_text())["nut"]
    assert (found["weight"], found["tags"]) == (7, ["a", "b"])


def test_the_usual_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert app.run(["add", "nut"]) == (0, "", "")
    assert (tmp_path / "parcels.json").exists()
