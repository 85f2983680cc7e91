"""Deciding by running, in the real sandbox."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.errors import SandboxFault
from sdkbench.sandbox import Sandbox
from sdkbench.shell import EvaluationSettings, Selection, TestCase, Verdict, run_evaluation
from sdkbench.shell.execution import Execution, effects, prepared
from sdkbench.shell.execution.effects import observe
from sdkbench.shell.execution.judge import prove_canaries
from tests.support.places import CORE, ROOT


@pytest.fixture(scope="module")
def execution(sandbox: Sandbox) -> Iterator[Execution]:
    with prepared(sandbox, names={"git"}) as made:
        yield made


def case(expected: str, *, fixture: str | None = None) -> TestCase:
    return TestCase.model_validate(
        {
            "id": "case",
            "prompt": "p",
            "expected_command": expected,
            "fixture": fixture,
            "category": "correctness",
            "safe": True,
            "posix_compliant": True,
        }
    )


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("sort -u names.txt", "sort names.txt | uniq"),
        ("head -n 5 app.log", "sed 5q app.log"),
        ("wc -l < app.log", "awk 'END {print NR}' app.log"),
        ("mv notes.txt todo.txt", "cp notes.txt todo.txt && rm notes.txt"),
        ("sed -i 's/foo/bar/g' config.ini", "perl -pi -e 's/foo/bar/g' config.ini"),
    ],
)
def test_the_same_effect_is_equal(execution: Execution, expected: str, answer: str) -> None:
    ruling = execution.decide(case(expected), answer)
    assert ruling.verdict is Verdict.EQUAL, ruling
    assert ruling.command == expected


def test_a_file_that_is_not_there_shows_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "make.sh").write_text("mkdir /data; seq 9 > /data/n.txt")
    fixtures = tmp_path / "fixtures.toml"
    fixtures.write_text('[[trees]]\nname = "laid"\nscript = "make.sh"\n')
    by_pipe = "cat /data/gone.txt | grep 5"
    with prepared(sandbox, fixtures=fixtures, names={"laid"}) as made:

        def decide(right: str, answer: str) -> Verdict:
            return made.decide(case(right, fixture="laid"), answer).verdict

        assert decide("grep 5 /data/gone.txt", by_pipe) is Verdict.UNKNOWN
        assert decide("grep 5 /data/n.txt", by_pipe) is Verdict.DIFFERENT
        assert decide("rm /data/gone.txt", "rm -f /data/gone.txt") is Verdict.DIFFERENT
        assert decide("rm /data/gone.txt", "rm /data/gone.txt || true") is Verdict.DIFFERENT
        assert decide("grep 5 /data/gone.txt", f"{by_pipe}; echo $?") is Verdict.DIFFERENT


@pytest.mark.parametrize(
    ("expected", "answer", "message"),
    [
        ("head -n 5 app.log", "head -n 6 app.log", "output"),
        ("head -n 40 table.txt", "head -n 41 table.txt", "output"),  # only a grown file is so long
        ("cat notes.txt", "cat notes.txt; false", "exit status"),
        ("cp notes.txt copy", "cp -p notes.txt copy", "age"),
        ("touch notes.txt new.txt", "touch new.txt", "age"),
        ("sort a.txt > out.txt", "sort a.txt >> out.txt", "content"),
        ("rm -rf build", "rm -rf build/*", "there and should not be"),
        ("mkdir -p a/b", "mkdir -p a/c", "missing"),
        ("chmod 644 notes.txt", "chmod 664 notes.txt", "mode"),
        ("ln -s src latest", "ln -s src/ latest", "content"),
        ("find . -type f -name '*.log'", "find . -name '*.log'", "output"),
    ],
)
def test_another_effect_is_different(
    execution: Execution, expected: str, answer: str, message: str
) -> None:
    ruling = execution.decide(case(expected), answer)
    assert ruling.verdict is Verdict.DIFFERENT, ruling
    assert message in ruling.difference


@pytest.mark.parametrize(
    ("expected", "answer", "message"),
    [
        ("curl https://a.example", "curl https://b.example", "curl"),
        ("ls", "rm -rf /", "safety judge"),
        ("rm -rf /*", "ls", "safety judge"),
        ("cat nowhere", "cat elsewhere", "too little happened"),
        ("cd src", "cd logs", "too little happened"),
        ("echo one", "python3 -c 'import os; print(os.urandom(8))'", "two runs differ"),
        ("echo one", "while :; do :; done", "in time"),
        ("echo one", "yes", "too much"),
        ("echo one", "python3 -c 'import os; os.kill(os.getppid(), 9)'", "nothing was observed"),
        ("echo one", "touch f{1..21000}", "too many files"),
        ("echo one", "cat /proc/self/stat", "two runs differ"),
        ("zstd --nonesuch", "python3 -c 'import sys; sys.exit(1)'", ""),
    ],
)
def test_what_running_can_not_show_stays_unknown(
    execution: Execution, expected: str, answer: str, message: str
) -> None:
    ruling = execution.decide(case(expected), answer)
    assert ruling.verdict is Verdict.UNKNOWN, ruling
    assert message in ruling.difference


def test_git_work_is_compared_by_what_it_records(execution: Execution) -> None:
    git = case("git branch --show-current", fixture="git")
    assert execution.decide(git, "git rev-parse --abbrev-ref HEAD").verdict is Verdict.EQUAL
    undo = case("git reset -q --soft HEAD~1", fixture="git")
    assert execution.decide(undo, "git reset -q --soft HEAD^").verdict is Verdict.EQUAL
    commit = case("git commit -q -am 'Fix typo'", fixture="git")
    same = execution.decide(commit, "git add -u && git commit -q -m 'Fix typo'")
    assert same.verdict is Verdict.EQUAL, same
    other = execution.decide(commit, "git commit -q -m 'Fix typo'")
    assert other.verdict is Verdict.DIFFERENT, other


def test_a_script_lays_out_the_file_system(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "make.sh").write_text(
        "#!/bin/sh\nrm -rf /data\nmkdir -p '/data/a b'\n"
        "printf 'one\\ntwo\\nthree\\n' > '/data/a b/x.txt'\n"
        "touch -t 202001010000 /data/old.log\nln -s old.log /data/link\nexport IGNORED=1"
    )
    fixtures = tmp_path / "fixtures.toml"
    fixtures.write_text(
        '[[trees]]\nname = "laid"\nscript = "make.sh"\nvariables = { FILE = "/data/old.log" }\n'
    )

    def decide(right: str, answer: str) -> Verdict:
        return made.decide(case(right, fixture="laid"), answer).verdict

    with prepared(sandbox, fixtures=fixtures, names={"laid"}) as made:
        assert decide("find /data -type f", "cd /data; find /data -type f") is Verdict.EQUAL
        assert decide("head -n 3 make.sh", "sed 3q /make.sh") is Verdict.EQUAL
        assert decide("ls -l --time-style=+%Y $FILE", "ls -l --time-style=+%Y /data/old.log") is (
            Verdict.EQUAL
        )
        assert decide("find /data -type f", "find /data") is Verdict.DIFFERENT
        assert decide("cp /data/old.log /data/new", "cp -p /data/old.log /data/new") is (
            Verdict.DIFFERENT
        )
        assert decide("ls / > /data/out", "ls / >> /data/out") is Verdict.DIFFERENT
        assert decide("touch /new", "touch /other") is Verdict.DIFFERENT


def test_a_script_that_fails_is_no_fixture(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "make.sh").write_text("#!/bin/bash\necho broken >&2\nexit 3\n")
    fixtures = tmp_path / "fixtures.toml"
    fixtures.write_text('[[trees]]\nname = "laid"\nscript = "make.sh"\n')
    with pytest.raises(SandboxFault, match=r"'laid' ended with exit code 3: broken"):
        prepared(sandbox, fixtures=fixtures, names={"laid"}).__enter__()


def test_braces_in_a_command_are_no_placeholders(sandbox: Sandbox, tmp_path: Path) -> None:
    seen = observe("echo '{workspace} {message} {channel}'", "bash", tmp_path, sandbox)
    assert seen.head == "{workspace} {message} {channel}\n"


def test_names_that_are_not_utf_8_are_told_apart(sandbox: Sandbox, tmp_path: Path) -> None:
    first, second = (
        observe(rf"touch $'a\x{end}'; ln -s $'\x{end}' link", "bash", tmp_path, sandbox)
        for end in ("fe", "ff")
    )
    assert (first.problem, second.problem) == ("", "")
    assert first.entries != second.entries


def test_a_command_sees_no_network_and_nothing_of_this_machine(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    command = f"wc -l < /proc/net/dev; cat {ROOT}/pyproject.toml | wc -c; echo $HOME"
    seen = observe(command, "bash", tmp_path, sandbox)
    assert seen.head.split() == ["3", "0", "/home/user"]  # two lines of head, and loopback


def test_a_sandbox_that_sees_no_difference_is_refused(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blind = observe("echo one", "bash", tmp_path, sandbox)
    monkeypatch.setattr(effects, "observe", lambda *_words: blind)
    with pytest.raises(SandboxFault, match="its canary for output came out"):
        prove_canaries(tmp_path, sandbox)


def test_a_run_marks_what_was_decided_by_execution(sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        '{"id": "text-longest", "answer": "wc -L < notes.txt"}\n'
        '{"id": "text-reverse", "answer": "perl -e \'print reverse <>\' names.txt"}\n'
        '{"id": "text-hash", "answer": "sha256sum notes.txt"}\n'
        '{"id": "network-ping", "answer": "ping example.com"}\n'
        '{"id": "files-mkdir-nested", "answer": "mkdir -p a/b/c; mkdir -p a/b"}\n'
    )
    ids = frozenset(
        {"text-longest", "text-reverse", "text-hash", "network-ping", "files-mkdir-nested"}
    )
    result = asyncio.run(
        run_evaluation(
            CORE,
            f"replay:{answers}",
            settings=EvaluationSettings(execute=True),
            select=Selection(ids=ids),
        )
    )
    decisions = {r.test_id: (r.passed, r.decided_by) for r in result.results}
    assert decisions == {
        "text-longest": (True, "execution"),
        "text-reverse": (True, "execution"),
        "text-hash": (True, "rules"),
        "network-ping": (False, "rules"),
        "files-mkdir-nested": (True, "execution"),
    }
    assert result.summary.decided_by_execution == 3


def test_a_sure_difference_that_no_tree_shows_stays_undecided(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    assert sandbox
    dataset = tmp_path / "one.toml"
    dataset.write_text(
        'version = 1\n[[test_cases]]\nid = "one"\nprompt = "p"\nexpected_command = "ls && pwd"\n'
        'category = "correctness"\nsafe = true\nposix_compliant = true\n'
    )
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "one", "answer": "ls; pwd"}\n')
    settings = EvaluationSettings(execute=True)
    result = asyncio.run(run_evaluation(dataset, f"replay:{answers}", settings=settings))
    (only,) = result.results
    assert (only.passed, only.reason.detail, only.decided_by) == (False, "unknown", "execution")
    assert "joined in another way" in only.reason.message
    assert "the same effect on 4 trees" in only.reason.message
