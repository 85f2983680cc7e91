"""Results → formats for machines and people."""

from sdkbench.report.f_corr_json import single_json, suite_json
from sdkbench.report.summary import Summary, summarise

__all__ = ["Summary", "single_json", "suite_json", "summarise"]
