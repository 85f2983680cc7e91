"""Feed every reader of what strangers write with texts that are nearly right, for some minutes.

Usage: python -m scripts.fuzz_readers [--minutes 10] [--reader NAME] [--seed N]
Prints how many texts each reader was given, what it raised and what took it long. Exits with 1 if
anything was found; the text is then kept in the folder that is named.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.support.readers.fuzz import READERS, Reader, fed
from tests.support.readers.seeds import mutated

ROUND = 50  # texts for one reader before it is the next one's turn
SLOW_SECONDS = 5.0  # of processor time: somewhere it takes the square of the size


class Found(NamedTuple):
    reader: str
    what: str
    data: bytes


def feed(reader: Reader, chance: random.Random) -> Found | None:
    data = mutated(chance.choice(reader.seeds), chance)
    began = time.process_time()
    try:
        fed(reader, data)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        place = traceback.extract_tb(error.__traceback__)[-1]
        name = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        return Found(reader.name, f"{name}: {str(error)[:80]}", data)
    seconds = time.process_time() - began
    if seconds > SLOW_SECONDS:
        return Found(reader.name, f"{seconds:.0f} s for {len(data):,} bytes", data)
    return None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--reader", choices=[reader.name for reader in READERS])
    parser.add_argument("--seed", type=int, default=time.time_ns())
    wanted = parser.parse_args()
    readers = [reader for reader in READERS if wanted.reader in {None, reader.name}]
    chance = random.Random(wanted.seed)  # noqa: S311 - to be repeated, not to be secret
    texts: Counter[str] = Counter()
    found: dict[tuple[str, str], Found] = {}
    tell(f"seed {wanted.seed}, {len(readers)} readers, {wanted.minutes:g} minutes")
    end = time.monotonic() + 60 * wanted.minutes
    while time.monotonic() < end:
        for reader in readers:
            for _ in range(ROUND):
                one = feed(reader, chance)
                texts[reader.name] += 1
                if one is not None:
                    found.setdefault((one.reader, one.what.partition(":")[0]), one)
    report(texts, list(found.values()))
    return 1 if found else 0


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def report(texts: Counter[str], found: list[Found]) -> None:
    for name, count in texts.items():
        tell(f"{count:8,}  {name}")
    tell(f"{texts.total():8,}  texts in all, {len(found)} findings")
    folder = Path(tempfile.mkdtemp(prefix="sdkbench-fuzz-found-")) if found else Path()
    for number, one in enumerate(found):
        path = folder / f"{number}.bin"
        path.write_bytes(one.data)
        tell(f"{one.reader}: {one.what} ({path})")


if __name__ == "__main__":
    sys.exit(main())
