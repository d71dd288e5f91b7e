# Targets for people who change pactkit. Users do not need them: `go build ./...` is enough.

GO       ?= go
FUZZTIME ?= 20m
PACKAGES := ./...
# Test processes run for seconds, so they collect garbage less often, which saves a third of their time. Nobody
# debugs them, so they are linked without DWARF, which saves a quarter of the linking.
GOTEST   := GOGC=400 $(GO) test -ldflags=-w
# The files that start goroutines.
GOROUTINES = $(shell git grep -lE '^\s+go [a-z]|\.Go.func|AfterFunc' -- '*.go' ':!*_test.go' ':!bench' ':!tools' ':!internal/test/pgserver')
# The ANTLR tool runs on Java 17; npm fetches it, pinned by grammar/tool/package-lock.json.
ANTLR    := grammar/tool/node_modules/.package-lock.json
# The sources of the page of pactkit inspect.
PAGE     := cmd/internal/inspect/page/node_modules/.package-lock.json
# The protocol library that runs pact-lsp in a test.
E2E      := lsp/e2e/node_modules/.package-lock.json
# The tree-sitter runtime, which a test of the grammars compiles.
SITTER   := editors/tree-sitter-pactsel/node_modules/.package-lock.json
# What the npm packages are built and tested with.
NPM      := npm/node_modules/.package-lock.json
# What the extension of VS Code is built with.
VSCODE   := editors/vscode/node_modules/.package-lock.json
# The SDKs that are run against a stub.
CLIENTS  := clients/node/node_modules/.package-lock.json out/clients/venv/.ready
ESBUILD  := $(GO) tool -modfile=tools/go.mod esbuild --bundle --minify --target=es2022 --legal-comments=eof --charset=utf8 --log-level=warning
PYTHON   ?= python3
PYENV    := out/pyenv
PYREADY  := $(PYENV)/.ready
SITEENV  := out/siteenv

.DEFAULT_GOAL := help
.PHONY: help build editors page check needs check-bench check-browser check-lsp4j check-playground check-postgres check-python check-npm check-release check-site check-wheels playground site site-pages wheels npm release gofmt vet fix staticcheck test race tidy generate generate-check tree-sitter fuzz-tree-sitter update fuzz bench cover docs

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort | awk -F'\t' '{printf "  %-16s %s\n", $$1, $$2}'

build: ## The programs of a release in out/bin: stripped, with pactfmt as another name of pactkit
	$(GO) build -trimpath -ldflags='-s -w' -o out/bin/ ./cmd/pactkit ./cmd/pact-lsp
	ln -f out/bin/pactkit out/bin/pactfmt

# What the machine lacks is said before anything runs.
check: needs ## Everything a commit must pass
	@$(MAKE) --no-print-directory gofmt vet fix staticcheck test race generate-check tidy

needs: ## Fail when the machine lacks a program that check needs
	@GO='$(GO)' tools/needs

# Not part of check: it needs the programs of PostgreSQL, Debian's package postgresql or folders that PACTKIT_POSTGRES names.
# The server runs on a free port of the loopback interface, in a temporary folder.
check-postgres: $(NPM) ## The store on a real PostgreSQL, with crashes of writers and servers, and writers in three languages; prints their counts
	$(GO) vet -tags postgres ./internal/test/pgserver ./internal/test/doctest ./cmd/internal/cli ./cmd/internal/inspect ./store/...
	$(GO) tool -modfile=tools/go.mod staticcheck -tags postgres ./internal/test/pgserver ./internal/test/doctest ./cmd/internal/cli ./cmd/internal/inspect ./store/...
	$(GO) test -tags postgres -count 1 -timeout 30m -v ./internal/test/pgserver ./store
	$(GO) vet -tags 'postgres languages' ./store
	$(GO) test -tags 'postgres languages' -count 1 -timeout 10m -v -run '^TestRacingLanguages$$' ./store
	$(GO) test -tags postgres -count 1 -timeout 10m -v -run '^(TestLive|TestPostgres)$$' ./internal/test/doctest ./cmd/internal/cli ./cmd/internal/inspect

