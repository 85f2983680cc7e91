"""The reader: any text is a tree or a problem, in bounded time, and agrees with bash."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.shell.posix.tools import ToolOutput
from sdkbench.shell.reader.tree import (
    AndOr,
    BraceList,
    CommandSubstitution,
    Function,
    Glob,
    Heredoc,
    Literal,
    Parameter,
    Pipeline,
    Quoting,
    Script,
    SimpleCommand,
    Tilde,
)
from sdkbench.shell.syntax import MAX_LENGTH, ProblemKind, parse, walk
from sdkbench.shell.validation import reader_disagreements

FRAGMENTS = [
    *[
        "a",
        "b",
        "'",
        '"',
        "\\",
        "$x",
        "${x}",
        "${x:-",
        "}",
        "{",
        "$(",
        ")",
        "`",
        "(",
        "((",
        "))",
        "$((",
    ],
    *[
        "|",
        "||",
        "&",
        "&&",
        ";",
        ";;",
        "<",
        ">",
        ">>",
        "2>&1",
        "&>",
        "<<E",
        "#",
        "!",
        "<<<",
        "|&",
        ">|",
    ],
    *[
        "if ",
        "then ",
        "do ",
        "while ",
        "for ",
        "in ",
        "case ",
        "time ",
        "else ",
        "{ ",
        "! ",
        "until ",
    ],
    *[
        "[",
        "]",
        "fi",
        "done",
        "esac",
        "x=1",
        "arr=(",
        "*",
        "~",
        "{a,b}",
        "=",
        "-",
        "1",
        "f()",
        "<(",
    ],
    *["$'", "<>", ";}", "==", ",", "[[", "]]", " ", "\n", "\nE\n", '"$x"', '$"'],
]


def script(text: str) -> Script:
    parsed = parse(text)
    assert parsed.problem is None, parsed.problem
    assert parsed.script is not None
    return parsed.script


def simple(text: str) -> SimpleCommand:
    body = script(text).statements[0].body
    assert isinstance(body, SimpleCommand)
    return body


def test_words_keep_their_quoting() -> None:
    word = simple("echo a'b c'\"$x\"\\ d").words[1]
    kinds = [p.quoting if isinstance(p, Literal) else type(p) for p in word.parts]
    assert kinds == [Quoting.NONE, Quoting.SINGLE, Parameter, Quoting.ESCAPED, Quoting.NONE]


def test_spans_point_into_the_text() -> None:
    text = 'FOO=1 ls  "a b" > out'
    command = simple(text)
    shown = [text[w.span.start : w.span.end] for w in command.words]
    assert shown == ["ls", '"a b"']
    assert text[command.redirects[0].span.start : command.redirects[0].span.end] == "> out"


def test_spans_inside_backticks_point_into_the_original() -> None:
    text = r"echo `ls \`pwd\``"
    inner = [n for n in walk(script(text)) if isinstance(n, SimpleCommand)]
    assert [text[c.span.start : c.span.end] for c in inner][-1] == "pwd"


def test_redirection_belongs_to_the_last_command_of_a_pipeline() -> None:
    body = script("a | b > c").statements[0].body
    assert isinstance(body, Pipeline)
    first, last = body.commands
    assert isinstance(first, SimpleCommand)
    assert isinstance(last, SimpleCommand)
    assert (len(first.redirects), len(last.redirects)) == (0, 1)


def test_word_after_a_redirection_is_an_argument() -> None:
    assert [w.constant for w in simple("> x ls > y foo").words] == ["ls", "foo"]


def test_bang_negates_the_whole_pipeline() -> None:
    body = script("! a | b").statements[0].body
    assert isinstance(body, Pipeline)
    assert (body.negated, len(body.commands)) == (True, 2)


def test_heredoc_before_a_pipe() -> None:
    parsed = script("cat <<E | tr a b\nhello $x\nE\nls")
    assert len(parsed.statements) == 2
    body = next(n for n in walk(parsed) if isinstance(n, Heredoc))
    assert isinstance(body.parts[0], Literal)
    assert body.parts[0].value == "hello "


def test_quoted_heredoc_is_one_literal() -> None:
    body = next(n for n in walk(script("cat <<-'E'\n\ta $(b)\n\tE")) if isinstance(n, Heredoc))
    assert [type(p) for p in body.parts] == [Literal]


def test_commands_inside_substitutions_are_walked() -> None:
    text = 'echo "$(a `b`)" <(c) ${x:-$(d)} $(( $(e) ))'
    names = [n.words[0].constant for n in walk(script(text)) if isinstance(n, SimpleCommand)]
    assert names == ["echo", "a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("~/x", Tilde),
        ("*.c", Glob),
        ("[a-z]", Glob),
        ("{a,b}", BraceList),
        ("`x`", CommandSubstitution),
    ],
)
def test_active_parts(text: str, kind: type) -> None:
    assert isinstance(simple(f"echo {text}").words[1].parts[0], kind)
    assert simple(f"echo '{text}'").words[1].constant == text


def test_braces_that_expand_to_nothing_are_text() -> None:
    assert [w.constant for w in simple("find {} {a} a}{").words[1:]] == ["{}", "{a}", "a}{"]


def test_and_or_and_functions() -> None:
    assert isinstance(script("a && b || c").statements[0].body, AndOr)
    assert isinstance(script("f() { ls; }").statements[0].body, Function)


@pytest.mark.parametrize(
    ("text", "position"),
    [('ls "a', 3), ("ls 'a", 3), ("a | | b", 4), ("a &&", 4), ("if a; then b", 12), ("ls )", 3)],
)
def test_a_problem_has_its_place(text: str, position: int) -> None:
    problem = parse(text).problem
    assert problem is not None
    assert (problem.kind, problem.position) == (ProblemKind.SYNTAX, position)


def test_a_problem_has_line_and_column() -> None:
    problem = parse("ls\necho 'x").problem
    assert problem is not None
    assert (problem.line, problem.column) == (2, 6)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a\0b", ProblemKind.NUL),
        ("a" * 1_000_000, ProblemKind.TOO_LONG),
        ("$(" * 10_000, ProblemKind.TOO_DEEP),
        ("$((" * 10_000, ProblemKind.TOO_DEEP),
        ("`" * 10_001, ProblemKind.SYNTAX),
        ("if " * 10_000, ProblemKind.TOO_DEEP),
        ("{a," * 9_000 + "}" * 9_000, ProblemKind.TOO_DEEP),
    ],
)
def test_bombs_are_problems(text: str, kind: ProblemKind) -> None:
    problem = parse(text).problem
    assert problem is not None
    assert problem.kind == kind


PIECES = ["[", "[a", "((", "$((", "(a)", "@(", "`a`", "~", "{", "<<E ", '"a" ', "\\"]
NESTED = [(o * 15, piece) for o in ("((", "$((", '"$(') for piece in PIECES]
SLOWEST = ("$((" * 15, "`a`")


@pytest.mark.parametrize(
    ("opening", "piece"),
    [("", piece) for piece in PIECES]
    + [SLOWEST]
    + [pytest.param(*pair, marks=pytest.mark.nightly) for pair in NESTED if pair != SLOWEST],
)
def test_time_is_bounded(opening: str, piece: str) -> None:
    text = opening + piece * ((MAX_LENGTH - len(opening)) // len(piece))
    before = time.process_time()
    parse(text)
    assert time.process_time() - before < 20  # generous: the machine may be busy


@given(st.text(max_size=200))
def test_junk_never_raises(text: str) -> None:
    parsed = parse(text)
    assert (parsed.script is None) != (parsed.problem is None)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
@settings(max_examples=500)
def test_junk_of_shell_pieces_never_raises(text: str) -> None:
    parsed = parse(text)
    if parsed.script is not None:
        assert all(
            0 <= n.span.start <= n.span.end <= len(text)
            for n in walk(parsed.script)
            if hasattr(n, "span")
        )


def test_every_unicode_block_is_read() -> None:
    for start in range(0x20, 0x110000, 0x80):
        char = chr(start + 1)
        assert simple(f"echo 'x{char}'").words[1].constant == f"x{char}"


VALID = """
echo a | time b
case x in a|b) c;; (d) e;; esac
for ((i=0;i<3;i++)); do a; done
[[ $a =~ ^(x|y)$ && -n $b ]]
a() ( b )
x=(1 2 'a b') y[1]=2
3<>f exec {fd}>g
select x in a; do b; done
until a; do b; done < c
echo $'a\\'b' $"c"
coproc x { a; }
if a; then b; elif c; then d; else e; fi > f
(( a++ )) || ((b))
a & b & wait
! ! a
echo ${x//a/b} ${#y} ${!z} ${a[@]:1:2} ${v^^}
{ a; } 2>&1 | b
{ while a; do b; done }
if (a) then b; fi
for x in a; do (b) done
f() { g() { a; } }
coproc a while b; do c; done
[[ a =~ (b|c)+ ]]
echo ${x[$(y)]} ${x[`y`]}
""".strip().split("\n")
# Read by bash, which fails only when it runs them.
LATE = """
coproc "a b" { c; }
for "x" in a; do b; done
select {x} in a; do b; done
"f"() { a; }
f$x() { a; }
function 'f' { a; }
echo ${{x}} "${a b}" ${}
echo `;` `a <`
eval a=(b) && let c=(d)
""".strip().split("\n")
INVALID = """
a | | b
a ;; b
fi
then a
a && && b
( )
{ }
if a; fi
for x in a do b; done
echo (a)
a >
case x in a) b
while a; done
]] a
in
a | ! b
&& a
; a
done
{ a > b }
{ { a; } > b }
{ a }
coproc a b { c; }
echo ${a
echo $(a <)
a b () { c; }
""".strip().split("\n")


@pytest.mark.parametrize("text", VALID + LATE + INVALID)
def test_bash_agrees_on_what_is_a_command(text: str) -> None:
    ran = subprocess.run(["bash", "-nc", text], capture_output=True, check=False)  # noqa: S607
    assert (parse(text).problem is None) == (ran.returncode == 0) == (text not in INVALID)


def shfmt_run(argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        program = str(Path(sys.executable).parent / argv[0])
        ran = subprocess.run(
            [program, *argv[1:]], cwd=folder, capture_output=True, text=True, check=False
        )
    return ToolOutput(ran.returncode, ran.stdout, ran.stderr)


def test_shfmt_gives_a_second_opinion() -> None:
    found = reader_disagreements(["ls", "a | | b", *VALID, *LATE], shfmt_run)
    # bash takes several `!`, and finds later than shfmt what it can't run: there shfmt is stricter.
    assert {d.ours for d in found.values()} == {""}
    assert set(found) <= {"! ! a", *LATE}
