"""Runs in a Harbor verifier: writes the reward of a verdict.

Without a verdict there is no reward, and the trial has an error.
"""

import json
import sys
from pathlib import Path

LOGS = Path("/logs/verifier")


def main() -> None:
    verdict = json.loads((LOGS / "verdict.json").read_text())
    if verdict["outcome"] not in {"passed", "failed", "invalid"}:
        sys.exit(f"no verdict: {verdict.get('error')}")
    (LOGS / "reward.txt").write_text(str(verdict["score"] / 100))
    sys.stdout.write(f"{verdict['outcome']} {verdict.get('error') or ''}\n")


if __name__ == "__main__":
    main()
