module github.com/pactkit/pactkit/bench

go 1.26

require github.com/pactkit/pactkit v0.0.0

replace github.com/pactkit/pactkit => ../
