# Jarlet: make run, make test; everything else is a part of these two.
SHELL := /bin/sh
PYTHON ?= python3
export PYTHON

BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup setup-test sample run test test-slow fuzz coverage bench-corpus bench-programs bench-ablation bench-debloat guide tools wheel deb bundle packages release clean distclean

help:
	@echo 'make setup      install what is missing: system packages, .venv, Python packages'
	@echo 'make run        open the window on the sample; without a display reduce it on the command line'
	@echo 'make test       lint, types, fast tests'
	@echo 'make test-slow  the other tests: slow ones, and guarded ones, which a fast test stands for'
	@echo 'make fuzz       random inputs through every command, FUZZ_SECONDS=60 long, with FUZZ_SEED=N or a random one'
	@echo 'make coverage   all tests but the slow ones, with the share of lines that they run; modules below 80 % by name'
	@echo 'make bench-corpus  algorithms on jars that break decompilers (bench-programs, bench-ablation: tests/bench/README.md), with OPTIONS="..."'
	@echo 'make guide      the user guide as one HTML file: build/guide.html'
	@echo 'make packages   a wheel, a Debian package and a bundle without Python, in build/packages (or: wheel, deb, bundle)'
	@echo 'make release    checks that versions, changelog, figures and metainfo agree'
	@echo 'make clean      remove what was built (make distclean: .venv too)'

setup:
	@sh packaging/setup.sh

setup-test:
	@sh packaging/setup.sh --test

sample: setup
	@$(BIN)/python packaging/build_sample.py

run: sample
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    exec $(BIN)/jarlet --sample; \
	else \
	    mkdir -p out && \
	    $(BIN)/jarlet reduce --sample --granularity member --jobs 2 -o out/sample-reduced.jar --report out/sample-report.md && \
	    $(BIN)/jarlet graph build/sample.jar --format svg -o out/sample-graph.svg && \
	    echo 'no display: wrote out/sample-reduced.jar, out/sample-report.md and out/sample-graph.svg'; \
	fi

# Each worker of pytest would compile the tests by itself: they are compiled once, while mypy has the other processor.
# What mypy finds is told after the tests: it has their gaps, and nobody waits for it.
COLLECTED := build/collected.log
NEWER = $$(find app core jarlet tests -name '*.py' -newer $(COLLECTED) -print -quit)
BYTECODE = { [ -e $(COLLECTED) ] && [ -z "$(NEWER)" ]; } || \
    PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 0 --collect-only -qq >$(COLLECTED) 2>&1

test: setup-test sample
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/mypy >build/types.log 2>&1 & types=$$!; $(BYTECODE); $(BIN)/python -m pytest -n auto --dist loadfile; \
	    code=$$?; wait $$types || code=1; cat build/types.log; exit $$code

test-slow: setup-test sample
	$(BIN)/python -m pytest -m 'slow or guarded or hypothesis' --hypothesis-profile many

FUZZ_SECONDS ?= 60
FUZZ_SEED ?=

fuzz: setup-test sample
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

coverage: setup-test sample
	@sh packaging/coverage.sh

OPTIONS ?=

bench-corpus: setup
	$(BIN)/python -m tests.bench.suite corpus $(OPTIONS)

bench-programs: setup
	$(BIN)/python -m tests.bench.suite programs $(OPTIONS)

bench-debloat: setup
	$(BIN)/python -m tests.bench.debloat $(OPTIONS)

bench-ablation: setup
	$(BIN)/python -m tests.bench.suite ablation $(OPTIONS)

guide: setup
	$(BIN)/python packaging/guide.py build/guide.html

# What packages are built with, beside .venv.
TOOLS := build/tools
PACKAGES := build/packages
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
WHEEL = $(PACKAGES)/jarlet-$(VERSION)-py3-none-any.whl

tools: setup
	@cmp -s packaging/requirements-packages.txt $(TOOLS)/done || { rm -rf $(TOOLS) && $(BIN)/python -m venv $(TOOLS) && \
	    $(TOOLS)/bin/python -m pip --quiet --disable-pip-version-check install --no-deps --require-hashes \
	        -r packaging/requirements-packages.txt && cp packaging/requirements-packages.txt $(TOOLS)/done; }

wheel: tools
	@mkdir -p $(PACKAGES)
	$(TOOLS)/bin/python -m build --wheel --no-isolation -o $(PACKAGES) . >build/wheel.log 2>&1 || { tail -n 20 build/wheel.log; exit 1; }
	@ls $(WHEEL)

deb: wheel guide
	sh packaging/deb.sh $(WHEEL) $(PACKAGES)

bundle: wheel
	sh packaging/bundle.sh $(WHEEL) $(PACKAGES)

packages: deb bundle

release: setup-test
	$(BIN)/python packaging/release.py

clean:
	rm -rf build out *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find app core resources tests packaging -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
