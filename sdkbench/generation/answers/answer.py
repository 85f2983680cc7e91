"""read_answer: a model's text and the starter's files → the files that the model proposes."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sdkbench.generation.answers import commands, headings, patches, sections, tags
from sdkbench.generation.answers.compose import Composition
from sdkbench.generation.answers.fences import Block, Cut, Tagged, cut, without_thinking
from sdkbench.generation.answers.headings import GivenPath, path_above
from sdkbench.generation.answers.json_answers import JsonFiles, actions_of, read_json, read_json_in
from sdkbench.generation.answers.languages import (
    NOT_CODE,
    family_of_label,
    family_of_path,
    fits,
    is_whole,
)
from sdkbench.generation.answers.paths import EXCERPT, path_in_info
from sdkbench.generation.answers.proposed_files import Action, ProposedFiles, Strength, Write
from sdkbench.generation.answers.sections import Section
from sdkbench.generation.answers.starter_paths import Unnamed, match_unnamed, resolve_paths

NOTHING: Mapping[str, str] = MappingProxyType({})
ENVELOPES = frozenset({None, "json", "markup", "text", "markdown"})  # may hold files themselves
REQUIREMENTS = re.compile(r"(?:(?:#.*|[\w.\-]+(?:\[[\w,-]+\])?\s*(?:[=<>~!].*)?)?\n)+")
TREE = re.compile(r"^[\s│|]*[├└]", re.MULTILINE)


def read_answer(
    text: str, starter: Mapping[str, str] = NOTHING, *, truncated: bool = False
) -> ProposedFiles:
    """What `text` proposes over `starter` (path → text).

    `truncated`: the model stopped at a limit, so a file that isn't closed is a part of one.

    Paths come as the model gave them: whoever writes them to a disk must check them.
    """
    text = without_thinking(text.removeprefix("\ufeff"))
    reader = AnswerReader()
    if not reader.take_json(read_json(text)):
        reader.take(cut(text))
        if not reader.actions and not reader.unnamed:
            reader.take_unfenced(text, starter)
    composition = Composition(starter, truncated=truncated)
    composition.take_all(resolve_paths(reader.actions, starter))
    guesses = match_unnamed(reader.unnamed, composition.files, starter)
    composition.take_all(guesses)
    used = {guess.text for guess in guesses}
    for block in reader.unnamed:
        if block.text not in used and block.family not in {None, *NOT_CODE}:
            composition.leave_out(
                "", f"a {block.family} block has no path and fits no starter file"
            )
            composition.cut_off |= not block.closed
    composition.cut_off |= reader.cut_off
    return composition.proposed_files()


class AnswerReader:
    """The actions and the nameless blocks of one answer, in their order."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.unnamed: list[Unnamed] = []
        self.cut_off = False
        self._heading: str | None = None  # a path that no block has been given yet
        self._before: str | None = None  # the path of a block that shows how things were
        self._last: str | None = None  # the path of the block before

    def take_json(self, files: JsonFiles) -> bool:
        """False where there was nothing to take."""
        self.actions += files.actions
        self.cut_off |= files.cut_off
        return bool(files.actions) or files.cut_off

    def take(self, answer: Cut) -> None:
        for part in answer.parts:
            if isinstance(part, Tagged):
                self._take_tagged(part)
            else:
                self._take_block(part)
        if patches.has_search(answer.prose):
            self.actions += patches.read_search(answer.prose, None)
        if patches.is_patch(answer.prose):
            self.actions += patches.read_patch(answer.prose)
        self.take_json(read_json_in(answer.prose))

    def take_unfenced(self, text: str, starter: Mapping[str, str]) -> None:
        """Code without any fence: files after marks, or the one file that was asked for."""
        block = cut(text).prose + "\n"
        if not patches.is_diff(block):
            marked = [s for s in sections.split(block, None) if s.mark is not None and s.mark.alone]
            self.actions += commands.files_written(block, closed=True)
            self.actions += [] if self.actions else [_write(section, None) for section in marked]
        else:
            self.actions += patches.read_diff(block, None)
        if not self.actions and block.strip():
            families = {family_of_path(path) for path in starter} & {"python"}
            self.unnamed += [Unnamed(f, block, closed=True) for f in families if is_whole(f, block)]

    def _take_tagged(self, part: Tagged) -> None:
        called = list(actions_of(tags.read_call(part.text)))
        actions = called or read_json_in(part.text.partition(">")[2]).actions
        self.actions += [
            _unfenced(action)._replace(closed=part.closed) if isinstance(action, Write) else action
            for action in actions
        ]

    def _take_block(self, block: Block) -> None:
        if EXCERPT.match(block.info):
            return
        above = path_above(block.above, block.family)
        if above is not None and commands.are_about(above.path, block.family, block.text):
            above = None
        in_info = path_in_info(block.info)
        changes = [*_edits(block, in_info, above), *_written(block, in_info, above)]
        if changes:
            self.actions += changes
            return
        if in_info is None and above is None:
            above = self._under_heading(block)
        if (
            in_info is None
            and block.family in ENVELOPES
            and not _is_json(above)
            and self._take_nested(block)
        ):
            return
        self._take_sections(block, in_info, above)

    def _take_sections(self, block: Block, in_info: str | None, above: GivenPath | None) -> None:
        named = in_info or (above.path if above else None)
        parts = sections.split(block.text, block.family)
        is_sure = in_info or (above is not None and above.strength is Strength.NAMED)
        if sections.is_bundle(parts, named if is_sure else None):
            parts = [Section(None, block.text)]
        marked = [part for part in parts if part.mark is not None]
        head = sections.own_head(parts, named, block.family)
        if head is not None:
            self._take_file(block._replace(text=head.text), head, in_info, above)
        if head is not None or len(marked) >= sections.MANY:
            self.actions += [_write(part, block) for part in marked]
        else:
            self._take_file(block, sections.with_head(parts), in_info, above)

    def _take_file(
        self, block: Block, section: Section, in_info: str | None, above: GivenPath | None
    ) -> None:
        if above is None and headings.shows_after(block.above) and self._before is not None:
            above = GivenPath(self._before, Strength.MENTIONED)
        given = sections.block_path(section, in_info, above, block.family) or self._continued(block)
        if given is None:
            if not _is_drawing(block) and not headings.shows_before(block.above):
                self.unnamed.append(Unnamed(block.family, block.text, block.closed))
            return
        self._before = given.path if headings.shows_before(block.above) else None
        if self._before is not None or (_is_drawing(block) and not given.path.endswith(".md")):
            return
        text = block.text
        mark = section.mark
        if mark is not None and sections.same_file(mark.path, given.path):
            text = section.text
        elif not block.info:
            text = _without_label(text, given.path)
        continued = given.continued or (mark is not None and mark.continued)
        self._last = given.path
        self.actions.append(Write(given.path, text, given.strength, block.closed, continued))

    def _continued(self, block: Block) -> GivenPath | None:
        """The file before, where the words above say no more than that it continues."""
        path = self._last
        if path is None or block.family is None or not fits(block.family, path):
            return None
        return (
            GivenPath(path, Strength.NAMED, continued=True)
            if headings.goes_on(block.above)
            else None
        )

    def _take_nested(self, block: Block) -> bool:
        """Files inside a block that is an envelope: JSON, tags. False where there are none."""
        files = read_json(block.text)
        if self.take_json(files):
            return bool(files.actions)
        is_document = block.family == "markdown" and (
            path_above(block.above, "markdown") is not None
            or sections.split(block.text, "markdown")[0].mark is not None
        )
        if is_document or (tags.OPEN.match(block.text) is None and block.family != "markdown"):
            return False
        inner = AnswerReader()
        inner.take(cut(block.text))
        self.actions += inner.actions
        return bool(inner.actions)

    def _under_heading(self, block: Block) -> GivenPath | None:
        """The path of a heading whose first block was a command, or whose label doesn't fit it."""
        if any(headings.HEADING.match(line) or headings.RULE.match(line) for line in block.above):
            self._heading = None
        heading = path_above(block.above, None)
        if heading is not None and heading.strength is Strength.NAMED:
            self._heading = heading.path
            listed = block.family == "shell" and heading.path.endswith(".txt")
            return heading if listed and REQUIREMENTS.fullmatch(block.text) else None
        path, self._heading = self._heading, None
        if path is None or block.family is None or not fits(block.family, path):
            return None
        return GivenPath(path, Strength.MENTIONED)


