"""Files given between tags: `<file path="…">`, `<write_to_file><path>…`, `<invoke name="…">`."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sdkbench.generation.answers.paths import cleaned

CONTAINERS = [
    "file",
    "write_file",
    "create_file",
    "write_to_file",
    "save_file",
    "edit_file",
    "replace_in_file",
    "delete_file",
    "boltAction",
    "artifact",
    "antArtifact",
    "document",
    "source_file",
    "codeblock",
    "write",
    "lov-write",
    "dyad-write",
    "new_file",
    "update_file",
    "invoke",
    "function",
    "tool_call",
    "function_call",
    "tool_use",
    "replace_file",
    "str_replace",
    r"code(?=\s+(?:file|path|name)\w*=)",  # else it is a word in prose
]
OPEN = re.compile(
    rf"^\s*<(?P<tag>{'|'.join(CONTAINERS)})(?P<attributes>[\s=][^>]*)?>", re.IGNORECASE
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


class Span(NamedTuple):
    tag: str
    stop: int
    closed: bool


def span(lines: Sequence[str], at: int) -> Span | None:
    """The lines of the tagged part that starts at `at`; to the end where it isn't closed."""
    found = OPEN.match(lines[at])
    if found is None:
        return None
    tag = found["tag"]
    closing = _closing(tag)
    for stop in range(at, len(lines)):
        if closing.search(lines[stop]):
            return Span(tag, stop + 1, closed=True)
    return Span(tag, len(lines), closed=False)


def read(text: str) -> Iterator[Mapping[str, str]]:
    """Each tagged part as the call that it stands for: keys as a tool would be given them."""
    found = OPEN.match(text)
    if found is None:
        return
    attributes = found["attributes"] or ""
    ends = [match.start() for match in _closing(found["tag"]).finditer(text)]
    body = text[found.end() : ends[-1] if ends else len(text)]
    parameters = {match["name"]: _value(match["value"]) for match in PARAMETER.finditer(body)}
    if parameters:
        named = ATTRIBUTE.search(attributes)
        name = (
            attributes.lstrip("= ") if named is None else next(filter(None, named.groups()[1:]), "")
        )
        yield {"tool": name, **parameters}
        return
    children = {match["name"]: _value(match["value"]) for match in CHILD.finditer(body)}
    given = {m[1]: m[2] or m[3] or m[4] or "" for m in ATTRIBUTE.finditer(attributes)}
    path = next((given[name] for name in PATH_ATTRIBUTES if name in given), None)
    if path is not None:
        yield {"tool": found["tag"], "path": cleaned(html.unescape(path)), "content": _value(body)}
    elif children:
        yield {"tool": found["tag"], **children}


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
