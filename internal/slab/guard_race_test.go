//go:build race

package slab

import "testing"

// TestGuard checks that each way to break the protocol panics, and that no other does.
func TestGuard(t *testing.T) {
	for _, tt := range []struct {
		name   string
		use    func(s *Of[int])
		panics bool
	}{
		{"New", func(s *Of[int]) { s.Extend(s.Room()); s.New() }, true},
		{"List", func(s *Of[int]) { s.Extend(s.Room()); s.List(2) }, true},
		{"Copy", func(s *Of[int]) { s.Extend(s.Room()); s.Copy([]int{1}) }, true},
		{"two lists", func(s *Of[int]) { s.Extend(s.Room()); s.Extend(s.Room()) }, true},
		{"a list that was moved", func(s *Of[int]) {
			list := s.Room()
			for range 200 {
				list = s.Extend(list)
			}
			s.New()
		}, true},
		{"before Extend", func(s *Of[int]) { list := s.Room(); s.New(); s.Extend(list) }, true},
		{"kept", func(s *Of[int]) { s.Keep(s.Extend(s.Room())); s.New() }, false},
		{"kept empty", func(s *Of[int]) { s.Keep(s.Extend(s.Room())[:0]); s.New() }, false},
		{"emptied", func(s *Of[int]) { s.Keep(s.Extend(s.Extend(s.Room())[:0])); s.New() }, false},
		{"never extended", func(s *Of[int]) { s.Room(); s.New(); s.Room() }, false},
		{"extended after it was kept", func(s *Of[int]) {
			list := s.Extend(s.Keep(s.Extend(s.Room())))
			s.New()
			s.Keep(list)
		}, false},
		{"nil", func(s *Of[int]) { s.Extend(nil); s.New() }, false},
		{"nothing", func(s *Of[int]) { s.Extend(s.Room()); s.List(0); s.Copy(nil) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if panics := recover() != nil; panics != tt.panics {
					t.Errorf("panics: %t", panics)
				}
			}()
			tt.use(new(Of[int]))
		})
	}
}

// TestResetClears checks that a value that was freed does not keep its contents.
func TestResetClears(t *testing.T) {
	var s Scratch[int]
	v := s.New()
	*v = 1
	if s.Reset(); *v != 0 {
		t.Errorf("the value is %d", *v)
	}
}
