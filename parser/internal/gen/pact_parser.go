// Code generated from PactParser.g4 by ANTLR 4.13.1. DO NOT EDIT.

package gen // PactParser
import (
	"fmt"
	"strconv"
	"sync"

	"github.com/antlr4-go/antlr/v4"
)

// Suppress unused import errors
var _ = fmt.Printf
var _ = strconv.Itoa
var _ = sync.Once{}

type PactParser struct {
	*antlr.BaseParser
}

var PactParserParserStaticData struct {
	once                   sync.Once
	serializedATN          []int32
	LiteralNames           []string
	SymbolicNames          []string
	RuleNames              []string
	PredictionContextCache *antlr.PredictionContextCache
	atn                    *antlr.ATN
	decisionToDFA          []*antlr.DFA
}

func pactparserParserInit() {
	staticData := &PactParserParserStaticData
	staticData.LiteralNames = []string{
		"", "", "'@*'", "'@history'", "", "", "", "", "", "", "", "", "", "",
		"", "", "'*'",
	}
	staticData.SymbolicNames = []string{
		"", "TIME", "EVERY", "HISTORY", "LATE_TIME", "CONTROL", "RANGE", "FALLBACK",
		"OPTIONAL", "COMMA", "REGION", "TYPE", "DOT_PART", "KEY", "QUOTED_KEY",
		"TAG", "STAR", "STAR_SIGN", "DEPTH", "DEPTH_DECIMAL", "DEPTH_CALL",
		"WITHIN_CALL", "CONT_AT", "NTH_CALL", "LATE_NTH", "DEPTH_PSEUDO", "LATE_DEPTH",
		"COLON_NAME", "COLON_PART", "LATE_NAME", "COLON", "LPAREN", "RPAREN",
		"LBRACK", "RBRACK", "LBRACE", "RBRACE", "GT", "EQ", "NE", "LT", "LE",
		"GE", "MATCH", "IN", "BAD_OPERATOR", "STRING", "INT", "DECIMAL", "NAME",
		"TRAILING", "DESC", "BAD_WORD", "BAD_KEY", "BAD_STRING", "BAD_CHAR",
	}
	staticData.RuleNames = []string{
		"query", "member", "time", "timeEnd", "tail", "lateTime", "chain", "lateStep",
		"step", "anchor", "late", "depth", "paren", "item", "qualifier", "tags",
		"props", "behavior", "group", "argument", "attributes", "attribute",
		"values", "value", "name",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 55, 333, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2, 10, 7,
		10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15, 7, 15,
		2, 16, 7, 16, 2, 17, 7, 17, 2, 18, 7, 18, 2, 19, 7, 19, 2, 20, 7, 20, 2,
		21, 7, 21, 2, 22, 7, 22, 2, 23, 7, 23, 2, 24, 7, 24, 1, 0, 1, 0, 1, 0,
		5, 0, 54, 8, 0, 10, 0, 12, 0, 57, 9, 0, 1, 0, 1, 0, 1, 1, 3, 1, 62, 8,
		1, 1, 1, 3, 1, 65, 8, 1, 1, 1, 1, 1, 1, 1, 5, 1, 70, 8, 1, 10, 1, 12, 1,
		73, 9, 1, 1, 1, 3, 1, 76, 8, 1, 1, 1, 1, 1, 1, 2, 1, 2, 3, 2, 82, 8, 2,
		1, 2, 3, 2, 85, 8, 2, 1, 3, 1, 3, 1, 3, 3, 3, 90, 8, 3, 1, 4, 1, 4, 3,
		4, 94, 8, 4, 1, 4, 1, 4, 1, 4, 5, 4, 99, 8, 4, 10, 4, 12, 4, 102, 9, 4,
		5, 4, 104, 8, 4, 10, 4, 12, 4, 107, 9, 4, 1, 5, 1, 5, 1, 5, 1, 5, 3, 5,
		113, 8, 5, 1, 6, 1, 6, 1, 6, 1, 6, 5, 6, 119, 8, 6, 10, 6, 12, 6, 122,
		9, 6, 1, 7, 1, 7, 5, 7, 126, 8, 7, 10, 7, 12, 7, 129, 9, 7, 1, 8, 1, 8,
		5, 8, 133, 8, 8, 10, 8, 12, 8, 136, 9, 8, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9,
		1, 9, 5, 9, 144, 8, 9, 10, 9, 12, 9, 147, 9, 9, 1, 9, 1, 9, 1, 9, 1, 9,
		1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 5, 9, 159, 8, 9, 10, 9, 12, 9, 162,
		9, 9, 1, 9, 1, 9, 1, 9, 5, 9, 167, 8, 9, 10, 9, 12, 9, 170, 9, 9, 1, 9,
		1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 5, 9, 179, 8, 9, 10, 9, 12, 9, 182,
		9, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 3, 9, 189, 8, 9, 1, 10, 1, 10, 1, 10,
		5, 10, 194, 8, 10, 10, 10, 12, 10, 197, 9, 10, 1, 10, 3, 10, 200, 8, 10,
		1, 11, 1, 11, 1, 11, 3, 11, 205, 8, 11, 1, 12, 1, 12, 1, 12, 1, 12, 5,
		12, 211, 8, 12, 10, 12, 12, 12, 214, 9, 12, 1, 12, 1, 12, 1, 13, 1, 13,
		1, 13, 5, 13, 221, 8, 13, 10, 13, 12, 13, 224, 9, 13, 3, 13, 226, 8, 13,
		1, 14, 1, 14, 1, 14, 1, 14, 1, 14, 1, 14, 5, 14, 234, 8, 14, 10, 14, 12,
		14, 237, 9, 14, 1, 14, 1, 14, 5, 14, 241, 8, 14, 10, 14, 12, 14, 244, 9,
		14, 1, 14, 1, 14, 5, 14, 248, 8, 14, 10, 14, 12, 14, 251, 9, 14, 1, 14,
		1, 14, 1, 14, 5, 14, 256, 8, 14, 10, 14, 12, 14, 259, 9, 14, 1, 14, 1,
		14, 1, 14, 3, 14, 264, 8, 14, 1, 15, 1, 15, 1, 16, 1, 16, 1, 16, 1, 16,
		1, 17, 1, 17, 1, 17, 1, 17, 1, 18, 1, 18, 1, 18, 1, 18, 1, 19, 1, 19, 1,
		20, 1, 20, 1, 20, 5, 20, 285, 8, 20, 10, 20, 12, 20, 288, 9, 20, 3, 20,
		290, 8, 20, 1, 21, 1, 21, 1, 21, 1, 21, 1, 21, 1, 21, 1, 21, 3, 21, 299,
		8, 21, 1, 21, 1, 21, 1, 21, 1, 21, 1, 21, 1, 21, 3, 21, 307, 8, 21, 1,
		22, 1, 22, 1, 22, 5, 22, 312, 8, 22, 10, 22, 12, 22, 315, 9, 22, 3, 22,
		317, 8, 22, 1, 23, 1, 23, 1, 23, 1, 23, 1, 23, 3, 23, 324, 8, 23, 1, 24,
		1, 24, 5, 24, 328, 8, 24, 10, 24, 12, 24, 331, 9, 24, 1, 24, 0, 0, 25,
		0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36,
		38, 40, 42, 44, 46, 48, 0, 15, 1, 0, 1, 3, 3, 0, 6, 6, 9, 9, 30, 30, 2,
		0, 1, 3, 47, 47, 1, 0, 1, 4, 2, 0, 6, 6, 30, 30, 2, 0, 37, 37, 51, 51,
		2, 0, 24, 24, 26, 26, 1, 0, 18, 19, 2, 0, 18, 19, 47, 48, 1, 0, 11, 12,
		8, 0, 6, 6, 9, 9, 16, 16, 18, 18, 35, 37, 40, 42, 46, 49, 51, 51, 2, 0,
		9, 9, 51, 51, 3, 0, 37, 37, 39, 43, 45, 45, 2, 0, 18, 18, 49, 49, 1, 0,
		27, 28, 381, 0, 50, 1, 0, 0, 0, 2, 61, 1, 0, 0, 0, 4, 79, 1, 0, 0, 0, 6,
		89, 1, 0, 0, 0, 8, 105, 1, 0, 0, 0, 10, 108, 1, 0, 0, 0, 12, 114, 1, 0,
		0, 0, 14, 123, 1, 0, 0, 0, 16, 130, 1, 0, 0, 0, 18, 188, 1, 0, 0, 0, 20,
		199, 1, 0, 0, 0, 22, 201, 1, 0, 0, 0, 24, 206, 1, 0, 0, 0, 26, 225, 1,
		0, 0, 0, 28, 263, 1, 0, 0, 0, 30, 265, 1, 0, 0, 0, 32, 267, 1, 0, 0, 0,
		34, 271, 1, 0, 0, 0, 36, 275, 1, 0, 0, 0, 38, 279, 1, 0, 0, 0, 40, 289,
		1, 0, 0, 0, 42, 291, 1, 0, 0, 0, 44, 316, 1, 0, 0, 0, 46, 323, 1, 0, 0,
		0, 48, 325, 1, 0, 0, 0, 50, 55, 3, 2, 1, 0, 51, 52, 5, 9, 0, 0, 52, 54,
		3, 2, 1, 0, 53, 51, 1, 0, 0, 0, 54, 57, 1, 0, 0, 0, 55, 53, 1, 0, 0, 0,
		55, 56, 1, 0, 0, 0, 56, 58, 1, 0, 0, 0, 57, 55, 1, 0, 0, 0, 58, 59, 5,
		0, 0, 1, 59, 1, 1, 0, 0, 0, 60, 62, 3, 4, 2, 0, 61, 60, 1, 0, 0, 0, 61,
		62, 1, 0, 0, 0, 62, 64, 1, 0, 0, 0, 63, 65, 5, 7, 0, 0, 64, 63, 1, 0, 0,
		0, 64, 65, 1, 0, 0, 0, 65, 66, 1, 0, 0, 0, 66, 71, 3, 12, 6, 0, 67, 68,
		5, 7, 0, 0, 68, 70, 3, 12, 6, 0, 69, 67, 1, 0, 0, 0, 70, 73, 1, 0, 0, 0,
		71, 69, 1, 0, 0, 0, 71, 72, 1, 0, 0, 0, 72, 75, 1, 0, 0, 0, 73, 71, 1,
		0, 0, 0, 74, 76, 5, 8, 0, 0, 75, 74, 1, 0, 0, 0, 75, 76, 1, 0, 0, 0, 76,
		77, 1, 0, 0, 0, 77, 78, 3, 8, 4, 0, 78, 3, 1, 0, 0, 0, 79, 81, 7, 0, 0,
		0, 80, 82, 3, 6, 3, 0, 81, 80, 1, 0, 0, 0, 81, 82, 1, 0, 0, 0, 82, 84,
		1, 0, 0, 0, 83, 85, 5, 51, 0, 0, 84, 83, 1, 0, 0, 0, 84, 85, 1, 0, 0, 0,
		85, 5, 1, 0, 0, 0, 86, 87, 7, 1, 0, 0, 87, 90, 7, 2, 0, 0, 88, 90, 5, 28,
		0, 0, 89, 86, 1, 0, 0, 0, 89, 88, 1, 0, 0, 0, 90, 7, 1, 0, 0, 0, 91, 94,
		5, 5, 0, 0, 92, 94, 3, 10, 5, 0, 93, 91, 1, 0, 0, 0, 93, 92, 1, 0, 0, 0,
		94, 100, 1, 0, 0, 0, 95, 99, 3, 30, 15, 0, 96, 99, 3, 32, 16, 0, 97, 99,
		3, 34, 17, 0, 98, 95, 1, 0, 0, 0, 98, 96, 1, 0, 0, 0, 98, 97, 1, 0, 0,
		0, 99, 102, 1, 0, 0, 0, 100, 98, 1, 0, 0, 0, 100, 101, 1, 0, 0, 0, 101,
		104, 1, 0, 0, 0, 102, 100, 1, 0, 0, 0, 103, 93, 1, 0, 0, 0, 104, 107, 1,
		0, 0, 0, 105, 103, 1, 0, 0, 0, 105, 106, 1, 0, 0, 0, 106, 9, 1, 0, 0, 0,
		107, 105, 1, 0, 0, 0, 108, 112, 7, 3, 0, 0, 109, 110, 7, 4, 0, 0, 110,
		113, 7, 2, 0, 0, 111, 113, 5, 28, 0, 0, 112, 109, 1, 0, 0, 0, 112, 111,
		1, 0, 0, 0, 112, 113, 1, 0, 0, 0, 113, 11, 1, 0, 0, 0, 114, 120, 3, 16,
		8, 0, 115, 116, 7, 5, 0, 0, 116, 119, 3, 16, 8, 0, 117, 119, 3, 14, 7,
		0, 118, 115, 1, 0, 0, 0, 118, 117, 1, 0, 0, 0, 119, 122, 1, 0, 0, 0, 120,
		118, 1, 0, 0, 0, 120, 121, 1, 0, 0, 0, 121, 13, 1, 0, 0, 0, 122, 120, 1,
		0, 0, 0, 123, 127, 3, 20, 10, 0, 124, 126, 3, 28, 14, 0, 125, 124, 1, 0,
		0, 0, 126, 129, 1, 0, 0, 0, 127, 125, 1, 0, 0, 0, 127, 128, 1, 0, 0, 0,
		128, 15, 1, 0, 0, 0, 129, 127, 1, 0, 0, 0, 130, 134, 3, 18, 9, 0, 131,
		133, 3, 28, 14, 0, 132, 131, 1, 0, 0, 0, 133, 136, 1, 0, 0, 0, 134, 132,
		1, 0, 0, 0, 134, 135, 1, 0, 0, 0, 135, 17, 1, 0, 0, 0, 136, 134, 1, 0,
		0, 0, 137, 189, 5, 16, 0, 0, 138, 189, 5, 17, 0, 0, 139, 189, 5, 10, 0,
		0, 140, 189, 3, 22, 11, 0, 141, 145, 5, 20, 0, 0, 142, 144, 3, 38, 19,
		0, 143, 142, 1, 0, 0, 0, 144, 147, 1, 0, 0, 0, 145, 143, 1, 0, 0, 0, 145,
		146, 1, 0, 0, 0, 146, 148, 1, 0, 0, 0, 147, 145, 1, 0, 0, 0, 148, 189,
		5, 32, 0, 0, 149, 189, 5, 11, 0, 0, 150, 189, 5, 13, 0, 0, 151, 189, 5,
		14, 0, 0, 152, 189, 3, 30, 15, 0, 153, 189, 3, 32, 16, 0, 154, 189, 3,
		34, 17, 0, 155, 189, 5, 27, 0, 0, 156, 160, 5, 23, 0, 0, 157, 159, 3, 38,
		19, 0, 158, 157, 1, 0, 0, 0, 159, 162, 1, 0, 0, 0, 160, 158, 1, 0, 0, 0,
		160, 161, 1, 0, 0, 0, 161, 163, 1, 0, 0, 0, 162, 160, 1, 0, 0, 0, 163,
		189, 5, 32, 0, 0, 164, 168, 5, 25, 0, 0, 165, 167, 3, 38, 19, 0, 166, 165,
		1, 0, 0, 0, 167, 170, 1, 0, 0, 0, 168, 166, 1, 0, 0, 0, 168, 169, 1, 0,
		0, 0, 169, 171, 1, 0, 0, 0, 170, 168, 1, 0, 0, 0, 171, 189, 5, 32, 0, 0,
		172, 189, 3, 20, 10, 0, 173, 189, 3, 24, 12, 0, 174, 175, 5, 21, 0, 0,
		175, 180, 3, 26, 13, 0, 176, 177, 5, 9, 0, 0, 177, 179, 3, 26, 13, 0, 178,
		176, 1, 0, 0, 0, 179, 182, 1, 0, 0, 0, 180, 178, 1, 0, 0, 0, 180, 181,
		1, 0, 0, 0, 181, 183, 1, 0, 0, 0, 182, 180, 1, 0, 0, 0, 183, 184, 5, 32,
		0, 0, 184, 189, 1, 0, 0, 0, 185, 189, 5, 22, 0, 0, 186, 189, 5, 47, 0,
		0, 187, 189, 5, 49, 0, 0, 188, 137, 1, 0, 0, 0, 188, 138, 1, 0, 0, 0, 188,
		139, 1, 0, 0, 0, 188, 140, 1, 0, 0, 0, 188, 141, 1, 0, 0, 0, 188, 149,
		1, 0, 0, 0, 188, 150, 1, 0, 0, 0, 188, 151, 1, 0, 0, 0, 188, 152, 1, 0,
		0, 0, 188, 153, 1, 0, 0, 0, 188, 154, 1, 0, 0, 0, 188, 155, 1, 0, 0, 0,
		188, 156, 1, 0, 0, 0, 188, 164, 1, 0, 0, 0, 188, 172, 1, 0, 0, 0, 188,
		173, 1, 0, 0, 0, 188, 174, 1, 0, 0, 0, 188, 185, 1, 0, 0, 0, 188, 186,
		1, 0, 0, 0, 188, 187, 1, 0, 0, 0, 189, 19, 1, 0, 0, 0, 190, 200, 5, 29,
		0, 0, 191, 195, 7, 6, 0, 0, 192, 194, 3, 38, 19, 0, 193, 192, 1, 0, 0,
		0, 194, 197, 1, 0, 0, 0, 195, 193, 1, 0, 0, 0, 195, 196, 1, 0, 0, 0, 196,
		198, 1, 0, 0, 0, 197, 195, 1, 0, 0, 0, 198, 200, 5, 32, 0, 0, 199, 190,
		1, 0, 0, 0, 199, 191, 1, 0, 0, 0, 200, 21, 1, 0, 0, 0, 201, 204, 7, 7,
		0, 0, 202, 203, 5, 6, 0, 0, 203, 205, 7, 8, 0, 0, 204, 202, 1, 0, 0, 0,
		204, 205, 1, 0, 0, 0, 205, 23, 1, 0, 0, 0, 206, 207, 5, 31, 0, 0, 207,
		212, 3, 26, 13, 0, 208, 209, 5, 9, 0, 0, 209, 211, 3, 26, 13, 0, 210, 208,
		1, 0, 0, 0, 211, 214, 1, 0, 0, 0, 212, 210, 1, 0, 0, 0, 212, 213, 1, 0,
		0, 0, 213, 215, 1, 0, 0, 0, 214, 212, 1, 0, 0, 0, 215, 216, 5, 32, 0, 0,
		216, 25, 1, 0, 0, 0, 217, 222, 3, 12, 6, 0, 218, 219, 5, 7, 0, 0, 219,
		221, 3, 12, 6, 0, 220, 218, 1, 0, 0, 0, 221, 224, 1, 0, 0, 0, 222, 220,
		1, 0, 0, 0, 222, 223, 1, 0, 0, 0, 223, 226, 1, 0, 0, 0, 224, 222, 1, 0,
		0, 0, 225, 217, 1, 0, 0, 0, 225, 226, 1, 0, 0, 0, 226, 27, 1, 0, 0, 0,
		227, 264, 3, 30, 15, 0, 228, 264, 3, 32, 16, 0, 229, 264, 3, 34, 17, 0,
		230, 264, 3, 36, 18, 0, 231, 235, 5, 27, 0, 0, 232, 234, 7, 9, 0, 0, 233,
		232, 1, 0, 0, 0, 234, 237, 1, 0, 0, 0, 235, 233, 1, 0, 0, 0, 235, 236,
		1, 0, 0, 0, 236, 264, 1, 0, 0, 0, 237, 235, 1, 0, 0, 0, 238, 242, 5, 28,
		0, 0, 239, 241, 7, 9, 0, 0, 240, 239, 1, 0, 0, 0, 241, 244, 1, 0, 0, 0,
		242, 240, 1, 0, 0, 0, 242, 243, 1, 0, 0, 0, 243, 264, 1, 0, 0, 0, 244,
		242, 1, 0, 0, 0, 245, 249, 5, 23, 0, 0, 246, 248, 3, 38, 19, 0, 247, 246,
		1, 0, 0, 0, 248, 251, 1, 0, 0, 0, 249, 247, 1, 0, 0, 0, 249, 250, 1, 0,
		0, 0, 250, 252, 1, 0, 0, 0, 251, 249, 1, 0, 0, 0, 252, 264, 5, 32, 0, 0,
		253, 257, 5, 25, 0, 0, 254, 256, 3, 38, 19, 0, 255, 254, 1, 0, 0, 0, 256,
		259, 1, 0, 0, 0, 257, 255, 1, 0, 0, 0, 257, 258, 1, 0, 0, 0, 258, 260,
		1, 0, 0, 0, 259, 257, 1, 0, 0, 0, 260, 264, 5, 32, 0, 0, 261, 264, 5, 13,
		0, 0, 262, 264, 5, 14, 0, 0, 263, 227, 1, 0, 0, 0, 263, 228, 1, 0, 0, 0,
		263, 229, 1, 0, 0, 0, 263, 230, 1, 0, 0, 0, 263, 231, 1, 0, 0, 0, 263,
		238, 1, 0, 0, 0, 263, 245, 1, 0, 0, 0, 263, 253, 1, 0, 0, 0, 263, 261,
		1, 0, 0, 0, 263, 262, 1, 0, 0, 0, 264, 29, 1, 0, 0, 0, 265, 266, 5, 15,
		0, 0, 266, 31, 1, 0, 0, 0, 267, 268, 5, 35, 0, 0, 268, 269, 3, 40, 20,
		0, 269, 270, 5, 36, 0, 0, 270, 33, 1, 0, 0, 0, 271, 272, 5, 33, 0, 0, 272,
		273, 3, 40, 20, 0, 273, 274, 5, 34, 0, 0, 274, 35, 1, 0, 0, 0, 275, 276,
		5, 31, 0, 0, 276, 277, 3, 40, 20, 0, 277, 278, 5, 32, 0, 0, 278, 37, 1,
		0, 0, 0, 279, 280, 7, 10, 0, 0, 280, 39, 1, 0, 0, 0, 281, 286, 3, 42, 21,
		0, 282, 283, 7, 11, 0, 0, 283, 285, 3, 42, 21, 0, 284, 282, 1, 0, 0, 0,
		285, 288, 1, 0, 0, 0, 286, 284, 1, 0, 0, 0, 286, 287, 1, 0, 0, 0, 287,
		290, 1, 0, 0, 0, 288, 286, 1, 0, 0, 0, 289, 281, 1, 0, 0, 0, 289, 290,
		1, 0, 0, 0, 290, 41, 1, 0, 0, 0, 291, 306, 3, 48, 24, 0, 292, 298, 5, 38,
		0, 0, 293, 299, 3, 46, 23, 0, 294, 295, 5, 33, 0, 0, 295, 296, 3, 44, 22,
		0, 296, 297, 5, 34, 0, 0, 297, 299, 1, 0, 0, 0, 298, 293, 1, 0, 0, 0, 298,
		294, 1, 0, 0, 0, 299, 307, 1, 0, 0, 0, 300, 301, 7, 12, 0, 0, 301, 307,
		3, 46, 23, 0, 302, 303, 5, 44, 0, 0, 303, 304, 3, 44, 22, 0, 304, 305,
		5, 34, 0, 0, 305, 307, 1, 0, 0, 0, 306, 292, 1, 0, 0, 0, 306, 300, 1, 0,
		0, 0, 306, 302, 1, 0, 0, 0, 306, 307, 1, 0, 0, 0, 307, 43, 1, 0, 0, 0,
		308, 313, 3, 46, 23, 0, 309, 310, 5, 9, 0, 0, 310, 312, 3, 46, 23, 0, 311,
		309, 1, 0, 0, 0, 312, 315, 1, 0, 0, 0, 313, 311, 1, 0, 0, 0, 313, 314,
		1, 0, 0, 0, 314, 317, 1, 0, 0, 0, 315, 313, 1, 0, 0, 0, 316, 308, 1, 0,
		0, 0, 316, 317, 1, 0, 0, 0, 317, 45, 1, 0, 0, 0, 318, 324, 5, 46, 0, 0,
		319, 324, 5, 47, 0, 0, 320, 324, 5, 48, 0, 0, 321, 324, 5, 52, 0, 0, 322,
		324, 3, 48, 24, 0, 323, 318, 1, 0, 0, 0, 323, 319, 1, 0, 0, 0, 323, 320,
		1, 0, 0, 0, 323, 321, 1, 0, 0, 0, 323, 322, 1, 0, 0, 0, 324, 47, 1, 0,
		0, 0, 325, 329, 7, 13, 0, 0, 326, 328, 7, 14, 0, 0, 327, 326, 1, 0, 0,
		0, 328, 331, 1, 0, 0, 0, 329, 327, 1, 0, 0, 0, 329, 330, 1, 0, 0, 0, 330,
		49, 1, 0, 0, 0, 331, 329, 1, 0, 0, 0, 41, 55, 61, 64, 71, 75, 81, 84, 89,
		93, 98, 100, 105, 112, 118, 120, 127, 134, 145, 160, 168, 180, 188, 195,
		199, 204, 212, 222, 225, 235, 242, 249, 257, 263, 286, 289, 298, 306, 313,
		316, 323, 329,
	}
	deserializer := antlr.NewATNDeserializer(nil)
	staticData.atn = deserializer.Deserialize(staticData.serializedATN)
	atn := staticData.atn
	staticData.decisionToDFA = make([]*antlr.DFA, len(atn.DecisionToState))
	decisionToDFA := staticData.decisionToDFA
	for index, state := range atn.DecisionToState {
		decisionToDFA[index] = antlr.NewDFA(state, index)
	}
}

