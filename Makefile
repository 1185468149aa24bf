# The daily commands. `make demo` and `make test` work on a fresh machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RULEWRIGHT := $(BIN)/rulewright

.PHONY: help demo test lint types examples golden opponents map gallery symbols bench screens clean

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ —/'

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Rulewright needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/.ready  ## compile the books, run their examples, play a battle, explain it
	@NO_COLOR=1 bash tools/demo $(RULEWRIGHT)

test: $(VENV)/.ready lint  ## everything that must hold; tests/house/test_types.py runs `make types`
	$(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/.ready
	$(BIN)/ruff check .

LINKS := $(addprefix tests/types/rulewright/,__init__.py compiler dsl editor rulebooks runtime table adapters)

tests/types/rulewright/__init__.py: | tests/types/rulewright
	ln -s ../../../rulewright/__init__.py $@

tests/types/rulewright/%: | tests/types/rulewright
	ln -s ../../../$* $@

tests/types/rulewright:
	mkdir -p $@

types: $(VENV)/.ready $(LINKS)
	$(BIN)/mypy -p rulewright.dsl -p rulewright.compiler -p rulewright.runtime -p rulewright.editor -p rulewright.table -p rulewright.adapters

examples: $(VENV)/.ready  ## the worked examples of every book
	@for book in $$(ls rulebooks | grep -v -e lib -e __init__ -e __pycache__); do echo "$$book:"; $(RULEWRIGHT) test $$book || exit 1; done

golden: $(VENV)/.ready  ## refresh golden files; read the diff like code
	cd tests/golden && rm -rf check/*/expected.txt syntax amend core lowered emitted
	-$(BIN)/pytest -q --no-summary tests/compiler/test_diagnostics.py tests/golden
	$(BIN)/pytest -q tests/compiler/test_diagnostics.py tests/golden
	RULEWRIGHT_GOLDEN=1 $(BIN)/pytest -q tests/docs/test_why_page.py
	-git diff --stat tests/golden docs/commands.md

opponents: $(VENV)/.ready  ## measure the doctrines against the random player: docs/opponents/figures.md (an hour)
	$(BIN)/python tools/opponents.py $(OPPONENTS)

map: $(VENV)/.ready  ## rebuild the house map from real coordinates (needs the extra `maps`)
	$(BIN)/python -m pip install --quiet -e '.[maps]'
	$(BIN)/python maps/build_trc.py
	$(BIN)/python maps/build_tdv.py
	$(BIN)/python maps/build_fragment.py
	$(BIN)/python maps/build_caseblue.py
	$(BIN)/python maps/build_fite.py
	$(BIN)/python tools/gallery.py

gallery: $(VENV)/.ready  ## take the pictures of docs/gallery.md again
	$(BIN)/python tools/gallery.py

workbench:  ## write the editor of the workbench again (needs node and npm)
	cd tools/workbench && npm ci --silent && node make_editor.mjs

symbols:  ## write the sprite of unit symbols again (needs node and npm)
	cd tools/symbols && npm ci --silent && node make_symbols.mjs

pyodide:  ## bring Pyodide to .pyodide, for the test of games in the browser alone (needs npm)
	mkdir -p .pyodide && cd .pyodide && npm pack --silent pyodide@314.0.7 && tar xzf pyodide-*.tgz && rm pyodide-*.tgz

bench: $(VENV)/.ready  ## every figure with its aim; NAMES="searches copying" for some of them
	$(BIN)/python -m benchmarks $(NAMES)

screens: $(VENV)/.ready  ## take the screens of docs/play.md again
	$(BIN)/python tools/capture_play.py

clean:
	rm -rf $(VENV) build dist *.egg-info

.PHONY: pictures
pictures: $(VENV)/.ready  ## take the pictures of docs/table.md again (needs Chromium)
	$(BIN)/python tools/table_pictures.py

.PHONY: load
load: $(VENV)/.ready  ## 100 tables with 200 seats that click at random for ten minutes, 20 kills of the server; report in docs/fuzz
	$(BIN)/python tools/table_load.py --tables $${TABLES:-100} --minutes $${MINUTES:-10} --kills $${KILLS:-20} --report docs/fuzz/load.md

.PHONY: soak
soak: $(VENV)/.ready  ## hundreds of random campaigns, some without sudden death, and 200 mixes of options; reports in docs/soak
	mkdir -p docs/soak
	$(BIN)/python tools/soak.py --scenario battle --games $${BATTLES:-100} --report docs/soak/battle.md
	$(BIN)/python tools/soak.py --scenario barbarossa --games $${GAMES:-200} --traced 20 --twins 0 --report docs/soak/campaign.md
	$(BIN)/python tools/soak.py --book trc+tools/long_war.rules --scenario barbarossa --games $${LONG:-30} --twins 0 --report docs/soak/long-war.md
	$(BIN)/python tools/soak.py --scenario barbarossa --mixes $${MIXES:-200} --traced 40 --twins 0 --report docs/soak/options.md
	$(BIN)/python tools/soak.py --book tdv --scenario campaign --games $${VALLEYS:-6} --seed 1 --traced 6 --twins 0 --report docs/soak/dark-valley.md
	$(BIN)/python tools/soak.py --book tdv+tools/long_valley.rules --scenario campaign --games $${LONG_VALLEYS:-3} --seed 1 --players busy --traced 0 --twins 0 --report docs/soak/dark-valley-long.md
	for scenario in rostov stalingrad; do $(BIN)/python tools/soak.py --book caseblue --scenario $$scenario --games $${BLUES:-3} --seed 1 --players busy --traced 0 --twins 0 --report docs/soak/$$scenario.md || exit 1; done

.PHONY: war
war: $(VENV)/.ready  ## random campaigns of Fire in the East to the end, invariants checked; report in docs/soak (hours)
	mkdir -p docs/soak
	$(BIN)/python tools/soak.py --book fite+errata --scenario war --games $${WARS:-20} --seed 1 --traced 0 --twins 0 --most 200000 --patience $${PATIENCE:-15} --kept .wars.jsonl --report docs/soak/fire-in-the-east.md

.PHONY: twins
twins: $(VENV)/.ready  ## generated code and the oracle play the same games of every book; report in docs/twins.md
	$(BIN)/python tools/twins.py --minutes $${MINUTES:-20} --report docs/twins.md

.PHONY: interrupts
interrupts: $(VENV)/.ready  ## end 200 campaigns at random moments and look at their saves; report in docs/interrupts.md
	$(BIN)/python tools/interrupts.py --times $${TIMES:-200} --report docs/interrupts.md

.PHONY: shuffles
shuffles: $(VENV)/.ready  ## every book in other orders of files, cases and rosters plays the same games; report in docs/shuffles.md
	$(BIN)/python tools/shuffles.py --orders $${ORDERS:-6} --games $${GAMES:-2} --most $${MOST:-1500} --report docs/shuffles.md

.PHONY: amendments
amendments: $(VENV)/.ready  ## random amendments of every book change exactly what they name; report in docs/amendments.md
	$(BIN)/python tools/amendments.py --many $${MANY:-500} --report docs/amendments.md

.PHONY: fuzz
fuzz: $(VENV)/.ready  ## hostile books, choices, saves, secrets and arguments by the hundred thousand; reports in docs/fuzz
	@for campaign in front_end choices saves books secrets arguments socket; do \
	  PYTHONPATH=tools:$$PYTHONPATH $(BIN)/python -m fuzz $$campaign --report docs/fuzz/$$campaign.md || exit 1; done

.PHONY: secrets
secrets: $(VENV)/.ready  ## 5,000 pairs of positions a book that a side may not tell apart; report in docs/fuzz/secrets.md
	PYTHONPATH=tools:$$PYTHONPATH $(BIN)/python -m fuzz secrets --count $${PAIRS:-5000} --report docs/fuzz/secrets.md

.PHONY: shares
shares: $(VENV)/.ready  ## one random change at a time: how many have a witness; report in docs/shares.md
	for book in trc tdv; do $(BIN)/python benchmarks/witnesses.py --book $$book --mutations $${CHANGES:-100} --jobs $${JOBS:-2} --report docs/shares.md || exit 1; done

.PHONY: pairs
pairs: $(VENV)/.ready  ## two random changes at once: every printed witness holds for its fact; report in docs/pairs.md
	$(BIN)/python tools/pairs.py --pairs $${PAIRS:-100} --report docs/pairs.md

.PHONY: mutants
mutants: $(VENV)/.ready  ## 400 mutants of each book, and which of them its worked examples notice; report in docs/mutants.md
	$(BIN)/python tools/mutants.py --count $${COUNT:-400} --seed $${SEED:-1} --report docs/mutants.md
