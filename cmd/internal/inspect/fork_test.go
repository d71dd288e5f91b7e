package inspect

import (
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// TestForked checks that a fork says where it began, and names its base as the page does.
func TestForked(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(t.Context(), "file:"+dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	one, err := sessions.One(t.Context(), logs+"/edit.eval", sessions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	frames, _, err := journal.NewHead(journal.About{ID: "a/b"}).Append(one.Timeline)
	if err == nil {
		_, err = st.Append(t.Context(), "a/b", store.Version{}, frames...)
	}
	if err == nil {
		_, err = st.Fork(t.Context(), "a/b", 1, "c")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{dir, "file:" + dir} {
		src, err := Open(t.Context(), []string{arg}, sessions.Options{}, Known{})
		if err != nil {
			t.Fatal(err)
		}
		var list []Summary
		for more := make(<-chan struct{}); more != nil; {
			if list, more = src.after(0); more != nil {
				<-more
			}
		}
		if len(list) != 2 || list[0].Fork != nil || list[1].Fork == nil || *list[1].Fork != (forked{list[0].Name, "a/b", 1}) {
			t.Errorf("%s: %+v", arg, list)
		}
	}
	src, err := Open(t.Context(), []string{filepath.Join(dir, "c.jsonl")}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := src.after(0); list[0].Fork == nil || list[0].Fork.Cycle != 1 {
		t.Errorf("a file: %+v", list)
	}
}