// PactParserInit initializes any static state used to implement PactParser. By default the
// static state used to implement the parser is lazily initialized during the first call to
// NewPactParser(). You can call this function if you wish to initialize the static state ahead
// of time.
func PactParserInit() {
	staticData := &PactParserParserStaticData
	staticData.once.Do(pactparserParserInit)
}

// NewPactParser produces a new parser instance for the optional input antlr.TokenStream.
func NewPactParser(input antlr.TokenStream) *PactParser {
	PactParserInit()
	this := new(PactParser)
	this.BaseParser = antlr.NewBaseParser(input)
	staticData := &PactParserParserStaticData
	this.Interpreter = antlr.NewParserATNSimulator(this, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	this.RuleNames = staticData.RuleNames
	this.LiteralNames = staticData.LiteralNames
	this.SymbolicNames = staticData.SymbolicNames
	this.GrammarFileName = "PactParser.g4"

	return this
}

// PactParser tokens.
const (
	PactParserEOF           = antlr.TokenEOF
	PactParserTIME          = 1
	PactParserEVERY         = 2
	PactParserHISTORY       = 3
	PactParserLATE_TIME     = 4
	PactParserCONTROL       = 5
	PactParserRANGE         = 6
	PactParserFALLBACK      = 7
	PactParserOPTIONAL      = 8
	PactParserCOMMA         = 9
	PactParserREGION        = 10
	PactParserTYPE          = 11
	PactParserDOT_PART      = 12
	PactParserKEY           = 13
	PactParserQUOTED_KEY    = 14
	PactParserTAG           = 15
	PactParserSTAR          = 16
	PactParserSTAR_SIGN     = 17
	PactParserDEPTH         = 18
	PactParserDEPTH_DECIMAL = 19
	PactParserDEPTH_CALL    = 20
	PactParserWITHIN_CALL   = 21
	PactParserCONT_AT       = 22
	PactParserNTH_CALL      = 23
	PactParserLATE_NTH      = 24
	PactParserDEPTH_PSEUDO  = 25
	PactParserLATE_DEPTH    = 26
	PactParserCOLON_NAME    = 27
	PactParserCOLON_PART    = 28
	PactParserLATE_NAME     = 29
	PactParserCOLON         = 30
	PactParserLPAREN        = 31
	PactParserRPAREN        = 32
	PactParserLBRACK        = 33
	PactParserRBRACK        = 34
	PactParserLBRACE        = 35
	PactParserRBRACE        = 36
	PactParserGT            = 37
	PactParserEQ            = 38
	PactParserNE            = 39
	PactParserLT            = 40
	PactParserLE            = 41
	PactParserGE            = 42
	PactParserMATCH         = 43
	PactParserIN            = 44
	PactParserBAD_OPERATOR  = 45
	PactParserSTRING        = 46
	PactParserINT           = 47
	PactParserDECIMAL       = 48
	PactParserNAME          = 49
	PactParserTRAILING      = 50
	PactParserDESC          = 51
	PactParserBAD_WORD      = 52
	PactParserBAD_KEY       = 53
	PactParserBAD_STRING    = 54
	PactParserBAD_CHAR      = 55
)

// PactParser rules.
const (
	PactParserRULE_query      = 0
	PactParserRULE_member     = 1
	PactParserRULE_time       = 2
	PactParserRULE_timeEnd    = 3
	PactParserRULE_tail       = 4
	PactParserRULE_lateTime   = 5
	PactParserRULE_chain      = 6
	PactParserRULE_lateStep   = 7
	PactParserRULE_step       = 8
	PactParserRULE_anchor     = 9
	PactParserRULE_late       = 10
	PactParserRULE_depth      = 11
	PactParserRULE_paren      = 12
	PactParserRULE_item       = 13
	PactParserRULE_qualifier  = 14
	PactParserRULE_tags       = 15
	PactParserRULE_props      = 16
	PactParserRULE_behavior   = 17
	PactParserRULE_group      = 18
	PactParserRULE_argument   = 19
	PactParserRULE_attributes = 20
	PactParserRULE_attribute  = 21
	PactParserRULE_values     = 22
	PactParserRULE_value      = 23
	PactParserRULE_name       = 24
)

// IQueryContext is an interface to support dynamic dispatch.
type IQueryContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllMember() []IMemberContext
	Member(i int) IMemberContext
	EOF() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsQueryContext differentiates from other interfaces.
	IsQueryContext()
}

type QueryContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyQueryContext() *QueryContext {
	var p = new(QueryContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_query
	return p
}

func InitEmptyQueryContext(p *QueryContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_query
}

func (*QueryContext) IsQueryContext() {}

func NewQueryContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *QueryContext {
	var p = new(QueryContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_query

	return p
}

func (s *QueryContext) GetParser() antlr.Parser { return s.parser }

func (s *QueryContext) AllMember() []IMemberContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IMemberContext); ok {
			len++
		}
	}

	tst := make([]IMemberContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IMemberContext); ok {
			tst[i] = t.(IMemberContext)
			i++
		}
	}

	return tst
}

func (s *QueryContext) Member(i int) IMemberContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IMemberContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IMemberContext)
}

func (s *QueryContext) EOF() antlr.TerminalNode {
	return s.GetToken(PactParserEOF, 0)
}

func (s *QueryContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *QueryContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *QueryContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *QueryContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Query() (localctx IQueryContext) {
	localctx = NewQueryContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 0, PactParserRULE_query)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(50)
		p.Member()
	}
	p.SetState(55)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOMMA {
		{
			p.SetState(51)
			p.Match(PactParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(52)
			p.Member()
		}

		p.SetState(57)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(58)
		p.Match(PactParserEOF)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IMemberContext is an interface to support dynamic dispatch.
type IMemberContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllChain() []IChainContext
	Chain(i int) IChainContext
	Tail() ITailContext
	Time() ITimeContext
	AllFALLBACK() []antlr.TerminalNode
	FALLBACK(i int) antlr.TerminalNode
	OPTIONAL() antlr.TerminalNode

	// IsMemberContext differentiates from other interfaces.
	IsMemberContext()
}

type MemberContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyMemberContext() *MemberContext {
	var p = new(MemberContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_member
	return p
}

func InitEmptyMemberContext(p *MemberContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_member
}

func (*MemberContext) IsMemberContext() {}

func NewMemberContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *MemberContext {
	var p = new(MemberContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_member

	return p
}

func (s *MemberContext) GetParser() antlr.Parser { return s.parser }

func (s *MemberContext) AllChain() []IChainContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IChainContext); ok {
			len++
		}
	}

	tst := make([]IChainContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IChainContext); ok {
			tst[i] = t.(IChainContext)
			i++
		}
	}

	return tst
}

func (s *MemberContext) Chain(i int) IChainContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IChainContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IChainContext)
}

func (s *MemberContext) Tail() ITailContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITailContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITailContext)
}

func (s *MemberContext) Time() ITimeContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITimeContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITimeContext)
}

func (s *MemberContext) AllFALLBACK() []antlr.TerminalNode {
	return s.GetTokens(PactParserFALLBACK)
}

func (s *MemberContext) FALLBACK(i int) antlr.TerminalNode {
	return s.GetToken(PactParserFALLBACK, i)
}

