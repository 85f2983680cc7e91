"""Whether a text is a whole file of its language, as far as can be told without its compiler."""

import ast
import json
import re
import warnings

LONGEST_LINE = 500  # characters; no remark about omitted lines is longer
CLOSERS = {")": "(", "]": "[", "}": "{"}
# A string, a comment, a template or a regular expression: brackets in them don't count. A quote
# that isn't closed on its line is an apostrophe in JSX text, not the start of a string.
SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|"""
    r"""(?<=[(,=:\[!&|?{};])[ ]*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/""",
    re.DOTALL,
)
# In Rust, a single quote begins a lifetime more often than a character; there are no templates.
SKIPPED_RUST = re.compile(
    r"""//[^\n]*|/\*.*?\*/|r(\#+)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\[^'\n]+|[^'\\\n])'""", re.DOTALL
)
# What stands where the author of an answer left lines out.
ELISION = re.compile(
    r"""^\s*(?:(?://|\#|\{?/\*|<!--|--)\s*(?:\.{3}|…)|(?:\.{3}|…)(?=\s|.*(?:\.{3}|…)\s*$))
    (?:.*(?:rest|existing|remain|same|previous|unchanged|other|omitted|code|above).*|
    \s*(?:\*/\}?|-->)?\s*)$|^\s*(?:\.{3}|…)\s*$|
    ^\s*(?://|\#|\{?/\*|<!--|--)\s*[\[(<]?(?:rest\ of|existing\ |remaining\ |same\ as\ before|
    unchanged|keep\ (?:the\ )?(?:existing|rest)).*(?:\.{3}|…|code|unchanged|here|file).*$""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# A remark: on its own it is no code. `#[derive]`, `#id {`, `* {` and `/// <reference />` are.
REMARK = re.compile(
    r"^\s*(?://(?!/\s*<)|\#(?=\s|$)|/\*|\*(?=[\s/]|$)|\{/\*|<!--|--(?=\s))", re.VERBOSE
)
ELLIPSIS_BODY = re.compile(r"^\s*\.{3}\s*$", re.MULTILINE)  # valid Python on its own
NAMES = {
    "python": re.compile(
        r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=", re.MULTILINE
    ),
    "script": re.compile(
        r"^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
        r"(?:function\*?|class|const|let|var|interface|type|enum)\s+(\w+)",
        re.MULTILINE,
    ),
    "go": re.compile(r"^(?:func|type|var|const)\s+(?:\([^)]*\)\s*)?(\w+)", re.MULTILINE),
    "rust": re.compile(
        r"^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:fn|struct|enum|trait|mod|const|static|type)\s+(\w+)",
        re.MULTILINE,
    ),
    "java": re.compile(
        r"^(?:public\s+)?(?:\w+\s+)*(?:class|interface|enum|record)\s+(\w+)", re.MULTILINE
    ),
}


def is_whole(family: str | None, text: str) -> bool:
    """False only where the text can't be a whole file; True where nobody can tell."""
    if family == "python":
        return _python(text)
    if family == "json":
        return _json(text)
    if family in {"script", "go", "rust", "java", "style", "csharp", "c", "kotlin"}:
        return balanced(text, SKIPPED_RUST if family == "rust" else SKIPPED)
    return True


def balanced(text: str, skipped: re.Pattern[str] = SKIPPED) -> bool:
    depth: list[str] = []
    code = skipped.sub("", text)
    if "`" in code:
        return False
    for character in code:
        if character in "([{":
            depth.append(character)
        elif character in CLOSERS and (not depth or depth.pop() != CLOSERS[character]):
            return False
    return not depth


def is_elided(family: str | None, text: str) -> bool:
    """Whether lines were left out, such as by `// ... rest of the code`."""
    if family == "markdown":
        return False
    if family == "python":
        text = ELLIPSIS_BODY.sub("", text)
    return any(ELISION.match(line) for line in text.split("\n") if len(line) <= LONGEST_LINE)


def has_code(family: str | None, text: str) -> bool:
    """Whether there is more than blank lines and remarks, such as `// no changes`."""
    lines = [line for line in text.split("\n") if line.strip()]
    if family in {"markdown", "style"}:
        return bool(lines)
    return any(not REMARK.match(line[:LONGEST_LINE]) for line in lines)


def names_defined(family: str | None, text: str) -> frozenset[str]:
    """What the text defines at its outermost level."""
    pattern = NAMES.get(family or "")
    if pattern is None:
        return frozenset()
    return frozenset(name for match in pattern.finditer(text) for name in match.groups() if name)


def _python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes are the author's business
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _json(text: str) -> bool:
    """Also with comments and trailing commas, as tsconfig.json has them."""
    try:
        json.loads(text)
    except ValueError:
        return balanced(text) and bool(text.strip())
    except RecursionError:
        return False
    return True
