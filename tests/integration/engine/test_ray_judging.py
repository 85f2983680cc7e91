"""Judging on a Ray cluster of several nodes: the same verdicts, whatever happens to the nodes."""

import asyncio
import errno
import os
import shutil
import signal
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdkbench.core import Fault, Outcome, tree
from sdkbench.datasets import Sample, load_sample
from sdkbench.engine.judging import judging_here
from sdkbench.errors import HarnessFault
from sdkbench.judge.subject import Subject
from sdkbench.test_harness import FCorrResult, Harness
from tests.support.projects import write
from tests.support.ray import nodes as ray_nodes
from tests.support.ray.judging import OPTIONS, RIGHT, Solution
from tests.support.ray.nodes import ON_RAY, Nodes

if TYPE_CHECKING:
    from sdkbench.engine.ray.driver import RayJudge

pytestmark = ON_RAY

WRONG = "def double(x): return 4\n"
SLOW = f"import time\ntime.sleep(2)\n{RIGHT}"
# For processes to end on a machine that is busy; less than the solutions take by themselves.
GONE_SECONDS = 20.0
ENDLESS = f"import time\ntime.sleep(50)\n{RIGHT}"


def collect(*waiting: Awaitable[FCorrResult]) -> list[FCorrResult]:
    async def work() -> list[FCorrResult]:
        return list(await asyncio.gather(*waiting))

    return asyncio.run(work())


def verdict(result: FCorrResult) -> tuple[object, ...]:
    tests = result.test_results
    counts = tests and (tests.total, tests.passed, tests.failed, tests.skipped)
    names = tests and sorted(failure.test_name for failure in tests.failures)
    sandbox = result.sandbox and result.sandbox.level
    reported = (result.error, result.fault, result.assurance, result.notes, sandbox)
    return (result.outcome, result.score, counts, names, *reported)


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


def test_attempts_on_a_node_are_forked_from_one_process(
    judge: "RayJudge", nodes: Nodes, sample: Sample, solution: Solution
) -> None:
    for _ in range(2):
        results = collect(*(judge.judge(Subject(solution(RIGHT), sample)) for _ in range(6)))
        assert {result.outcome for result in results} == {Outcome.PASSED}
    zygotes = nodes.zygotes()
    assert len(zygotes) == len(nodes.cluster.worker_nodes)
    collect(*(judge.judge(Subject(solution(RIGHT), sample)) for _ in range(6)))
    assert nodes.zygotes() == zygotes


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
        assert all(
            isinstance(end, asyncio.CancelledError)
            for end in await asyncio.gather(*judging, return_exceptions=True)
        )

    asyncio.run(work())
    assert ray_nodes.until(lambda: not nodes.sandboxes(), GONE_SECONDS)


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
    from sdkbench.engine.ray import driver  # noqa: PLC0415 - an extra

    def broken(_order: object) -> str:
        raise ZeroDivisionError("by nobody")

    monkeypatch.setattr(driver, "judge_here", broken)
    (result,) = collect(judge.judge(Subject(solution(RIGHT), sample)))
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.HARNESS)
    assert result.error == "A fault on a node: ZeroDivisionError: by nobody."


def test_a_full_disk_of_a_node_is_told(
    judge: "RayJudge", sample: Sample, solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdkbench.engine.ray import driver  # noqa: PLC0415 - an extra

    def full(_order: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(driver, "judge_here", full)
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
        nodes.lose(victim, workers)
        assert ray_nodes.until(lambda: not any(map(ray_nodes.command_of, inside)), GONE_SECONDS)
        return list(await asyncio.gather(*judging))

    found = asyncio.run(work())
    assert [result.outcome for result in found] == [Outcome.PASSED] * 5 + [Outcome.FAILED]
    assert len(judge.cluster.fitting()) == 1
