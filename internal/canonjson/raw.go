package canonjson

// RawText checks a string and returns what stands between its quotes, as it is written, and whether that has an escape.
// [Unescape] resolves it.
func (s *Scanner) RawText() (raw string, isEscaped bool, err error) {
	if s.Peek() != '"' {
		return "", false, s.take(s.unexpected(s.i, "a string"))
	}
	start := s.i + 1
	end, found := s.text(start)
	if end < 0 {
		return "", false, s.take(end)
	}
	s.i = end
	return s.src[start : end-1], found&escaped != 0, nil
}

// Unescape returns what the inside of a string stands for, as [Scanner.RawText] returns it.
func Unescape(raw string) string { return unescape(raw) }

// Since returns the text from an offset to where the scanner is.
func (s *Scanner) Since(offset int) string { return s.src[offset:s.i] }
