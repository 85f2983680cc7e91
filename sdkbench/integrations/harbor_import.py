"""Harbor tasks as samples, where they fit: pytest over what stands in the working folder.

The starter is what the Dockerfile copies there, the reference what solution/solve.sh makes of it
in our sandbox. Absolute paths into the working folder are turned to the solution's. Whether a task
fits is shown by running it: its reference must pass. A task of our own making is taken back whole.
"""

import ast
import json
import re
import shutil
import tempfile
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from sdkbench.core import Integrity, Outcome
from sdkbench.core.tree import files
from sdkbench.datasets import load_sample
from sdkbench.errors import SampleError
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox.command import SHARED, Command, Limits
from sdkbench.test_harness import Harness

USUAL_WORKDIR = "/app"
SOLVE_SECONDS = 300.0
# A helper that altered tests begin with: where the solution stands beside them.
PLACE = """import pathlib as _pathlib
_SOLUTION = _pathlib.Path(__file__).resolve().parents[{up}] / 'expected'
"""
# Paths are rewritten, for the working folder is another one here.
SOLVE = (
    'sed -i "s#$2\\b#$1/work#g; s#/solution\\b#$1/solution#g" "$1/solution/solve.sh" && '
    'cd "$1/work" && exec bash "$1/solution/solve.sh"'
)
UNFIT_FILES = ("docker-compose.yaml", "docker-compose.yml")


class Imported(NamedTuple):
    """`sample` is None where the task doesn't fit, for `reason`."""

    task: str
    sample: Path | None
    reason: str = ""


def tasks_below(folder: Path) -> list[Path]:
    """The task at `folder`, or those in it. Raises SampleError where there is none."""
    if (folder / "task.toml").is_file():
        return [folder]
    tasks = sorted(path.parent for path in folder.glob("*/task.toml"))
    if not tasks:
        raise SampleError(
            f"{folder} holds no Harbor tasks. Name a folder with a task.toml, or a folder of such."
        )
    return tasks


def import_task(task: Path, samples_dir: Path, sdk: str, harness: Harness) -> Imported:
    """One task as a new sample below `samples_dir`; nothing is left there if it doesn't fit."""
    ours = _of_our_making(task)
    place = samples_dir / ours.parent.name / ours.name if ours else samples_dir / sdk / _slug(task)
    if place.exists():
        return Imported(task.name, None, f"{place} exists already: import into another folder.")
    try:
        if ours:
            _take_back(ours, place)
        else:
            _lay_out(task, place, sdk, harness)
            _require_pass(place, harness)
    except SampleError as error:
        shutil.rmtree(place, ignore_errors=True)
        return Imported(task.name, None, str(error))
    return Imported(task.name, place)


def _of_our_making(task: Path) -> Path | None:
    inside = sorted((task / "tests" / "sample").glob("*/*/expected/metadata.json"))
    return inside[0].parent.parent if inside else None


def _take_back(root: Path, target: Path) -> None:
    shutil.copytree(root, target)
    for shared in root.parent.iterdir():
        beside = target.parent / shared.name
        if beside.exists() or (shared / "expected").is_dir():
            continue
        if shared.is_dir():
            shutil.copytree(shared, beside)
        else:
            shutil.copy2(shared, beside)
    load_sample(target)


def _lay_out(task: Path, root: Path, sdk: str, harness: Harness) -> None:
    environment = task / "environment"
    for name in UNFIT_FILES:
        if (environment / name).exists():
            raise SampleError("It needs several containers: environment/ has a compose file.")
    tests = [path for path in files(task / "tests") if re.match(r"test_.*\.py$", path.name)]
    if not tests:
        raise SampleError("It has no pytest tests: there is no tests/test_*.py.")
    if not (task / "solution" / "solve.sh").is_file():
        raise SampleError("It has no solution/solve.sh, and so no reference.")
    workdir, copies = _dockerfile(environment / "Dockerfile")
    for folder in ("input", "expected", "tests"):
        (root / folder).mkdir(parents=True)
    for source, place in copies:
        _lay_in(environment, source, root / "input" / place)
    _solve(task, root, workdir, harness)
    for path in tests:
        target = root / "tests" / path.relative_to(task / "tests")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_with_places(path, target, root, workdir), encoding="utf-8")
    metadata = _metadata(task, root.name, sdk)
    (root / "expected" / "metadata.json").write_text(json.dumps(metadata, indent=2) + "\n", "utf-8")


