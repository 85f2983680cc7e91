"""The mlx backend, and openai against mlx_lm's own server, with a tiny model made here."""

import asyncio
import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from sdkbench.backends import (
    Answer,
    Backend,
    BackendFailure,
    BackendRegistry,
    FailureKind,
    open_backend,
)
from sdkbench.backends.mlx import MlxBackend
from sdkbench.errors import InputError, MissingTool
from tests.support.places import ROOT

T = TypeVar("T")
LIMIT = 120.0
SHORT = 1.0
PATIENCE = 120.0  # seconds that a busy machine may add
ENDLESS = 10_000_000  # tokens, which no one waits for

needs_mlx = pytest.mark.skipif(
    importlib.util.find_spec("mlx_lm") is None, reason="needs pip install 'sdkbench[mlx]'"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    command = [sys.executable, str(ROOT / "tests" / "support" / "tiny_model.py"), str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture
def opened(model: Path) -> Iterator[MlxBackend]:
    backend = open_backend(f"mlx:{model}")
    assert isinstance(backend, MlxBackend)
    yield backend
    asyncio.run(backend.close())


async def ask(
    backend: Backend, *, limit: float = LIMIT, tokens: int = 8, system: str | None = None
) -> Answer:
    return await backend.generate(
        "list files", system=system, deadline_seconds=limit, max_tokens=tokens
    )


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(work())


def worker_pid(backend: MlxBackend) -> int:
    assert backend._worker is not None
    return backend._worker.pid


def exists(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@needs_mlx
def test_a_model_answers_with_counts(opened: MlxBackend) -> None:
    async def work() -> tuple[Answer, Answer]:
        return await ask(opened), await ask(opened, system="Only one command.")

    plain, told = run(work)
    assert plain.output_tokens == 8
    assert plain.truncated
    assert (told.input_tokens or 0) > (plain.input_tokens or 0) > 0


@needs_mlx
def test_a_late_request_costs_the_worker_and_the_next_one_is_answered(opened: MlxBackend) -> None:
    async def work() -> tuple[BackendFailure, float, Answer]:
        began = time.monotonic()
        with pytest.raises(BackendFailure) as caught:
            await ask(opened, limit=SHORT, tokens=ENDLESS)
        taken = time.monotonic() - began
        return caught.value, taken, await ask(opened)

    first = worker_pid(opened)
    failure, taken, after = run(work)
    assert failure.kind is FailureKind.TIMEOUT
    assert str(failure).endswith("did not answer within 1 s and was ended.")
    assert taken < SHORT + PATIENCE
    assert not exists(first)
    assert after.output_tokens == 8


@needs_mlx
def test_cancelling_ends_the_worker_and_waiting_ones_are_answered(opened: MlxBackend) -> None:
    async def work() -> Answer:
        doomed = asyncio.create_task(ask(opened, tokens=ENDLESS))
        await asyncio.sleep(0.3)
        waiting = asyncio.create_task(ask(opened))
        await asyncio.sleep(0.1)
        doomed.cancel()
        with pytest.raises(asyncio.CancelledError):
            await doomed
        return await waiting

    assert run(work).output_tokens == 8


@needs_mlx
def test_requests_at_once_take_turns(opened: MlxBackend) -> None:
    async def work() -> list[Answer]:
        return await asyncio.gather(*(ask(opened) for _ in range(5)))

    assert len({answer.text for answer in run(work)}) == 1


@needs_mlx
def test_a_worker_that_is_killed_is_reported_and_replaced(opened: MlxBackend) -> None:
    async def work() -> tuple[BackendFailure, Answer]:
        task = asyncio.create_task(ask(opened, tokens=ENDLESS))
        await asyncio.sleep(0.3)
        os.kill(worker_pid(opened), signal.SIGKILL)
        with pytest.raises(BackendFailure) as caught:
            await task
        return caught.value, await ask(opened)

    failure, after = run(work)
    assert failure.kind is FailureKind.SERVER
    assert "died: killed by SIGKILL" in str(failure)
    assert after.output_tokens == 8


@needs_mlx
def test_closing_ends_the_worker(model: Path) -> None:
    backend = open_backend(f"mlx:{model}")
    assert isinstance(backend, MlxBackend)
    pid = worker_pid(backend)
    assert exists(pid)
    asyncio.run(backend.close())
    assert not exists(pid)


@needs_mlx
def test_the_worker_is_given_no_keys(model: Path) -> None:
    environment = {**os.environ, "OPENAI_API_KEY": "sk-secret-1234567890"}
    backend = open_backend(f"mlx:{model}", environment=environment)
    assert isinstance(backend, MlxBackend)
    given = Path(f"/proc/{worker_pid(backend)}/environ").read_bytes()
    asyncio.run(backend.close())
    assert b"sk-secret" not in given


@needs_mlx
def test_a_folder_that_is_no_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be loaded: FileNotFoundError"):
        open_backend(f"mlx:{tmp_path}")


@needs_mlx
@pytest.mark.parametrize("target", ["", "/no/such/folder", "./nothing", "nothing"])
def test_a_target_that_is_no_folder_is_reported(target: str) -> None:
    with pytest.raises(InputError, match=r"needs a model: mlx:PATH|finds no model folder"):
        open_backend(f"mlx:{target}")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    BackendRegistry.names()  # found before looking things up is patched

    def nowhere(_name: str) -> None:
        return None

    monkeypatch.setattr(importlib.util, "find_spec", nowhere)
    with pytest.raises(MissingTool, match=r"pip install 'sdkbench\[mlx\]'"):
        open_backend("mlx:/anything")


@contextlib.contextmanager
def mlx_server(model: Path) -> Iterator[str]:
    """mlx_lm's own server on loopback, ended by its own process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mlx_lm", "server", "--model", str(model)]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    log = model.parent / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + LIMIT
        while not _listens(port):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@needs_mlx
def test_the_openai_backend_asks_a_real_mlx_server(model: Path) -> None:
    with mlx_server(model) as url:

        async def work() -> tuple[Answer, BackendFailure]:
            backend = open_backend(f"openai:{model}@{url}", environment={})
            try:
                answer = await ask(backend, system="Only one command.")
                with pytest.raises(BackendFailure) as caught:
                    await ask(backend, limit=SHORT, tokens=ENDLESS)
                return answer, caught.value
            finally:
                await backend.close()

        answer, late = run(work)
    assert answer.text
    assert answer.output_tokens == 8
    assert answer.truncated
    assert late.kind is FailureKind.TIMEOUT
