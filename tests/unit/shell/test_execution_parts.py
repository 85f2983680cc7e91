"""What execution leaves alone, and what makes its trees different from each other."""

import os
from pathlib import Path

import pytest

from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import choose
from sdkbench.shell.execution import prepared
from sdkbench.shell.execution.fixtures import Tree, load_trees, occupied, output_paths
from sdkbench.shell.execution.judge import why_undecidable
from sdkbench.shell.execution.variants import variants

TREE = '[[trees]]\nname = "tree"\n[trees.files]\n"a" = "1\\n"\n'


@pytest.mark.parametrize(
    "command",
    [
        "curl https://example.com",
        "find . -print0 | xargs -0 wget",
        "bash -c 'ping -c 1 x'",
        "ps aux | grep x",
        "git push origin main",
        "shuf names.txt",
        "sort -R names.txt",
        "echo $RANDOM",
        "echo $$",
        "sleep 1 & echo done",
        "cat f > >(tee g)",
        "$cmd f",
        "time ls",
        "./run.sh",
        "systemctl restart nginx",
        "echo 'unfinished",
    ],
)
def test_what_a_sandbox_can_not_show_is_not_run(command: str) -> None:
    assert why_undecidable(command)


@pytest.mark.parametrize(
    "command",
    [
        "ls -la | wc -l",
        "find . -name '*.py' -exec wc -l {} +",
        'for f in *.txt; do mv -- "$f" x; done',
        "/usr/bin/sort names.txt",
        "[ -f a ] && cat a",
        "awk '{print $1}' f > g",
        "x=1",
        "sed '1!G;h;$!d' names.txt",
        "git log --oneline",
        "git stash push -u",
        "wc -w notes.txt",
    ],
)
def test_work_on_files_is_run(command: str) -> None:
    assert why_undecidable(command) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "fewer than 3"),
        (TREE * 2, "fewer than 3"),
        (TREE.replace('"a"', '"../a"') * 3, "relative path"),
        (TREE.replace('"a"', '"/etc/a"') * 3, "relative path"),
        ("trees = 3", "trees"),
        ('[[trees]]\nname = "s"\nscript = "nowhere.sh"\n', "script of fixture 's' can't be read"),
        ('[[trees]]\nname = "s"\nscript = "../up.sh"\n', "relative path"),
        ('[[trees]]\nname = "s"\nscript = "s.sh"\nsetup = "ls"\n', "not by both"),
        (TREE * 3 + '[[trees]]\nname = "tree"\nscript = "fixtures.toml"\n', "some not"),
        ("[", "cannot be read"),
    ],
)
def test_fixtures_that_are_wrong(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "fixtures.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        load_trees(path)


def test_one_script_is_enough_for_a_fixture(tmp_path: Path) -> None:
    (tmp_path / "make.sh").write_text("mkdir /data\n")
    path = tmp_path / "fixtures.toml"
    path.write_text('[[trees]]\nname = "s"\nscript = "make.sh"\nvariables = { A = "1" }\n')
    (tree,) = load_trees(path)["s"]
    assert (tree.setup, tree.variables) == ("mkdir /data\n", {"A": "1"})


def test_variants_of_a_tree_keep_ages_and_differ(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "data").mkdir(parents=True)
    for name in "abcd":
        (tree / "data" / name).write_text(f"{name}\n")
        os.utime(tree / "data" / name, (1_000_000, 1_000_000))
    (tree / "data" / "a").chmod(0o444)
    grown, crowded, shortened = variants(tree)
    assert (grown / "data/a").read_text().count("\n") == 60
    assert (grown / "data/a").stat().st_mtime == 1_000_000
    assert (grown / "data/a").stat().st_mode & 0o777 == 0o444
    assert (crowded / "data/another a").read_text() == "a\n"
    assert (crowded / "data/folder-a/inner").is_file()
    texts = [(shortened / "data" / name).read_text() for name in "abcd"]
    assert texts == ["a\n", "b\n", "c", ""]
    assert sorted(p.name for p in (tree / "data").iterdir()) == ["a", "b", "c", "d"]


def test_a_missing_fixture_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_trees(tmp_path / "nowhere.toml")


def test_a_tree_is_grown(tmp_path: Path) -> None:
    path = tmp_path / "fixtures.toml"
    path.write_text(TREE * 3)
    trees = load_trees(path)["tree"]
    assert [len(tree.files) for tree in trees] == [1, 1, 1, 1]
    assert trees[3].files["a"].count("\n") == 60
    assert trees[3].files["a"].startswith("1\n")
    named = Tree(name="t", files={"src/a.py": "1\n"}).grown()
    assert "odd/folder.py/inner" in named.files
    unended = Tree(name="t", files={"a": "no line end"})
    assert unended.grown().files == unended.files


def test_files_about_to_be_written_are_there_before(tmp_path: Path) -> None:
    names = output_paths("sort a > out.txt", "sort a | tee x >> deep/log 2> /dev/null; cat < in")
    assert names == ("out.txt", "deep/log")
    assert output_paths("sort a > /data/out") == ()
    assert output_paths("sort a > /data/out", rooted=True) == ("data/out",)
    tree = tmp_path / "tree"
    tree.mkdir()
    with occupied(tree, names) as (copy,):
        assert (copy / "out.txt").read_text() == (copy / "deep" / "log").read_text() != ""
    assert not copy.exists()
    assert list(tree.iterdir()) == []
    with occupied(tree, ()) as none:
        assert none == ()


def test_nothing_is_executed_without_isolation() -> None:
    with pytest.raises(SandboxFault, match="bubblewrap sandbox or not at all"):
        prepared(choose("plain")).__enter__()
