"""Where samples and shell datasets are: in the working folder, or those we bring along."""

from pathlib import Path

HERE = Path(__file__).parent


def bundled_samples() -> Path:
    """Beside the package in a checkout, inside it in an installed wheel."""
    installed = HERE / "bundled"
    return installed if installed.is_dir() else HERE.parent.parent / "samples"


def default_samples_dir() -> Path:
    local = Path("samples")
    return local if local.is_dir() else bundled_samples()


def bundled_corpus() -> Path:
    """The corpus that `sdkbench selftest` runs."""
    installed = HERE / "bundled_corpus"
    return installed if installed.is_dir() else HERE.parent.parent / "corpus"


def bundled_shell() -> Path:
    """The folder of our own shell datasets and their fixtures."""
    installed = HERE / "bundled_shell"
    return installed if installed.is_dir() else HERE.parent.parent / "datasets" / "shell"
