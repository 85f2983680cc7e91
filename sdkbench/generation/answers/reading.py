"""An answer's parts, one after another → actions with paths, and blocks that have none."""

import re
from collections.abc import Iterator, Mapping

from sdkbench.generation.answers import calls, commands, patches, tags
from sdkbench.generation.answers.fences import Block, Cut, Tagged, cut
from sdkbench.generation.answers.headings import (
    HEADING,
    RULE,
    Named,
    goes_on,
    name_above,
    shows_after,
    shows_before,
)
from sdkbench.generation.answers.json_answers import read_json, read_json_in
from sdkbench.generation.answers.languages import NOT_CODE, family_of_path, fits
from sdkbench.generation.answers.naming import (
    MANY,
    is_bundle,
    named_by,
    parted,
    same_file,
    with_head,
    without_label,
)
from sdkbench.generation.answers.paths import EXCERPT, path_in_info
from sdkbench.generation.answers.placing import Unnamed
from sdkbench.generation.answers.proposal import Action, Strength, Write
from sdkbench.generation.answers.sections import Section, sections
from sdkbench.generation.answers.wholeness import is_whole

ENVELOPES = frozenset({None, "json", "markup", "text", "markdown"})  # may hold files themselves
REQUIREMENTS = re.compile(r"(?:(?:#.*|[\w.\-]+(?:\[[\w,-]+\])?\s*(?:[=<>~!].*)?)?\n)+")
TREE = re.compile(r"^[\s│|]*[├└]", re.MULTILINE)


