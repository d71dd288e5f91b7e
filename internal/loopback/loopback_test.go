package loopback_test

import (
	"testing"

	"github.com/pactkit/pactkit/internal/loopback"
)

func TestIsHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost:80": true, "127.0.0.1": true, "127.9.9.9:1": true, "::1": true, "[::1]": true, "[::1]:80": true,
		"127.0.0.1:7788": true, "LOCALHOST": true, "::ffff:127.0.0.1": true,
		"127.0.0.1:7788.evil.com": false, "127.0.0.1:7788.evil.com:80": false, "localhost:80.evil.com": false, "[::1]:80.evil.com": false,
		"[::1].evil.com": false, "[::1].evil.com:80": false, "127.0.0.1.evil.com": false, "127.0.0.1.:80": false, "localhost.": false, "localhost.:80": false,
		"u@127.0.0.1": false, "u:p@localhost:80": false, "127.0.0.1@evil.com": false, "evil.com@127.0.0.1": false,
		"127.0.0.1:": false, "127.0.0.1:x": false, "127.0.0.1:+80": false, "127.0.0.1:65536": false, "127.0.0.1:80:80": false, "127.0.0.1 ": false, " localhost": false,
		"[::1": false, "::1]": false, "[127.0.0.1]": false, "[localhost]": false, "[::1]80": false, "[::1]:": false, "[[::1]]": false, "[::1%lo]": false, "::1%lo": false,
		"127.1": false, "2130706433": false, "0x7f.1": false, "0177.0.0.1": false, "127.0.0.1/": false, "127.0.0.1\x00": false, "127.0.0.1:80,evil.com": false,
		"[::]": false, "0": false, "localhost\t": false, "ｌocalhost": false, "loCalhoſt": false,
		"": false, ":80": false, "0.0.0.0:80": false, "example.org": false, "localhost.example.org": false, "10.0.0.1:80": false,
	} {
		if got := loopback.IsHost(host); got != want {
			t.Errorf("IsHost(%q) is %t", host, got)
		}
	}
}
