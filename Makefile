PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: app test test-all lint bench screenshots clean

app: $(READY)  ## set up and serve the app
	$(BIN)/streamlit run app.py

test: $(READY)  ## set up and run the tests, without the long ones
	$(BIN)/python -m pytest

test-all: $(READY)  ## all tests
	$(BIN)/python -m pytest -m ""

lint: $(READY)  ## style and imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: $(READY)  ## measurements printed in the README
	$(BIN)/python -m benchmarks.inference

screenshots: $(READY)  ## the README's pictures, from the running app
	$(BIN)/python tests/screenshots.py

clean:
	rm -rf $(VENV) build *.egg-info

# The environment is made anew when what it is made from changes.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[app,test]"
	touch $@
