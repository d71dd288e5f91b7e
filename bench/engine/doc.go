// Package engine measures the engine beside plain loops and peers: a flat slice that is copied, maps, go-memdb,
// encoding/json. Only ratios of one run mean something.
package engine
