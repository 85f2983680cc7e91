"""Smaller parts of reading an answer, and answers that are there to be slow."""

import time

import pytest

from sdkbench.generation.answers import read_answer
from sdkbench.generation.answers.paths import is_path, mark_in_comment, path_in_info
from sdkbench.generation.answers.wholeness import is_elided, is_whole
from sdkbench.generation.declining import declines

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


@pytest.mark.parametrize(
    "line", ["# Configuration for app.py goes here", "# see app.py", "#!/bin/sh", "x = 1  # app.py",
             "#include <a.h>", "// eslint-disable-next-line", "# TODO"]
)  # fmt: skip
def test_a_comment_that_gives_no_path(line: str) -> None:
    assert mark_in_comment(line) is None


def test_a_file_cut_off_at_the_models_limit() -> None:
    answer = "```python app.py\ndef f():\n    retu"
    assert read_answer(answer, STARTER).files == {"app.py": "def f():\n    retu\n"}
    told = read_answer(answer, STARTER, truncated=True)
    assert told.files == {}
    assert told.cut_off


def test_a_truncated_answer_keeps_its_closed_files() -> None:
    answer = "```python app.py\nx = 1\n```\n```python b.py\ny = 1"
    assert read_answer(answer, STARTER, truncated=True).files == {"app.py": "x = 1\n"}


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


def test_wholeness_sees_through_jsx_text_and_templates() -> None:
    assert is_whole("script", "const a = <p>Don't (ever</p>;\n".replace("(", "")) is True
    assert is_whole("script", "const a = `${[1].map((x) => `${x}`)}`;\n")
    assert not is_whole("script", "function f() {\n  return `x\n")


REFUSALS = ["I'm sorry, but I can't help with that.", "I cannot assist with this request.",
            "Sorry, that is not possible.", "I’m unable to do this."]  # fmt: skip


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize("text", ["Sure! Here it is.", "The file can't be changed.", "", "Done."])
def test_no_refusal(text: str) -> None:
    assert not declines(text)


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
    "cut-off JSON": '[{"path": "a.py", "content": "' + "\\n" * 100_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_hostile_answer_is_read_in_time(name: str) -> None:
    began = time.process_time()
    read_answer(SLOW[name], STARTER)
    assert time.process_time() - began < 10
