// Package engine compares the engine with plain loops and other libraries: a copied flat slice,
// maps, go-memdb, persistent trees (tidwall/btree, go-immutable-radix, benbjohnson/immutable), git,
// and encoding/json. Only the ratios within one run are meaningful.
package engine
