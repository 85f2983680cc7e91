"""Black-box solutions in compiled languages: built by us, away from the tests, and called."""

from typing import NamedTuple

import pytest

from sdkbench.core import Assurance, Fault, Outcome
from tests.support.projects import Files, Judge, MakeSample
from tests.support.toolchains import needs

TESTS = {
    "test_app.py": "import os, subprocess\n"
    "def test_two():\n"
    "    done = subprocess.run(['solution', '2'], capture_output=True, text=True)\n"
    "    assert (done.returncode, done.stdout) == (0, '4\\n'), done.stderr\n"
    "def test_the_solution_is_not_here():\n"
    "    assert os.listdir('expected') == []\n"
}
GO_MOD = "module example.com/double/v2\n\ngo 1.21\n"
GO = (
    'package main\n\nimport (\n\t"fmt"\n\t"os"\n\t"strconv"\n)\n\nfunc main() {\n'
    "\tn, _ := strconv.Atoi(os.Args[1])\n\tfmt.Println(2 * n)\n}\n"
)
GO_SERVER = (
    'package main\n\nimport (\n\t"fmt"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n'
    '\thttp.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {'
    ' fmt.Fprint(w, "hello") })\n'
    '\thttp.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)\n}\n'
)
CARGO = '[package]\nname = "double"\nversion = "0.1.0"\nedition = "2021"\n'
RUST = (
    "fn main() {\n    let word = std::env::args().nth(1).unwrap();\n"
    '    println!("{}", 2 * word.parse::<i64>().unwrap());\n}\n'
)
POM = (
    "<project><modelVersion>4.0.0</modelVersion><groupId>demo</groupId><artifactId>demo</artifactId>"
    "<version>1</version></project>"
)
JAVA = (
    "package app;\npublic final class Main {\n    public static void main(String[] words) {\n"
    "        System.out.println(2 * Integer.parseInt(words[0]));\n    }\n}\n"
)
MAIN = "src/main/java/app/Main.java"


class Kind(NamedTuple):
    language: str
    files: Files
    source: str  # the file that doubles
    command: tuple[str, ...]

    @property
    def box(self) -> dict[str, object]:
        return {"command": list(self.command)}

    def with_source(self, old: str, new: str) -> Files:
        assert old in self.files[self.source]
        return {**self.files, self.source: self.files[self.source].replace(old, new)}


KINDS = {
    "go": Kind("go", {"go.mod": GO_MOD, "main.go": GO}, "main.go", ("{program}",)),
    "rust": Kind("rust", {"Cargo.toml": CARGO, "src/main.rs": RUST}, "src/main.rs", ("{program}",)),
    "java": Kind("java", {"pom.xml": POM, MAIN: JAVA}, MAIN, ("java", "app.Main")),
}
EACH = [pytest.param(kind, marks=needs(name), id=name) for name, kind in KINDS.items()]


@pytest.mark.parametrize("kind", EACH)
def test_right_passes_wrong_and_broken_fail(
    kind: Kind, judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(kind.files, TESTS, black_box=kind.box)
    right = judge(kind.files, sample)
    assert (right.outcome, right.assurance) == (Outcome.PASSED, Assurance.BLACK_BOX), right.error
    assert (right.language, right.framework) == (kind.language, "pytest")
    wrong = judge(kind.with_source("2 *", "3 *"), sample)
    assert (wrong.outcome, wrong.fault, wrong.tests_passed) == (Outcome.FAILED, Fault.TEST, 1)
    broken = judge(kind.with_source("2 *", "2 * nothing *"), sample)
    assert (broken.outcome, broken.fault) == (Outcome.FAILED, Fault.BUILD)
    assert kind.source in (broken.error or "")


@pytest.mark.parametrize("kind", EACH)
def test_a_solution_without_a_program_fails(
    kind: Kind, judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(kind.files, TESTS, black_box=kind.box)
    library = {
        "go": {"go.mod": GO_MOD, "double.go": "package double\n"},
        "rust": {"Cargo.toml": CARGO, "src/lib.rs": ""},
        "java": {"pom.xml": POM, "src/main/java/app/Other.java": "package app;\nclass Other {}\n"},
    }[kind.language]
    result = judge(library, sample)
    assert result.outcome is Outcome.FAILED
    assert result.fault in {Fault.BUILD, Fault.TEST}


# What each would write where the tests' side could find it, were it run by the build.
HOSTILE = {
    "go": {
        "go.mod": GO_MOD,
        "main.go": GO.replace("package main\n", 'package main\n\nimport "C"\n', 1),
        "helper_test.go": "package main\n\nfunc init() { panic(1) }\n",
        "vendor/modules.txt": "# none\n",
    },
    "rust": {
        "Cargo.toml": CARGO,
        "build.rs": "fn main() { panic!() }\n",
        "src/main.rs": RUST,
        ".cargo/config.toml": '[build]\nrustc-wrapper = "/bin/false"\n',
        "rust-toolchain.toml": '[toolchain]\npath = "/nowhere"\n',
    },
    "java": {
        "pom.xml": POM.replace(
            "</project>",
            "<build><plugins><plugin><groupId>none</groupId><artifactId>none</artifactId>"
            "</plugin></plugins></build></project>",
        ),
        MAIN: JAVA,
        "src/main/resources/META-INF/services/javax.annotation.processing.Processor": "app.Main",
        "src/main/java/module-info.java": "module app { requires nothing.of.the.kind; }\n",
    },
}


@pytest.mark.parametrize("kind", EACH)
def test_what_would_run_while_building_does_not(
    kind: Kind, judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(kind.files, TESTS, black_box=kind.box)
    result = judge(HOSTILE[kind.language], sample)
    # C is not compiled, and so its file is left out; the others are built as if that weren't there.
    expected = Outcome.FAILED if kind.language == "go" else Outcome.PASSED
    assert result.outcome is expected, result.error
    assert result.assurance is Assurance.BLACK_BOX


@needs("rust")
def test_a_program_may_not_be_compiled_from_what_is_not_its_own(
    judge: Judge, make_sample: MakeSample
) -> None:
    kind = KINDS["rust"]
    sample = make_sample(kind.files, TESTS, black_box=kind.box)
    files = kind.with_source("fn main", 'const _: &str = include_str!("/etc/hostname");\nfn main')
    result = judge(files, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)


@needs("go")
def test_one_of_several_programs_is_called_by_its_name(
    judge: Judge, make_sample: MakeSample
) -> None:
    files = {"go.mod": GO_MOD, "cmd/other/main.go": GO.replace("2 *", "3 *"), "cmd/two/main.go": GO}
    sample = make_sample(files, TESTS, black_box={"command": ["two"]})
    assert judge(files, sample).outcome is Outcome.PASSED


@needs("go")
def test_a_compiled_server_is_reached_over_its_port(judge: Judge, make_sample: MakeSample) -> None:
    tests = {
        "test_server.py": "import subprocess, time, urllib.request\n"
        "def test_hello():\n"
        "    server = subprocess.Popen(['solution'])\n"
        "    try:\n"
        "        for _ in range(600):\n"
        "            try: text = urllib.request.urlopen('http://127.0.0.1:8321').read()\n"
        "            except OSError: time.sleep(0.05)\n"
        "            else: break\n"
        "        assert text == b'hello'\n"
        "    finally:\n"
        "        server.terminate(); server.wait()\n"
    }
    files = {"go.mod": GO_MOD, "main.go": GO_SERVER}
    sample = make_sample(files, tests, black_box={"command": ["{program}"], "port": 8321})
    result = judge(files, sample)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.BLACK_BOX), result.error
