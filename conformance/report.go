package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// JSON returns the report in the form in which the folder results keeps it: a line for each case.
func (r *Report) JSON() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"hello\": %s,\n  \"outcomes\": {", text(r.Hello))
	for i, name := range slices.Sorted(maps.Keys(r.Outcomes)) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s: %s", text(name), text(r.Outcomes[name]))
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes()
}

// ParseReport reads what [Report.JSON] wrote.
func ParseReport(data []byte) (*Report, error) {
	r := &Report{}
	return r, json.Unmarshal(data, r)
}

// Count counts the cases with a status, of the groups whose names begin with a prefix.
func (r *Report) Count(prefix string, s Status) int {
	n := 0
	for name, o := range r.Outcomes {
		if o.Status == s && strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

// Summary prints how many cases of each group ended how; if verbose, also each case that did not
// pass, with the sentence that it stands for.
func (s *Suite) Summary(r *Report, verbose bool) string {
	var b strings.Builder
	line := func(name, prefix string) {
		fmt.Fprintf(&b, "%-16s %6d %7d %6d %11d\n", name,
			r.Count(prefix, Passed), r.Count(prefix, Partial), r.Count(prefix, Failed), r.Count(prefix, Unsupported))
	}
	fmt.Fprintf(&b, "%s %s\n\n%-16s %6s %7s %6s %11s\n",
		r.Hello.Implementation, r.Hello.Version, "group", "passed", "partial", "failed", "unsupported")
	for _, g := range s.Groups {
		line(g.Name, g.Name+"/")
	}
	line("all", "")
	for _, g := range s.Groups {
		for _, c := range g.Cases {
			o := r.Outcomes[g.Name+"/"+c.ID]
			if verbose && o.Detail != "" {
				fmt.Fprintf(&b, "\n%s/%s %s: %s\n  %s: %s\n", g.Name, c.ID, o.Status, o.Detail, c.Source, c.Says)
			}
		}
	}
	return b.String()
}
