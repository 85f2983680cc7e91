"""Go projects as strangers bring them: judged as `go test ./...` would judge them."""

import shutil

import pytest

from sdkbench.core import Fault, Outcome
from tests.support.projects import Files, Judge
from tests.support.seven.go import GOOD, MOD, SEVEN, SOURCE, written_tests
from tests.support.toolchains import needs

pytestmark = needs("go")


def _test(package: str, body: str = "", *, imports: str = '"testing"') -> str:
    return f"package {package}\n\nimport ({imports})\n\nfunc TestIt(t *testing.T) {{{body}}}\n"


def test_a_package_that_does_not_compile_leaves_the_counts_of_the_others(judge: Judge) -> None:
    broken = {
        "broken/broken.go": "package broken\n\nfunc F() int { return `x` }\n",
        "broken/broken_test.go": _test("broken"),
        "user/user.go": 'package user\n\nimport _ "example.com/double/broken"\n',
    }
    result = judge(SEVEN["pass"] | broken)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert (result.tests_passed, result.tests_total) == (2, 2)
    assert result.build_results
    [error] = result.build_results.errors  # one, though two packages suffer from it
    assert error.startswith("broken/broken.go:3:")


def test_only_the_checks_of_go_test_are_made(judge: Judge) -> None:
    odd = 'package double\n\nimport "sync"\n\nfunc Copy(m sync.Mutex) { _ = m }\n'  # go vet minds
    result = judge({**SEVEN["pass"], "copy.go": odd})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_what_a_test_runs_to_see_it_fail_is_no_failure(judge: Judge) -> None:
    body = """
	all := func(_, _ string) (bool, error) { return true, nil }
	fails := func(t *testing.T) { t.Error("as it must") }
	inner := testing.InternalTest{Name: t.Name() + "/inner", F: fails}
	other := testing.InternalTest{Name: "other", F: fails}
	if testing.RunTests(all, []testing.InternalTest{inner, other}) {
		t.Fatal("it passed")
	}
"""
    result = judge(SEVEN["pass"] | {"inner_test.go": _test("double", body)})
    assert (result.outcome, result.tests_passed, result.error) == (Outcome.PASSED, 3, None)


def test_a_main_that_hides_failures_does_not_make_them_pass(judge: Judge) -> None:
    body = 't.Run("sub", func(t *testing.T) { t.Fatal("wrong") })'
    main = "\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n"
    test = _test("double", body, imports='"os"; "testing"') + main
    result = judge({"go.mod": MOD, "double.go": SOURCE, "double_test.go": test})
    assert (result.outcome, result.fault, result.tests_passed) == (Outcome.FAILED, Fault.TEST, 0)


OTHER_SYSTEM = 'package double\n\nimport "example.invalid/windows/only"\n\nvar _ = only.X\n'


@pytest.mark.parametrize(
    "files",
    [
        {"odd.go": f"//go:build windows && !linux\n\n{OTHER_SYSTEM}"},
        {"odd.go": f"// +build windows\n\n{OTHER_SYSTEM}"},
        {"odd_windows.go": OTHER_SYSTEM},
        {"internal/testdata/odd.go": "package nothing\n\nfunc {\n"},
        {"_examples/odd.go": OTHER_SYSTEM},
        {"tools/go.mod": "module tools\n", "tools/odd_test.go": _test("tools", "t.Fatal()")},
        {"go.work": "go 1.21\n\nuse .\nuse ./tools\n", "tools/go.mod": "module tools\n\ngo 1.21\n",
         "tools/odd_test.go": _test("tools", "t.Fatal()")},
    ],
    ids=["constraint", "old-constraint", "name", "testdata", "underscore", "module", "workspace"],
)  # fmt: skip
def test_what_go_does_not_look_at_has_no_say(judge: Judge, files: Files) -> None:
    result = judge(SEVEN["pass"] | files)
    assert (result.outcome, result.tests_total, result.error) == (Outcome.PASSED, 2, None)


