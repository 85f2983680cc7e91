"""Smaller parts of reading an answer, and answers that are there to be slow."""

import json
import time

import pytest

from sdkbench.generation.answers import ProposedFiles, read_answer
from sdkbench.generation.answers.compose import with_starter_manifest
from sdkbench.generation.answers.edits import are_commands_about, files_written
from sdkbench.generation.answers.fences import without_thinking
from sdkbench.generation.answers.languages import is_elided, is_whole
from sdkbench.generation.answers.paths import is_path, mark_in_comment, path_in_info
from sdkbench.generation.answers.proposed_files import Change, FileEdit, Write

STARTER = {"app.py": "def f():\n    pass\n", "app/page.tsx": "export default function Page() {}\n"}
PATHS = ["app.py", "app/[id]/page.tsx", ".env", ".env.local", "Dockerfile", "a.d.ts", ".gitignore"]
NO_PATHS = [
    "Next.js",
    "node.js",
    "3.11",
    "v1.2",
    "e.g",
    "foo()",
    "@/lib/x",
    "http://a/b.js",
    "",
    "...",
]


@pytest.mark.parametrize("word", PATHS)
def test_a_path(word: str) -> None:
    assert is_path(word)


@pytest.mark.parametrize("word", NO_PATHS)
def test_no_path(word: str) -> None:
    assert not is_path(word)


@pytest.mark.parametrize("info", ["python", "tsx {1,3}", "js showLineNumbers", "bash", "", "c++"])
def test_a_label_is_no_path(info: str) -> None:
    assert path_in_info(info) is None


def test_the_form_that_the_prompt_asks_for_is_read_in_any_language() -> None:
    assert path_in_info("elixir lib/sum.ex") == "lib/sum.ex"
    assert path_in_info("elixir 1.18") is None
    answer = read_answer("```elixir lib/sum.ex\nsum = 1\n```\n", {"lib/sum.ex": "sum = 0\n"})
    assert answer.files == {"lib/sum.ex": "sum = 1\n"}


IN_ELIXIR = [
    "### `lib/sum.ex`\n\n```elixir\nsum = 1\n```\n",
    "**File: lib/sum.ex**\n```\nsum = 1\n```\n",
    "```elixir\n# lib/sum.ex\nsum = 1\n```\n",
    '{"lib/sum.ex": "sum = 1\\n"}',
    '```json\n{"files": {"lib/sum.ex": "sum = 1\\n"}}\n```\n',
]
BY_NAME = [
    "```elixir:sum.ex\nsum = 1\n```\n",
    '```elixir title="sum.ex"\nsum = 1\n```\n',
    '{"files": [{"file": "sum.ex", "content": "sum = 1\\n"}]}',
    '{"files": [{"path": "sum.ex", "content": "sum = 1\\n"}]}',
]


@pytest.mark.parametrize("answer", IN_ELIXIR)
def test_a_language_that_is_not_listed_is_known_by_the_starters_files(answer: str) -> None:
    proposed = read_answer(answer, {"lib/old.ex": "", "app.py": ""})
    assert proposed == ProposedFiles({"lib/sum.ex": "sum = 1\n"})
    proposed = read_answer(answer, {"app.py": ""})
    assert not proposed.files
    assert [part.path for part in proposed.left_out] == ["lib/sum.ex"]
    assert "extension" in proposed.left_out[0].reason


@pytest.mark.parametrize("answer", BY_NAME)
def test_a_fence_or_a_key_may_name_a_file_in_any_language(answer: str) -> None:
    assert read_answer(answer) == ProposedFiles({"sum.ex": "sum = 1\n"})


@pytest.mark.parametrize(
    "answer", ["### Example.com\n```\na\n```\n", "```mermaid\na.b\n```\n", '{"example.com": "x"}']
)
def test_what_only_looks_like_a_name_is_not_reported(answer: str) -> None:
    assert read_answer(answer) == ProposedFiles({})


MARKS = [
    "// @file: src/a.ts", "// @filename src/a.ts", "// 📄 src/a.ts", "// >> src/a.ts <<",
    "//src/a.ts", "// [src/a.ts]", "// FILE 1/2: src/a.ts", "// File 2 of 2: src/a.ts",
    "/** src/a.ts */", "// Path: src/a.ts | Purpose: to test",
    "// src/a.ts (new file) - for tests", "// src/a.ts, first", "// Create this file: src/a.ts",
    "// Save as src/a.ts", "// New file: src/a.ts", "// `src/a.ts`", "# **src/a.ts**",
    "-----BEGIN FILE: src/a.ts-----", "---src/a.ts---", "%%writefile src/a.ts",
]  # fmt: skip


@pytest.mark.parametrize("line", MARKS)
def test_a_comment_that_gives_a_path(line: str) -> None:
    mark = mark_in_comment(line)
    assert mark is not None
    assert mark.path == "src/a.ts"


