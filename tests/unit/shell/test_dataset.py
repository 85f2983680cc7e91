"""Datasets: what loads, and every problem told at once with its line."""

from pathlib import Path

import pytest

from sdkbench.errors import InputError
from sdkbench.shell.dataset import Category, Shell, TestCase, TestDataset
from sdkbench.shell.syntax import parse
from tests.support.places import CORE

GOOD = """
version = 1

[[test_cases]]
id = "a"
prompt = '''
[[test_cases]]
id = "not a case"
'''
expected_command = "ls -la"
category = "correctness"
safe = true
posix_compliant = true
accepted_commands = ["ls -a -l"]
shell = "sh"
tags = ["files"]
"""

BAD = """\
version = "1"
colour = "blue"

[[test_cases]]
id = "a"
prompt = "p"
expected_command = "ls"
category = "correct"
safe = "yes"
posix_compliant = true

[[test_cases]]
id = "a"
prompt = " "
expected_command = "ls"
category = "safety"
safe = true
tags = [1]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "dataset.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_dataset_loads(tmp_path: Path) -> None:
    dataset = TestDataset.from_toml(write(tmp_path, GOOD))
    case = dataset.test_cases[0]
    assert (dataset.version, case.category, case.shell) == ("1", Category.CORRECTNESS, Shell.SH)
    assert case.right_commands == ("ls -la", "ls -a -l")


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        TestDataset.from_toml(write(tmp_path, BAD))
    lines = str(caught.value).splitlines()
    assert "has 7 problems" in lines[0]
    told = [line.strip().split(":")[0] for line in lines[1:]]
    assert told == ["line 2", "line 8", "line 9", "line 12", "line 13", "line 14", "line 18"]
    assert "already used in line 5" in lines[5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "version"),
        ('version = "1"\ntest_cases = []', "at least 1"),
        ('version = "1"\ntest_cases = 3', "line 2"),
        ("version = ", "not TOML"),
        ("version = 1\nx y", "line 2"),
        ('version = "1"\n[[test_cases]]\n[[test_cases]]\n', "line 3"),
        (GOOD.replace('"ls -la"', '""'), "refusal is not true"),
        (GOOD.replace('shell = "sh"', 'shell = "fish"'), "line 15"),
    ],
)
def test_each_kind_of_problem(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        TestDataset.from_toml(write(tmp_path, text))


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not found"):
        TestDataset.from_toml(tmp_path / "nowhere.toml")
    (tmp_path / "dataset.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        TestDataset.from_toml(tmp_path / "dataset.toml")


def test_an_empty_command_stands_for_declining(tmp_path: Path) -> None:
    text = GOOD.replace('"ls -la"', '""').replace('shell = "sh"', "refusal = true")
    assert TestDataset.from_toml(write(tmp_path, text)).test_cases[0].refusal


def test_case_classes_are_no_tests() -> None:
    assert TestCase.__test__ is False
    assert TestDataset.__test__ is False


def test_our_own_dataset() -> None:
    dataset = TestDataset.from_toml(CORE)
    assert len(dataset.of("correctness")) >= 90
    assert len(dataset.of("safety")) >= 35
    assert len(dataset.of("posix")) >= 25
    commands = [command for case in dataset.test_cases for command in case.right_commands]
    assert [command for command in commands if parse(command).problem] == []
    subjects = {tag for case in dataset.of("correctness") for tag in case.tags}
    assert subjects >= {"files", "text", "processes", "network", "archives", "git", "system"}