def _edits(block: Block, in_info: str | None, above: GivenPath | None) -> Iterator[Action]:
    given = above or path_above(block.above, None)
    path = in_info or (given.path if given else None)
    label = block.info.split()[0].lower() if block.info else ""
    if patches.has_search(block.text):
        yield from patches.read_search(block.text, path)
    elif patches.is_patch(block.text):
        yield from patches.read_patch(block.text)
    elif label in {"diff", "patch", "udiff"} or (
        block.family is None and patches.is_diff(block.text)
    ):
        yield from patches.read_diff(block.text, path)


def _written(block: Block, in_info: str | None, above: GivenPath | None) -> Iterator[Action]:
    """The files that a block of shell commands writes, unless it is a script itself."""
    path = in_info or (above.path if above else "")
    if block.family in {None, "shell"} and family_of_path(path) != "shell":
        yield from commands.files_written(block.text, closed=block.closed)


def _is_json(above: GivenPath | None) -> bool:
    """Whether the block is called a JSON file, so that the paths and texts in it are its own."""
    return (
        above is not None
        and above.strength is Strength.NAMED
        and family_of_path(above.path) == "json"
    )


def _write(section: Section, block: Block | None) -> Write:
    mark = section.mark
    path, continued = ("", False) if mark is None else (mark.path, mark.continued)
    closed = block is None or block.closed
    return Write(path, section.text, Strength.NAMED, closed, continued)


def _unfenced(write: Write) -> Write:
    """A file that stands in a fence inside its tag."""
    inside = cut(write.text)
    if (
        len(inside.parts) == 1
        and isinstance(inside.parts[0], Block)
        and not inside.prose.strip()
        and write.text.lstrip().startswith(("```", "~~~"))
    ):
        return write._replace(text=inside.parts[0].text)
    return write


def _without_label(text: str, path: str) -> str:
    """Without a label that stands on the first line of the block instead of behind its fence."""
    first, _, rest = text.partition("\n")
    family = family_of_label(first)
    return rest if family and family == family_of_path(path) and family not in NOT_CODE else text


def _is_drawing(block: Block) -> bool:
    return block.family in {None, *NOT_CODE} and TREE.search(block.text) is not None