func (s *MemberContext) OPTIONAL() antlr.TerminalNode {
	return s.GetToken(PactParserOPTIONAL, 0)
}

func (s *MemberContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *MemberContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Member() (localctx IMemberContext) {
	localctx = NewMemberContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 2, PactParserRULE_member)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(61)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&14) != 0 {
		{
			p.SetState(60)
			p.Time()
		}

	}
	p.SetState(64)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserFALLBACK {
		{
			p.SetState(63)
			p.Match(PactParserFALLBACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	{
		p.SetState(66)
		p.Chain()
	}
	p.SetState(71)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserFALLBACK {
		{
			p.SetState(67)
			p.Match(PactParserFALLBACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(68)
			p.Chain()
		}

		p.SetState(73)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(75)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserOPTIONAL {
		{
			p.SetState(74)
			p.Match(PactParserOPTIONAL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	{
		p.SetState(77)
		p.Tail()
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ITimeContext is an interface to support dynamic dispatch.
type ITimeContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	TIME() antlr.TerminalNode
	EVERY() antlr.TerminalNode
	HISTORY() antlr.TerminalNode
	TimeEnd() ITimeEndContext
	DESC() antlr.TerminalNode

	// IsTimeContext differentiates from other interfaces.
	IsTimeContext()
}

type TimeContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyTimeContext() *TimeContext {
	var p = new(TimeContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_time
	return p
}

func InitEmptyTimeContext(p *TimeContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_time
}

func (*TimeContext) IsTimeContext() {}

func NewTimeContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *TimeContext {
	var p = new(TimeContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_time

	return p
}

func (s *TimeContext) GetParser() antlr.Parser { return s.parser }

func (s *TimeContext) TIME() antlr.TerminalNode {
	return s.GetToken(PactParserTIME, 0)
}

func (s *TimeContext) EVERY() antlr.TerminalNode {
	return s.GetToken(PactParserEVERY, 0)
}

func (s *TimeContext) HISTORY() antlr.TerminalNode {
	return s.GetToken(PactParserHISTORY, 0)
}

func (s *TimeContext) TimeEnd() ITimeEndContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITimeEndContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITimeEndContext)
}

func (s *TimeContext) DESC() antlr.TerminalNode {
	return s.GetToken(PactParserDESC, 0)
}

func (s *TimeContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *TimeContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Time() (localctx ITimeContext) {
	localctx = NewTimeContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 4, PactParserRULE_time)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(79)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&14) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(81)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&1342177856) != 0 {
		{
			p.SetState(80)
			p.TimeEnd()
		}

	}
	p.SetState(84)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserDESC {
		{
			p.SetState(83)
			p.Match(PactParserDESC)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ITimeEndContext is an interface to support dynamic dispatch.
type ITimeEndContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	RANGE() antlr.TerminalNode
	COLON() antlr.TerminalNode
	COMMA() antlr.TerminalNode
	TIME() antlr.TerminalNode
	EVERY() antlr.TerminalNode
	HISTORY() antlr.TerminalNode
	INT() antlr.TerminalNode
	COLON_PART() antlr.TerminalNode

	// IsTimeEndContext differentiates from other interfaces.
	IsTimeEndContext()
}

type TimeEndContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyTimeEndContext() *TimeEndContext {
	var p = new(TimeEndContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_timeEnd
	return p
}

func InitEmptyTimeEndContext(p *TimeEndContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_timeEnd
}

func (*TimeEndContext) IsTimeEndContext() {}

func NewTimeEndContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *TimeEndContext {
	var p = new(TimeEndContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_timeEnd

	return p
}

func (s *TimeEndContext) GetParser() antlr.Parser { return s.parser }

func (s *TimeEndContext) RANGE() antlr.TerminalNode {
	return s.GetToken(PactParserRANGE, 0)
}

func (s *TimeEndContext) COLON() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON, 0)
}

func (s *TimeEndContext) COMMA() antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, 0)
}

func (s *TimeEndContext) TIME() antlr.TerminalNode {
	return s.GetToken(PactParserTIME, 0)
}

func (s *TimeEndContext) EVERY() antlr.TerminalNode {
	return s.GetToken(PactParserEVERY, 0)
}

func (s *TimeEndContext) HISTORY() antlr.TerminalNode {
	return s.GetToken(PactParserHISTORY, 0)
}

func (s *TimeEndContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *TimeEndContext) COLON_PART() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_PART, 0)
}

func (s *TimeEndContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *TimeEndContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) TimeEnd() (localctx ITimeEndContext) {
	localctx = NewTimeEndContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 6, PactParserRULE_timeEnd)
	var _la int

	p.SetState(89)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserRANGE, PactParserCOMMA, PactParserCOLON:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(86)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&1073742400) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		{
			p.SetState(87)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&140737488355342) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

	case PactParserCOLON_PART:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(88)
			p.Match(PactParserCOLON_PART)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ITailContext is an interface to support dynamic dispatch.
type ITailContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllCONTROL() []antlr.TerminalNode
	CONTROL(i int) antlr.TerminalNode
	AllLateTime() []ILateTimeContext
	LateTime(i int) ILateTimeContext
	AllTags() []ITagsContext
	Tags(i int) ITagsContext
	AllProps() []IPropsContext
	Props(i int) IPropsContext
	AllBehavior() []IBehaviorContext
	Behavior(i int) IBehaviorContext

	// IsTailContext differentiates from other interfaces.
	IsTailContext()
}

type TailContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyTailContext() *TailContext {
	var p = new(TailContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_tail
	return p
}

func InitEmptyTailContext(p *TailContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_tail
}

func (*TailContext) IsTailContext() {}

func NewTailContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *TailContext {
	var p = new(TailContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_tail

	return p
}

func (s *TailContext) GetParser() antlr.Parser { return s.parser }

func (s *TailContext) AllCONTROL() []antlr.TerminalNode {
	return s.GetTokens(PactParserCONTROL)
}

func (s *TailContext) CONTROL(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCONTROL, i)
}

func (s *TailContext) AllLateTime() []ILateTimeContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(ILateTimeContext); ok {
			len++
		}
	}

	tst := make([]ILateTimeContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(ILateTimeContext); ok {
			tst[i] = t.(ILateTimeContext)
			i++
		}
	}

	return tst
}

func (s *TailContext) LateTime(i int) ILateTimeContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILateTimeContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILateTimeContext)
}

func (s *TailContext) AllTags() []ITagsContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(ITagsContext); ok {
			len++
		}
	}

	tst := make([]ITagsContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(ITagsContext); ok {
			tst[i] = t.(ITagsContext)
			i++
		}
	}

	return tst
}

func (s *TailContext) Tags(i int) ITagsContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITagsContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITagsContext)
}

func (s *TailContext) AllProps() []IPropsContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IPropsContext); ok {
			len++
		}
	}

	tst := make([]IPropsContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IPropsContext); ok {
			tst[i] = t.(IPropsContext)
			i++
		}
	}

	return tst
}

func (s *TailContext) Props(i int) IPropsContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPropsContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPropsContext)
}

func (s *TailContext) AllBehavior() []IBehaviorContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IBehaviorContext); ok {
			len++
		}
	}

	tst := make([]IBehaviorContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IBehaviorContext); ok {
			tst[i] = t.(IBehaviorContext)
			i++
		}
	}

	return tst
}

func (s *TailContext) Behavior(i int) IBehaviorContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBehaviorContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBehaviorContext)
}

func (s *TailContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *TailContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Tail() (localctx ITailContext) {
	localctx = NewTailContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 8, PactParserRULE_tail)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(105)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&62) != 0 {
		p.SetState(93)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PactParserCONTROL:
			{
				p.SetState(91)
				p.Match(PactParserCONTROL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PactParserTIME, PactParserEVERY, PactParserHISTORY, PactParserLATE_TIME:
			{
				p.SetState(92)
				p.LateTime()
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		p.SetState(100)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&42949705728) != 0 {
			p.SetState(98)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PactParserTAG:
				{
					p.SetState(95)
					p.Tags()
				}

			case PactParserLBRACE:
				{
					p.SetState(96)
					p.Props()
				}

			case PactParserLBRACK:
				{
					p.SetState(97)
					p.Behavior()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}

			p.SetState(102)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

		p.SetState(107)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ILateTimeContext is an interface to support dynamic dispatch.
type ILateTimeContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LATE_TIME() antlr.TerminalNode
	AllTIME() []antlr.TerminalNode
	TIME(i int) antlr.TerminalNode
	AllEVERY() []antlr.TerminalNode
	EVERY(i int) antlr.TerminalNode
	AllHISTORY() []antlr.TerminalNode
	HISTORY(i int) antlr.TerminalNode
	COLON_PART() antlr.TerminalNode
	RANGE() antlr.TerminalNode
	COLON() antlr.TerminalNode
	INT() antlr.TerminalNode

	// IsLateTimeContext differentiates from other interfaces.
	IsLateTimeContext()
}

type LateTimeContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyLateTimeContext() *LateTimeContext {
	var p = new(LateTimeContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_lateTime
	return p
}

func InitEmptyLateTimeContext(p *LateTimeContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_lateTime
}

func (*LateTimeContext) IsLateTimeContext() {}

func NewLateTimeContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *LateTimeContext {
	var p = new(LateTimeContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_lateTime

	return p
}

func (s *LateTimeContext) GetParser() antlr.Parser { return s.parser }

func (s *LateTimeContext) LATE_TIME() antlr.TerminalNode {
	return s.GetToken(PactParserLATE_TIME, 0)
}

func (s *LateTimeContext) AllTIME() []antlr.TerminalNode {
	return s.GetTokens(PactParserTIME)
}

func (s *LateTimeContext) TIME(i int) antlr.TerminalNode {
	return s.GetToken(PactParserTIME, i)
}

func (s *LateTimeContext) AllEVERY() []antlr.TerminalNode {
	return s.GetTokens(PactParserEVERY)
}

func (s *LateTimeContext) EVERY(i int) antlr.TerminalNode {
	return s.GetToken(PactParserEVERY, i)
}

func (s *LateTimeContext) AllHISTORY() []antlr.TerminalNode {
	return s.GetTokens(PactParserHISTORY)
}

func (s *LateTimeContext) HISTORY(i int) antlr.TerminalNode {
	return s.GetToken(PactParserHISTORY, i)
}

func (s *LateTimeContext) COLON_PART() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_PART, 0)
}

func (s *LateTimeContext) RANGE() antlr.TerminalNode {
	return s.GetToken(PactParserRANGE, 0)
}

func (s *LateTimeContext) COLON() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON, 0)
}

func (s *LateTimeContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *LateTimeContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *LateTimeContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) LateTime() (localctx ILateTimeContext) {
	localctx = NewLateTimeContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 10, PactParserRULE_lateTime)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(108)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&30) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(112)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PactParserRANGE, PactParserCOLON:
		{
			p.SetState(109)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserRANGE || _la == PactParserCOLON) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		{
			p.SetState(110)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&140737488355342) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

	case PactParserCOLON_PART:
		{
			p.SetState(111)
			p.Match(PactParserCOLON_PART)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserEOF, PactParserTIME, PactParserEVERY, PactParserHISTORY, PactParserLATE_TIME, PactParserCONTROL, PactParserCOMMA, PactParserTAG, PactParserLBRACK, PactParserLBRACE:

	default:
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IChainContext is an interface to support dynamic dispatch.
type IChainContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllStep() []IStepContext
	Step(i int) IStepContext
	AllLateStep() []ILateStepContext
	LateStep(i int) ILateStepContext
	AllGT() []antlr.TerminalNode
	GT(i int) antlr.TerminalNode
	AllDESC() []antlr.TerminalNode
	DESC(i int) antlr.TerminalNode

	// IsChainContext differentiates from other interfaces.
	IsChainContext()
}

type ChainContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyChainContext() *ChainContext {
	var p = new(ChainContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_chain
	return p
}

func InitEmptyChainContext(p *ChainContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_chain
}

func (*ChainContext) IsChainContext() {}

func NewChainContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ChainContext {
	var p = new(ChainContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_chain

	return p
}

func (s *ChainContext) GetParser() antlr.Parser { return s.parser }

func (s *ChainContext) AllStep() []IStepContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IStepContext); ok {
			len++
		}
	}

	tst := make([]IStepContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IStepContext); ok {
			tst[i] = t.(IStepContext)
			i++
		}
	}

	return tst
}

func (s *ChainContext) Step(i int) IStepContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IStepContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IStepContext)
}

func (s *ChainContext) AllLateStep() []ILateStepContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(ILateStepContext); ok {
			len++
		}
	}

	tst := make([]ILateStepContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(ILateStepContext); ok {
			tst[i] = t.(ILateStepContext)
			i++
		}
	}

	return tst
}

func (s *ChainContext) LateStep(i int) ILateStepContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILateStepContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILateStepContext)
}

func (s *ChainContext) AllGT() []antlr.TerminalNode {
	return s.GetTokens(PactParserGT)
}

func (s *ChainContext) GT(i int) antlr.TerminalNode {
	return s.GetToken(PactParserGT, i)
}

func (s *ChainContext) AllDESC() []antlr.TerminalNode {
	return s.GetTokens(PactParserDESC)
}

func (s *ChainContext) DESC(i int) antlr.TerminalNode {
	return s.GetToken(PactParserDESC, i)
}

func (s *ChainContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ChainContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Chain() (localctx IChainContext) {
	localctx = NewChainContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 12, PactParserRULE_chain)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(114)
		p.Step()
	}
	p.SetState(120)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2251937873395712) != 0 {
		p.SetState(118)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PactParserGT, PactParserDESC:
			{
				p.SetState(115)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserGT || _la == PactParserDESC) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(116)
				p.Step()
			}

		case PactParserLATE_NTH, PactParserLATE_DEPTH, PactParserLATE_NAME:
			{
				p.SetState(117)
				p.LateStep()
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

		p.SetState(122)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ILateStepContext is an interface to support dynamic dispatch.
type ILateStepContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Late() ILateContext
	AllQualifier() []IQualifierContext
	Qualifier(i int) IQualifierContext

	// IsLateStepContext differentiates from other interfaces.
	IsLateStepContext()
}

type LateStepContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyLateStepContext() *LateStepContext {
	var p = new(LateStepContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_lateStep
	return p
}

func InitEmptyLateStepContext(p *LateStepContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_lateStep
}

func (*LateStepContext) IsLateStepContext() {}

func NewLateStepContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *LateStepContext {
	var p = new(LateStepContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_lateStep

	return p
}

func (s *LateStepContext) GetParser() antlr.Parser { return s.parser }

func (s *LateStepContext) Late() ILateContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILateContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILateContext)
}

func (s *LateStepContext) AllQualifier() []IQualifierContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IQualifierContext); ok {
			len++
		}
	}

	tst := make([]IQualifierContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IQualifierContext); ok {
			tst[i] = t.(IQualifierContext)
			i++
		}
	}

	return tst
}

func (s *LateStepContext) Qualifier(i int) IQualifierContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IQualifierContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IQualifierContext)
}

func (s *LateStepContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *LateStepContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) LateStep() (localctx ILateStepContext) {
	localctx = NewLateStepContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 14, PactParserRULE_lateStep)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(123)
		p.Late()
	}
	p.SetState(127)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&45541810176) != 0 {
		{
			p.SetState(124)
			p.Qualifier()
		}

		p.SetState(129)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IStepContext is an interface to support dynamic dispatch.
type IStepContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Anchor() IAnchorContext
	AllQualifier() []IQualifierContext
	Qualifier(i int) IQualifierContext

	// IsStepContext differentiates from other interfaces.
	IsStepContext()
}

type StepContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyStepContext() *StepContext {
	var p = new(StepContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_step
	return p
}

func InitEmptyStepContext(p *StepContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_step
}

func (*StepContext) IsStepContext() {}

func NewStepContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *StepContext {
	var p = new(StepContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_step

	return p
}

func (s *StepContext) GetParser() antlr.Parser { return s.parser }

func (s *StepContext) Anchor() IAnchorContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAnchorContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAnchorContext)
}

func (s *StepContext) AllQualifier() []IQualifierContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IQualifierContext); ok {
			len++
		}
	}

	tst := make([]IQualifierContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IQualifierContext); ok {
			tst[i] = t.(IQualifierContext)
			i++
		}
	}

	return tst
}

func (s *StepContext) Qualifier(i int) IQualifierContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IQualifierContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IQualifierContext)
}

func (s *StepContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *StepContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Step() (localctx IStepContext) {
	localctx = NewStepContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 16, PactParserRULE_step)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(130)
		p.Anchor()
	}
	p.SetState(134)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&45541810176) != 0 {
		{
			p.SetState(131)
			p.Qualifier()
		}

		p.SetState(136)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IAnchorContext is an interface to support dynamic dispatch.
type IAnchorContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	STAR() antlr.TerminalNode
	STAR_SIGN() antlr.TerminalNode
	REGION() antlr.TerminalNode
	Depth() IDepthContext
	DEPTH_CALL() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext
	TYPE() antlr.TerminalNode
	KEY() antlr.TerminalNode
	QUOTED_KEY() antlr.TerminalNode
	Tags() ITagsContext
	Props() IPropsContext
	Behavior() IBehaviorContext
	COLON_NAME() antlr.TerminalNode
	NTH_CALL() antlr.TerminalNode
	DEPTH_PSEUDO() antlr.TerminalNode
	Late() ILateContext
	Paren() IParenContext
	WITHIN_CALL() antlr.TerminalNode
	AllItem() []IItemContext
	Item(i int) IItemContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	CONT_AT() antlr.TerminalNode
	INT() antlr.TerminalNode
	NAME() antlr.TerminalNode

	// IsAnchorContext differentiates from other interfaces.
	IsAnchorContext()
}

type AnchorContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyAnchorContext() *AnchorContext {
	var p = new(AnchorContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_anchor
	return p
}

func InitEmptyAnchorContext(p *AnchorContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_anchor
}

func (*AnchorContext) IsAnchorContext() {}

func NewAnchorContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *AnchorContext {
	var p = new(AnchorContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_anchor

	return p
}

func (s *AnchorContext) GetParser() antlr.Parser { return s.parser }

func (s *AnchorContext) STAR() antlr.TerminalNode {
	return s.GetToken(PactParserSTAR, 0)
}

func (s *AnchorContext) STAR_SIGN() antlr.TerminalNode {
	return s.GetToken(PactParserSTAR_SIGN, 0)
}

func (s *AnchorContext) REGION() antlr.TerminalNode {
	return s.GetToken(PactParserREGION, 0)
}

func (s *AnchorContext) Depth() IDepthContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IDepthContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IDepthContext)
}

func (s *AnchorContext) DEPTH_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_CALL, 0)
}

func (s *AnchorContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *AnchorContext) AllArgument() []IArgumentContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IArgumentContext); ok {
			len++
		}
	}

	tst := make([]IArgumentContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IArgumentContext); ok {
			tst[i] = t.(IArgumentContext)
			i++
		}
	}

	return tst
}

func (s *AnchorContext) Argument(i int) IArgumentContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IArgumentContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IArgumentContext)
}

func (s *AnchorContext) TYPE() antlr.TerminalNode {
	return s.GetToken(PactParserTYPE, 0)
}

func (s *AnchorContext) KEY() antlr.TerminalNode {
	return s.GetToken(PactParserKEY, 0)
}

func (s *AnchorContext) QUOTED_KEY() antlr.TerminalNode {
	return s.GetToken(PactParserQUOTED_KEY, 0)
}

func (s *AnchorContext) Tags() ITagsContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITagsContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITagsContext)
}

func (s *AnchorContext) Props() IPropsContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPropsContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPropsContext)
}

func (s *AnchorContext) Behavior() IBehaviorContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBehaviorContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBehaviorContext)
}

func (s *AnchorContext) COLON_NAME() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_NAME, 0)
}

func (s *AnchorContext) NTH_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserNTH_CALL, 0)
}

func (s *AnchorContext) DEPTH_PSEUDO() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_PSEUDO, 0)
}

func (s *AnchorContext) Late() ILateContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILateContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILateContext)
}

func (s *AnchorContext) Paren() IParenContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParenContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParenContext)
}

func (s *AnchorContext) WITHIN_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserWITHIN_CALL, 0)
}

func (s *AnchorContext) AllItem() []IItemContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IItemContext); ok {
			len++
		}
	}

	tst := make([]IItemContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IItemContext); ok {
			tst[i] = t.(IItemContext)
			i++
		}
	}

	return tst
}

func (s *AnchorContext) Item(i int) IItemContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IItemContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IItemContext)
}

func (s *AnchorContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *AnchorContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *AnchorContext) CONT_AT() antlr.TerminalNode {
	return s.GetToken(PactParserCONT_AT, 0)
}

func (s *AnchorContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *AnchorContext) NAME() antlr.TerminalNode {
	return s.GetToken(PactParserNAME, 0)
}

