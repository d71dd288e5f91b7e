package parser

import "unicode/utf8"

// classifyBytes reports whether a source consists of ASCII characters other than NUL, as most do, and whether it holds a hyphen.
func classifyBytes(src string) (plain, hyphen bool) {
	if len(src) < 8 {
		for i := range len(src) {
			if src[i]-1 >= utf8.RuneSelf-1 {
				return false, true
			}
			hyphen = hyphen || src[i] == '-'
		}
		return true, hyphen
	}
	odd, hyphens := classifyEight(eightBytes(src[len(src)-8:])) // the last bytes, some of which come once more
	for ; len(src) >= 8; src = src[8:] {
		o, h := classifyEight(eightBytes(src))
		odd, hyphens = odd|o, hyphens|h
	}
	const highBits = 0x8080808080808080
	return odd&highBits == 0, hyphens&highBits != 0
}

// classifyEight sets a high bit of odd if one of eight bytes is not ASCII, or if the subtraction of 1 borrows for it because it
// is 0; and one of hyphens if that happens where a byte is 0 in place of a hyphen.
func classifyEight(eight uint64) (odd, hyphens uint64) {
	const ones, allHyphens = 0x0101010101010101, 0x2d2d2d2d2d2d2d2d
	dashed := eight ^ allHyphens
	return eight | (eight - ones), (dashed - ones) &^ dashed
}

// eightBytes is the start of a string as a number.
func eightBytes(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
