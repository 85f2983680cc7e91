"""A sample, a cluster of two nodes and a judge on it, for tests of judging with Ray."""

import asyncio
import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdkbench.core import Integrity
from sdkbench.datasets import Sample, load_sample
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Sandbox
from tests.support.projects import write
from tests.support.ray import nodes as ray_nodes
from tests.support.ray.nodes import Nodes

if TYPE_CHECKING:
    from sdkbench.engine.ray.driver import RayJudge

NODES = 2
OPTIONS = Options(timeout=60, integrity=Integrity.CHECKED)
RIGHT = "def double(x): return 2 * x\n"
TESTS = (
    "import subprocess\nfrom pathlib import Path\nfrom expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_none(): assert app.double(0) == 0\n"
    "def test_program(doubled): assert doubled == '6'\n"
)
# A file beside the samples, and a program of the sample's that must stay executable.
SHARED = (
    "import subprocess\nfrom pathlib import Path\nimport pytest\n@pytest.fixture\ndef doubled():\n"
    "    program = Path(__file__).parent / 'tests' / 'six'\n"
    "    return subprocess.run([program], capture_output=True, text=True).stdout.strip()\n"
)
SIX = "#!/bin/sh\necho 6\n"


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Sample:
    assert sandbox.level == "bubblewrap"
    sdk = write(tmp_path_factory.mktemp("samples") / "demo", {"conftest.py": SHARED})
    root = write(
        sdk / "demo_task_001",
        {
            "input/app.py": "raise NotImplementedError\n",
            "expected/app.py": RIGHT,
            "expected/metadata.json": json.dumps(
                {"sample_id": "demo_task_001", "sdk": "demo", "task_type": 1}
            ),
            "tests/test_app.py": TESTS,
            "tests/six": SIX,
        },
    )
    (root / "tests" / "six").chmod(0o755)
    return load_sample(root)


@pytest.fixture(scope="session")
def ray_imported() -> None:
    """Importing Ray changes the environment: once, and before a test is watched for that."""
    importlib.import_module("ray")


@pytest.fixture(scope="session")
def started_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """One cluster for all tests: two of them in one process are more than Ray can take."""
    with ray_nodes.started(tmp_path_factory.mktemp("nodes"), NODES) as started:
        yield started


@pytest.fixture(scope="module")
def nodes(started_nodes: Nodes) -> Nodes:
    """Two nodes; those that another file's tests have lost are replaced."""
    started_nodes.fill_up(NODES)
    return started_nodes


@pytest.fixture(scope="module")
def judge(nodes: Nodes) -> Iterator["RayJudge"]:
    # Cold, so that a process around judged code is there only while an attempt is under way.
    opened = open_ray_judge(OPTIONS, address=nodes.address, sandbox="bubblewrap")
    yield opened
    asyncio.run(opened.close())


Solution = Callable[[str], Path]


@pytest.fixture
def solution(tmp_path: Path) -> Solution:
    """A folder with this `app.py`."""

    def make(text: str) -> Path:
        return write(tmp_path / f"solution-{len(list(tmp_path.iterdir()))}", {"app.py": text})

    return make
