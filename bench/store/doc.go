// Package store compares the cost of an append to a store with the minimum that makes the same
// bytes durable: a write and an fsync, and an INSERT.
package store
