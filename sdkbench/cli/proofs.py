"""What a person sees of proofs: while they are made, and what is missing at the end."""

import threading
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import harmless, plain_table
from sdkbench.cli.progress import SHOWN_AT_ONCE, LiveDisplay
from sdkbench.sandbox import Level
from sdkbench.validation import SampleProof


class ProofDisplay(LiveDisplay):
    """Draws on stderr; a line for each sample where that is no terminal; silent with `quiet`."""

    def __init__(self, level: Level, total: int, *, quiet: bool) -> None:
        self.finished_proofs: list[SampleProof] = []
        self._total = total
        self._lock = threading.Lock()
        self._running: dict[str, str] = {}
        super().__init__(level, quiet=quiet)

    def began(self, sample: str, what: str) -> None:
        with self._lock:
            self._running[sample] = what

    def finished(self, proof: SampleProof) -> None:
        with self._lock:
            self._running.pop(proof.sample, None)
            self.finished_proofs.append(proof)
            done = len(self.finished_proofs)
        self.say(f"[{done}/{self._total}] {proof.sample}: {told(proof)}")

    def say(self, text: str) -> None:
        if not self._quiet:
            self._err.print(harmless(text), markup=False)

    def _draw(self) -> RenderableType:
        with self._lock:
            done, running = len(self.finished_proofs), dict(self._running)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(f"{done}/{self._total}", ProgressBar(max(self._total, 1), done, width=30))
        lines = [Text(harmless(f"  {s}: {what}"), style="dim") for s, what in running.items()]
        return Group(bar, *lines[:SHOWN_AT_ONCE])


def told(proof: SampleProof) -> str:
    if proof.proven:
        return "proven"
    lacking = [check.name.value for check in proof.checks if not check.ok]
    return f"not proven: {', '.join(lacking)}"


def show_proofs(out: Console, proofs: Sequence[SampleProof], *, verbose: bool) -> None:
    out.print(_rows(proofs))
    for proof in proofs:
        lines = [*_missing(proof), *_level(proof), *(_remarks(proof) if verbose else ())]
        if lines:
            out.print(f"\n{proof.sample}", style="bold")
            for line in lines:
                out.print(harmless(line), soft_wrap=True)
    proven = sum(proof.proven for proof in proofs)
    seconds = sum(proof.seconds for proof in proofs)
    out.print(f"\n{proven} of {len(proofs)} samples are proven; {seconds:.0f} s of work.")


def _rows(proofs: Sequence[SampleProof]) -> Table:
    """At most 80 columns, if the names of samples are no longer than 40."""
    table = plain_table()
    table.add_column("sample", overflow="fold")
    table.add_column("level", no_wrap=True)
    for figure in ("mutants", "seconds"):
        table.add_column(figure, justify="right", no_wrap=True)
    table.add_column("proven", no_wrap=True)
    for proof in proofs:
        score = proof.mutation.percent if proof.mutation else None
        gaps = sum(len(check.gaps) for check in proof.checks)
        style = "green" if proof.proven else "red"
        table.add_row(
            Text(harmless(proof.sample.rpartition("/")[2])),
            Text(str(proof.assurance or "")),
            "" if score is None else f"{score:.0f} %",
            f"{proof.seconds:.0f}",
            Text("yes" if proof.proven else f"no, {gaps} missing", style=style),
        )
    return table


def _missing(proof: SampleProof) -> list[str]:
    lines = []
    for check in proof.checks:
        for gap in check.gaps:
            lines += [f"  {check.name}: {gap.place}", f"    {gap.what}", f"    → {gap.todo}"]
    return lines


def _level(proof: SampleProof) -> list[str]:
    """Where tests and solution share a process: never in silence."""
    if not proof.why_not_apart:
        return []
    return [f"  level {proof.assurance}, not apart: {proof.why_not_apart}"]


def _remarks(proof: SampleProof) -> list[str]:
    lines = [f"  not tried: {what}" for check in proof.checks for what in check.not_tried]
    score = proof.mutation
    if score is None:
        return lines
    lines.append(
        f"  mutants: {score.killed} noticed, {len(score.survivors)} survived, "
        f"{score.unbuildable} did not build"
    )
    for one in score.survivors:
        why = f"explained: {one.reason}" if one.reason else "not explained"
        lines.append(f"    {one.path}:{one.line} {one.operator}: {one.after} ({why})")
    return lines
