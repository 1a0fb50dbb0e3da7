# Jarlet: make run, make test; everything else is a part of these two.
SHELL := /bin/sh
PYTHON ?= python3
export PYTHON

BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup setup-test sample run test test-slow fuzz clean distclean

help:
	@echo 'make setup      install what is missing: system packages, .venv, Python packages'
	@echo 'make run        open the window on the sample; without a display reduce it on the command line'
	@echo 'make test       lint, types, fast tests'
	@echo 'make test-slow  the slow tests'
	@echo 'make fuzz       random inputs through every command, FUZZ_SECONDS=60 long, with FUZZ_SEED=N or a random one'
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

test: setup-test sample
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile

test-slow: setup-test sample
	$(BIN)/python -m pytest -m slow

FUZZ_SECONDS ?= 60
FUZZ_SEED ?=

fuzz: setup-test sample
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

clean:
	rm -rf build out .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find app core resources tests packaging -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
