"""Go tests read by a parser: which there are, how they are watched, how they can be mutated."""

import re
from pathlib import Path

import pytest

from sdkbench import test_harness
from sdkbench.judge.mutants import apply
from sdkbench.test_harness.go import project as go_source
from sdkbench.test_harness.go.expectations import mutations_of
from sdkbench.test_harness.go.session import watch

HARNESS = Path(test_harness.__file__).parent
FILE = b"""\
package tests // ours

import (
\t"errors"
\t. "fmt"
\tcheck "testing"

\t"example.com/app"
)

// TestOne is the first.
func TestOne(t *check.T) { // here
\tif got := app.One(); got != 1 {
\t\tt.Errorf("got %d", got)
\t}
}

func Testing(t *check.T)           {}
func TestMain(m *check.M)          {}
func TestHelper(t *check.T, n int) {}
func (s suite) TestMethod(t *check.T) {}

func Test_two(_ *check.T) {}
"""


def test_functions_are_those_that_go_test_runs() -> None:
    assert [f.name for f in go_source.test_functions(go_source.parse(FILE))] == [
        "TestOne",
        "Test_two",
    ]


def test_imports_are_read_with_their_names() -> None:
    assert go_source.imports(go_source.parse(FILE)) == {
        "errors": "", "fmt": ".", "testing": "check", "example.com/app": "",
    }  # fmt: skip


def test_imports_of_a_file_that_is_never_built_do_not_count() -> None:
    source = b'//go:build ignore\n\npackage main\n\nimport "x.y/z"\n'
    assert go_source.imports(go_source.parse(source)) == {}


def test_watched_tests_keep_their_names_and_lines() -> None:
    watched = watch(FILE, "abc")
    assert watched.tests == ("TestOne", "Test_two")
    before, after = FILE.decode().splitlines(), watched.text.splitlines()
    assert len(after) == len(before)
    changed = [n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b]
    assert changed == [1, 12, 23]
    tree = go_source.parse(watched.text.encode())
    assert tree.first_error is None
    functions = [f.name for f in go_source.test_functions(tree)]
    assert functions == ["TestOne", "Test_two"]
    assert "func watchedabcTestOne(t *check.T) { // here" in watched.text


def test_watched_tests_tell_what_they_compare_errors_with() -> None:
    source = b"""package tests

import (
\t"errors"
\t"io"
\t"testing"

\t"example.com/app/v2"
\tother "example.com/other"
)

func TestX(t *testing.T) {
\tother := other.New()
\ttable := []struct{ err error }{{app.ErrRow}, {err: app.ErrKey}, {nil}}
\tfor _, row := range table {
\t\tif errors.Is(app.ErrLast, io.EOF) || other.Get() == other.ErrOwn {
\t\t\tt.Fatal(new(app.ErrType), app.ErrText(3))
\t\t}
\t}
}
"""
    text = watch(source, "abc").text
    assert re.findall(r'"([\w.]+)": \1, ', text) == ["app.ErrRow", "app.ErrKey", "io.EOF"]


def test_a_file_without_tests_stays_as_it_is() -> None:
    source = b'package tests\n\nimport "testing"\n\nfunc help(t *testing.T) {}\n'
    assert watch(source, "abc").text == source.decode()


def _mutated(body: str, extra: str = "", kind: str = "sense") -> list[str]:
    source = f'package tests\n\nimport (\n\t"testing"\n{extra})\n\nfunc TestX(t *testing.T) {{\n'
    source += f"{body}\n}}\n"
    found = []
    for mutation in mutations_of(source, "tests/x_test.go"):
        assert re.fullmatch(mutation.tests, "tests/x_test.go::TestX")
        assert not re.fullmatch(mutation.tests, "tests/x_test.go::TestXY")
        assert not go_source.parse(apply(source, [mutation]).encode()).root.has_error
        assert mutation.replacement != source[mutation.start : mutation.end]
        if mutation.kind == kind:
            other = mutation.replacement if kind == "sense" else "OTHER"
            assert "app." not in mutation.replacement  # nobody is told that it is a mutant
            shown = apply(source, [mutation.model_copy(update={"replacement": other})])
            found.append(shown.splitlines()[mutation.line - 1].strip())
    return found


IMPORTS = '\t"errors"\n\t"reflect"\n\t"strings"\n\t"github.com/stretchr/testify/require"\n'


