"""Results → formats for machines and people."""

from sdkbench.report.attempts import ExportedAttempt, write_csv, write_jsonl, write_parquet
from sdkbench.report.command import command_difference, command_report
from sdkbench.report.comparison import RunComparison, compare_runs
from sdkbench.report.f_corr import Summary, single_json, suite_json, summarise
from sdkbench.report.gate import GateReport, GateRequest, gate_run
from sdkbench.report.json_text import json_text
from sdkbench.report.junit import junit_xml
from sdkbench.report.machine import cache_report, machine_report
from sdkbench.report.markdown import comparison_markdown, gate_markdown
from sdkbench.report.runs import RunFigures, listed_run
from sdkbench.report.sarif import sarif_json
from sdkbench.report.selftest import selftest_report
from sdkbench.report.shell import ShellReport, shell_json, shell_report, shell_schema
from sdkbench.report.source import RunSource, open_sources
