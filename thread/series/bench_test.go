package series_test

import (
	"fmt"
	"testing"

	"github.com/pactkit/pactkit/thread/series"
)

// growing makes requests that each add two messages to the previous one.
func growing(calls int, base bool) []*series.Request {
	var all []*series.Message
	out := make([]*series.Request, calls)
	for i := range out {
		before := len(all)
		all = append(all, say(fmt.Sprintf("a answer %d of the model, and a few words more", i)), say(fmt.Sprintf("t result %d of the call", i)))
		out[i] = &series.Request{ConversationID: "c", Messages: all[:len(all):len(all)], Origin: series.Origin{Call: i}}
		if base {
			out[i].Base, out[i].Messages = before, all[before:]
		}
	}
	return out
}

// BenchmarkGrowing tracks conversations in which each call adds two messages. If requests have a
// Base, the time per call does not depend on the number of calls. If not, comparing the pointers of
// equal messages is noticeable in long conversations.
func BenchmarkGrowing(b *testing.B) {
	for _, base := range []bool{true, false} {
		for _, calls := range []int{100, 1_000, 10_000} {
			b.Run(fmt.Sprintf("base=%v/calls=%d", base, calls), func(b *testing.B) {
				in := growing(calls, base)
				b.ReportAllocs()
				for b.Loop() {
					var tr series.Tracker
					for _, r := range in {
						if _, err := tr.Add(r); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
			})
		}
	}
}