ABOVE = [
    "**The first (src/a.ts)**", "_src/a.ts_:", "src/a.ts\n--------", "src/a.ts\n========",
    "[src/a.ts]", "[FILE: src/a.ts]", "> **File:** `src/a.ts`", "Full code for `src/a.ts`:",
    "▶ `src/a.ts`",
    "I put it into a file of its own, `src/a.ts`, so that it can be used elsewhere:",
]  # fmt: skip


@pytest.mark.parametrize("above", ABOVE)
def test_words_above_a_block_that_name_it(above: str) -> None:
    answer = f"{above}\n\n```ts\nexport const a = 1\n```\n"
    assert read_answer(answer).files == {"src/a.ts": "export const a = 1\n"}


NO_MARKS = [
    "# Configuration for app.py goes here", "# see app.py", "#!/bin/sh", "# * a_${B}.go",
    "# file=internal/a.go", "// Source: ../a.go", "// update the state", "// create a.b",
    "x = 1  # app.py", "#include <a.h>", "// eslint-disable-next-line", "# TODO",
]  # fmt: skip


@pytest.mark.parametrize("line", NO_MARKS)
def test_a_comment_that_gives_no_path(line: str) -> None:
    assert mark_in_comment(line) is None


def test_a_file_cut_off_at_the_models_limit() -> None:
    answer = "```python app.py\ndef f():\n    retu"
    assert read_answer(answer, STARTER).files == {"app.py": "def f():\n    retu\n"}
    proposed = read_answer(answer, STARTER, truncated=True)
    assert proposed.files == {}
    assert proposed.cut_off


def test_a_truncated_answer_keeps_its_closed_files() -> None:
    answer = "```python app.py\nx = 1\n```\n```python b.py\ny = 1"
    assert read_answer(answer, STARTER, truncated=True).files == {"app.py": "x = 1\n"}


def test_signs_around_the_answer_alone_are_dropped() -> None:
    assert without_thinking("<reasoning>a</reasoning>b") == "b"
    assert without_thinking("[THINK]a[/THINK]\nb") == "\nb"
    assert without_thinking("a\n</think>\nb<|im_end|>\n") == "b"
    assert without_thinking("It is easy.</think>b") == "b"
    code = '```py\nx = "</think>"\n```\n'
    assert without_thinking(code) == code
    assert without_thinking("<think>no end") == "<think>no end"
    assert (
        without_thinking("The <think> tag </think> is text.") == "The <think> tag </think> is text."
    )


@pytest.mark.parametrize(
    ("path", "text", "about"),
    [
        (".env.local", "cp .env.example .env.local\n", True),
        (".env.local", "A=1\nB=2\n", False),
        ("requirements.txt", "docker==7.1.0\npytest\n", False),
        ("requirements.txt", "$ pip install \\\n  -r requirements.txt\n", True),
        ("run.sh", "npm ci\nnode app.js\n", False),
        ("run.sh", "chmod +x run.sh\n./run.sh\n", True),
        ("Makefile", "test:\n\tpytest -q\n", False),
    ],
)
def test_commands_about_a_file_are_not_the_file(path: str, text: str, about: bool) -> None:
    assert are_commands_about(path, "shell", text) is about


def test_files_that_commands_write() -> None:
    text = (
        "mkdir -p a && cat > 'a/x y.py' <<\\EOF\nprint(\"$A\")\nEOF\n"
        "sudo tee b.txt <<END >/dev/null\n\\$HOME\nEND\n"
        "cat >> .env <<-EOF\n\tA=1\n\tEOF\n"
    )
    assert list(files_written(text, closed=True)) == [
        Write("a/x y.py", 'print("$A")\n'),
        Write("b.txt", "$HOME\n"),
        FileEdit(".env", (Change((), ("A=1",)),)),
    ]


def test_a_command_appends_to_the_starters_file() -> None:
    answer = "```bash\ncat >> app.py <<'EOF'\nx = 1\nEOF\n```\n"
    assert read_answer(answer, STARTER).files == {"app.py": STARTER["app.py"] + "x = 1\n"}


def test_a_heredoc_that_the_answer_ends_in() -> None:
    proposed = read_answer("```bash\ncat > app.py <<'EOF'\ndef f(\n", STARTER)
    assert (proposed.files, proposed.cut_off) == ({}, True)


def test_absolute_paths_without_a_file_of_the_starter_stay_so() -> None:
    answer = "```python /opt/app/new.py\nx = 1\n```\n"
    assert read_answer(answer, STARTER).files == {"/opt/app/new.py": "x = 1\n"}


