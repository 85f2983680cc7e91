"""Prompt → a real server → files over the starter; and the generators that ask nobody."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.backends import BackendFailure, FailureKind
from sdkbench.datasets import Sample, bundled_samples, load_sample
from sdkbench.errors import InputError
from sdkbench.generation import (
    GeneratedSolution,
    RetryPolicy,
    Settings,
    build_prompt,
    known,
    open_generator,
    read_docs,
    template_names,
    text,
)
from sdkbench.generation.files import write_solution
from sdkbench.judge.pipeline import judge
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.projects import MakeSample, write
from tests.support.servers.model import ModelServer, Play, both, completion, error, running

KEY = "sk-secret-1234567890"
ENVIRONMENT = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
QUICK = RetryPolicy(total_seconds=20, first_wait_seconds=0.05)
RATE = Play(429, error("slow down"))
ANSWER = "### app.py\n\n```python\ndef one() -> int:\n    return 1\n```\n"
TESTS = {
    "test_app.py": "from expected.app import one\n\n\ndef test_one():\n    assert one() == 1\n"
}
REFERENCE = {"app.py": "def one():\n    return 1\n", "lib.py": "X = 1\n", "data.txt": "kept\n"}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with running() as server:
        yield server


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample(REFERENCE, TESTS, description="Write one().", demo_version="2.1")


def settings(**more: object) -> Settings:
    chosen = Settings(environment=ENVIRONMENT, retry=QUICK)
    return chosen._replace(**more)  # type: ignore[arg-type]


def generate(
    spec: str, sample: Sample, into: Path, chosen: Settings | None = None
) -> GeneratedSolution:
    async def run() -> GeneratedSolution:
        generator = open_generator(spec, chosen or settings(), samples=[sample])
        try:
            return await generator.generate(sample, into)
        finally:
            await generator.close()

    return asyncio.run(run())


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
def test_an_answer_becomes_a_solution_that_passes(
    server: ModelServer, backend: str, sample: Sample, tmp_path: Path, harness: Harness
) -> None:
    server.script = [Play(body=both(ANSWER))]
    done = generate(server.spec(backend, "script"), sample, tmp_path / "out")
    assert (done.written, done.refusals, done.truncated, done.refused) == (
        ("app.py",),
        (),
        False,
        False,
    )
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.tries) == (7, 3, 1)
    assert done.answer == ANSWER
    assert done.template == "sdk-1"
    # The starter lies underneath.
    assert (tmp_path / "out" / "data.txt").read_text() == "kept\n"
    if backend == "openai":
        result = judge(Subject(tmp_path / "out", sample), Options(), harness)
        assert result.score == 100


def test_what_is_asked(server: ModelServer, sample: Sample, tmp_path: Path) -> None:
    server.script = [Play(body=both(ANSWER))]
    chosen = settings(docs="Call `demo.start()` first; $5 a month.", max_tokens=777)
    generate(server.spec("openai", "script"), sample, tmp_path / "out", chosen)
    request = server.seen[-1][1]
    asked = request["messages"][-1]["content"]
    for part in (
        "Write one().",
        "demo 2.1",
        "```py app.py\nraise NotImplementedError\n```",
        "$5 a",
    ):
        assert part in asked
    assert "assert one() == 1" not in asked
    assert "return 1" not in asked
    assert request["max_tokens"] == 777


HALF = Play(body=both(ANSWER), sent=40)


@pytest.mark.parametrize(
    "passing", [RATE, Play(503, error("busy")), HALF], ids=["rate", "server", "half"]
)
def test_passing_failures_are_tried_again(
    server: ModelServer, passing: Play, sample: Sample, tmp_path: Path
) -> None:
    server.script = [passing, passing, Play(body=both(ANSWER))]
    done = generate(server.spec("openai", "script"), sample, tmp_path / "out")
    assert done.usage.tries == 3


@pytest.mark.parametrize("status", [429, 503, 529])
def test_the_server_says_how_long_to_wait(
    server: ModelServer, status: int, sample: Sample, tmp_path: Path
) -> None:
    server.script = [
        Play(status, error("slow"), headers=(("Retry-After", "1"),)), Play(body=both(ANSWER)),
    ]  # fmt: skip
    began = time.monotonic()
    generate(server.spec("openai", "script"), sample, tmp_path / "out")
    assert time.monotonic() - began >= 1


def test_the_deadline_is_for_all_tries(server: ModelServer, sample: Sample, tmp_path: Path) -> None:
    server.script = [RATE]
    chosen = settings(retry=RetryPolicy(total_seconds=1, tries=999, first_wait_seconds=0.05))
    began = time.monotonic()
    with pytest.raises(BackendFailure, match=r"slow down\. \(tried \d+ times in \d+ s\)") as caught:
        generate(server.spec("openai", "script"), sample, tmp_path / "out", chosen)
    assert caught.value.kind is FailureKind.RATE_LIMIT
    assert time.monotonic() - began < 300  # of the hours that 999 tries would take
    assert not (tmp_path / "out").exists()


def test_a_server_that_asks_for_no_wait_is_not_asked_all_at_once(
    server: ModelServer, sample: Sample, tmp_path: Path
) -> None:
    refused = Play(429, error("slow"), headers=(("Retry-After", "0"),))
    server.script = [*[refused] * 8, Play(body=both(ANSWER))]
    chosen = settings(retry=RetryPolicy(total_seconds=20, first_wait_seconds=0.005))
    began = time.monotonic()
    done = generate(server.spec("openai", "script"), sample, tmp_path / "out", chosen)
    assert done.usage.tries == 9
    assert time.monotonic() - began > 0.6  # half of 0.005 × (1 + 2 + … + 128)


def test_a_wait_beyond_the_deadline_is_not_waited(
    server: ModelServer, sample: Sample, tmp_path: Path
) -> None:
    server.script = [Play(429, error("slow"), headers=(("Retry-After", "3600"),))]
    began = time.monotonic()
    with pytest.raises(BackendFailure):
        generate(server.spec("openai", "script"), sample, tmp_path / "out")
    assert time.monotonic() - began < 600  # of the 3600 that it was told


@pytest.mark.parametrize("play", ["no-key", "bad-request", "html"])
def test_lasting_failures_are_not_tried_again(
    server: ModelServer, play: str, sample: Sample, tmp_path: Path
) -> None:
    before = len(server.seen)
    with pytest.raises(BackendFailure):
        generate(server.spec("openai", play), sample, tmp_path / "out")
    assert len(server.seen) == before + 1


def test_truncation_and_cost_are_recorded(
    server: ModelServer, sample: Sample, tmp_path: Path
) -> None:
    body = completion("```python app.py\ndef one():\n    retu")
    body["choices"][0]["finish_reason"] = "length"
    body["usage"] = {"prompt_tokens": 5, "completion_tokens": 9, "cost": 0.25}
    server.script = [Play(body=json.dumps(body).encode())]
    done = generate(server.spec("openai", "script"), sample, tmp_path / "out")
    assert done.truncated
    assert (done.usage.cost, done.usage.output_tokens) == (0.25, 9)
    assert [(r.path, r.reason) for r in done.refusals] == [
        ("app.py", "the answer ends in the middle of this file")
    ]
    assert (tmp_path / "out" / "app.py").read_text() == "raise NotImplementedError\n"


def test_refusals_are_recorded(server: ModelServer, sample: Sample, tmp_path: Path) -> None:
    told = generate(server.spec("openai", "refusal"), sample, tmp_path / "a")
    assert told.refused
    server.script = [Play(body=both("I'm sorry, but I can't help with that."))]
    said = generate(server.spec("anthropic", "script"), sample, tmp_path / "b")
    assert said.refused
    assert said.written == ()
    server.script = [Play(body=both(f"I'm sorry for the delay.\n\n{ANSWER}"))]
    assert not generate(server.spec("openai", "script"), sample, tmp_path / "c").refused


def test_paths_that_are_not_the_models(server: ModelServer, sample: Sample, tmp_path: Path) -> None:
    paths = ["../x.py", "/etc/x.py", "tests/test_app.py", "metadata.json", "ok.py"]
    text = json.dumps({"files": [{"path": path, "content": "x = 1\n"} for path in paths]})
    server.script = [Play(body=both(text))]
    done = generate(server.spec("openai", "script"), sample, tmp_path / "out")
    assert done.written == ("ok.py",)
    assert [refusal.path for refusal in done.refusals] == paths[:-1]
    assert not (tmp_path / "x.py").exists()


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
def test_a_missing_key_names_its_variable(backend: str) -> None:
    with pytest.raises(InputError, match=f"{backend.upper()}_API_KEY"):
        open_generator(f"{backend}:m", Settings(environment={}))


def test_starter_and_reference(sample: Sample, tmp_path: Path) -> None:
    generate("starter", sample, tmp_path / "a")
    generate("reference", sample, tmp_path / "b")
    assert (tmp_path / "a" / "app.py").read_text() == "raise NotImplementedError\n"
    assert (tmp_path / "b" / "app.py").read_text() == REFERENCE["app.py"]
    assert not (tmp_path / "b" / "metadata.json").exists()


def test_a_folder_of_solutions(sample: Sample, tmp_path: Path) -> None:
    files = {"app.py": "x = 1\n", "conftest.py": "", "metadata.json": "{}"}
    folder = write(tmp_path / "recorded" / "demo_task_001", files)
    (folder / "link.py").symlink_to("/etc/passwd")
    done = generate(f"replay:{folder.parent}", sample, tmp_path / "out")
    assert done.written == ("app.py",)
    assert {refusal.path for refusal in done.refusals} == {
        "conftest.py",
        "metadata.json",
        "link.py",
    }
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["app.py"]


def test_recorded_answers(sample: Sample, tmp_path: Path) -> None:
    write(tmp_path / "recorded" / "demo", {"demo_task_001.md": ANSWER})
    done = generate(f"replay:{tmp_path / 'recorded'}", sample, tmp_path / "a")
    assert done.written == ("app.py",)
    line = json.dumps({"id": "demo_task_001", "answer": ANSWER})
    write(tmp_path, {"answers.jsonl": line})
    again = generate(f"replay:{tmp_path / 'answers.jsonl'}", sample, tmp_path / "b")
    assert again.written == ("app.py",)


def test_the_loop_is_free_while_files_are_read_and_written(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def watched(*args: object) -> GeneratedSolution:
        threads.append(threading.current_thread())
        return write_solution(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(text, "write_solution", watched)
    monkeypatch.setattr(known, "write_solution", watched)
    write(tmp_path / "folders" / "demo_task_001", {"app.py": "x = 1\n"})
    write(tmp_path, {"answers.jsonl": json.dumps({"id": "demo_task_001", "answer": ANSWER})})
    for name in ("folders", "answers.jsonl"):
        done = generate(f"replay:{tmp_path / name}", sample, tmp_path / f"out-{name}")
        assert done.written == ("app.py",)
    assert len(threads) == 2
    assert threading.main_thread() not in threads


def test_a_folder_without_the_sample(sample: Sample, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing for demo_task_001"):
        generate(f"replay:{tmp_path}", sample, tmp_path / "out")


@pytest.mark.parametrize(
    "spec", ["agnt:x", "agent:", "agent:no-such-program", "starter:x", "agent:'"]
)
def test_invalid_specs_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        open_generator(spec, settings())


def test_unknown_models_are_reported_with_the_nearest() -> None:
    with pytest.raises(
        InputError, match=r"no model 'agnt'. Did you mean 'agent'\? There are: agent,"
    ):
        open_generator("agnt:x", settings())


def test_prompts_of_bundled_samples_hold_every_starter_file() -> None:
    sample = load_sample(bundled_samples() / "clerk" / "clerk_middleware_001")
    text = build_prompt(sample).text
    for path in sample.starter_dir.rglob("*"):
        if path.is_file():
            assert str(path.relative_to(sample.starter_dir)) in text
    assert "createRouteMatcher" not in text


def test_templates_and_docs(sample: Sample, tmp_path: Path) -> None:
    assert {"sdk-1", "agent-1"} <= set(template_names())
    with pytest.raises(InputError, match="There are: agent-1, sdk-1"):
        build_prompt(sample, template="sdk-0")
    with pytest.raises(InputError, match="cannot be read"):
        read_docs(tmp_path / "none.md")
    (tmp_path / "docs.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_docs(tmp_path / "docs.md")
