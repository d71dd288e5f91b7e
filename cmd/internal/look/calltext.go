package look

import (
	"fmt"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// sourceText is where a call is recorded.
func sourceText(src *calls.Source) string {
	if src == nil {
		return ""
	}
	text := placeText(&calls.Record{File: src.File, Line: int64(src.Line)})
	if src.Sample != "" {
		text += " sample " + verb.Visible(src.Sample)
	}
	return fmt.Sprintf("%s call %d", text, src.Call)
}

// placeText writes a file and a line in it.
func placeText(at *calls.Record) string {
	text := verb.Visible(at.File)
	if at.Line > 0 {
		text += fmt.Sprintf(":%d", at.Line)
	}
	return text
}

// shortTime writes an instant without fractions and zone; the zone is that of the log.
func shortTime(text string) string {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return verb.Visible(text)
	}
	return t.Format("2006-01-02 15:04:05")
}
