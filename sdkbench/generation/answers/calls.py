"""Files given as data: JSON, tool calls, tags.

`{"files": […]}`, `{"a.py": "…"}`, `write_file(…)`; `<file path="…">`, `<write_to_file><path>…`,
`<invoke name="…">`. The JSON may be the whole answer, be in a fence or among prose, or end in the
middle.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sdkbench.generation.answers.paths import cleaned, is_path, is_unlisted
from sdkbench.generation.answers.proposed_files import (
    Action,
    Change,
    FileEdit,
    Remove,
    Write,
    unlisted,
)

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


OPEN = re.compile(
    r"""^\s*<(?P<tag>file|write_file|create_file|write_to_file|save_file|edit_file|replace_in_file|
    delete_file|boltAction|artifact|antArtifact|document|source_file|codeblock|write|lov-write|
    dyad-write|new_file|update_file|invoke|function|tool_call|function_call|tool_use|replace_file|
    str_replace|code(?=\s+(?:file|path|name)\w*=)  # without such attributes, a word in prose
    )(?P<attributes>[\s=][^>]*)?>""",
    re.VERBOSE | re.IGNORECASE,
)
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
PARAMETER = re.compile(
    r"""<(?:parameter|arg|param)(?:=|\s+name=["']?)(?P<name>\w+)["']?>(?P<value>.*?)
    (?:</(?:parameter|arg|param)>|\Z)""",
    re.VERBOSE | re.DOTALL,
)
CHILD = re.compile(
    r"<(?P<name>path|file_path|filepath|filename|file_name|name|source|content|contents|file_text|"
    r"document_content|document_contents|code|command|old_str|new_str|file_content|diff)>"
    r"(?P<value>.*?)(?:</(?P=name)>|\Z)",
    re.DOTALL,
)
CDATA = re.compile(r"^\s*<!\[CDATA\[(.*?)\]\]>\s*$", re.DOTALL)
PATH_ATTRIBUTES = ("path", "filePath", "file_path", "filename", "name", "file", "src", "title")


class JsonFiles(NamedTuple):
    actions: tuple[Action, ...] = ()
    cut_off: bool = False
    stop: int = 0  # where what follows the JSON begins


def read_json(text: str) -> JsonFiles:
    """The files that a JSON text gives; none for JSON about anything else."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return JsonFiles()
    # Some models put Python's triple quotes into JSON.
    return _read_at(
        TRIPLE.sub(lambda m: f": {json.dumps(m[1].removeprefix(chr(10)))}", stripped), 0
    )


def read_json_in(prose: str) -> JsonFiles:
    """As `read_json`, for values anywhere in the text."""
    files = JsonFiles()
    for _ in range(MOST_STARTS):
        start = START.search(prose, files.stop)
        if start is None:
            break
        more = _read_at(prose, start.end())
        files = more._replace(actions=files.actions + more.actions)
    return files


def _read_at(text: str, at: int) -> JsonFiles:
    try:
        value, stop = DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        rest = text[at:]
        return _whole_entries(rest, len(text)) if FILES_KEY.match(rest) else JsonFiles(stop=at + 1)
    is_manifest = isinstance(value, dict) and not MANIFEST_KEYS.isdisjoint(value)
    skipped = is_manifest and not _is_mapping_of_files(value)
    return JsonFiles(() if skipped else tuple(actions_of(value)), stop=stop)


def actions_of(value: object, depth: int = 0) -> Iterator[Action]:
    """What a decoded JSON value or a tool call asks for; nothing where it is not about files."""
    inner: Iterable[object] = ()
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        inner = value
    elif isinstance(value, dict):
        if (arguments := _arguments(value)) is not None:
            inner = [{"tool": value.get("name") or value.get("tool_name") or "", **arguments}]
        elif action := _call(value):
            yield action
        elif _is_mapping_of_files(value):
            for path, text in ((cleaned(key), text) for key, text in value.items()):
                yield Write(path, text) if is_path(path) else unlisted(path)
        else:
            inner = value.values()
    for item in inner:
        yield from actions_of(item, depth + 1)


def _is_mapping_of_files(value: object) -> bool:
    """`{"app.py": "…", "lib/x.py": "…"}`: every key a path, every value a text, not a path too."""
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        return False
    keys = [cleaned(key) for key in value]
    return (
        any(is_path(key) or "/" in key for key in keys)
        and all(is_path(key) or is_unlisted(key) for key in keys)
        and not all(is_path(cleaned(item)) for item in value.values())
    )


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


def _call(value: Mapping[str, object]) -> Action | None:
    """One call of a tool that writes, edits or removes a file; None for any other."""
    path = _path(value)
    if path is None:
        return None
    content = _first(value, CONTENTS)
    new, edits, line = _first(value, NEW), value.get("edits"), value.get("insert_line")
    inserted = (new if isinstance(new, str) else None) or content
    if change := _change(value):
        return FileEdit(path, (change,))
    if isinstance(edits, list) and edits:
        return FileEdit(path, tuple(change for item in edits if (change := _change(item))))
    if isinstance(line, int) and inserted:
        return FileEdit(path, (Change((), _lines(_text(inserted) or ""), line),))
    if (text := _text(content)) is not None:
        return Write(path, text)
    removes = any(word in str(value.get(name, "")).lower() for name in TOOL for word in REMOVES)
    return Remove(path) if removes else None


def _path(value: Mapping[str, object]) -> str | None:
    for name in PATHS:
        given = value.get(name)
        if isinstance(given, str) and given.strip():
            path = cleaned(given)
            # A tool has a name too, so these keys count only with the name of a file.
            sure = name not in {"name", "source", "file"} or is_path(path)
            if sure or (is_unlisted(path) and (name == "file" or "/" in path)):
                return path
    return None


def _change(value: object) -> Change | None:
    old, new = (_first(value, OLD), _first(value, NEW)) if isinstance(value, dict) else (None, None)
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


def _whole_entries(text: str, stop: int) -> JsonFiles:
    """The entries that are whole, of a list that isn't."""
    actions: list[Action] = []
    cut_off = not text.rstrip().endswith(("}", "]"))
    for entry in ENTRY.finditer(text):
        if entry["content"] is None or text[entry.end() : entry.end() + 1] == '"':
            cut_off = True
        else:
            actions.append(Write(_unquoted(entry["path"]), _unquoted(entry["content"])))
    return JsonFiles(tuple(actions), cut_off, stop)


def _unquoted(string: str) -> str:
    """What STRING matched. A backslash that starts no escape of JSON's stands for itself."""
    valid = ESCAPE.sub(lambda match: "\\\\" if match[0] == "\\" else match[0], string)
    return str(json.loads(valid, strict=False))


class Tagged(NamedTuple):
    text: str  # with its opening and closing tag
    closed: bool
    stop: int  # the first line after it


def tagged_part(lines: Sequence[str], at: int) -> Tagged | None:
    """The part between tags that starts at `at`; to the end where it isn't closed."""
    opening = OPEN.match(lines[at])
    if opening is None:
        return None
    closing = _closing(opening["tag"])
    last = next((n for n in range(at, len(lines)) if closing.search(lines[n])), None)
    stop = len(lines) if last is None else last + 1
    return Tagged("\n".join(lines[at:stop]), last is not None, stop)


def read_call(text: str) -> dict[str, str]:
    """The tool call that a tagged part stands for, as names and values; empty if it is none."""
    opening = OPEN.match(text)
    if opening is None:
        return {}
    attributes = opening["attributes"] or ""
    ends = [match.start() for match in _closing(opening["tag"]).finditer(text)]
    body = text[opening.end() : ends[-1] if ends else len(text)]
    parameters = {match["name"]: _value(match["value"]) for match in PARAMETER.finditer(body)}
    if parameters:
        named = ATTRIBUTE.search(attributes)
        name = next(filter(None, named.groups()[1:]), "") if named else attributes.lstrip("= ")
        return {"tool": name, **parameters}
    given = {m[1]: m[2] or m[3] or m[4] or "" for m in ATTRIBUTE.finditer(attributes)}
    path = next((given[name] for name in PATH_ATTRIBUTES if name in given), None)
    if path is not None:
        path = cleaned(html.unescape(path))
        return {"tool": opening["tag"], "path": path, "content": _value(body)}
    children = {match["name"]: _value(match["value"]) for match in CHILD.finditer(body)}
    return {"tool": opening["tag"], **children} if children else {}


def _closing(tag: str) -> re.Pattern[str]:
    return re.compile(rf"</{re.escape(tag)}>", re.IGNORECASE)


def _value(text: str) -> str:
    """The text between two tags, without the line ends and wrappers that belong to the tags."""
    inner = CDATA.match(text)
    if inner:
        text = inner[1]
    text = text.removeprefix("\n")
    stripped = text.rstrip(" \t")
    return stripped if stripped.endswith("\n") or "\n" not in stripped else stripped + "\n"
