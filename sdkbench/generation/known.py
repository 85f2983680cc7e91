"""Solutions that are there already: the starter, the reference, a folder of recorded ones."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from sdkbench.backends import Answer
from sdkbench.backends.blocking import finish
from sdkbench.core import fingerprints, tree
from sdkbench.core.tree import snapshot
from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.generation.files import File, make_new_folder, write_solution
from sdkbench.generation.generator import Source
from sdkbench.generation.solution import GeneratedSolution, Refusal
from sdkbench.generation.text import take_answer

ANSWER_ENDINGS = (".md", ".txt")


class KnownSolutions:
    """Copies the folder that `find` gives; a file instead of a folder is a recorded answer.

    `trusted` folders are the sample's own: everything in them but the metadata is taken.
    """

    def __init__(self, name: str, find: Callable[[Sample], Path], *, trusted: bool) -> None:
        self.name = name
        self.at_once: int | None = None
        self._find = find
        self._trusted = trusted

    def source(self, sample: Sample) -> Source:
        try:
            source = self._find(sample)
            if source.is_file():
                return Source(answer=hashlib.sha256(source.read_bytes()).hexdigest())
            return Source(answer=fingerprints.of_path(source) if source.is_dir() else "")
        except (InputError, OSError):
            return Source()

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution:
        return await finish(lambda: self._write(sample, into))

    async def close(self) -> None:
        pass

    def _write(self, sample: Sample, into: Path) -> GeneratedSolution:
        source = self._find(sample)
        if source.is_file():
            return self._answered(sample, source, into)
        return self._copied(sample, source, into)

    def _copied(self, sample: Sample, source: Path, into: Path) -> GeneratedSolution:
        """The folder as it is: what isn't in it was not in the solution either."""
        solution = GeneratedSolution(folder=into, sample_id=sample.id, model=self.name)
        if self._trusted:
            make_new_folder(into)
            if source.is_dir():
                snapshot(source, into)
            (into / "metadata.json").unlink(missing_ok=True)
            return solution
        files = {
            tree.shown(path.relative_to(source)): File(path.read_bytes(), _is_executable(path))
            for path in tree.files(source)
        }
        links = tuple(
            Refusal(path=tree.shown(link), reason="a link out of the folder")
            for link in tree.escaping_links(source)
        )
        return write_solution(None, files, solution.model_copy(update={"refusals": links}))

    def _answered(self, sample: Sample, source: Path, into: Path) -> GeneratedSolution:
        try:
            text = source.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The recorded answer {source} cannot be read: {error}.") from error
        begun = GeneratedSolution(folder=into, sample_id=sample.id, model=self.name)
        return take_answer(sample, Answer(text=text), begun)


def replayed_solutions(name: str, folder: Path) -> KnownSolutions:
    """`folder` holds ID/ or SDK/ID/ with a solution's files, or ID.md with a whole answer."""

    def find(sample: Sample) -> Path:
        places = [folder / sample.id, folder / sample.sdk / sample.id]
        answers = [Path(f"{place}{ending}") for place in places for ending in ANSWER_ENDINGS]
        for place in places:
            if place.is_dir():
                return place
        for answer in answers:
            if answer.is_file():
                return answer
        raise InputError(
            f"{name} has nothing for {sample.id}: neither {sample.id}/ nor "
            f"{sample.sdk}/{sample.id}/ nor {sample.id}.md in {folder}."
        )

    return KnownSolutions(name, find, trusted=False)


def _is_executable(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o100)
