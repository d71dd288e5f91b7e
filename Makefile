# The ANTLR tool needs Java 17; npm installs it from grammar/tool/package-lock.json.
ANTLR := grammar/tool/node_modules/.package-lock.json

.PHONY: generate generate-check

generate: $(ANTLR) ## Write what is derived from the grammar.
	go run ./parser/internal/grammargen -antlr

generate-check: $(ANTLR) ## Fail when what is derived from the grammar is stale.
	go run ./parser/internal/grammargen -antlr -check

$(ANTLR): grammar/tool/package-lock.json
	npm ci --prefix grammar/tool --ignore-scripts --no-audit --no-fund
