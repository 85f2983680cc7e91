"""Runs every benchmark and writes what it prints to benchmarks/RESULTS.md.

Usage: python -m benchmarks.all [--quick] [--only fcorr_python …]
"""

import argparse
import datetime as dt
import os
import platform
import subprocess
import sys
from pathlib import Path

from benchmarks.measuring import load

RESULTS = Path(__file__).parent / "RESULTS.md"
PARTS = {  # title → module, its words, and fewer of them for a quick look
    "Python: an attempt, a proof, a thousand attempts": (
        "fcorr_python", (), ("--rounds", "1", "--many", "1000", "--naive", "1"),
    ),
    "TypeScript": ("fcorr_node", (), ()),
    "An attempt against the bare test command": ("attempt_cpu", (), ("--rounds", "2")),
    "Which solutions start warm": ("warm_share", (), ("--each", "1")),
    "What a level costs": ("fcorr_integrity", (), ("--rounds", "2")),
    "Shell judges": ("shell_judges", (), ()),
    "Metrics that are read from code": ("code_metrics", (), ("--rounds", "1")),
    "The engine": ("run_engine", (), ()),
    "The judging service": (
        "serve_load", (), ("--clients", "50", "--judgements", "500"),
    ),
    "Reports": ("report_size", (), ("--attempts", "2000")),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    modules = [module for module, _, _ in PARTS.values()]
    parser.add_argument("--only", nargs="+", choices=modules, default=modules)
    wanted = parser.parse_args()
    quick = wanted.quick
    today = dt.datetime.now(tz=dt.UTC).date()
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    introduction = (
        f"Taken on {today} by `make bench`{' (quick)' if quick else ''}: {machine}, {load()} at "
        "the start. Medians, with the least and the most in brackets; ways that are compared took "
        "turns in one run."
    )
    lines = ["# Benchmarks", "", introduction]
    for title, (module, words, fewer) in PARTS.items():
        if module not in wanted.only:
            continue
        print(f"{title} …", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", f"benchmarks.{module}", *(fewer if quick else words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        output = done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr.strip()}"
        body = output if "\n|" in output else f"```\n{output}\n```"
        shown = " ".join(["python", *command[1:]])
        lines += ["", f"## {title}", "", f"`{shown}`", "", body]
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Written to {RESULTS}.")


if __name__ == "__main__":
    main()
