package histories

import (
	"errors"
	"time"
)

// timeFlag is a time as in RFC 3339.
type timeFlag struct{ time.Time }

func (f *timeFlag) String() string {
	if f.IsZero() {
		return ""
	}
	return f.Format(time.RFC3339Nano)
}

func (f *timeFlag) Type() string { return "TIME" }

func (f *timeFlag) Set(text string) (err error) {
	if f.Time, err = time.Parse(time.RFC3339Nano, text); err != nil {
		return errors.New("must be a time such as 2026-01-31T12:00:00Z")
	}
	if y := f.UTC().Year(); y < 1678 || y > 2261 { // the range of 64 bits of nanoseconds
		return errors.New("must be in the years 1678 to 2261")
	}
	return nil
}
