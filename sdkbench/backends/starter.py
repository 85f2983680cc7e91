"""What one starts from: an empty line. The counterpart of a sample's unfinished starter."""

from sdkbench.backends.protocol import Answer, Backend, Setting
from sdkbench.errors import InputError


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
