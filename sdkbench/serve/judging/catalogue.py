"""Catalogue: the samples that a service judges, as they were when it started; and Planned: a
submission laid out, with its attempt's key.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from sdkbench.backends import Answer
from sdkbench.client.wire import ListedSample, SampleTask
from sdkbench.core import tree
from sdkbench.core.fingerprints import digest
from sdkbench.datasets import Sample
from sdkbench.engine import JudgeSetup
from sdkbench.engine.records import Origin
from sdkbench.engine.tasks import (
    Content,
    SdkTask,
    content_of,
    judged_by,
    machine,
    sdk_judges,
    sdk_task,
)
from sdkbench.generation import GeneratedSolution, Source, build_prompt
from sdkbench.generation.files import File, starter_texts, write_solution
from sdkbench.generation.text import take_answer
from sdkbench.serve.judging.problems import bad
from sdkbench.serve.judging.submissions import Submission
from sdkbench.store import JudgedAs, KeyParts, Suite, attempt_key
from sdkbench.store.artefacts import SOLUTION, write_folder

OWN_TESTS = "."  # in the place of a sample's name: a project that is judged on its own tests


class Planned(NamedTuple):
    """A submission as an attempt; its solution is packed, and its folder gone."""

    submission: Submission
    task: SdkTask
    solution: GeneratedSolution


class Catalogue:
    """`refuses_projects` says why a project without a sample can't be judged here, if so."""

    def __init__(
        self, samples: list[Sample], judging: JudgeSetup, refuses_projects: str | None = None
    ) -> None:
        self._samples = {name_of(sample): sample for sample in samples}
        self._settings: dict[str, JsonValue] = judged_by(judging.options, judging.level)
        self._contents: dict[str, Content] = {}
        self._refuses_projects = refuses_projects

    def listed(self) -> tuple[ListedSample, ...]:
        return tuple(_listed(name, sample) for name, sample in sorted(self._samples.items()))

    def task(self, name: str) -> SampleTask:
        """All that a model is given. RequestProblem where there is no such sample."""
        sample = self.find(name)
        prompt = build_prompt(sample)
        return SampleTask(
            name=name_of(sample),
            system=prompt.system,
            prompt=prompt.text,
            starter=starter_texts(sample.starter_dir),
        )

    def find(self, name: str) -> Sample:
        """By `sdk/id`, or by an id that is unique; RequestProblem for any other name."""
        if name in self._samples:
            return self._samples[name]
        matches = [sample for sample in self._samples.values() if sample.id == name]
        if len(matches) == 1:
            return matches[0]
        shown = tree.shown(name.encode("utf-8", "replace").decode())[:80]
        if matches:
            names = ", ".join(name_of(sample) for sample in matches)
            raise bad("sample", f"Several samples are called {shown!r}: {names}. Name its SDK too.")
        raise bad("sample", f"There is no sample {shown!r} here. GET /v1/samples lists them.")

    def sample_named(self, name: str) -> Sample | None:
        return self._samples.get(name)

    def plan(self, submission: Submission, folder: Path) -> Planned:
        """Lays the solution out in the new folder `folder` to see what it comes to. RequestProblem
        where that is nothing that can be judged.
        """
        sample = None if submission.sample is None else self.find(submission.sample)
        if sample is None and self._refuses_projects is not None:
            raise bad("project", self._refuses_projects)
        begun = GeneratedSolution(
            folder=folder,
            sample_id=sample.id if sample else OWN_TESTS,
            model=submission.model,
        )
        try:
            solution = _laid_out(sample, submission, begun).packed()
        except ValidationError as error:
            raise bad("path", "A file has a name that can't be stored: use UTF-8.") from error
        if not any(each.kind == SOLUTION for each in solution.artefacts):
            raise bad("empty", "There is no file that could be judged.")
        return Planned(submission, self.task_of(sample, submission.model, solution), solution)

    def task_of(self, sample: Sample | None, model: str, solution: GeneratedSolution) -> SdkTask:
        """With its key; the same content by the same judge has the same."""
        answer = _digest(solution)
        if sample is not None:
            source = Source(answer=answer)
            return sdk_task(sample, self._content(sample), model, source, 0, self._settings)
        parts = KeyParts(
            suite=Suite.SDK,
            sample=OWN_TESTS,
            case="",
            tests="",
            harness=sdk_judges(),
            environment=machine(),
            answer=answer,
            model=model,
            settings=self._settings,
        )
        key = attempt_key(parts)
        return SdkTask(Origin(key, "", OWN_TESTS, "", model, judged_as=JudgedAs.by(parts)), None)

    def _content(self, sample: Sample) -> Content:
        name = name_of(sample)
        if name not in self._contents:
            self._contents[name] = content_of(sample)
        return self._contents[name]


def name_of(sample: Sample) -> str:
    return f"{sample.sdk}/{sample.id}"


def _laid_out(
    sample: Sample | None, submission: Submission, begun: GeneratedSolution
) -> GeneratedSolution:
    if submission.answer is not None and sample is not None:
        answer = Answer(text=submission.answer, truncated=submission.truncated)
        return take_answer(sample, answer, begun)
    if submission.files is not None and sample is not None:
        return write_solution(sample.starter_dir, submission.files, begun)
    project = submission.project or {}
    if sample is not None:
        return write_solution(None, project, begun)
    return _written(project, begun)


def _written(project: dict[str, File], begun: GeneratedSolution) -> GeneratedSolution:
    """As it is, with its tests."""
    write_folder(begun.folder, {name: file.data for name, file in project.items()})
    for name, file in project.items():
        if file.executable:
            (begun.folder / name).chmod(0o755)
    return begun.model_copy(update={"written": tuple(project)})


def _digest(solution: GeneratedSolution) -> str:
    files = sorted(
        (each.name, hashlib.sha256(each.data).hexdigest())
        for each in solution.artefacts
        if each.kind == SOLUTION
    )
    executable = solution.record.get("executable")
    marks = [str(executable)] if executable else []
    return digest(*(part for file in files for part in file), *marks)


def _listed(name: str, sample: Sample) -> ListedSample:
    metadata = sample.ground_truth.metadata
    return ListedSample(
        name=name,
        sdk=sample.sdk,
        id=sample.id,
        sdk_version=metadata.sdk_version,
        task_type=metadata.task_type,
        task_name=metadata.task_name,
        framework=metadata.framework,
        difficulty=metadata.difficulty,
        description=metadata.description,
    )
