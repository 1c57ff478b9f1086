# make demo   install the program and run the main job on made-up data
# make portal install the portal and serve it with a made-up agency
# make test   install what the tests need too and run all checks
# make fuzz   the property tests once more, with examples that are new each time
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
# Two more than there are cores: tests of Spark and of the portal, of which four workers have one kind each, wait for
# other processes most of the time.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(max(4, min(8, len(os.sched_getaffinity(0)) + 2)))')
# Tests start hundreds of programs, each of which would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo portal test ready fuzz check bench clean setup

demo: $(VENV)/.program
	$(BIN)/biombo demo --out demo

portal: $(VENV)/.portal
	$(BIN)/biombo serve --demo --folder portal.private

test:
	$(MAKE) --jobs 2 ready
	$(BIN)/python tools/run_tests.py -n $(WORKERS) --dist worksteal --durations 0 --durations-min 3

ready: check $(VENV)/.services $(VENV)/.collected

fuzz: setup
	BIOMBO_EXAMPLES=fuzz $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" tests

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/sweep.py

setup: $(VENV)/.installed

# The program and what it needs. Reinstalled when that, or the kernel, changes; Python files are used where they are.
$(VENV)/.program: pyproject.toml constraints.txt CMakeLists.txt $(wildcard kernel/*)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Biombo needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet --editable .
	touch $@

# The portal is an extra.
$(VENV)/.portal: $(VENV)/.program
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet 'biombo[portal]'
	touch $@

# What tests and checks need besides: the program is there, so that its extras are installed without building it again.
$(VENV)/.installed: $(VENV)/.program
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet 'biombo[dev]'
	touch $@

# Spark is large, and only its tests need it.
$(VENV)/.spark: $(VENV)/.installed
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet 'biombo[spark]'
	$(BIN)/python tests/helpers/quick_java.py 2>/dev/null || echo 'Spark will start more slowly in tests: no archive of its classes could be made'
	touch $@

# Synthesis with differential privacy brings JAX, which is large too. It comes after Spark: two installations at once
# would be in each other's way.
$(VENV)/.synth: $(VENV)/.spark
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m pip install --quiet 'biombo[synth]'
	touch $@

# Compiles what all workers import: each would by itself, since they start at once.
$(VENV)/.collected: $(VENV)/.synth $(shell find src tests -name '*.py')
	$(BIN)/python -m pytest --collect-only -qq >$@.part || { cat $@.part; exit 1; }
	mv $@.part $@

$(VENV)/.services: .ci/services
	mkdir -p $(VENV)
	.ci/services
	touch $@

clean:
	rm -rf $(VENV) build demo demo.private portal.private
