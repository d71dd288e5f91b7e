module github.com/pactkit/pactkit

go 1.26.0

require (
	github.com/antlr4-go/antlr/v4 v4.13.1
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/rogpeppe/go-internal v1.16.0
)

require (
	golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
