# Everything is installed into .venv here, whatever environment is active outside.
VENV := .venv
# Versions of Rasa Pro, on a Python that is maintained, each in an environment of its own.
PRO_VERSIONS := 3.21 3.20 3.19
PRO_PYTHON := 3.11
# Pythons that Rasa 3.6 does not run on: without any Rasa.
CORE_PYTHONS := 3.11 3.12 3.13
# The Python of .venv is the first of these that is there.
PYTHONS := 3.10 $(CORE_PYTHONS)
PYTHON := $(CURDIR)/$(VENV)/bin/python
# The tests by file, as many files at once as there are processors, up to four.
PYTEST := $(PYTHON) -m pytest -n auto --maxprocesses 4 --dist loadfile --durations 10
INSTALLED := $(VENV)/.installed
# What the benchmarks compare with needs newer libraries than Rasa allows: it has an environment of its own.
BENCH_VENV := .venv-bench
COMPARED := benchmarks/methods/requirements
# The uv that is there already, otherwise one of our own.
UV = $(shell uv --version >/dev/null 2>&1 && echo uv || echo $(VENV)/bin/uv)

# The command, through Rasa where that is there, otherwise from the NLU data alone; known once all is installed.
HAS_RASA = $(shell test -x $(VENV)/bin/rasa && echo yes)
DISCOVER = $(if $(HAS_RASA),rasa discover-intents,rasa-discover-intents)
NLU = $(if $(HAS_RASA),,--nlu data)
LOGS = $(if $(HAS_RASA),,--messages logs)

unexport VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONPATH UV_PYTHON UV_SYSTEM_PYTHON
# What Python compiles it keeps: otherwise each process that the tests start compiles the libraries anew.
unexport PYTHONDONTWRITEBYTECODE
export RASA_TELEMETRY_ENABLED := false
export SQLALCHEMY_SILENCE_UBER_WARNING := 1

.PHONY: help demo demo-de test test-all test-pro test-core attack bench lint types install bench-env wheel constraints clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: install ## discover the new intents of the example bot
	cd example_bot && ../$(VENV)/bin/$(DISCOVER) $(NLU) $(LOGS)
	@echo; echo "The bot is in example_bot/. From here: . $(VENV)/bin/activate; cd example_bot; $(strip $(DISCOVER) review $(NLU))"

demo-de: install ## the same with a German bot, which is written into german_bot/
	test -d german_bot || PYTHONPATH=.:tests $(PYTHON) -m german_bot german_bot
	cd german_bot && ../$(VENV)/bin/$(DISCOVER) $(NLU) $(LOGS) --preset fast
	@echo; echo "Its encoder knows English only, for there is no other to install: docs/encoders.md says how to name one."
	@echo "The bot is in german_bot/. From here: . $(VENV)/bin/activate; cd german_bot; $(strip $(DISCOVER) review $(NLU))"

test: install ## the tests that need no more than a few minutes
	$(PYTEST)

test-all: install ## the slow tests too
	$(PYTEST) -m "not attack"

test-pro: $(PRO_VERSIONS:%=.venv-pro-%/.installed) ## the tests beside Rasa Pro 3.19 to 3.21, on Python 3.11; no licence is needed
	@for version in $(PRO_VERSIONS); do \
	  LITELLM_LOCAL_MODEL_COST_MAP=True .venv-pro-$$version/bin/python -m pytest -n auto --maxprocesses 4 \
	    --dist loadfile --durations 10 tests/clustering tests/command tests/corpus tests/drafts tests/proposals \
	    tests/rasa_plugin tests/training_data tests/review/test_end.py tests/review/test_server.py || exit 1; \
	done

test-core: $(CORE_PYTHONS:%=.venv-%/.installed) ## the tests of what needs no Rasa, without any, on Python 3.11 to 3.13
	@for python in $(CORE_PYTHONS); do \
	  .venv-$$python/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile --durations 10 || exit 1; \
	done

attack: install ## try to break it, and write what came of it into docs/reliability.md
	$(PYTEST) -m "attack or tried" --write-attacks

