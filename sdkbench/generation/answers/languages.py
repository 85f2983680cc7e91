"""Which language a fence's label or a file's name means, and whether the two go together."""

import re
from pathlib import PurePosixPath

# Family → the labels that models put on fences for it, and the extensions of its files.
LABELS = {
    "python": "python py python3 pyi",
    "script": "typescript ts tsx javascript js jsx mjs cjs mts cts javascriptreact typescriptreact "
    "node react nextjs",
    "json": "json jsonc json5",
    "markdown": "markdown md mdx",
    "shell": "bash sh shell zsh console terminal shellscript shell-session powershell ps1 cmd bat "
    "fish curl",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties dotenv env editorconfig",
    "markup": "html htm xml svg vue svelte astro jinja jinja2 handlebars",
    "style": "css scss sass less",
    "sql": "sql sqlite postgresql",
    "go": "go golang gomod",
    "rust": "rust rs",
    "java": "java",
    "kotlin": "kotlin kt kts groovy gradle",
    "docker": "dockerfile docker containerfile",
    "make": "makefile make",
    "text": "text txt plaintext plain output log stdout ascii tree none http requirements pip "
    "gitignore csv",
    "ruby": "ruby rb",
    "php": "php",
    "csharp": "csharp cs c#",
    "c": "c cpp c++ h hpp",
    "swift": "swift",
    "graphql": "graphql gql",
    "prisma": "prisma",
    "proto": "proto protobuf",
}
EXTENSIONS = {
    "python": "py pyi",
    "script": "ts tsx js jsx mjs cjs mts cts",
    "json": "json jsonc json5",
    "markdown": "md mdx markdown rst",
    "shell": "sh bash zsh ps1 bat",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties env",
    "markup": "html htm xml svg vue svelte astro j2 jinja hbs ejs",
    "style": "css scss sass less",
    "sql": "sql",
    "go": "go mod sum work",
    "rust": "rs",
    "java": "java",
    "kotlin": "kt kts gradle groovy",
    "text": "txt csv lock in",
    "ruby": "rb",
    "php": "php",
    "csharp": "cs",
    "c": "c cc cpp h hpp",
    "swift": "swift",
    "graphql": "graphql gql",
    "prisma": "prisma",
    "proto": "proto",
    "notebook": "ipynb",
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
FAMILY_OF_LABEL = {label: family for family, labels in LABELS.items() for label in labels.split()}
FAMILY_OF_EXTENSION = {e: family for family, ends in EXTENSIONS.items() for e in ends.split()}
# Files that look like settings are labelled with whatever highlights comments well.
LOOSE = frozenset({"ini", "text", "docker", "make", "yaml", "toml", "other"})
LOOSE_LABELS = frozenset({"shell", "ini", "text", "yaml", "toml", "make", "docker"})
NOT_CODE = frozenset({"shell", "text"})
DOTTED = re.compile(r"\.[A-Za-z][\w.-]*")


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
        return FAMILY_OF_EXTENSION.get(extension)
    return "other" if DOTTED.fullmatch(name) else None


def fits(family: str | None, path: str) -> bool:
    """Whether a block labelled `family` may be the file that the words above it speak of."""
    of_path = family_of_path(path)
    if family is None or of_path is None or family == of_path:
        return True
    if of_path in LOOSE and family in LOOSE_LABELS:
        # A requirements.txt under a shell label is a command about it far more often.
        return not (family == "shell" and of_path == "text")
    if family == "text":
        return of_path in {"markdown", "go", "other"}
    return family == "script" and of_path == "json"
