"""Results → formats for machines and people."""

from sdkbench.report.attempts import write_csv, write_jsonl, write_parquet
from sdkbench.report.f_corr import Summary, single_json, suite_json, summarise
from sdkbench.report.shell import ShellReport, shell_json, shell_report, shell_schema
