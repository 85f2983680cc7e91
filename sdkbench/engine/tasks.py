"""Tasks: every case × model × trial of a plan, each with the key of its attempt."""

import functools
import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench import __version__
from sdkbench.backends import Backend
from sdkbench.backends.known import KnownAnswers
from sdkbench.core import fingerprints
from sdkbench.core.fingerprints import digest
from sdkbench.datasets import Sample
from sdkbench.engine.records import Origin
from sdkbench.generation import Generator, Source
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Level
from sdkbench.shell import EvaluationSettings, TestCase, TestDataset
from sdkbench.shell.evaluation import PROMPT_VERSION, question
from sdkbench.store import JudgedAs, KeyParts, Suite, attempt_key
from sdkbench.test_harness import TestRunnerRegistry

# The code that judges: a verdict of other code is another attempt. Answers are part of it: how a
# recorded one is taken apart decides what is judged.
SDK_ROOMS = (
    "core", "sandbox", "environments", "test_harness", "inside", "datasets", "judge",
    "generation/answers",
)  # fmt: skip
SHELL_ROOMS = ("shell", "inside/shell")


class SdkTask(NamedTuple):
    """A solution to be judged. `folder` is where it stands already; without one it comes from the
    store or from a generator. Without `sample` the folder is judged on its own tests.
    """

    origin: Origin
    sample: Sample | None
    folder: Path | None = None


class ShellTask(NamedTuple):
    origin: Origin
    case: TestCase


Task = SdkTask | ShellTask


class Content(NamedTuple):
    """Digests of a sample as it is on disk."""

    case: str
    tests: str


def sdk_tasks(
    generator: Generator, samples: Sequence[Sample], trials: int, options: Options, level: Level
) -> Iterator[SdkTask]:
    """Trial by trial, so that a run that is cut short has tried every sample as often."""
    settings = judged_by(options, level)
    sources = [(sample, content_of(sample), generator.source(sample)) for sample in samples]
    for trial in range(trials):
        for sample, content, source in sources:
            yield sdk_task(sample, content, generator.name, source, trial, settings)


def sdk_task(
    sample: Sample,
    content: Content,
    model: str,
    source: Source,
    trial: int,
    settings: dict[str, JsonValue],
) -> SdkTask:
    name = f"{sample.sdk}/{sample.id}"
    parts = KeyParts(
        suite=Suite.SDK,
        sample=name,
        case=content.case,
        tests=content.tests,
        harness=sdk_judges(),
        environment=machine(),
        answer=source.answer,
        model=model,
        prompt=source.prompt,
        trial=trial,
        settings=settings,
    )
    asked = None if source.prompt is None else digest(name, model, source.prompt, str(trial))
    task_type = str(sample.ground_truth.metadata.task_type)
    key = attempt_key(parts)
    origin = Origin(
        key, sample.sdk, sample.id, task_type, model, trial, asked, judged_as=JudgedAs.by(parts)
    )
    return SdkTask(origin, sample)


def shell_tasks(
    model: str,
    backend: Backend,
    dataset: TestDataset,
    cases: Iterable[TestCase],
    trials: int,
    settings: EvaluationSettings,
) -> Iterator[ShellTask]:
    cases = tuple(cases)
    for trial in range(trials):
        for case in cases:
            at_hand = backend.known(case.prompt) if isinstance(backend, KnownAnswers) else None
            answer = None if at_hand is None else digest(at_hand)
            yield shell_task(model, dataset, case, trial, settings, answer=answer)


def shell_task(
    model: str,
    dataset: TestDataset,
    case: TestCase,
    trial: int,
    settings: EvaluationSettings,
    *,
    answer: str | None = None,
) -> ShellTask:
    """`answer` is the digest of one that is at hand: nobody need be asked, and another one there
    is another attempt.
    """
    group = dataset.title
    asked = question(case)
    prompt = digest(PROMPT_VERSION, asked.system or "", asked.prompt, str(settings.max_tokens))
    parts = KeyParts(
        suite=Suite.SHELL,
        sample=f"{group}/{case.id}",
        case=digest(case.model_dump_json(), dataset.posix),
        tests="",
        harness=shell_judges(),
        answer=answer,
        model=model,
        prompt=prompt,
        trial=trial,
        settings=settings.model_dump(mode="json", exclude={"concurrency", "fixtures"}),
    )
    to_ask = None if answer else digest("shell", model, prompt, str(trial))
    key = attempt_key(parts)
    origin = Origin(
        key, group, case.id, case.category, model, trial, to_ask, judged_as=JudgedAs.by(parts)
    )
    return ShellTask(origin, case)


def judged_by(options: Options, level: Level) -> dict[str, JsonValue]:
    """The settings that may change a verdict."""
    return {
        "mode": options.mode,
        "integrity": options.integrity,
        "timeout": options.timeout,
        "sandbox": level,
    }


def content_of(sample: Sample) -> Content:
    metadata = sample.ground_truth.metadata.model_dump_json()
    starter = fingerprints.of_path(sample.starter_dir) if sample.starter_dir.is_dir() else ""
    # Everything that the verdict is made by: the tests, what lies beside, the reference.
    judged_by = (sample.tests_dir, sample.reference_dir, *sample.shared)
    judged_by += (sample.private_tests,) if sample.private_tests else ()
    parts = [part for path in judged_by for part in (path.name, fingerprints.of_path(path))]
    return Content(digest(metadata, starter), digest(*parts))


@functools.cache
def sdk_judges() -> str:
    """A digest of our code that judges solutions, and of installed runner plugins."""
    plugins = TestRunnerRegistry.code_of_plugins()
    parts = [part for path in plugins for part in (path.name, fingerprints.of_path(path))]
    return digest(__version__, fingerprints.of_rooms(*SDK_ROOMS), *parts)


@functools.cache
def shell_judges() -> str:
    return digest(__version__, fingerprints.of_rooms(*SHELL_ROOMS))


def machine() -> str:
    """What of the machine may change a verdict; toolchains are the user's to keep the same."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{platform.system()} {platform.machine()}, Python {python}"
