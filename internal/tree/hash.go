package tree

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// ComputedHash returns the content hash of a node, even if it has a stored one: SHA-256 over the
// canonical JSON of content, kind, role and every content_* and data_* member except content_hash,
// with numbers as Python prints them (PACT 0.1, 08 §2.1). The cost is a pass over the content.
func (r *Record) ComputedHash() string {
	dst := append(make([]byte, 0, 128+len(r.Content)), `{"content":`...)
	dst = canonjson.AppendPython(dst, cmp.Or(r.Content, `""`))
	for _, m := range r.Extra().Members {
		if strings.HasPrefix(m.Name, "content_") || strings.HasPrefix(m.Name, "data_") {
			dst = append(canonjson.AppendString(append(dst, ','), m.Name), ':')
			dst = canonjson.AppendPython(dst, m.Value)
		}
	}
	for _, h := range [...]Header{HeaderKind, HeaderRole} {
		dst = append(append(append(dst, `,"`...), HeaderNames[h]...), `":`...)
		if r.Null.Has(h) {
			dst = append(dst, "null"...)
		} else {
			dst = canonjson.AppendString(dst, *r.Field(h))
		}
	}
	sum := sha256.Sum256(append(dst, '}'))
	return hex.EncodeToString(sum[:])
}
