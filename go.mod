module github.com/pactkit/pactkit

go 1.26.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/klauspost/compress v1.20.3
	github.com/wI2L/jsondiff v0.7.1
	golang.org/x/tools v0.52.0
)

require (
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)
