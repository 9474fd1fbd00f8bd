# The few verbs a person and the continuous integration both use. `make chat` and `make test` are each complete on
# a fresh checkout; a second run starts at once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The tests' own copy of the small model, so that they need neither the network nor the user's folder.
TEST_MODELS := .cache/models

.PHONY: chat test check bench clean
.DEFAULT_GOAL := chat

# One stamp per set of packages: `chat` needs no test tools.
$(VENV)/.run: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "localagent needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing packages into $(VENV) (once, some 700 MB; a few minutes) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . >&2
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' >&2
	@touch $@

$(TEST_MODELS)/.fetched: $(VENV)/.run
	@LOCALAGENT_HOME=.cache $(BIN)/localagent models pull smollm2 >&2
	@touch $@

chat: $(VENV)/.run
	@$(BIN)/localagent chat --yes $(ARGS)

# In two processes: some five to eight minutes on two cores.
test: $(VENV)/.dev $(TEST_MODELS)/.fetched
	@LOCALAGENT_TEST_MODELS=$(CURDIR)/$(TEST_MODELS) $(BIN)/python -m pytest -n 2 $(ARGS)

check: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest tests/test_architecture.py

bench: $(VENV)/.dev $(TEST_MODELS)/.fetched
	@$(BIN)/python -m benchmarks.startup
	@$(BIN)/python -m benchmarks.turn
	@$(BIN)/python -m benchmarks.steps
	@$(BIN)/python -m benchmarks.first_token
	@$(BIN)/python -m benchmarks.recall
	@$(BIN)/python -m benchmarks.classifier
	@LOCALAGENT_TEST_MODELS=$(CURDIR)/$(TEST_MODELS) $(BIN)/python -m benchmarks.dialogues
	@$(BIN)/python -m benchmarks.latency

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
