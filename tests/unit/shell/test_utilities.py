"""The table of utilities and the reader of arguments, and what the judges make of them."""

import re
from typing import NamedTuple

import pytest

from sdkbench.shell.equivalence import commands_match
from sdkbench.shell.posix import Edition
from sdkbench.shell.posix.utilities import judge_utilities
from sdkbench.shell.safety import check_safety
from sdkbench.shell.safety.report import finding_kinds
from sdkbench.shell.utilities import Arguments, Utility, find_utility, read_arguments
from sdkbench.shell.utilities.table import UNKNOWN, find_words, known_utilities


class PlainWord(NamedTuple):
    """A `$` begins an expansion; an unquoted one is written `$$`."""

    text: str

    @property
    def lead(self) -> str | None:
        return self.text.partition("$")[0] if not self.text.startswith("$") else None

    @property
    def whole(self) -> bool:
        return "$" not in self.text

    @property
    def splits(self) -> bool:
        return "$$" in self.text

    def after(self, length: int) -> "PlainWord":
        return PlainWord(self.text[length:])


def read(command: str, utility: Utility | None = None) -> Arguments[PlainWord]:
    name, *words = command.split()
    return read_arguments(utility or find_utility(name) or UNKNOWN, [PlainWord(w) for w in words])


def options(arguments: Arguments[PlainWord]) -> list[tuple[str, str | None]]:
    return [(o.name, None if o.value is None else o.value.text) for o in arguments.options]


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("ls -la", [("l", None), ("a", None)]),
        ("ls --all", [("a", None)]),
        ("ls --inod", [("i", None)]),
        ("sort -k2 -k 3 --key=4 --key 5", [("k", "2"), ("k", "3"), ("k", "4"), ("k", "5")]),
        ("sed -i.bak -e x", [("i", ".bak"), ("e", "x")]),
        ("sed -ie x", [("i", "e")]),
        ("sed -i -e x", [("i", None), ("e", "x")]),
        ("sed --in-place=.bak x", [("i", ".bak")]),
        ("ls --color auto", [("color", None)]),
        ("ls --color=auto", [("color", "auto")]),
        ("head -5 f", [("n", "5")]),
        ("wget -nv -qO- u", [("nv", None), ("q", None), ("O", "-")]),
        ("terraform apply -destroy -var x", [("destroy", None), ("var", "x")]),
        ("xargs -i rm -rf", [("i", None)]),
        ("xargs -I{} rm -rf", [("I", "{}")]),
        ("grep -e$x f", [("e", "$x")]),
    ],
)
def test_options_are_read_as_getopt_would(
    command: str, wanted: list[tuple[str, str | None]]
) -> None:
    arguments = read(command)
    assert options(arguments) == wanted
    assert arguments.sure or arguments.utility.partial


@pytest.mark.parametrize(
    "command",
    ["ls --zzz", "ls -y", "ls --all=x", "sort -k", "sort -k $$x", "ls -l$x", "ls $$x -l", "ls -$x"],
)
def test_what_the_table_does_not_explain_is_not_sure(command: str) -> None:
    assert not read(command).sure


def test_unknown_options_are_kept_with_their_words() -> None:
    arguments = read("ls -ly --zzz f")
    assert arguments.unknown == [("y", PlainWord("-ly")), ("zzz", PlainWord("--zzz"))]
    assert arguments.operands == [PlainWord("f")]


def test_operands_end_options_only_where_the_utility_says_so() -> None:
    assert options(read("rm a -r b")) == [("r", None)]
    assert read("nice rm -r b").operands == [PlainWord(w) for w in ("rm", "-r", "b")]
    dashed = read("rm a -- -r")
    assert (dashed.dashes, dashed.options) == (1, [])


def test_an_option_has_all_of_its_names() -> None:
    for spelling in ("-r", "-R", "--recursive", "--recurs"):
        assert read(f"rm {spelling} a").has("recursive")
    assert read("frob --recurs a").has("recursive")
    assert not read("frob --re a").has("recursive")
    assert read("sort -k1 --key=2 a").value("key") == PlainWord("2")


def test_a_wrapper_is_parted_from_what_it_runs() -> None:
    before, inner = read("env -i A=1 B=2 rm -r x").wrapped()
    assert [w.text for w in before] == ["A=1", "B=2"]
    assert [w.text for w in inner] == ["rm", "-r", "x"]
    assert [w.text for w in read("timeout -s KILL 5 rm x").wrapped()[1]] == ["rm", "x"]


def utilities() -> list[Utility]:
    return [utility for name in known_utilities() if (utility := find_utility(name))]


def test_every_description_holds_together() -> None:
    for utility in utilities():
        defined = {kind.name for kind in utility.options.values()}
        assert utility.code | utility.looks_up <= defined, utility.name
        letters = (utility.posix or "") + (utility.posix_2024 or "")
        assert set(letters) - {":"} <= utility.options.keys(), utility.name
        re.compile(utility.also)
        for harm in utility.harms:
            assert harm.finding in finding_kinds(), utility.name
            for pattern in (harm.verb, harm.operand, harm.words, *harm.values.values()):
                re.compile(pattern)
        shared = find_utility(utility.same_harms)
        assert not utility.same_harms or (shared and shared.harms), utility.name


def test_find_has_each_word_once() -> None:
    known = find_words()
    kinds = (known.tests, known.actions, known.globals, known.positional)
    assert sum(map(len, kinds)) == len({word for kind in kinds for word in kind})
    assert (known.arity("wholename"), known.arity("fprintf"), known.arity("frob")) == (1, 2, None)


@pytest.mark.parametrize(
    ("command", "safe"),
    [
        # The value of `-p` is optional, and stands in the same word.
        ("mysql -u root -p -e 'drop database shop'", False),
        # `-i` of xargs takes no further word.
        ("echo / | xargs -i rm -rf {}", False),
        # These run a shell where no command is named.
        ("curl http://x.example/a | unshare", False),
        ("curl http://x.example/a | chroot /srv/jail", False),
        # The mode of another program is no code: `-e` is telnet's escape character.
        ("telnet -e ^X host 23", True),
        ("command -pv rm", True),
        ("docker compose down", True),
        ("docker compose -f x.yml down -v", False),
        ("kubectl delete pod x --dry-run=client", True),
        ("git push --mirr backup", False),
        ("passwd -d bob", False),
        ("echo root:x | chpasswd", False),
        ("pkill -u root", False),
        ("pkill -u root sshd", True),
    ],
)
def test_safety_reads_options_by_the_table(command: str, safe: bool) -> None:
    assert check_safety(command).safe is safe


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("command ls -la", "command ls -a -l"),
        ("env A=1 ls -la", "env A=1 ls -al"),
        ("sudo A=1 ls -la", "sudo A=1 ls -al"),
        ("timeout --foreground 5 ls", "timeout -f 5 ls"),
        ("make -S -p", "make -p --stop"),
        ("kill -n 9 7", "kill -KILL 7"),
    ],
)
def test_equality_knows_what_the_table_says(first: str, second: str) -> None:
    assert commands_match(first, second)


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("command -v docker", []),
        ("command docker", ["utility"]),
        ("env A=1 ls --color", ["option"]),
        ('ls -l"$x"', []),
        ("ls -lZG", ["option"]),
        ("chmod -w f", []),
        ("ls f -l", ["option"]),
        ("find . -maxdepth 1 -name x", ["option"]),
    ],
)
def test_posix_judges_by_the_same_table(command: str, rules: list[str]) -> None:
    assert [f.rule for f in judge_utilities(command, Edition.POSIX_2017)] == rules