# Not part of check: it needs a Chromium, Debian's package chromium or a program that PACTKIT_CHROMIUM names.
check-browser: page build ## The page of pactkit inspect in a browser; PACTKIT_PICTURES names a folder for screenshots
	git diff --exit-code --stat cmd/internal/inspect/dist
	cd cmd/internal/inspect/page && PACTKIT=$(CURDIR)/out/bin/pactkit node --test --test-timeout=900000 --test-concurrency=1 test/*.test.mjs

# Not part of check: it needs a Firefox, Debian's package firefox-esr or a program that PACTKIT_FIREFOX names.
.PHONY: check-firefox
check-firefox: $(PAGE) build ## The page of pactkit inspect in Firefox; PACTKIT_PICTURES names a folder for screenshots
	cd cmd/internal/inspect/page && PACTKIT=$(CURDIR)/out/bin/pactkit node --test --test-timeout=900000 test/firefox.mjs

# Not part of check: it needs Python 3.11 or newer with venv, and Java 17 for Spark. pip installs the rest.
check-python: $(PYREADY) ## The Python package: types, tests with an installed wheel, a small Spark cluster
	rm -rf out/wheels/one out/wheels/again
	$(PYENV)/bin/python python/tools/wheels.py --platform native out/wheels/one
	$(PYENV)/bin/python python/tools/wheels.py --platform native out/wheels/again
	diff -r out/wheels/one out/wheels/again
	$(PYENV)/bin/pip install -q --no-index --no-deps --force-reinstall out/wheels/one/*.whl
	cd python && ../$(PYENV)/bin/mypy && ../$(PYENV)/bin/pyright --pythonpath ../$(PYENV)/bin/python && ../$(PYENV)/bin/pytest --ignore tests/test_wheels.py

# Not part of check: it needs Java 17 and Maven. Maven downloads the rest.
check-lsp4j: ## pact-lsp with LSP4J, the protocol library of JetBrains' plugin LSP4IJ
	$(GO) build -o out/bin/pact-lsp ./cmd/pact-lsp
	work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && cp -R editors/sample "$$work/sample" && \
		mvn -q -B -f editors/jetbrains/lsp4j compile exec:java -Dexec.args="$(CURDIR)/out/bin/pact-lsp $$work/sample"

check-wheels: $(PYREADY) wheels ## The wheels of all platforms: tags, contents, programs
	cd python && ../$(PYENV)/bin/pytest tests/test_wheels.py

$(PYREADY): python/requirements-dev.txt
	$(PYTHON) -m venv $(PYENV)
	$(PYENV)/bin/pip install -q --disable-pip-version-check -r python/requirements-dev.txt
	touch $(PYREADY)

# Not part of check: it needs Node 20 or newer. npm installs the rest.
check-npm: $(NPM) ## The npm packages: built twice, installed offline, their types, tests with Vitest and Jest's expect
	rm -rf npm/out
	node npm/tools/pack.mjs --platform native npm/out/one
	node npm/tools/pack.mjs --platform native npm/out/again
	diff -r npm/out/one npm/out/again
	node npm/tools/types.mjs --check
	node npm/test/install.mjs npm/out/one npm/out/clean
	cd npm/out/clean && node --test test/*.test.mjs

$(VSCODE): editors/vscode/package-lock.json
	npm ci --prefix editors/vscode --ignore-scripts --no-audit --no-fund

$(NPM): npm/package-lock.json
	npm ci --prefix npm --ignore-scripts --no-audit --no-fund

npm: $(NPM) ## The npm packages in out/npm, for all platforms or for PLATFORM, such as native; the same bytes from the same sources
	node npm/tools/pack.mjs $(addprefix --platform ,$(PLATFORM)) out/npm

# Not part of check: it needs Python 3.11 with venv, and Node 20. pip and npm install the rest. RUNS names
# some of clients/runs.
.PHONY: check-clients
check-clients: $(CLIENTS) ## SDKs and instrumentations against a stub: what pactkit reads in their logs equals what they sent
	$(GO) build -o out/bin/ ./cmd/pactkit
	cd clients/go && $(GOTEST) ./...
	clients/check $(CURDIR)/out/clients/venv/bin/python $(CURDIR)/out/bin/pactkit $(CURDIR)/out/clients/logs $(RUNS)

.PHONY: check-recorded
check-recorded: $(CLIENTS) ## SDKs under pactkit record against a stub, each scenario TIMES times: what is recorded equals what they sent
	$(GO) build -o out/bin/ ./cmd/pactkit
	RECORD=1 clients/check $(CURDIR)/out/clients/venv/bin/python $(CURDIR)/out/bin/pactkit $(CURDIR)/out/clients/recorded $(RUNS)

.PHONY: check-agents
check-agents: $(CLIENTS) ## agents in the folder AGENTS under pactkit record: their own logs tell what they sent
	$(GO) build -o out/bin/ ./cmd/pactkit
	clients/agents $(CURDIR)/out/clients/venv/bin/python $(CURDIR)/out/bin/pactkit $(AGENTS) $(CURDIR)/out/agents

clients/node/node_modules/.package-lock.json: clients/node/package-lock.json
	npm ci --prefix clients/node --ignore-scripts --no-audit --no-fund

out/clients/venv/.ready: clients/python/requirements.txt
	$(PYTHON) -m venv out/clients/venv
	out/clients/venv/bin/pip install -q --disable-pip-version-check -r $<
	touch $@

# Not part of check: it needs what make release needs, and dpkg and the rights to chroot. It releases the commit that is checked out.
check-release: $(NPM) $(PAGE) $(VSCODE) ## A release for this machine: built twice, each package installed in a clean environment and used
	rm -rf out/release-one out/release-again
	cd tools && $(GO) run ./release -platforms $$($(GO) env GOOS)/$$($(GO) env GOARCH) ../out/release-one
	cd tools && $(GO) run ./release -platforms $$($(GO) env GOOS)/$$($(GO) env GOARCH) ../out/release-again
	diff -r out/release-one out/release-again
	packaging/check out/release-one

release: $(NPM) $(PAGE) $(VSCODE) ## The files of a release of this commit in out/release: archives, packages, images, recipes, checksums
	rm -rf out/release
	cd tools && $(GO) run ./release ../out/release

wheels: ## The wheels of the Python package in out/wheels, for all platforms or for PLATFORM, such as native; the same bytes from the same sources
	$(PYTHON) python/tools/wheels.py $(addprefix --platform ,$(PLATFORM)) out/wheels

gofmt: ## Fail when a file is not formatted
	@out=$$(gofmt -s -l $$(git ls-files '*.go' | grep -v -e /internal/gen/ -e /testdata/)); \
	if [ -n "$$out" ]; then echo "gofmt -s would change:"; echo "$$out"; exit 1; fi

vet: ## go vet
	$(GO) vet -tags e2e $(PACKAGES)
	cd bench && $(GO) vet ./...
	cd clients/go && $(GO) vet ./...

fix: ## Fail when go fix would change something
	$(GO) fix -diff $(PACKAGES)

staticcheck: ## staticcheck, in the version pinned by tools/go.mod
	$(GO) tool -modfile=tools/go.mod staticcheck $(PACKAGES)

test: $(E2E) $(SITTER) ## Tests
	$(GOTEST) -tags e2e $(PACKAGES)
	cd tools && $(GO) vet ./release && $(GOTEST) ./release

# A race needs two goroutines: these are packages that start some, packages whose tests do, and
# tests of concurrent use.
race: ## Tests of concurrent code under the race detector, the long ones with fewer rounds
	$(GOTEST) -race -short . ./cmd/internal/mcp ./internal/compiled ./cmd/internal/worker $(addprefix ./,$(sort $(dir $(GOROUTINES))))
	$(GOTEST) -race -run Concurrent ./engine ./eval

tidy: ## Fail when a go.mod is not tidy
	$(GO) mod tidy -diff
	cd bench && $(GO) mod tidy -diff
	cd clients/go && $(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

page: $(PAGE) ## The page of pactkit inspect, checked and bundled
	cd cmd/internal/inspect/page && node node_modules/typescript/bin/tsc --noEmit
	$(ESBUILD) cmd/internal/inspect/page/src/main.tsx --format=esm --jsx=automatic --jsx-import-source=preact --external:*/editor.js --outfile=cmd/internal/inspect/dist/app.js
	$(ESBUILD) cmd/internal/inspect/page/src/editor.ts --format=esm --outfile=cmd/internal/inspect/dist/editor.js
	cp cmd/internal/inspect/page/index.html cmd/internal/inspect/dist/index.html

