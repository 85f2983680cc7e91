"""Files on disk → samples, and samples with a solution → projects to judge."""

from sdkbench.datasets.corpus import CorpusEntry, Kind, bundled_corpus, load_corpus
from sdkbench.datasets.layers import Variant, load_variants
from sdkbench.datasets.layout import Apart, lay_out, lay_out_apart, lay_out_folder, with_tests
from sdkbench.datasets.sample import (
    Sample,
    bundled_samples,
    bundled_shell,
    check_private_tests,
    default_samples_dir,
    find_sample,
    load_sample,
    load_sdk,
    sdk_names,
    with_private_tests,
)
