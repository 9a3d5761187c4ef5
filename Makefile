# `make run` shows what this project does, `make test` checks everything. `make help` lists the rest.

PYTHON ?= python3
# NEOVIM=skip leaves out the checks that need Neovim.
NEOVIM ?=
# VSCODE=skip leaves out the checks in the real VS Code, which need Chromium.
VSCODE ?=
# CHECK=1 makes `make run` look at the example without a screen, take pictures and end.
CHECK ?=
# Two processes suit a small machine; WORKERS=8 on a larger one.
WORKERS ?= 2

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help run test quick bench venv neovim vsix client editor pictures static format lock clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: venv ## open the agent example in VS Code with the extension (in a browser where there is no `code`)
	@CHECK=$(CHECK) .ci/open_example.sh

test: venv neovim static client editor ## everything: formatting, types, layers, unit, spec, protocol, Neovim and VS Code tests
	NX_LSP_NEOVIM=$(if $(filter skip,$(NEOVIM)),skip,require) $(PYTEST) -n $(WORKERS) --dist loadfile

vsix: venv ## build the extension: vscode-client/nx-lsp.vsix
	@.ci/build_vsix.sh

client: vsix ## types, lint, unit and grammar tests of the extension
	.ci/with_node.sh npm run -s check
	.ci/with_node.sh npm run -s lint
	.ci/with_node.sh npm test -s
	.ci/with_node.sh npm run -s test:grammar

editor: vsix ## the extension in the real VS Code, pictures in vscode-client/test-results
	@[ "$(VSCODE)" = skip ] || .ci/with_editor.sh npm run -s test:editor

quick: venv static ## the short form: no server, no editor, nothing slow
	$(PYTEST) -n $(WORKERS) -m "not slow" --ignore=tests/server --ignore=tests/neovim

pictures: vsix ## take the pictures of the extension's README anew
	.ci/with_editor.sh sh -c 'node --test test/editor/example.test.ts && node scripts/take_pictures.ts'

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
	rm -rf vscode-client/node_modules vscode-client/dist vscode-client/server vscode-client/test-results vscode-client/*.vsix
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
