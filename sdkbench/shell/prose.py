"""What in an answer is talk: introductions, explanations."""

import re

_LABEL = re.compile(
    r"\s*(?:[*_#>\-\s]*)(?:final\s+|shell\s+|bash\s+|unix\s+|linux\s+)?"
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
