package record

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkLatency compares a proxy with a direct connection: the time of a request of 100 KB, the
// time between two pieces of a stream, and with 50 streams at a time also the times to the first
// byte and to the end. The provider sends a piece every 2 ms.
func BenchmarkLatency(b *testing.B) {
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range 20 {
			if r.URL.Query().Get("stream") == "" {
				break
			}
			io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"piece"}}]}`+"\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(2 * time.Millisecond)
		}
		io.WriteString(w, "data: [DONE]\n\n")
	}))
	defer stub.Close()
	to, _ := url.Parse(stub.URL)
	l, err := Create(filepath.Join(b.TempDir(), "r"), Header{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close(nil)
	p, err := Listen(l, []Upstream{{"x", to}})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(b.Context())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	body := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", 100_000) + `"}]}`
	ask := func(address string) (first, all time.Duration, gaps []time.Duration) {
		start := time.Now()
		resp, err := client.Post(address, "application/json", strings.NewReader(body))
		if err != nil {
			b.Error(err)
			return 0, 0, nil
		}
		defer resp.Body.Close()
		in := bufio.NewReader(resp.Body)
		_, _ = in.ReadByte()
		first = time.Since(start)
		before := time.Now()
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return first, time.Since(start), gaps
			}
			if now := time.Now(); len(line) == 1 { // the end of a piece
				gaps, before = append(gaps, now.Sub(before)), now
			}
		}
	}
	for _, c := range []struct{ name, base string }{{"direct", stub.URL}, {"proxy", p.Base("x")}} {
		b.Run(c.name, func(b *testing.B) {
			var alone, oneGaps, first, all, gaps []time.Duration
			for b.Loop() {
				_, d, _ := ask(c.base + "/chat/completions")
				alone = append(alone, d)
			}
			for range 20 {
				_, _, g := ask(c.base + "/chat/completions?stream=1")
				oneGaps = append(oneGaps, g[1:]...)
			}
			var wait sync.WaitGroup
			var mu sync.Mutex
			for range 50 {
				wait.Go(func() {
					for range 4 {
						f, d, g := ask(c.base + "/chat/completions?stream=1")
						mu.Lock()
						first, all, gaps = append(first, f), append(all, d), append(gaps, g[1:]...)
						mu.Unlock()
					}
				})
			}
			wait.Wait()
			for name, list := range map[string][]time.Duration{"alone": alone, "gap": oneGaps, "first-of-50": first, "stream-of-50": all, "gap-of-50": gaps} {
				slices.Sort(list)
				b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name+"-p50-ms")
				b.ReportMetric(float64(list[len(list)*99/100].Microseconds())/1000, name+"-p99-ms")
			}
		})
	}
}
