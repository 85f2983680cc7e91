"""Answers that are known beforehand: the dataset's own, where whatever is judged wrong is ours; and
what one starts from, an empty line, the counterpart of a sample's unfinished starter.
"""

from collections.abc import Mapping

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Setting
from sdkbench.errors import InputError

SHOWN_PROMPT = 80


def open_reference(target: str, setting: Setting) -> Backend:
    if target:
        raise InputError("The reference backend takes nothing after its name: reference.")
    if not setting.references:
        raise InputError("The reference backend needs a dataset that holds reference answers.")
    return KnownAnswers("reference", setting.references)


class KnownAnswers:
    """Prompt → text from a mapping. A prompt that isn't there is a failure, never an empty text."""

    def __init__(self, name: str, answers: Mapping[str, str]) -> None:
        self.name = name
        self._answers = dict(answers)

    async def generate(
        self,
        prompt: str,
        *,
        system: str | None,  # noqa: ARG002 - the answer is known already
        deadline_seconds: float,  # noqa: ARG002
        max_tokens: int,  # noqa: ARG002
    ) -> Answer:
        if prompt not in self._answers:
            start = prompt if len(prompt) <= SHOWN_PROMPT else prompt[: SHOWN_PROMPT - 1] + "…"
            text = f"{self.name} holds no answer to the prompt {start!r}."
            raise BackendFailure(text, FailureKind.REQUEST)
        return Answer(text=self._answers[prompt])

    def known(self, prompt: str) -> str | None:
        return self._answers.get(prompt)

    async def close(self) -> None:
        pass


def open_starter(target: str, setting: Setting) -> Backend:  # noqa: ARG001 - an opener's signature
    if target:
        raise InputError("The starter backend takes nothing after its name: starter.")
    return Starter()


class Starter:
    """A judge that passes any of its answers passes anything."""

    name = "starter"

    async def generate(
        self,
        prompt: str,  # noqa: ARG002 - the answer is the same to all
        *,
        system: str | None,  # noqa: ARG002
        deadline_seconds: float,  # noqa: ARG002
        max_tokens: int,  # noqa: ARG002
    ) -> Answer:
        return Answer(text="")

    async def close(self) -> None:
        pass
