# One target for each habit. Every target that needs the tools makes them first.
PY := .venv/bin/python
READY := .venv/.ready
# Tests wait for limits and servers more than they compute: two more at once than there are cores.
TESTS_AT_ONCE = $(shell $(PY) -c 'import os; print((os.cpu_count() or 2) + 2)')

.PHONY: help setup demo demo-all test lint fmt unit selftest bench clean

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: $(READY)  ## make .venv, install what is missing on the system

$(READY): pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh
	@touch $(READY)

demo: $(READY)   ## a first look, about a minute: references pass, unfinished starters fail
	.venv/bin/sdkbench run --model reference --model starter --sdk lancedb --sdk jose --sdk stripe \
		--dataset core --limit 20 --integrity checked
	@echo "That was a part of it. make demo-all judges every bundled sample, in five languages."

demo-all: $(READY) ## judge all bundled samples, in every language that this machine has
	@.venv/bin/sdkbench fcorr --sdk all --starters --integrity checked

test: lint unit  ## everything that must hold

lint: $(READY)   ## ruff, mypy --strict, import-linter
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-cache

unit: $(READY)   ## unit and integration tests
	$(PY) -m pytest -n $(TESTS_AT_ONCE) --dist worksteal -rs

selftest: $(READY) ## the whole attack corpus: no attack may pass, every honest solution must
	.venv/bin/sdkbench selftest

fmt: $(READY)    ## format and fix what can be fixed
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

bench: $(READY)  ## speed, as ratios taken side by side
	$(PY) benchmarks/fcorr_python.py
	$(PY) benchmarks/fcorr_node.py
	$(PY) benchmarks/fcorr_integrity.py
	$(PY) benchmarks/shell_judges.py
	$(PY) benchmarks/run_engine.py

clean:           ## remove what setup made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
