"""JSON in an answer: as the whole of it, in a fence, among prose, or cut off in the middle."""

import json
import re
from typing import NamedTuple

from sdkbench.generation.answers.calls import actions, is_mapping_of_files
from sdkbench.generation.answers.proposal import Action, Write

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
MOST_STARTS = 200  # places in one answer where a value is tried


class Found(NamedTuple):
    actions: tuple[Action, ...]
    cut_off: bool = False


def read_json(text: str) -> Found:
    """The files that a JSON text gives; none for JSON about anything else."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return Found(())
    try:
        value, _ = _decoder().raw_decode(_with_plain_quotes(stripped))
    except (ValueError, RecursionError):
        return _cut_off(stripped) if FILES_KEY.match(stripped) else Found(())
    return Found(_wanted(value))


def read_json_in(prose: str) -> Found:
    """As `read_json`, for values that stand somewhere in the text."""
    found: list[Action] = []
    at = 0
    for _ in range(MOST_STARTS):
        start = START.search(prose, at)
        if start is None:
            return Found(tuple(found))
        try:
            value, at = _decoder().raw_decode(prose, start.end())
        except (ValueError, RecursionError):
            if FILES_KEY.match(prose[start.end() :]):
                rest = _cut_off(prose[start.end() :])
                return Found((*found, *rest.actions), rest.cut_off)
            at = start.end() + 1
            continue
        found += _wanted(value)
    return Found(tuple(found))


def _with_plain_quotes(text: str) -> str:
    """Python's triple quotes, which some models put into JSON, as JSON has it."""
    if not TRIPLE.search(text):
        return text
    return TRIPLE.sub(lambda match: f": {json.dumps(match[1].removeprefix(chr(10)))}", text)


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(strict=False)  # models leave line ends unescaped


def _wanted(value: object) -> tuple[Action, ...]:
    if isinstance(value, dict) and not is_mapping_of_files(value) and _is_manifest(value):
        return ()
    return tuple(actions(value))


def _is_manifest(value: dict[str, object]) -> bool:
    """A JSON file itself, such as package.json, may hold paths and texts too."""
    return bool({"compilerOptions", "dependencies", "devDependencies", "scripts"} & set(value))


def _cut_off(text: str) -> Found:
    """The entries that are whole, of a list that isn't."""
    found: list[Action] = []
    cut = False
    for entry in ENTRY.finditer(text):
        if entry["content"] is None or text[entry.end() : entry.end() + 1] == '"':
            cut = True
            continue
        found.append(Write(_unquoted(entry["path"]), _unquoted(entry["content"])))
    return Found(tuple(found), cut_off=cut or not text.rstrip().endswith(("}", "]")))


def _unquoted(string: str) -> str:
    """What STRING matched. A backslash that starts no escape of JSON's stands for itself."""
    valid = ESCAPE.sub(lambda match: "\\\\" if match[0] == "\\" else match[0], string)
    return str(json.loads(valid, strict=False))
