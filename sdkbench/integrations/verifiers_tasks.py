"""verifiers: our samples as its tasks, our verdict as their reward.

    vf-eval sdkbench-verifiers --env.taskset.sdk lancedb -m MODEL …

A solution that passes is worth 1, one that fails or is invalid 0 (by `mode`, a share). Where we or
the machine failed there is no reward: the rollout has an error, and can be tried again.
"""

import asyncio
import functools
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarness

from sdkbench.core import Integrity, ScoreMode
from sdkbench.datasets import Sample, default_samples_dir, load_sdk
from sdkbench.errors import InputError
from sdkbench.generation import build_prompt
from sdkbench.generation.files import starter_texts
from sdkbench.generation.prompt import AGENT_TEMPLATE
from sdkbench.integrations.answers import (
    AGENT_MINUTES,
    AnswerJudge,
    NotJudged,
    described,
    listing_command,
    shared_judge,
)
from sdkbench.test_harness import FCorrResult

__all__ = ["NullHarness", "SdkTaskset"]  # one answer is asked for, unless told otherwise

FILE_BYTES = 8 << 20  # of each that an agent leaves


class JudgeTaskConfig(vf.TaskConfig):
    """How solutions are judged: `--env.taskset.task.*`."""

    samples_dir: Path | None = None
    """Samples of your own, instead of the bundled ones."""
    integrity: Integrity = Integrity.APART
    mode: ScoreMode = ScoreMode.STRICT
    timeout: float = 300.0
    """Seconds that one solution's tests may take."""
    agent: bool = False
    """The model works in a copy of the starter, by a harness that has a shell."""


class SdkTasksetConfig(vf.TasksetConfig):
    sdk: str = "all"
    task: JudgeTaskConfig = JudgeTaskConfig()


class SampleData(vf.TaskData):
    """What a trace keeps of a sample: nothing of its tests, and no path of this machine."""

    sdk: str
    facts: dict[str, Any]


class SampleTask(vf.Task[SampleData, vf.State, JudgeTaskConfig]):
    @property
    def key(self) -> str:
        return f"{self.data.sdk}/{self.data.id}"

    @property
    def sample(self) -> Sample:
        for sample in _samples(self.config.samples_dir, self.data.sdk):
            if sample.id == self.data.id:
                return sample
        raise InputError(
            f"There is no sample {self.key} here. Pass --env.taskset.task.samples-dir."
        )

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        del trace
        if self.config.agent:
            for name, text in starter_texts(self.sample.starter_dir).items():
                await runtime.write(name, text.encode())

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the sample's own solution passes."""
        del runtime
        files = {
            path.relative_to(self.sample.reference_dir).as_posix(): path.read_bytes()
            for path in self.sample.reference_dir.rglob("*")
            if path.is_file() and path.name != "metadata.json"
        }
        result = await self._judged(AnswerJudge.judge_files, files)
        return result.score == FULL

    @vf.reward
    async def fcorr(self, trace: vf.Trace, runtime: vf.Runtime | None = None) -> float:
        """Raises NotJudged where there is no verdict."""
        if self.config.agent:
            result = await self._judged(AnswerJudge.judge_files, await _left_behind(runtime))
        else:
            result = await self._judged(AnswerJudge.judge_text, trace.last_reply)
        trace.info["sdkbench"] = described(result)
        trace.record_metric("pass_rate", result.pass_rate / FULL)
        return result.score / FULL

    async def _judged(self, judge_it: Any, given: object) -> FCorrResult:
        judge = shared_judge(self.config.integrity, self.config.timeout, self.config.mode)
        work = functools.partial(judge_it, judge, self.sample, given)
        async with _workers(judge.workers):
            return await asyncio.to_thread(work)


class SdkTaskset(vf.Taskset[SampleTask, SdkTasksetConfig]):
    """The samples of an SDK, or of all."""

    def load(self) -> Iterator[SampleTask]:
        config = self.config.task
        for sample in _samples(config.samples_dir, self.config.sdk):
            yield SampleTask(_data(sample, agent=config.agent), config)


FULL = 100.0


@functools.cache
def _samples(samples_dir: Path | None, sdk: str) -> tuple[Sample, ...]:
    return tuple(load_sdk(samples_dir or default_samples_dir(), sdk))


@functools.cache
def _semaphore(loop: asyncio.AbstractEventLoop, workers: int) -> asyncio.Semaphore:
    del loop  # a semaphore belongs to the loop in which it is first waited for
    return asyncio.Semaphore(workers)


def _workers(count: int) -> asyncio.Semaphore:
    """Rollouts are many at once; judgements as many as this machine has room for."""
    return _semaphore(asyncio.get_running_loop(), count)


def _data(sample: Sample, *, agent: bool) -> SampleData:
    metadata = sample.ground_truth.metadata
    if agent:
        prompt = build_prompt(sample, template=AGENT_TEMPLATE, minutes=AGENT_MINUTES)
    else:
        prompt = build_prompt(sample)
    return SampleData(
        id=sample.id,
        name=metadata.task_name,
        prompt=prompt.text,
        system_prompt=prompt.system,
        sdk=sample.sdk,
        facts={"task_type": metadata.task_type, "difficulty": metadata.difficulty},
    )


async def _left_behind(runtime: vf.Runtime | None) -> dict[str, bytes]:
    """The files of the agent's working folder, without what package managers put there."""
    if runtime is None:
        raise NotJudged("The agent's files are gone with its sandbox. Score while it is there.")
    done = await runtime.run(listing_command(), {})
    if done.exit_code:
        raise NotJudged(f"The agent's files can't be listed: {done.stderr.strip()[:200]}")
    names = [PurePosixPath(name).as_posix() for name in done.stdout.split("\0") if name]
    return {name: await runtime.read(name, max_bytes=FILE_BYTES) for name in names}
