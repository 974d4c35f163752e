# `make help` lists the targets. On a fresh machine with Python 3.11+, Node 20+ and make, each target
# installs what it needs, under this folder (.venv, node_modules, build); only Chromium, where it is
# missing, is asked of the system.

SHELL := /bin/bash -o pipefail
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The bundle is a target of its own here; the build hook of pyproject.toml need not build it again.
export SKIP_JUPYTER_BUILDER := 1

VENV := .venv
BIN := $(VENV)/bin
OTHER_PYTHONS := 3.12 3.13

BUNDLE := jupyter_mlprof/labextension/package.json
# As the build hook sees it: every file of labextension/, its tests too, is older than the bundle.
BUNDLE_SOURCES := package.json tsconfig.json \
  $(shell find labextension -type f -not -path "labextension/lib/*" 2>/dev/null)
INSTALLED_BUNDLE := share/jupyter/labextensions/jupyter-mlprof

.PHONY: help demo lab test test-all twins bench bench-panel bench-cells bench-trial lint lint-python lint-js test-js unit integration browser \
  bundle chromium format templates clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# ---- use

demo: $(VENV)/.demo ## profile the quickstart notebook; writes build/quickstart.ipynb and .html
	@mkdir -p build
	$(BIN)/jupyter mlprof run notebooks/quickstart.ipynb -o build/quickstart.ipynb
	$(BIN)/jupyter mlprof report build/quickstart.ipynb -o build/quickstart.html

lab: $(VENV)/.demo ## open the quickstart notebook in JupyterLab
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/quickstart.ipynb

bench: $(VENV)/.demo ## measure what the quickstart's fix gains: 5 interleaved pairs
	$(BIN)/python benchmarks/quickstart_fix.py

bench-panel: chromium $(VENV)/.test ## measure the panel: drawing, gaps in the live view, post-mortems of killed kernels
	$(BIN)/python benchmarks/panel_charts.py
	$(BIN)/python benchmarks/live_gap.py
	$(BIN)/python benchmarks/kills.py

bench-cells: $(VENV)/.test ## measure what profiling tells and costs: loading, known truths, 5,000 cells in a kernel
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/truth.py
	$(BIN)/python benchmarks/soak.py

bench-trial: $(VENV)/.test ## measure the verdicts of trials: changes of a known effect, each tried thirty times
	$(BIN)/python benchmarks/verdicts.py

# ---- test

test: lint test-js chromium $(VENV)/.test ## run every check: linters, types, unit, integration and browser tests
	@mkdir -p build
	$(BIN)/python -m pytest --cov --numprocesses 2 --dist loadfile

test-all: test $(OTHER_PYTHONS:%=kernel-%) ## run every check, and the unit and kernel tests on the other Pythons

twins: $(VENV)/.test ## run cells with and without us on three Pythons and two ipykernels; writes docs/twins.md
	$(BIN)/python -m tests.twins

lint: lint-python lint-js ## run the linters and type checkers

lint-python: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

lint-js: node_modules/.stamp
	npm run --silent lint:check
	npm run --silent types:check

test-js: node_modules/.stamp ## run the front end's unit tests
	npm test --silent

unit: $(VENV)/.test ## run the tests of single modules
	$(BIN)/python -m pytest tests/unit

integration: $(VENV)/.test ## run the tests with a real kernel, server and wheel
	$(BIN)/python -m pytest tests/integration

browser: chromium $(VENV)/.test ## run the tests in Chromium
	$(BIN)/python -m pytest tests/browser

kernel-%: $(VENV)-%/.installed
	@echo "Python $*: without torch (it is a CUDA build of several GB there), so without the tests that need it."
	$(VENV)-$*/bin/python -m pytest -m "not torch" tests/unit tests/integration \
	  --ignore tests/integration/test_wheel.py

format: $(VENV)/.test node_modules/.stamp ## let the formatters rewrite the sources
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	npm run lint

chromium:
	@tools/need-chromium

templates: $(VENV)/.demo ## write the chart templates of the side panel anew, from jupyter_mlprof/charts
	$(BIN)/python tools/chart_templates.py

clean: ## remove everything that was made here
	rm -rf build dist node_modules labextension/lib jupyter_mlprof/labextension .venv .venv-*

# ---- install

# What pyproject.toml builds with, read from there; the bundle needs its jupyter-builder on the PATH.
$(VENV)/.build: pyproject.toml
	@python=$$(tools/find-python 3.11 3.12 3.13 3) || \
	  { echo "jupyter_mlprof needs Python 3.11 or newer: install it, then run make again." >&2; exit 1; }; \
	test -x $(BIN)/python || "$$python" -m venv $(VENV)
	$(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $(VENV)/build.txt
	$(BIN)/python -m pip install --quiet -r $(VENV)/build.txt
	@touch $@

node_modules/.stamp: package.json package-lock.json
	@tools/need-node
	npm ci --ignore-scripts
	@touch $@

bundle: $(BUNDLE) ## build the JupyterLab extension
$(BUNDLE): $(BUNDLE_SOURCES) node_modules/.stamp | $(VENV)/.build
	PATH="$(abspath $(BIN)):$$PATH" npm run build:prod
	@touch $@

$(VENV)/.test: $(VENV)/.build $(BUNDLE)
	$(call install,test)
	@touch $(VENV)/.demo $@

$(VENV)/.demo: $(VENV)/.build $(BUNDLE)
	$(call install,demo)
	@touch $@

# An editable installation copies the bundle: the copy of an older build has files of other names, and goes first.
define install
@$(BIN)/python tools/torch_size.py
@rm -rf $(VENV)/$(INSTALLED_BUNDLE)
@echo "Installing jupyter_mlprof with what \`make $(1)\` needs into $(VENV) ..."
@$(BIN)/python -m pip install --quiet --editable ".[$(1)]"
endef

.PRECIOUS: $(VENV)-%/.installed
$(VENV)-%/.installed: pyproject.toml $(BUNDLE)
	@python=$$(tools/find-python $*) || \
	  { echo "make test-all needs Python $*: install it, then run make again." >&2; exit 1; }; \
	test -x $(VENV)-$*/bin/python || "$$python" -m venv $(VENV)-$*
	$(VENV)-$*/bin/python -m pip install --quiet --editable ".[kernel-test]"
	@touch $@
