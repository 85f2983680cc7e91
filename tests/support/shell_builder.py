"""Small datasets and scripted backends for tests of the harness."""

import asyncio
from collections.abc import Awaitable, Callable

from sdkbench.backends import Answer
from sdkbench.sandbox import choose
from sdkbench.shell import Category, TestCase, TestDataset
from sdkbench.shell.posix.tools import SandboxedTools

# The real tools; their input is text of ours, so nothing needs to be isolated.
TOOLS = SandboxedTools(choose("plain"))

Reply = Callable[[str], Awaitable[object]]


def case(number: int = 0, command: str = "", **extra: object) -> TestCase:
    data: dict[str, object] = {
        "id": f"case-{number}",
        "prompt": f"prompt {number}",
        "expected_command": command,
        "category": Category.CORRECTNESS,
        "safe": True,
        "posix_compliant": True,
        "shell": "sh",
    }
    return TestCase.model_validate(data | extra)


def dataset(*cases: TestCase, **extra: object) -> TestDataset:
    return TestDataset.model_validate({"version": "1", "test_cases": cases, **extra})


def numbered(count: int) -> TestDataset:
    return dataset(*(case(number, f"echo {number}") for number in range(count)))


class Scripted:
    """Answers by a function of the prompt, and counts how many questions are open at once."""

    def __init__(self, reply: Reply, name: str = "scripted") -> None:
        self.name = name
        self.closed = False
        self.asked: list[str] = []
        self.systems: list[str | None] = []
        self.open = 0
        self.most_open = 0
        self._reply = reply

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        assert deadline_seconds > 0
        assert max_tokens > 0
        self.asked.append(prompt)
        self.systems.append(system)
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            return await self._reply(prompt)  # type: ignore[return-value]
        finally:
            self.open -= 1

    async def close(self) -> None:
        self.closed = True


def always(text: str) -> Scripted:
    async def reply(_prompt: str) -> Answer:
        return Answer(text=text)

    return Scripted(reply)


def echoing(delay: Callable[[int], float] = lambda _number: 0.0) -> Scripted:
    """Right for `numbered`: the answer to prompt n is `echo n`."""

    async def reply(prompt: str) -> Answer:
        number = int(prompt.rsplit(maxsplit=1)[-1])
        await asyncio.sleep(delay(number))
        return Answer(text=f"echo {number}")

    return Scripted(reply)


def failing(error: BaseException) -> Scripted:
    async def reply(_prompt: str) -> Answer:
        raise error

    return Scripted(reply)
