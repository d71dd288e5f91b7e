// Package engine measures the engine beside plain loops and peers: a flat slice that is copied, maps, go-memdb,
// persistent trees (tidwall/btree, go-immutable-radix, benbjohnson/immutable), git, and encoding/json. Only ratios of
// one run mean something.
package engine
