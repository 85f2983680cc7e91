"""Agents: real commands in the real sandbox, honest and otherwise."""

import asyncio
import shlex
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from sdkbench.datasets import Sample
from sdkbench.errors import Cancelled, InputError
from sdkbench.generation import (
    AgentSettings,
    GeneratedSolution,
    Generator,
    Settings,
    agent,
    open_generator,
)
from sdkbench.generation.agent import take_output
from sdkbench.sandbox import OutputFile, Sandbox
from tests.support.projects import MakeSample, write

PATIENCE = 300.0  # seconds; the agents would go on for 600 and more
STARTER = {"app.py": "x = 0\n", "lib/a.py": "a = 1\n", "data.txt": "kept\n"}


@pytest.fixture
def sample(make_sample: MakeSample, sandbox: Sandbox) -> Sample:
    assert sandbox.level == "bubblewrap"
    made = make_sample(STARTER, {"test_app.py": ""}, description="Make x one.")
    write(made.starter_dir, {"app.py": "x = 0\n", "lib/a.py": "a = 1\n"})
    return made


def run(
    script: str, sample: Sample, into: Path, agent: AgentSettings | None = None, **environment: str
) -> GeneratedSolution:
    async def work() -> GeneratedSolution:
        chosen = Settings(
            agent=agent or AgentSettings(seconds=30), sandbox="bubblewrap", environment=environment
        )
        generator = open_generator(f"agent:sh -c {shlex.quote(script)}", chosen)
        try:
            return await generator.generate(sample, into)
        finally:
            await generator.close()

    return asyncio.run(work())


