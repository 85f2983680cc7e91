"""Text of judged code and of models, made fit to be shown: what would act is seen instead."""

import re

# Colours of a terminal, which say nothing here; every other sequence stays, as text.
_COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
_LINE_ENDS = re.compile(r"\r\n?")
_NAMED = "⟨U+{:04X}⟩"
# Those that reorder or hide what stands around them: code would not read as it runs.
_REORDERING = (0x061C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))
_NO_CHARACTERS = (0xFEFF, 0xFFFE, 0xFFFF)  # the last two can't stand in XML
_CONTROLS = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF",
    "VT", "FF", "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
    "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)  # fmt: skip
# By name, not by Unicode's pictures for them: many fonts have none.
_SHOWN = (
    {code: f"⟨{name}⟩" for code, name in enumerate(_CONTROLS) if chr(code) not in "\t\n"}
    | {0x7F: "⟨DEL⟩"}
    | {code: _NAMED.format(code) for code in (*range(0x80, 0xA0), *_REORDERING, *_NO_CHARACTERS)}
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # half a character: no file can hold it
)


def visible(text: str) -> str:
    """Control characters by name, reordering ones by number, terminal colours gone."""
    if text.isprintable() and text.isascii():
        return text
    without = _LINE_ENDS.sub("\n", _COLOURS.sub("", text))
    return without.translate(_SHOWN)


def one_line(text: str, characters: int) -> str:
    """The beginning of `text` in a line, with an ellipsis where there was more."""
    # Words enough to fill the line: an error may be a megabyte.
    words = " ".join(text[: 8 * characters].split())
    whole = visible(words)
    return whole if len(whole) <= characters else whole[: characters - 1] + "…"


def cut(text: str, characters: int) -> str:
    """`text`, or a third of the limit from its beginning and the rest from its end, with a line
    between them that says how much is missing.
    """
    if len(text) <= characters:
        return visible(text)
    head = characters // 3
    tail = characters - head
    missing = len(text) - characters
    note = f"\n… {missing:,} of {len(text):,} characters left out here …\n"
    return visible(text[:head]) + note + visible(text[-tail:])


def decoded(data: bytes) -> str | None:
    """As UTF-8; None for what is no text. A NUL among letters is shown, many make it binary."""
    sample = data[:8192]
    if sample.count(0) * 10 > len(sample):
        return None
    return data.decode("utf-8", "replace")
