"""A sample's runner, its tests' texts, and what a mutation makes of one."""

from pathlib import Path

from sdkbench.core import Project
from sdkbench.datasets import Sample, lay_out
from sdkbench.test_harness import Harness, TypeScriptTestRunner
from sdkbench.test_harness.mutations import Mutation, exact_text

MANIFEST = '{"name": "x", "type": "module"}'


def runner_of(sample: Sample, harness: Harness, folder: Path) -> TypeScriptTestRunner:
    project = lay_out(sample, sample.reference_dir, folder)
    return TypeScriptTestRunner(project.solution.source, 240, project=project, harness=harness)


def texts_of(project: Project) -> dict[str, str]:
    """The trusted tests by their path below the workspace."""
    tests = next(p for p in project.trusted if p.target == "tests")
    files = [path for path in tests.source.rglob("*") if path.is_file()]
    return {
        f"tests/{path.relative_to(tests.source).as_posix()}": exact_text(path) for path in files
    }


def edited(text: str, mutation: Mutation) -> str:
    """With the mutation itself, but not what goes with it."""
    return text[: mutation.start] + mutation.replacement + text[mutation.end :]
