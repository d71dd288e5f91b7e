package record

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAlike shares lists whose elements are alike after different beginnings. The cost is linear in
// the length of the lists.
func TestAlike(t *testing.T) {
	s := sharer{parts: map[string][]*part{}}
	start := time.Now()
	for i := range 20 {
		s.add(s.share(i, fmt.Sprintf(`{"messages":[%d%s]}`, i, strings.Repeat(`,"x"`, 20_000))))
	}
	s.add(s.share(20, `{"messages":["x"`+strings.Repeat(`,"x"`, 19_999)+`]}`))
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("%v", took)
	}
	// The rest of a list is found at its first occurrence.
	s = sharer{parts: map[string][]*part{}}
	long := strings.Repeat("a", smallest)
	s.add(s.share(0, `{"messages":[1,2,1,2,3,2,2,3,4,"`+long+`"]}`))
	out := s.share(1, `{"messages":[2,3,4,"`+long+`","new"]}`)
	if got, want := fmt.Sprint(out.kept, out.body), `map[messages:[0 4 6]]{"messages":["new"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
