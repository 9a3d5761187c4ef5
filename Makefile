# `make run` shows what this project does, `make test` checks everything. `make help` lists the rest.

PYTHON ?= python3
# NEOVIM=skip leaves out the checks that need Neovim.
NEOVIM ?=
# Two processes suit a small machine; WORKERS=8 on a larger one.
WORKERS ?= 2

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help run test quick bench venv neovim static format lock clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: venv ## prepare .venv and show an example's schema and problems in the terminal
	$(BIN)/python -m nx_lsp schema examples/agent searchFlights --module travel/search.nx
	$(BIN)/python -m nx_lsp check examples/agent

test: venv neovim static ## everything: formatting, types, layers, unit, spec, protocol and Neovim tests
	NX_LSP_NEOVIM=$(if $(filter skip,$(NEOVIM)),skip,require) $(PYTEST) -n $(WORKERS) --dist loadfile

quick: venv static ## the short form: no server, no editor, nothing slow
	$(PYTEST) -n $(WORKERS) -m "not slow" --ignore=tests/server --ignore=tests/neovim

static: venv ## formatting, lint, types, layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: venv ## format the code and repair what can be repaired
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: venv ## speed of parsing, outlines and schemas on this machine
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

venv: ## make or update .venv from requirements-dev.lock
	@PYTHON="$(PYTHON)" .ci/prepare_venv.sh

neovim:
	@[ "$(NEOVIM)" = skip ] || .ci/prepare_neovim.sh

lock: ## write requirements-dev.lock anew, with the newest versions that pyproject.toml allows
	.ci/write_lock.sh "$(PYTHON)"

clean: ## remove .venv, caches and build results
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
