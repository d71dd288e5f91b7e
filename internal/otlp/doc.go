// Package otlp receives spans and log records over OTLP/HTTP and writes them as lines of OTLP/JSON,
// as the file exporter of OpenTelemetry does.
//
// It listens on loopback only. Metrics are accepted and not kept. Headers are never written, and
// credentials in attributes about the transport are replaced.
package otlp
