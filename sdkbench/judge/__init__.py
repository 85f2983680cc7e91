"""One solution → one verdict: the pipeline, the reference, mutants, the verdict, the score."""
