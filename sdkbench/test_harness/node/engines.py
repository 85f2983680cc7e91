"""Which Node a project asks for: `engines.node` of its package.json, a range as npm reads it."""

import re
from collections.abc import Iterator

from sdkbench.errors import MissingTool

MAX_RANGE = 200  # characters; a longer one asks for nothing
COMPARATOR = re.compile(r"(?P<sign>[<>]=?|=|\^|~>?)?\s*v?(?P<version>\d[\w.+-]*|[xX*])(?=\s|$)")
BETWEEN = re.compile(r"(\S+)\s+-\s+(\S+)")
Version = tuple[int, ...]


def admits(wanted: str, version: str) -> bool:
    """Whether `version` lies in the range `wanted`; a range that cannot be read asks for nothing.
    Pre-releases count as their release.
    """
    have = _numbers(version)
    if len(wanted) > MAX_RANGE or not have:
        return True
    try:
        return any(
            all(low <= have and (high is None or have < high) for low, high in _bounds(one))
            for one in wanted.split("||")
        )
    except ValueError:
        return True


def refuse_other(wanted: str, version: str, told: str) -> None:
    """Raise MissingTool where the project is for other versions than this machine's. `told` is what
    went wrong: npm only warns of other versions, and much works with them all the same.
    """
    if not admits(wanted, version):
        raise MissingTool(
            f"The project needs Node.js {wanted}, and this machine has {version.removeprefix('v')}."
            f" Install another, and run again. Without it none of the tests could be run: {told}"
        )


def _bounds(text: str) -> Iterator[tuple[Version, Version | None]]:
    """What one of several ranges allows: from the first version on, and below the second. Raises
    ValueError for what is no range.
    """
    text = BETWEEN.sub(r">=\1 <=\2", text)
    if COMPARATOR.sub("", text).strip():
        raise ValueError(text)
    for match in COMPARATOR.finditer(text):
        sign, given = match["sign"] or "=", _numbers(match["version"])
        low = _padded(given)
        if not given:
            continue
        if sign == ">":
            yield _after(given), None
        elif sign == ">=":
            yield low, None
        elif sign == "<":
            yield (), low
        elif sign == "<=":
            yield (), _after(given)
        elif sign == "^":
            # Up to a change of the first number that is not 0.
            fixed = next((n for n, one in enumerate(given, 1) if one), len(given))
            yield low, _after(given[:fixed])
        elif sign == "=":
            yield low, _after(given)
        else:
            yield low, _after(given[:2])


def _numbers(text: str) -> Version:
    """`v20.1.0-rc.1` as 20, 1, 0; `20.x` as 20."""
    numbers: list[int] = []
    for part in re.split(r"[-+]", text.removeprefix("v"))[0].split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part))
    return tuple(numbers[:3])


def _padded(version: Version) -> Version:
    return (*version, 0, 0, 0)[:3]


def _after(version: Version) -> Version:
    """The first that is no longer `version`, nor any with more numbers."""
    return _padded((*version[:-1], version[-1] + 1))
