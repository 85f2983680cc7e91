"""read_answer: a model's text and the starter's files → the files that the model proposes."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeGuard

from sdkbench.generation.answers import calls, edits, languages, paths, sections
from sdkbench.generation.answers.compose import Composition, match_unnamed, resolve_paths
from sdkbench.generation.answers.fences import Block, Cut, cut, without_thinking
from sdkbench.generation.answers.languages import NOT_CODE, family_of_path
from sdkbench.generation.answers.paths import GivenPath, path_above
from sdkbench.generation.answers.proposed_files import (
    Action,
    ProposedFiles,
    Strength,
    Write,
    unlisted,
)
from sdkbench.generation.answers.sections import Section

NOTHING: Mapping[str, str] = MappingProxyType({})
ENVELOPES = frozenset({None, "json", "markup", "text", "markdown"})  # may hold files themselves
DIFFS = frozenset({"diff", "patch", "udiff"})
REQUIREMENTS = re.compile(r"(?:(?:#.*|[\w.\-]+(?:\[[\w,-]+\])?\s*(?:[=<>~!].*)?)?\n)+")
TREE = re.compile(r"^[\s│|]*[├└]", re.MULTILINE)


def read_answer(
    text: str, starter: Mapping[str, str] = NOTHING, *, truncated: bool = False
) -> ProposedFiles:
    """What `text` proposes over `starter` (path → text).

    `truncated`: the model stopped at a limit, so a file that isn't closed is a part of one.

    Paths come as the model gave them: whoever writes them to a disk must check them.
    """
    with languages.with_extensions_of(starter):
        return _read(without_thinking(text.removeprefix("\ufeff")), starter, truncated=truncated)


def _read(text: str, starter: Mapping[str, str], *, truncated: bool) -> ProposedFiles:
    reader = AnswerReader()
    if not reader.take_json(calls.read_json(text)):
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
            reason = f"a {block.family} block has no path and fits no starter file"
            composition.leave_out("", reason)
            composition.cut_off |= not block.closed
    composition.cut_off |= reader.cut_off
    return composition.proposed_files()


class AnswerReader:
    """The actions and the nameless blocks of one answer, in their order."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.unnamed: list[Block] = []
        self.cut_off = False
        self._heading: str | None = None  # a path that no block has been given yet
        self._before: str | None = None  # the path of a block that shows how things were
        self._last: str | None = None  # the path of the block before

    def take_json(self, files: calls.JsonFiles) -> bool:
        """False where there was nothing to take."""
        self.actions += files.actions
        self.cut_off |= files.cut_off
        return bool(files.actions) or files.cut_off

    def take(self, answer: Cut) -> None:
        for part in answer.parts:
            if isinstance(part, calls.Tagged):
                self._take_tagged(part)
            else:
                self._take_block(part)
        self.actions += edits.read_search(answer.prose, None)
        if edits.is_patch(answer.prose):
            self.actions += edits.read_patch(answer.prose)
        self.take_json(calls.read_json_in(answer.prose))

    def take_unfenced(self, text: str, starter: Mapping[str, str]) -> None:
        """Code without any fence: files after marks, or the one file that was asked for."""
        text = cut(text).prose + "\n"
        if edits.is_diff(text):
            self.actions += edits.read_patch(text)
        else:
            self.actions += edits.files_written(text, closed=True)
            for mark, part in [] if self.actions else sections.split(text, None):
                if mark is not None and mark.alone:
                    self.actions.append(_write(mark, part))
        is_asked_for = any(family_of_path(path) == "python" for path in starter)
        is_code = text.strip() and is_asked_for and languages.is_whole("python", text)
        if not self.actions and is_code:
            self.unnamed.append(Block("python", text))

    def _take_tagged(self, part: calls.Tagged) -> None:
        called = list(calls.actions_of(calls.read_call(part.text)))
        self.actions += [
            _unfenced(action)._replace(closed=part.closed) if isinstance(action, Write) else action
            for action in called or calls.read_json_in(part.text.partition(">")[2]).actions
        ]

    def _take_block(self, block: Block) -> None:
        if paths.EXCERPT.match(block.info):
            return
        given = path_above(block.above, block.family)
        if given is not None and edits.are_commands_about(given.path, block.family, block.text):
            given = None
        if (path := paths.path_in_info(block.info)) is not None:
            given = GivenPath(path, in_info=True)
        if changes := _changes(block, given):
            self.actions += changes
            return
        given = given or self._under_heading(block)
        # The paths and texts in what the answer calls a JSON file are its own.
        is_json = (
            given and given.strength is Strength.NAMED and family_of_path(given.path) == "json"
        )
        may_hold_files = block.family in ENVELOPES and not is_json and path is None
        if may_hold_files and self._take_nested(block):
            return
        files = sections.files_in(block.text, block.family, given)
        for file in files:
            if file.mark is None:
                self._take_file(block._replace(text=file.text), file, given)
            elif len(files) == 1:
                self._take_file(block, file, given)
            else:
                self.actions.append(_write(file.mark, file.text, closed=block.closed))

    def _take_file(self, block: Block, section: Section, given: GivenPath | None) -> None:
        said = paths.last_line(block.above)
        if given is None and paths.AFTER.match(said) and self._before is not None:
            given = GivenPath(self._before, Strength.MENTIONED)
        mark, shows_before = section.mark, paths.BEFORE.match(said) is not None
        given = sections.path_of_block(mark, given, block.family)
        if given is None and paths.CONTINUED.search(said) and _fits_label(self._last, block):
            given = GivenPath(self._last, continued=True)
        is_drawing = block.family in {None, *NOT_CODE} and TREE.search(block.text) is not None
        if given is None:
            name = paths.unlisted_name(block.info, block.above, block.text)
            if name is not None and block.family is None:
                self.actions.append(unlisted(name))
            elif not is_drawing and not shows_before:
                self.unnamed.append(block)
            return
        self._before = given.path if shows_before else None
        if shows_before or (is_drawing and not given.path.endswith(".md")):
            return
        text = block.text
        if mark is not None and sections.same_file(mark.path, given.path):
            text = section.text
        elif not block.info:
            text = _without_label(text, given.path)
        continued = given.continued or (mark is not None and mark.continued)
        self._last = given.path
        self.actions.append(Write(given.path, text, given.strength, block.closed, continued))

    def _take_nested(self, block: Block) -> bool:
        """Files inside a block that is an envelope: JSON, tags. False where there are none."""
        files = calls.read_json(block.text)
        if self.take_json(files):
            return bool(files.actions)
        is_document = block.family == "markdown" and (
            path_above(block.above, "markdown") is not None
            or sections.split(block.text, "markdown")[0].mark is not None
        )
        if is_document or (calls.OPEN.match(block.text) is None and block.family != "markdown"):
            return False
        inner = AnswerReader()
        inner.take(cut(block.text))
        self.actions += inner.actions
        return bool(inner.actions)

    def _under_heading(self, block: Block) -> GivenPath | None:
        """The path of a heading whose first block was a command, or whose label doesn't fit it."""
        if any(paths.HEADING.match(line) or paths.RULE.match(line) for line in block.above):
            self._heading = None
        heading = path_above(block.above, None)
        if heading is not None and heading.strength is Strength.NAMED:
            self._heading = heading.path
            listed = block.family == "shell" and heading.path.endswith(".txt")
            return heading if listed and REQUIREMENTS.fullmatch(block.text) else None
        path, self._heading = self._heading, None
        return GivenPath(path, Strength.MENTIONED) if _fits_label(path, block) else None


