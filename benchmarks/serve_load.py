"""The judging service under load: many clients, many judgements, killed and started again midway.

Usage: python -m benchmarks.serve_load [--clients 200] [--judgements 5000] [--integrity checked]

Every solution is another one, but for one in ten, so that the judge can't answer from what it
knows. It fails unless every judgement that was accepted was answered exactly once, as it had to be.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import load
from sdkbench.client import AsyncClient, Judgement
from sdkbench.store import open_store
from tests.support.judging_service import RIGHT, SAMPLE, WRONG, ServiceProcess, write_samples

PATIENCE_SECONDS = 600.0
REPEATED = 10  # one in so many solutions was sent before
WRONG_ONES = 5  # one in so many is wrong
MB = 1e6


class Finished(NamedTuple):
    number: int
    judgement: Judgement
    accepted_seconds: float
    answered_seconds: float


class Report(NamedTuple):
    clients: int
    answered: int
    attempts: int
    open_at_kill: int
    seconds: float
    accepted: list[float]
    waited: list[float]
    peak_mb: tuple[float, float]  # before it was killed, and after
    problems: list[str]


def solution(number: int) -> tuple[str, bool]:
    """The `number`th, and whether it is right."""
    number -= number % REPEATED == REPEATED - 1
    right = number % WRONG_ONES != 0
    return f"# {number}\n{RIGHT if right else WRONG}", right


async def drive(url: str, numbers: Iterator[int], finished: list[Finished], clients: int) -> None:
    async def work() -> None:
        async with AsyncClient(url, patience_seconds=PATIENCE_SECONDS) as client:
            for number in numbers:
                code, _ = solution(number)
                began = time.monotonic()
                accepted = await client.submit(SAMPLE, files={"app.py": code})
                known = time.monotonic() - began
                judgement = await client.wait(accepted.id)
                finished.append(Finished(number, judgement, known, time.monotonic() - began))

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(work())


async def run(folder: Path, clients: int, judgements: int, integrity: str) -> Report:
    samples = write_samples(folder / "samples")
    words = ["--integrity", integrity, "--queue", str(2 * clients)]
    first = await asyncio.to_thread(ServiceProcess, folder, samples, words)
    try:
        async with AsyncClient(first.url, patience_seconds=PATIENCE_SECONDS) as client:
            await client.judge(SAMPLE, files={"app.py": f"# warm\n{RIGHT}"})
        finished: list[Finished] = []
        began = time.monotonic()
        driving = asyncio.create_task(drive(first.url, iter(range(judgements)), finished, clients))
        while len(finished) < judgements * 2 // 5 and not driving.done():
            await asyncio.wait({driving}, timeout=0.05)
        before = first.status("VmHWM") * 1024 / MB
    finally:
        await asyncio.to_thread(first.kill)
    with open_store(folder / ".sdkbench" / "store.db", write=False) as store:
        left = len(store.open_judgements("service"))
    print(f"killed after {len(finished)} answers, {left} open", file=sys.stderr, flush=True)
    second = await asyncio.to_thread(ServiceProcess, folder, samples, words, first.port)
    try:
        await driving
        seconds = time.monotonic() - began
        after = second.status("VmHWM") * 1024 / MB
        code = await asyncio.to_thread(second.end)
    finally:
        await asyncio.to_thread(second.kill)
    problems = [*checked(folder, finished, judgements), *([f"exit {code}"] if code else [])]
    attempts = len({each.judgement.key for each in finished})
    return Report(
        clients, len(finished), attempts, left, seconds,
        [each.accepted_seconds for each in finished],
        [each.answered_seconds for each in finished],
        (before, after), problems,
    )  # fmt: skip


def checked(folder: Path, finished: list[Finished], judgements: int) -> list[str]:
    """What is not as it must be: what clients got, and what the store holds."""
    problems = []
    numbers = Counter(each.number for each in finished)
    if sorted(numbers) != list(range(judgements)) or max(numbers.values()) > 1:
        problems.append("a judgement was answered to no client, or twice")
    ids = {each.judgement.id for each in finished}
    if len(ids) < judgements:
        problems.append(f"{judgements - len(ids)} judgements share an id")
    wrong = [
        each.number
        for each in finished
        if str(each.judgement.outcome) != ("passed" if solution(each.number)[1] else "failed")
    ]
    if wrong:
        problems.append(f"{len(wrong)} have another outcome, such as {wrong[:5]}")
    with open_store(folder / ".sdkbench" / "store.db", write=False) as store:
        if left := store.open_judgements("service"):
            problems.append(f"{len(left)} are open in the store")
        for each in finished:
            stored = store.judgement(each.judgement.id)
            if stored is None or stored.answered_at != each.judgement.answered_at:
                problems.append(f"{each.judgement.id} is answered otherwise in the store")
        attempts = Counter(attempt.key for attempt in store.attempts("service"))
        accepted = sum(1 for _ in _all_judgements(folder))
    if accepted != judgements + 1:  # and the one that warmed it
        problems.append(f"{accepted} judgements are in the store, not {judgements + 1}")
    if max(attempts.values()) > 1:
        problems.append("an attempt is stored twice")
    return problems


def _all_judgements(folder: Path) -> Iterator[str]:
    import sqlite3  # noqa: PLC0415 - the store has no use for a list of all

    with sqlite3.connect(folder / ".sdkbench" / "store.db") as connection:
        yield from (row[0] for row in connection.execute("SELECT id FROM judgements"))


def shown(report: Report) -> str:
    rate = report.answered / report.seconds
    told = (
        f"{report.clients} clients, {report.answered} judgements of {report.attempts} attempts, "
        f"killed with {report.open_at_kill} open: {report.seconds:.0f} s, {rate:.1f}/s, {load()}"
    )
    peaks = "{:.0f} MB before the kill, {:.0f} MB after".format(*report.peak_mb)
    lines = [
        told,
        "",
        "| from sending it | p50 | p95 | p99 | longest |",
        "|---|---|---|---|---|",
        f"| to 202 (on disk) | {_percentiles(report.accepted)} |",
        f"| to the answer | {_percentiles(report.waited)} |",
        "",
        f"Memory of the service at most: {peaks}.",
    ]
    return "\n".join(lines)


def _percentiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return " | ".join(f"{each:.2f} s" for each in (cuts[49], cuts[94], cuts[98], max(seconds)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--judgements", type=int, default=5000)
    parser.add_argument("--integrity", default="checked")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sdkbench-load-") as name:
        report = asyncio.run(run(Path(name), wanted.clients, wanted.judgements, wanted.integrity))
    print(shown(report))
    for problem in report.problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
