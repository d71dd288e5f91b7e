package canonjson_test

import (
	"testing"

	"github.com/pactkit/pactkit/internal/canonjson"
)

func TestEncode(t *testing.T) {
	v := map[string]any{"a": "<b> & \n", "n": []int{1}}
	if got, want := string(canonjson.EncodeLine(v)), `{"a":"<b> & \n","n":[1]}`; got != want {
		t.Errorf("EncodeLine: %s, want %s", got, want)
	}
	if got, want := string(canonjson.EncodeIndented(v)), "{\n  \"a\": \"<b> & \\n\",\n  \"n\": [\n    1\n  ]\n}\n"; got != want {
		t.Errorf("EncodeIndented: %q, want %q", got, want)
	}
}
