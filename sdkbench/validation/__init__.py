"""One sample → proof that its tests tell right from wrong."""

from sdkbench.validation.prove import Progress, ProofSettings, prove_all, samples_below
from sdkbench.validation.table import table_of
from sdkbench.validation.values import Check, CheckName, Gap, MutationScore, SampleProof, Survivor
