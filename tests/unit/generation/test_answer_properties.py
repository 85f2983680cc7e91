"""Whatever is written in one of the styles comes back the same; whatever else, without a crash."""

import json
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.generation.answers import read_answer
from tests.support.answer_styles import STYLES
from tests.support.recorded_answers import Recorded, recorded

WORDS = st.text("abcdefgh", min_size=1, max_size=6)
FOLDERS = st.lists(
    st.sampled_from(["app", "src", "lib", "(auth)", "[[...id]]", "[slug]", "@modal", "a-b"]),
    max_size=3,
)
PLAIN = st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="`~<>")
LINES = st.lists(
    st.one_of(
        st.just(""),
        st.text(PLAIN, max_size=20),
        st.sampled_from(
            ["    indented", "\ttab", "# a comment", "// a comment", "x = {'a': [1, (2)]}",
             "it isn't", "- item", "### Heading", "**bold**", "---", "...", "{", "}", "ends  "]
        ),
    ),
    min_size=1,
    max_size=12,
)  # fmt: skip
INNER_FENCE = st.sampled_from(["", "```bash\nls\n```\n", "````\nx\n````\n", "~~~\ny\n~~~\n"])


@st.composite
def files(draw: st.DrawFn) -> dict[str, str]:
    found: dict[str, str] = {}
    for _ in range(draw(st.integers(1, 4))):
        extension = draw(st.sampled_from(["py", "ts", "tsx", "css", "sql", "yml", "md"]))
        path = "/".join([*draw(FOLDERS), f"{draw(WORDS)}.{extension}"])
        text = "\n".join(["first", *draw(LINES), "last"]) + "\n"
        if extension == "md":
            text += draw(INNER_FENCE) + "end\n"
        found[path] = text
    return found


@pytest.mark.parametrize("style", STYLES, ids=[style.__name__ for style in STYLES])
@given(written=files())
def test_files_come_back(
    style: Callable[[Mapping[str, str]], str], written: dict[str, str]
) -> None:
    assert read_answer(style(written)).files == written


FRAGMENTS = st.sampled_from(
    ["```", "```python", "````md", "~~~", "\n", "### app.py\n", "**a.ts**", "# filepath: x.py\n",
     '{"files": [', '{"path": "a.py", "content": "', '"}', "<file path='a.py'>", "</file>", "@@",
     "--- a/x.py\n", "+++ b/x.py\n", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "> ",
     "1. ", "\ufeff", "\u200b", "\x00", "\ud800", "x = 1\n", "<tool_call>", "</think>", "'", "`"]
)  # fmt: skip


@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=8)), max_size=30))
def test_nothing_crashes_it(parts: list[str]) -> None:
    text = "".join(parts)
    proposed = read_answer(text, {"app.py": "def f():\n    pass\n"})
    assert all(path for path in proposed.files)


RECORDED = recorded()
NOISE = st.one_of(
    st.sampled_from(["\\", "\\q", "\\u12", "\\ud800", '\\"', '"', "{", "}", "[", "]", "```", "\n"]),
    st.binary(min_size=1, max_size=4).map(lambda data: data.decode("latin-1")),
    st.binary(min_size=1, max_size=4).map(lambda data: data.decode("utf-8", "surrogateescape")),
)


PLACES = st.integers(0, 999)  # in thousandths: small numbers are drawn evenly


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Recorded, str]:
    """A recorded answer, or its files as JSON, with noise put into it, and often cut."""
    answer = draw(st.sampled_from(RECORDED))
    text = answer.text
    if draw(st.booleans()):
        files = [{"path": path, "content": content} for path, content in answer.files.items()]
        text = json.dumps({"files": files})
    for _ in range(draw(st.integers(0, 5))):
        at = len(text) * draw(PLACES) // 1000
        text = text[:at] + draw(NOISE) + text[at + draw(st.integers(0, 3)) :]
    kept = draw(PLACES) if draw(st.booleans()) else 1000
    return answer, text[: len(text) * kept // 1000]


@settings(max_examples=400)
@given(damaged())
def test_damage_does_not_crash_it(damage: tuple[Recorded, str]) -> None:
    answer, text = damage
    read_answer(text, answer.starter)


def test_an_escape_that_json_does_not_have_stands_for_itself() -> None:
    cut = r'{"files":[{"path":"a.py","content":"x \q \\d \u12"},{"path":"b.py","content":"unfin'
    proposed = read_answer(cut)
    assert proposed.files == {"a.py": r"x \q \d \u12"}
    assert proposed.cut_off