@pytest.mark.parametrize(
    ("body", "mutated"),
    [
        ("if got != 3 { t.Fatal(got) }", "if got != OTHER { t.Fatal(got) }"),
        (
            "if err != nil || (got != -4) { t.Fatal() }",
            "if err != nil || (got != -OTHER) { t.Fatal() }",
        ),
        ('if got != `"7` { t.Fatal() }', "if got != OTHER { t.Fatal() }"),
        ("if true != got { t.Fatal() }", "if OTHER != got { t.Fatal() }"),
        (
            "if !reflect.DeepEqual(got, []T{{N: f()}, {N: 2, M: f(9)}}) { t.Fatal() }",
            "if !reflect.DeepEqual(got, []T{{N: f()}, {N: OTHER, M: f(9)}}) { t.Fatal() }",
        ),
        ("want := 6\n\tif got != want { t.Fatal(want) }", "want := OTHER"),
        (
            "app.Do()\n\tif !errors.Is(err, app.ErrName) { t.Fatal() }",
            "if !errors.Is(err, OTHER) { t.Fatal() }",
        ),
        ("require.Equal(t, 1, f(2))", "require.Equal(t, OTHER, f(2))"),
    ],
)
def test_another_value_is_expected(body: str, mutated: str) -> None:
    assert _mutated(f"\t{body}", IMPORTS, "value") == [mutated]


@pytest.mark.parametrize(
    "body",
    [
        "if got == 3 { t.Fatal(got) }",  # anything else will do
        "if got < 3 { t.Fatal(got) }",
        "if a && got != 3 { t.Fatal(got) }",
        "if got != f(3) { t.Fatal(got) }",
        "if got != 010 { t.Fatal(got) }",
        "if errors.Is(err, ErrName) { t.Fatal() }",
        "if !errors.Is(err, app.ErrName) { t.Fatal() }",  # nothing else would use the import
        "want := app.Err()\n\tif !errors.Is(err, want) { t.Fatal() }",  # nor the variable
        "for _, tc := range f() { if !errors.Is(err, tc.want) { t.Fatal() } }",
        'if !strings.Contains(got, "no") { t.Fatal() }',
        "want := 6\n\tput(want)\n\tif got != want { t.Fatal() }",
        "want := 6\n\tgo func() { put(want) }()\n\tif got != want { t.Fatal() }",
        "want, ok := 6, f()\n\tif got != want || !ok { t.Fatal() }",
        "if !other.DeepEqual(got, []int{1}) { t.Fatal() }",
        "require.NotEqual(t, 1, f())",
    ],
)
def test_what_may_hold_for_two_values_keeps_its_value(body: str) -> None:
    assert _mutated(f"\t{body}", IMPORTS, "value") == []


TABLE = """\tfor _, tc := range []struct { name, in string; want int }{
\t\t{"one", "a", 10},
\t\t{name: "two", want: 20, in: "b"},
\t} {
\t\tt.Run(tc.name, func(t *testing.T) {
\t\t\tif got := f(tc.in); got != tc.want { t.Fatalf("%d, want %d", got, tc.want) }
\t\t})
\t}"""


def test_the_expected_column_of_a_table_is_altered() -> None:
    forms = _mutated(TABLE, IMPORTS, "value")
    assert forms == ['{"one", "a", OTHER},', '{name: "two", want: OTHER, in: "b"},']


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(tc.in)", "f(tc.in, tc.want)"),  # an input too
        ("f(tc.in)", "f(tc)"),
        ("if got :=", "if tc.want > 3 { return }; if got :="),
    ],
)
def test_a_column_that_is_an_input_too_is_left_alone(before: str, after: str) -> None:
    assert _mutated(TABLE.replace(before, after), IMPORTS, "value") == []


def test_a_table_may_have_a_name_and_rows_may_go_ways_of_their_own() -> None:
    table = '\tcases := map[string]row{\n\t\t"a": {10, false},\n\t\t"b": {0, true},\n\t}\n'
    loop = "\tfor in, tc := range cases {\n\t\tgot, err := f(in)\n"
    loop += "\t\tif tc.bad { if err == nil { t.Error() }; continue }\n"
    loop += (
        "\t\tif got != tc.want { t.Error(in) }\n\t}\n}\ntype row struct { want int; bad bool }\n"
    )
    loop += "func more() {"
    forms = _mutated(table + loop, IMPORTS, "value")
    assert forms == ['"a": {OTHER, false},', '"b": {OTHER, true},']  # proof tells which count


