"""Go: own projects, forged output, and what a sample's tests may use."""

from pathlib import Path

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.datasets import load_corpus
from sdkbench.judge.selftest import judge_entry
from sdkbench.judge.subject import Options
from sdkbench.test_harness import GoTestRunner, Harness, TestRunnerRegistry
from tests.support.places import CORPUS
from tests.support.projects import Judge, MakeSample, write
from tests.support.seven.go import GOOD, MOD, SEVEN, SOURCE, written_tests
from tests.support.toolchains import needs

needs_go = needs("go")


@needs_go
def test_a_failure_has_its_message_file_and_line(judge: Judge) -> None:
    result = judge(SEVEN["fail"])
    assert result.test_results
    (failure,) = result.test_results.failures
    assert failure.test_name == "example.com/double::Test2"
    assert (failure.error_message, failure.file_path) == ("got 4, want 5", "double_test.go")
    lines = SEVEN["fail"]["double_test.go"].splitlines()
    assert failure.line_number
    assert "want 5" in lines[failure.line_number - 1]


@needs_go
def test_vet_is_part_of_the_build(judge: Judge) -> None:
    body = 'package double\n\nimport "fmt"\n\nfunc Say(n int) { fmt.Printf("%s", n) }\n'
    result = judge({**SEVEN["pass"], "say.go": body})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "say.go:5" in (result.error or "")


@needs_go
def test_a_test_that_prints_passes_still_fails(judge: Judge) -> None:
    forged = '{"Action":"pass","Test":"Test1"}'
    body = (
        f"println(`--- PASS: Test1 (0.00s)\nPASS\n{forged}`)\n\tprint(`half`)\n\tt.Fatal(`wrong`)"
    )
    result = judge(SEVEN["pass"] | {"double_test.go": written_tests(body)})
    assert (result.outcome, result.tests_passed, result.tests_total) == (Outcome.FAILED, 0, 1)
    assert result.failed_tests == ["example.com/double::Test1"]


@needs_go
def test_a_file_or_a_folder_of_tests_can_be_chosen(judge: Judge) -> None:
    text = written_tests('t.Fatal("no")').replace("package double", "package inner")
    files = SEVEN["pass"] | {"inner/inner_test.go": text}
    assert judge(files, test_dir="double_test.go").tests_total == 2
    assert judge(files, test_dir="inner").failed_tests == ["example.com/double/inner::Test1"]


@needs_go
def test_the_type_check_reports_places(tmp_path: Path, harness: Harness) -> None:
    folder = write(tmp_path / "project", SEVEN["compile_error"])
    found = GoTestRunner(folder, harness=harness).type_check()
    assert not found.success
    assert (found.problems[0].path, found.problems[0].line) == ("double.go", 3)


@needs_go
def test_modules_of_a_workspace_see_each_other(judge: Judge) -> None:
    user = 'package user\n\nimport "example.com/double"\n\n'
    user += "func Four() int { return double.Double(2) }\n"
    test = 'package user\n\nimport "testing"\n\nfunc TestFour(t *testing.T) {\n\tif Four() != 4 {\n'
    files = {
        "go.work": "go 1.21\n\nuse (\n\t./double\n\t./user\n)\n",
        "double/go.mod": MOD,
        "double/double.go": SOURCE,
        "double/double_test.go": written_tests(GOOD),
        "user/go.mod": "module example.com/user\n\ngo 1.21\n\nrequire example.com/double v0.0.0\n",
        "user/user.go": user,
        "user/user_test.go": test
        + '\t\tt.Fatal("no")\n\t}\n\tt.Run("sub", func(*testing.T) {})\n}\n',
    }
    result = judge(files)
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, 3), result.error


@needs_go
def test_a_missing_requirement_is_a_build_error_that_says_so(judge: Judge) -> None:
    files = SEVEN["pass"] | {
        "double.go": SOURCE.replace("\n\n", '\n\nimport _ "github.com/golang-jwt/jwt/v5"\n\n', 1)
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "no required module provides package github.com/golang-jwt" in (result.error or "")
    assert "go get github.com/golang-jwt/jwt/v5" in (result.error or "")


RICH = {
    "help.go": 'package tests\n\nfunc Want() string { return text }\n\nvar text = "data"\n',
    "testdata/text.txt": "data",
    "inner/inner_test.go": """package inner

import (
	"testing"

	"example.com/double/internal/deep"
)

func TestDeep(t *testing.T) {
	if deep.Three != 3 {
		t.Fatal(deep.Three)
	}
}
""",
    "rich_test.go": """package tests

import (
	_ "embed"
	"os"
	"os/exec"
	"testing"

	"example.com/double"
)

//go:embed testdata/text.txt
var embedded string

var ready bool

func TestMain(m *testing.M) {
	ready = true
	os.Exit(m.Run())
}

func TestFiles(t *testing.T) {
	read, err := os.ReadFile("testdata/text.txt")
	if err != nil || string(read) != Want() || embedded != Want() {
		t.Fatal(err, read, embedded)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	if !ready || t.Name() != "TestReady" || double.Double(2) != 4 {
		t.Fatal(ready, t.Name())
	}
}

func TestChild(t *testing.T) {
	if os.Getenv("CHILD") != "" {
		os.Exit(7)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), "CHILD=1")
	child.Run()
	if code := child.ProcessState.ExitCode(); code != 7 {
		t.Fatal(code)
	}
}

func TestOthers(t *testing.T) {
	TestFiles(t)
	t.Run("files", TestFiles)
}

func TestSkipped(t *testing.T) { t.Skip("not here") }
""",
}


@needs_go
def test_a_samples_tests_may_use_what_go_test_offers(judge: Judge, make_sample: MakeSample) -> None:
    solution = {
        "go.mod": MOD,
        "double.go": SOURCE,
        "internal/deep/deep.go": "package deep\n\nconst Three = 3\n",
    }
    sample = make_sample(solution, RICH)
    result = judge(solution, sample)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    assert (result.tests_passed, result.tests_skipped) == (5, 1)
    assert any("the tests start their own program" in note for note in result.notes)
    renamed = judge(solution | {"go.mod": MOD.replace("double", "other")}, sample)
    assert (renamed.outcome, renamed.fault) == (Outcome.FAILED, Fault.INSTALL)


@needs_go
def test_imports_that_allow_forgery_lower_the_assurance(harness: Harness) -> None:
    corpus = load_corpus(CORPUS, ("go",))
    entry = next(entry for entry in corpus if entry.name == "several_packages")
    result = judge_entry(entry, Options(), harness)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.PLAIN)
    assert any("imports unsafe" in note for note in result.notes)


def test_detection_says_why(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", SEVEN["pass"])
    found = GoTestRunner(folder).detect()
    assert (found.detected, found.confidence) == (True, 0.9)
    assert found.markers_found == ["go.mod", "double_test.go"]
    assert TestRunnerRegistry.detect_all(folder)[0].runner == "go"
    assert not GoTestRunner(write(tmp_path / "other", {"app.py": "x = 1\n"})).detect().detected


def test_the_quick_check_finds_files_that_are_no_go(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", SEVEN["pass"] | {"bad.go": "package double\n\nfunc {"})
    check = GoTestRunner(folder).quick_check()
    assert (check.has_manifest, check.has_tests) == (True, True)
    assert [problem.split(":")[0] for problem in check.problems] == ["bad.go"]
