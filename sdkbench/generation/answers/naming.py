"""Which of the paths around and inside a block is its own, and where the block parts into files."""

from sdkbench.generation.answers.fences import Block
from sdkbench.generation.answers.headings import Named
from sdkbench.generation.answers.languages import NOT_CODE, family_of_label, family_of_path
from sdkbench.generation.answers.proposal import Strength
from sdkbench.generation.answers.sections import Section
from sdkbench.generation.answers.wholeness import has_code, names_defined

MANY = 2  # marks in one block: they part it into files


def named_by(
    section: Section, in_info: str | None, above: Named | None, block: Block
) -> Named | None:
    """The block's path: its info string's, its own first line's, or that of the words above it."""
    if in_info is not None:
        return Named(in_info, Strength.NAMED)
    mark = section.mark
    if mark is None:
        return above
    if above is not None and above.path.endswith(f"/{mark.path}"):
        return Named(above.path, Strength.NAMED, above.continued)
    if block.family in NOT_CODE and not mark.alone:
        return above  # `# app.py: start it` above a command
    return Named(mark.path, Strength.NAMED, above is not None and above.continued)


def parted(
    parts: list[Section], block: Block, in_info: str | None, above: Named | None
) -> tuple[Section | None, list[Section]]:
    """The code before the first mark, if that is a file of its own; and the marked parts."""
    marked = [part for part in parts if part.mark is not None]
    head = parts[0]
    if head.mark is not None or not marked or not has_code(block.family, head.text):
        return None, marked
    named = in_info or (above.path if above else None)
    own = named is not None and not _gives(named, marked)
    return (head if own or names_defined(block.family, head.text) else None), marked


def with_head(parts: list[Section]) -> Section:
    """The block's one file: what stands before its path belongs to it as what stands after."""
    last = parts[-1]
    return last if len(parts) == 1 else Section(last.mark, parts[0].text + last.text)


def is_bundle(parts: list[Section], in_info: str | None, above: Named | None) -> bool:
    """Whether marks are what a bundler writes above each part of its one file."""
    marked = [part for part in parts if part.mark is not None]
    strong = above is not None and above.strength is Strength.NAMED
    named = in_info or (above.path if above and strong else None)
    if named is None or (len(marked) < MANY and parts[0].mark is not None):
        return False
    by_keyword = any(part.mark.keyword for part in marked if part.mark)
    return bool(marked) and not by_keyword and not _gives(named, marked)


def _gives(path: str, marked: list[Section]) -> bool:
    return any(same_file(part.mark.path, path) for part in marked if part.mark)


def same_file(mark: str, path: str) -> bool:
    return mark == path or path.endswith(f"/{mark}") or mark.endswith(f"/{path}")


def without_label(text: str, path: str) -> str:
    """Without a label that stands on the first line of the block instead of behind its fence."""
    first, _, rest = text.partition("\n")
    family = family_of_label(first)
    return rest if family and family == family_of_path(path) and family not in NOT_CODE else text
