"""Paths as models write them: in info strings, in comments, in headings, in sentences."""

import re
from typing import NamedTuple

from sdkbench.generation.answers.languages import BARE_NAMES, family_of_label, family_of_path

# Product names that end like files.
PRODUCTS = re.compile(
    r"(?:next|node|vue|react|nuxt|express|three|d3|chart|nest|alpine|angular|backbone|ember|deno|"
    r"bun|discord|solid|require)\.js"
)
# Routes of today's frameworks hold brackets, parentheses, @ and $: app/(auth)/[[...id]].
WORD = r"[\w.@$+~\[\]()\-/\\{}=&%!,]+"
TRIM = "`'\"* \t"
KEYWORD = r"(?:file\s?-?_?path|file\s?-?_?name|file|path|source|location|title|filename)"
ATTRIBUTE = re.compile(
    rf"""\b{KEYWORD}\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`|({WORD}))""", re.IGNORECASE
)
EXCERPT = re.compile(r"^\d+:\d+:")  # lines 12:40 of a file that is there already
COMMENT = re.compile(
    r"""^\s*(?:
        (?://+|\#+(?!!)|--+|;+|%+|REM\s)\s*(?P<line>.+?) |
        <!--+\s*(?P<html>.+?)\s*--+> | \{?/\*+\s*(?P<block>.+?)\s*\*+/\}? |
        (?P<quotes>\"{3}|'{3})(?P<doc>.+?)(?P=quotes)
    )\s*$""",
    re.VERBOSE,
)
RULED = re.compile(r"^\s*([=\-*#~_])\1{2,}\s*(?P<inner>\S.*?\S)\s*\1{2,}\s*$")
# Of the keywords, those that people don't use in comments about other files.
MARK_KEYWORD = r"(?:file\s?-?_?path|file\s?-?_?name|file|path)"
SIGNS = re.compile(r"^(?:@(?=file|path)|[^\w\s.`\"'/~$@()\[*-]+\s*)")  # an emoji, `>>>`, `@file`
BRACKETED = re.compile(r"\[([^\[\]]+)\]")
MARKED = re.compile(
    rf"""^(?:(?:(?:begin|start)\s+(?:of\s+)?|(?:create|new|updated?|modified|this|saved?\s+as)\s+)*
    (?P<keyword>{MARK_KEYWORD})(?:\s+\d+(?:\s*(?:/|of)\s*\d+)?)?\s*(?::\s*|\s(?=\S*/))|
    (?:create|new|updated?|saved?\s+as|save\s+to)\s+(?=\S*/))?
    (?P<path>`[^`]+`|"[^"]+"|{WORD})
    (?P<rest>\s*[:,;]?\s*(?:[(\[–—\-→|<;].*|[:,]\s.*|$))$""",
    re.VERBOSE | re.IGNORECASE,
)
# The form that our prompt asks for, ```perl lib/Sum.pm, in a language that FAMILIES doesn't know.
ASKED_FOR = re.compile(r"[\w.@+~/\-]*\w\.[A-Za-z]\w{0,9}")
LONGEST_MARK = 1000  # characters; a longer line is no mark, and slow to read as one
LONGEST_PATH = 300
CONTINUED = re.compile(r"\b(?:continued|cont\.|continuation|part\s+[2-9])", re.IGNORECASE)


class Mark(NamedTuple):
    path: str
    alone: bool  # nothing but the path, so the line is no part of the file
    keyword: bool  # `filepath:` and its like, which nobody writes by chance
    continued: bool = False


def cleaned(word: str) -> str:
    """A path without what surrounds it in prose; `./` and backslashes in their usual form."""
    word = word.strip(TRIM).strip()
    word = word.removesuffix(":").removesuffix(",").strip(TRIM)
    if word.startswith("(") and word.endswith(")"):
        word = word[1:-1]
    if word.count("(") < word.count(")"):
        word = word.rstrip(")")
    if not word.endswith("..."):
        word = word.rstrip(".")
    if "\\" in word and "/" not in word:
        word = word.replace("\\", "/")
    while word.startswith("./"):
        word = word[2:].lstrip("/")
    return word


