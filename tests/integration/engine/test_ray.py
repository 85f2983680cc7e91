"""Judging on a Ray cluster of several nodes: the same verdicts, whatever happens to the nodes."""

import asyncio
import errno
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdkbench.core import Fault, Integrity, Outcome, tree
from sdkbench.datasets import Sample, load_sample
from sdkbench.engine.judging import judging_here
from sdkbench.engine.ray.opening import open_ray_generator, open_ray_judge
from sdkbench.errors import HarnessFault, InputError
from sdkbench.generation import AgentSettings, GeneratedSolution, Settings, open_generator
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness import FCorrResult, Harness
from tests.support import ray_nodes
from tests.support.places import CACHE, ROOT
from tests.support.projects import write
from tests.support.ray_nodes import Nodes

if TYPE_CHECKING:
    from sdkbench.engine.ray.judge import RayJudge

pytest.importorskip("ray", reason="Ray is not installed: pip install 'sdkbench[ray]'")

OPTIONS = Options(timeout=60, integrity=Integrity.CHECKED)
RIGHT = "def double(x): return 2 * x\n"
WRONG = "def double(x): return 4\n"
SLOW = f"import time\ntime.sleep(2)\n{RIGHT}"
ENDLESS = f"import time\ntime.sleep(50)\n{RIGHT}"
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


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with ray_nodes.started(tmp_path_factory.mktemp("nodes"), 2) as started:
        yield started


@pytest.fixture(scope="module")
def judge(nodes: Nodes) -> Iterator["RayJudge"]:
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


def collect(*waiting: Awaitable[FCorrResult]) -> list[FCorrResult]:
    async def work() -> list[FCorrResult]:
        return list(await asyncio.gather(*waiting))

    return asyncio.run(work())


def verdict(result: FCorrResult) -> tuple[object, ...]:
    tests = result.test_results
    counts = tests and (tests.total, tests.passed, tests.failed, tests.skipped)
    names = tests and sorted(failure.test_name for failure in tests.failures)
    sandbox = result.sandbox and result.sandbox.level
    told = (result.error, result.fault, result.assurance, result.notes, sandbox)
    return (result.outcome, result.score, counts, names, *told)


def python(code: str, seconds: float = 150) -> "subprocess.CompletedProcess[str]":
    """A process of its own: what it does to Ray's state, or to its imports, stays there."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds, check=False,
        cwd=ROOT, env={**os.environ, "SDKBENCH_CACHE": str(CACHE)},
    )  # fmt: skip


OPENING = """
import sys
{before}
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.errors import SdkbenchError
from sdkbench.judge.subject import Options, Subject
try:
    open_ray_judge(Options(), address={address!r})
except SdkbenchError as error:
    print(type(error).__name__, error)
