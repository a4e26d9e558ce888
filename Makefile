# Front door for developers. `make` alone lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip -qq --disable-pip-version-check
DOCS    = $(wildcard README.md docs/*.md docs/tutorials/*.md)

# Stamps, not directories: a step runs again only when pyproject.toml is newer, so a second run needs no network.
PACKAGE_STAMP := $(VENV)/.package
DEV_STAMP     := $(VENV)/.dev
BENCH_STAMP   := $(VENV)/.bench
DOCS_STAMP    := $(VENV)/.docs

# Modules are compiled once, not by every process a test starts.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo browser test check check-code check-examples docs format bench fuzz validate clean

help: ## list the targets
	@echo "adjudge: make <target>"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{printf "%-12s %s\n", $$1, $$2}'

setup: $(DEV_STAMP) ## create .venv with the package and the developer tools

demo: $(PACKAGE_STAMP) ## install the package alone, evaluate the bundled data, write adjudge-demo.html
	@$(BIN)/adjudge demo --html adjudge-demo.html

browser: ## look for a browser for the report tests; install chromium where that is possible
	@sh tools/install_browser.sh

test: setup browser ## run the tests on two processes
	@$(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder --quiet

check: setup ## format, lint, types, layers, doctests, documentation, sizes, metric docstrings
	@$(MAKE) --no-print-directory --jobs 2 check-code check-examples
	@echo "all checks passed"

check-code: setup
	@echo "format";             $(BIN)/ruff format --quiet --check . || { echo "run: make format"; exit 1; }
	@echo "lint";               $(BIN)/ruff check --quiet .
	@echo "types";              $(BIN)/mypy --strict --no-error-summary src
	@echo "names in bench";     out=$$($(BIN)/mypy --ignore-missing-imports --follow-imports=silent bench | grep -E '\[(attr-defined|call-arg|name-defined)\]') || true; test -z "$$out" || { echo "$$out"; exit 1; }
	@echo "layers";             out=$$($(BIN)/lint-imports --no-cache) || { echo "$$out"; exit 1; }
	@echo "sizes";              $(BIN)/python tools/size_report.py
	@echo "metric docstrings";  $(BIN)/python tools/check_docstrings.py
	@echo "metric pages";       $(BIN)/python tools/write_metric_pages.py --check
	@echo "tasks";              $(BIN)/python tools/write_tasks.py --check

check-examples: setup
	@echo "doctests";           $(BIN)/python -m pytest --quiet --no-header --doctest-modules src
	@echo "documentation";      $(BIN)/python tools/run_docs.py $(DOCS)

docs: $(DOCS_STAMP) ## build the site of the documentation into site/; a dead link stops it
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

format: setup ## rewrite the code in the house format
	@$(BIN)/ruff check --quiet --fix-only . ; $(BIN)/ruff format .

bench: $(BENCH_STAMP) ## compare speed and figures with other tools
	@$(BIN)/python -m bench

CASES ?= 5000
SEED  ?= 1
fuzz: setup ## run random cases over every task and door; CASES=5000 SEED=1; findings go to fuzz-findings/
	@$(BIN)/python -m tests.fuzz.run --cases $(CASES) --seed $(SEED)

validate: $(BENCH_STAMP) ## simulate the coverage of the intervals (long)
	@$(BIN)/python -m bench.coverage
	@$(BIN)/python -m bench.coverage_unseen
	@$(BIN)/python -m bench.coverage_regression
	@$(BIN)/python -m bench.coverage_scoring
	@$(BIN)/python -m bench.coverage_ranking
	@$(BIN)/python -m bench.gates
	@$(BIN)/python -m bench.adequacy
	@$(BIN)/python -m bench.coverage_uplift
	@$(BIN)/python -m bench.coverage_judged
	@$(BIN)/python -m bench.answers
	@$(BIN)/python -m bench.decisions
	@$(BIN)/python -m bench.diagnostic

clean: ## remove the environment, caches and build products
	rm -rf $(VENV) dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache adjudge-demo.html src/adjudge/report/runtime
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(PACKAGE_STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "adjudge needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." \
	       "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' has no venv module. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || { echo "creating $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing adjudge into $(VENV)"
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install --editable .
	@touch $@

$(DEV_STAMP): $(PACKAGE_STAMP)
	@echo "installing the developer tools into $(VENV)"
	@$(PIP) install --group dev --group clusters
	@touch $@

$(DOCS_STAMP): $(DEV_STAMP)
	@echo "installing what builds the site into $(VENV)"
	@$(PIP) install --group docs
	@touch $@

$(BENCH_STAMP): $(DEV_STAMP)
	@echo "installing the benchmark peers into $(VENV)"
	@$(PIP) install --group bench
	@touch $@
