// Package otlp receives spans and log records over OTLP/HTTP and writes them as lines of OTLP/JSON,
// as the file exporter of OpenTelemetry does.
//
// It listens on loopback only. It accepts metrics and discards them. It does not write HTTP
// headers, and it replaces credentials in attributes, except in those that hold what a model reads
// or writes.
package otlp
