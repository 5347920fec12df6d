PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOWEST := .venv-lowest
NEWEST := .venv-newest
# The newest interpreter on this machine; NEWEST_PYTHON=... names another one.
NEWEST_PYTHON ?= $(shell for minor in 14 13 12 11; do python3.$$minor -c "" 2>/dev/null && echo python3.$$minor && break; done)
NOTEBOOK := .venv-notebook
NODE := node_modules/.bin
NODE_READY := node_modules/.ready
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Tests start some fifty processes, each of which would compile all our modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help app wasm docs generate test test-core test-app test-browser test-all test-nojit test-lowest test-newest test-notebook lint types js lessons wheel-with-kernels bench screenshots release clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-19s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

app: $(READY)  ## set up and serve the app
	$(BIN)/streamlit run app.py

test: $(READY)  ## set up and run the tests, without the long ones
	$(PYTEST) -m "not slow"

test-core: $(READY)  ## the core's tests alone, and those of the benchmarks
	$(PYTEST) -m "not slow" tests/treecore tests/benchmarks

test-app: $(READY)  ## the app's tests, without a browser
	$(PYTEST) -m "not slow" tests/ui tests/pages

test-browser: $(READY)  ## the tests that drive a real browser
	$(PYTEST) -m "not slow" tests/browser

test-all: $(READY) docs test-nojit test-lowest test-newest test-notebook  ## all tests; properties are tried on examples drawn anew
	HYPOTHESIS_PROFILE=random $(PYTEST)

test-nojit: $(READY)  ## kernels in plain Python on small data, then compiled with all indices checked
	NUMBA_DISABLE_JIT=1 HYPOTHESIS_PROFILE=few $(PYTEST) -m "not slow and not jit" $(addprefix tests/treecore/,compiling core ensembles learners losses pruning rows)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" tests/treecore

test-lowest: $(READY)  ## the core's tests with every dependency at the lowest version declared
	$(BIN)/python -m tests.helpers.lowest > $(LOWEST).txt
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOWEST).txt -e ".[app,test]"
	NUMBA_CACHE_DIR=$(CURDIR)/$(LOWEST)/kernels $(LOWEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" tests/treecore

test-newest:  ## the core's tests with the newest Python that is here
	$(NEWEST_PYTHON) -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[app,test]"
	$(NEWEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" tests/treecore

test-notebook: $(READY)  ## the widget, in a real JupyterLab and in marimo
	$(PYTHON) -m venv $(NOTEBOOK)
	$(NOTEBOOK)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[app,notebook,test]"
	$(NOTEBOOK)/bin/python -m pip install --quiet --disable-pip-version-check jupyterlab marimo
	$(NOTEBOOK)/bin/python -m pytest tests/treecore/notebook tests/browser/test_notebook.py

lint: $(READY)  ## style, spelling, imports, and the lines of each folder
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python -m tests.helpers.budgets

types: $(READY)  ## types of what Python runs
	$(BIN)/mypy treecore ui pages docs/site app.py

js: $(NODE_READY)  ## types, style and tests of what the browser runs; needs Node.js
	$(NODE)/tsc
	$(NODE)/eslint treecore/viewer/js tests/js
	node --test tests/js/*.test.js

docs: $(READY)  ## the documentation as a site in docs/_build; a warning is an error
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	rm -rf docs/reference/generated
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --fresh-env --write-all -b html docs docs/_build

wasm: $(READY)  ## the kernels of pages that learn, anew for WebAssembly
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[wasm]"
	$(BIN)/python -m treecore.wasm.build

lessons: $(READY)  ## the lessons as pages in lessons/, which need no server or network, and as lessons.zip for course systems
	$(BIN)/python -m ui.learn.pages lessons

generate: $(READY)  ## the estimators of one method, anew from the registry of methods
	$(BIN)/python -m tests.helpers.method_estimators

# Compiled code is for one version of Python and one kind of system, which the wheel's name says.
wheel-with-kernels: $(READY)  ## a wheel in dist/ whose first fit compiles nothing
	$(BIN)/python -m treecore.training.shipping
	rm -rf build
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w dist . --config-settings=--build-option=--python-tag=$$($(BIN)/python -c 'import sys; print("cp%d%d" % sys.version_info[:2])') --config-settings=--build-option=--plat-name=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_"))')
	rm -rf build treecore/compiled

bench: $(READY)  ## measurements printed in the documentation
	$(BIN)/python -m benchmarks.inference
	$(BIN)/python -m benchmarks.load.chromium

screenshots: $(READY)  ## the pictures of README and documentation, from the running app
	$(BIN)/python -m tests.screenshots

release:  ## build what is published into dist/, check it in fresh environments, say how to publish it
	.ci/release

clean:  ## remove what these targets have made
	rm -rf $(VENV) treecore/compiled $(LOWEST) $(LOWEST).txt $(NEWEST) $(NOTEBOOK) node_modules build dist docs/_build docs/reference/generated *.egg-info

# The environment is made anew when what it is made from changes.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[app,lint,test]"
	touch $@

$(NODE_READY): package.json package-lock.json
	@command -v npm >/dev/null || { echo "make js needs Node.js 18.18 or newer, and npm."; exit 1; }
	npm ci --silent
	touch $@
