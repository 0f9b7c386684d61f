# Every target needs only python3 and make: `setup` builds .venv from the hashed lock.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
# uv trusts its own certificates; behind a company's proxy only the machine's will do.
SYNC := $(BIN)/uv pip sync --quiet --require-hashes deploy/requirements-dev.lock
STAMP := $(VENV)/.synced
Q ?= 70b inference 50rps

.PHONY: setup run slack playground test test-postgres check wheel image sbom bench bench-accept bench-long bench-compare bench-prices bench-alerts bench-day bench-engines kills replay slack-load accuracy catalogue kills-all replicas fuzz e2e-setup format lock clean
.DEFAULT_GOAL := run

setup: $(STAMP)

$(STAMP): deploy/requirements-dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PY) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"
	@export VIRTUAL_ENV=$(CURDIR)/$(VENV); $(SYNC) 2>/dev/null || $(SYNC) --system-certs
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

run: setup
	@$(BIN)/gpucost "$(Q)"

slack: setup
	@$(BIN)/gpucost serve

# The whole product in the browser, on this machine alone; no Slack workspace needed.
playground: setup
	@$(BIN)/gpucost playground

# A process a core, up to four; a file of tests stays in one of them.
test: setup
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile

# The same with every home on a PostgreSQL server, which needs Debian's `postgresql`.
test-postgres: setup
	GPUCOST_TEST_ENGINE=postgresql $(MAKE) --no-print-directory test

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python deploy/check_security.py $(BIN)
	$(MAKE) --no-print-directory wheel
	$(MAKE) --no-print-directory image
	$(MAKE) --no-print-directory test

# The wheel, installed alone from the runtime lock, answers the flagship question.
wheel: setup
	@deploy/check-wheel $(BIN)

# The image's own lines, run without a container engine; then served and probed.
image: setup
	BUILD_IMAGE=1 $(BIN)/pytest tests/deploy/test_image.py

# What the runtime is made of, for whoever has to vouch for it: CycloneDX JSON.
sbom: setup
	@$(BIN)/python deploy/sbom.py dist/sbom.json

# Kept in dist/bench under the commit's name.
bench: setup
	@$(BIN)/python -m tests.bench $(OUT)

# What the ten commonest questions cost now stands as accepted: commit accepted.json.
bench-accept: setup
	@$(BIN)/python -m tests.bench.ratios --accept

# Resident memory over a hundred thousand answers: an hour.
bench-long: setup
	@nice $(BIN)/python -m tests.bench.memory $(or $(N),100000)

bench-compare: setup
	@$(BIN)/python -m tests.bench.compare $(A) $(B)

# Answers a second from a file and from a PostgreSQL server.
bench-engines: setup
	@$(BIN)/python -m tests.bench.engines

# Five hundred signed commands at once: acknowledged in time, every one answered.
slack-load: setup
	@$(BIN)/python -m tests.bench.slack_load $(or $(N),500)

# The price store at 5 and 10 million prices; two minutes, a gigabyte of temporary disk.
bench-prices: setup
	@$(BIN)/python -m tests.bench.prices_scale

# 100,000 subscriptions and a million prices; then kill -9, 300 times, among 2,000 alerts.
bench-alerts: setup
	@$(BIN)/python -m tests.bench.alerts_scale
	@$(BIN)/python -m tests.bench.alerts_pace
	@$(BIN)/python -m tests.bench.alerts_kill
	@$(BIN)/python -m tests.bench.alerts_kill --no-scope

# A day at fifty times a workspace's load on a clock of its own; some minutes.
bench-day: setup
	@$(BIN)/python -m tests.bench.day

# Kill -9 at a hundred points of a refresh; the normal tests kill a few.
kills: setup
	GPUCOST_KILLS=100 $(BIN)/pytest tests/prices/test_refresh.py -k killed

# Every poll of the recorded price histories; needs the data beside the repository.
replay: setup
	GPUCOST_REPLAY=all $(BIN)/pytest tests/prices/test_replay.py \
		tests/prices/test_alerts_replay.py

# Estimates against published measurements, in sample and left out; some minutes.
accuracy: setup
	@$(BIN)/python -m tests.bench.accuracy

# Writers of every table and file, killed at any instant; what they promised is sought.
kills-all: setup
	$(BIN)/python -m tests.faults.kills --kills $(or $(N),500)

# Three replicas that share a PostgreSQL server alone, killed and updated under load
# while the server falls over too: a quarter of an hour.
replicas: setup
	$(BIN)/python -m tests.faults.replicas --kills $(or $(N),60)

fuzz: setup
	$(BIN)/python -m tests.bench.fuzz_parser $(or $(N),1000000)

# The local Slack of the end-to-end tests, an npm package; they skip without it.
e2e-setup:
	@tests/e2e/setup

# Poll every feed and write what stands as one dated, checksummed file in dist/catalogue;
# what was polled before stays in dist/prices, so that the guard can compare.
catalogue: setup
	@GPUCOST_HOME=$(CURDIR)/dist/prices $(BIN)/gpucost prices refresh
	@rm -rf dist/catalogue
	@GPUCOST_HOME=$(CURDIR)/dist/prices $(BIN)/gpucost prices publish dist/catalogue

format: setup
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lock:
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml -o deploy/requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --group dev pyproject.toml -o deploy/requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra postgres -c deploy/requirements.lock pyproject.toml -o deploy/requirements-postgres.lock
	echo hatchling | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header -c deploy/requirements-dev.lock - -o deploy/requirements-build.lock

clean:
	rm -rf $(VENV) dist
