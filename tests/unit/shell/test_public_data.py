"""The script that tries the rules on other people's data, with data of our own."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.places import ROOT


def _loaded() -> ModuleType:
    path = ROOT / "scripts" / "shell_public_data.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _loaded()


@pytest.fixture
def data(tmp_path: Path) -> Any:
    (tmp_path / "all.cm").write_text("ls -l\nls -la\nsort f | uniq\nsort -u f\n\n")
    (tmp_path / "all.nl").write_text("List.\nshow all\nUnique lines!\nunique lines\n\n")
    objects = [{"query": "count", "gold": "cat f | wc -l", "gold2": "wc -l < f", "difficulty": 0}]
    (tmp_path / "pairs.json").write_text(json.dumps(objects))
    (tmp_path / "lines.jsonl").write_text('{"nl": "here", "bash": "pwd"}\n')
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "tar.md").write_text("# tar\n\n- pack:\n\n`tar {{[-c|--create]}} {{path/to/a}}`\n")
    (tmp_path / "known.toml").write_text("equal = [['ls', 'ls .']]\ndifferent = [['ls', 'pwd']]\n")
    names = ("all.cm", "pairs.json", "lines.jsonl", "pages", "known.toml")
    return script.read([tmp_path / name for name in names])


def test_every_format_is_read(data: Any) -> None:
    assert set(data.commands) == {
        *("ls -l", "ls -la", "sort f | uniq", "sort -u f", "cat f | wc -l", "wc -l < f", "pwd"),
        "tar -c path/to/a",
    }
    assert [label.value for label, _ in data.labelled] == ["equal", "different"]


def test_alternatives_are_those_of_one_prompt(data: Any) -> None:
    assert {frozenset(pair) for pair in script.alternatives(data)} == {
        frozenset({"sort f | uniq", "sort -u f"}),
        frozenset({"cat f | wc -l", "wc -l < f"}),
    }


def test_only_what_bash_accepts_must_be_equal_to_itself() -> None:
    assert script.not_themselves(["ls", "ls 'x", "# a comment", "[[ a|b ]]", "echo ${{x}}"]) == {}
    assert script.bash_accepts("cat <<E\nx")  # a warning only
    assert not script.bash_accepts("[[ a|b ]]")


def test_a_change_that_counts_is_never_equal() -> None:
    changed = script.changed(["head -n 5 f", "find . -type f -name '*.c' -delete", "a && b > c"])
    assert len(changed) == 6
    assert all(not script.commands_match(*pair) for pair in changed)


def test_the_report_tells_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.cm").write_text("ls\n")
    monkeypatch.setattr("sys.argv", ["script", str(tmp_path / "good.cm")])
    assert script.main() == 0
    assert "1 commands; 0 that bash accepts are not equal" in capsys.readouterr().out
