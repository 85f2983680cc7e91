"""Permissions: symbolic modes as numbers."""

import re

_OCTAL = re.compile(r"[0-7]{1,4}\Z")
_CLAUSE = re.compile(r"([ugoa]*)((?:[-+=][rwxst]*)+)\Z")
_CHANGE = re.compile(r"([-+=])([rwxst]*)")
_SETS = re.compile(r"([ugoa]+)=[rwx]*\Z")
_BITS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}
_OF = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": 0o7777}


def octal_mode(text: str) -> int | None:
    """What find's -perm means: the mode that a file without any permission would get.

    None for what isn't worked out (X, copied permissions).
    """
    if _OCTAL.match(text):
        return int(text, 8)
    mode = 0
    for clause in text.split(","):
        parsed = _CLAUSE.match(clause)
        if not parsed:
            return None
        affected = 0
        for who in parsed[1] or "a":
            affected |= _OF[who]
        for sign, letters in _CHANGE.findall(parsed[2]):
            bits = 0
            for letter in letters:
                bits |= _BITS[letter] & affected
            if "s" in letters and not {"u", "g", "a"} & set(parsed[1] or "a"):
                return None
            mode = {"+": mode | bits, "-": mode & ~bits, "=": (mode & ~affected) | bits}[sign]
    return mode


def complete_mode(text: str) -> int | None:
    """The number for a mode that sets the permissions of everybody: `u=rwx,go=rx` is 755."""
    clauses = [_SETS.match(clause) for clause in text.split(",")]
    who = {letter for clause in clauses if clause for letter in clause[1].replace("a", "ugo")}
    return octal_mode(text) if all(clauses) and who == set("ugo") else None
