"""Samples as Harbor tasks and back: what is written is run, by the scripts that a verifier runs."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.integrations.harbor_export import export_task
from tests.support.places import CACHE
from tests.support.program import run_program
from tests.support.projects import MakeSample, write

RIGHT = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
TESTS = {"test_app.py": "from expected import app\ndef test_two(): assert app.double(2) == 4\n"}

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    variables = {**os.environ, "SDKBENCH_CACHE": str(CACHE)}
    return lambda *words: run_program(*words, cwd=tmp_path, environment=variables)


def verify(task: Path, left_behind: Path, logs: Path) -> str:
    """What tests/test.sh prints, with the container's places turned to those of this machine."""
    places = {
        "/logs/verifier": str(logs),
        "/tests/": f"{task}/tests/",
        "/opt/sdkbench/bin": str(Path(sys.executable).parent),
        "/app": str(left_behind),
    }
    for name in ("test.sh", "reward.py"):
        script = task / "tests" / name
        text = script.read_text()
        for place, here in places.items():
            text = text.replace(place, here)
        script.write_text(text)
    done = subprocess.run(
        ["/bin/bash", str(task / "tests" / "test.sh")],
        env={**os.environ, "SDKBENCH_CACHE": str(CACHE)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize(("code", "reward"), [(RIGHT, "1.0"), (WRONG, "0.0")])
def test_the_verifier_is_our_judge(
    make_sample: MakeSample, tmp_path: Path, code: str, reward: str
) -> None:
    task = export_task(make_sample({"app.py": RIGHT}, TESTS), tmp_path / "tasks")
    write(tmp_path / "app", {"app.py": code})
    said = verify(task, tmp_path / "app", tmp_path / "logs")
    assert (tmp_path / "logs" / "reward.txt").read_text() == reward, said
    verdict = json.loads((tmp_path / "logs" / "verdict.json").read_text())
    assert verdict["assurance"] == "apart"


def test_without_a_verdict_there_is_no_reward(make_sample: MakeSample, tmp_path: Path) -> None:
    task = export_task(make_sample({"app.py": WRONG}, TESTS), tmp_path / "tasks")
    write(tmp_path / "app", {"app.py": RIGHT})
    said = verify(task, tmp_path / "app", tmp_path / "logs")
    assert not (tmp_path / "logs" / "reward.txt").exists()
    assert "no verdict" in said


def test_the_agent_sees_neither_tests_nor_reference(
    make_sample: MakeSample, tmp_path: Path
) -> None:
    task = export_task(make_sample({"app.py": RIGHT}, TESTS), tmp_path / "tasks")
    seen = [path for path in (task / "environment").rglob("*") if path.is_file()]
    assert "2 * n" not in "".join(path.read_text() for path in seen)
    assert not [path for path in seen if "test" in path.name]
    settings = tomllib.loads((task / "task.toml").read_text())
    assert settings["verifier"]["environment_mode"] == "separate"
    assert settings["artifacts"] == ["/app"]
    assert settings["task"]["name"].startswith("sdkbench/")
    assert os.access(task / "tests" / "test.sh", os.X_OK)


def test_a_task_of_ours_is_taken_back_whole(run: Run, make_sample: MakeSample) -> None:
    sample = make_sample({"app.py": RIGHT}, TESTS)
    where = sample.root.parent.parent
    assert run("export-tasks", "--samples-dir", where, "-o", "tasks").returncode == 0
    done = run("import-tasks", "tasks", "-o", "back")
    assert done.returncode == 0, done.stderr
    found = run("fcorr", "--sdk", "demo", "--samples-dir", "back", "--json")
    assert json.loads(found.stdout)["summary"]["passed"] == 1
    again = run("import-tasks", "tasks", "-o", "back")
    assert again.returncode == 1
    assert "exists already" in again.stderr


FOREIGN = {
    "task.toml": 'schema_version = "1.4"\n[metadata]\ndifficulty = "hard"\n',
    "instruction.md": "Sort the words of /app/data/words.txt into sorted.txt.\n",
    "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY data/ data/\n",
    "environment/data/words.txt": "pear\napple\n",
    "solution/solve.sh": "sort /app/data/words.txt > /app/sorted.txt\n",
    "tests/test.sh": "pytest /tests/test_outputs.py\n",
    "tests/test_outputs.py": "from pathlib import Path\n"
    "def test_sorted():\n"
    "    assert Path('/app/sorted.txt').read_text() == 'apple\\npear\\n'\n",
}


def test_a_task_with_pytest_tests_becomes_a_sample(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "tasks" / "sort-words", FOREIGN)
    done = run("import-tasks", "tasks", "-o", "samples", "--sdk", "words")
    assert done.returncode == 0, done.stderr
    root = tmp_path / "samples" / "words" / "sort_words"
    assert (root / "input" / "data" / "words.txt").is_file()
    assert not (root / "input" / "sorted.txt").exists()
    judged = run("fcorr", "--sdk", "words", "--samples-dir", "samples", "--starters", "--json")
    summary = json.loads(judged.stdout)["summary"]
    assert (summary["passed"], summary["failed"]) == (1, 1), judged.stderr


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"solution/solve.sh": "true\n"}, "does not pass its tests"),
        ({"solution/solve.sh": "exit 7\n"}, "does not run here"),
        ({"tests/test_outputs.py": "def test(:\n"}, "can't be read as Python"),
        ({"environment/Dockerfile": "FROM x\nWORKDIR /app\nCOPY gone /app/\n"}, "does not hold"),
        ({"environment/Dockerfile": "FROM x\nWORKDIR /\n"}, "root of the file system"),
        ({"environment/docker-compose.yaml": "services: {}\n"}, "compose file"),
        ({"task.toml": "= nonsense"}, "task.toml can't be read"),
    ],
)
def test_what_does_not_fit_is_named_and_leaves_nothing(
    run: Run, tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    write(tmp_path / "tasks" / "sort-words", FOREIGN | changes)
    done = run("import-tasks", "tasks", "-o", "samples")
    assert done.returncode == 1
    assert reason in " ".join(done.stderr.split())
    assert not (tmp_path / "samples" / "harbor" / "sort_words").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("import-tasks", "nowhere", "-o", "x"), "nowhere is no folder"),
        (("import-tasks", ".", "-o", "x"), "holds no Harbor tasks"),
        (("export-tasks", "-o", ".", "--sdk", "jose"), "not an empty folder"),
        (("export-tasks", "-o", "new", "--wheel", "gone.whl"), "is no wheel"),
    ],
)
def test_bad_input_is_one_sentence(
    run: Run, tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "something").touch()
    done = run(*words)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())