"""


def test_without_the_extra_its_name_is_told() -> None:
    done = python(OPENING.format(before="sys.modules['ray'] = None", address=None))
    assert done.stdout.startswith("MissingTool "), done.stderr
    assert "pip install 'sdkbench[ray]'" in done.stdout


def test_an_address_where_nobody_listens() -> None:
    began = time.monotonic()
    with pytest.raises(HarnessFault, match=r"127\.0\.0\.1:1 can't be joined .*refused"):
        open_ray_judge(OPTIONS, address="127.0.0.1:1")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("address", ["nonsense", "ray://127.0.0.1:10001", ":6379", "host:port"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="no address"):
        open_ray_judge(OPTIONS, address=address)


def test_an_address_where_something_else_listens() -> None:
    hurry = "import sdkbench.engine.ray.cluster as c; c.JOIN_SECONDS = 2"
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        done = python(OPENING.format(before=hurry, address=address))
    assert "HarnessFault" in done.stdout, done.stderr
    assert "no answer within 2 s" in done.stdout


def test_more_cpus_than_any_node_has(nodes: Nodes) -> None:
    with pytest.raises(HarnessFault, match=r"has the 64 CPUs .*the largest has 1"):
        open_ray_judge(OPTIONS, address=nodes.address, cpus=64)


def test_nodes_with_other_code_are_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdkbench.engine.ray import inspection as ray_inspection  # noqa: PLC0415 - an extra
    from sdkbench.engine.ray import versions as ray_versions  # noqa: PLC0415

    ours = ray_versions.versions()
    monkeypatch.setattr(ray_inspection, "versions", lambda: ours._replace(code="0" * 16))
    with pytest.raises(HarnessFault, match=r"node at [\d.]+ can't judge: its SDKBench"):
        open_ray_judge(OPTIONS, address=nodes.address)


def test_what_differs_is_told() -> None:
    from sdkbench.engine.ray.versions import difference, versions  # noqa: PLC0415 - beside Ray

    ours = versions()
    assert difference(ours, ours) is None
    told = difference(ours, ours._replace(python="3.9"))
    assert told == f"it has Python 3.9, the driver {ours.python}"
    told = difference(ours, ours._replace(sdkbench="0.0.1", code="other"))
    assert told == f"it has SDKBench 0.0.1, the driver {ours.sdkbench}"


def test_verdicts_are_those_of_this_machine(
    judge: "RayJudge", sample: Sample, solution: Solution, harness: Harness, tmp_path: Path
) -> None:
    vendored = solution(RIGHT)
    write(vendored / "node_modules", {"left.js": ""})
    (vendored / "away").symlink_to("/etc/passwd")
    (tmp_path / "empty").mkdir()
    folders = [
        *map(solution, (RIGHT, WRONG, "syntax error here\n", "import os\nos._exit(0)\n")),
        sample.starter_dir,
        vendored,
        tmp_path / "empty",
        tmp_path / "missing",
    ]
    here = judging_here(OPTIONS, harness, 2)
    expected = collect(*(here.judge(Subject(folder, sample)) for folder in folders))
    asyncio.run(here.close())
    found = collect(*(judge.judge(Subject(folder, sample)) for folder in folders))
    assert [verdict(result) for result in found] == [verdict(result) for result in expected]
    assert Counter(result.outcome for result in found)[Outcome.PASSED] == 2


def test_an_environment_is_made_once_on_each_node(
    judge: "RayJudge", nodes: Nodes, sample: Sample, solution: Solution
) -> None:
    found = collect(*(judge.judge(Subject(solution(RIGHT), sample)) for _ in range(6)))
    assert [result.outcome for result in found] == [Outcome.PASSED] * 6
    assert not any(result.install_results.built for result in found if result.install_results)
    caches = sorted(nodes.root.glob("cache-*"))
    for cache in caches:
        assert len(list(cache.glob("python/environments/*"))) == 1
        assert len(list(cache.glob("samples/*"))) == 1
        assert os.access(next(cache.glob("samples/*/demo/demo_task_001/tests/six")), os.X_OK)


def test_a_cancelled_attempt_leaves_no_process(
    judge: "RayJudge", nodes: Nodes, sample: Sample, solution: Solution
) -> None:
    async def work() -> None:
        judging = [
            asyncio.ensure_future(judge.judge(Subject(solution(ENDLESS), sample))) for _ in range(3)
        ]
        await nodes.all_busy()
        await asyncio.sleep(1)
        assert len(nodes.sandboxes()) == 2, "nothing has ended by itself"
        for task in judging:
            task.cancel()
        began = time.monotonic()
        assert all(
            isinstance(end, asyncio.CancelledError)
            for end in await asyncio.gather(*judging, return_exceptions=True)
        )
        assert time.monotonic() - began < 8, "interrupted, not killed"

    asyncio.run(work())
    assert ray_nodes.until(lambda: not nodes.sandboxes(), 2)


def test_a_process_that_dies_over_and_over_comes_to_an_end(
    judge: "RayJudge", monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdkbench.engine.ray import tasks as ray_tasks  # noqa: PLC0415 - an extra

    monkeypatch.setattr(ray_tasks, "RAY_RETRIES", 1)
    monkeypatch.setattr(ray_tasks, "RESUBMISSIONS", 1)

    async def work() -> None:
        with pytest.raises(HarnessFault, match=r"lost 2 times .*WorkerCrashedError"):
            await judge.tasks.run(lambda number: os.kill(os.getpid(), number), signal.SIGKILL)

    asyncio.run(work())


def test_what_breaks_on_a_node_is_an_outcome(
    judge: "RayJudge", sample: Sample, solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdkbench.engine.ray import judge as ray_judge  # noqa: PLC0415 - an extra

    def broken(_order: object) -> str:
        raise ZeroDivisionError("by nobody")

    monkeypatch.setattr(ray_judge, "judge_here", broken)
    (result,) = collect(judge.judge(Subject(solution(RIGHT), sample)))
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.HARNESS)
    assert result.error == "A fault on a node: ZeroDivisionError: by nobody."


def test_a_full_disk_of_a_node_is_told(
    judge: "RayJudge", sample: Sample, solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdkbench.engine.ray import judge as ray_judge  # noqa: PLC0415 - an extra

    def full(_order: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ray_judge, "judge_here", full)
    (result,) = collect(judge.judge(Subject(solution(RIGHT), sample)))
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.DISK)
    assert "Make room there" in (result.error or "")


def test_a_sample_that_can_t_be_sent_is_no_failure_of_the_solution(
    judge: "RayJudge", sample: Sample, solution: Solution, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    shutil.copytree(sample.root.parent, tmp_path / "demo")
    large = load_sample(tmp_path / "demo" / sample.root.name)
    monkeypatch.setattr(tree, "MAX_BYTES", 100)  # the solution has less, the tests have more
    (result,) = collect(judge.judge(Subject(solution(RIGHT), large)))
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.SAMPLE)
    assert "is larger than" in (result.error or "")


SCRIPT = (
    'grep -q demo "$SDKBENCH_PROMPT_FILE"; echo "x = 1" > app.py; mkdir pkg; echo $MARK > pkg/m; '
    "printf '#!/bin/sh\\n' > run; chmod +x run; ln -s /etc/passwd link; echo $MODEL_KEY; exit 3"
)


def test_an_agent_leaves_the_same_files_on_a_node(
    judge: "RayJudge", sample: Sample, tmp_path: Path
) -> None:
    spec = f"agent:sh -c {shlex.quote(SCRIPT)}"
    settings = Settings(
        agent=AgentSettings(seconds=30, variables=("MODEL_KEY", "MARK")),
        sandbox="bubblewrap",
        environment={
            "PATH": "/usr/bin:/bin", "MODEL_KEY": "key-1234567890", "MARK": "m", "OTHER": "no",
        },
    )  # fmt: skip

    async def work() -> list[GeneratedSolution]:
        made = []
        for place, generator in {
            "here": open_generator(spec, settings),
            "there": open_ray_generator(spec, settings, judge),
        }.items():
            made.append(await generator.generate(sample, tmp_path / place))
            await generator.close()
        return made

    here, there = (made.model_dump(exclude={"usage", "folder"}) for made in asyncio.run(work()))
    assert there == here
    assert "key-1234567890" not in there["answer"]

    def left(folder: Path) -> dict[str, tuple[bytes, bool]]:
        return {
            str(path.relative_to(folder)): (path.read_bytes(), os.access(path, os.X_OK))
            for path in folder.rglob("*")
            if path.is_file()
        }

    assert left(tmp_path / "there") == left(tmp_path / "here")
    assert left(tmp_path / "there")["run"] == (b"#!/bin/sh\n", True)


def agent_in(folder: Path) -> Path:
    program = write(folder, {"agent": "#!/bin/sh\ncat $1 > app.py\n"}) / "agent"
    program.chmod(0o755)
    return program


def test_an_agent_is_found_on_a_node_by_the_driver_s_names_and_sandbox(
    judge: "RayJudge", sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_in(tmp_path)
    write(tmp_path, {"text.py": "x = 3\n"})
    monkeypatch.chdir(tmp_path)
    generator = open_ray_generator("agent:./agent text.py", Settings(sandbox="plain"), judge)
    made = asyncio.run(generator.generate(sample, tmp_path / "out"))
    assert (tmp_path / "out" / "app.py").read_text() == "x = 3\n"
    assert made.model == "agent:./agent text.py"
    assert "sandbox: bubblewrap" in made.notes


def test_what_an_agent_lacks_on_a_node_is_told(
    judge: "RayJudge", sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = agent_in(tmp_path)
    generator = open_ray_generator(f"agent:{program}", Settings(), judge)
    planned = generator.source(sample)
    monkeypatch.setattr(generator, "source", lambda _sample: planned)
    program.write_text("#!/bin/sh\n# as on a node that has another version\n")
    with pytest.raises(HarnessFault, match=r"^Node \S+ has another agent than the driver: "):
        asyncio.run(generator.generate(sample, tmp_path / "other"))
    program.unlink()  # as on a node that never had it
    with pytest.raises(InputError, match="finds no program"):
        asyncio.run(generator.generate(sample, tmp_path / "none"))
    with pytest.raises(InputError, match="Only agents"):
        open_ray_generator("openai:gpt", Settings(), judge)


def test_attempts_of_a_lost_node_run_elsewhere(
    judge: "RayJudge", nodes: Nodes, sample: Sample, solution: Solution
) -> None:
    async def work() -> list[FCorrResult]:
        folders = [solution(text) for text in [SLOW] * 5 + [WRONG]]
        judging = [
            asyncio.ensure_future(judge.judge(Subject(folder, sample))) for folder in folders
        ]
        await nodes.all_busy()
        victim, inside = next(iter(nodes.sandboxes().items()))
        top = ray_nodes.raylet(victim)
        workers = {pid for pid in ray_nodes.below(top) if b"ray::" in ray_nodes.command_of(pid)}
        ray_nodes.kill({top} | workers)
        assert ray_nodes.until(lambda: not any(map(ray_nodes.command_of, inside)), 5)
        return list(await asyncio.gather(*judging))

    found = asyncio.run(work())
    assert [result.outcome for result in found] == [Outcome.PASSED] * 5 + [Outcome.FAILED]
    assert len(judge.cluster.fitting()) == 1


def test_a_second_cluster_is_refused(judge: "RayJudge") -> None:
    assert judge.at_once == 6
    with pytest.raises(HarnessFault, match="one at a time"):
        open_ray_judge(OPTIONS)


OWN = """
import asyncio, os, signal, sys
from pathlib import Path
from sdkbench.datasets import load_sample
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.judge.subject import Options, Subject
before = dict(os.environ), signal.getsignal(signal.SIGTERM)
judge = open_ray_judge(Options(timeout=60), workers=1)
sample = load_sample(Path(sys.argv[1]))
result = asyncio.run(judge.judge(Subject(sample.reference_dir, sample)))
print(result.outcome, result.assurance, [node.address for node in judge.cluster.nodes()])
asyncio.run(judge.close())
print((dict(os.environ), signal.getsignal(signal.SIGTERM)) == before)
"""


def test_a_ray_of_our_own_is_on_loopback_and_leaves_nothing(sample: Sample) -> None:
    done = python(OWN.replace("sys.argv[1]", repr(str(sample.root))))
    assert done.stdout.split("\n")[:2] == ["passed checked ['127.0.0.1']", "True"], done.stderr
