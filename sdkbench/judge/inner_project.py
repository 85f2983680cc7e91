"""A folder that is no project itself and holds one: `backend/pyproject.toml` beside a README."""

from pathlib import Path

from sdkbench.core import tree

MANIFESTS = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "package.json",
     "go.mod", "go.work", "Cargo.toml", "pom.xml"}
)  # fmt: skip
# What people put beside a project, and no runner's tests could be.
DOCUMENTS = frozenset(
    {"", ".md", ".rst", ".txt", ".adoc", ".pdf", ".png", ".jpg", ".gif", ".svg", ".yml", ".yaml"}
)


def inner_project(root: Path) -> Path | None:
    """The path below `root` of the only folder that has a manifest and is in no other such folder,
    where everything outside of it is documents; else None.
    """
    if any(tree.is_file(root / name) for name in MANIFESTS):
        return None
    files = [path.relative_to(root) for path in tree.files(root)]
    holders = {path.parent for path in files if path.name in MANIFESTS}
    outermost = [folder for folder in holders if holders.isdisjoint(folder.parents)]
    if len(outermost) != 1:
        return None
    inner = outermost[0]
    outside = (path for path in files if not path.is_relative_to(inner))
    return inner if all(map(_is_document, outside)) else None


def _is_document(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return hidden or path.suffix.lower() in DOCUMENTS
