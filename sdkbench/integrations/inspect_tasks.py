"""Inspect AI: our suites as its tasks, our verdict as its score.

    inspect eval sdkbench/sdk -T sdk=lancedb --model openai/gpt-5
    inspect eval sdkbench/sdk -T sdk=jose -T agent=true --model …
    inspect eval sdkbench/shell -T dataset=core --model …

A solution that passes scores 1, one that fails or is invalid 0. Where we or the machine failed,
there is no score: the sample has an error, and is left out of the mean.
"""

import functools
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import anyio
from inspect_ai import Task, task
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as Item
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Solver, TaskState, generate
from inspect_ai.tool import bash
from inspect_ai.util import sandbox

from sdkbench.backends import Answer
from sdkbench.backends.asking import Asked
from sdkbench.core import Integrity
from sdkbench.datasets import Sample, default_samples_dir, load_sdk
from sdkbench.engine.models import find_dataset
from sdkbench.errors import InputError
from sdkbench.generation import build_prompt
from sdkbench.generation.files import starter_texts
from sdkbench.generation.prompt import AGENT_TEMPLATE
from sdkbench.integrations.answers import (
    AGENT_MINUTES,
    NotJudged,
    described,
    listing_command,
    shared_judge,
)
from sdkbench.shell import EvaluationSettings, TestDataset
from sdkbench.shell.evaluation import AnswerJudge as ShellJudge
from sdkbench.shell.evaluation import question
from sdkbench.shell.results import ReasonKind
from sdkbench.test_harness import FCorrResult


@task(name="sdk")
def sdk_task(
    sdk: str = "all",
    samples_dir: str | None = None,
    agent: bool = False,
    integrity: str = "apart",
    timeout: float = 300.0,
) -> Task:
    """SDK integration (F-CORR). `agent`: the model works in a copy of the starter with a shell."""
    samples = load_sdk(Path(samples_dir) if samples_dir else default_samples_dir(), sdk)
    solver: Solver = react(tools=[bash()]) if agent else generate()  # type: ignore[assignment]
    items = [_agent_item(sample) if agent else _text_item(sample) for sample in samples]
    return Task(
        dataset=MemoryDataset(items, name=f"sdkbench-{sdk}"),
        solver=solver,
        scorer=fcorr({sample.id: sample for sample in samples}, agent, integrity, timeout),
        sandbox="local" if agent else None,
        fail_on_error=False,  # an error of ours is one sample's, and no reason to stop
    )


def _text_item(sample: Sample) -> Item:
    prompt = build_prompt(sample)
    return Item(id=sample.id, input=_asked(prompt.system, prompt.text), metadata=_described(sample))


def _asked(system: str, text: str) -> list[ChatMessage]:
    return [ChatMessageSystem(content=system), ChatMessageUser(content=text)]


def _agent_item(sample: Sample) -> Item:
    prompt = build_prompt(sample, template=AGENT_TEMPLATE, minutes=AGENT_MINUTES)
    return Item(
        id=sample.id,
        input=[ChatMessageUser(content=f"{prompt.system}\n\n{prompt.text}")],
        files=starter_texts(sample.starter_dir),
        metadata=_described(sample),
    )


def _described(sample: Sample) -> dict[str, Any]:
    metadata = sample.ground_truth.metadata
    return {
        "sdk": metadata.sdk,
        "sdk_version": metadata.sdk_version,
        "task_type": metadata.task_type,
        "difficulty": metadata.difficulty,
    }


@scorer(metrics=[accuracy(), stderr()])
def fcorr(samples: Mapping[str, Sample], agent: bool, integrity: str, timeout: float) -> Scorer:
    """F-CORR by the judge of `sdkbench run`; the verdict's reason and assurance are metadata."""
    judge = shared_judge(_level(integrity), timeout)
    limiter = anyio.CapacityLimiter(judge.workers)

    async def score(state: TaskState, target: Target) -> Score:
        del target  # the sample's tests are
        sample = samples[str(state.sample_id)]
        if agent:
            work = functools.partial(judge.judge_files, sample, await _left_behind())
        else:
            output = state.output
            cut = output.stop_reason in {"max_tokens", "model_length"}
            work = functools.partial(judge.judge_text, sample, output.completion, truncated=cut)
        result = await anyio.to_thread.run_sync(work, limiter=limiter)
        return _score(result, state)

    return score


def _level(text: str) -> Integrity:
    try:
        return Integrity(text)
    except ValueError as error:
        known = ", ".join(Integrity)
        raise InputError(f"There is no integrity {text!r}. There are: {known}.") from error


def _score(result: FCorrResult, state: TaskState) -> Score:
    return Score(
        value=result.score / 100,
        answer=state.output.completion,
        explanation=result.error or f"{result.tests_passed} of {result.tests_total} tests passed",
        metadata=described(result),
    )


async def _left_behind() -> dict[str, bytes]:
    """The files of the agent's working folder, without what package managers put there."""
    done = await sandbox().exec(listing_command())
    if not done.success:
        raise NotJudged(f"The agent's files can't be listed: {done.stderr.strip()[:200]}")
    names = [PurePosixPath(name).as_posix() for name in done.stdout.split("\0") if name]
    return {name: await sandbox().read_file(name, text=False) for name in names}


@task(name="shell")
def shell_task(dataset: str = "core") -> Task:
    """Shell commands (CSR): correctness, safety and POSIX compliance; nothing is executed."""
    cases = TestDataset.from_toml(find_dataset(dataset))
    items = []
    for case in cases.test_cases:
        asked = question(case)
        items.append(
            Item(
                id=case.id,
                input=_asked(asked.system or "", asked.prompt),
                target=case.expected_command,
                metadata={"category": str(case.category), "safe": case.safe},
            )
        )
    return Task(
        dataset=MemoryDataset(items, name=f"sdkbench-{dataset}"),
        solver=generate(),
        scorer=csr(cases),
        fail_on_error=False,
    )


@scorer(metrics=[accuracy(), stderr()])
def csr(dataset: TestDataset) -> Scorer:
    """Command success: the command is normalised and judged against the case's labels."""
    places = {case.id: place for place, case in enumerate(dataset.test_cases)}
    judge = ShellJudge(dataset.test_cases, "inspect", dataset, EvaluationSettings(), None, None)
    limiter = anyio.CapacityLimiter(2)

    async def score(state: TaskState, target: Target) -> Score:
        del target  # a case may have several right commands
        answer = Answer(text=state.output.completion)
        asked = Asked(places[str(state.sample_id)], answer, 0.0)
        [result] = await anyio.to_thread.run_sync(
            functools.partial(judge.judge, [asked]), limiter=limiter
        )
        if result.reason.kind is ReasonKind.BACKEND_ERROR:
            raise NotJudged(result.reason.message)
        return Score(
            value=1.0 if result.passed else 0.0,
            answer=result.actual,
            explanation=result.reason.message or "equal to the expected command",
            metadata={"reason": str(result.reason.kind)},
        )

    return score
