package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// numberOf returns a numeric header other than ttl.
func numberOf(r *tree.Record, h tree.Header) Number {
	if text, ok := r.ExactText(h); ok {
		return Number{text: text}
	}
	return Number{i: *r.Integer(h)}
}

// ttlOf returns the ttl that a snapshot whose lifetimes count from cycle at shows,
// false for none. A node made after that cycle (one of the working state) still
// has its whole lifetime; one that is only kept because something refers to it
// shows 0.
func ttlOf(r *tree.Record, at int64) (Number, bool) {
	if r.More != nil && r.Exact(tree.HeaderTTL) {
		return numberOf(r, tree.HeaderTTL), true
	}
	if r.Expiry == tree.Never {
		return Number{}, false
	}
	return Number{i: r.ShownTTL(at)}, true
}

// appendHashInput appends the canonical JSON that the content hash covers:
// content, kind, role and every content_* and data_* member but content_hash,
// with numbers as Python prints them (PACT 0.1, 08 §2.1).
func appendHashInput(dst []byte, r *tree.Record) []byte {
	dst = append(dst, `{"content":`...)
	if r.Content == "" {
		dst = append(dst, `""`...)
	} else {
		dst = canonjson.AppendPython(dst, r.Content)
	}
	for _, m := range r.Extra().Members {
		if strings.HasPrefix(m.Name, "content_") || strings.HasPrefix(m.Name, "data_") {
			dst = append(canonjson.AppendString(append(dst, ','), m.Name), ':')
			dst = canonjson.AppendPython(dst, m.Value)
		}
	}
	dst = appendHeader(append(dst, `,"kind":`...), r, tree.HeaderKind, 0)
	dst = appendHeader(append(dst, `,"role":`...), r, tree.HeaderRole, 0)
	return append(dst, '}')
}

// ContentHash returns the computed content hash of a record, even if it has a stored
// one. It is for package migrate.
func ContentHash(r *tree.Record) string {
	sum := sha256.Sum256(appendHashInput(make([]byte, 0, 128+len(r.Content)), r))
	return hex.EncodeToString(sum[:])
}

// hashOfNode returns the stored hash, else the computed one.
func hashOfNode(r *tree.Record) string {
	if h, ok := r.Text(tree.HeaderContentHash); ok {
		return h
	}
	return ContentHash(r)
}
