// Package clients has the exporters of OpenTelemetry for Go as clients of the receiver of OTLP.
package clients

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	otlptrace1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/pactkit/pactkit/internal/otlp"
	"github.com/pactkit/pactkit/internal/record"
)

// TestExporters exports spans while the receiver is restarted, and compares what was recorded with
// what was exported.
func TestExporters(t *testing.T) {
	for name, client := range map[string]func(address string) otlptrace.Client{
		"protobuf":      func(address string) otlptrace.Client { return protobuf(address, otlptracehttp.NoCompression) },
		"protobuf gzip": func(address string) otlptrace.Client { return protobuf(address, otlptracehttp.GzipCompression) },
		"JSON":          func(address string) otlptrace.Client { return &jsonClient{url: address} },
		"JSON gzip":     func(address string) otlptrace.Client { return &jsonClient{url: address, zips: true} },
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "r")
			address, stop := listen(t, folder, "127.0.0.1:0")
			exporter, err := otlptrace.New(t.Context(), client("http://"+address+"/v1/traces"))
			if err != nil {
				t.Fatal(err)
			}
			made := tracetest.NewInMemoryExporter()
			provider := sdk.NewTracerProvider(sdk.WithSyncer(made), sdk.WithBatcher(exporter, sdk.WithMaxExportBatchSize(16), sdk.WithBatchTimeout(20*time.Millisecond)))
			const sessions = 60
			for i := range sessions {
				if i == sessions/2 { // the exporter drops spans while nothing listens
					if err := provider.ForceFlush(t.Context()); err != nil {
						t.Fatal(err)
					}
					stop()
					time.Sleep(200 * time.Millisecond) // until the client has seen that its connection is closed
					_, stop = listen(t, folder, address)
				}
				session(t.Context(), provider.Tracer("agent"), i)
			}
			if err := provider.ForceFlush(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := stubs(made.GetSpans())
			if err := provider.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			stop()
			if got := recorded(t, folder); len(got) != 3*sessions {
				t.Errorf("%d spans were recorded, not %d", len(got), 3*sessions)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// listen starts a receiver, and returns a function that stops it.
func listen(t *testing.T, folder, address string) (string, func()) {
	file, err := otlp.Open(folder)
	if err != nil {
		t.Error(err)
		return "", func() {}
	}
	receiver, at, err := otlp.Listen(address, file)
	if err != nil {
		t.Error(err)
		return "", func() { _ = file.Close() }
	}
	return at.String(), func() {
		if c := receiver.Close(context.Background()); c.Problem != "" || c.Rejected+c.Refused > 0 {
			t.Errorf("%+v", c)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// session makes a span with a child and a grandchild.
func session(ctx context.Context, tracer trace.Tracer, n int) {
	ctx, agent := tracer.Start(ctx, fmt.Sprintf("invoke_agent %d", n), trace.WithSpanKind(trace.SpanKindInternal))
	defer agent.End()
	ctx, chat := tracer.Start(ctx, "chat gpt-5", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.Int("gen_ai.usage.input_tokens", 1<<40+n), attribute.Float64("gen_ai.request.temperature", 0.1*float64(n)),
		attribute.Bool("stream", n%2 == 0), attribute.StringSlice("gen_ai.response.finish_reasons", []string{"stop", "é\u2028"}), attribute.Int64Slice("numbers", []int64{-1, 1<<62 + 1}),
		attribute.String("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"a \"quote\" <&> 東京`+strings.Repeat(" more", n*20)+`"}]}]`)))
	defer chat.End()
	chat.AddEvent("first token", trace.WithAttributes(attribute.Int("n", n)))
	_, tool := tracer.Start(ctx, "execute_tool", trace.WithLinks(trace.Link{SpanContext: agent.SpanContext()}))
	tool.SetStatus(codes.Error, "it failed")
	tool.End()
}

func protobuf(url string, c otlptracehttp.Compression) otlptrace.Client {
	return otlptracehttp.NewClient(otlptracehttp.WithEndpointURL(url), otlptracehttp.WithCompression(c),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: 50 * time.Millisecond, MaxInterval: time.Second, MaxElapsedTime: 20 * time.Second}))
}

// jsonClient exports JSON as the collector writes it. The exporter of the SDK for Go has only
// protobuf.
type jsonClient struct {
	url  string
	zips bool
}

func (*jsonClient) Start(context.Context) error { return nil }
func (*jsonClient) Stop(context.Context) error  { return nil }

func (c *jsonClient) UploadTraces(ctx context.Context, spans []*otlptrace1.ResourceSpans) error {
	data, err := proto.Marshal(&otlptrace1.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	request := ptraceotlp.NewExportRequest()
	if err := request.UnmarshalProto(data); err != nil {
		return err
	}
	body, err := request.MarshalJSON()
	if err != nil {
		return err
	}
	if c.zips {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body)
		_ = z.Close()
		body = b.Bytes()
	}
	for ; ; time.Sleep(50 * time.Millisecond) {
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		q.Header.Set("Content-Type", "application/json")
		if c.zips {
			q.Header.Set("Content-Encoding", "gzip")
		}
		r, err := http.DefaultClient.Do(q)
		if err == nil {
			_ = r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// stubs describes the spans that were made, in the order of their ids.
func stubs(spans tracetest.SpanStubs) (out []string) {
	for _, s := range spans {
		var parts []string
		for _, a := range s.Attributes {
			parts = append(parts, string(a.Key)+"="+a.Value.Emit())
		}
		for _, e := range s.Events {
			parts = append(parts, fmt.Sprintf("event %s %d %s=%s", e.Name, e.Time.UnixNano(), e.Attributes[0].Key, e.Attributes[0].Value.Emit()))
		}
		for _, l := range s.Links {
			parts = append(parts, "link "+l.SpanContext.TraceID().String()+" "+l.SpanContext.SpanID().String())
		}
		parent := ""
		if s.Parent.SpanID().IsValid() {
			parent = s.Parent.SpanID().String()
		}
		out = append(out, line(s.SpanContext.TraceID().String(), s.SpanContext.SpanID().String(), parent, s.Name, int(s.SpanKind), s.StartTime.UnixNano(), s.EndTime.UnixNano(), s.Status.Description, parts))
	}
	slices.Sort(out)
	return out
}

func line(trace, id, parent, name string, kind int, start, end int64, status string, parts []string) string {
	return fmt.Sprintf("%s %s<%s %q %d %d-%d %q\n%s", trace, id, parent, name, kind, start, end, status, strings.Join(parts, "\n"))
}

// recorded describes the spans in a recording as stubs does. A span that was sent again because the
// receiver ended before its answer counts once.
func recorded(t *testing.T, folder string) (out []string) {
	data, err := os.ReadFile(filepath.Join(folder, record.OTLPName))
	if err != nil {
		t.Fatal(err)
	}
	for one := range bytes.Lines(data) {
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(one)
		if err != nil {
			t.Fatalf("%s: %v", one, err)
		}
		for _, r := range traces.ResourceSpans().All() {
			for _, scope := range r.ScopeSpans().All() {
				for _, s := range scope.Spans().All() {
					out = append(out, describe(s))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func describe(s ptrace.Span) string {
	var parts []string
	for name, v := range s.Attributes().All() {
		parts = append(parts, name+"="+text(v))
	}
	for _, e := range s.Events().All() {
		for name, v := range e.Attributes().All() {
			parts = append(parts, fmt.Sprintf("event %s %d %s=%s", e.Name(), int64(e.Timestamp()), name, text(v)))
		}
	}
	for _, l := range s.Links().All() {
		parts = append(parts, "link "+l.TraceID().String()+" "+l.SpanID().String())
	}
	return line(s.TraceID().String(), s.SpanID().String(), s.ParentSpanID().String(), s.Name(), int(s.Kind()), int64(s.StartTimestamp()), int64(s.EndTimestamp()), s.Status().Message(), parts)
}

func text(v pcommon.Value) string { return v.AsString() }
