"""Files given between tags: `<file path="…">`, `<write_to_file><path>…`, `<invoke name="…">`."""

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.generation.answers.paths import cleaned

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


class TagSpan(NamedTuple):
    stop: int  # the first line after it
    closed: bool


def span(lines: Sequence[str], at: int) -> TagSpan | None:
    """The lines of the tagged part that starts at `at`; to the end where it isn't closed."""
    opening = OPEN.match(lines[at])
    if opening is None:
        return None
    closing = _closing(opening["tag"])
    for stop in range(at, len(lines)):
        if closing.search(lines[stop]):
            return TagSpan(stop + 1, closed=True)
    return TagSpan(len(lines), closed=False)


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
