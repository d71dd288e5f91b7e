package loopback_test

import (
	"testing"

	"github.com/pactkit/pactkit/internal/loopback"
)

func TestIsHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost:80": true, "127.0.0.1": true, "127.9.9.9:1": true, "::1": true, "[::1]": true, "[::1]:80": true,
		"": false, ":80": false, "0.0.0.0:80": false, "example.org": false, "localhost.example.org": false, "10.0.0.1:80": false,
	} {
		if got := loopback.IsHost(host); got != want {
			t.Errorf("IsHost(%q) is %t", host, got)
		}
	}
}
