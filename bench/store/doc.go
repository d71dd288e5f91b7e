// Package store compares what an append to a store costs with the least that makes the same bytes durable: a write and an
// fsync, and an INSERT.
package store
