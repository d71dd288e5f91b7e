// Package loopback recognizes the host names of this machine.
package loopback

import (
	"net/netip"
	"strconv"
	"strings"
)

// IsHost reports whether the host of an address or of a request, with or without a port, is this
// machine: localhost or a loopback address, exactly as browsers and programs write them. An IPv6
// address has brackets if a port follows it.
func IsHost(host string) bool {
	name, isBracketed := host, false
	if rest, ok := strings.CutPrefix(host, "["); ok {
		var port string
		if name, port, isBracketed = strings.Cut(rest, "]"); !isBracketed || port != "" && !isPort(port) {
			return false
		}
	} else if i := strings.IndexByte(host, ':'); i >= 0 && i == strings.LastIndexByte(host, ':') {
		if !isPort(host[i:]) {
			return false
		}
		name = host[:i]
	}
	if strings.ToLower(name) == "localhost" { // EqualFold would take other letters for an s
		return !isBracketed
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Zone() == "" && ip.IsLoopback() && (!isBracketed || ip.Is6() && !ip.Is4In6())
}

// isPort reports whether a text is a colon and the number of a port.
func isPort(text string) bool {
	digits, ok := strings.CutPrefix(text, ":")
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	_, err := strconv.ParseUint(digits, 10, 16)
	return err == nil
}
