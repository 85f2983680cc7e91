"""A model's answer → the one command in it, by fixed rules in a fixed order.

Thinking goes, then JSON, fences, introductions, prompts, talk and stray quotes, as far as each is
there. The result names every rule that took something away.
"""

import json
import re
from enum import StrEnum

from sdkbench.backends.refusals import is_refusal
from sdkbench.core.values import small_value
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
# No prompt without one of these; looking for a prompt takes far longer.
_PROMPT_ENDS = ("$ ", "% ", "# ", "$\t", "%\t", "#\t")
_KEYS = ("command", "cmd", "shell_command", "bash", "shell", "answer")
_LABEL = re.compile(
    r"[*_#>\-\s]*(?:final\s+|shell\s+|bash\s+|unix\s+|linux\s+)?"
    r"(?:command|answer|cmd|solution|bash|shell|terminal)\**\s*:\**\s*(?=\S)",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"\s*(?:(?:sure|certainly|of course|okay|ok|great|absolutely)\b[^:`\n]{0,120}"
    r"|here(?:'s|\s+is|\s+are)\b[^:`\n]{0,160}"
    r"|(?:you\s+(?:can|could|should|may)|to\s+\w+|just|simply|please|try|run|use|execute|type)\b"
    r"[^:`\n]{0,160}"
    r"|the\s+(?:\w+\s+){0,3}(?:command|answer|solution)\b[^:`\n]{0,120}):\s*(?=\S)",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\s*(?:(?:sure|certainly|here|this|that|these|those|the|it|you|your|note|explanation|where"
    r"|in this|to|if you|for example|i|we|let|alternatively|however|also|or|first|then|finally"
    r"|breakdown|explanations|options?|usage|output|warning|caution|important|please|remember"
    r"|make sure|be careful)\b(?!\()|[-*•]\s|\d+[.)]\s|\#{2,6}\s|\*\*)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\s*(?:use|run|try|execute|type|simply|just|you|the|with|by|it)\b", re.IGNORECASE
)
_CURLY = "\N{RIGHT SINGLE QUOTATION MARK}"
_WORD = re.compile(r"[A-Za-z][A-Za-z']*[,.;:!?]?\Z")
# A sentence has at least this many words that are all letters.
_SENTENCE_WORDS = 4


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


@small_value
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
    text = text.replace("\r\n", "\n")
    if not text.isascii():
        text = text.translate(_INVISIBLE)
    without = _THINKING.sub("", text) if "<" in text else text
    if without != text:
        stripped.append(Rule.THINKING)
    return without.strip()


def _json_command(text: str) -> str | None:
    """The command of `{"command": "…"}`, bare or alone in a fence."""
    if "{" not in text:
        return None
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
    """Whether the text is a command as it is: it parses, and no line of it is"""
    lines = text.splitlines()
    talks = any(is_talk(line) for line in lines) or is_refusal(text)
    if _INLINE.search(text) and speaks_of_code(text):
        return False
    return not talks and parse(text).problem is None and not (lines and _introduced(lines[0]))


def _introduced(text: str) -> bool:
    return introduction_length(text.split("\n", 1)[0]) > 0


def _bare_command(text: str, stripped: list[Rule]) -> str:
    text = _without_prompts(text.strip("\n"), stripped)
    if Rule.FENCE not in stripped and Rule.PROMPT not in stripped:
        text = _without_talk(text, stripped)
    return _without_quotes(text.strip(), stripped)


def _without_prompts(text: str, stripped: list[Rule]) -> str:
    """`$ command` lines, each with its continuation; output between them is dropped."""
    if not any(sign in text for sign in _PROMPT_ENDS):
        return text
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
    if len(lines) == 1 or introduction_length(lines[0]):
        length = introduction_length(lines[0])
        if length:
            stripped.append(Rule.INTRODUCTION)
            lines[0] = lines[0][length:]
    while lines and (not lines[0].strip() or (len(lines) > 1 and is_talk(lines[0]))):
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
    talk = [place for place in range(1, len(lines)) if is_talk(lines[place])]
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


def introduction_length(line: str) -> int:
    """How many characters at the line's start introduce the command that follows on it."""
    plain = line.replace(_CURLY, "'")
    introduction = _LABEL.match(plain) or _INTRODUCTION.match(plain)
    return introduction.end() if introduction else 0


def is_talk(line: str) -> bool:
    """Whether a line reads as a sentence, a heading or a list item rather than as a command."""
    stripped = line.strip().replace(_CURLY, "'")
    if not stripped:
        return False
    words = stripped.split()
    plain = sum(1 for word in words if _WORD.match(word))
    if stripped.endswith(":") and plain >= len(words) - 1:
        return True
    mostly_words = plain >= _SENTENCE_WORDS and plain * 4 >= len(words) * 3
    if _TALK.match(stripped):
        return mostly_words or stripped[-1] in ".:!?" or stripped[0] in "-*•#"
    return mostly_words and stripped[0].isupper() and stripped[-1] in ".:!?"


def speaks_of_code(text: str) -> bool:
    """Whether text with `code` in it is about that code, rather than a command with backticks."""
    first = text.split(None, 1)[0] if text.strip() else ""
    return (first[:1].isupper() and "=" not in first) or bool(_OPENING.match(text))
