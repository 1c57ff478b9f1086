# make demo   set everything up and run the main job on made-up data
# make test   set everything up and run all checks
# make fuzz   the property tests once more, with examples that are new each time
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test fuzz check bench clean setup

demo: setup
	$(BIN)/biombo demo --out demo

test: setup $(VENV)/.services $(VENV)/.spark check
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

fuzz: setup
	BIOMBO_EXAMPLES=fuzz $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal -m "not slow" tests

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/sweep.py

setup: $(VENV)/.installed

# Reinstalled when what is installed, or the kernel, changes; Python files are used where they are.
$(VENV)/.installed: pyproject.toml constraints.txt CMakeLists.txt $(wildcard kernel/*)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Biombo needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# Spark is large, and only its tests need it; what the extra asks for is installed without building the kernel again.
$(VENV)/.spark: $(VENV)/.installed
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["spark"], sep="\n")' > $@.txt
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet --requirement $@.txt
	touch $@

$(VENV)/.services: .ci/services
	.ci/services
	touch $@

clean:
	rm -rf $(VENV) build demo demo.private