func (s *AnchorContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *AnchorContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Anchor() (localctx IAnchorContext) {
	localctx = NewAnchorContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 18, PactParserRULE_anchor)
	var _la int

	p.SetState(188)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserSTAR:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(137)
			p.Match(PactParserSTAR)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserSTAR_SIGN:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(138)
			p.Match(PactParserSTAR_SIGN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserREGION:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(139)
			p.Match(PactParserREGION)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDEPTH, PactParserDEPTH_DECIMAL:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(140)
			p.Depth()
		}

	case PactParserDEPTH_CALL:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(141)
			p.Match(PactParserDEPTH_CALL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(145)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(142)
				p.Argument()
			}

			p.SetState(147)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(148)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserTYPE:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(149)
			p.Match(PactParserTYPE)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserKEY:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(150)
			p.Match(PactParserKEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserQUOTED_KEY:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(151)
			p.Match(PactParserQUOTED_KEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserTAG:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(152)
			p.Tags()
		}

	case PactParserLBRACE:
		p.EnterOuterAlt(localctx, 10)
		{
			p.SetState(153)
			p.Props()
		}

	case PactParserLBRACK:
		p.EnterOuterAlt(localctx, 11)
		{
			p.SetState(154)
			p.Behavior()
		}

	case PactParserCOLON_NAME:
		p.EnterOuterAlt(localctx, 12)
		{
			p.SetState(155)
			p.Match(PactParserCOLON_NAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserNTH_CALL:
		p.EnterOuterAlt(localctx, 13)
		{
			p.SetState(156)
			p.Match(PactParserNTH_CALL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(160)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(157)
				p.Argument()
			}

			p.SetState(162)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(163)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDEPTH_PSEUDO:
		p.EnterOuterAlt(localctx, 14)
		{
			p.SetState(164)
			p.Match(PactParserDEPTH_PSEUDO)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(168)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(165)
				p.Argument()
			}

			p.SetState(170)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(171)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserLATE_NTH, PactParserLATE_DEPTH, PactParserLATE_NAME:
		p.EnterOuterAlt(localctx, 15)
		{
			p.SetState(172)
			p.Late()
		}

	case PactParserLPAREN:
		p.EnterOuterAlt(localctx, 16)
		{
			p.SetState(173)
			p.Paren()
		}

	case PactParserWITHIN_CALL:
		p.EnterOuterAlt(localctx, 17)
		{
			p.SetState(174)
			p.Match(PactParserWITHIN_CALL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(175)
			p.Item()
		}
		p.SetState(180)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserCOMMA {
			{
				p.SetState(176)
				p.Match(PactParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(177)
				p.Item()
			}

			p.SetState(182)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(183)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserCONT_AT:
		p.EnterOuterAlt(localctx, 18)
		{
			p.SetState(185)
			p.Match(PactParserCONT_AT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserINT:
		p.EnterOuterAlt(localctx, 19)
		{
			p.SetState(186)
			p.Match(PactParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserNAME:
		p.EnterOuterAlt(localctx, 20)
		{
			p.SetState(187)
			p.Match(PactParserNAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ILateContext is an interface to support dynamic dispatch.
type ILateContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LATE_NAME() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	LATE_NTH() antlr.TerminalNode
	LATE_DEPTH() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext

	// IsLateContext differentiates from other interfaces.
	IsLateContext()
}

type LateContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyLateContext() *LateContext {
	var p = new(LateContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_late
	return p
}

func InitEmptyLateContext(p *LateContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_late
}

func (*LateContext) IsLateContext() {}

func NewLateContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *LateContext {
	var p = new(LateContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_late

	return p
}

func (s *LateContext) GetParser() antlr.Parser { return s.parser }

func (s *LateContext) LATE_NAME() antlr.TerminalNode {
	return s.GetToken(PactParserLATE_NAME, 0)
}

func (s *LateContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *LateContext) LATE_NTH() antlr.TerminalNode {
	return s.GetToken(PactParserLATE_NTH, 0)
}

func (s *LateContext) LATE_DEPTH() antlr.TerminalNode {
	return s.GetToken(PactParserLATE_DEPTH, 0)
}

func (s *LateContext) AllArgument() []IArgumentContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IArgumentContext); ok {
			len++
		}
	}

	tst := make([]IArgumentContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IArgumentContext); ok {
			tst[i] = t.(IArgumentContext)
			i++
		}
	}

	return tst
}

func (s *LateContext) Argument(i int) IArgumentContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IArgumentContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IArgumentContext)
}

func (s *LateContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *LateContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Late() (localctx ILateContext) {
	localctx = NewLateContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 20, PactParserRULE_late)
	var _la int

	p.SetState(199)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserLATE_NAME:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(190)
			p.Match(PactParserLATE_NAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserLATE_NTH, PactParserLATE_DEPTH:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(191)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserLATE_NTH || _la == PactParserLATE_DEPTH) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		p.SetState(195)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(192)
				p.Argument()
			}

			p.SetState(197)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(198)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IDepthContext is an interface to support dynamic dispatch.
type IDepthContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllDEPTH() []antlr.TerminalNode
	DEPTH(i int) antlr.TerminalNode
	AllDEPTH_DECIMAL() []antlr.TerminalNode
	DEPTH_DECIMAL(i int) antlr.TerminalNode
	RANGE() antlr.TerminalNode
	INT() antlr.TerminalNode
	DECIMAL() antlr.TerminalNode

	// IsDepthContext differentiates from other interfaces.
	IsDepthContext()
}

type DepthContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyDepthContext() *DepthContext {
	var p = new(DepthContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_depth
	return p
}

func InitEmptyDepthContext(p *DepthContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_depth
}

func (*DepthContext) IsDepthContext() {}

func NewDepthContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *DepthContext {
	var p = new(DepthContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_depth

	return p
}

func (s *DepthContext) GetParser() antlr.Parser { return s.parser }

func (s *DepthContext) AllDEPTH() []antlr.TerminalNode {
	return s.GetTokens(PactParserDEPTH)
}

func (s *DepthContext) DEPTH(i int) antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH, i)
}

func (s *DepthContext) AllDEPTH_DECIMAL() []antlr.TerminalNode {
	return s.GetTokens(PactParserDEPTH_DECIMAL)
}

func (s *DepthContext) DEPTH_DECIMAL(i int) antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_DECIMAL, i)
}

func (s *DepthContext) RANGE() antlr.TerminalNode {
	return s.GetToken(PactParserRANGE, 0)
}

func (s *DepthContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *DepthContext) DECIMAL() antlr.TerminalNode {
	return s.GetToken(PactParserDECIMAL, 0)
}

func (s *DepthContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *DepthContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Depth() (localctx IDepthContext) {
	localctx = NewDepthContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 22, PactParserRULE_depth)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(201)
		_la = p.GetTokenStream().LA(1)

		if !(_la == PactParserDEPTH || _la == PactParserDEPTH_DECIMAL) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(204)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserRANGE {
		{
			p.SetState(202)
			p.Match(PactParserRANGE)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(203)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&422212465852416) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IParenContext is an interface to support dynamic dispatch.
type IParenContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LPAREN() antlr.TerminalNode
	AllItem() []IItemContext
	Item(i int) IItemContext
	RPAREN() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsParenContext differentiates from other interfaces.
	IsParenContext()
}

type ParenContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyParenContext() *ParenContext {
	var p = new(ParenContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_paren
	return p
}

func InitEmptyParenContext(p *ParenContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_paren
}

func (*ParenContext) IsParenContext() {}

func NewParenContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ParenContext {
	var p = new(ParenContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_paren

	return p
}

func (s *ParenContext) GetParser() antlr.Parser { return s.parser }

func (s *ParenContext) LPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserLPAREN, 0)
}

func (s *ParenContext) AllItem() []IItemContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IItemContext); ok {
			len++
		}
	}

	tst := make([]IItemContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IItemContext); ok {
			tst[i] = t.(IItemContext)
			i++
		}
	}

	return tst
}

func (s *ParenContext) Item(i int) IItemContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IItemContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IItemContext)
}

func (s *ParenContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *ParenContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *ParenContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *ParenContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ParenContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Paren() (localctx IParenContext) {
	localctx = NewParenContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 24, PactParserRULE_paren)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(206)
		p.Match(PactParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(207)
		p.Item()
	}
	p.SetState(212)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOMMA {
		{
			p.SetState(208)
			p.Match(PactParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(209)
			p.Item()
		}

		p.SetState(214)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(215)
		p.Match(PactParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IItemContext is an interface to support dynamic dispatch.
type IItemContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllChain() []IChainContext
	Chain(i int) IChainContext
	AllFALLBACK() []antlr.TerminalNode
	FALLBACK(i int) antlr.TerminalNode

	// IsItemContext differentiates from other interfaces.
	IsItemContext()
}

type ItemContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyItemContext() *ItemContext {
	var p = new(ItemContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_item
	return p
}

func InitEmptyItemContext(p *ItemContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_item
}

func (*ItemContext) IsItemContext() {}

func NewItemContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ItemContext {
	var p = new(ItemContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_item

	return p
}

func (s *ItemContext) GetParser() antlr.Parser { return s.parser }

func (s *ItemContext) AllChain() []IChainContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IChainContext); ok {
			len++
		}
	}

	tst := make([]IChainContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IChainContext); ok {
			tst[i] = t.(IChainContext)
			i++
		}
	}

	return tst
}

func (s *ItemContext) Chain(i int) IChainContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IChainContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IChainContext)
}

func (s *ItemContext) AllFALLBACK() []antlr.TerminalNode {
	return s.GetTokens(PactParserFALLBACK)
}

func (s *ItemContext) FALLBACK(i int) antlr.TerminalNode {
	return s.GetToken(PactParserFALLBACK, i)
}

func (s *ItemContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ItemContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Item() (localctx IItemContext) {
	localctx = NewItemContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 26, PactParserRULE_item)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(225)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&703733344234496) != 0 {
		{
			p.SetState(217)
			p.Chain()
		}
		p.SetState(222)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserFALLBACK {
			{
				p.SetState(218)
				p.Match(PactParserFALLBACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(219)
				p.Chain()
			}

			p.SetState(224)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IQualifierContext is an interface to support dynamic dispatch.
type IQualifierContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Tags() ITagsContext
	Props() IPropsContext
	Behavior() IBehaviorContext
	Group() IGroupContext
	COLON_NAME() antlr.TerminalNode
	AllTYPE() []antlr.TerminalNode
	TYPE(i int) antlr.TerminalNode
	AllDOT_PART() []antlr.TerminalNode
	DOT_PART(i int) antlr.TerminalNode
	COLON_PART() antlr.TerminalNode
	NTH_CALL() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext
	DEPTH_PSEUDO() antlr.TerminalNode
	KEY() antlr.TerminalNode
	QUOTED_KEY() antlr.TerminalNode

	// IsQualifierContext differentiates from other interfaces.
	IsQualifierContext()
}

type QualifierContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyQualifierContext() *QualifierContext {
	var p = new(QualifierContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_qualifier
	return p
}

func InitEmptyQualifierContext(p *QualifierContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_qualifier
}

func (*QualifierContext) IsQualifierContext() {}

func NewQualifierContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *QualifierContext {
	var p = new(QualifierContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_qualifier

	return p
}

func (s *QualifierContext) GetParser() antlr.Parser { return s.parser }

func (s *QualifierContext) Tags() ITagsContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITagsContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITagsContext)
}

func (s *QualifierContext) Props() IPropsContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPropsContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPropsContext)
}

