"""F-CORR results as JSON: one object for a folder, a summary with results for a suite."""

import json
from collections.abc import Sequence

from sdkbench.report.summary import summarise
from sdkbench.test_harness import FCorrResult


def single_json(result: FCorrResult) -> str:
    return result.model_dump_json(indent=2)


def suite_json(results: Sequence[FCorrResult]) -> str:
    document = {
        "summary": summarise(results).model_dump(mode="json"),
        "results": [result.model_dump(mode="json") for result in results],
    }
    return json.dumps(document, indent=2)
