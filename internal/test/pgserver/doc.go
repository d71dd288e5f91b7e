// Package pgserver runs a real PostgreSQL for tests and benchmarks: on a free port of the loopback
// interface, in a temporary folder that is removed when the server stops. Durability is that of a
// production server (fsync is on).
package pgserver
