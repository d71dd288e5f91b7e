package calls_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/internal/sessions"
)

// TestCallCounts checks that as many calls are listed as a log records, counted here without the
// readers of logs. The folders of PACTKIT_LOGS are looked at, too.
func TestCallCounts(t *testing.T) {
	dirs := append([]string{"../../../testdata/logs", "../../../thread/source/testdata/inspect", "../../../thread/source/testdata/otel"}, filepath.SplitList(os.Getenv("PACTKIT_LOGS"))...)
	total := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			if err != nil || d.IsDir() || ext != ".json" && ext != ".jsonl" && ext != ".eval" && ext != ".traj" {
				return err
			}
			got, kind := 0, sessions.Kind("")
			o := sessions.Options{}
			switch {
			case ext == ".traj":
				o.From, o.Messages = "openai", "history"
			case strings.Contains(path, "tau-bench") && ext == ".json":
				o.From, o.Messages = "openai", "traj"
			}
			for s, err := range sessions.All(t.Context(), []string{path}, o) {
				if err != nil {
					if s.Kind == "" && sessions.IsUnknown(err) {
						return nil // not a log
					}
					t.Errorf("%s: %v", path, err)
					return nil
				}
				kind = s.Kind
				for _, err := range calls.Of(t.Context(), s.Timeline, calls.Options{NoTokens: true}) {
					if err != nil {
						t.Fatal(err)
					}
					got++
				}
			}
			if want := countCalls(t, path, kind); got != want {
				t.Errorf("%s (%s): %d calls of %d", path, kind, got, want)
			}
			total += got
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total < 100 {
		t.Errorf("only %d calls are compared", total)
	}
	t.Logf("%d calls", total)
}

// countCalls counts the calls that a log records.
func countCalls(t *testing.T, path string, kind sessions.Kind) int {
	t.Helper()
	n, seen := 0, map[any]bool{}
	all := documents(t, path)
	if kind == "otel" {
		return countSpans(all)
	}
	for _, doc := range all {
		switch kind {
		case "requests":
			n++
		case "claude-code":
			m, _ := doc["message"].(map[string]any)
			id := m["id"]
			if id == nil {
				id = doc["uuid"]
			}
			if doc["type"] == "assistant" && m["model"] != "<synthetic>" && !seen[id] {
				n++
				seen[id] = true
			}
		case "inspect":
			samples := append(objects(doc["samples"]), doc) // a separate file in an archive
			for _, sample := range samples {
				n += count(sample["events"], func(e map[string]any) bool { return e["event"] == "model" })
			}
		case "atif":
			n += count(doc["steps"], func(e map[string]any) bool { return e["source"] == "agent" && e["is_copied_context"] != true })
		default:
			isAnswer := func(m map[string]any) bool { return m["role"] == "assistant" || m["from"] == "gpt" }
			for _, name := range []string{"messages", "conversations", "history", "traj"} {
				n += count(doc[name], isAnswer)
			}
			if isAnswer(doc) {
				n++
			}
		}
	}
	return n
}

// countSpans counts the spans of model calls that are not in another one, as that of an SDK is in
// that of an instrumentation, and the spans that events are about.
func countSpans(docs []map[string]any) int {
	parents, events := map[any]any{}, map[any]bool{} // by the ids of spans
	for _, doc := range docs {
		for _, resource := range slices.Concat(objects(doc["resourceSpans"]), objects(doc["resourceLogs"])) {
			for _, scope := range slices.Concat(objects(resource["scopeSpans"]), objects(resource["scopeLogs"])) {
				for _, span := range objects(scope["spans"]) {
					if isModelCall(span) {
						parents[span["spanId"]] = span["parentSpanId"]
					}
				}
				for _, event := range objects(scope["logRecords"]) {
					events[event["spanId"]] = true
				}
			}
		}
	}
	n := len(events)
	for _, parent := range parents {
		if _, isInner := parents[parent]; !isInner {
			n++
		}
	}
	return n
}

// isModelCall reports whether a span says that it is a call of a chat model.
func isModelCall(span map[string]any) bool {
	return count(span["attributes"], func(a map[string]any) bool {
		v, _ := a["value"].(map[string]any)
		switch a["key"] {
		case "gen_ai.operation.name", "llm.request.type":
			return v["stringValue"] == "chat"
		case "openinference.span.kind":
			return v["stringValue"] == "LLM"
		}
		return false
	}) > 0
}

// documents returns the objects of a file: its values, the elements of a list, the members of an
// archive.
func documents(t *testing.T, path string) (out []map[string]any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{data}
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
		texts = nil
		for _, f := range z.File {
			if !strings.HasPrefix(f.Name, "samples/") {
				continue
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		dec := json.NewDecoder(bytes.NewReader(text))
		for {
			var v any
			if err := dec.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if list, ok := v.([]any); ok {
				out = append(out, objects(list)...)
			} else if one, ok := v.(map[string]any); ok {
				out = append(out, one)
			}
		}
	}
	return out
}

// objects returns the objects of a list.
func objects(v any) (out []map[string]any) {
	list, _ := v.([]any)
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// count counts the objects of a list that are of a kind.
func count(v any, is func(map[string]any) bool) int {
	n := 0
	for _, e := range objects(v) {
		if is(e) {
			n++
		}
	}
	return n
}
