"""Reports of 2,000 and 10,000 attempts: time, memory, size, and how soon a browser shows one.

    python -m benchmarks.report_size [--attempts N …] [--keep FOLDER]

Attempts are invented on the bundled samples and shell cases: own lines in every file, failures with
traces, an answer and an output of a few thousand characters each. Memory is that of the process
that writes the report; the first paint is Chromium's own measure, from an empty profile.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from sdkbench.store import open_store
from tests.support.store.invented import fill

MIB = 2**20
PAINTS = "performance.getEntriesByName('first-contentful-paint').map(each => each.startTime)"


def write(store: Path, output: Path) -> tuple[float, float, float]:
    """Seconds, CPU seconds and peak memory in MiB of `sdkbench report`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    words = ["report", "latest", "-o", str(output), "--store", str(store)]
    subprocess.run([sys.executable, "-m", "sdkbench", *words], check=True, capture_output=True)
    seconds = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, after.ru_maxrss / 1024


def paint(output: Path) -> tuple[float, float]:
    """Milliseconds to the first paint, and until the attempts can be used."""
    words = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=words)
        page = browser.new_page()
        page.goto(output.as_uri(), wait_until="commit")
        page.wait_for_selector("html[data-ready]")
        ready = page.evaluate("performance.now()")
        first = page.evaluate(PAINTS)[0]
        browser.close()
    return first, ready


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--attempts", type=int, nargs="+", default=[2_000, 10_000])
    parser.add_argument("--keep", type=Path, help="a folder for the reports")
    wanted = parser.parse_args()
    print("| attempts | written in | CPU | memory | size | first paint | attempts usable |")
    print("|---|---|---|---|---|---|---|")
    # In the order given: the peak of all children so far is that of the largest.
    for attempts in sorted(wanted.attempts):
        with tempfile.TemporaryDirectory() as folder:
            store, output = Path(folder, "store.db"), Path(folder, f"report-{attempts}.html")
            with open_store(store) as opened:
                fill(opened, attempts)
            seconds, used, memory = write(store, output)
            first, ready = paint(output)
            size = output.stat().st_size / MIB
            if wanted.keep:
                shutil.copy(output, wanted.keep)
        print(
            f"| {attempts:,} | {seconds:.1f} s | {used:.1f} s | {memory:.0f} MiB | {size:.1f} MiB "
            f"| {first:.0f} ms | {ready:.0f} ms |"
        )


if __name__ == "__main__":
    main()
