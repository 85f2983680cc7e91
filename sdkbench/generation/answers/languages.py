"""A text's language, by a fence's label or a file's name; and whether it is a whole file of it."""

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import PurePosixPath

# Family: the extensions of its files, and what models put on fences for it besides these.
FAMILIES = {
    "python": ("py pyi", "python python3"),
    "script": (
        "ts tsx js jsx mjs cjs mts cts",
        "typescript javascript javascriptreact typescriptreact node react nextjs",
    ),
    "json": ("json jsonc json5", ""),
    "markdown": ("md mdx markdown rst", ""),
    "shell": (
        "sh bash zsh ps1 bat",
        "shell console terminal shellscript shell-session powershell cmd fish curl",
    ),
    "yaml": ("yaml yml", ""),
    "toml": ("toml", ""),
    "ini": ("ini cfg conf properties env", "dotenv editorconfig"),
    "markup": ("html htm xml svg vue svelte astro j2 jinja hbs ejs", "jinja2 handlebars"),
    "style": ("css scss sass less", ""),
    "sql": ("sql", "sqlite postgresql"),
    "go": ("go mod sum work", "golang gomod"),
    "rust": ("rs", "rust"),
    "java": ("java", ""),
    "kotlin": ("kt kts gradle groovy", "kotlin"),
    "docker": ("", "dockerfile docker containerfile"),
    "make": ("", "makefile make"),
    "text": (
        "txt csv lock in",
        "text plaintext plain output log stdout ascii tree none http requirements pip gitignore",
    ),
    "ruby": ("rb", "ruby"),
    "perl": ("pl pm", "perl"),
    "php": ("php", ""),
    "csharp": ("cs", "csharp c#"),
    "c": ("c cc cpp h hpp", "c++"),
    "swift": ("swift", ""),
    "graphql": ("graphql gql", ""),
    "prisma": ("prisma", ""),
    "proto": ("proto", "protobuf"),
    "notebook": ("ipynb", ""),
}
BARE_NAMES = {
    "dockerfile": "docker",
    "containerfile": "docker",
    "makefile": "make",
    "procfile": "text",
    "license": "text",
    "pipfile": "toml",
    "gemfile": "ruby",
    "jenkinsfile": "kotlin",
}
FAMILY_OF_EXTENSION = {
    end: family for family, (ends, _) in FAMILIES.items() for end in ends.split()
}
FAMILY_OF_LABEL = FAMILY_OF_EXTENSION | {
    label: family for family, (_, labels) in FAMILIES.items() for label in labels.split()
}
# Those of the starter that is read now: its files may be in a language that isn't listed.
_STARTER_EXTENSIONS: ContextVar[frozenset[str]] = ContextVar("extensions", default=frozenset())
# Files that look like settings are labelled with whatever highlights comments well.
LOOSE = frozenset({"ini", "text", "docker", "make", "yaml", "toml", "other"})
LOOSE_LABELS = frozenset({"shell", "ini", "text", "yaml", "toml", "make", "docker"})
NOT_CODE = frozenset({"shell", "text"})
DOTTED = re.compile(r"\.[A-Za-z][\w.-]*")
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
# What an author writes in place of lines that are left out.
ELISION = re.compile(
    r"""^\s*(?:(?://|\#|\{?/\*|<!--|--)\s*(?:\.{3}|…)|(?:\.{3}|…)(?=\s|.*(?:\.{3}|…)\s*$))
    (?:.*(?:rest|existing|remain|same|previous|unchanged|other|omitted|code|above).*|
    \s*(?:\*/\}?|-->)?\s*)$|^\s*(?:\.{3}|…)\s*$|
    ^\s*(?://|\#|\{?/\*|<!--|--)\s*[\[(<]?(?:rest\ of|existing\ |remaining\ |same\ as\ before|
    unchanged|keep\ (?:the\ )?(?:existing|rest)).*(?:\.{3}|…|code|unchanged|here|file).*$""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# A remark alone is no code. `#[derive]`, `#id {`, `* {` and `/// <reference />` are.
REMARK = re.compile(
    r"^\s*(?://(?!/\s*<)|\#(?=\s|$)|/\*|\*(?=[\s/]|$)|\{/\*|<!--|--(?=\s))", re.VERBOSE
)
ELLIPSIS_BODY = re.compile(r"^\s*\.{3}\s*$", re.MULTILINE)  # valid Python on its own
# Definitions at the outermost level.
DEFINITION = {
    family: re.compile(pattern, re.MULTILINE)
    for family, pattern in {
        "python": r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=",
        "script": r"^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
        r"(?:function\*?|class|const|let|var|interface|type|enum)\s+(\w+)",
        "go": r"^(?:func|type|var|const)\s+(?:\([^)]*\)\s*)?(\w+)",
        "rust": r"^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?"
        r"(?:fn|struct|enum|trait|mod|const|static|type)\s+(\w+)",
        "java": r"^(?:public\s+)?(?:\w+\s+)*(?:class|interface|enum|record)\s+(\w+)",
    }.items()
}


@contextmanager
def with_extensions_of(paths: Iterable[str]) -> Iterator[None]:
    """Meanwhile a name that ends like one of these is a file, in whatever language."""
    ends = {PurePosixPath(path).suffix.lower().removeprefix(".") for path in paths}
    token = _STARTER_EXTENSIONS.set(frozenset(end for end in ends if end[:1].isalpha()))
    try:
        yield
    finally:
        _STARTER_EXTENSIONS.reset(token)


def family_of_label(label: str) -> str | None:
    return FAMILY_OF_LABEL.get(label.strip().lower().lstrip("."))


def family_of_path(path: str) -> str | None:
    """None for a name that says nothing of a language, such as `notes` or `v1.2`."""
    name = PurePosixPath(path).name.lower()
    if name.startswith(".env"):
        return "ini"
    if name in BARE_NAMES:
        return BARE_NAMES[name]
    if name.startswith("dockerfile."):
        return "docker"
    extension = name.rpartition(".")[2] if "." in name[1:] else ""
    if extension:
        unlisted = "unlisted" if extension in _STARTER_EXTENSIONS.get() else None
        return FAMILY_OF_EXTENSION.get(extension, unlisted)
    return "other" if DOTTED.fullmatch(name) else None


def fits(family: str | None, path: str) -> bool:
    """Whether a block labelled `family` may be the file that the words above it name."""
    of_path = family_of_path(path)
    if family is None or of_path is None or family == of_path:
        return True
    if of_path in LOOSE and family in LOOSE_LABELS:
        # A requirements.txt under a shell label is a command about it far more often.
        return not (family == "shell" and of_path == "text")
    if family == "text":
        return of_path in {"markdown", "go", "other", "unlisted"}
    return family == "script" and of_path == "json"


def is_whole(family: str | None, text: str) -> bool:
    """False only where the text can't be a whole file; True where nobody can tell."""
    try:
        if family == "python":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # odd escapes are the author's business
                ast.parse(text)
        elif family == "json":
            json.loads(text)
        elif family in {"script", "go", "rust", "java", "style", "csharp", "c", "kotlin"}:
            return _balanced(text, SKIPPED_RUST if family == "rust" else SKIPPED)
    except (SyntaxError, ValueError):
        # JSON may have comments and trailing commas, as tsconfig.json has them.
        return family == "json" and _balanced(text) and bool(text.strip())
    except (RecursionError, MemoryError):
        return False
    return True


def _balanced(text: str, skipped: re.Pattern[str] = SKIPPED) -> bool:
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
    pattern = DEFINITION.get(family or "")
    if pattern is None:
        return frozenset()
    return frozenset(name for match in pattern.finditer(text) for name in match.groups() if name)
