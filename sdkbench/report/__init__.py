"""Results → formats for machines and people."""

from sdkbench.report.attempt_files import write_csv, write_jsonl
from sdkbench.report.f_corr_json import single_json, suite_json
from sdkbench.report.parquet import write_parquet
from sdkbench.report.shell_json import ShellReport, shell_json, shell_report, shell_schema
from sdkbench.report.summary import Summary, summarise

__all__ = [
    "ShellReport",
    "Summary",
    "shell_json",
    "shell_report",
    "shell_schema",
    "single_json",
    "suite_json",
    "summarise",
    "write_csv",
    "write_jsonl",
    "write_parquet",
]
