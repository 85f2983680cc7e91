"""JSON and tool calls in an answer: `{"files": […]}`, `{"a.py": "…"}`, `write_file(…)`.

The JSON may be the whole answer, be in a fence or among prose, or end in the middle.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sdkbench.generation.answers.paths import cleaned, is_path
from sdkbench.generation.answers.proposed_files import Action, Change, FileEdit, Remove, Write

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
REMOVES = ("delete", "remove", "unlink")
# A JSON file itself, such as package.json, may hold paths and texts too.
MANIFEST_KEYS = frozenset({"compilerOptions", "dependencies", "devDependencies", "scripts"})
# At the start of a line, or after the signs that some models put before a tool call.
START = re.compile(
    r"(?:\[TOOL_CALLS\]|<[|｜][^|｜<>\n]+[|｜]>)\s*(?=[{\[])|"
    r"^[^\S\n]*(?:<[\w|]+>[^\S\n]*)?(?=[{\[](?!TOOL_CALLS\]))",
    re.MULTILINE,
)
STRING = r'"(?:\\.|[^"\\])*"'
PATH_KEY = r'"(?:path|file_path|filepath|filename|file|name)"'
CONTENT_KEY = r'"(?:content|contents|file_text|text|code)"'
ENTRY = re.compile(
    rf"{PATH_KEY}\s*:\s*(?P<path>{STRING})\s*,\s*{CONTENT_KEY}\s*:\s*(?P<content>{STRING})?",
    re.DOTALL,
)
TRIPLE = re.compile(r':\s*"""(.*?)"""(?=\s*[,}\]])', re.DOTALL)
FILES_KEY = re.compile(r'^\s*\{\s*"(?:files|changes|tool_calls)"\s*:|^\s*\[\s*\{\s*' + PATH_KEY)
ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?')
DECODER = json.JSONDecoder(strict=False)  # models leave line ends unescaped
MOST_STARTS = 200  # places in one answer where a value is tried
DEEPEST = 12


class JsonFiles(NamedTuple):
    actions: tuple[Action, ...] = ()
    cut_off: bool = False


def read_json(text: str) -> JsonFiles:
    """The files that a JSON text gives; none for JSON about anything else."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return JsonFiles()
    try:
        value, _ = DECODER.raw_decode(_with_plain_quotes(stripped))
    except (ValueError, RecursionError):
        return _whole_entries(stripped) if FILES_KEY.match(stripped) else JsonFiles()
    return JsonFiles(_of_value(value))


def read_json_in(prose: str) -> JsonFiles:
    """As `read_json`, for values anywhere in the text."""
    actions: list[Action] = []
    at = 0
    for _ in range(MOST_STARTS):
        start = START.search(prose, at)
        if start is None:
            break
        try:
            value, at = DECODER.raw_decode(prose, start.end())
        except (ValueError, RecursionError):
            if FILES_KEY.match(prose[start.end() :]):
                rest = _whole_entries(prose[start.end() :])
                return JsonFiles((*actions, *rest.actions), rest.cut_off)
            at = start.end() + 1
            continue
        actions += _of_value(value)
    return JsonFiles(tuple(actions))


def actions_of(value: object, depth: int = 0) -> Iterator[Action]:
    """What a decoded JSON value or a tool call asks for; nothing where it is not about files."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from actions_of(item, depth + 1)
    elif isinstance(value, dict):
        yield from _of_object(value, depth)


def _with_plain_quotes(text: str) -> str:
    """Python's triple quotes, which some models put into JSON, as JSON has it."""
    return TRIPLE.sub(lambda match: f": {json.dumps(match[1].removeprefix(chr(10)))}", text)


def _of_value(value: object) -> tuple[Action, ...]:
    is_manifest = isinstance(value, dict) and not MANIFEST_KEYS.isdisjoint(value)
    return () if is_manifest and not _is_mapping_of_files(value) else tuple(actions_of(value))


def _is_mapping_of_files(value: object) -> bool:
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
        tool = value.get("name") or value.get("tool_name") or ""
        yield from actions_of({"tool": tool, **inner}, depth + 1)
    elif called := list(_call(value)):
        yield from called
    elif _is_mapping_of_files(value):
        for key, text in value.items():
            yield Write(cleaned(key), _text(text) or "")
    else:
        for item in value.values():
            yield from actions_of(item, depth + 1)


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
    new, edits, line = _first(value, NEW), value.get("edits"), value.get("insert_line")
    inserted = (new if isinstance(new, str) else None) or content
    if change := _change(value):
        yield FileEdit(path, (change,))
    elif isinstance(edits, list) and edits:
        yield FileEdit(path, tuple(change for item in edits if (change := _change(item))))
    elif isinstance(line, int) and inserted:
        yield FileEdit(path, (Change((), _lines(_text(inserted) or ""), line),))
    elif (text := _text(content)) is not None:
        yield Write(path, text)
    elif any(word in str(value.get(name, "")).lower() for name in TOOL for word in REMOVES):
        yield Remove(path)


def _path(value: Mapping[str, object]) -> str | None:
    for name in PATHS:
        given = value.get(name)
        if isinstance(given, str) and given.strip():
            path = cleaned(given)
            # A tool has a name too, so these keys count only with the name of a file.
            if name not in {"name", "source", "file"} or is_path(path):
                return path
    return None


def _change(value: object) -> Change | None:
    if not isinstance(value, dict):
        return None
    old, new = _first(value, OLD), _first(value, NEW)
    if not isinstance(old, str) or not old:
        return None
    return Change(_lines(old), _lines(new if isinstance(new, str) else ""))


def _first(value: Mapping[str, object], names: Sequence[str]) -> object:
    return next((value[name] for name in names if value.get(name) is not None), None)


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


def _whole_entries(text: str) -> JsonFiles:
    """The entries that are whole, of a list that isn't."""
    actions: list[Action] = []
    cut = False
    for entry in ENTRY.finditer(text):
        if entry["content"] is None or text[entry.end() : entry.end() + 1] == '"':
            cut = True
            continue
        actions.append(Write(_unquoted(entry["path"]), _unquoted(entry["content"])))
    return JsonFiles(tuple(actions), cut_off=cut or not text.rstrip().endswith(("}", "]")))


def _unquoted(string: str) -> str:
    """What STRING matched. A backslash that starts no escape of JSON's stands for itself."""
    valid = ESCAPE.sub(lambda match: "\\\\" if match[0] == "\\" else match[0], string)
    return str(json.loads(valid, strict=False))
