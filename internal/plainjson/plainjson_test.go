package plainjson_test

import (
	"testing"

	"github.com/pactkit/pactkit/internal/plainjson"
)

func Test(t *testing.T) {
	v := map[string]any{"a": "<b> & \n", "n": []int{1}}
	if got, want := string(plainjson.Line(v)), `{"a":"<b> & \n","n":[1]}`; got != want {
		t.Errorf("Line: %s, want %s", got, want)
	}
	if got, want := string(plainjson.Indented(v)), "{\n  \"a\": \"<b> & \\n\",\n  \"n\": [\n    1\n  ]\n}\n"; got != want {
		t.Errorf("Indented: %q, want %q", got, want)
	}
}
