"""Texts that readers of strangers' files know, oddities that some reader once stumbled over, and
how the two are mixed.
"""

import json
import random
from collections.abc import Mapping

NONCE = "n"
MOST_MUTATIONS = 8
GROWN_BYTES = 20_000  # enough to see what takes the square of time
# What somebody found out about some reader, once.
ODD: tuple[bytes, ...] = (
    b"9" * 5000, b"-" + b"9" * 400, b"1e999", b"NaN", b"0x10", "٣".encode(), "²".encode(),
    b"a" * 300, b"/".join([b"b" * 200] * 30), b"../" * 50, b"/etc/passwd", b"~", b".", b"..",
    b"[" * 3000, b"{" * 3000, b'{"a":' * 3000, b"(" * 3000, b"a." * 3000, b"<a>" * 3000,
    b"**/**/**/**/*", b"*" * 100, b"[a-", b"?" * 50, b"\x00", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"\\", b'"', b"'", b"`", b"\r", b"\n\n\n", b"\x85",
    b"\xe2\x80\xa8", b"\x1b[2J", b"${a}${b}${c}", b"${" * 500, b"&lol;" * 20, b"<!DOCTYPE a [",
    b"<!ENTITY a 'b'>", b"]]>", b"<![CDATA[", b"&#0;", b"&#xD800;", b"#", b"//", b"/*", b"=>",
    b"= {}", b"= []", b"= 1979-05-27", b"null", b"true", b"[]", b"{}", b"1 passed in 0.01s",
    b" " * 5000, b"\n" * 5000, b'"' * 3000, b'\\"' * 3000, b"1 passed, " * 500, b"@" * 3000,
    b"dial tcp: no such host", b"No space left on device", b"panic: " * 50, b" [recovered" * 500,
    b"    x_test.go:" + b"9" * 5000 + b": far", b"a@b ; c", b"-r ", b"-e .", b"!!python/object:x",
)  # fmt: skip


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """`seed` with a few things put in, left out, doubled or moved."""
    data = bytearray(seed)
    for _ in range(chance.randint(0, MOST_MUTATIONS)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 1, 2, 5, 20, 200)))
        piece = bytes(data[start:end])
        match chance.randrange(6):
            case 0:
                data[start:end] = b""
            case 1:
                times = chance.choice((2, 3, 50, GROWN_BYTES // (len(piece) or 1)))
                data[start:end] = piece * times if len(data) < GROWN_BYTES else piece
            case 2:
                data[start:end] = bytes(chance.randrange(256) for _ in range(len(piece) or 1))
            case 3:
                place = chance.randint(0, len(data))
                data[place:place] = piece
            case _:
                data[start:end] = chance.choice(ODD)
    return bytes(data)


def _line(record: Mapping[str, object], number: int = 0) -> bytes:
    return json.dumps({"nonce": NONCE, "number": number, **record}).encode() + b"\n"


def _lines(*records: Mapping[str, object]) -> bytes:
    return b"".join(_line(record, number) for number, record in enumerate(records))


CASE = {"kind": "case", "id": "tests/a.py::b", "status": "failed", "expected_failure": False}
FAILURE = {"message": "m\nmore", "path": "a.py", "line": 3, "trace": "t", "output": "o"}
PHASE = {"kind": "report", "id": "tests/a.py::b", "xfail": False, "seconds": 0.5}
RECORDS = (
    _lines(
        {"kind": "begin"},
        {"kind": "built", "errors": []},
        {"kind": "collected", "ids": ["tests/a.py::b"]},
        {"kind": "start", "id": "tests/a.py::b"},
        {**CASE, "seconds": 0.1, "reason": "", **FAILURE},
        {"kind": "run_error", "id": "tests/a.py", **FAILURE},
        {"kind": "tampered", "message": "somebody else wrote"},
        {"kind": "coverage", "files": {"a.py": [3, [1, 2]]}},
        {"kind": "end", "status": 1},
    ),
    _lines(
        {"kind": "begin"},
        {"kind": "built", "errors": ["a.py:1: wrong \ud800"]},
        {"kind": "start", "id": "tests/a.py::b"},
        *({**PHASE, "when": when, "outcome": "passed"} for when in ("setup", "call", "teardown")),
        {"kind": "end", "status": 0},
    ),
    _line({"kind": "classes", "names": ["a.B"], "solution": "aGk=", "tests": "aGk="}),
)
CONSOLE = (
    b"....\n3 passed in 0.12s\n",
    b"= 1 failed, 2 passed, 1 warning in 61.00s (0:01:01) =\n3 passed in 0.20s\n",
)
GO_OUTPUT = (
    b'{"Action":"fail","Test":"T","Elapsed":1}',
    b"=== RUN TestA\n    a_test.go:12: got 1\n        want 2\n--- FAIL: TestA (0.00s)\n",
    b"panic: boom [recovered]\n\ngoroutine 1:\n\t/w/tests/a_test.go:7 +0x1d\n",
)


SEEDS: dict[str, tuple[bytes, ...]] = {
    "requirements.txt": (b"six>=1\n-r more.txt\n-c more.txt\n# note\nrich[a] ; x\n",),
    "pyproject.toml": (
        (b'[project]\nname = "a"\ndependencies = ["six"]\n[dependency-groups]\ntest = ["x"]\n'),
        (
            b'[tool.poetry.dependencies]\npython = "^3.8"\n'
            b'six = { version = "^1.2.3", extras = [] }\n'
        ),
    ),
    "setup.cfg": (b"[options]\ninstall_requires =\n  six\n  rich\n",),
    "setup.py": (b"R = ['six']\nsetup(install_requires=R, tests_require=['x'])\n",),
    "Pipfile": (b'[packages]\nsix = "*"\nrich = {version = ">=1", index = "x"}\n',),
    "Pipfile.lock": (b'{"default": {"six": {"version": "==1.0", "hashes": []}}}',),
    "Python source": (b"import os\nos.environ['A'] = 'b'\nfrom six import moves\n",),
    "package.json": (
        (
            b'{"name": "a", "version": "1.0.0", "type": "module", "dependencies": {"'
            b'b": "^1"}, "workspaces": ["packages/*"], "overrides": {"c": {"d": "1"}'
            b'}, "jest": {}, "scripts": {"build": "tsc", "test": "vitest"}}'
        ),
    ),
    "member's package.json": (b'{"name": "@a/b", "dependencies": {"c": "workspace:*"}}',),
    "tsconfig.json": (
        (b'{ // note\n "compilerOptions": {"paths": {"@/*": ["./src/*"]}, "baseUrl": ".",}, }'),
    ),
    "package-lock.json": (b'{"lockfileVersion": 3, "packages": {}}',),
    "TypeScript test": (b"import { test } from 'vitest'\nrequire('x')\n",),
    "go.mod": (
        (
            b"module a.b/c\n\ngo 1.21.3\n\nrequire (\n\td.e/f v1.2.3 // indirect\n)\n"
            b"replace d.e/f => ./sub\nexclude g.h/i v0.1.0\nretract v1.0.0\n"
        ),
    ),
    "go.work": (b"go 1.21\nuse (\n\t.\n\t./sub\n)\n",),
    "Go source": (b'package a\n\nimport (\n\t"fmt"\n\tx "a.b/c"\n)\n\nfunc A() {}\n',),
    "Cargo.toml": (
        (
            b'[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n'
            b'build = "build.rs"\n[dependencies]\n'
            b'serde = { version = "1", features = ["derive"] }\nb = { path = "m/b" }\n'
            b'[workspace]\nmembers = ["m/*"]\nresolver = "2"\n[profile.dev]\n'
            b'opt-level = 1\n[[bin]]\nname = "c"\npath = "src/c.rs"\n'
            b'[target."cfg(unix)".dependencies]\nlibc = "1"\n'
        ),
    ),
    "member's Cargo.toml": (b'[package]\nname = "b"\nversion.workspace = true\n',),
    "Cargo.lock": (b'version = 4\n[[package]]\nname = "a"\nversion = "1"\nsource = "r"\n',),
    "Rust source": (b"/// ```\n/// a\n/// ```\n#[test]\nfn a() {}\n",),
    "pom.xml": (
        (
            b'<?xml version="1.0" encoding="UTF-8"?><project xmlns="x"><groupId>g</g'
            b"roupId><artifactId>a</artifactId><version>1</version><properties><v>1."
            b"${w}</v><w>2</w><maven.compiler.release>11</maven.compiler.release></p"
            b"roperties><dependencies><dependency><groupId>g</groupId><artifactId>a<"
            b"/artifactId><version>${v}</version></dependency></dependencies><module"
            b"s><module>m</module></modules><build><plugins><plugin><artifactId>mave"
            b"n-surefire-plugin</artifactId><version>3.0</version></plugin></plugins"
            b"></build></project>"
        ),
    ),
    "module's pom.xml": (b"<project><parent><groupId>g</groupId></parent></project>",),
    "Java test": (b"package a.b;\n\nimport org.junit.Test;\nclass ATest {}\n",),
    "installer": (
        b"error: No solution found\nerror sending request for url\n",
        b"npm error code ENOTFOUND\nnpm error network a\n",
        b"go: a.b/c: dial tcp: lookup a.b: no such host\n",
        b'[[package]]\nname = "a"\nversion = "1"\nsource = "registry"\n',
        (b"[ERROR] Failed to execute goal -> [Help 1]\nCaused by: java.net.UnknownHostException\n"),
    ),
    "type checkers and linters": (
        (b'[{"file": "a", "line": 3, "messages": [{"line": 1}], "location": {"row": 2}}]'),
        b"src/a.ts(3,4): error TS2322: no\n",
    ),
    "programs inside": (
        b'{"nonce": "n", "name": "a", "ignored": false}\n',
        b'{"nonce": "n", "kind": "end"}\n',
    ),
    "a model's answer": (
        b"Here is `app.py`:\n\n```python\nx = 1\n```\n",
        b"--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n",
        b'{"files": {"app.py": "x = 1"}}',
        b"<file path='a.py'>x</file>",
        b"$ ls -la | wc -l\n",
    ),
    "an agent's files": (
        b'{"code": 0, "late": false, "packed": true}',
        (
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        ),
    ),
    "metadata.json": (b'{"sample_id": "a", "sdk": "b", "task_type": 1}',),
    "file names": (b"app.py\nsub/a.py\nnode_modules/x\nlink\n\xff\xfe.py\n",),
}
