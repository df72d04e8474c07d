# Each target works as the first command on a fresh clone; all of them build the
# virtual environment when it is missing or when the package's metadata changed, and
# the compiled modules when their sources changed.
#
#   make install   a virtual environment with everything
#   make demo      30 labels and unlabelled rows, then discretizers, on bundled data;
#                  installs no Qt and no tools
#   make test      lint, then every test, with the coverage of the core
#   make canvas    Orange with the add-on (needs a screen)
#   make docs      the manual, in doc/_build/html, and the pages that F1 opens
#   make dist      source distribution and wheel for this machine, in dist
#   make bench     speed against other libraries, one run
#   make lint      ruff, mypy, and the layers of imports
#   make help      this text
#
#   QT=PyQt6         another Qt than PyQt5
#   ORANGE=3.38.1    another Orange than the newest; ORANGE=oldest takes the oldest
#                    of every requirement, from .ci/oldest.txt, ORANGE=master the
#                    development version, which is compiled
#   SUDO=sudo        how to install system packages, if you are not root
#   ANY=1            a newer Python than those in pyproject.toml
#   ARGS="-k iris"   what else to pass to pytest, the demo, the canvas, or the scripts
#
# Each combination of QT and ORANGE has a virtual environment of its own.

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
QT ?= PyQt5
ORANGE ?=
ARGS ?=
ANY ?=
SUDO ?=

VENV := .venv$(if $(filter-out PyQt5,$(QT)),-$(QT))$(if $(ORANGE),-orange$(ORANGE))
BIN := $(VENV)/bin
BASE := $(VENV)/.base
STAMP := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
PAGES := $(filter-out %/__init__.py,$(wildcard orangecontrib/sadd/core/*/_*.py))
# A missing compiler is reported by the rule for COMPILED, in one sentence
PIP := env -u SADD_REQUIRE_COMPILED $(BIN)/python -m pip install --quiet \
    --disable-pip-version-check

EXTRA-PyQt5 := gui
EXTRA-PyQt6 := pyqt6
EXTRA := $(or $(EXTRA-$(QT)),$(error QT is PyQt5 or PyQt6, not $(QT)))

ifeq ($(ORANGE),oldest)
PIN := -c .ci/oldest.txt
else ifeq ($(ORANGE),master)
PIN := 'Orange3 @ git+https://github.com/biolab/orange3'
else ifneq ($(ORANGE),)
PIN := Orange3==$(ORANGE)
endif

# AnyQt takes the Qt named in QT_API. Without a screen Qt draws offscreen; Chromium's
# sandbox, inside QtWebEngine, does not start for root, as in a container.
export QT_API := $(shell echo $(QT) | tr A-Z a-z)
OFFSCREEN := QT_QPA_PLATFORM=offscreen QTWEBENGINE_DISABLE_SANDBOX=1
# Two test processes share two cores, so libraries use a single thread in each
TESTING := $(OFFSCREEN) ORANGE_DEPRECATIONS_ERROR=1 OMP_NUM_THREADS=1

.DEFAULT_GOAL := help
.PHONY: help install qt test demo canvas lint bench docs dist

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

install: $(STAMP) $(COMPILED)

# The environment is made again only if its pip does not run; a stamp is written last,
# so an interrupted install is resumed.
$(BASE): pyproject.toml setup.py .ci/oldest.txt
	@$(PYTHON) .ci/check-python $(if $(ANY),--any)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || \
	    { echo "Installing Orange into $(VENV), which takes some minutes"; \
	      $(PYTHON) -m venv --clear $(VENV); }
	@$(PIP) --editable '.[build]' $(PIN)
	@touch $@

$(STAMP): $(BASE)
	@echo "Installing Qt and the tools for tests and the manual into $(VENV)"
	@$(PIP) --editable '.[$(EXTRA),test,doc]' $(PIN)
	@touch $@

# Without a compiler, all but the tests go on with the interpreted modules.
$(COMPILED): $(BASE) setup.py $(PAGES)
	@if $(SUDO) .ci/system-packages compiler $(BIN)/python; then \
	    $(BIN)/python setup.py -q build_ext --inplace && touch $@; \
	else [ -z "$$SADD_REQUIRE_COMPILED" ]; fi

# The system libraries of Qt, which no wheel brings
qt: $(STAMP)
	@$(SUDO) env QT_API=$(QT_API) .ci/system-packages qt $(BIN)/python

lint: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

# The compiled modules are also tested interpreted, on small data, so that coverage
# counts their lines.
test: export SADD_REQUIRE_COMPILED := 1
test: $(COMPILED) qt lint
ifeq ($(ARGS),)
	SADD_INTERPRETED=1 $(TESTING) $(BIN)/python -m pytest -q -n 2 --dist worksteal \
	    -m interpreted --cov --cov-report= tests/core
	$(TESTING) $(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-append \
	    --cov-fail-under=98
else
	$(TESTING) $(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)
endif

# Orange imports Qt if QT_API names one
demo: $(BASE) $(COMPILED)
	@env -u QT_API $(BIN)/python -m orangecontrib.sadd demo $(ARGS)

canvas: qt $(COMPILED)
	@if [ "$$(uname)" = Linux ] && \
	    [ -z "$$DISPLAY$$WAYLAND_DISPLAY$$QT_QPA_PLATFORM" ]; then \
	    echo "make canvas opens a window, and there is no screen here." >&2; exit 1; \
	fi
	$(BIN)/python -m Orange.canvas $(ARGS)

docs: qt $(COMPILED)
	$(BIN)/python doc/help.py
	rm -rf doc/_build/html
	$(OFFSCREEN) $(BIN)/python -m sphinx -q -E -W --keep-going -d doc/_build/doctrees \
	    -b html doc doc/_build/html

# The environment has what a build needs, so none is made, and no network is used.
# Metadata that a build leaves here would hide those of the installation.
dist: export SADD_REQUIRE_COMPILED := 1
dist: $(COMPILED) $(STAMP)
	rm -rf build dist
	$(BIN)/python -m build --no-isolation
	rm -rf build Orange3_SADD.egg-info
	$(BIN)/python -m twine check --strict dist/*

bench: $(STAMP) $(COMPILED)
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do \
	    echo "== $$script"; $(BIN)/python $$script $(ARGS); done
