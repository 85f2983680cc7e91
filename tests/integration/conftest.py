"""Real folders, real processes, real packages; one cache for all, kept between runs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sdkbench.datasets import Sample, load_sample
from sdkbench.environments import Cache
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import Sandbox, choose, probe
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.warm_start import WarmStarts
from tests.support.places import CACHE
from tests.support.projects import Files, Judge, MakeSample, write


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")
    return choose("bubblewrap")


@pytest.fixture(scope="session")
def harness(sandbox: Sandbox) -> Iterator[Harness]:
    warm = WarmStarts()
    yield Harness(sandbox, Cache(CACHE), warm=warm)
    warm.close()


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Files], Path]:
    """A folder with these files, ready to be judged on its own tests."""
    return lambda files: write(tmp_path / "project", files)


@pytest.fixture
def make_sample(tmp_path: Path) -> MakeSample:
    """A sample whose reference is `reference` and whose tests are `tests`."""

    def make(
        reference: Files, tests: Files, shared: Files | None = None, **extra: object
    ) -> Sample:
        sdk = tmp_path / "samples" / "demo"
        root = sdk / "demo_task_001"
        sources = {name: text for name, text in reference.items() if name.endswith(".py")}
        write(root / "input", reference | dict.fromkeys(sources, "raise NotImplementedError\n"))
        write(root / "expected", reference)
        write(root / "tests", tests)
        write(sdk, shared or {})
        metadata = {"sample_id": "demo_task_001", "sdk": "demo", "task_type": 1, **extra}
        (root / "expected" / "metadata.json").write_text(json.dumps(metadata))
        return load_sample(root)

    return make


@pytest.fixture
def judge(harness: Harness, tmp_path: Path) -> Judge:
    """The verdict on a solution given as files, for a sample or on its own tests."""

    def run(
        files: Files, sample: Sample | None = None, *, timeout: float = 60, **options: object
    ) -> FCorrResult:
        folder = write(tmp_path / "solution", files)
        chosen = Options(timeout=timeout)._replace(**options)  # type: ignore[arg-type]
        return judge_attempt(Subject(folder, sample), chosen, harness)

    return run
