"""Generated files against the starter's."""

from sdkbench.report.pages.diffs import FileChange, FileDiff, file_diff

BEFORE = b"import os\n\n\ndef answer():\n    raise NotImplementedError\n"
AFTER = b'import os\n\n\ndef answer():\n    # the answer\n    return "42"\n'


def diff(
    before: bytes | None, after: bytes | None, name: str = "app.py", lines: int = 99
) -> FileDiff:
    return file_diff(name, before, after, lines, has_starter=True)


def text_of(made: FileDiff) -> list[str]:
    return [line.mark + "".join(line.tokens[1::2]) for line in made.lines]


def test_lines_have_their_marks_numbers_and_colours() -> None:
    made = diff(BEFORE, AFTER)
    assert (made.change, made.added, made.removed) == (FileChange.CHANGED, 2, 1)
    assert text_of(made)[-3:] == [
        "-    raise NotImplementedError", "+    # the answer", '+    return "42"',
    ]  # fmt: skip
    assert (made.lines[-1].old, made.lines[-1].new) == (None, 6)
    assert made.lines[-1].tokens == ("", "    ", "k", "return", "", " ", "s", '"42"')


def test_what_is_new_gone_or_the_same_is_said() -> None:
    assert diff(None, AFTER).change is FileChange.ADDED
    assert diff(BEFORE, None).removed == 5
    assert diff(BEFORE, BEFORE) == FileDiff(name="app.py", change=FileChange.SAME)
    whole = file_diff("app.py", None, AFTER, 99, has_starter=False)
    assert whole.change is FileChange.WHOLE


def test_long_diffs_binaries_and_heaps_are_cut_with_a_word() -> None:
    many = b"x = 1\n" * 500
    assert text_of(diff(None, many, lines=10))[-1] == "…490 more lines left out here"
    assert "binary" in diff(None, bytes(500)).note
    assert "too large" in diff(None, b"x\n" * 500_000).note


def test_lines_far_from_a_change_are_counted() -> None:
    lines = [f"line {number}\n".encode() for number in range(100)]
    changed = [*lines[:50], b"new\n", *lines[50:]]
    shown = text_of(diff(b"".join(lines), b"".join(changed), "notes.txt"))
    assert shown[0] == "…47 lines as in the starter"
    assert shown[-1] == "…47 lines as in the starter"
    assert len(shown) == 9


def test_odd_sources_lose_no_letter() -> None:
    for name, text in {
        "app.ts": "const a = `${1}\n`;\n\n\n",
        "app.py": "\n\n'''\nopen",
        "x.html": "<script>\nlet a = '</script>'\n",
        "data.json": '{"a": [1,\n2]}',
        "no-such-language": "a\x0cb\x1cc d",
        "app.go": "package x\n\tfunc f() {}\r\n",
    }.items():
        shown = "\n".join(line[1:] for line in text_of(diff(None, text.encode(), name)))
        assert "".join(shown.split()) == "".join(
            text.replace("\x0c", "⟨FF⟩").replace("\x1c", "⟨FS⟩").split()
        )


def test_files_made_to_keep_the_differ_busy_are_shown_whole() -> None:
    old = "".join(f"line {n % 110}\n" for n in range(1800)).encode()
    new = "".join(f"line {n * 7 % 110}\n" for n in range(1800)).encode()
    made = diff(old, new, "notes.txt", lines=10_000)
    assert (made.removed, made.added) == (1800, 1800)
