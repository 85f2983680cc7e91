"""Several backends on one dataset, one after the other; an interruption keeps what had finished."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Backend, BackendFailure
from sdkbench.errors import MissingTool
from sdkbench.shell.dataset import TestCase, TestDataset
from sdkbench.shell.harness import (
    OnResult,
    close,
    evaluation_result,
    open_for,
    run_evaluation,
    settled,
)
from sdkbench.shell.posix import Run
from sdkbench.shell.results import EvaluationResult, EvaluationSettings, TestResult
from sdkbench.shell.selection import EVERYTHING, Selection


@dataclass(slots=True)
class Campaign:
    """`unreachable`: by backend, why no request got through. Those have no evaluation."""

    evaluations: list[EvaluationResult] = field(default_factory=list)
    unreachable: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False


def _silent(_backend: str) -> None:
    pass


def _unheard(_result: TestResult) -> None:
    pass


async def run_campaign(
    dataset_path: Path | str,
    backends: Sequence[str],
    *,
    settings: EvaluationSettings | None = None,
    select: Selection = EVERYTHING,
    on_backend: Callable[[str], None] = _silent,
    on_result: OnResult = _unheard,
    tools: Run | None = None,
) -> Campaign:
    """Never raises CancelledError: the evaluation under way ends with what it has.

    Raises InputError for a bad dataset or backend name before anything is asked, HarnessFault where
    a judge can't work. A backend that can't be opened or reached is named and skipped.
    """
    dataset = TestDataset.from_toml(dataset_path)
    plan = _Plan(
        dataset,
        select,
        settled(settings or EvaluationSettings(), dataset_path),
        on_result,
        tools,
    )
    campaign = Campaign()
    opened = _opened(backends, select.of(dataset), campaign)
    try:
        for spec, backend in opened.items():
            on_backend(spec)
            evaluation = await _one(plan, backend, campaign)
            if evaluation.unreachable is None:
                campaign.evaluations.append(evaluation)
            else:
                campaign.unreachable[spec] = evaluation.unreachable
            if campaign.interrupted:
                break
    finally:
        for backend in opened.values():
            await close(backend)
    return campaign


class _Plan(NamedTuple):
    dataset: TestDataset
    select: Selection
    settings: EvaluationSettings
    on_result: OnResult
    tools: Run | None


def _opened(
    backends: Sequence[str], cases: tuple[TestCase, ...], campaign: Campaign
) -> dict[str, Backend]:
    opened = {}
    for spec in backends:
        try:
            opened[spec] = open_for(spec, cases)
        except (BackendFailure, MissingTool) as error:
            campaign.unreachable[spec] = str(error)
    return opened


async def _one(plan: _Plan, backend: Backend, campaign: Campaign) -> EvaluationResult:
    began = time.monotonic()
    heard: list[TestResult] = []

    def hear(result: TestResult) -> None:
        heard.append(result)
        plan.on_result(result)

    try:
        return await run_evaluation(
            plan.dataset,
            backend,
            settings=plan.settings,
            select=plan.select,
            on_result=hear,
            tools=plan.tools,
        )
    except asyncio.CancelledError:
        campaign.interrupted = True
        cases = plan.select.of(plan.dataset)
        places = {case.id: place for place, case in enumerate(cases)}
        kept = tuple(sorted(heard, key=lambda result: places[result.test_id]))
        return evaluation_result(plan.dataset, backend.name, plan.settings, kept, len(cases), began)
