"""Poetry's and Pipfile's version notations → PEP 508."""

import re
from collections.abc import Mapping

VERSION = re.compile(r"^(\d{1,18})(?:\.(\d{1,18}))?(?:\.(\d{1,18}))?(?:\.\d+)*([-.+]?[A-Za-z].*)?$")


class Unsupported(ValueError):
    """A notation with no PEP 508 form that we may use; the message says which."""


def requirement(name: str, spec: object) -> str | None:
    """One table entry as a requirement; None for an optional one.

    Raises Unsupported for git, path, file and url dependencies: their code comes from elsewhere.
    """
    if isinstance(spec, list):  # poetry: one entry for each marker
        if any(isinstance(part, list) for part in spec):
            raise Unsupported(f"{name}: a list in a list")
        return "\n".join(filter(None, (requirement(name, part) for part in spec)))
    if isinstance(spec, str):
        return name + specifier(spec)
    if not isinstance(spec, Mapping):
        raise Unsupported(f"{name}: expected a version or a table, got {spec!r}")
    for elsewhere in ("git", "hg", "svn", "path", "file", "url", "source", "index"):
        if elsewhere in spec:
            raise Unsupported(f"{name}: {elsewhere} dependencies are refused")
    if spec.get("optional"):
        return None
    extras = spec.get("extras") or []
    if not isinstance(extras, list):
        raise Unsupported(f"{name}: extras must be a list")
    text = name + (f"[{','.join(map(str, extras))}]" if extras else "")
    text += specifier(str(spec.get("version", "*")))
    markers = spec.get("markers")
    return f"{text} ; {markers}" if markers else text


def specifier(constraint: str) -> str:
    """`^1.2` → `>=1.2,<2.0.0`; `*` → nothing; PEP 440 passes through."""
    if "||" in constraint or " or " in constraint:
        raise Unsupported(f"alternatives are not supported: {constraint!r}")
    parts = [part.strip() for part in constraint.split(",")]
    return ",".join(filter(None, (_part(part) for part in parts)))


def _part(part: str) -> str:
    if part in {"", "*"}:
        return ""
    if part.startswith("^"):
        return _range(part[1:].strip(), caret=True)
    if part.startswith("~") and not part.startswith("~="):
        return _range(part[1:].strip(), caret=False)
    if part[0].isdigit():
        return f"=={part}"
    return ",".join(re.sub(r"([<>=!~]=?=?)\s+", r"\1", part).split())


def _range(version: str, *, caret: bool) -> str:
    match = VERSION.match(version)
    if not match:
        raise Unsupported(f"not a version: {version!r}")
    numbers = [int(n) for n in match.groups()[:3] if n is not None]
    if caret:
        # The left-most number that isn't zero may not change.
        index = next((i for i, n in enumerate(numbers) if n), len(numbers) - 1)
    else:
        index = min(1, len(numbers) - 1)
    upper = [*numbers[:index], numbers[index] + 1]
    return f">={version},<{'.'.join(map(str, upper))}"
