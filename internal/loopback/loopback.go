// Package loopback recognizes the host names of this machine.
package loopback

import (
	"net"
	"strings"
)

// IsHost reports whether a host, with or without a port, is this machine: a loopback address or
// localhost.
func IsHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
