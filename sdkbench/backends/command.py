"""Any program that reads a prompt and prints an answer."""

import shlex
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sdkbench.backends.blocking import attend
from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Setting
from sdkbench.backends.redact import quoted, secrets_in, without
from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import Cancellation, Completed, Limits, StoppedBy, run_own

PROMPT = "{prompt}"
OUTPUT_BYTES = 4 << 20
AT_ONCE = 64  # more callers wait their turn, on their own time
ENDING_SECONDS = 0.6  # a program that ignores SIGTERM is given half a second before SIGKILL


def open_command(target: str, setting: Setting) -> Backend:
    """`CMD WORDS`, quoted as in a shell; the prompt comes on stdin, or where `{prompt}` stands."""
    words = command_words("command", target)
    if not words:
        raise InputError("The command backend needs a program: command:./generate --fast.")
    if shutil.which(words[0], path=setting.environment.get("PATH")) is None:
        raise InputError(f"The command backend finds no program {words[0]!r} to run.")
    return CommandBackend(target, words, setting)


def command_words(name: str, target: str) -> list[str]:
    """The words of `name:target`. Raises InputError where its quotes don't match."""
    try:
        return shlex.split(target)
    except ValueError as error:
        raise InputError(f"{name}:{target} is not quoted as in a shell: {error}.") from error


class CommandBackend:
    """One process a prompt, in the user's folder and environment: it is the user's own program.

    SDKBENCH_MAX_TOKENS tells it the limit. A system text goes before the prompt.
    """

    def __init__(self, target: str, words: Sequence[str], setting: Setting) -> None:
        self._secrets = secrets_in(setting.environment)
        self.name = quoted(self._secrets, f"command:{target}")
        self._words = tuple(words)
        self._environment = dict(setting.environment)
        self._folder = Path.cwd()
        self._executor = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="command")

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        text = prompt if system is None else f"{system}\n\n{prompt}"
        deadline = time.monotonic() + deadline_seconds

        def work(cancellation: Cancellation) -> Completed | None:
            left = deadline - time.monotonic()
            return self._run(text, left, max_tokens, cancellation) if left > 0 else None

        try:
            done = await attend(self._executor, work)
        except SandboxFault as error:
            raise self._failure(str(error), FailureKind.REQUEST) from error
        return self._answer(done, deadline_seconds)

    async def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _run(
        self, text: str, seconds: float, max_tokens: int, cancellation: Cancellation
    ) -> Completed:
        in_words = any(PROMPT in word for word in self._words)
        return run_own(
            [word.replace(PROMPT, text) for word in self._words],
            stdin=b"" if in_words else text.encode("utf-8", "replace"),
            environment=self._environment | {"SDKBENCH_MAX_TOKENS": str(max_tokens)},
            cwd=self._folder,
            limits=Limits(
                wall_seconds=max(seconds - ENDING_SECONDS, seconds / 2),
                output_bytes=OUTPUT_BYTES,
                output_stop_bytes=OUTPUT_BYTES,
            ),
            cancellation=cancellation,
        )

    def _answer(self, done: Completed | None, deadline_seconds: float) -> Answer:
        if done is None or done.stopped_by is StoppedBy.WALL:
            text = f"{self.name} did not answer within {deadline_seconds:g} s and was ended."
            raise BackendFailure(text, FailureKind.TIMEOUT)
        if done.stopped_by is StoppedBy.OUTPUT or done.truncated:
            text = f"{self.name} printed more than {OUTPUT_BYTES >> 20} MiB."
            raise BackendFailure(text, FailureKind.MALFORMED)
        if not done.ok:
            last = done.stderr.strip().rpartition("\n")[2]
            ending = f"{done.ending()}: {last}" if last else done.ending()
            raise self._failure(f"{self.name} failed with {ending}", FailureKind.SERVER)
        return Answer(text=without(self._secrets, done.stdout))

    def _failure(self, text: str, kind: FailureKind) -> BackendFailure:
        return BackendFailure(quoted(self._secrets, text).rstrip(".") + ".", kind)