def test_examples_seeds_and_subtests_count_as_go_counts_them(judge: Judge) -> None:
    more = """package double

import (
	"fmt"
	"testing"
)

func ExampleDouble() {
	fmt.Println(Double(2))
	// Output: 4
}

func ExampleDouble_notRun() { panic("no output is expected") }

func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if Double(n) != n+n {
			t.Fatal(n)
		}
	})
}

func TestSame(t *testing.T) {
	t.Run("a", func(*testing.T) {})
	t.Run("a", func(*testing.T) {})
}

func BenchmarkDouble(b *testing.B) { b.Fatal("not run") }
"""
    result = judge(SEVEN["pass"] | {"more_test.go": more})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    assert result.test_results
    names = {name.partition("::")[2] for name in result.test_results.cases}
    assert names == {
        "Test1", "Test2", "ExampleDouble", "FuzzDouble", "FuzzDouble/seed#0", "FuzzDouble/seed#1",
        "TestSame", "TestSame/a", "TestSame/a#01",
    }  # fmt: skip


def test_a_vendor_folder_is_used_as_it_is(judge: Judge) -> None:
    files = {
        "go.mod": MOD + "\nrequire example.invalid/there v1.0.0\n",
        "double.go": 'package double\n\nimport "example.invalid/there"\n\n'
        "func Double(n int) int { return n * there.Two }\n",
        "double_test.go": written_tests(GOOD),
        "vendor/modules.txt": "# example.invalid/there v1.0.0\n## explicit\n"
        "example.invalid/there\n",
        "vendor/example.invalid/there/there.go": "package there\n\nconst Two = 2\n",
    }
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_a_panic_is_placed_in_the_deepest_frame_of_the_project(judge: Judge) -> None:
    inner = 'package inner\n\nimport "strings"\n\nfunc Bad() string {\n'
    inner += "\treturn strings.Repeat(`x`, -1)\n}\n"
    test = _test("double", "inner.Bad()", imports='"testing"; "example.com/double/inner"')
    result = judge({"go.mod": MOD, "double_test.go": test, "inner/inner.go": inner})
    assert result.test_results
    [failure] = result.test_results.failures
    assert (failure.file_path, failure.line_number) == ("inner/inner.go", 6)
    assert "negative Repeat count" in failure.error_message


def test_a_sum_that_is_not_there_is_made(judge: Judge) -> None:
    source = 'package double\n\nimport "github.com/google/uuid"\n\n'
    source += "func Double(n int) int { return n * len(uuid.NewString()) / 18 }\n"
    manifest = MOD + "\nrequire github.com/google/uuid v1.6.0\n"
    result = judge(SEVEN["pass"] | {"go.mod": manifest, "double.go": source})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not on PATH")
def test_c_is_compiled_where_there_is_a_compiler(judge: Judge) -> None:
    source = 'package double\n\n// static int twice(int n) { return 2 * n; }\nimport "C"\n\n'
    source += "func Double(n int) int { return int(C.twice(C.int(n))) }\n"
    result = judge(SEVEN["pass"] | {"double.go": source})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_a_newer_go_than_there_is_is_a_missing_tool(judge: Judge) -> None:
    result = judge(SEVEN["pass"] | {"go.mod": "module example.com/double\n\ngo 1.999\n"})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "1.999" in (result.error or "")


OUTSIDE = """package double_test

import (
	"testing"

	"example.com/told/double"
	"example.com/told/double/inner"
)

func TestIt(t *testing.T) {
	if double.Double(inner.Two) != 4 {
		t.Fatal()
	}
}
"""


@pytest.mark.parametrize(
    ("package", "path"), [("double", "double"), ('other // import "example.com/told/double"', "x")]
)
def test_without_a_manifest_a_module_has_the_path_that_its_sources_tell(
    judge: Judge, package: str, path: str
) -> None:
    name = package.partition(" ")[0]
    files = {
        f"{path}.go": f"package {package}\n\nfunc Double(n int) int {{ return n * 2 }}\n",
        "inner/inner.go": "package inner\n\nconst Two = 2\n",
        "outside_test.go": OUTSIDE.replace("double_test", f"{name}_test").replace(
            "double.Double", f"{name}.Double"
        ),
    }
    result = judge(files)
    assert (result.outcome, result.error, result.tests_passed) == (Outcome.PASSED, None, 1)
