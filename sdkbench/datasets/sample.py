"""Sample: samples/<sdk>/<id>/ with input/, expected/ and tests/; and where the bundled ones are."""

import difflib
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import GroundTruth, tree
from sdkbench.errors import InputError, SampleError

HERE = Path(__file__).parent
# Not part of what is judged: what tools leave behind, and words for people.
SDK_FILE = "sdk.toml"  # for `sdkbench new sample`
NOT_SHARED = frozenset({"README.md", "LICENSE", "__pycache__", ".DS_Store", ".gitignore", SDK_FILE})


def bundled(name: str, checkout: str) -> Path:
    """What we bring along: inside the package in an installed wheel, else in the checkout."""
    installed = HERE / name
    return installed if installed.is_dir() else HERE.parent.parent / checkout


def bundled_samples() -> Path:
    return bundled("bundled", "samples")


def bundled_shell() -> Path:
    """The folder of our own shell datasets and their fixtures."""
    return bundled("bundled_shell", "datasets/shell")


def default_samples_dir() -> Path:
    local = Path("samples")
    return local if local.is_dir() else bundled_samples()


class Sample(NamedTuple):
    """A task on disk, checked to be whole.

    `private_tests`: a second set of tests, kept out of the published tree. `other_tests`: the tests
    that judge in place of its own ones.
    """

    root: Path
    ground_truth: GroundTruth
    private_tests: Path | None = None
    other_tests: Path | None = None

    @property
    def id(self) -> str:
        return self.ground_truth.metadata.sample_id

    @property
    def sdk(self) -> str:
        return self.ground_truth.metadata.sdk

    @property
    def starter_dir(self) -> Path:
        return self.root / "input"

    @property
    def reference_dir(self) -> Path:
        return self.root / "expected"

    @property
    def tests_dir(self) -> Path:
        return self.other_tests or self.root / "tests"

    def privately(self) -> "Sample | None":
        """The same task judged by its private tests, if it has some."""
        if self.private_tests is None:
            return None
        return self._replace(private_tests=None, other_tests=self.private_tests)

    @property
    def shared(self) -> tuple[Path, ...]:
        """What stands beside the samples of an SDK and is laid beside the tests."""
        return tuple(
            path
            for path in sorted(self.root.parent.iterdir())
            if path.name not in NOT_SHARED
            and path.name not in tree.VENDORED
            and not is_sample(path)
        )


def is_sample(path: Path) -> bool:
    return path.is_dir() and ((path / "expected").is_dir() or (path / "tests").is_dir())


def load_sample(path: Path) -> Sample:
    """The sample at `path`; InputError or SampleError says what is missing or wrong."""
    root = tree.folder(path, what="The sample folder")
    missing = [name for name in ("expected", "tests") if not (root / name).is_dir()]
    if missing:
        raise SampleError(
            f"{path} is not a sample: it has no {'/ and no '.join(missing)}/ folder. "
            "A sample holds input/, expected/ (with metadata.json) and tests/."
        )
    return Sample(root, GroundTruth(root / "expected" / "metadata.json"))


def sdk_names(samples_dir: Path) -> list[str]:
    root = tree.folder(samples_dir, what="The samples folder")
    return [
        path.name
        for path in sorted(root.iterdir())
        if path.is_dir() and any(is_sample(child) for child in path.iterdir())
    ]


def load_sdk(samples_dir: Path, sdk: str) -> list[Sample]:
    """All samples of `sdk` in order of their ids; "all" stands for every SDK."""
    known = sdk_names(samples_dir)
    if sdk != "all" and sdk not in known:
        close = difflib.get_close_matches(sdk, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        there = ", ".join(known) or "none"
        raise InputError(f"Unknown SDK {sdk!r}.{hint} In {samples_dir} there are: {there}.")
    wanted = known if sdk == "all" else [sdk]
    paths = [p for name in wanted for p in sorted((samples_dir / name).iterdir()) if is_sample(p)]
    return [load_sample(path) for path in paths]


def with_private_tests(sample: Sample, folder: Path | None) -> Sample:
    """The sample, judged by the tests in `folder`/<sdk>/<id>/ as well, if there are some."""
    tests = folder / sample.root.parent.name / sample.root.name if folder else None
    return sample._replace(private_tests=tests) if tests and tests.is_dir() else sample


def check_private_tests(folder: Path | None, samples_dir: Path) -> None:
    """InputError unless `folder` holds tests of samples, and of no others than there are."""
    if folder is None:
        return
    root = tree.folder(folder, what="The folder of private tests")
    named = sorted(p for p in root.glob("*/*") if p.is_dir() and p.name not in tree.VENDORED)
    if not named:
        raise InputError(f"{folder} holds no private tests. They stand in <sdk>/<sample>/ there.")
    for path in named:
        if not is_sample(samples_dir / path.relative_to(root)):
            raise InputError(
                f"{path} holds private tests of a sample that {samples_dir} does not have. "
                "Name the folder as the sample is named, or remove it."
            )


def find_sample(solution_dir: Path, samples_dir: Path) -> Sample:
    """The sample a solution answers: the one it lies in, or the one of its folder's name."""
    solution = tree.folder(solution_dir, what="The solution folder")
    if solution.name in {"input", "expected"} and (solution.parent / "tests").is_dir():
        return load_sample(solution.parent)
    root = tree.folder(samples_dir, what="The samples folder")
    matches = [p for p in sorted(root.glob("*/*")) if p.name == solution.name and is_sample(p)]
    if len(matches) == 1:
        return load_sample(matches[0])
    if matches:
        listed = ", ".join(str(m.relative_to(root)) for m in matches)
        raise InputError(
            f"Several samples are called {solution.name!r}: {listed}. Pass --for-sample."
        )
    raise InputError(
        f"No sample is called {solution.name!r} in {samples_dir}. "
        "Pass --for-sample PATH, or --samples-dir, or judge the folder on its own tests "
        "with --directory."
    )
