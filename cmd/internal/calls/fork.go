package calls

import (
	"cmp"
	"fmt"

	"github.com/pactkit/pactkit/engine"
)

// ForkText says where a history was forked; "" if it was not. shown returns the name of a history
// as it may be shown.
func ForkText(t *engine.Timeline, shown func(name string) string) string {
	forks := t.Forks()
	if len(forks) == 0 {
		return ""
	}
	from := forks[len(forks)-1]
	return fmt.Sprintf("forked from %s at @c%d", shown(cmp.Or(from.History, "another history")), from.Cycle)
}
