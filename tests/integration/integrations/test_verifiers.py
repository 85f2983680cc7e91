"""Real rollouts by verifiers, in an environment of its own, with a scripted model on loopback."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import CACHE, ROOT
from tests.support.projects import MakeSample
from tests.support.servers.scripted import scripted_model

pytestmark = pytest.mark.nightly  # it installs a hundred packages

RIGHT = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
HOSTILE = "import os\nos._exit(0)\n"
TESTS = {"test_app.py": "from expected import app\ndef test_two(): assert app.double(2) == 4\n"}

Rollouts = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def programs() -> Path:
    """verifiers wants an older openai than our own backend: not the environment of the tests."""
    folder = CACHE / "verifiers"
    uv = str(Path(sys.executable).parent / "uv")
    subprocess.run([uv, "venv", "-q", "--allow-existing", "-p", sys.executable, folder], check=True)
    install = [uv, "pip", "install", "-q", "-p", str(folder / "bin" / "python")]
    subprocess.run([*install, "-e", f"{ROOT}[verifiers]"], check=True)
    return folder / "bin"


@pytest.fixture
def rollouts(programs: Path, make_sample: MakeSample, tmp_path: Path) -> Rollouts:
    def run(answers: Sequence[str], reference: str = RIGHT) -> list[dict[str, Any]]:
        sample = make_sample({"app.py": reference}, TESTS)
        options = {
            "--env.taskset.sdk": "demo",
            "--env.taskset.task.samples-dir": str(sample.root.parent.parent),
            "--env.agent.runtime.type": "subprocess",
            "--client.api-key-var": "KEY",
            "-m": "scripted",
            "-r": str(len(answers)),
            "-c": "1",
            "-o": str(tmp_path),
            "--run.dir": "run",
        }
        with scripted_model([f"```python app.py\n{code}```\n" for code in answers]) as address:
            words = [word for pair in options.items() for word in pair]
            command = [
                str(programs / "vf-eval"), "sdkbench-verifiers", *words, "--no-push",
                "--client.base-url", address,
            ]  # fmt: skip
            variables = {**os.environ, "SDKBENCH_CACHE": str(CACHE), "KEY": "none"}
            done = subprocess.run(
                command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=False
            )
        assert done.returncode == 0, done.stderr[-2000:]
        lines = (tmp_path / "run" / "traces.jsonl").read_text().splitlines()
        return [trace for line in lines for trace in json.loads(line)["traces"]]

    return run


def test_rewards_of_right_wrong_and_hostile_answers(rollouts: Rollouts) -> None:
    traces = rollouts([RIGHT, WRONG, HOSTILE])
    assert [trace["errors"] for trace in traces] == [[], [], []]
    rewards = [trace["rewards"]["fcorr"] for trace in traces]
    assert [each["score"] for each in rewards] == [1, 0, 0]
    said = traces[0]["info"]["sdkbench"]
    assert (said["outcome"], said["assurance"]) == ("passed", "apart")
    assert traces[1]["info"]["sdkbench"]["failed_tests"]


def test_a_sample_that_cannot_be_judged_has_an_error_and_no_reward(rollouts: Rollouts) -> None:
    [trace] = rollouts([RIGHT], reference=WRONG)
    assert trace["rewards"]["fcorr"] is None
    assert "reference" in json.dumps(trace["errors"])
