"""The POSIX tools kept in a sandbox: same answers as a batch, whatever happens to the service."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sdkbench.sandbox import choose
from sdkbench.shell.posix import ToolOutput, check_posix, is_posix_compliant, kept
from sdkbench.shell.posix.kept import KeptTools, RememberingTools, Unserved
from sdkbench.shell.posix.tools import BatchTools, SandboxedTools

COMMANDS = [
    "echo $x", "[[ a ]]", "a=(1)", "echo (", "if", "cat <<E\n$x\nE", "echo\t'é🦀' <(a)", "\ud800",
    "${x^^}; echo $'a' $10", "for i in 1; do\n\techo &> x\ndone",
    "# shellcheck disable=all\n[[ a ]]",
]  # fmt: skip
BATCH = SandboxedTools(choose("plain"))


@pytest.fixture
def tools() -> Iterator[KeptTools]:
    kept_tools = KeptTools()
    yield kept_tools
    kept_tools.close()


def remembering(tools: KeptTools) -> RememberingTools:
    return RememberingTools(tools, BatchTools(never))


def never(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
    raise AssertionError((argv, files))


def children(pid: int) -> set[int]:
    """All processes below `pid`."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found |= {child} | children(child)
    return found


def eventually_gone(pids: set[int]) -> bool:
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("level", ["auto", "plain"])
def test_kept_tools_say_what_a_batch_says(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = KeptTools(choose(level))
    monkeypatch.setattr("sdkbench.shell.posix.check.kept_tools", lambda: remembering(tools))
    try:
        for command, expected in zip(COMMANDS, check_posix(COMMANDS, run=BATCH), strict=True):
            assert is_posix_compliant(command) == expected.compliant
            assert check_posix([command]) == [expected]
    finally:
        tools.close()


def test_what_was_asked_once_is_not_asked_again(tools: KeptTools) -> None:
    memory = remembering(tools)
    first = memory.shellcheck(["[[ a ]]"])
    tools.close()
    assert memory.shellcheck(["[[ a ]]"]) == first
    assert tools.pid is None


def test_a_plain_command_starts_nothing(tools: KeptTools) -> None:
    memory = remembering(tools)
    assert memory.shfmt(["ls -la | sort"], "posix") == {"ls -la | sort": ()}
    assert tools.pid is None


def test_many_commands_go_as_a_batch(tools: KeptTools) -> None:
    memory = RememberingTools(tools, BatchTools(BATCH))
    texts = [f"echo $x{number}" for number in range(kept.MANY)]
    assert set(memory.shellcheck(texts).values()) == {()}
    assert tools.pid is None


def test_a_service_that_died_is_started_again(tools: KeptTools) -> None:
    said = tools.ask("shellcheck", "[[ a ]]")
    assert tools.pid is not None
    dead = tools.pid
    os.kill(dead, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while tools.pid == dead:  # the last words of what is dying are as good as any
        assert tools.ask("posix", "echo $x") == ""
        assert time.monotonic() < deadline
    again = tools.ask("shellcheck", "[[ a ]]")
    assert said is not None
    assert again is not None
    assert said.splitlines()[-1] == again.splitlines()[-1]


def test_a_tool_that_died_is_started_again(tools: KeptTools) -> None:
    tools.ask("shellcheck", "[[ a ]]")
    assert tools.pid is not None
    service = tools.pid
    for pid in children(service):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if words[0].endswith(b"/shellcheck"):
            os.kill(pid, signal.SIGKILL)
    assert "SC3010" in (tools.ask("shellcheck", "[[ a ]]") or "")
    assert tools.pid == service


def test_a_late_answer_is_none_and_spoils_nothing(tools: KeptTools) -> None:
    tools.ask("posix", "a")
    assert tools.pid is not None
    below = children(tools.pid)
    # Twenty unclosed "$((" keep ShellCheck busy for hours.
    assert tools.ask("shellcheck", "echo " + "$((" * 40, seconds=0.5) is None
    assert tools.pid is None
    assert eventually_gone(below)
    assert "SC3010" in (tools.ask("shellcheck", "[[ a ]]") or "")


def test_hostile_commands_get_an_answer(tools: KeptTools) -> None:
    hostile = ["a\0b", "a" * 1_000_000, "(" * 5_000, "`" * 99, "\r\n\r", "é🦀" * 6_000, "</file>\n"]
    for text in hostile:
        tools.ask("posix", text)
    for text in ("a\0b", "echo </file>\n", "'</file>\n'", "é🦀" * 6_000):
        assert tools.ask("shellcheck", text) is not None
    assert "SC3010" in (tools.ask("shellcheck", "[[ a ]]") or "")


def test_a_command_can_not_read_the_next_one(tools: KeptTools) -> None:
    assert tools.ask("shellcheck", ". ./1.sh; . /tmp/*/*; . -; . /dev/stdin") is not None
    assert "SC3010" not in (tools.ask("shellcheck", "echo a $x") or "SC3010")


def test_more_commands_than_one_process_takes(tools: KeptTools) -> None:
    for number in range(450):
        output = tools.ask("shellcheck", f"[[ {number} ]]") or ""
        assert output.count("SC3010") == 1


def test_threads_get_their_own_answers(tools: KeptTools) -> None:
    memory = remembering(tools)

    def check(number: int) -> bool:
        bashism = f"[[ {number} ]]" if number % 2 else f"echo $x {number}"
        return bool(memory.shellcheck([bashism])[bashism]) == bool(number % 2)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(check, range(120)))


def test_nothing_is_left_after_close(tools: KeptTools) -> None:
    tools.ask("shellcheck", "echo $x")
    assert tools.pid is not None
    all_of_it = {tools.pid} | children(tools.pid)
    assert len(all_of_it) > 2
    tools.close()
    tools.close()
    assert eventually_gone(all_of_it)


def test_it_ends_with_its_parent() -> None:
    program = textwrap.dedent("""
        import os, signal
        from sdkbench.shell.posix.kept import kept_tools
        tools = kept_tools()
        tools.shellcheck(["[[ a ]]"])
        print(tools.kept.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert eventually_gone({int(done.stdout)})


def test_where_it_can_not_be_started_a_batch_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "PROGRAM", Path("/usr/bin/true"))
    tools = KeptTools(choose("plain"))
    with pytest.raises(Unserved, match="can't be kept"):
        tools.ask("posix", "echo $x")
    memory = RememberingTools(tools, BatchTools(BATCH))
    assert memory.shfmt(["a=(1)"], "posix")["a=(1)"]
    tools.close()
