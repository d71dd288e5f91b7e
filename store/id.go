package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// maxID is the length of the longest id, in bytes.
const maxID = 64 << 10

// checkID returns why a text cannot be an id, or "".
func checkID(id string) string {
	switch {
	case id == "":
		return "an id must not be empty"
	case len(id) > maxID:
		return "an id has at most 64 KiB"
	case !utf8.ValidString(id):
		return "an id must be UTF-8"
	}
	return ""
}

// keyPrefix is how many bytes of an id its key contains unchanged. An index of PostgreSQL accepts
// keys of at most 2,700 bytes.
const keyPrefix = 512

// sortKey returns the sort key of a history, which is also its key in tables: the id. A long id is
// truncated, and followed by 0xFF, which never occurs in UTF-8, and the SHA-256 of the id.
func sortKey(id string) string {
	if len(id) <= keyPrefix {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:keyPrefix] + "\xff" + string(sum[:])
}

// keyRange returns the range of the keys of ids with a prefix: from ≤ key < to. If to is empty,
// there is no upper limit.
func keyRange(prefix string) (from, to string) {
	from = prefix[:min(len(prefix), keyPrefix)]
	for i := len(from) - 1; i >= 0; i-- {
		if from[i] != 0xff {
			return from, from[:i] + string([]byte{from[i] + 1})
		}
	}
	return from, ""
}

const (
	fileSuffix = ".jsonl"
	// A longer encoding is cut there, and the SHA-256 of the id follows. Names
	// then have at most 170 bytes, and file systems allow 255.
	maxFileStem = 160
	keptStem    = 96
)

// fileName returns the name of the file of an id. Different ids have different names, even if the
// file system ignores case or normalizes Unicode, and no name leads out of the folder, is hidden,
// or is a device of Windows. The characters a-z, 0-9, -, _ and inner dots stand for themselves, !
// and a lower-case letter for the upper-case letter, and %xx for any other byte.
func fileName(id string) string {
	stem := encodeID(id)
	if len(stem) <= maxFileStem {
		return stem + fileSuffix
	}
	sum := sha256.Sum256([]byte(id))
	cut := keptStem
	for strings.LastIndexByte(stem[:cut], '%') > cut-3 || stem[cut-1] == '!' {
		cut-- // not within an escape
	}
	return stem[:cut] + "~" + hex.EncodeToString(sum[:]) + fileSuffix
}

func encodeID(id string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	device := isDevice(id)
	for i := range len(id) {
		switch c := id[i]; {
		case i == 0 && (device || c == '.'):
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.Write([]byte{'!', c | 0x20})
		default:
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// isDevice reports whether Windows treats a file of this name, whatever follows a dot, as a device.
func isDevice(id string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(id), ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && '0' <= stem[3] && stem[3] <= '9'
}

// fileID returns the id of a file name. whole is false for the name of a long id, which is complete
// only in the header of the file; ok is false for a name that [fileName] does not produce.
func fileID(name string) (id string, whole, ok bool) {
	stem, ok := strings.CutSuffix(name, fileSuffix)
	if !ok || stem == "" {
		return "", false, false
	}
	if head, sum, long := strings.Cut(stem, "~"); long {
		return "", false, len(head) <= keptStem && len(sum) == 2*sha256.Size
	}
	var b strings.Builder
	for i := 0; i < len(stem); i++ {
		switch c := stem[i]; {
		case c == '!' && i+1 < len(stem):
			i++
			b.WriteByte(stem[i] - 0x20)
		case c == '%' && i+2 < len(stem):
			raw, err := hex.DecodeString(stem[i+1 : i+3])
			if err != nil {
				return "", false, false
			}
			b.Write(raw)
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	id = b.String()
	return id, true, fileName(id) == name
}
