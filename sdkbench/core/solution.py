"""Solution: a folder of generated code, of whatever language."""

from functools import cached_property
from pathlib import Path

from sdkbench.core import fingerprints, tree
from sdkbench.core.arguments import AnyPath, public_methods
from sdkbench.errors import InputError

# Text past this size is data or junk; it is still judged, only not shown to readers of `files`.
MAX_LINKS_TOLD = 20
MAX_TEXT_BYTES = 2 * 1024 * 1024


@public_methods
class Solution:
    """The text files of `solution_dir`, vendored folders left out, links never followed out.

    Raises InputError if the folder is missing, is a file, cannot be read, is empty or is too big.
    """

    def __init__(self, solution_dir: AnyPath) -> None:
        self.solution_dir = tree.folder(Path(solution_dir), what="The solution folder")
        self.paths = tuple(
            path.relative_to(self.solution_dir) for path in tree.files(self.solution_dir)
        )
        if not self.paths:
            raise InputError(
                f"The solution folder is empty: {solution_dir}. Nothing in it can be judged "
                "(vendored folders such as node_modules and .venv don't count)."
            )
        self._refuse_too_big()

    @cached_property
    def files(self) -> dict[str, str]:
        """Relative POSIX path → text, for every file that is UTF-8 text of a sane size."""
        texts = {}
        for path in self.paths:
            text = self._text(path)
            if text is not None:
                texts[path.as_posix()] = text
        return texts

    @cached_property
    def digest(self) -> str:
        return fingerprints.of_path(self.solution_dir)

    @cached_property
    def left_out(self) -> list[str]:
        """A sentence for each thing in the folder that is not judged."""
        folders = tree.vendored_folders(self.solution_dir)
        links = tree.escaping_links(self.solution_dir)
        return [
            f"{name}/ is ignored: dependencies and builds are made anew" for name in folders
        ] + [
            f"the link {tree.shown(link)} is ignored: it leads nowhere inside the folder"
            for link in links[:MAX_LINKS_TOLD]
        ]

    def has_file(self, relative: AnyPath) -> bool:
        return Path(relative) in set(self.paths)

    def _text(self, path: Path) -> str | None:
        full = self.solution_dir / path
        if full.stat().st_size > MAX_TEXT_BYTES:
            return None
        data = full.read_bytes()
        if b"\0" in data:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _refuse_too_big(self) -> None:
        total = 0
        for path in self.paths:
            size = (self.solution_dir / path).stat().st_size
            total += size
            if total > tree.MAX_BYTES:
                raise InputError(
                    f"The solution folder is larger than {tree.MAX_BYTES // 2**20} MiB: "
                    f"{self.solution_dir} ({path} alone has {size / 2**20:,.0f} MiB). "
                    "Remove what is not source code."
                )