def test_errors_of_a_table_are_altered_in_its_rows() -> None:
    table = (
        '\tfor in, want := range map[string]error{\n\t\t"a": app.ErrA,\n\t\t"b": nil,\n\t} {\n'
        "\t\tif err := app.Do(in); !errors.Is(err, want) { t.Fatal(want) }\n\t}"
    )
    assert _mutated(table, IMPORTS, "value") == ['"a": OTHER,', '"b": OTHER,']


def test_lists_and_constants_are_altered_where_they_are_written() -> None:
    loop = "\tfor _, want := range []int{10, 21} { if f() != want { t.Fatal(want) } }"
    forms = _mutated(loop, IMPORTS, "value")
    assert [form.count("OTHER") for form in forms] == [1, 1]
    rest = "}\nconst limit = 30\nfunc more() {"
    alone = _mutated(f"\tif f() != limit {{ t.Fatal() }}\n{rest}", IMPORTS, "value")
    assert alone == ["const limit = OTHER"]
    shared = _mutated(f"\tif f() != limit {{ t.Fatal() }}\n{rest} use(limit)", IMPORTS, "value")
    assert shared == ["if f() != OTHER { t.Fatal() }"]


def test_a_text_that_is_looked_for_is_another() -> None:
    body = '\tif !strings.Contains(got, "balance") { t.Fatal() }'
    assert _mutated(body, IMPORTS, "value") == ["if !strings.Contains(got, OTHER) { t.Fatal() }"]


@pytest.mark.parametrize(
    ("statement", "mutated"),
    [
        ("if got != 3 { t.Fatal(got) }", "if got == 3 { t.Fatal(got) }"),
        ('if s := f(); s == "ä" { t.Error(s) }', 'if s := f(); s != "ä" { t.Error(s) }'),
        ("if !ok { t.Error() }", "if ok { t.Error() }"),
        ("if a < b { t.FailNow() }", "if !(a < b) { t.FailNow() }"),
        ("if a || b != 1 { t.Fail() }", "if !(a || b != 1) { t.Fail() }"),
        ("if errors.Is(err, x) { t.Error(err) }", "if !(errors.Is(err, x)) { t.Error(err) }"),
    ],
)  # fmt: skip
def test_the_condition_of_a_failure_is_turned_around(statement: str, mutated: str) -> None:
    assert _mutated(f"\t{statement}") == [mutated]


def test_assertions_of_testify_become_their_opposite() -> None:
    extra = '\t"github.com/stretchr/testify/require"\n'
    assert _mutated("\trequire.Equal(t, 1, f())", extra) == ["require.NotEqual(t, 1, f())"]
    assert _mutated("\trequire.Equal(t, 1, f())") == []


@pytest.mark.parametrize(
    "body",
    [
        "\tif got != 3 { t.Log(got) }",  # does not fail
        "\tif got != 3 { t.Fatal(got) } else { done() }",
        "\tfor i := range got { if i != 3 { t.Fatal(i) } }",  # may not run at all
        '\tt.Run("sub", func(t *testing.T) { if f() { return }; if got != 3 { t.Fatal(got) } })',
        '\trun("sub", func(t *testing.T) { if got != 3 { t.Fatal(got) } })',
        "\tif quick { return }\n\tif got != 3 { t.Fatal(got) }",
        "\tif quick { t.Skip() }\n\tif got != 3 { t.Fatal(got) }",
        "\tif got != 3 { other.Fatal(got) }",
    ],
)
def test_what_not_every_pass_goes_through_is_left_alone(body: str) -> None:
    assert _mutated(body) == []


def test_a_loop_over_written_values_counts() -> None:
    body = "\tfor _, n := range []int{1, 2} {\n\t\tif f(n) != n { t.Fatal(n) }\n\t}"
    assert _mutated(body) == ["if f(n) == n { t.Fatal(n) }"]


def test_a_file_that_is_no_go_has_no_mutations() -> None:
    assert mutations_of("package tests\nfunc TestX(t *testing.T { nope", "tests/x_test.go") == []


def test_lines_are_counted_without_the_parsers_points() -> None:
    """tree-sitter 0.26.0 frees the numbers of `node.start_point`: some uses later, all crashes."""
    line = 321  # no number that Python shares
    source = "package tests\n" + "\n" * (line - 2) + "func broken( {\n"
    lines = [go_source.parse(source.encode()).first_error for _ in range(1000)]
    assert set(lines) == {line}
    assert not [path for path in HARNESS.rglob("*.py") if ".start_point." in path.read_text()]
