"""Write the JSON Schema of every machine output to docs/reference/schemas.

Usage: python -m scripts.write_schemas
Files that belong to no output any more are removed.
"""

import sys
from pathlib import Path

from sdkbench.report.schemas import schema_files

FOLDER = Path(__file__).parent.parent / "docs" / "reference" / "schemas"


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = schema_files()
    for path in FOLDER.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(wanted)} files in {FOLDER}")  # noqa: T201 - a script
    return 0


if __name__ == "__main__":
    sys.exit(main())
