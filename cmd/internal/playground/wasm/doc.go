//go:build js && wasm

// Command wasm is package playground for a Web Worker: it sets the global function pactkit, JSON
// for JSON.
package main