def test_a_package_json_in_part_keeps_the_rest() -> None:
    starter = '{"name": "a", "type": "module", "dependencies": {"b": "1"}}'
    merged = with_starter_manifest("package.json", '{"dependencies": {"c": "2"}}', starter)
    assert json.loads(merged or "") == {
        "name": "a",
        "type": "module",
        "dependencies": {"b": "1", "c": "2"},
    }
    assert with_starter_manifest("package.json", '{"name": "a"}', starter) is None
    assert with_starter_manifest("package.json", '{"exports": "./a.js"}', starter) is None
    assert with_starter_manifest("requirements.txt", "b==2\n", "B==1\nc\n") is None
    assert with_starter_manifest("requirements.txt", "d\n", "b==1\n") == "b==1\nd\n"


def test_triple_quotes_are_read_in_json_that_is_cut_off() -> None:
    whole = '{"files": [{"path": "a.py", "content": """x = 1\n"""}, '
    proposed = read_answer(whole + '{"path": "b.py", "content": "y')
    assert (proposed.files, proposed.cut_off) == ({"a.py": "x = 1\n"}, True)


def test_a_patch_may_go_on_as_a_diff() -> None:
    patch = "*** Begin Patch\n*** Add File: b.py\n+y = 1\n*** End Patch\n"
    diff = "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,2 @@\n def f():\n-    pass\n+    return 1\n"
    assert read_answer(f"```diff\n{patch}{diff}```\n", STARTER).files == {
        "app.py": "def f():\n    return 1\n",
        "b.py": "y = 1\n",
    }


def test_paths_in_a_manifest_are_not_files() -> None:
    manifest = '{"name": "a", "browser": {"./a.js": "./b.js"}, "files": ["a.js"]}'
    assert read_answer(f"**lib/package.json**\n```json\n{manifest}\n```\n").files == {
        "lib/package.json": f"{manifest}\n"
    }
    assert read_answer(f"```json\n{manifest}\n```\n", STARTER).files == {}


def test_a_bundle_is_one_file() -> None:
    text = "// src/a.ts\nvar a = 1;\n\n// src/b.ts\nvar b = 2;\n"
    assert read_answer(f"## dist/out.mjs\n\n```js\n{text}```\n").files == {"dist/out.mjs": text}


ELISIONS = [
    "# ... existing code ...\n",
    "// ...\n",
    "  // rest of the file here\n",
    "<!-- ... -->\n",
    "{/* ... rest unchanged */}\n",
]


@pytest.mark.parametrize("text", ELISIONS)
def test_elisions(text: str) -> None:
    assert is_elided("script", text)


@pytest.mark.parametrize("text", ["def f():\n    ...\n", "x = [1, ...]\n", "# the rest is easy\n"])
def test_no_elisions(text: str) -> None:
    assert not is_elided("python", text)


def test_spread_is_no_elision() -> None:
    assert not is_elided("script", "  ...rest,\n  ...existing,\n")


def test_lifetimes_are_no_strings() -> None:
    assert is_whole("rust", "fn f<'a>(x: &'a str) -> Vec<&'a str> {\n    vec![x]\n}\n")
    assert not is_whole("rust", "fn f<'a>(x: &'a str) {\n")


def test_wholeness_sees_through_jsx_text_and_templates() -> None:
    assert is_whole("script", "const a = <p>Don't (ever</p>;\n".replace("(", "")) is True
    assert is_whole("script", "const a = `${[1].map((x) => `${x}`)}`;\n")
    assert not is_whole("script", "function f() {\n  return `x\n")


SLOW = {
    "bare fences": "```\n" * 50_000,
    "open python": "```python app.py\n(\n" * 20_000,
    "nested markdown": "```md a.md\nx\n```\ny\n" * 10_000,
    "open templates": "```tsx app/page.tsx\nconst a = `x\n```\n" * 3_000,
    "deep JSON": '{"a":' * 50_000,
    "searches": "<<<<<<< SEARCH\n" * 50_000,
    "dots": "```python app.py\n" + "# ... " * 50_000 + "\n```\n",
    "spaces": " " * 200_000 + "\n```py\nx\n```\n",
    "brackets": "[" * 50_000 + "\n```py\nx\n```\n",
    "quotes": "```ts a.ts\n" + "'" * 100_000 + "\n```\n```ts a.ts\n" + "/*" * 50_000 + "\n```\n",
    "parameters": "<invoke name='a'>\n" + "<parameter name='a'>" * 10_000,
    "glued fences": "```ts a.ts\n" + "f(x)```\n" * 50_000,
    "heredocs": "```sh\n" + "cat > a <<EOF\n" * 5_000 + "```\n",
    "cats": "```sh\n" + ("cat " * 240 + "\n") * 500 + "```\n",
    "announced": "Create `a.py`.\n\nx\n" * 20_000 + "```py\nx\n```\n",
    "signs": "<|channel|>final" * 20_000,
    "rules": "```ts\n" + "// =====\n" * 50_000 + "```\n",
    "cut-off JSON": '[{"path": "a.py", "content": "' + "\\n" * 100_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_hostile_answer_is_read_in_time(name: str) -> None:
    began = time.process_time()
    read_answer(SLOW[name], STARTER)
    assert time.process_time() - began < 10