def left(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_it_leaves_is_the_solution(sample: Sample, tmp_path: Path) -> None:
    script = (
        'grep -q "Make x one." "$SDKBENCH_PROMPT_FILE" && echo "x = 1" > app.py; rm lib/a.py; '
        "mkdir -p pkg; echo new > pkg/b.txt; echo working; "
        "printf '#!/bin/sh\\n' > run; chmod +x run"
    )
    done = run(script, sample, tmp_path / "out")
    assert left(tmp_path / "out") == {
        "app.py": "x = 1\n", "data.txt": "kept\n", "pkg/b.txt": "new\n", "run": "#!/bin/sh\n",
    }  # fmt: skip
    assert (done.written, done.removed) == (("app.py", "pkg/b.txt", "run"), ("lib/a.py",))
    assert (tmp_path / "out" / "run").stat().st_mode & 0o100
    assert done.answer == "working"
    assert done.template == "agent-1"
    assert not done.truncated
    assert done.refusals == ()
    assert left(sample.starter_dir)["app.py"] == "x = 0\n"


def test_a_program_of_the_users(sample: Sample, tmp_path: Path) -> None:
    program = tmp_path / "agent.py"
    program.write_text("import sys\nopen('app.py', 'w').write(open(sys.argv[1]).read()[:11])\n")

    async def work() -> GeneratedSolution:
        chosen = Settings(agent=AgentSettings(seconds=30), sandbox="bubblewrap")
        spec = f"agent:/usr/bin/env python3 {program} {{prompt_file}}"
        generator = open_generator(spec, chosen)
        return await generator.generate(sample, tmp_path / "out")

    asyncio.run(work())
    assert left(tmp_path / "out")["app.py"] == "You are a c"


def test_another_program_is_another_agent_and_read_once(sample: Sample, tmp_path: Path) -> None:
    program = tmp_path / "agent.py"

    def opened() -> Generator:
        chosen = Settings(agent=AgentSettings(seconds=30), sandbox="bubblewrap")
        return open_generator(f"agent:/usr/bin/env python3 {program}", chosen)

    program.write_text("x = 1\n")
    one = opened()
    first = one.source(sample)
    program.write_text("x = 2\n")
    assert one.source(sample) == first
    assert opened().source(sample) != first
    program.write_text("x = 1\n")
    assert opened().source(sample) == first


def test_the_event_loop_is_free_while_output_files_are_collected(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def watched(
        starter: Path, output: Sequence[OutputFile], solution: GeneratedSolution
    ) -> GeneratedSolution:
        threads.append(threading.current_thread())
        return take_output(starter, output, solution)

    monkeypatch.setattr(agent, "take_output", watched)
    run("echo 'x = 1' > app.py", sample, tmp_path / "out")
    assert len(threads) == 1
    assert threading.main_thread() not in threads


def test_an_endless_agent_is_ended_and_its_files_are_kept(sample: Sample, tmp_path: Path) -> None:
    began = time.monotonic()
    script = (
        "echo 'x = 5' > app.py; (setsid sh -c 'while :; do echo y > late.txt; done' &) ; sleep 999"
    )
    done = run(script, sample, tmp_path / "out", AgentSettings(seconds=1))
    assert time.monotonic() - began < PATIENCE
    assert done.truncated
    assert "the agent was ended after 1 s" in done.notes
    assert left(tmp_path / "out")["app.py"] == "x = 5\n"


def test_an_agent_that_fails_still_leaves_files(sample: Sample, tmp_path: Path) -> None:
    done = run("echo 'x = 2' > app.py; echo no >&2; exit 7", sample, tmp_path / "out")
    assert "the agent ended with exit code 7" in done.notes
    assert left(tmp_path / "out")["app.py"] == "x = 2\n"


def test_it_sees_neither_network_nor_home_nor_tests(sample: Sample, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("s3cret")
    script = (
        f"cat {secret} {sample.tests_dir}/* {sample.reference_dir}/* 2>/dev/null > seen.txt; "
        "ls /sys/class/net 2>/dev/null >> seen.txt; env > env.txt; "
        "cat /proc/net/dev | tail -n +3 | grep -v ' lo:' | grep -v '^ *lo:' >> seen.txt"
    )
    run(script, sample, tmp_path / "out", None, PATH="/usr/bin", SECRET_KEY="k" * 20)
    files = left(tmp_path / "out")
    assert files["seen.txt"] == ""
    assert "k" * 20 not in files["env.txt"]


def test_variables_are_handed_on_by_name(sample: Sample, tmp_path: Path) -> None:
    chosen = AgentSettings(seconds=30, variables=("MODEL_KEY",))
    done = run("echo $MODEL_KEY; echo $MODEL_KEY > k.txt", sample, tmp_path / "out", chosen,
               MODEL_KEY="key-1234567890", PATH="/usr/bin")  # fmt: skip
    assert left(tmp_path / "out")["k.txt"] == "key-1234567890\n"
    assert "key-1234567890" not in done.answer
    with pytest.raises(InputError, match="MODEL_KEY"):
        run("true", sample, tmp_path / "b", chosen, PATH="/usr/bin")


def test_an_escape_writes_nothing_outside(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "outside.txt"
    script = (
        f"echo x > {target}; echo x > ../outside.txt; echo x >> ../prompt.md; "
        "ln -s /etc/passwd link.txt; ln -s .. up; ln app.py hard.py; mkfifo pipe; "
        "mkdir tests; echo x > tests/test_app.py; echo '{}' > metadata.json; "
        "mkdir -p node_modules/x; echo x > node_modules/x/i.js; echo ok > ok.txt"
    )
    done = run(script, sample, tmp_path / "out")
    assert not target.exists()
    refused = {refusal.path for refusal in done.refusals}
    assert {"link.txt", "up", "pipe", "tests/test_app.py", "metadata.json"} <= refused
    files = left(tmp_path / "out")
    assert files["ok.txt"] == "ok\n"
    assert not {"tests/test_app.py", "metadata.json", "link.txt"} & set(files)
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "samples"]


def test_an_agent_that_deletes_everything(sample: Sample, tmp_path: Path) -> None:
    done = run("rm -rf ./* ../* /w /tmp/* 2>/dev/null; true", sample, tmp_path / "out")
    assert left(tmp_path / "out") == {}
    assert set(done.removed) == {"app.py", "lib/a.py", "data.txt"}


def test_unreadable_things_are_read_all_the_same(sample: Sample, tmp_path: Path) -> None:
    done = run("echo 'x = 3' > app.py; chmod 000 app.py; chmod 000 lib", sample, tmp_path / "out")
    assert left(tmp_path / "out") == {
        "app.py": "x = 3\n",
        "data.txt": "kept\n",
        "lib/a.py": "a = 1\n",
    }
    assert done.written == ("app.py",)


def test_an_agent_cannot_answer_for_its_supervisor(sample: Sample, tmp_path: Path) -> None:
    script = (
        "for f in /proc/$PPID/fd/*; do echo forged > $f; done 2>/dev/null; echo 'x = 4' > app.py"
    )
    done = run(script, sample, tmp_path / "out")
    assert done.written == ("app.py",)
    killed = run("kill -9 $PPID; sleep 5", sample, tmp_path / "b")
    assert any("could not be read" in note for note in killed.notes)
    assert left(tmp_path / "b") == {}


def test_more_than_can_be_kept(sample: Sample, tmp_path: Path) -> None:
    done = run("mkdir d; cd d; seq 21000 | xargs touch", sample, tmp_path / "out")
    assert any("left more than 20,000 files" in note for note in done.notes)


def test_it_ends_when_the_caller_is_cancelled(sample: Sample, tmp_path: Path) -> None:
    async def work() -> None:
        chosen = Settings(agent=AgentSettings(seconds=600), sandbox="bubblewrap")
        generator = open_generator("agent:sleep 600", chosen)
        task = asyncio.ensure_future(generator.generate(sample, tmp_path / "out"))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises((asyncio.CancelledError, Cancelled)):
            await task
        await generator.close()

    began = time.monotonic()
    asyncio.run(work())
    assert time.monotonic() - began < PATIENCE


def test_without_isolation_it_works_too_and_says_so(sample: Sample, tmp_path: Path) -> None:
    async def work() -> GeneratedSolution:
        chosen = Settings(agent=AgentSettings(seconds=30), sandbox="plain")
        generator = open_generator("agent:sh -c 'echo x = 6 > app.py; ln -s / up'", chosen)
        return await generator.generate(sample, tmp_path / "out")

    done = asyncio.run(work())
    assert "sandbox: plain" in done.notes
    assert done.written == ("app.py",)
    assert [refusal.path for refusal in done.refusals] == ["up"]


def test_a_script_among_an_agents_words_may_be_longer_than_a_name() -> None:
    script = "true; " * 100
    assert open_generator(f"agent:sh -c '{script}'").name.startswith("agent:sh")
