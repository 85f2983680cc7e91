"""Solutions from a model that answers with text."""

import hashlib
from pathlib import Path

from sdkbench.backends import Backend
from sdkbench.backends.blocking import finish
from sdkbench.backends.reference import KnownAnswers
from sdkbench.datasets import Sample
from sdkbench.generation.answers import Proposal, read_answer
from sdkbench.generation.asking import Asked, ask
from sdkbench.generation.declining import declines
from sdkbench.generation.files import File, starter_texts, write_solution
from sdkbench.generation.generator import Settings, Source
from sdkbench.generation.prompt import TEXT_TEMPLATE, Prompt, build_prompt
from sdkbench.generation.solution import GeneratedSolution, Refusal, Usage


def text_prompt(sample: Sample, settings: Settings) -> Prompt:
    template = settings.template or TEXT_TEMPLATE
    return build_prompt(sample, template=template, docs=settings.docs)


class TextGenerator:
    """Asks `backend` for each sample and takes its answer apart; the starter lies underneath."""

    def __init__(self, backend: Backend, settings: Settings) -> None:
        self.name = backend.name
        self.at_once: int | None = getattr(backend, "parallel", None)
        self.backend = backend
        self._settings = settings

    def source(self, sample: Sample) -> Source:
        prompt = text_prompt(sample, self._settings)
        if isinstance(self.backend, KnownAnswers):
            known = self.backend.known(prompt.text)
            return Source() if known is None else Source(answer=digest(known))
        return Source(prompt=digest(*prompt, str(self._settings.max_tokens)))

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution:
        prompt = text_prompt(sample, self._settings)
        asked = await ask(self.backend, prompt, self._settings.patience, self._settings.max_tokens)
        template = prompt.template
        return await finish(
            lambda: take_answer(sample, asked, into, model=self.name, template=template)
        )

    async def close(self) -> None:
        await self.backend.close()


def digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def take_answer(
    sample: Sample, asked: Asked, into: Path, *, model: str, template: str | None
) -> GeneratedSolution:
    """The files of an answer, written into `into` over the sample's starter."""
    answer = asked.answer
    starter = starter_texts(sample.starter_dir)
    proposal = read_answer(answer.text, starter, truncated=answer.truncated)
    files = {path: _file(text) for path, text in proposal.files.items()}
    nothing = not proposal.files
    solution = GeneratedSolution(
        folder=into,
        sample_id=sample.id,
        model=model,
        template=template,
        refusals=_unused(proposal),
        notes=("no file was found in the answer",) if nothing else (),
        truncated=answer.truncated or proposal.cut_off,
        refused=answer.refused or (nothing and declines(answer.text)),
        usage=Usage(
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost=answer.cost,
            tries=asked.tries,
            seconds=round(asked.seconds, 3),
        ),
        answer=answer.text.encode("utf-8", "replace").decode(),
    )
    return write_solution(sample.starter_dir, files, solution)


def _file(text: str | None) -> File | None:
    # Lone surrogates can be held in memory but in no file.
    return None if text is None else File(text.encode("utf-8", "replace"))


def _unused(proposal: Proposal) -> tuple[Refusal, ...]:
    return tuple(
        Refusal(path=problem.path.encode("utf-8", "replace").decode(), reason=problem.reason)
        for problem in proposal.problems
    )