func (s *QualifierContext) Behavior() IBehaviorContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBehaviorContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBehaviorContext)
}

func (s *QualifierContext) Group() IGroupContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IGroupContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IGroupContext)
}

func (s *QualifierContext) COLON_NAME() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_NAME, 0)
}

func (s *QualifierContext) AllTYPE() []antlr.TerminalNode {
	return s.GetTokens(PactParserTYPE)
}

func (s *QualifierContext) TYPE(i int) antlr.TerminalNode {
	return s.GetToken(PactParserTYPE, i)
}

func (s *QualifierContext) AllDOT_PART() []antlr.TerminalNode {
	return s.GetTokens(PactParserDOT_PART)
}

func (s *QualifierContext) DOT_PART(i int) antlr.TerminalNode {
	return s.GetToken(PactParserDOT_PART, i)
}

func (s *QualifierContext) COLON_PART() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_PART, 0)
}

func (s *QualifierContext) NTH_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserNTH_CALL, 0)
}

func (s *QualifierContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *QualifierContext) AllArgument() []IArgumentContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IArgumentContext); ok {
			len++
		}
	}

	tst := make([]IArgumentContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IArgumentContext); ok {
			tst[i] = t.(IArgumentContext)
			i++
		}
	}

	return tst
}

func (s *QualifierContext) Argument(i int) IArgumentContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IArgumentContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IArgumentContext)
}

func (s *QualifierContext) DEPTH_PSEUDO() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_PSEUDO, 0)
}

func (s *QualifierContext) KEY() antlr.TerminalNode {
	return s.GetToken(PactParserKEY, 0)
}

func (s *QualifierContext) QUOTED_KEY() antlr.TerminalNode {
	return s.GetToken(PactParserQUOTED_KEY, 0)
}