def _fits_label(path: str | None, block: Block) -> TypeGuard[str]:
    return path is not None and block.family is not None and languages.fits(block.family, path)


def _changes(block: Block, given: GivenPath | None) -> list[Action]:
    """What a block of edits or commands does to files; nothing where it is a file itself."""
    named = given or path_above(block.above, None)
    path = named.path if named else None
    changes = list(edits.read_search(block.text, path))
    label = block.info.lower().split()[:1]
    is_patch = edits.is_patch(block.text)
    is_diff = DIFFS.intersection(label) or (block.family is None and edits.is_diff(block.text))
    if not changes and (is_patch or is_diff):
        changes += edits.read_patch(block.text, None if is_patch else path)
    is_script = given is not None and family_of_path(given.path) == "shell"
    if block.family in {None, "shell"} and not is_script:
        changes += edits.files_written(block.text, closed=block.closed)
    return changes


def _write(mark: GivenPath, text: str, *, closed: bool = True) -> Write:
    return Write(mark.path, text, closed=closed, continued=mark.continued)


def _unfenced(write: Write) -> Write:
    """A file that stands in a fence inside its tag."""
    match cut(write.text):
        case Cut((Block() as block,), prose) if not prose.strip():
            if write.text.lstrip().startswith(("```", "~~~")):
                return write._replace(text=block.text)
    return write


def _without_label(text: str, path: str) -> str:
    """Without a label that stands on the first line of the block instead of behind its fence."""
    first, _, rest = text.partition("\n")
    family = languages.family_of_label(first)
    return rest if family and family == family_of_path(path) and family not in NOT_CODE else text
