module github.com/pactkit/pactkit/bench

go 1.26.0

require (
	github.com/andybalholm/cascadia v1.3.5
	github.com/itchyny/gojq v0.12.20
	github.com/pactkit/pactkit v0.0.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/itchyny/timefmt-go v0.1.9 // indirect
	golang.org/x/net v0.59.0 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
)

replace github.com/pactkit/pactkit => ../

tool golang.org/x/perf/cmd/benchstat
