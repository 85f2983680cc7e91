"""The head of a Go source tells what it imports, however it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.go.imports import imports_in
from sdkbench.test_harness.go.project import imports, parse

SOURCES = {
    'package a\n\nimport "fmt"\n': {"fmt": ""},
    'package a; import "fmt"; import x "b.c/d"; func f() {}': {"fmt": "", "b.c/d": "x"},
    'package a\nimport (\n\t"fmt"\n\t_ "b/c" // why\n\t. "d"\n)\nvar x = "no"\n': {
        "fmt": "", "b/c": "_", "d": ".",
    },
    '// Package a.\n/* import "no" */ package a\nimport `raw/path`\n': {"raw/path": ""},
    'package a\nimport ()\nimport "fmt"\n': {"fmt": ""},
    'package a\nimport ("fmt"; "os")\nimport "io"\n': {"fmt": "", "os": "", "io": ""},
    '\ufeffpackage a\nimport "fmt"\n': {"fmt": ""},
    '//go:build ignore\n\npackage a\nimport "fmt"\n': {},
    '//go:build !ignore\n\npackage a\nimport "unsafe"\n': {"unsafe": ""},
    '//go:build ignore || linux\n\npackage a\nimport "unsafe"\n': {"unsafe": ""},
    'package a\nimport "unsafe"\nvar x = `\n//go:build ignore\n`\n': {"unsafe": ""},
    'package a\n\nfunc f() { g("import") }\n': {},
    'package a\nvar x = 1\nimport "late"\n': {},
    "": {},
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES, ids=range(len(SOURCES)))
def test_imports_are_read_from_the_head(source: str) -> None:
    assert imports_in(source.encode()) == SOURCES[source]


def test_a_path_in_escapes_is_the_path_that_it_means() -> None:
    assert imports_in(rb'package a; import "\x75nsa\146e"; import "\u0075"') == {
        "unsafe": "", "u": "",
    }  # fmt: skip


@given(st.lists(st.sampled_from(["fmt", "os/exec", "a.b/c", "unsafe"]), unique=True), st.booleans())
def test_what_go_accepts_is_read_as_the_parser_reads_it(paths: list[str], grouped: bool) -> None:
    lines = [f'\tn{number} "{path}"' for number, path in enumerate(paths)]
    head = "import (\n" + "\n".join(lines) + "\n)" if grouped else "\n".join(
        f"import {line.strip()}" for line in lines
    )  # fmt: skip
    source = f"package a\n\n{head}\n\nfunc F() int {{ return 1 }}\n".encode()
    assert imports_in(source) == imports(parse(source))


@pytest.mark.parametrize("piece", [b"a.b ", b"import (", b'"', b"/*", b"`", b'import "a\n', b"\\"])
def test_megabytes_are_read_at_once(piece: bytes) -> None:
    imports_in(b"package a\n" + piece * (2_000_000 // len(piece)))
