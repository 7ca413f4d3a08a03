# Each command is set up and run by tests/bootstrap.py, in the work folder .work that git ignores.
# Arguments: make emulator ARGS="--help", make test ARGS="lint tests", make nox ARGS="--list"

# The first that can make environments for the tools and run the emulator.
PYTHONS = python3 python3.14 python3.13 python3.12 python3.11 python3.10 python
PROBE = import ensurepip, sqlite3, ssl, sys, venv; sys.exit(sys.version_info < (3, 10))
PYTHON = $(shell for name in $(PYTHONS); do $$name -c "$(PROBE)" 2>/dev/null && echo $$name && break; done)

NO_PYTHON = a Python of 3.10 or later with venv is needed (on Debian: apt install python3-venv)
BOOTSTRAP = $(or $(PYTHON),$(error $(NO_PYTHON))) tests/bootstrap.py

.DEFAULT_GOAL := help
.PHONY: help demo test exhaustive docs schema matrix interleavings bench size lock awx emulator probe nox release publish clean

export ARGS

help:
	@echo 'make demo           start the emulator and run a playbook against it, twice'
	@echo 'make test           run everything that must pass; the last line is the sum'
	@echo 'make exhaustive     run that and all that takes longer: every ansible-core and Python, a thousand cases'
	@echo 'make docs           build the documentation site, and print where it is'
	@echo 'make schema         write the JSON Schemas of files anew, after a change of options or their documentation'
	@echo 'make matrix         try every fault at every request of every module and role, and print the table of modules'
	@echo 'make interleavings  try two tasks at once in every order of their requests, on each kind of console'
	@echo 'make bench          run the benchmarks; let nothing else run beside them'
	@echo 'make size           print how large the parts are, how far ideas reach, and how much each may be'
	@echo 'make awx            try setup and templates in a real AWX, where one is at hand; it says what it needs'
	@echo 'make emulator       run the emulator in the foreground (ARGS=--help tells its options)'
	@echo 'make probe          find out what a console does, for the emulator to play it (ARGS=--help tells its options)'
	@echo 'make nox            run sessions of noxfile.py (ARGS=--list names them)'
	@echo 'make lock           pin our tools to the newest versions that tests/requirements allows, with hashes'
	@echo 'make release        check, build and try a release (VERSION=1.0.1), and stage its changes'
	@echo 'make publish        publish it (VERSION=1.0.1) with your ansible-galaxy; ARGS are options of it'
	@echo 'make clean          remove the work folder'

demo docs schema interleavings bench lock:
	@$(BOOTSTRAP) nox --session $@ --

test exhaustive:
	@$(BOOTSTRAP) harness.report $@

size:
	@$(BOOTSTRAP) harness.size

emulator probe nox:
	@$(BOOTSTRAP) $@

clean:
	@rm -rf .work

awx:
	@$(BOOTSTRAP) nox --session tests -- tests/awx

matrix:
	@MATRIX=whole $(BOOTSTRAP) nox --session tests -- -q tests/functional/faults/test_matrix.py tests/functional/roles/test_faults.py

release publish: RELEASED = $(or $(VERSION),$(error name the version, such as make $@ VERSION=1.0.1))

release:
	@$(BOOTSTRAP) nox --session release -- $(RELEASED)

# The first command builds it from its tag. The second knows your server and token.
publish:
	@ARGS= $(BOOTSTRAP) nox --session publish -- $(RELEASED)
	ansible-galaxy collection publish $(ARGS) dist/managedfs-console-$(VERSION).tar.gz