class Reading:
    """The actions and the nameless blocks of one answer, in their order."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.unnamed: list[Unnamed] = []
        self.cut_off = False
        self._heading: str | None = None  # a path that no block has been given yet
        self._before: str | None = None  # the path of a block that shows how things were
        self._last: str | None = None  # the path of the block before

    def take(self, answer: Cut) -> None:
        for part in answer.parts:
            if isinstance(part, Tagged):
                self._take_tagged(part)
            else:
                self._take_block(part)
        found = read_json_in(answer.prose)
        if patches.has_search(answer.prose):
            self.actions += patches.read_search(answer.prose, None)
        if patches.is_patch(answer.prose):
            self.actions += patches.read_patch(answer.prose)
        self.actions += found.actions
        self.cut_off = self.cut_off or found.cut_off

    def take_unfenced(self, text: str, starter: Mapping[str, str]) -> None:
        """Code without any fence: files after marks, or the one file that was asked for."""
        block = cut(text).prose + "\n"
        if not patches.is_diff(block):
            marked = [s for s in sections(block, None) if s.mark is not None and s.mark.alone]
            self.actions += commands.files_written(block, closed=True)
            self.actions += [] if self.actions else [_write(section, None) for section in marked]
        else:
            self.actions += patches.read_diff(block, None)
        if not self.actions and block.strip():
            families = {family_of_path(path) for path in starter} & {"python"}
            self.unnamed += [Unnamed(f, block, closed=True) for f in families if is_whole(f, block)]

    def _take_tagged(self, part: Tagged) -> None:
        found = [action for call in tags.read(part.text) for action in calls.actions(dict(call))]
        if not found:
            inner = part.text.partition(">")[2]
            found = list(read_json_in(inner).actions)
        self.actions += [
            _unwrapped(action)._replace(closed=part.closed) if isinstance(action, Write) else action
            for action in found
        ]

    def _take_block(self, block: Block) -> None:
        if EXCERPT.match(block.info):
            return
        above = name_above(block.above, block.family)
        if above is not None and commands.are_about(above.path, block.family, block.text):
            above = None
        in_info = path_in_info(block.info)
        label = block.info.split()[0].lower() if block.info else ""
        edits = [*_edits(block, label, in_info, above), *_written(block, in_info, above)]
        if edits:
            self.actions += edits
            return
        if in_info is None and above is None:
            above = self._under_heading(block)
        if in_info is None and block.family in ENVELOPES and not _is_json(above):
            found = self._nested(block)
            if found:
                self.actions += found
                return
        parts = sections(block.text, block.family)
        if is_bundle(parts, in_info, above):
            parts = [Section(None, block.text)]
        head, marked = parted(parts, block, in_info, above)
        if head is not None:
            self._take_file(block._replace(text=head.text), head, in_info, above)
        if head is not None or len(marked) >= MANY:
            self.actions += [_write(part, block) for part in marked]
            return
        self._take_file(block, with_head(parts), in_info, above)

    def _take_file(
        self, block: Block, section: Section, in_info: str | None, above: Named | None
    ) -> None:
        if above is None and shows_after(block.above) and self._before is not None:
            above = Named(self._before, Strength.MENTIONED)
        named = named_by(section, in_info, above, block) or self._going_on(block)
        if named is None:
            if not _is_drawing(block) and not shows_before(block.above):
                self.unnamed.append(Unnamed(block.family, block.text, block.closed))
            return
        self._before = named.path if shows_before(block.above) else None
        if self._before is not None or (_is_drawing(block) and not named.path.endswith(".md")):
            return
        text = block.text
        mark = section.mark
        if mark is not None and same_file(mark.path, named.path):
            text = section.text
        elif not block.info:
            text = without_label(text, named.path)
        continued = named.continued or (mark is not None and mark.continued)
        self._last = named.path
        self.actions.append(Write(named.path, text, named.strength, block.closed, continued))

    def _going_on(self, block: Block) -> Named | None:
        """The file before, where the words above say no more than that it continues."""
        path = self._last
        if path is None or block.family is None or not fits(block.family, path):
            return None
        return Named(path, Strength.NAMED, continued=True) if goes_on(block.above) else None

    def _nested(self, block: Block) -> list[Action]:
        """Files inside a block that is an envelope: JSON, tags."""
        found = read_json(block.text)
        if found.actions or found.cut_off:
            self.cut_off = self.cut_off or found.cut_off
            return list(found.actions)
        if tags.OPEN.match(block.text) is None and block.family != "markdown":
            return []
        if block.family == "markdown" and (
            name_above(block.above, "markdown") is not None
            or sections(block.text, "markdown")[0].mark is not None
        ):
            return []  # a document, whatever it shows
        inner = Reading()
        inner.take(cut(block.text))
        return inner.actions

    def _under_heading(self, block: Block) -> Named | None:
        """The path of a heading whose first block was a command, or that a label belies."""
        if any(HEADING.match(line) or RULE.match(line) for line in block.above):
            self._heading = None
        heading = name_above(block.above, None)
        if heading is not None and heading.strength is Strength.NAMED:
            self._heading = heading.path
            listed = block.family == "shell" and heading.path.endswith(".txt")
            return heading if listed and REQUIREMENTS.fullmatch(block.text) else None
        path, self._heading = self._heading, None
        fitting = path is not None and fits(block.family, path) and block.family is not None
        return Named(path, Strength.MENTIONED) if path is not None and fitting else None


def _edits(block: Block, label: str, in_info: str | None, above: Named | None) -> Iterator[Action]:
    path = in_info or (above.path if above else None)
    if above is None and path is None:
        named = name_above(block.above, None)
        path = named.path if named else None
    if patches.has_search(block.text):
        yield from patches.read_search(block.text, path)
    elif patches.is_patch(block.text):
        yield from patches.read_patch(block.text)
    elif label in {"diff", "patch", "udiff"} or (
        block.family is None and patches.is_diff(block.text)
    ):
        yield from patches.read_diff(block.text, path)


def _written(block: Block, in_info: str | None, above: Named | None) -> Iterator[Action]:
    """The files that a block of shell commands writes, unless it is a script itself."""
    path = in_info or (above.path if above else "")
    if block.family in {None, "shell"} and family_of_path(path) != "shell":
        yield from commands.files_written(block.text, closed=block.closed)


def _is_json(above: Named | None) -> bool:
    """Whether the block is called a JSON file, so that the paths and texts in it are its own."""
    strong = above is not None and above.strength is Strength.NAMED
    return strong and above is not None and family_of_path(above.path) == "json"


def _write(section: Section, block: Block | None) -> Write:
    mark = section.mark
    path, continued = ("", False) if mark is None else (mark.path, mark.continued)
    closed = block is None or block.closed
    return Write(path, section.text, Strength.NAMED, closed, continued)


def _unwrapped(write: Write) -> Write:
    """A file that stands in a fence inside its tag."""
    lines = write.text.strip().split("\n")
    inside = cut(write.text)
    if (
        len(inside.parts) == 1
        and not inside.prose.strip()
        and lines[0].lstrip().startswith(("```", "~~~"))
    ):
        part = inside.parts[0]
        return write._replace(text=part.text) if isinstance(part, Block) else write
    return write


def _is_drawing(block: Block) -> bool:
    return block.family in {None, *NOT_CODE} and TREE.search(block.text) is not None