bench: install ## how long runs on the example bot take, in multiples of reading its messages once
	$(PYTHON) -m benchmarks.speed --bot example_bot --preset fast default --compare kmeans

lint: install ## ruff (rules and format), and Biome for the page's scripts
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(VENV)/bin/biome lint --error-on-warnings

types: install ## mypy
	$(PYTHON) -m mypy

install: $(INSTALLED) ## everything into .venv, at the versions in constraints.txt

bench-env: install ## what the benchmarks compare with, into .venv-bench
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(BENCH_VENV)
	$(UV) pip install --python $(BENCH_VENV)/bin/python --no-deps --require-hashes -r $(COMPARED).txt

wheel: install ## the package, into dist/
	$(UV) build --wheel --out-dir dist --python $(PYTHON)

constraints: ## pin anew what pyproject.toml asks for (with Rasa 3.6, Rasa Pro, without any; Linux x86-64)
	$(UV) pip compile pyproject.toml --all-extras --universal --python-version $(firstword $(CORE_PYTHONS)) \
	  --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make constraints" --quiet --output-file constraints-core.txt
	@for version in $(PRO_VERSIONS); do \
	  echo "rasa-pro~=$$version.0" | $(UV) pip compile pyproject.toml - --all-extras --python-version $(PRO_PYTHON) \
	    --python-platform x86_64-unknown-linux-gnu --generate-hashes --no-emit-index-url \
	    --custom-compile-command "make constraints" --quiet --output-file constraints-pro-$$version.txt || exit 1; \
	done
	$(UV) pip compile pyproject.toml --all-extras --python-version 3.10 \
	  --python-platform x86_64-unknown-linux-gnu --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make constraints" --quiet --output-file constraints.txt
	$(UV) pip compile $(COMPARED).in --override $(COMPARED)-without.txt --python-version 3.10 \
	  --python-platform x86_64-unknown-linux-gnu --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make constraints" --quiet --output-file $(COMPARED).txt

clean: ## away with what was made here
	rm -rf $(VENV) $(PRO_VERSIONS:%=.venv-pro-%) $(BENCH_VENV) $(CORE_PYTHONS:%=.venv-%) dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(INSTALLED): pyproject.toml constraints.txt constraints-core.txt rasa_intent_discovery_hook.pth | $(PYTHON)
	case "$$($(PYTHON) --version)" in "Python 3.10."*) pins=constraints.txt;; *) pins=constraints-core.txt;; esac; \
	  $(UV) pip install --python $(PYTHON) --require-hashes -r $$pins
	$(UV) pip install --python $(PYTHON) --no-deps --editable .
	touch $@

.venv-pro-%/.installed: pyproject.toml constraints-pro-%.txt rasa_intent_discovery_hook.pth | install
	$(UV) venv --quiet --allow-existing --python $(PRO_PYTHON) .venv-pro-$*
	$(UV) pip install --python .venv-pro-$*/bin/python --require-hashes -r constraints-pro-$*.txt
	$(UV) pip install --python .venv-pro-$*/bin/python --no-deps --editable .
	touch $@

.venv-%/.installed: pyproject.toml constraints-core.txt | install
	PYENV_VERSION=$* $(VENV)/bin/uv venv --quiet --allow-existing --no-python-downloads --python $* .venv-$*
	$(UV) pip install --python .venv-$*/bin/python --require-hashes -r constraints-core.txt
	$(UV) pip install --python .venv-$*/bin/python --no-deps --editable .
	touch $@

$(PYTHON):
	@for version in $(PYTHONS); do export PYENV_VERSION=$$version; \
	  if uv --version >/dev/null 2>&1; then \
	    uv venv --quiet --python $$version $(VENV) && exit; \
	  elif python$$version --version >/dev/null 2>&1; then \
	    python$$version -m venv $(VENV) && $(PYTHON) -m pip install --quiet --disable-pip-version-check uv && exit; \
	  fi; \
	done; \
	echo "Python 3.10 is needed (Rasa 3.6 runs on no later one), or a later one up to 3.13 for all but Rasa: install it, or install uv." >&2; \
	exit 1
