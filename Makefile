# One target for each habit. Every target that needs the tools makes them first.
PY := .venv/bin/python
READY := .venv/.ready
# Tests wait for limits and servers more than they compute: two more at once than there are cores.
TESTS_AT_ONCE = $(shell $(PY) -c 'import os; print((os.cpu_count() or 2) + 2)')

# Container images often set it, and then every process that a test starts compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

# What starts first, and on which worker, is said in tests/support/scheduling.py.
PYTEST = $(PY) -m pytest -n $(TESTS_AT_ONCE) -rs

.PHONY: help setup demo demo-all test test-all lint fmt unit unit-all selftest prove proofs bench versions clean

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: $(READY)  ## make .venv, install what is missing on the system

$(READY): pyproject.toml scripts/setup.sh scripts/versions.txt
	@sh scripts/setup.sh
	@touch $(READY)

demo: $(READY)   ## a first look, about a minute: references pass, unfinished starters fail
	.venv/bin/sdkbench run --model reference --model starter --sdk lancedb --sdk jose --sdk stripe \
		--dataset core --limit 6 --integrity checked
	@echo "That was a part of it. make demo-all judges every bundled sample, in five languages."

demo-all: $(READY) ## judge all bundled samples, in every language that this machine has
	@.venv/bin/sdkbench fcorr --sdk all --starters --integrity checked

# The linters run beside the tests, which wait more than they compute; their output comes after.
test: $(READY)   ## everything that must hold, in minutes
	@log=$$(mktemp); $(MAKE) --no-print-directory lint >"$$log" 2>&1 & lint=$$!; \
	$(MAKE) --no-print-directory unit; tests=$$?; \
	wait $$lint; lint=$$?; cat "$$log"; rm -f "$$log"; \
	[ $$tests = 0 ] && [ $$lint = 0 ]

test-all: lint unit-all selftest ## also what only repeats, and the whole attack corpus (nightly)

lint: $(READY)   ## ruff, mypy --strict, import-linter
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-cache

# Four at once on a busy machine, a test of limits or of killed processes can miss its moment. What
# fails runs once more, alone and in view of all; what fails twice is a failure.
unit: $(READY)   ## unit and integration tests of each day
	$(PYTEST) -m "not nightly" || { echo "Once more, alone, what failed above:"; \
		$(PY) -m pytest -x --last-failed --last-failed-no-failures none -m "not nightly"; }

unit-all: $(READY) ## all of them
	$(PYTEST)

selftest: $(READY) ## the whole attack corpus: no attack may pass, every honest solution must
	.venv/bin/sdkbench selftest --compare-starts

proofs: $(READY) ## prove the bundled samples' references, for the package (before a release)
	$(PY) -m scripts.ship_proofs

prove: $(READY)  ## prove every bundled sample, and write the table of them: samples/README.md
	.venv/bin/sdkbench validate samples --table samples/README.md

fmt: $(READY)    ## format and fix what can be fixed
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

bench: $(READY)  ## speed, as ratios taken side by side: benchmarks/RESULTS.md
	$(PY) -m benchmarks.all

versions: $(READY) ## write down the installed versions, once all tests pass with them
	@{ echo "# Made by make versions: what all tests passed with. Users are not bound by it."; \
		.venv/bin/uv pip freeze --exclude-editable --python $(PY); } >scripts/versions.txt

clean:           ## remove what setup made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
