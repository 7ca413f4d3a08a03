# Each command is set up and run by tests/bootstrap.py, in the work folder .work that git ignores.
# Arguments: make emulator ARGS="--help", make test ARGS="lint tests", make nox ARGS="--list"

# The first that runs starts the script, which then picks from all that are at hand.
PYTHONS = python3 python3.14 python3.13 python3.12 python3.11 python3.10 python
PYTHON = $(shell for name in $(PYTHONS); do $$name -c "import venv" 2>/dev/null && echo $$name && break; done)

.DEFAULT_GOAL := help
.PHONY: help demo test matrix bench emulator nox clean

export ARGS

help:
	@echo 'make demo      start the emulator and run a playbook against it, twice'
	@echo 'make test      run everything that must pass; the last line is the sum'
	@echo 'make matrix    try every fault at every request of every module, and print the table'
	@echo 'make bench     run the benchmarks'
	@echo 'make emulator  run the emulator in the foreground (ARGS=--help tells its options)'
	@echo 'make nox       run sessions of noxfile.py (ARGS=--list names them)'
	@echo 'make clean     remove the work folder'

demo test matrix bench emulator nox clean:
	@$(or $(PYTHON),python3) tests/bootstrap.py $@
