"""Equal, different, unknown: labelled pairs, and properties that hold for any command."""

import shlex
import subprocess
import tomllib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.shell.equivalence import Verdict, commands_match, compare, normalize_command
from sdkbench.shell.utilities.table import find_utility, known_utilities
from tests.support.places import SHELL_DATA

DATA = SHELL_DATA / "equivalence.toml"
LABELLED = [
    (Verdict(label), first, second)
    for label, pairs in tomllib.loads(DATA.read_text(encoding="utf-8")).items()
    for first, second in pairs
]
REPHRASED = tomllib.loads((SHELL_DATA / "rephrased.toml").read_text(encoding="utf-8"))
LOOK_ALIKES = [pair for rules in REPHRASED.values() for pairs in rules.values() for pair in pairs]
COMMANDS = sorted(
    {c for label, *pair in LABELLED for c in pair if compare(c, c).verdict == "equal"}
    | {command for pair in LOOK_ALIKES for command in pair}
)


@pytest.mark.parametrize(("label", "first", "second"), LABELLED)
def test_no_false_equal_and_no_equal_missed(label: Verdict, first: str, second: str) -> None:
    verdict = compare(first, second).verdict
    assert (verdict == Verdict.EQUAL) == (label == Verdict.EQUAL)
    assert compare(second, first).verdict == verdict


def test_different_and_unknown_are_told_apart() -> None:
    found = Counter((label, compare(a, b).verdict) for label, a, b in LABELLED)
    assert len(LABELLED) >= 140
    assert found[Verdict.UNKNOWN, Verdict.DIFFERENT] == 0
    assert found[Verdict.DIFFERENT, Verdict.UNKNOWN] <= 0.05 * len(LABELLED)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("head -n 5 f", "head -n 6 f", "`-n 5` against `-n 6`"),
        ("ls -l", "ls -la", "only the second has `-a`"),
        ("ls 'x", "ls x", "not a complete command"),
        ("cat a", "rm a", "cat against rm"),
    ],
)
def test_the_difference_is_told(first: str, second: str, told: str) -> None:
    assert told in compare(first, second).difference


@pytest.mark.parametrize("command", COMMANDS)
def test_normalising_twice_changes_nothing(command: str) -> None:
    once = normalize_command(command)
    assert normalize_command(once) == once
    assert commands_match(command, once)


@pytest.mark.parametrize("text", ["", "ls 'x", "a\0b", "$(" * 10_000])
def test_what_is_no_command_matches_nothing(text: str) -> None:
    assert not commands_match(text, text)
    assert normalize_command(text) == text.strip()


def test_tables_name_only_options_they_define() -> None:
    names = [n for n in known_utilities() if " " not in n]
    assert len(names) >= 60
    for utility in filter(None, map(find_utility, known_utilities())):
        defined = {name for name, _ in utility.options.values()}
        used = frozenset().union(
            *utility.last_wins, *utility.tangled, utility.ordered, utility.repeated,
            utility.counted, utility.drop, utility.soft, utility.unsure, utility.rephrases,
            utility.in_place, utility.wide_short, utility.defaults, utility.pattern,
            {item.split("=")[0] for v in utility.implies.values() for item in v.split()},
            {key.split("=")[0] for key in utility.implies},
        )  # fmt: skip
        assert used <= defined, utility.name


# Spellings of one text: any of them is the same word.
def plainly_quoted(text: str) -> list[str]:
    double = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
    return [
        shlex.quote(text),
        "'" + text.replace("'", "'\\''") + "'",
        f'"{double}"',
        "".join(f"\\{c}" if not c.isalnum() else c for c in text) or "''",
        "".join(f"'{c}'" if c != "'" else "\\'" for c in text) or "''",
    ]


ARGUMENTS = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=6)
REQUOTED = ARGUMENTS.flatmap(
    lambda t: st.tuples(st.just(t), *[st.sampled_from(plainly_quoted(t))] * 2)
)
BLANKS = st.sampled_from([" ", "  ", "\t", " \\\n "])


@given(
    st.lists(REQUOTED, min_size=1, max_size=4),
    BLANKS,
    st.sampled_from(["frob", "cat", "rm", "ls", "sort"]),
)
def test_requoting_and_blanks_stay_equal(
    words: list[tuple[str, str, str]], blank: str, name: str
) -> None:
    first = " ".join([name, "--", *(w[1] for w in words)])
    second = blank.join([name, "--", *(w[2] for w in words)])
    assert commands_match(first, second)


@given(st.lists(ARGUMENTS, min_size=1, max_size=3), st.lists(ARGUMENTS, min_size=1, max_size=3))
def test_other_words_are_never_equal(first: list[str], second: list[str]) -> None:
    # The name is unknown, so every argument counts; bash itself sees the lists apart.
    same = commands_match(shlex.join(["frob", *first]), shlex.join(["frob", *second]))
    assert same == (first == second)


@given(st.permutations("lahtr"), st.lists(st.booleans(), min_size=4, max_size=4))
def test_clusters_of_flags_stay_equal(letters: list[str], cuts: list[bool]) -> None:
    text = letters[0]
    for letter, cut in zip(letters[1:], cuts, strict=True):
        text += f" -{letter}" if cut else letter
    assert commands_match(f"ls -{text} src", "ls -lahtr src")


@given(st.sampled_from("lahtrR1SdiFp"), st.sampled_from("lahtrR1SdiFp"))
def test_another_flag_is_never_equal(first: str, second: str) -> None:
    assert commands_match(f"ls -{first}", f"ls -{second}") == (first == second)


PIECES = st.sampled_from(
    [
        *[
            "a",
            "b",
            " ",
            "'",
            '"',
            "\\",
            "*",
            "?",
            "~",
            "#",
            "=",
            "-",
            "{",
            "}",
            ",",
            "[ab]",
            "{a,b}",
        ],
        *["$HOME", "${HOME}", "$(echo x)", "`echo x`", "{1..3}", "$'\\t'", "$((1+1))"],
    ]
)
SHOW = 'set -- {0}\nprintf \'<%s>\' "$#" "$@"'


def arguments_seen_by_bash(texts: list[str]) -> list[str]:
    """What each text's words come to in bash, in one process."""
    lines = "".join(
        f"( eval {shlex.quote(SHOW.format(text))} ) 2>/dev/null; echo; echo ---\n" for text in texts
    )
    ran = subprocess.run(
        ["bash", "-c", lines], capture_output=True, text=True, check=False,  # noqa: S607
        env={"HOME": "/h", "PATH": "/usr/bin:/bin"}, cwd="/proc/self/task",
    )  # fmt: skip
    return ran.stdout.split("---\n")[:-1]


@given(st.lists(st.lists(PIECES, min_size=1, max_size=5).map("".join), min_size=20, max_size=20))
@settings(max_examples=25, deadline=None)
def test_equal_words_are_equal_to_bash(texts: list[str]) -> None:
    readable = [
        t for t in texts if "\n" not in t and compare(f"frob {t}", f"frob {t}").verdict == "equal"
    ]
    seen = dict(zip(readable, arguments_seen_by_bash(readable), strict=True))
    for first in readable:
        for second in readable:
            if commands_match(f"frob {first}", f"frob {second}"):
                assert seen[first] == seen[second], (first, second)


@given(st.text(max_size=80), st.text(max_size=80))
def test_junk_never_raises(first: str, second: str) -> None:
    assert compare(first, second).verdict in Verdict
    assert isinstance(normalize_command(first), str)
