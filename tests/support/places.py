"""Where the repository's parts are: tests compute no path from their own place."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
CORPUS = ROOT / "corpus"
DATA = ROOT / "tests" / "data"
SHELL_DATA = DATA / "shell"
# The bundled shell cases.
CORE = ROOT / "datasets" / "shell" / "core.toml"
# One cache for all integration tests, kept between runs.
CACHE = ROOT / ".sdkbench" / "test-cache"
