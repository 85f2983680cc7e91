"""Samples per second for TypeScript, three ways side by side, as ratios taken in one run.

    naive  `npm install`, `tsc --noEmit` and `npm test` for every sample, npm's downloads warm
    cold   `sdkbench fcorr` on an empty cache: resolve, download, install, record, judge
    warm   `sdkbench fcorr` again

One sample at a time everywhere. Usage: python benchmarks/fcorr_node.py [--naive N]
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SDK = REPOSITORY / "samples" / "clerk"
PROGRAM = Path(sys.executable).parent / "sdkbench"
# Those whose build is a type check; `next build` would hide everything else.
SAMPLES = ("clerk_api_route_001", "clerk_middleware_001", "clerk_migration_001",
           "clerk_server_auth_001")  # fmt: skip
ROUNDS = 3  # of warm runs; the best counts, the machine is noisy


def run(words: list[str | Path], cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        check=False, capture_output=True, text=True, cwd=cwd, env={**os.environ, **env},
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"{words} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def naive(name: str, downloads: Path) -> float:
    """What a script does: a project folder with everything in it, installed and tested."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("expected", "tests"):
            shutil.copytree(SDK / name / part, root / part)
        shutil.copytree(SDK / "support", root / "support")
        shutil.copy(SDK / "vitest.config.mts", root)
        own = json.loads((SDK / name / "expected" / "package.json").read_text())
        tools = json.loads((SDK / "package.json").read_text())
        package = {
            "private": True,
            "scripts": {"test": "tsc --noEmit --skipLibCheck -p expected && vitest run"},
            "dependencies": own["dependencies"],
            "devDependencies": tools["devDependencies"],
        }
        (root / "package.json").write_text(json.dumps(package))
        began = time.perf_counter()
        run(["npm", "install", "--no-audit", "--no-fund"], root, npm_config_cache=str(downloads))
        run(["npm", "test"], root, CI="1")
        return time.perf_counter() - began


def ours(samples: Path, cache: Path) -> float:
    words: list[str | Path] = [PROGRAM, "fcorr", "--sdk", "clerk", "--samples-dir", samples]
    words += ["--integrity", "checked"]  # what twins cost is measured by fcorr_integrity.py
    began = time.perf_counter()
    output = run([*words, "--workers", "1", "--json"], samples, SDKBENCH_CACHE=str(cache))
    seconds = time.perf_counter() - began
    if json.loads(output)["summary"]["passed"] != len(SAMPLES):
        sys.exit(f"not all references passed: {output}")
    return seconds / len(SAMPLES)


def measure(naive_samples: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples"
        shutil.copytree(SDK, samples / "clerk")
        for path in (samples / "clerk").iterdir():
            if (path / "expected").is_dir() and path.name not in SAMPLES:
                shutil.rmtree(path)
        cache = Path(folder) / "cache"
        cold = ours(samples, cache)
        downloads = Path(folder) / "npm"
        naive(SAMPLES[0], downloads)  # fills npm's cache, which counts for it from here on
        slow, warm = [], []
        for number in range(max(naive_samples, ROUNDS)):
            if number < naive_samples:
                slow.append(naive(SAMPLES[number % len(SAMPLES)], downloads))
            if number < ROUNDS:
                warm.append(ours(samples, cache))
        return {"naive": statistics.mean(slow), "cold": cold, "warm": min(warm)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--naive", type=int, default=2, metavar="N", help="samples done naively")
    ways = measure(parser.parse_args().naive)
    print(f"{'way':6} {'s/sample':>9} {'samples/s':>10} {'vs naive':>9}")
    for name, seconds in ways.items():
        print(f"{name:6} {seconds:9.2f} {1 / seconds:10.3f} {ways['naive'] / seconds:8.1f}x")


if __name__ == "__main__":
    main()
