"""What `sdkbench run` can't work with: one sentence, the right exit code, and nothing lost."""

import os
import shutil
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.cli.app import exit_code
from sdkbench.core import Outcome
from sdkbench.sandbox import probe
from sdkbench.store import RunState, location, open_store
from tests.support.projects import write
from tests.support.run_samples import Done, Place, make_place, sample_id
from tests.support.store.builder import FILES, attempt, key

Refuse = Callable[..., Done]
SDK = ("--sdk", "demo")
SHELL = ("--dataset", "tiny.toml")


@pytest.fixture
def home(tmp_path: Path) -> Place:
    """Samples and a store that holds an attempt already."""
    made = make_place(tmp_path / "home", 3)
    with open_store(made.store) as store:
        run = store.start_run(run_id="kept")
        store.save_attempt(run.id, attempt(1), FILES)
        store.end_run(run.id, RunState.FINISHED)
    return made


@pytest.fixture
def refuse(
    home: Place, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Refuse:
    """`sdkbench run` in that folder, which says one sentence on stderr and nothing else."""

    def run(*words: str) -> Done:
        with monkeypatch.context() as patch:
            patch.chdir(home.root)
            for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
                patch.delenv(name, raising=False)
            patch.setenv("SDKBENCH_STORE", home.store)
            code = exit_code(["run", *words])
        captured = capfd.readouterr()
        assert captured.out == ""
        assert "Traceback" not in captured.err
        assert captured.err.startswith("Error: ")
        assert captured.err.count("\n") == 1, captured.err
        return Done(code, captured.out, captured.err)

    return run


def keeps(home: Place) -> bool:
    with open_store(home.store, write=False) as store:
        return store.stored("kept", key(1)).artefacts == FILES


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ((), ("--sdk NAME", "--dataset FILE")),
        ((*SDK, "--model", "opnai:gpt"), ("no model 'opnai'", "Did you mean 'openai'?")),
        ((*SHELL, "--model", "refrence"), ("Did you mean 'reference'?",)),
        ((*SDK, "--model", ""), ("no model ''",)),
        ((*SDK, "--model", "openai:gpt"), ("set OPENAI_API_KEY",)),
        ((*SHELL, "--model", "anthropic:claude"), ("set ANTHROPIC_API_KEY",)),
        ((*SDK, "--model", "openai:"), ("needs a model",)),
        (("--sdk", "dmeo"), ("Unknown SDK 'dmeo'", "Did you mean 'demo'?")),
        ((*SDK, "--samples-dir", "nowhere"), ("nowhere",)),
        (("--dataset", "nowhere.toml"), ("nowhere.toml",)),
        (("--dataset", "bad.toml"), ("bad.toml",)),
        ((*SHELL, "--model", "agent:sh"), ("Leave out --dataset",)),
        ((*SDK, "--model", "agent:no-such-program"), ("no program 'no-such-program'",)),
        ((*SDK, "--model", "starter", "--model", "starter"), ("must be another one",)),
        ((*SDK, "--model", "starter", "--model", " starter"), ("the same name: starter",)),
        ((*SDK, "--model", "replay:nowhere.jsonl"), ("nowhere.jsonl cannot be read",)),
        ((*SDK, "--model", "replay:bad.jsonl"), ("2 bad lines: line 1: not JSON; line 3",)),
        ((*SHELL, "--model", "replay:bad.jsonl"), ("2 bad lines",)),
        ((*SDK, "--trials", "0"), ("the flags: trials",)),
        ((*SDK, "--run-id", "../x"), ("the flags: run_id",)),
        ((*SDK, "--run-id", "latest"), ("'latest' stands for the newest run",)),
        ((*SDK, "--limit", "0", "--workers", "0"), ("limit:", "workers:")),
        ((*SDK, "--docs", "nowhere.md"), ("nowhere.md",)),
        ((*SDK, "--config", "nowhere.toml"), ("nowhere.toml cannot be read",)),
        (("--config", "keys.toml"), ("unknown keys: sdks (did you mean sdk?), trails (did",)),
        (("--config", "types.toml"), ("trials:", "model:", "timeout:")),
        ((*SDK, "--config", "template.toml", "--model", "openai:m@http://x"), ("template 'no'",)),
    ],
)
def test_bad_input_is_exit_2(
    home: Place, refuse: Refuse, words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    write(
        home.root,
        {
            "bad.toml": "name = [",
            "bad.jsonl": f'{{\n{{"id": "{sample_id(0)}", "answer": "x"}}\n{{"id": "y"}}\n',
            "keys.toml": 'sdks = ["demo"]\ntrails = 1\n',
            "types.toml": 'sdk = ["demo"]\ntrials = "many"\nmodel = 1\ntimeout = -1\n',
            "template.toml": 'template = "no"\n',
        },
    )
    done = refuse(*words)
    assert done.code == 2
    for part in parts:
        assert part in done.err
    assert [run.id for run in home.runs()] == ["kept"]
    assert keeps(home)


def test_a_locked_store(home: Place, refuse: Refuse, monkeypatch: pytest.MonkeyPatch) -> None:
    other = sqlite3.connect(home.store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with monkeypatch.context() as patch:
        patch.setattr(location, "WRITE_WAIT_SECONDS", 0.2)
        done = refuse(*SDK)
    other.close()
    assert done.code == 3
    assert "locked by another process" in done.err
    assert keeps(home)


def test_a_store_that_is_none_and_one_that_is_newer(home: Place, refuse: Refuse) -> None:
    (home.root / "notes.db").write_text("not a database at all, but a note")
    none = refuse(*SDK, "--store", "notes.db")
    assert none.code == 2
    assert "not a SQLite database" in none.err
    with open_store(home.store) as store, store._writing() as connection:
        connection.exec_driver_sql("INSERT INTO sdkbench_schema (version) VALUES (99)")
    newer = refuse(*SDK)
    assert newer.code == 2
    assert "newer SDKBench" in newer.err


def bubblewrap(*words: object) -> list[str]:
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")
    return [str(shutil.which("bwrap")), "--dev-bind", "/", "/", *map(str, words)]


def test_a_read_only_store(home: Place) -> None:
    (home.root / "data").mkdir()
    moved = Place(home.root, str(Path(home.store).rename(home.root / "data" / "store.db")))
    frozen = bubblewrap("--ro-bind", home.root / "data", home.root / "data")
    done = moved.program("run", *SDK, wrapping=frozen)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "read-only" in done.err
    assert keeps(moved)


def test_a_full_disk_keeps_what_was_stored_and_the_run_goes_on_elsewhere(home: Place) -> None:
    for number in range(3):
        folder = home.root / "large" / sample_id(number)
        write(folder, {"app.py": "x = 1\n"})
        (folder / "data.bin").write_bytes(os.urandom(400_000))
    (home.root / "data").mkdir()
    words = ["run", "--sdk", "demo", "--no-fcorr", "--model", "replay:large", "--run-id", "mine"]
    full = Place(home.root, str(home.root / "data" / "store.db"))
    # What the disk holds in the end is taken out of the sandbox with it.
    script = '"$@"; echo "code $?"; cp data/store.db* .'
    wrapping = bubblewrap(
        "--size", 1 << 20, "--tmpfs", home.root / "data", "sh", "-c", script, "sh"
    )
    (home.root / "store.db").unlink()
    done = full.program(*words, "--workers", 1, "--max-requests", 1, wrapping=wrapping)
    assert done.out == "code 3\n"
    assert "Traceback" not in done.err
    assert done.err.splitlines()[-1].startswith("Error: ")
    assert "the disk is full" in done.err.splitlines()[-1]
    assert len(home.attempts("mine")) in {1, 2}
    resumed = home.program(*words)
    assert resumed.code == 0, resumed.err
    assert len(home.attempts("mine")) == 3


def test_a_replay_folder_with_holes(place: Place) -> None:
    shutil.rmtree(place.root / "samples")
    make_place(place.root / "more", 4).root.joinpath("samples").rename(place.root / "samples")
    mine = write(place.root / "mine", {f"{sample_id(3)}/app.py": "def answer(x):\n    return x+3"})
    (mine / f"{sample_id(0)}.md").write_bytes(b"```python app.py\n\xff\xfe\n```\n")
    (mine / sample_id(1)).mkdir()
    done = place.run("--model", "replay:mine")
    assert done.code == 3
    assert "Traceback" not in done.err
    by_sample = {each.sample: each for each in place.attempts()}
    outcomes = [by_sample[sample_id(number)].outcome for number in range(4)]
    assert outcomes[0] is outcomes[2] is Outcome.ERROR
    assert outcomes[1] in {Outcome.FAILED, Outcome.ERROR}
    assert outcomes[3] is Outcome.PASSED
    assert "cannot be read" in str(by_sample[sample_id(0)].error)
    assert f"has nothing for {sample_id(2)}" in str(by_sample[sample_id(2)].error)


def test_a_server_that_is_not_there(place: Place) -> None:
    with socket.socket() as probing:
        probing.bind(("127.0.0.1", 0))
        port = probing.getsockname()[1]
    write(place.root, {"c.toml": "request_seconds = 1.5\n"})
    done = place.both("--model", f"openai:m@http://127.0.0.1:{port}/v1", "--config", "c.toml")
    assert done.code == 3
    assert "Traceback" not in done.err
    attempts = place.attempts()
    assert {each.outcome for each in attempts} == {Outcome.ERROR}
    assert {each.fault for each in attempts} == {"generation_network", "backend_error"}
    assert len(attempts) == 6
    assert "0/0" in done.out