# GOROOT has the file that starts a Go program in a browser. The selector bar of the inspector uses
# the worker as its server. Without inlining the program is a tenth smaller to load, and loading a
# log takes a third longer, which is only milliseconds.
playground: $(PAGE) ## The playground in out/playground, a folder for any web server; the same bytes from the same sources
	rm -rf out/playground && mkdir -p out/playground/samples
	GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -gcflags=all=-l -ldflags='-s -w -buildid=' -o out/pactkit.wasm ./cmd/internal/playground/wasm
	node cmd/internal/playground/page/pack.mjs out/pactkit.wasm out/playground/pactkit.wasm.gz
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" cmd/internal/playground/page/index.html out/playground/
	cp testdata/logs/support/refund.jsonl testdata/logs/support/kept.jsonl out/playground/samples/
	node cmd/internal/inspect/page/node_modules/typescript/bin/tsc --noEmit -p cmd/internal/playground/page
	NODE_PATH=cmd/internal/inspect/page/node_modules $(ESBUILD) cmd/internal/playground/page/src/main.tsx --format=esm --jsx=automatic --jsx-import-source=preact \
		--inject:cmd/internal/playground/page/src/socket.ts --outfile=out/playground/app.js
	$(ESBUILD) cmd/internal/playground/page/src/worker.ts --format=iife --outfile=out/playground/worker.js