def _dockerfile(path: Path) -> tuple[str, list[tuple[str, PurePosixPath]]]:
    """The working folder, and what is copied below it. Raises SampleError if it can't be told."""
    workdir, copies = USUAL_WORKDIR, []
    if not path.is_file():
        raise SampleError("It has no environment/Dockerfile that says what the agent begins with.")
    text = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "WORKDIR":
            workdir = rest.strip().rstrip("/") or "/"
        elif word.upper() in {"COPY", "ADD"} and "--from" not in rest:
            *sources, target = [part for part in rest.split() if not part.startswith("--")] or [""]
            place = PurePosixPath(workdir) / target
            if sources and place.is_relative_to(workdir):
                copies += [(source, place.relative_to(workdir)) for source in sources]
    if workdir == "/":
        raise SampleError("Its working folder is the root of the file system.")
    return workdir, copies


def _lay_in(environment: Path, source: str, target: Path) -> None:
    """As COPY does: the contents of a folder, or a file under its name."""
    path = (environment / source).resolve()
    if not path.is_relative_to(environment.resolve()) or not path.exists():
        raise SampleError(f"Its Dockerfile copies {source!r}, which environment/ does not hold.")
    if path.is_file():
        place = target / path.name if target.suffix == "" else target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
        return
    for each in files(path):
        if each.name not in {"Dockerfile", ".dockerignore"}:
            place = target / each.relative_to(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(each, place)


def _solve(task: Path, root: Path, workdir: str, harness: Harness) -> None:
    """Runs the author's script without a network, in a copy of the starter."""
    with tempfile.TemporaryDirectory(prefix="sdkbench-harbor-") as name:
        shared = Path(name)
        shutil.copytree(root / "input", shared / "work")
        shutil.copytree(task / "solution", shared / "solution")
        for path in (shared, *shared.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o755)
        for path in (shared, *shared.rglob("*")):
            shutil.chown(path, 1000, 1000)
        command = Command(
            argv=("bash", "-c", SOLVE, "solve", SHARED, workdir),
            shared=shared,
            limits=Limits(wall_seconds=SOLVE_SECONDS),
        )
        done = harness.sandbox.run(command)
        if not done.ok:
            last = done.output.splitlines()[-1:] or [""]
            raise SampleError(
                f"Its solution/solve.sh does not run here, without a network ({done.ending()}): "
                f"{last[0][:200]}"
            )
        for path in files(shared / "work"):
            target = root / "expected" / path.relative_to(shared / "work")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


class _Places(ast.NodeTransformer):
    """Texts that name the working folder become expressions of where the solution stands."""

    def __init__(self, workdir: str) -> None:
        self.workdir = workdir

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        text = node.value
        if not isinstance(text, str) or not re.match(rf"{re.escape(self.workdir)}(/|$)", text):
            return node
        rest = text[len(self.workdir) :].lstrip("/")
        place = f"str(_SOLUTION / {rest!r})" if rest else "str(_SOLUTION)"
        return ast.parse(place, mode="eval").body


def _with_places(path: Path, target: Path, root: Path, workdir: str) -> str:
    try:
        module = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise SampleError(f"{path.name} can't be read as Python: {error}") from error
    up = len(target.relative_to(root).parts) - 1
    changed = ast.fix_missing_locations(_Places(workdir).visit(module))
    return PLACE.format(up=up) + ast.unparse(changed) + "\n"


def _metadata(task: Path, sample_id: str, sdk: str) -> dict[str, Any]:
    instruction = task / "instruction.md"
    if not instruction.is_file():
        raise SampleError("It has no instruction.md.")
    try:
        settings = tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SampleError(f"Its task.toml can't be read: {error}.") from error
    said = settings.get("metadata")
    difficulty = said.get("difficulty") if isinstance(said, dict) else None
    return {
        "sample_id": sample_id,
        "sdk": sdk,
        "task_type": 3,
        "task_name": task.name,
        "framework": "python",
        "difficulty": difficulty if difficulty in {"easy", "medium", "hard"} else "medium",
        "description": instruction.read_text(encoding="utf-8", errors="replace").strip(),
        "ground_truth": {},
        "evaluation_targets": {"f_corr": {"tests": "tests/", "min_pass_rate": 100}},
    }


def _require_pass(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    options = Options(integrity=Integrity.CHECKED)
    result = judge_attempt(Subject(sample.reference_dir, sample), options, harness)
    if result.outcome is not Outcome.PASSED:
        raise SampleError(f"Its own solution does not pass its tests here: {result.error}")


def _slug(task: Path) -> str:
    return re.sub(r"[^a-z0-9]+", "_", task.name.lower()).strip("_") or "task"
