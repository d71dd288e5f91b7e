package tokens

// hasVocabularies says that the program does not have them.
const hasVocabularies = false

// vocabulary estimates the tokens of texts.
type vocabulary struct{ name string }

func o200k() *vocabulary  { return &vocabulary{"estimate"} }
func cl100k() *vocabulary { return o200k() }

// count returns a token for each four bytes.
func (*vocabulary) count(text string) int { return (len(text) + 3) / 4 }