# Not part of check: it needs a Chromium, as check-browser does.
check-playground: playground ## The playground in a browser, and built twice; PACTKIT_PICTURES names a folder for screenshots
	rm -rf out/playground-before && cp -r out/playground out/playground-before
	$(MAKE) playground && diff -r out/playground-before out/playground
	node --test --test-timeout=900000 --test-concurrency=1 cmd/internal/playground/page/test/playground.test.mjs

# Pages have the epoch as their time, and the sitemap is omitted because it has dates: the same
# sources give the same bytes.
site: playground site-pages ## The documentation as a site in out/site, with the playground; the same bytes from the same sources

site-pages: $(SITEENV)/.ready
	rm -rf out/site out/site-src && cp -r docs out/site-src
	$(GO) run ./internal/sitegen out/site-src
	cp -r out/playground out/site-src/playground
	SOURCE_DATE_EPOCH=0 NO_MKDOCS_2_WARNING=1 $(SITEENV)/bin/mkdocs build --strict -q -f site/mkdocs.yml
	rm -f out/site/sitemap.xml out/site/sitemap.xml.gz

$(SITEENV)/.ready: site/requirements.txt
	$(PYTHON) -m venv $(SITEENV)
	$(SITEENV)/bin/pip install -q --disable-pip-version-check --require-hashes -r site/requirements.txt
	touch $@

# Not part of check: it needs a Chromium and Python 3.11 with venv. check-playground builds the playground twice, this only the pages.
check-site: site ## The links of the site, the site in a browser, and built twice; PACTKIT_PICTURES names a folder for screenshots
	rm -rf out/site-before && cp -r out/site out/site-before
	$(MAKE) site-pages && diff -r out/site-before out/site
	node --test --test-timeout=900000 --test-concurrency=1 site/test/site.test.mjs

generate: $(ANTLR) page ## Write every generated file
	$(GO) run ./parser/internal/grammargen -antlr
	$(GO) run ./internal/gendocs
	PACTKIT_UPDATE=1 $(GO) test -count 1 ./cmd/internal/gendocs

generate-check: $(ANTLR) ## Fail when a generated file is stale
	$(GO) run ./parser/internal/grammargen -antlr -check
	$(GO) run ./internal/gendocs -check
	cd tools && $(GO) run ./rules -check
	cd editors/tree-sitter-pactsel && sha256sum --check --quiet generated.sha256

