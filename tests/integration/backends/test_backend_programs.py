"""Backends that need no server: command, replay, reference; and how all are found by name."""

import asyncio
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.backends import (
    Answer,
    Backend,
    BackendFailure,
    BackendRegistry,
    FailureKind,
    Setting,
    open_backend,
)
from sdkbench.errors import InputError, PluginFault

LIMIT = 60.0
SHORT = 1.0
PATIENCE = 120.0  # seconds that a busy machine may add
KEY = "sk-secret-1234567890"
Program = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The spec of a command backend that runs this Python text."""

    def make(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(text)
        return f"command:{shlex.join([sys.executable, '-S', str(path)])}"

    return make


def ask(
    backend: Backend, *, limit: float = LIMIT, prompt: str = "list files", system: str | None = None
) -> Answer:
    async def run() -> Answer:
        try:
            return await backend.generate(
                prompt, system=system, deadline_seconds=limit, max_tokens=50
            )
        finally:
            await backend.close()

    return asyncio.run(run())


def failure(backend: Backend, *, limit: float = LIMIT) -> BackendFailure:
    with pytest.raises(BackendFailure) as caught:
        ask(backend, limit=limit)
    return caught.value


def gone(pid: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # dead; whoever inherited it has not looked yet
            return True
        time.sleep(0.05)
    return False


def test_a_program_reads_the_prompt_on_stdin(program: Program) -> None:
    backend = open_backend(program("import sys; print(sys.stdin.read().upper(), end='')"))
    text = "a “b” {workspace} {message} $HOME\n"
    assert ask(backend, prompt=text).text == text.upper()


def test_a_program_takes_the_prompt_as_an_argument(program: Program) -> None:
    spec = program("import sys; print(sys.argv[1:], repr(sys.stdin.read()))")
    answer = ask(open_backend(spec + " --ask {prompt}"), prompt="it's; rm -rf {prompt}")
    assert answer.text == """['--ask', "it's; rm -rf {prompt}"] ''\n"""


def test_a_system_text_stands_before_the_prompt(program: Program) -> None:
    spec = program("import os, sys; print(sys.stdin.read(), os.environ['SDKBENCH_MAX_TOKENS'])")
    assert ask(open_backend(spec), system="Be brief.").text == "Be brief.\n\nlist files 50\n"


def test_a_megabyte_of_prompt_that_is_never_read(program: Program) -> None:
    assert ask(open_backend(program("print('ls')")), prompt="x" * (1 << 20)).text == "ls\n"


def test_a_program_that_fails_is_reported_with_its_last_lines(program: Program) -> None:
    told = failure(open_backend(program("import sys; sys.exit('no model here')")))
    assert told.kind is FailureKind.SERVER
    assert str(told).endswith("failed with exit code 1: no model here.")


def test_a_program_that_is_killed_is_reported(program: Program) -> None:
    told = failure(open_backend(program("import os; os.kill(os.getpid(), 11)")))
    assert "killed by SIGSEGV" in str(told)


@pytest.mark.parametrize("ignore", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN);"])
def test_a_program_that_hangs_meets_the_limit(program: Program, ignore: str) -> None:
    spec = program(f"import signal, time; {ignore} time.sleep(600)")
    began = time.monotonic()
    told = failure(open_backend(spec), limit=SHORT)
    assert time.monotonic() - began < SHORT + PATIENCE
    assert told.kind is FailureKind.TIMEOUT


def test_a_flood_is_stopped(program: Program) -> None:
    told = failure(open_backend(program("while True: print('x' * 9999)")))
    assert told.kind is FailureKind.MALFORMED
    assert str(told).endswith("printed more than 4 MiB.")


FAMILY = """
import os, pathlib, sys, time
for detach in (False, True):
    if os.fork() == 0:
        if detach:
            os.setsid()
        with open(sys.argv[1], "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(600)
while len(pathlib.Path(sys.argv[1]).read_text().splitlines() if
          os.path.exists(sys.argv[1]) else []) < 2:
    time.sleep(0.02)
print("ls", flush=True)
"""


@pytest.mark.parametrize("ending", ["", "time.sleep(600)"], ids=["answers", "hangs"])
def test_no_child_is_left_behind(program: Program, tmp_path: Path, ending: str) -> None:
    pids = tmp_path / "pids"
    backend = open_backend(f"{program(FAMILY + ending)} {pids}")
    if ending:
        assert failure(backend, limit=5).kind is FailureKind.TIMEOUT
    else:
        assert ask(backend).text == "ls\n"
    assert [gone(int(pid)) for pid in pids.read_text().split()] == [True, True]


def wait_for_note(note: Path) -> None:
    deadline = time.monotonic() + LIMIT
    while not (note.exists() and note.read_text().endswith(".")):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_cancelling_ends_the_program(program: Program, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    spec = program(
        "import os, pathlib, sys, time\n"
        "pathlib.Path(sys.argv[1]).write_text(str(os.getpid()) + '.')\ntime.sleep(600)"
    )

    async def run() -> int:
        backend = open_backend(f"{spec} {note}")
        call = backend.generate("x", system=None, deadline_seconds=600, max_tokens=5)
        task = asyncio.create_task(call)
        await asyncio.to_thread(wait_for_note, note)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await backend.close()
        return int(note.read_text()[:-1])

    assert gone(asyncio.run(run()))


def test_keys_are_in_no_message_answer_or_name(program: Program) -> None:
    environment = {**os.environ, "OPENAI_API_KEY": KEY}
    fails = program("import os, sys; sys.exit('bad key ' + os.environ['OPENAI_API_KEY'])")
    backend = open_backend(f"{fails} --key {KEY}", environment=environment)
    assert KEY not in backend.name
    assert str(failure(backend)).endswith("bad key [hidden].")
    says = program("import os; print('echo', os.environ['OPENAI_API_KEY'])")
    assert ask(open_backend(says, environment=environment)).text == "echo [hidden]\n"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("command:", "needs a program"),
        ("command:no-such-program-here", "finds no program 'no-such-program-here'"),
        ("command:echo 'open", "not quoted as in a shell: No closing quotation"),
    ],
)
def test_an_invalid_command_is_refused(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        open_backend(spec)


def test_an_argument_too_long_for_the_system_is_reported() -> None:
    backend = open_backend("command:echo {prompt}")
    with pytest.raises(BackendFailure, match=r"Argument list too long") as caught:
        ask(backend, prompt="x" * (8 << 20))
    assert caught.value.kind is FailureKind.REQUEST


def replay(tmp_path: Path, *lines: object) -> str:
    path = tmp_path / "answers.jsonl"
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(texts))
    return f"replay:{path}"


def test_answers_are_found_by_prompt_and_by_id(tmp_path: Path) -> None:
    spec = replay(
        tmp_path,
        {"prompt": "list files", "answer": "ls", "model": "m", "cost": 0.1},
        b"",
        {"id": "two", "command": "pwd"},
        {"id": "filtered-out", "command": "df"},
    )
    prompts = {"one": "list files", "two": "where am I?"}
    assert ask(open_backend(spec, prompts=prompts)).text == "ls"
    assert ask(open_backend(spec, prompts=prompts), prompt="where am I?").text == "pwd"


def test_a_prompt_without_an_answer_is_a_failure(tmp_path: Path) -> None:
    told = failure(open_backend(replay(tmp_path, {"prompt": "p", "answer": "a"})))
    assert told.kind is FailureKind.REQUEST
    assert "holds no answer to the prompt 'list files'" in str(told)


def test_every_bad_line_is_reported_with_its_number(tmp_path: Path) -> None:
    spec = replay(
        tmp_path,
        {"prompt": "p", "answer": "a"},
        b"{not json",
        {"answer": "a"},
        {"prompt": "p"},
        {"prompt": "p", "answer": 3},
        b"\xff\xfe",
        b"[]",
        {"prompt": "p", "answer": "another"},
        {"id": "x", "answer": "a"},
        b"[" * 100_000,
    )
    with pytest.raises(InputError) as caught:
        open_backend(spec)
    message = str(caught.value)
    assert "has 9 bad lines: line 2: not JSON; line 3: neither id nor prompt; line 4: " in message
    assert "line 5: answer: " in message
    assert "line 8: another answer to the prompt of line 1" in message
    assert "line 9: an id, where no dataset gives its prompt" in message
    assert all(f"line {number}: " in message for number in range(2, 11))


def test_replay_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no answers"):
        open_backend(replay(tmp_path))
    with pytest.raises(InputError, match="No such file"):
        open_backend(f"replay:{tmp_path}/nothing.jsonl")
    with pytest.raises(InputError, match="Is a directory"):
        open_backend(f"replay:{tmp_path}")
    with pytest.raises(InputError, match="needs a file"):
        open_backend("replay")


def test_the_reference_answers_what_the_dataset_says() -> None:
    backend = open_backend("reference", references={"list files": "ls"})
    assert backend.name == "reference"
    assert ask(backend).text == "ls"
    with pytest.raises(InputError, match="needs a dataset"):
        open_backend("reference")
    with pytest.raises(InputError, match="takes nothing after its name"):
        open_backend("reference:x", references={"a": "b"})


def test_unknown_names_are_reported_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no backend 'opnai'. Did you mean 'openai'\?"):
        open_backend("opnai:gpt")
    with pytest.raises(InputError, match=r"There are: anthropic, command, mlx, openai"):
        open_backend("")


def test_a_backend_added_in_code_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        BackendRegistry._registry, "_items", dict(BackendRegistry._registry.items())
    )

    def open_echo(target: str, setting: Setting) -> Backend:
        assert setting.environment["A"] == "b"
        return open_backend("reference", references={"list files": target})

    BackendRegistry.register("echo", open_echo)
    assert ask(open_backend("echo:a:b", environment={"A": "b"})).text == "a:b"
    with pytest.raises(PluginFault, match="Two plugins"):
        BackendRegistry.register("openai", open_echo)


def test_no_extra_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys; from sdkbench.backends import BackendRegistry; BackendRegistry.names(); "
        "print(*{'openai', 'anthropic', 'httpx2', 'mlx', 'mlx_lm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
