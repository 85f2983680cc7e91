"""Writers: the same files put into an answer in each of the ways in which models do it."""

import json
from collections.abc import Callable, Mapping

Files = Mapping[str, str]
LABELS = {"py": "python", "ts": "typescript", "tsx": "tsx", "json": "json", "md": "markdown"}
COMMENTS = {
    "md": "<!-- {} -->", "html": "<!-- {} -->", "css": "/* {} */", "sql": "-- {}",
    "ts": "// {}", "tsx": "// {}", "js": "// {}", "mjs": "// {}", "json": "// {}",
}  # fmt: skip


def _extension(path: str) -> str:
    return path.rpartition(".")[2]


def label(path: str) -> str:
    return LABELS.get(_extension(path), _extension(path))


def fence(text: str, least: int = 3, character: str = "`") -> str:
    """Longer than any in the text."""
    runs = [len(line) - len(line.lstrip(character)) for line in text.split("\n")]
    return character * max([least, *(run + 1 for run in runs)])


def _each(files: Files, form: Callable[[str, str], str]) -> str:
    return (
        "Here it is.\n\n"
        + "\n".join(form(path, text) for path, text in files.items())
        + "\nDone.\n"
    )


def _fenced(info: str, text: str, character: str = "`") -> str:
    mark = fence(text, character=character)
    return f"{mark}{info}\n{text}{mark}\n"


def info_path(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(f"{label(p)} {p}", t))


def info_title(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(f'{label(p)} title="{p}"', t))


def info_colon(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(f"{label(p)}:{p}", t))


def tildes(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(f"{label(p)} {p}", t, "~"))


def heading(files: Files) -> str:
    return _each(files, lambda p, t: f"### `{p}`\n\n{_fenced(label(p), t)}")


def bold(files: Files) -> str:
    return _each(files, lambda p, t: f"**File: {p}**\n{_fenced(label(p), t)}")


def sentence(files: Files) -> str:
    return _each(files, lambda p, t: f"`{p}`:\n\n{_fenced(label(p), t)}")


def _comment(path: str, words: str) -> str:
    return COMMENTS.get(_extension(path), "# {}").format(words)


def first_line(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(label(p), f"{_comment(p, p)}\n{t}"))


def file_path_line(files: Files) -> str:
    return _each(files, lambda p, t: _fenced(label(p), f"{_comment(p, f'filepath: {p}')}\n{t}"))


def tags(files: Files) -> str:
    return _each(files, lambda p, t: f'<file path="{p}">\n{t}</file>\n')


def json_list(files: Files) -> str:
    return json.dumps({"files": [{"path": p, "content": t} for p, t in files.items()]})


def json_mapping(files: Files) -> str:
    return "Sure:\n\n" + _fenced("json", json.dumps(dict(files), indent=2) + "\n")


def tool_calls(files: Files) -> str:
    return "\n".join(
        "<tool_call>\n"
        + json.dumps({"name": "write_file", "arguments": {"path": p, "content": t}})
        + "\n</tool_call>"
        for p, t in files.items()
    )


def in_a_list(files: Files) -> str:
    def form(path: str, text: str) -> str:
        block = f"1. Create `{path}`:\n\n{_fenced(label(path), text)}"
        first, *rest = block.split("\n")
        return "\n".join([first, *(f"   {line}" if line else "" for line in rest)])

    return _each(files, form)


def diff(files: Files) -> str:
    def form(path: str, text: str) -> str:
        lines = text.removesuffix("\n").split("\n")
        added = "".join(f"+{line}\n" for line in lines)
        return _fenced("diff", f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n{added}")

    return _each(files, form)


def windows(files: Files) -> str:
    return info_path(files).replace("\n", "\r\n")


STYLES: tuple[Callable[[Files], str], ...] = (
    info_path, info_title, info_colon, tildes, heading, bold, sentence, first_line, file_path_line,
    tags, json_list, json_mapping, tool_calls, in_a_list, diff, windows,
)  # fmt: skip
