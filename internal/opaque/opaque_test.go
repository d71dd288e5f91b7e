package opaque_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/opaque"
)

// TestStrip checks what is data and what is text.
func TestStrip(t *testing.T) {
	long := strings.Repeat("QUJD", 300)
	for _, c := range []struct {
		in, want string
		data     opaque.Data
	}{
		{`{"type":"reasoning","encrypted_content":"LONG","summary":[{"text":"think"}]}`, `{"encrypted_content":"(1200 bytes)","summary":[{"text":"think"}],"type":"reasoning"}`, opaque.Data{Sealed: 1}},
		{`{"type":"thinking","thinking":"hm","signature":"LONG"}`, `{"signature":"(1200 bytes)","thinking":"hm","type":"thinking"}`, opaque.Data{Sealed: 1}},
		{`{"type":"redacted_thinking","data":"LONG"}`, `{"data":"(1200 bytes)","type":"redacted_thinking"}`, opaque.Data{Sealed: 1}},
		{`[{"text":"x","thoughtSignature":"LONG"},{"inlineData":{"mimeType":"image/png","data":"LONG"}}]`, `[{"text":"x","thoughtSignature":"(1200 bytes)"},{"inlineData":{"data":"(1200 bytes)","mimeType":"image/png"}}]`, opaque.Data{Media: 1, Sealed: 1}},
		{`{"image_url":{"url":"data:image/png;base64,LONG"}}`, `{"image_url":{"url":"data:image/png(1200 bytes)"}}`, opaque.Data{Media: 1}},
		{`{"signature":"J. Doe","data":"LONG"}`, `{"signature":"J. Doe","data":"LONG"}`, opaque.Data{}},
		{`{"signature":"a signature that is a sentence of many words"}`, `{"signature":"a signature that is a sentence of many words"}`, opaque.Data{}},
		{`{"source":{"type":"text","media_type":"text/plain","data":"LONG"}}`, `{"source":{"type":"text","media_type":"text/plain","data":"LONG"}}`, opaque.Data{}},
		{`{"data":"`, `{"data":"`, opaque.Data{}},
	} {
		in, want := strings.ReplaceAll(c.in, "LONG", long), strings.ReplaceAll(c.want, "LONG", long)
		if got, data := opaque.Strip(in, opaque.Size); got != want || data != c.data {
			t.Errorf("%s: %v, %s", c.in, data, got)
		}
	}
}
