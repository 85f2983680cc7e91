"""Actions in their order → one text for each path: the last whole one wins, edits are applied."""

from collections.abc import Iterable, Mapping

from sdkbench.generation.answers import manifests, patches
from sdkbench.generation.answers.languages import family_of_path
from sdkbench.generation.answers.proposal import (
    Action,
    Edit,
    Problem,
    Proposal,
    Remove,
    Strength,
    Write,
)
from sdkbench.generation.answers.wholeness import (
    has_code,
    is_elided,
    is_whole,
    names_defined,
)


class Composition:
    """Takes actions one by one; `proposal` is what they come to over the starter."""

    def __init__(self, starter: Mapping[str, str], *, truncated: bool) -> None:
        self._starter = starter
        self._truncated = truncated
        self._files: dict[str, str | None] = {}
        self._strengths: dict[str, Strength] = {}
        self._problems: list[Problem] = []
        self._cut_off = False

    @property
    def files(self) -> Mapping[str, str | None]:
        return self._files

    def take_all(self, actions: Iterable[Action]) -> None:
        for action in actions:
            if isinstance(action, Write):
                self._write(action)
            elif isinstance(action, Edit):
                self._edit(action)
            else:
                self._remove(action)

    def problem(self, path: str, reason: str) -> None:
        self._problems.append(Problem(path, reason))

    def cut_off(self) -> None:
        self._cut_off = True

    def proposal(self) -> Proposal:
        return Proposal(dict(self._files), tuple(self._problems), self._cut_off)

    def _write(self, write: Write) -> None:
        path, family = write.path, family_of_path(write.path)
        if not write.closed and (self._truncated or not is_whole(family, write.text)):
            self.cut_off()
            self.problem(path, "the answer ends in the middle of this file")
            return
        before = self._files.get(path)
        if before is not None and write.continued:
            self._files[path] = before + write.text
            return
        if before is not None:
            weaker = write.strength < self._strengths[path]
            if weaker or _is_part(write.text, before, family) or self._loses(write, before):
                self.problem(path, "shown again in part; the whole text is kept")
                return
        elif self._is_fragment(write, family):
            self.problem(
                path, "only a part of the file is shown, with no way to tell where it goes"
            )
            return
        merged = manifests.with_the_rest(path, write.text, self._starter.get(path))
        self._files[path] = write.text if merged is None else merged
        self._strengths[path] = write.strength

    def _is_fragment(self, write: Write, family: str | None) -> bool:
        """Whether the text can't be the file, whatever its author calls it."""
        if family == "json" and not write.text.lstrip().startswith(("{", "[", "/")):
            return True  # `"dependencies": {…}` is balanced, and no file
        known = self._starter.get(write.path)
        whole = is_whole(family, write.text)
        if known is None:
            # Only of these it is certain that they aren't whole.
            return write.strength < Strength.NAMED and not whole and family in {"python", "json"}
        if write.strength < Strength.NAMED:
            return _is_part(write.text, known, family)
        if not has_code(family, write.text) and has_code(family, known):
            return True  # `// no changes`
        if manifests.is_part(write.path, write.text, known):
            return True
        if not is_elided(family, write.text):
            return False  # wrong as it may be, it is what the model wrote
        return not whole or not _covers(write.text, known, family)

    def _loses(self, write: Write, before: str) -> bool:
        """Whether a much shorter text lacks what the starter asks for and the one before has."""
        family = family_of_path(write.path)
        wanted = names_defined(family, self._starter.get(write.path, ""))
        return (
            len(write.text) < len(before) / 2
            and wanted <= names_defined(family, before)
            and not wanted <= names_defined(family, write.text)
        )

    def _edit(self, edit: Edit) -> None:
        before = (
            self._files[edit.path] if edit.path in self._files else self._starter.get(edit.path)
        )
        after = patches.apply(edit.changes, before)
        if after is None:
            self.problem(edit.path, "the edit does not fit the text of the file")
            return
        self._files[edit.path] = after
        self._strengths[edit.path] = Strength.NAMED

    def _remove(self, remove: Remove) -> None:
        self._files[remove.path] = None
        self._strengths[remove.path] = Strength.NAMED


def _is_part(text: str, whole: str, family: str | None) -> bool:
    """Whether `text` repeats some of `whole` rather than replacing it."""
    if is_elided(family, text) or not has_code(family, text) or _is_excerpt(text, whole):
        return True
    if _covers(text, whole, family):
        return False
    if family == "json" and not manifests.shares_keys(text, whole):
        return True  # what a server answers, say
    if not is_whole(family, text) and is_whole(family, whole):
        return True
    defined = names_defined(family, whole)
    return bool(defined) and not defined & names_defined(family, text)


def _is_excerpt(text: str, whole: str) -> bool:
    """Whether `text` is some lines of `whole`, however they are indented; but not all of them."""
    part, lines = (
        "\n".join(line.strip() for line in each.split("\n") if line.strip())
        for each in (text, whole)
    )
    return len(part) < len(lines) and f"\n{part}\n" in f"\n{lines}\n"


def _covers(text: str, whole: str, family: str | None) -> bool:
    """Whether all that `whole` defines is in `text`; False where it defines nothing."""
    defined = names_defined(family, whole)
    return bool(defined) and defined <= names_defined(family, text)
