package main

import (
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/thread/source"
)

// recordLists returns the tables of the kinds of records in the page about sources.
func recordLists() []list {
	var out []list
	for name, fates := range source.Records() {
		of, member, _ := strings.Cut(name, " ")
		var rows table
		for _, f := range fates {
			rows.row("`"+strings.Join(f.Kinds, "` `")+"`", f.What)
		}
		begin := fmt.Sprintf("| %s of %s | becomes |\n|---|---|\n", code(member), of)
		out = append(out, list{"docs/reference/sources.md", begin, "\n\n", strings.TrimSuffix(rows.String(), "\n")})
	}
	return out
}
