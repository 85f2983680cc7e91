"""JSON values and tool calls → actions: `{"files": […]}`, `{"a.py": "…"}`, `write_file(…)`."""

import json
from collections.abc import Iterator, Mapping, Sequence

from sdkbench.generation.answers.paths import cleaned, is_path
from sdkbench.generation.answers.proposal import Action, Change, Edit, Remove, Write

PATHS = (
    "path", "file_path", "filePath", "filepath", "file", "filename", "fileName", "file_name",
    "target_file", "relative_path", "relativePath", "source", "name",
)  # fmt: skip
CONTENTS = (
    "content", "contents", "file_text", "text", "code", "body", "new_content", "file_content",
    "document_content", "document_contents", "source_code", "data", "value",
)  # fmt: skip
OLD = ("old_str", "old_string", "old_text", "oldText", "search", "find")
NEW = ("new_str", "new_string", "new_text", "newText", "replace", "replacement")
ARGUMENTS = ("arguments", "input", "parameters", "args", "function")
TOOL = ("tool", "tool_name", "name", "command", "action", "type")
REMOVING = ("delete", "remove", "unlink")
DEEPEST = 12


def actions(value: object, depth: int = 0) -> Iterator[Action]:
    """What a decoded JSON value asks for; nothing where it is not about files."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from actions(item, depth + 1)
    elif isinstance(value, dict):
        yield from _of_object(value, depth)


def is_mapping_of_files(value: object) -> bool:
    """`{"app.py": "…", "lib/x.py": "…"}`: every key a path, every value a text, not a path too."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(isinstance(key, str) and is_path(cleaned(key)) for key in value)
        and all(isinstance(item, str) for item in value.values())
        and not all(is_path(cleaned(item)) for item in value.values())
    )


def _of_object(value: Mapping[str, object], depth: int) -> Iterator[Action]:
    inner = _arguments(value)
    if inner is not None:
        named = {"tool": value.get("name") or value.get("tool_name") or ""}
        yield from actions({**named, **inner}, depth + 1)
        return
    found = list(_call(value))
    if found:
        yield from found
    elif is_mapping_of_files(value):
        for key, text in value.items():
            yield Write(cleaned(key), _text(text) or "")
    else:
        for item in value.values():
            if isinstance(item, dict | list):
                yield from actions(item, depth + 1)


def _arguments(value: Mapping[str, object]) -> Mapping[str, object] | None:
    for name in ARGUMENTS:
        inner = value.get(name)
        if isinstance(inner, str):
            try:
                inner = json.loads(inner, strict=False)
            except (ValueError, RecursionError):
                continue
        if isinstance(inner, dict):
            return inner
    return None


def _call(value: Mapping[str, object]) -> Iterator[Action]:
    """One call of a tool that writes, edits or removes a file; nothing for any other."""
    path = _path(value)
    if path is None:
        return
    content = _first(value, CONTENTS)
    old, new = _string(value, OLD), _string(value, NEW)
    edits = value.get("edits")
    if old:
        yield Edit(path, (Change(_lines(old), _lines(new or "")),))
    elif isinstance(edits, list) and edits:
        changes = [_change(item) for item in edits]
        yield Edit(path, tuple(change for change in changes if change is not None))
    elif isinstance(value.get("insert_line"), int) and (new or content):
        line = value["insert_line"]
        lines = _lines(new or _text(content) or "")
        yield Edit(path, (Change((), lines, line if isinstance(line, int) else None),))
    elif content is not None and (text := _text(content)) is not None:
        yield Write(path, text)
    elif any(word in str(value.get(name, "")).lower() for name in TOOL for word in REMOVING):
        yield Remove(path)


def _path(value: Mapping[str, object]) -> str | None:
    for name in PATHS:
        given = value.get(name)
        if isinstance(given, str) and given.strip():
            path = cleaned(given)
            # A tool is called by a name too; only a file's name will do there.
            if name not in {"name", "source", "file"} or is_path(path):
                return path
    return None


def _change(item: object) -> Change | None:
    if not isinstance(item, dict):
        return None
    old = _string(item, OLD)
    return Change(_lines(old), _lines(_string(item, NEW) or "")) if old else None


def _first(value: Mapping[str, object], names: Sequence[str]) -> object:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _string(value: Mapping[str, object], names: Sequence[str]) -> str | None:
    found = _first(value, names)
    return found if isinstance(found, str) else None


def _text(content: object) -> str | None:
    """A file's text as given: a string, lines, or the value of a JSON file itself."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(line, str) for line in content):
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in content)
    if isinstance(content, dict):
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    return None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))