func (s *QualifierContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *QualifierContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Qualifier() (localctx IQualifierContext) {
	localctx = NewQualifierContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 28, PactParserRULE_qualifier)
	var _la int

	p.SetState(263)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserTAG:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(227)
			p.Tags()
		}

	case PactParserLBRACE:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(228)
			p.Props()
		}

	case PactParserLBRACK:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(229)
			p.Behavior()
		}

	case PactParserLPAREN:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(230)
			p.Group()
		}

	case PactParserCOLON_NAME:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(231)
			p.Match(PactParserCOLON_NAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(235)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserTYPE || _la == PactParserDOT_PART {
			{
				p.SetState(232)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserTYPE || _la == PactParserDOT_PART) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(237)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	case PactParserCOLON_PART:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(238)
			p.Match(PactParserCOLON_PART)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(242)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserTYPE || _la == PactParserDOT_PART {
			{
				p.SetState(239)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserTYPE || _la == PactParserDOT_PART) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(244)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	case PactParserNTH_CALL:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(245)
			p.Match(PactParserNTH_CALL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(249)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(246)
				p.Argument()
			}

			p.SetState(251)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(252)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDEPTH_PSEUDO:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(253)
			p.Match(PactParserDEPTH_PSEUDO)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(257)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0 {
			{
				p.SetState(254)
				p.Argument()
			}

			p.SetState(259)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(260)
			p.Match(PactParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserKEY:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(261)
			p.Match(PactParserKEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserQUOTED_KEY:
		p.EnterOuterAlt(localctx, 10)
		{
			p.SetState(262)
			p.Match(PactParserQUOTED_KEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// ITagsContext is an interface to support dynamic dispatch.
type ITagsContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	TAG() antlr.TerminalNode

	// IsTagsContext differentiates from other interfaces.
	IsTagsContext()
}

type TagsContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyTagsContext() *TagsContext {
	var p = new(TagsContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_tags
	return p
}

func InitEmptyTagsContext(p *TagsContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_tags
}

func (*TagsContext) IsTagsContext() {}

func NewTagsContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *TagsContext {
	var p = new(TagsContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_tags

	return p
}

func (s *TagsContext) GetParser() antlr.Parser { return s.parser }

func (s *TagsContext) TAG() antlr.TerminalNode {
	return s.GetToken(PactParserTAG, 0)
}

func (s *TagsContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *TagsContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Tags() (localctx ITagsContext) {
	localctx = NewTagsContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 30, PactParserRULE_tags)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(265)
		p.Match(PactParserTAG)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IPropsContext is an interface to support dynamic dispatch.
type IPropsContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LBRACE() antlr.TerminalNode
	Attributes() IAttributesContext
	RBRACE() antlr.TerminalNode

	// IsPropsContext differentiates from other interfaces.
	IsPropsContext()
}

type PropsContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyPropsContext() *PropsContext {
	var p = new(PropsContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_props
	return p
}

func InitEmptyPropsContext(p *PropsContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_props
}

func (*PropsContext) IsPropsContext() {}

func NewPropsContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *PropsContext {
	var p = new(PropsContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_props

	return p
}

func (s *PropsContext) GetParser() antlr.Parser { return s.parser }

func (s *PropsContext) LBRACE() antlr.TerminalNode {
	return s.GetToken(PactParserLBRACE, 0)
}

func (s *PropsContext) Attributes() IAttributesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributesContext)
}

func (s *PropsContext) RBRACE() antlr.TerminalNode {
	return s.GetToken(PactParserRBRACE, 0)
}

func (s *PropsContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *PropsContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Props() (localctx IPropsContext) {
	localctx = NewPropsContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 32, PactParserRULE_props)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(267)
		p.Match(PactParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(268)
		p.Attributes()
	}
	{
		p.SetState(269)
		p.Match(PactParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IBehaviorContext is an interface to support dynamic dispatch.
type IBehaviorContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LBRACK() antlr.TerminalNode
	Attributes() IAttributesContext
	RBRACK() antlr.TerminalNode

	// IsBehaviorContext differentiates from other interfaces.
	IsBehaviorContext()
}

type BehaviorContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyBehaviorContext() *BehaviorContext {
	var p = new(BehaviorContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_behavior
	return p
}

func InitEmptyBehaviorContext(p *BehaviorContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_behavior
}

func (*BehaviorContext) IsBehaviorContext() {}

func NewBehaviorContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *BehaviorContext {
	var p = new(BehaviorContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_behavior

	return p
}

func (s *BehaviorContext) GetParser() antlr.Parser { return s.parser }

func (s *BehaviorContext) LBRACK() antlr.TerminalNode {
	return s.GetToken(PactParserLBRACK, 0)
}

func (s *BehaviorContext) Attributes() IAttributesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributesContext)
}

func (s *BehaviorContext) RBRACK() antlr.TerminalNode {
	return s.GetToken(PactParserRBRACK, 0)
}

func (s *BehaviorContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *BehaviorContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Behavior() (localctx IBehaviorContext) {
	localctx = NewBehaviorContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 34, PactParserRULE_behavior)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(271)
		p.Match(PactParserLBRACK)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(272)
		p.Attributes()
	}
	{
		p.SetState(273)
		p.Match(PactParserRBRACK)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IGroupContext is an interface to support dynamic dispatch.
type IGroupContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LPAREN() antlr.TerminalNode
	Attributes() IAttributesContext
	RPAREN() antlr.TerminalNode

	// IsGroupContext differentiates from other interfaces.
	IsGroupContext()
}

type GroupContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyGroupContext() *GroupContext {
	var p = new(GroupContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_group
	return p
}

func InitEmptyGroupContext(p *GroupContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_group
}

func (*GroupContext) IsGroupContext() {}

func NewGroupContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *GroupContext {
	var p = new(GroupContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_group

	return p
}

func (s *GroupContext) GetParser() antlr.Parser { return s.parser }

func (s *GroupContext) LPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserLPAREN, 0)
}

func (s *GroupContext) Attributes() IAttributesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributesContext)
}

func (s *GroupContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *GroupContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *GroupContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Group() (localctx IGroupContext) {
	localctx = NewGroupContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 36, PactParserRULE_group)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(275)
		p.Match(PactParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(276)
		p.Attributes()
	}
	{
		p.SetState(277)
		p.Match(PactParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IArgumentContext is an interface to support dynamic dispatch.
type IArgumentContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	INT() antlr.TerminalNode
	DECIMAL() antlr.TerminalNode
	DEPTH() antlr.TerminalNode
	NAME() antlr.TerminalNode
	STRING() antlr.TerminalNode
	COMMA() antlr.TerminalNode
	DESC() antlr.TerminalNode
	RANGE() antlr.TerminalNode
	GT() antlr.TerminalNode
	GE() antlr.TerminalNode
	LT() antlr.TerminalNode
	LE() antlr.TerminalNode
	STAR() antlr.TerminalNode
	LBRACE() antlr.TerminalNode
	RBRACE() antlr.TerminalNode

	// IsArgumentContext differentiates from other interfaces.
	IsArgumentContext()
}

type ArgumentContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyArgumentContext() *ArgumentContext {
	var p = new(ArgumentContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_argument
	return p
}

func InitEmptyArgumentContext(p *ArgumentContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_argument
}

func (*ArgumentContext) IsArgumentContext() {}

func NewArgumentContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ArgumentContext {
	var p = new(ArgumentContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_argument

	return p
}

func (s *ArgumentContext) GetParser() antlr.Parser { return s.parser }

func (s *ArgumentContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *ArgumentContext) DECIMAL() antlr.TerminalNode {
	return s.GetToken(PactParserDECIMAL, 0)
}

func (s *ArgumentContext) DEPTH() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH, 0)
}

func (s *ArgumentContext) NAME() antlr.TerminalNode {
	return s.GetToken(PactParserNAME, 0)
}

func (s *ArgumentContext) STRING() antlr.TerminalNode {
	return s.GetToken(PactParserSTRING, 0)
}

func (s *ArgumentContext) COMMA() antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, 0)
}

func (s *ArgumentContext) DESC() antlr.TerminalNode {
	return s.GetToken(PactParserDESC, 0)
}

func (s *ArgumentContext) RANGE() antlr.TerminalNode {
	return s.GetToken(PactParserRANGE, 0)
}

func (s *ArgumentContext) GT() antlr.TerminalNode {
	return s.GetToken(PactParserGT, 0)
}

func (s *ArgumentContext) GE() antlr.TerminalNode {
	return s.GetToken(PactParserGE, 0)
}

func (s *ArgumentContext) LT() antlr.TerminalNode {
	return s.GetToken(PactParserLT, 0)
}

func (s *ArgumentContext) LE() antlr.TerminalNode {
	return s.GetToken(PactParserLE, 0)
}

func (s *ArgumentContext) STAR() antlr.TerminalNode {
	return s.GetToken(PactParserSTAR, 0)
}

func (s *ArgumentContext) LBRACE() antlr.TerminalNode {
	return s.GetToken(PactParserLBRACE, 0)
}

func (s *ArgumentContext) RBRACE() antlr.TerminalNode {
	return s.GetToken(PactParserRBRACE, 0)
}

func (s *ArgumentContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ArgumentContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Argument() (localctx IArgumentContext) {
	localctx = NewArgumentContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 38, PactParserRULE_argument)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(279)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3315268076241472) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IAttributesContext is an interface to support dynamic dispatch.
type IAttributesContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllAttribute() []IAttributeContext
	Attribute(i int) IAttributeContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllDESC() []antlr.TerminalNode
	DESC(i int) antlr.TerminalNode

	// IsAttributesContext differentiates from other interfaces.
	IsAttributesContext()
}

type AttributesContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyAttributesContext() *AttributesContext {
	var p = new(AttributesContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_attributes
	return p
}

func InitEmptyAttributesContext(p *AttributesContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_attributes
}

func (*AttributesContext) IsAttributesContext() {}

func NewAttributesContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *AttributesContext {
	var p = new(AttributesContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_attributes

	return p
}

func (s *AttributesContext) GetParser() antlr.Parser { return s.parser }

func (s *AttributesContext) AllAttribute() []IAttributeContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IAttributeContext); ok {
			len++
		}
	}

	tst := make([]IAttributeContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IAttributeContext); ok {
			tst[i] = t.(IAttributeContext)
			i++
		}
	}

	return tst
}

func (s *AttributesContext) Attribute(i int) IAttributeContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributeContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributeContext)
}

func (s *AttributesContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *AttributesContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *AttributesContext) AllDESC() []antlr.TerminalNode {
	return s.GetTokens(PactParserDESC)
}

func (s *AttributesContext) DESC(i int) antlr.TerminalNode {
	return s.GetToken(PactParserDESC, i)
}

func (s *AttributesContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *AttributesContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Attributes() (localctx IAttributesContext) {
	localctx = NewAttributesContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 40, PactParserRULE_attributes)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(289)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserDEPTH || _la == PactParserNAME {
		{
			p.SetState(281)
			p.Attribute()
		}
		p.SetState(286)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserCOMMA || _la == PactParserDESC {
			{
				p.SetState(282)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserCOMMA || _la == PactParserDESC) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(283)
				p.Attribute()
			}

			p.SetState(288)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IAttributeContext is an interface to support dynamic dispatch.
type IAttributeContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Name() INameContext
	EQ() antlr.TerminalNode
	Value() IValueContext
	IN() antlr.TerminalNode
	Values() IValuesContext
	RBRACK() antlr.TerminalNode
	NE() antlr.TerminalNode
	LT() antlr.TerminalNode
	LE() antlr.TerminalNode
	GT() antlr.TerminalNode
	GE() antlr.TerminalNode
	MATCH() antlr.TerminalNode
	BAD_OPERATOR() antlr.TerminalNode
	LBRACK() antlr.TerminalNode

	// IsAttributeContext differentiates from other interfaces.
	IsAttributeContext()
}

type AttributeContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyAttributeContext() *AttributeContext {
	var p = new(AttributeContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_attribute
	return p
}

func InitEmptyAttributeContext(p *AttributeContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_attribute
}

func (*AttributeContext) IsAttributeContext() {}

func NewAttributeContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *AttributeContext {
	var p = new(AttributeContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_attribute

	return p
}

func (s *AttributeContext) GetParser() antlr.Parser { return s.parser }

func (s *AttributeContext) Name() INameContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(INameContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(INameContext)
}

func (s *AttributeContext) EQ() antlr.TerminalNode {
	return s.GetToken(PactParserEQ, 0)
}

func (s *AttributeContext) Value() IValueContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IValueContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IValueContext)
}

func (s *AttributeContext) IN() antlr.TerminalNode {
	return s.GetToken(PactParserIN, 0)
}

func (s *AttributeContext) Values() IValuesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IValuesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IValuesContext)
}

func (s *AttributeContext) RBRACK() antlr.TerminalNode {
	return s.GetToken(PactParserRBRACK, 0)
}

func (s *AttributeContext) NE() antlr.TerminalNode {
	return s.GetToken(PactParserNE, 0)
}

func (s *AttributeContext) LT() antlr.TerminalNode {
	return s.GetToken(PactParserLT, 0)
}

func (s *AttributeContext) LE() antlr.TerminalNode {
	return s.GetToken(PactParserLE, 0)
}

func (s *AttributeContext) GT() antlr.TerminalNode {
	return s.GetToken(PactParserGT, 0)
}

func (s *AttributeContext) GE() antlr.TerminalNode {
	return s.GetToken(PactParserGE, 0)
}

func (s *AttributeContext) MATCH() antlr.TerminalNode {
	return s.GetToken(PactParserMATCH, 0)
}

func (s *AttributeContext) BAD_OPERATOR() antlr.TerminalNode {
	return s.GetToken(PactParserBAD_OPERATOR, 0)
}

func (s *AttributeContext) LBRACK() antlr.TerminalNode {
	return s.GetToken(PactParserLBRACK, 0)
}

func (s *AttributeContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *AttributeContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Attribute() (localctx IAttributeContext) {
	localctx = NewAttributeContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 42, PactParserRULE_attribute)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(291)
		p.Name()
	}
	p.SetState(306)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PactParserEQ:
		{
			p.SetState(292)
			p.Match(PactParserEQ)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(298)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PactParserDEPTH, PactParserSTRING, PactParserINT, PactParserDECIMAL, PactParserNAME, PactParserBAD_WORD:
			{
				p.SetState(293)
				p.Value()
			}

		case PactParserLBRACK:
			{
				p.SetState(294)
				p.Match(PactParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(295)
				p.Values()
			}
			{
				p.SetState(296)
				p.Match(PactParserRBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

	case PactParserGT, PactParserNE, PactParserLT, PactParserLE, PactParserGE, PactParserMATCH, PactParserBAD_OPERATOR:
		{
			p.SetState(300)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&52364241272832) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		{
			p.SetState(301)
			p.Value()
		}

	case PactParserIN:
		{
			p.SetState(302)
			p.Match(PactParserIN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(303)
			p.Values()
		}
		{
			p.SetState(304)
			p.Match(PactParserRBRACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserCOMMA, PactParserRPAREN, PactParserRBRACK, PactParserRBRACE, PactParserDESC:

	default:
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IValuesContext is an interface to support dynamic dispatch.
type IValuesContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllValue() []IValueContext
	Value(i int) IValueContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsValuesContext differentiates from other interfaces.
	IsValuesContext()
}

type ValuesContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyValuesContext() *ValuesContext {
	var p = new(ValuesContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_values
	return p
}

func InitEmptyValuesContext(p *ValuesContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_values
}

func (*ValuesContext) IsValuesContext() {}

func NewValuesContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ValuesContext {
	var p = new(ValuesContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_values

	return p
}

func (s *ValuesContext) GetParser() antlr.Parser { return s.parser }

func (s *ValuesContext) AllValue() []IValueContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IValueContext); ok {
			len++
		}
	}

	tst := make([]IValueContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IValueContext); ok {
			tst[i] = t.(IValueContext)
			i++
		}
	}

	return tst
}

func (s *ValuesContext) Value(i int) IValueContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IValueContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IValueContext)
}

func (s *ValuesContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *ValuesContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *ValuesContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ValuesContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Values() (localctx IValuesContext) {
	localctx = NewValuesContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 44, PactParserRULE_values)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(316)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&5559130790297600) != 0 {
		{
			p.SetState(308)
			p.Value()
		}
		p.SetState(313)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserCOMMA {
			{
				p.SetState(309)
				p.Match(PactParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(310)
				p.Value()
			}

			p.SetState(315)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// IValueContext is an interface to support dynamic dispatch.
type IValueContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	STRING() antlr.TerminalNode
	INT() antlr.TerminalNode
	DECIMAL() antlr.TerminalNode
	BAD_WORD() antlr.TerminalNode
	Name() INameContext

	// IsValueContext differentiates from other interfaces.
	IsValueContext()
}

type ValueContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyValueContext() *ValueContext {
	var p = new(ValueContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_value
	return p
}

func InitEmptyValueContext(p *ValueContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_value
}

func (*ValueContext) IsValueContext() {}

func NewValueContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ValueContext {
	var p = new(ValueContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_value

	return p
}

func (s *ValueContext) GetParser() antlr.Parser { return s.parser }

func (s *ValueContext) STRING() antlr.TerminalNode {
	return s.GetToken(PactParserSTRING, 0)
}

func (s *ValueContext) INT() antlr.TerminalNode {
	return s.GetToken(PactParserINT, 0)
}

func (s *ValueContext) DECIMAL() antlr.TerminalNode {
	return s.GetToken(PactParserDECIMAL, 0)
}

func (s *ValueContext) BAD_WORD() antlr.TerminalNode {
	return s.GetToken(PactParserBAD_WORD, 0)
}

func (s *ValueContext) Name() INameContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(INameContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(INameContext)
}

func (s *ValueContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ValueContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Value() (localctx IValueContext) {
	localctx = NewValueContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 46, PactParserRULE_value)
	p.SetState(323)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserSTRING:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(318)
			p.Match(PactParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserINT:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(319)
			p.Match(PactParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDECIMAL:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(320)
			p.Match(PactParserDECIMAL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserBAD_WORD:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(321)
			p.Match(PactParserBAD_WORD)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDEPTH, PactParserNAME:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(322)
			p.Name()
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}

// INameContext is an interface to support dynamic dispatch.
type INameContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	NAME() antlr.TerminalNode
	DEPTH() antlr.TerminalNode
	AllCOLON_NAME() []antlr.TerminalNode
	COLON_NAME(i int) antlr.TerminalNode
	AllCOLON_PART() []antlr.TerminalNode
	COLON_PART(i int) antlr.TerminalNode

	// IsNameContext differentiates from other interfaces.
	IsNameContext()
}

type NameContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyNameContext() *NameContext {
	var p = new(NameContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_name
	return p
}

func InitEmptyNameContext(p *NameContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_name
}

func (*NameContext) IsNameContext() {}

func NewNameContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *NameContext {
	var p = new(NameContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_name

	return p
}

func (s *NameContext) GetParser() antlr.Parser { return s.parser }

func (s *NameContext) NAME() antlr.TerminalNode {
	return s.GetToken(PactParserNAME, 0)
}

func (s *NameContext) DEPTH() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH, 0)
}

func (s *NameContext) AllCOLON_NAME() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOLON_NAME)
}

func (s *NameContext) COLON_NAME(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_NAME, i)
}

func (s *NameContext) AllCOLON_PART() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOLON_PART)
}

func (s *NameContext) COLON_PART(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_PART, i)
}

func (s *NameContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *NameContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Name() (localctx INameContext) {
	localctx = NewNameContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 48, PactParserRULE_name)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(325)
		_la = p.GetTokenStream().LA(1)

		if !(_la == PactParserDEPTH || _la == PactParserNAME) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(329)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOLON_NAME || _la == PactParserCOLON_PART {
		{
			p.SetState(326)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserCOLON_NAME || _la == PactParserCOLON_PART) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

		p.SetState(331)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
}
