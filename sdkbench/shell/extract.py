"""A model's answer → the one command in it, by fixed rules in a fixed order.

Thinking goes, then JSON, fences, introductions, prompts, talk and stray quotes, as far as each is
there. The result names every rule that took something away.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from sdkbench.backends.refusals import is_refusal
from sdkbench.shell import prose
from sdkbench.shell.syntax import ParsedCommand, parse

# A longer answer is a runaway generation; its beginning decides.
MAX_ANSWER = 256 * 1024
MAX_CANDIDATES = 20

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200e\u200f\u2060"))
_FENCE = re.compile(
    r"^[ \t]*(```+|~~~+)[ \t]*([\w+.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ONE_LINE_FENCE = re.compile(r"```(?:(?:bash|sh|shell|zsh|console)[ \t]+)?([^`\n]+)```")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_SHELL_LANGUAGES = frozenset(
    {"", "bash", "sh", "shell", "zsh", "ksh", "dash", "console", "terminal", "unix", "cmd"}
    | {"shell-session", "shellscript", "shellsession"}
)
_PROMPT = re.compile(
    r"[ \t]*(?:\([\w.-]+\)[ \t]+)?(?:\[?[\w.-]+@[\w.-]+[^\n$#%]{0,80})?[$%][ \t]+(?=\S)"
)
_ROOT_PROMPT = re.compile(r"[ \t]*\[?[\w.-]+@[\w.-]+[^\n$#%]{0,80}#[ \t]+(?=\S)")
_KEYS = ("command", "cmd", "shell_command", "bash", "shell", "answer")


class ExtractionOutcome(StrEnum):
    FOUND = "found"
    EMPTY = "empty"
    REFUSAL = "refusal"
    UNPARSABLE = "unparsable"


class Rule(StrEnum):
    """What was removed, in the order in which the rules apply."""

    CUT = "cut"
    THINKING = "thinking"
    JSON = "json"
    FENCE = "fence"
    INLINE = "inline code"
    INTRODUCTION = "introduction"
    PROMPT = "prompt"
    TALK = "talk"
    QUOTES = "quotes"


@dataclass(frozen=True, slots=True)
class Extraction:
    """`command` is empty unless found or unparsable; `others` are candidates not chosen."""

    outcome: ExtractionOutcome
    command: str
    stripped: tuple[Rule, ...] = ()
    others: tuple[str, ...] = ()
    parsed: ParsedCommand | None = None


def extract(answer: str) -> Extraction:
    """Never raises; whatever the answer, the outcome is one of four."""
    stripped: list[Rule] = []
    text = _cleaned(answer, stripped)
    from_json = _json_command(text)
    if from_json is not None:
        stripped.append(Rule.JSON)
        text = from_json.strip()
    blocks = _fenced(text)
    inline = [] if blocks else _inline(text)
    if blocks:
        if blocks[0].strip() != text:
            stripped.append(Rule.FENCE)
        text = blocks[0]
    elif inline and not _is_command(text) and not _is_command(_without_talk(text, [])):
        stripped.append(Rule.INLINE)
        text = inline[0]
    elif is_refusal(text) and not _introduced(text):
        return Extraction(ExtractionOutcome.REFUSAL, "", tuple(stripped))
    others = (blocks or inline)[1:MAX_CANDIDATES]
    command = _bare_command(text, stripped)
    return _extraction(command, stripped, others)


def _extraction(command: str, stripped: list[Rule], others: list[str]) -> Extraction:
    parsed = parse(command)
    if parsed.script is not None and not parsed.script.statements:
        return Extraction(ExtractionOutcome.EMPTY, "", tuple(stripped), tuple(others))
    outcome = ExtractionOutcome.UNPARSABLE if parsed.problem else ExtractionOutcome.FOUND
    return Extraction(outcome, command, tuple(dict.fromkeys(stripped)), tuple(others), parsed)


def _cleaned(answer: str, stripped: list[Rule]) -> str:
    text = answer[:MAX_ANSWER]
    if len(answer) > MAX_ANSWER:
        stripped.append(Rule.CUT)
    text = text.replace("\r\n", "\n").translate(_INVISIBLE)
    without = _THINKING.sub("", text) if "<" in text else text
    if without != text:
        stripped.append(Rule.THINKING)
    return without.strip()


def _json_command(text: str) -> str | None:
    """The command of `{"command": "…"}`, bare or alone in a fence."""
    fenced = _FENCE.fullmatch(text)
    body = fenced[3].strip() if fenced else text
    if not (body.startswith("{") and body.endswith("}")):
        return None
    try:
        data = json.loads(body)
    except (json.JSONDecodeError, RecursionError):
        return None
    for key in _KEYS:
        if isinstance(data, dict) and isinstance(data.get(key), str):
            return str(data[key])
    return None


def _fenced(text: str) -> list[str]:
    """The code blocks that can hold a command, shell ones first."""
    if "```" not in text and "~~~" not in text:
        return []
    blocks = [(block[2].lower(), block[3].strip("\n")) for block in _FENCE.finditer(text)]
    shell = [body for language, body in blocks if language in _SHELL_LANGUAGES and body.strip()]
    if shell:
        return shell
    return [block[1].strip() for block in _ONE_LINE_FENCE.finditer(text)] or [b for _, b in blocks]


def _inline(text: str) -> list[str]:
    """Inline code: what has arguments comes before a lone name that is only mentioned."""
    spans = [match[1].strip() for match in _INLINE.finditer(text)]
    return sorted(spans, key=lambda code: (code.startswith("-"), " " not in code))


def _is_command(text: str) -> bool:
    """Whether the text is a command as it is: it parses, and no line of it is prose."""
    lines = text.splitlines()
    talks = any(prose.is_talk(line) for line in lines) or is_refusal(text)
    if _INLINE.search(text) and prose.speaks_of_code(text):
        return False
    return not talks and parse(text).problem is None and not (lines and _introduced(lines[0]))


def _introduced(text: str) -> bool:
    return prose.introduction_length(text.split("\n", 1)[0]) > 0


def _bare_command(text: str, stripped: list[Rule]) -> str:
    text = _without_prompts(text.strip("\n"), stripped)
    if Rule.FENCE not in stripped and Rule.PROMPT not in stripped:
        text = _without_talk(text, stripped)
    return _without_quotes(text.strip(), stripped)


def _without_prompts(text: str, stripped: list[Rule]) -> str:
    """`$ command` lines, each with its continuation; output between them is dropped."""
    lines = text.split("\n")
    commands: list[str] = []
    place = 0
    while place < len(lines):
        prompt = _PROMPT.match(lines[place]) or _ROOT_PROMPT.match(lines[place])
        if not prompt:
            place += 1
            continue
        command = lines[place][prompt.end() :]
        place += 1
        while place < len(lines) and command.endswith("\\"):
            command += "\n" + lines[place].removeprefix("> ")
            place += 1
        commands.append(command)
    if not commands:
        return text
    stripped.append(Rule.PROMPT)
    return "\n".join(commands)


def _without_talk(text: str, stripped: list[Rule]) -> str:
    lines = text.split("\n")
    if len(lines) == 1 or prose.introduction_length(lines[0]):
        length = prose.introduction_length(lines[0])
        if length:
            stripped.append(Rule.INTRODUCTION)
            lines[0] = lines[0][length:]
    while lines and (not lines[0].strip() or (len(lines) > 1 and prose.is_talk(lines[0]))):
        if lines.pop(0).strip():
            stripped.append(Rule.TALK)
    end = _talk_begins(lines)
    if end < len(lines):
        stripped.append(Rule.TALK)
    return "\n".join(lines[:end])


def _talk_begins(lines: list[str]) -> int:
    """The first line of prose such that the lines before it are a command."""
    if any("<<" in line for line in lines) and parse("\n".join(lines)).problem is None:
        return len(lines)  # a here-document may hold sentences
    talk = [place for place in range(1, len(lines)) if prose.is_talk(lines[place])]
    for place in talk[:MAX_CANDIDATES]:
        if parse("\n".join(lines[:place])).problem is None:
            return place
    return len(lines)


def _without_quotes(text: str, stripped: list[Rule]) -> str:
    """Backticks or quotes around the whole of it: no command is named `ls -l`."""
    wrapped = len(text) > 2 and text[0] == text[-1]  # noqa: PLR2004 - two quotes and something
    if wrapped and (text[0] == "`" or (text[0] in "\"'" and " " in text)):
        inner = text[1:-1]
        if text[0] not in inner and parse(inner).problem is None:
            stripped.append(Rule.QUOTES)
            return inner.strip()
    return text
