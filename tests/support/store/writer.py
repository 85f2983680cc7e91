"""A process of its own that stores attempts: writer.py URL RUN FIRST COUNT.

Says `saved KEY` for each attempt once the store has taken it, with what came back.
"""

import sys

from sdkbench.store import open_store
from tests.support.store.builder import FILES, attempt


def main() -> None:
    url, run_id, first, count = sys.argv[1:]
    with open_store(url) as store:
        for number in range(int(first), int(first) + int(count)):
            made = attempt(number)
            new = store.save_attempt(run_id, made, FILES)
            print("saved" if new else "had", made.key, flush=True)


if __name__ == "__main__":
    main()
