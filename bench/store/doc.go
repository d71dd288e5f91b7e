// Package store compares the cost of an append to a store with the minimum that makes the same
// bytes durable: a write and an fsync for files, an INSERT for PostgreSQL.
package store
