"""The smallest project that Node can test."""

import json

TEST = "import { test } from 'node:test'\ntest('passes', () => {})\n"


def package(**fields: object) -> str:
    return json.dumps({"name": "x", "type": "module", **fields})
