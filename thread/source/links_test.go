package source

import (
	"math/rand/v2"
	"testing"
)

// TestKeyTable compares the table with a map.
func TestKeyTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type entry struct {
		file  int
		isOwn bool
	}
	want := map[key]*entry{}
	var table keyTable
	for range 20_000 {
		file, k := r.IntN(50), key(r.Uint64N(8_000)*0x9e3779b97f4a7c15)
		other, both := table.add(k, file)
		k |= isUsed
		e := want[k&^isOwn]
		if e == nil {
			e = &entry{file: file}
			want[k&^isOwn] = e
		}
		if other != e.file || both != (e.isOwn && k&isOwn != 0) {
			t.Fatalf("the table has the file %d for the key %x, and both are %v; want %+v", other, k, both, *e)
		}
		e.isOwn = e.isOwn || k&isOwn != 0
	}
	if table.used != len(want) {
		t.Errorf("the table has %d keys; want %d", table.used, len(want))
	}
}