# Not part of generate: it builds the generator with cargo, in a minute or two. generate-check fails
# when it is needed.
tree-sitter: ## Write the parsers of editors/tree-sitter-pactsel
	CARGO_TARGET_DIR=out/tree-sitter cargo build --release --manifest-path editors/tree-sitter-pactsel/generate/Cargo.toml
	cd editors/tree-sitter-pactsel && $(CURDIR)/out/tree-sitter/release/generate pactsel pactsel_inline && \
		sha256sum common/define-grammar.js generate/Cargo.toml generate/src/main.rs */grammar.js \
		*/src/*.json */src/parser.c */src/tree_sitter/*.h > generated.sha256

# Not part of check: it needs Python 3.10 or newer with venv. pip installs the rest.
.PHONY: check-tree-sitter
check-tree-sitter: out/tree-sitter/venv/.ready ## Tests of the tree-sitter grammars: the queries on the grammars of the host languages, and test/corpus
	for g in pactsel pactsel_inline; do \
		gcc -std=c11 -shared -fPIC -O1 -I editors/tree-sitter-pactsel/$$g/src -o out/tree-sitter/$$g.so \
			editors/tree-sitter-pactsel/$$g/src/parser.c editors/tree-sitter-pactsel/$$g/src/scanner.c || exit 1; \
	done
	out/tree-sitter/venv/bin/python editors/tree-sitter-pactsel/test/queries.py out/tree-sitter

out/tree-sitter/venv/.ready: editors/tree-sitter-pactsel/test/requirements.txt
	$(PYTHON) -m venv out/tree-sitter/venv
	out/tree-sitter/venv/bin/pip install -q --disable-pip-version-check -r $<
	touch $@

fuzz-tree-sitter: $(SITTER) ## Compare the tree-sitter grammars with the parser on a million mutated sources
	PACTKIT_SEEDS=1000000 $(GO) test -tags e2e -count 1 -timeout 2h -run '^TestTreeSitter$$' -v ./parser

$(ANTLR): grammar/tool/package-lock.json
	npm ci --prefix grammar/tool --ignore-scripts --no-audit --no-fund

$(PAGE): cmd/internal/inspect/page/package-lock.json
	npm ci --prefix cmd/internal/inspect/page --ignore-scripts --no-audit --no-fund

$(E2E): lsp/e2e/package-lock.json
	npm ci --prefix lsp/e2e --ignore-scripts --no-audit --no-fund

$(SITTER): editors/tree-sitter-pactsel/package-lock.json
	npm ci --prefix editors/tree-sitter-pactsel --ignore-scripts --no-audit --no-fund

update: ## Rewrite the golden files of the tests; read the diff
	PACTKIT_UPDATE=1 $(GO) test $(PACKAGES)

fuzz: ## Run every fuzz target, each for its share of FUZZTIME
	@GO='$(GO)' tools/fuzz $(FUZZTIME)

TORTURETIME ?= 20m
.PHONY: torture
torture: ## The store on disks that fail and crash, for TORTURETIME, damaged journals, and all homes of a history
	GOGC=off GOMEMLIMIT=512MiB PACTKIT_TORTURE=$(TORTURETIME) $(GO) test ./store -count 1 -timeout 0 -run '^TestTorture$$' -v
	PACTKIT_TORTURE=$(TORTURETIME) $(GO) test ./store ./store/journal ./cmd/internal/cli -count 1 -timeout 0 -run '^(TestSalvage|TestHomes)'

bench: ## Benchmarks against their peers, as ratios
	cd bench && ./run

# Not part of check: it needs the peers, which are jq, git, Node and PostgreSQL. go and npm fetch the rest.
check-bench: ## Each benchmark once, on small inputs
	cd bench && SHORT=1 ./run

# Not part of check: it needs node, nvim (0.7 or newer) and emacs (28 with eglot, or newer), and fails without them.
editors: ## Test the editors' clients with pact-lsp: VS Code's grammar and package, Neovim, Emacs
	editors/run

cover: ## Test coverage by function
	$(GO) test -coverprofile=out/cover.out -coverpkg=./... $(PACKAGES) && $(GO) tool cover -func=out/cover.out
