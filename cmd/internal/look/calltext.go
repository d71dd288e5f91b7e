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
	text := verb.Visible(src.File)
	if src.Line > 0 {
		text += fmt.Sprintf(":%d", src.Line)
	}
	if src.Sample != "" {
		text += " sample " + verb.Visible(src.Sample)
	}
	return fmt.Sprintf("%s call %d", text, src.Call)
}

// shortTime writes an instant without fractions and zone; the zone is that of the log.
func shortTime(text string) string {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return verb.Visible(text)
	}
	return t.Format("2006-01-02 15:04:05")
}
