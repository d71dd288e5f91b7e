package gentest

import "testing"

// AddBytes gives a fuzz target eight seeds of a size.
func AddBytes(f *testing.F, size int) {
	f.Helper()
	for seed := range uint64(8) {
		r, data := Rand(seed), make([]byte, size)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
}

// Picker returns a function that picks a number from 0 to n-1, one byte of data at a time. After
// the last byte it picks 0.
func Picker(data []byte) func(n int) int {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}
}
