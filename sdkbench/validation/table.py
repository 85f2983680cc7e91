"""samples/README.md: every sample in one table, made from proofs."""

from collections.abc import Sequence

from sdkbench.validation.values import SampleProof

HEAD = """# Samples

Made by `sdkbench validate --table samples/README.md` (`make prove`), which proves each sample:
[how](../docs/how-to/write-a-sample.md). *Mutants* are the small mistakes in the reference that its
tests notice, of those that can be noticed.

| sample | task | type | difficulty | language | level | mutants | proven |
|---|---|---|---|---|---|---|---|
"""


def table_of(proofs: Sequence[SampleProof]) -> str:
    rows = [_row(proof) for proof in sorted(proofs, key=lambda proof: proof.sample)]
    percents = [p.mutation.percent for p in proofs if p.mutation and p.mutation.percent is not None]
    mean = f"{sum(percents) / len(percents):.0f} %" if percents else "n/a"
    proven = sum(proof.proven for proof in proofs)
    foot = (
        f"\n{len(proofs)} samples, {proven} of them proven; mutants noticed on average: {mean}.\n"
    )
    return HEAD + "".join(rows) + foot + _together(proofs)


def _together(proofs: Sequence[SampleProof]) -> str:
    """Why some are judged in one process with their tests."""
    lines = [
        f"- {proof.sample} ({proof.assurance}): {proof.why_not_apart}\n"
        for proof in sorted(proofs, key=lambda proof: proof.sample)
        if proof.why_not_apart
    ]
    head = "\n## Not judged apart from their tests\n\n"
    return head + "".join(lines) if lines else ""


def _row(proof: SampleProof) -> str:
    score = proof.mutation.percent if proof.mutation else None
    cells = (
        f"[{proof.sample}]({proof.sample})",
        proof.task_name.replace("|", "\\|"),
        str(proof.task_type or ""),
        proof.difficulty,
        proof.language or "",
        proof.assurance or "",
        "" if score is None else f"{score:.0f} %",
        "yes" if proof.proven else "no" if proof.checks else "not yet",
    )
    return f"| {' | '.join(cells)} |\n"
