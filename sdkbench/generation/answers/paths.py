"""The paths that an answer gives: in info strings, in comments, in the prose above a block."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.generation.answers.languages import BARE_NAMES, family_of_label, family_of_path, fits
from sdkbench.generation.answers.proposed_files import Strength

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
# A name in a language that FAMILIES doesn't know, and that name alone on a line.
FILE_NAME = r"[\w.@+~/\-]*\w\.[A-Za-z]\w{0,9}"
NAME_ALONE = re.compile(rf"\W*?(?:{KEYWORD}\W+)?({FILE_NAME})\W*", re.IGNORECASE)
LONGEST_MARK = 1000  # characters; a longer line is no mark, and slow to read as one
LONGEST_PATH = 300
CONTINUED = re.compile(r"\b(?:continued|cont\.|continuation|part\s+[2-9])", re.IGNORECASE)
# In the prose above a block.
MOST_LINES_ABOVE = 6  # lines of prose above a fence in which its heading is looked for
HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)\s*#*\s*$")
BOLD = re.compile(r"^\s*(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:.]?\s*(?:\(.*\))?\s*$")
ITALIC = re.compile(r"^\s*_([^_\s].*[^_\s])_\s*[:.]?\s*$")
RULE = re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
LEADING = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+|\d+[.)]\s+|[^\w\s`*\[\]().#/\\@$~<'\"_-]+\s*)*")
ORDER = re.compile(
    rf"""^(?:(?:step|file|part)\s*\d+\s*[:.)–—-]*\s*|\d+[.)]\s*|[a-z][.)]\s+)?
    (?:(?:here(?:'s|\ is)|this\ is|the|a|an|new|updated?|create|add|edit|modify|replace|write|
    contents?\ of|complete|full|final|main|{KEYWORD})[\s:]+)*""",
    re.VERBOSE | re.IGNORECASE,
)
TAG = re.compile(r"</?(?:summary|details|b|strong|code|p|h[1-6]|br)\b[^>]*>", re.IGNORECASE)
LINK = re.compile(r"\[([^\]]+)\]\((?:[^)]*)\)")
SPAN = re.compile(r"`([^`\n]+)`")
STRONG_SPAN = re.compile(r"(?:\*\*|__)([^*_\n][^*\n]*?)(?:\*\*|__)")
AFTER_VERB = re.compile(
    r"(?:creat|updat|modif|edit|replac|chang|writ|add(?:ing)?\b|in\b|to\b|into\b|file\b|is\b|for\b)"
    r"[^`]{0,40}$",
    re.IGNORECASE,
)
# A sentence that announces a file: its code may follow after more words about it.
ANNOUNCED = re.compile(
    r"\b(?:creat|updat|modif|edit|replac|rewrit|writ|implement|add)", re.IGNORECASE
)
SHOWN_IN_USE = re.compile(
    r"\b(?:usage|example|for instance|try it|test it|run it|call it|use it|using it|outputs?|"
    r"prints|you (?:can|should|will|could))\b",
    re.IGNORECASE,
)
# The block shows the code as it is now, not as it should become.
BEFORE = re.compile(
    r"^\W*(?:before|old(?: code)?|current(?:ly| code)?|original(?: code)?|instead of(?: this)?|"
    r"from this|previously|existing code|was)\W*$",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"^\W*(?:after|new(?: code)?|updated(?: code)?|becomes|to this)\W*$", re.IGNORECASE
)


class GivenPath(NamedTuple):
    """The path that an answer gives to a block, or to a part of one."""

    path: str
    strength: Strength = Strength.NAMED
    continued: bool = False
    in_info: bool = False  # the fence's own line gives it
    alone: bool = False  # nothing but the path, so the line is no part of the file
    keyword: bool = False  # `filepath:` and its like, which nobody writes by chance


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


def is_unlisted(word: str) -> bool:
    """Whether it may be the name of a file, by an extension that says nothing here."""
    return family_of_path(word) is None and re.fullmatch(FILE_NAME, word) is not None


def unlisted_name(info: str, above: Sequence[str], text: str) -> str | None:
    """The name that a block seems to have, though it can't be known for one of a file."""
    comment = COMMENT.match(text.partition("\n")[0][:LONGEST_MARK])
    for line, is_sure in ((last_line(above), bool(info)), (comment[0] if comment else "", False)):
        name = NAME_ALONE.fullmatch(line) if len(line) <= LONGEST_PATH else None
        if name and is_unlisted(name[1]) and (is_sure or "/" in name[1]):
            return name[1]
    return None


def path_in_info(info: str) -> str | None:
    """`tsx app/page.tsx`, `tsx:app/page.tsx`, `title="x.py"`, `app.py`; None for no path."""
    info = info.strip()
    if EXCERPT.match(info):
        return None
    attribute = ATTRIBUTE.search(info)
    if attribute:
        path = cleaned(next(group for group in attribute.groups() if group))
        is_name = is_path(path) or "/" in path or path[:1] == "." or path.lower() in BARE_NAMES
        return path if (is_name or is_unlisted(path)) and not re.search(r"\s", path) else None
    label, colon, rest = info.partition(":")
    if colon and rest.strip() and re.fullmatch(r"[\w+#-]*", label):
        path = cleaned(rest.strip().split()[0])
        if is_path(path) or "/" in path or is_unlisted(path):
            return path
    words = [cleaned(word.strip("{}()[],") if "/" not in word else word) for word in info.split()]
    for number, word in enumerate(words):
        is_label = number == 0 and family_of_label(word) is not None
        # `Dockerfile` is a name, `dockerfile` a language.
        if not is_label and is_path(word) and not (number == 0 and word in BARE_NAMES):
            return word
    match words:
        case ["Dockerfile" | "Makefile" | "Procfile" as name, *_]:
            return name
        # The form that our prompt asks for: ```perl lib/Sum.pm
        case [label, path] if family_of_label(label) is None and re.fullmatch(FILE_NAME, path):
            return path
    return None


def mark_in_comment(line: str) -> GivenPath | None:
    """The path that a comment of any style gives, or None."""
    line = line.strip("\ufeff\u200b\u2060")
    if len(line) > LONGEST_MARK:
        return None
    comment = RULED.match(line) or COMMENT.match(line)
    if comment is None:
        return None
    groups = comment.groupdict()
    text = next(value for name, value in groups.items() if value and name != "quotes")
    ruled = RULED.match(text) or re.match(r"^[=\-*~]{2,}\s*(?P<inner>.+?)\s*[=\-*~]*$", text)
    text = SIGNS.sub("", (ruled["inner"] if ruled else text).strip().removeprefix("writefile "))
    inner = re.fullmatch(r"\*\*(.+)\*\*", text) or BRACKETED.fullmatch(text)
    marked = MARKED.match((inner[1] if inner else text).strip())
    if marked is None:
        return None
    path, keyword = cleaned(marked["path"]), marked["keyword"] is not None
    named_so = "/" in path or "." in path or path.lower() in BARE_NAMES
    if not is_path(path) and not (keyword and named_so):
        return None
    rest = marked["rest"].strip(" :,;<")
    aside = re.fullmatch(r"[(\[](?:new|updated?|modified|changed|complete|full|cont).*[)\]]", rest)
    alone = (not rest or aside is not None) and not groups.get("doc")
    return GivenPath(path, continued=bool(CONTINUED.search(rest)), alone=alone, keyword=keyword)


def path_above(lines: Sequence[str], family: str | None) -> GivenPath | None:
    """The path that the prose since the block before gives."""
    lines_read = 0
    in_use = False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if not line.strip():
            continue
        if RULE.match(line):
            if at and lines[at - 1].strip():
                continue  # it underlines a heading
            return None
        lines_read += 1
        if lines_read > MOST_LINES_ABOVE and not HEADING.match(line):
            continue
        named = _name_in(line, family)
        if named and (lines_read == 1 or named.strength is Strength.NAMED):
            return named
        if named and not in_use and ANNOUNCED.search(line):
            return named
        if HEADING.match(line):
            return None  # a section of its own that names no file
        in_use = in_use or SHOWN_IN_USE.search(line) is not None
    return None


def last_line(lines: Sequence[str]) -> str:
    """The last one with words, to be read as a mark; empty where it is too long for one."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return last if len(last) <= LONGEST_MARK else ""


def _name_in(line: str, family: str | None) -> GivenPath | None:
    if len(line) > LONGEST_MARK:
        return None
    text = TAG.sub(" ", LINK.sub(r"`\1`", line.replace("\u200b", "").replace("\ufeff", "")))
    heading = HEADING.match(text)
    text = LEADING.sub("", heading[1] if heading else text).strip()
    bold = BOLD.match(text) or ITALIC.match(text)
    bracketed = BRACKETED.fullmatch(text)
    text = bracketed[1] if bracketed else text
    continued = CONTINUED.search(text) is not None
    alone = _whole_line(bold[1] if bold else text)
    if alone is not None:
        return GivenPath(alone, continued=continued) if fits(family, alone) else None
    paths = list(dict.fromkeys(path for path in _paths(text) if fits(family, path)))
    if (heading or bold) and len(paths) == 1:
        return GivenPath(paths[0], continued=continued)
    for path in paths:
        if len(paths) == 1 or AFTER_VERB.search(text[: text.find(path)].rstrip("`*")):
            return GivenPath(path, Strength.MENTIONED, continued)
    return None


def _whole_line(text: str) -> str | None:
    """The path, if the line holds no more than that and words such as `Step 2: Create …:`."""
    text = text.replace("**", "").replace("__:", ":").strip()
    rest = ORDER.sub("", text, count=1)
    line = re.match(rf"^(`[^`]+`|\"[^\"]+\"|'[^']+'|{WORD})\s*(?P<rest>.*)$", rest)
    if line is None:
        return None
    path, more = cleaned(line[1]), line["rest"].strip()
    plain = not more or re.match(r"^(?:[:(\[–—,-]|file\b|\*)", more)
    return path if plain and is_path(path) else None


def _paths(text: str) -> list[str]:
    spans = SPAN.findall(text)
    for words in (spans, STRONG_SPAN.findall(text), [] if spans else re.findall(WORD, text)):
        paths = [path for word in words if is_path(path := cleaned(word))]
        if paths:
            return paths
    return []
