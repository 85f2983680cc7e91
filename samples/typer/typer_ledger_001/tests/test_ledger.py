"""The ledger as its users see it: words on the command line, text, exit codes and a file."""

import shutil
import subprocess

import pytest


@pytest.fixture
def ledger(tmp_path):
    """Runs the program in a folder of its own."""
    folder = tmp_path / "home"
    folder.mkdir()

    def run(*words, stdin="", code=0, cwd=folder):
        done = subprocess.run(
            ["solution", *words], input=stdin, capture_output=True, text=True, cwd=cwd, timeout=60
        )
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        if code == 1:
            assert done.stdout == "" and done.stderr.strip(), "a reason on stderr, nothing on stdout"
        return done.stdout

    run.folder = folder
    return run


def test_expenses_are_listed_by_date_then_id(ledger):
    assert ledger("add", "12.5", "food", "--date", "2024-03-02", "--note", "two pizzas") == "1\n"
    assert ledger("add", "3", "bus", "--date", "2024-03-01") == "2\n"
    assert ledger("add", "0.99", "food", "--date", "2024-03-02") == "3\n"
    assert ledger("list") == (
        "2\t2024-03-01\t3.00\tbus\t\n"
        "1\t2024-03-02\t12.50\tfood\ttwo pizzas\n"
        "3\t2024-03-02\t0.99\tfood\t\n"
    )
    assert ledger("list", "--category", "bus") == "2\t2024-03-01\t3.00\tbus\t\n"
    assert ledger("list", "--category", "nothing") == ""


def test_sums_are_exact_to_the_cent(ledger):
    rows = ["date,amount,category,note"]
    rows += ["2024-01-05,0.10,tiny,"] * 30
    rows += ["2024-01-06,900719925474099.93,huge,", "2024-01-06,0.02,huge,"]
    assert ledger("import", stdin="\n".join(rows) + "\n") == "32\n"
    assert ledger("total") == (
        "huge\t900719925474099.95\ntiny\t3.00\ntotal\t900719925474102.95\n"
    )


def test_totals_of_one_month(ledger):
    rows = ("2023-12-31,1,a,", "2024-01-01,2,b,", "2024-01-31,4,a,", "2024-10-01,8,a,")
    ledger("import", stdin="\n".join(["date,amount,category,note", *rows]))
    assert ledger("total", "--month", "2024-01") == "a\t4.00\nb\t2.00\ntotal\t6.00\n"
    assert ledger("total", "--month", "2022-01") == "total\t0.00\n"
    ledger("total", "--month", "2024-1", code=1)


def test_import_reads_quoted_fields(ledger):
    text = 'date,amount,category,note\n2024-05-01,7,"books, used","the ""best"" one"\n'
    assert ledger("import", stdin=text) == "1\n"
    assert ledger("list") == '1\t2024-05-01\t7.00\tbooks, used\tthe "best" one\n'


def test_an_import_is_stored_whole_or_not_at_all(ledger):
    ledger("add", "5", "food", "--date", "2024-01-01")
    before = ledger("list")
    good = "2024-01-02,1,food,\n"
    for bad in ("2024-02-30,1,food,\n", "2024-01-03,1\n"):
        done = subprocess.run(
            ["solution", "import"],
            input=f"date,amount,category,note\n{good}{bad}{good}",
            capture_output=True, text=True, cwd=ledger.folder, timeout=60,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert "line 3" in done.stderr
    ledger("import", stdin="day,amount\n", code=1)
    assert ledger("list") == before
    assert ledger("add", "6", "food", "--date", "2024-01-01") == "2\n"


def test_a_removed_id_never_comes_back(ledger):
    rows = (f"2024-01-{day},1,food," for day in ("01", "02", "03"))
    ledger("import", stdin="\n".join(["date,amount,category,note", *rows]))
    assert ledger("remove", "3") == ""
    ledger("remove", "3", code=1)
    assert ledger("add", "1", "food", "--date", "2024-01-04") == "4\n"
    assert [line.split("\t")[0] for line in ledger("list").splitlines()] == ["1", "2", "4"]


def test_what_is_no_amount_is_refused(ledger):
    for amount in ("0", "1.234", "1e3"):
        ledger("add", amount, "food", "--date", "2024-01-01", code=1)
    assert ledger("list") == ""


def test_wrong_dates_and_wrong_words(ledger):
    for date in ("2024-02-30", "20240203"):
        ledger("add", "1", "food", "--date", date, code=1)
    ledger("add", "1", "food", code=2)
    ledger("spend", code=2)
    shown = ledger("--help")
    assert all(name in shown for name in ("add", "list", "total", "import", "remove"))


def test_the_ledger_is_the_file_ledger_json_of_the_working_folder(ledger, tmp_path):
    ledger("add", "1.10", "käse", "--date", "2024-01-01", "--note", "günstig")
    other = tmp_path / "other"
    other.mkdir()
    assert ledger("list", cwd=other) == ""
    shutil.copy(ledger.folder / "ledger.json", other / "ledger.json")
    assert ledger("list", cwd=other) == "1\t2024-01-01\t1.10\tkäse\tgünstig\n"
    (other / "ledger.json").write_text("{ not json")
    ledger("list", cwd=other, code=1)
    ledger("add", "1", "food", "--date", "2024-01-01", cwd=other, code=1)
    assert (other / "ledger.json").read_text() == "{ not json"
