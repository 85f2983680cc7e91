"""Tasks: every case × model × trial of a plan, each with the key of its attempt."""

import functools
import hashlib
import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench import __version__
from sdkbench.backends import Backend
from sdkbench.backends.reference import KnownAnswers
from sdkbench.core import fingerprints
from sdkbench.datasets import Sample
from sdkbench.engine.records import Origin
from sdkbench.generation import Generator, Source
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Level
from sdkbench.shell import EvaluationSettings, TestCase, TestDataset
from sdkbench.shell.evaluation import PROMPT_VERSION, question
from sdkbench.store import KeyParts, Suite, attempt_key
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
    asked = None if source.prompt is None else _digest(name, model, source.prompt, str(trial))
    origin = Origin(
        key=attempt_key(parts),
        sdk=sample.sdk,
        sample=sample.id,
        task_type=str(sample.ground_truth.metadata.task_type),
        model=model,
        trial=trial,
        generation_key=asked,
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
            answer = None if at_hand is None else _digest(at_hand)
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
    prompt = _digest(PROMPT_VERSION, asked.system or "", asked.prompt, str(settings.max_tokens))
    parts = KeyParts(
        suite=Suite.SHELL,
        sample=f"{group}/{case.id}",
        case=_digest(case.model_dump_json(), dataset.posix),
        tests="",
        harness=shell_judges(),
        answer=answer,
        model=model,
        prompt=prompt,
        trial=trial,
        settings=settings.model_dump(mode="json", exclude={"concurrency", "fixtures"}),
    )
    origin = Origin(
        key=attempt_key(parts),
        sdk=group,
        sample=case.id,
        task_type=case.category,
        model=model,
        trial=trial,
        generation_key=None if answer else _digest("shell", model, prompt, str(trial)),
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
    return Content(_digest(metadata, starter), _tests_digest(sample))


def _tests_digest(sample: Sample) -> str:
    """Of everything that the verdict is made by: the tests, what lies beside, the reference."""
    parts = []
    for path in (sample.tests_dir, sample.reference_dir, *sample.shared):
        content = fingerprints.of_path(path)
        parts += [path.name, content]
    return _digest(*parts)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


@functools.cache
def sdk_judges() -> str:
    """A digest of our code that judges solutions, and of installed runner plugins."""
    digest = hashlib.sha256(_rooms(SDK_ROOMS).encode())
    for path in TestRunnerRegistry.code_of_plugins():
        content = fingerprints.of_path(path)
        digest.update(f"{path.name}\0{content}".encode())
    return digest.hexdigest()


@functools.cache
def shell_judges() -> str:
    return hashlib.sha256(_rooms(SHELL_ROOMS).encode()).hexdigest()


def machine() -> str:
    """What of the machine may change a verdict; toolchains are the user's to keep the same."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{platform.system()} {platform.machine()}, Python {python}"


def _rooms(names: tuple[str, ...]) -> str:
    return f"{__version__} {fingerprints.of_rooms(*names)}"
