"""MLX models, in a worker process: a computation can't be interrupted, a process can be killed."""

import asyncio
import importlib.util
import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ValidationError

from sdkbench.backends.blocking import attend
from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Setting
from sdkbench.backends.redact import quoted, secrets_in
from sdkbench.errors import InputError, MissingTool, SdkbenchError
from sdkbench.sandbox import Cancellation, Ending, Reply, Worker

WORKER = Path(__file__).parent / "mlx_worker.py"
LOAD_SECONDS = 900.0  # weights of many gigabytes from a slow disk, or fetched first
# What the worker may know of the user's environment; no key but the model hub's.
HANDED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "XDG_CACHE_HOME", "SSL_CERT_FILE")
HANDED_ON_PREFIXES = ("HF_", "MLX_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
MISSING = (
    "The mlx backend needs the packages mlx (on Linux with its CPU part) and mlx-lm: "
    "pip install 'sdkbench[mlx]'."
)


def open_mlx(target: str, setting: Setting) -> Backend:
    """A model folder, or a name on the model hub; loaded before this returns."""
    if not target:
        raise InputError("The mlx backend needs a model: mlx:PATH.")
    if importlib.util.find_spec("mlx_lm") is None:
        raise MissingTool(MISSING)
    folder = Path(target).expanduser()
    if not folder.is_dir() and (target.startswith(("/", ".", "~")) or target.count("/") != 1):
        raise InputError(f"The mlx backend finds no model folder {target}.")
    environment = _handed_on(setting.environment)
    if folder.is_dir():
        target = str(folder.resolve())
        environment["HF_HUB_OFFLINE"] = "1"
    backend = MlxBackend(target, environment)
    backend.load(Cancellation())
    return backend


def _handed_on(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if name in HANDED_ON or name.upper().startswith(HANDED_ON_PREFIXES)
    }


class _Message(BaseModel):
    """A line of the worker's: ready, a failure, or an answer."""

    ready: bool = False
    failure: str = ""
    message: str = ""
    text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    truncated: bool = False


class MlxBackend:
    """One request at a time; others wait their turn, and their time counts from there.

    A request that is late or cancelled costs the worker its life; the next one starts another
    first, which is not on that request's time either.
    """

    parallel = 1

    def __init__(self, target: str, environment: Mapping[str, str]) -> None:
        self.name = f"mlx:{target}"
        self._target = target
        self._environment = dict(environment)
        self._secrets = secrets_in(environment)
        self._worker: Worker | None = None
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="mlx")
        self._turn = asyncio.Lock()

    def load(self, cancellation: Cancellation) -> None:
        """Start the worker unless it is up. Raises InputError if the model can't be loaded."""
        if self._worker is not None and self._worker.alive:
            return
        self._drop()
        argv = [sys.executable, "-I", str(WORKER), self._target]
        self._worker = Worker(argv, self._environment)
        reply = self._worker.ask(b"", seconds=LOAD_SECONDS, cancellation=cancellation)
        problem = self._load_problem(reply)
        if problem is not None:
            self._drop()
            raise problem

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        order = {"prompt": prompt, "system": system, "max_tokens": max_tokens}
        line = json.dumps(order).encode()
        async with self._turn:
            await attend(self._executor, self.load)
            work = partial(self._ask, line, deadline_seconds)
            reply = await attend(self._executor, work)
        return self._answer(reply, deadline_seconds)

    async def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._drop()

    def _ask(self, line: bytes, seconds: float, cancellation: Cancellation) -> Reply:
        if self._worker is None:
            return Reply(ending=Ending.DIED, last_words="not started")
        return self._worker.ask(line, seconds=seconds, cancellation=cancellation)

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.stop()
        self._worker = None

    def _load_problem(self, reply: Reply) -> SdkbenchError | None:
        if reply.ending is Ending.LATE:
            return InputError(f"{self.name} was not loaded within {LOAD_SECONDS:g} s.")
        message = _read(reply.line)
        if message is not None and message.ready:
            return None
        if message is not None and message.failure == "missing":
            return MissingTool(f"{MISSING} ({self._quote(message.message)})")
        why = message.message if message is not None else reply.last_words
        return InputError(f"{self.name} cannot be loaded: {self._quote(why)}.")

    def _answer(self, reply: Reply, deadline_seconds: float) -> Answer:
        if reply.ending is Ending.LATE:
            text = f"{self.name} did not answer within {deadline_seconds:g} s and was ended."
            raise BackendFailure(text, FailureKind.TIMEOUT)
        if reply.ending is not None:
            text = f"The worker of {self.name} {reply.ending}: {self._quote(reply.last_words)}."
            raise BackendFailure(text, FailureKind.SERVER)
        message = _read(reply.line)
        if message is None or (message.text is None and not message.failure):
            text = f"The worker of {self.name} answered with something unreadable."
            raise BackendFailure(text, FailureKind.MALFORMED)
        if message.text is None:
            text = f"{self.name} cannot answer this: {self._quote(message.message)}."
            raise BackendFailure(text, FailureKind.REQUEST)
        return Answer(
            text=message.text,
            input_tokens=message.input_tokens,
            output_tokens=message.output_tokens,
            truncated=message.truncated,
        )

    def _quote(self, text: str) -> str:
        return quoted(self._secrets, text).rstrip(".")


def _read(line: bytes) -> _Message | None:
    try:
        return _Message.model_validate_json(line)
    except ValidationError:
        return None