def is_path(word: str) -> bool:
    """Whether a word alone is taken for a file: by its extension, or because the name is known."""
    if not word or len(word) > LONGEST_PATH or PRODUCTS.fullmatch(word.lower()):
        return False
    if re.search(r"[\s<>|*?\"`;]|://|\$\{", word) or word.startswith(("-", "@/", "!")):
        return False
    name = word.rpartition("/")[2]
    if not re.search(r"\w", name) or name.startswith("...") or "()" in name or "=" in word:
        return False
    family = family_of_path(word)
    if family is None or (family == "other" and name.count(".") != 1):
        return False
    return not re.fullmatch(r"\.[a-z]{1,4}x?", name) or name.startswith((".env", ".npm"))


def path_in_info(info: str) -> str | None:
    """`tsx app/page.tsx`, `tsx:app/page.tsx`, `title="x.py"`, `app.py`; None for no path."""
    info = info.strip()
    if EXCERPT.match(info):
        return None
    attribute = ATTRIBUTE.search(info)
    if attribute:
        path = cleaned(next(group for group in attribute.groups() if group))
        is_name = is_path(path) or "/" in path or path[:1] == "." or path.lower() in BARE_NAMES
        return path if is_name and not re.search(r"\s", path) else None
    label, colon, rest = info.partition(":")
    if colon and rest.strip() and re.fullmatch(r"[\w+#-]*", label):
        path = cleaned(rest.strip().split()[0])
        if is_path(path) or "/" in path:
            return path
    words = [cleaned(word.strip("{}()[],") if "/" not in word else word) for word in info.split()]
    for number, word in enumerate(words):
        is_label = number == 0 and family_of_label(word) is not None
        # `Dockerfile` is a name, `dockerfile` a language.
        if not is_label and is_path(word) and not (number == 0 and word in BARE_NAMES):
            return word
    if words and words[0] in {"Dockerfile", "Makefile", "Procfile"}:
        return words[0]
    match words:
        case [label, path] if family_of_label(label) is None and ASKED_FOR.fullmatch(path):
            return path
    return None


def mark_in_comment(line: str) -> Mark | None:
    """The path that a comment of any style gives, or None."""
    line = line.strip("\ufeff\u200b\u2060")
    if len(line) > LONGEST_MARK:
        return None
    comment = RULED.match(line) or COMMENT.match(line)
    if comment is None:
        return None
    groups = comment.groupdict()
    inner = next(value for name, value in groups.items() if value and name != "quotes")
    ruled = RULED.match(inner) or re.match(r"^[=\-*~]{2,}\s*(?P<inner>.+?)\s*[=\-*~]*$", inner)
    mark = _marked(ruled["inner"] if ruled else inner)
    if mark is not None and groups.get("doc"):
        return mark._replace(alone=False)
    return mark


def _marked(text: str) -> Mark | None:
    text = SIGNS.sub("", text.strip().removeprefix("writefile "))
    inner = re.fullmatch(r"\*\*(.+)\*\*", text) or BRACKETED.fullmatch(text)
    marked = MARKED.match((inner[1] if inner else text).strip())
    if marked is None:
        return None
    path = cleaned(marked["path"])
    keyword = marked["keyword"] is not None
    plausible = is_path(path) or (keyword and ("/" in path or "." in path or path in BARE_NAMES))
    if not plausible and not (keyword and path.lower() in BARE_NAMES):
        return None
    rest = marked["rest"].strip(" :,;<")
    aside = re.fullmatch(r"[(\[](?:new|updated?|modified|changed|complete|full|cont).*[)\]]", rest)
    return Mark(path, not rest or aside is not None, keyword, bool(CONTINUED.search(rest)))
