module github.com/pactkit/pactkit

go 1.26
