# Needs Python 3.11 or newer with venv, git and make; everything else goes into .venv.
#   make demo [ONCE=1]   make test   make            (lint + test)

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
FAST   := not slow and not bench
SLOW   := (slow or law) and not bench
# As many processes as tests/parallel.py allows; each runs whole files.
SPREAD := -n auto --dist loadgroup --no-loadscope-reorder

# Compiled modules are kept, whatever the caller's environment says: each process of the tests would
# compile all of them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := check
.PHONY: check demo test test-slow lint format docs fixtures services bench clean

check: lint test

# Installed again only when what is to be installed has changed.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/shipledger demo $(if $(ONCE),--once)

# The tests use the public example payloads if they can be had, and say so if not.
test: $(STAMP)
	@command -v npm >/dev/null 2>&1 && $(MAKE) --no-print-directory fixtures || true
	$(BIN)/pytest $(SPREAD) -m "$(FAST)"

# Also tries the laws of the fast set again, on more examples.
test-slow: $(STAMP)
	SHIPLEDGER_TEST_PROFILE=full $(BIN)/pytest $(SPREAD) -m "$(SLOW) and not alone"
	$(BIN)/pytest -m alone

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The tables that are made from the code.
docs: $(STAMP)
	$(BIN)/python -m tests.docs_tables

fixtures: .cache/fixtures/.fetched

.cache/fixtures/.fetched: tests/fixtures/package.json tests/fixtures/fetch.sh
	sh tests/fixtures/fetch.sh
	@touch $@

services: $(STAMP)
	$(BIN)/python deploy/local/services.py start

bench: $(STAMP)
	$(BIN)/pytest -m bench -s tests/bench/bench_*.py

clean:
	rm -rf $(VENV) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
