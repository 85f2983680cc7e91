"""Solutions from a model that answers with text."""

from functools import partial
from pathlib import Path

from sdkbench.backends import Answer, Backend, BackendFailure
from sdkbench.backends.blocking import finish
from sdkbench.backends.known import KnownAnswers
from sdkbench.backends.refusals import is_refusal
from sdkbench.backends.retry import retrying
from sdkbench.core.fingerprints import digest
from sdkbench.datasets import Sample
from sdkbench.generation.answers import ProposedFiles, read_answer
from sdkbench.generation.files import File, starter_texts, write_solution
from sdkbench.generation.generator import Settings, Source
from sdkbench.generation.prompt import TEXT_TEMPLATE, Prompt, build_prompt
from sdkbench.generation.solution import GeneratedSolution, ModelUsage, Refusal


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
        tried = await retrying(partial(self._ask, prompt), self._settings.retry)
        if isinstance(tried.outcome, BackendFailure):
            raise tried.outcome
        usage = ModelUsage(tries=tried.tries, seconds=round(tried.seconds, 3))
        begun = GeneratedSolution(
            folder=into, sample_id=sample.id, model=self.name, template=prompt.template, usage=usage
        )
        answer = tried.outcome
        return await finish(lambda: take_answer(sample, answer, begun))

    async def close(self) -> None:
        await self.backend.close()

    async def _ask(self, prompt: Prompt, left_seconds: float) -> Answer:
        return await self.backend.generate(
            prompt.text,
            system=prompt.system,
            deadline_seconds=left_seconds,
            max_tokens=self._settings.max_tokens,
        )


def take_answer(sample: Sample, answer: Answer, begun: GeneratedSolution) -> GeneratedSolution:
    """The solution with the answer's files, written over the sample's starter."""
    starter = starter_texts(sample.starter_dir)
    proposed = read_answer(answer.text, starter, truncated=answer.truncated)
    files = {path: _file(text) for path, text in proposed.files.items()}
    nothing = not proposed.files
    counts = answer.model_dump(include={"input_tokens", "output_tokens", "cost"})
    solution = begun.model_copy(
        update={
            "refusals": _unused(proposed),
            "notes": ("no file was found in the answer",) if nothing else (),
            "truncated": answer.truncated or proposed.cut_off,
            "refused": answer.refused or (nothing and is_refusal(answer.text)),
            "usage": begun.usage.model_copy(update=counts),
            "answer": answer.text.encode("utf-8", "replace").decode(),
        }
    )
    return write_solution(sample.starter_dir, files, solution)


def _file(text: str | None) -> File | None:
    # Lone surrogates can be held in memory but in no file.
    return None if text is None else File(text.encode("utf-8", "replace"))


def _unused(proposed: ProposedFiles) -> tuple[Refusal, ...]:
    return tuple(
        Refusal(path=part.path.encode("utf-8", "replace").decode(), reason=part.reason)
        for part in proposed.left_out
    )
