package ll1

import "testing"

// BenchmarkLexParse reads 20 selectors, short to long, in each iteration.
func BenchmarkLexParse(b *testing.B) { benchmarkLexParse(b, readSamples(b, "bench.txt")) }

// BenchmarkLexParseVaried reads 3,000 selectors, more than a branch predictor can remember.
func BenchmarkLexParseVaried(b *testing.B) { benchmarkLexParse(b, walkSources(b, 3000)) }

func benchmarkLexParse(b *testing.B, samples []string) {
	bytes := 0
	for _, src := range samples {
		bytes += len(src)
	}
	var m Machine
	var toks []Token
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range samples {
			toks, _ = Lex(src, 0, 10_000, toks)
			m.Repair(toks)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(samples)), "ns/selector")
}

// BenchmarkLex is the share of the lexer in BenchmarkLexParse.
func BenchmarkLex(b *testing.B) { benchmarkLex(b, readSamples(b, "bench.txt")) }

// BenchmarkLexVaried is the share of the lexer in BenchmarkLexParseVaried.
func BenchmarkLexVaried(b *testing.B) { benchmarkLex(b, walkSources(b, 3000)) }

func benchmarkLex(b *testing.B, samples []string) {
	var toks []Token
	for b.Loop() {
		for _, src := range samples {
			toks, _ = Lex(src, 0, 10_000, toks)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(samples)), "ns/selector")
}

// BenchmarkOracle reads the same selectors with the generated code.
func BenchmarkOracle(b *testing.B) {
	samples := readSamples(b, "bench.txt")
	o := newOracle()
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range samples {
			o.parse(o.lex(src))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(samples)), "ns/selector")
}
