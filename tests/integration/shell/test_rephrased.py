"""Rules of equality against the real programs: what they call equal does the same when it is run.

Trees hold what breaks careless rules: names with blanks, quotes, line ends and a leading dash,
folders and links named like files, texts without a last line end.
"""

import tomllib
from pathlib import Path

import pytest

from sdkbench.sandbox import Sandbox
from sdkbench.shell.equivalence import Verdict, compare
from sdkbench.shell.execution.effects import Observation, observe
from tests.support.places import SHELL_DATA

GROUPS = tomllib.loads((SHELL_DATA / "rephrased.toml").read_text("utf-8"))
WORDS = (
    "one two\n  two  one 2\n\none\to\nOne two 10\nONE TWO\ntwo 1\n+ | oo\none:two o\none two\n"
    "o+ o{2}\nzebra"
)
NUMBERS = "10\n9\n010\n9 b\n9 a\n-1\n\n9\n"
PATHS = "/usr/bin:x:y\nno separator\n\n:empty/first\na/b:c"
SETUP = {
    "words": WORDS + "\n",
    "no-end": WORDS,
    "numbers": NUMBERS,
    "paths": PATHS,
    "a b.txt": "one\n",
    "it's.txt": "o\n",
    "new\nline.txt": "two\n",
    "-dash.txt": "one o\n",
    "sub/x.log": "o\n" * 3,
    "sub/deep/é.txt": "",
    "sub/folder.txt/in side": "x" * 1024,
    "sub/folder.log/empty": "",
    "k k/same": "1" * 1025,
    ".hidden.txt": "h\n",
}


RUN_DAILY = 8  # of so many pairs one is run each day; what the rules say is asked of all


def pairs(kind: str) -> list[tuple[str, str]]:
    return [(first, second) for group in GROUPS.values() for first, second in group[kind]]


def pairs_to_run(kind: str) -> list[pytest.ParameterSet]:
    return [
        pytest.param(*pair, marks=() if place % RUN_DAILY == 0 else pytest.mark.nightly)
        for place, pair in enumerate(pairs(kind))
    ]


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A tree with everything, and one with little: in it some searches find nothing."""
    full = tmp_path_factory.mktemp("full")
    modes = (0o644, 0o755, 0o600, 0o664)
    for number, (name, text) in enumerate(SETUP.items()):
        path = full / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(modes[number % len(modes)])
    (full / "broken.txt").symlink_to("nowhere")
    (full / "link.log").symlink_to("sub")
    (full / "nothing").mkdir()
    few = tmp_path_factory.mktemp("few")
    for name in ("words", "no-end", "numbers", "paths"):
        (few / name).write_text("\n".join(SETUP[name].split("\n")[:2]))
    return [full, few]


def seen(command: str, tree: Path, sandbox: Sandbox) -> Observation:
    if "pack.tgz" in command:
        command = f"tar -czf pack.tgz * && {command}"
    seen = observe(command, "bash", tree, sandbox)
    assert not seen.problem, (command, seen.problem)
    return seen.without_ages()


def test_the_rules_know_all_pairs() -> None:
    assert [p for p in pairs("equal") if compare(*p).verdict is not Verdict.EQUAL] == []
    assert [p for p in pairs("near") if compare(*p).verdict is Verdict.EQUAL] == []


@pytest.mark.parametrize(("first", "second"), pairs_to_run("equal"))
def test_equal_commands_do_the_same(
    first: str, second: str, trees: list[Path], sandbox: Sandbox
) -> None:
    assert compare(first, second).verdict is Verdict.EQUAL
    for tree in trees:
        assert seen(first, tree, sandbox) == seen(second, tree, sandbox)


@pytest.mark.parametrize(("first", "second"), pairs_to_run("near"))
def test_commands_that_only_look_alike_are_not_equal(
    first: str, second: str, trees: list[Path], sandbox: Sandbox
) -> None:
    assert compare(first, second).verdict is not Verdict.EQUAL
    runs = [(seen(first, tree, sandbox), seen(second, tree, sandbox)) for tree in trees]
    assert any(one != other for one, other in runs)
