package history_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// TestOTel renders the snapshot of each call in OpenTelemetry exports and compares its parts with
// what the server received.
func TestOTel(t *testing.T) {
	data, err := os.ReadFile("../source/testdata/otel/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string][]struct {
		Messages, Input      []json.RawMessage
		System, Instructions string
	}
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	total := 0
	for kind, bodies := range truth {
		names, err := filepath.Glob("../source/testdata/otel/" + kind + ".*.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var files []source.File
		for _, name := range names {
			files = append(files, source.Path(name))
		}
		for h, err := range history.Files(t.Context(), files, source.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			for i, body := range bodies {
				s, _ := h.Timeline.OfCycle(int64(i) + 1)
				out, err := thread.Render(s, thread.OpenAI, thread.RenderOptions{})
				if err != nil {
					t.Fatal(err)
				}
				got := struct{ Messages []json.RawMessage }{}
				if err := json.Unmarshal(out.JSON, &got); err != nil && json.Unmarshal(out.JSON, &got.Messages) != nil {
					t.Fatalf("%v: %s", err, out.JSON)
				}
				want := spokenList(t, append(body.Messages, body.Input...))
				if text := body.System + body.Instructions; text != "" {
					want = "system: " + text + "\n" + want
				}
				if diff := cmp.Diff(want, spokenList(t, got.Messages)); diff != "" {
					t.Errorf("%s call %d: %s", kind, i, diff)
				}
				total++
			}
		}
	}
	t.Logf("%d calls", total)
}

func spokenList(t *testing.T, list []json.RawMessage) string {
	var b strings.Builder
	for _, m := range list {
		b.WriteString(seriestest.Spoken(t, string(m)))
	}
	return b.String()
}

// TestOTelImages checks that images are sent as images in every format.
func TestOTelImages(t *testing.T) {
	const log = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"1","startTimeUnixNano":"1","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"blob\",\"modality\":\"image\",\"mime_type\":\"image/png\",\"content\":\"aGk=\"},{\"type\":\"uri\",\"modality\":\"image\",\"uri\":\"https://x/cat.png\"},{\"type\":\"blob\",\"modality\":\"audio\",\"content\":\"aGk=\"}]}]"}}]}]}]}]}`
	for h, err := range history.Files(t.Context(), []source.File{source.Bytes("images.jsonl", []byte(log))}, source.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		s, _ := h.Timeline.OfCycle(1)
		for format, want := range map[thread.Format]string{
			thread.OpenAI: `[{"role":"user","content":[` +
				`{"image_url":{"url":"data:image/png;base64,aGk="},"type":"image_url"},{"image_url":{"url":"https://x/cat.png"},"type":"image_url"},` +
				`{"content":"aGk=","modality":"audio","type":"blob"}]}]`,
			thread.Anthropic: `{"messages":[{"role":"user","content":[` +
				`{"source":{"data":"aGk=","media_type":"image/png","type":"base64"},"type":"image"},{"source":{"type":"url","url":"https://x/cat.png"},"type":"image"}]}]}`,
		} {
			out, err := thread.Render(s, format, thread.RenderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Compact(&got, out.JSON); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("%s: %s", format, diff)
			}
		}
	}
}
