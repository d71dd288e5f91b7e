// Package bench measures the engine beside plain loops and peers. It is a
// module of its own, so that peers never become dependencies of the engine.
//
//	go test -bench . -benchtime 200x
//
// Only ratios of one run mean something.
package bench
