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
		"", "", "'*'", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
		"", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
		"", "", "'-'",
	}
	staticData.SymbolicNames = []string{
		"", "TIME", "EVERY", "HISTORY", "LATE_TIME", "CONTROL", "RANGE", "FALLBACK",
		"OPTIONAL", "COMMA", "REGION", "TYPE", "DOT_PART", "KEY", "QUOTED_KEY",
		"TAG", "STAR", "STAR_SIGN", "DEPTH", "DEPTH_DECIMAL", "DEPTH_CALL",
		"WITHIN_CALL", "CONT_AT", "NTH_CALL", "LATE_NTH", "DEPTH_PSEUDO", "LATE_DEPTH",
		"COLON_NAME", "COLON_PART", "LATE_NAME", "COLON", "LPAREN", "RPAREN",
		"LBRACK", "RBRACK", "LBRACE", "RBRACE", "GT", "EQ", "NE", "LT", "LE",
		"GE", "MATCH", "IN", "BAD_OPERATOR", "STRING", "INT", "DECIMAL", "NAME",
		"MINUS", "TRAILING", "DESC", "BAD_WORD", "BAD_TIME", "BAD_KEY", "BAD_STRING",
		"BAD_CHAR",
	}
	staticData.RuleNames = []string{
		"query", "member", "time", "timeEnd", "tail", "lateTime", "chain", "lateStep",
		"step", "anchor", "late", "depth", "paren", "within", "item", "qualifier",
		"props", "behavior", "group", "call", "argument", "attributes", "attribute",
		"values", "value", "name",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 57, 306, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2, 10, 7,
		10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15, 7, 15,
		2, 16, 7, 16, 2, 17, 7, 17, 2, 18, 7, 18, 2, 19, 7, 19, 2, 20, 7, 20, 2,
		21, 7, 21, 2, 22, 7, 22, 2, 23, 7, 23, 2, 24, 7, 24, 2, 25, 7, 25, 1, 0,
		1, 0, 1, 0, 5, 0, 56, 8, 0, 10, 0, 12, 0, 59, 9, 0, 1, 0, 1, 0, 1, 1, 3,
		1, 64, 8, 1, 1, 1, 3, 1, 67, 8, 1, 1, 1, 1, 1, 1, 1, 5, 1, 72, 8, 1, 10,
		1, 12, 1, 75, 9, 1, 1, 1, 3, 1, 78, 8, 1, 1, 1, 3, 1, 81, 8, 1, 1, 2, 1,
		2, 3, 2, 85, 8, 2, 1, 2, 3, 2, 88, 8, 2, 1, 3, 1, 3, 1, 3, 3, 3, 93, 8,
		3, 1, 4, 1, 4, 3, 4, 97, 8, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 5, 4, 104,
		8, 4, 10, 4, 12, 4, 107, 9, 4, 1, 5, 1, 5, 1, 5, 1, 5, 3, 5, 113, 8, 5,
		1, 6, 1, 6, 1, 6, 1, 6, 5, 6, 119, 8, 6, 10, 6, 12, 6, 122, 9, 6, 1, 7,
		1, 7, 5, 7, 126, 8, 7, 10, 7, 12, 7, 129, 9, 7, 1, 8, 1, 8, 5, 8, 133,
		8, 8, 10, 8, 12, 8, 136, 9, 8, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9,
		1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 3, 9,
		156, 8, 9, 1, 10, 1, 10, 1, 10, 5, 10, 161, 8, 10, 10, 10, 12, 10, 164,
		9, 10, 1, 10, 3, 10, 167, 8, 10, 1, 11, 1, 11, 1, 11, 3, 11, 172, 8, 11,
		1, 11, 1, 11, 5, 11, 176, 8, 11, 10, 11, 12, 11, 179, 9, 11, 1, 11, 3,
		11, 182, 8, 11, 1, 12, 1, 12, 1, 12, 1, 12, 5, 12, 188, 8, 12, 10, 12,
		12, 12, 191, 9, 12, 1, 12, 1, 12, 1, 13, 1, 13, 1, 13, 1, 13, 5, 13, 199,
		8, 13, 10, 13, 12, 13, 202, 9, 13, 1, 13, 1, 13, 1, 14, 1, 14, 1, 14, 5,
		14, 209, 8, 14, 10, 14, 12, 14, 212, 9, 14, 3, 14, 214, 8, 14, 1, 15, 1,
		15, 1, 15, 1, 15, 1, 15, 1, 15, 5, 15, 222, 8, 15, 10, 15, 12, 15, 225,
		9, 15, 1, 15, 1, 15, 1, 15, 3, 15, 230, 8, 15, 1, 16, 1, 16, 1, 16, 1,
		16, 1, 17, 1, 17, 1, 17, 1, 17, 1, 18, 1, 18, 1, 18, 1, 18, 1, 19, 1, 19,
		5, 19, 246, 8, 19, 10, 19, 12, 19, 249, 9, 19, 1, 19, 1, 19, 1, 20, 1,
		20, 1, 21, 1, 21, 1, 21, 5, 21, 258, 8, 21, 10, 21, 12, 21, 261, 9, 21,
		3, 21, 263, 8, 21, 1, 22, 1, 22, 1, 22, 1, 22, 1, 22, 1, 22, 1, 22, 3,
		22, 272, 8, 22, 1, 22, 1, 22, 1, 22, 1, 22, 1, 22, 1, 22, 3, 22, 280, 8,
		22, 1, 23, 1, 23, 1, 23, 5, 23, 285, 8, 23, 10, 23, 12, 23, 288, 9, 23,
		3, 23, 290, 8, 23, 1, 24, 1, 24, 1, 24, 1, 24, 1, 24, 3, 24, 297, 8, 24,
		1, 25, 1, 25, 5, 25, 301, 8, 25, 10, 25, 12, 25, 304, 9, 25, 1, 25, 0,
		0, 26, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34,
		36, 38, 40, 42, 44, 46, 48, 50, 0, 16, 1, 0, 1, 3, 3, 0, 6, 6, 9, 9, 30,
		30, 2, 0, 1, 3, 47, 47, 1, 0, 1, 4, 2, 0, 6, 6, 30, 30, 2, 0, 37, 37, 52,
		52, 2, 0, 24, 24, 26, 26, 1, 0, 18, 19, 2, 0, 18, 19, 47, 48, 1, 0, 27,
		28, 1, 0, 11, 12, 2, 0, 23, 23, 25, 25, 8, 0, 6, 6, 9, 9, 16, 16, 18, 18,
		35, 37, 40, 42, 46, 50, 52, 52, 2, 0, 9, 9, 52, 52, 3, 0, 37, 37, 39, 43,
		45, 45, 2, 0, 18, 18, 49, 49, 348, 0, 52, 1, 0, 0, 0, 2, 63, 1, 0, 0, 0,
		4, 82, 1, 0, 0, 0, 6, 92, 1, 0, 0, 0, 8, 96, 1, 0, 0, 0, 10, 108, 1, 0,
		0, 0, 12, 114, 1, 0, 0, 0, 14, 123, 1, 0, 0, 0, 16, 130, 1, 0, 0, 0, 18,
		155, 1, 0, 0, 0, 20, 166, 1, 0, 0, 0, 22, 181, 1, 0, 0, 0, 24, 183, 1,
		0, 0, 0, 26, 194, 1, 0, 0, 0, 28, 213, 1, 0, 0, 0, 30, 229, 1, 0, 0, 0,
		32, 231, 1, 0, 0, 0, 34, 235, 1, 0, 0, 0, 36, 239, 1, 0, 0, 0, 38, 243,
		1, 0, 0, 0, 40, 252, 1, 0, 0, 0, 42, 262, 1, 0, 0, 0, 44, 264, 1, 0, 0,
		0, 46, 289, 1, 0, 0, 0, 48, 296, 1, 0, 0, 0, 50, 298, 1, 0, 0, 0, 52, 57,
		3, 2, 1, 0, 53, 54, 5, 9, 0, 0, 54, 56, 3, 2, 1, 0, 55, 53, 1, 0, 0, 0,
		56, 59, 1, 0, 0, 0, 57, 55, 1, 0, 0, 0, 57, 58, 1, 0, 0, 0, 58, 60, 1,
		0, 0, 0, 59, 57, 1, 0, 0, 0, 60, 61, 5, 0, 0, 1, 61, 1, 1, 0, 0, 0, 62,
		64, 3, 4, 2, 0, 63, 62, 1, 0, 0, 0, 63, 64, 1, 0, 0, 0, 64, 66, 1, 0, 0,
		0, 65, 67, 5, 7, 0, 0, 66, 65, 1, 0, 0, 0, 66, 67, 1, 0, 0, 0, 67, 68,
		1, 0, 0, 0, 68, 73, 3, 12, 6, 0, 69, 70, 5, 7, 0, 0, 70, 72, 3, 12, 6,
		0, 71, 69, 1, 0, 0, 0, 72, 75, 1, 0, 0, 0, 73, 71, 1, 0, 0, 0, 73, 74,
		1, 0, 0, 0, 74, 77, 1, 0, 0, 0, 75, 73, 1, 0, 0, 0, 76, 78, 5, 8, 0, 0,
		77, 76, 1, 0, 0, 0, 77, 78, 1, 0, 0, 0, 78, 80, 1, 0, 0, 0, 79, 81, 3,
		8, 4, 0, 80, 79, 1, 0, 0, 0, 80, 81, 1, 0, 0, 0, 81, 3, 1, 0, 0, 0, 82,
		84, 7, 0, 0, 0, 83, 85, 3, 6, 3, 0, 84, 83, 1, 0, 0, 0, 84, 85, 1, 0, 0,
		0, 85, 87, 1, 0, 0, 0, 86, 88, 5, 52, 0, 0, 87, 86, 1, 0, 0, 0, 87, 88,
		1, 0, 0, 0, 88, 5, 1, 0, 0, 0, 89, 90, 7, 1, 0, 0, 90, 93, 7, 2, 0, 0,
		91, 93, 5, 28, 0, 0, 92, 89, 1, 0, 0, 0, 92, 91, 1, 0, 0, 0, 93, 7, 1,
		0, 0, 0, 94, 97, 5, 5, 0, 0, 95, 97, 3, 10, 5, 0, 96, 94, 1, 0, 0, 0, 96,
		95, 1, 0, 0, 0, 97, 105, 1, 0, 0, 0, 98, 104, 5, 5, 0, 0, 99, 104, 3, 10,
		5, 0, 100, 104, 5, 15, 0, 0, 101, 104, 3, 32, 16, 0, 102, 104, 3, 34, 17,
		0, 103, 98, 1, 0, 0, 0, 103, 99, 1, 0, 0, 0, 103, 100, 1, 0, 0, 0, 103,
		101, 1, 0, 0, 0, 103, 102, 1, 0, 0, 0, 104, 107, 1, 0, 0, 0, 105, 103,
		1, 0, 0, 0, 105, 106, 1, 0, 0, 0, 106, 9, 1, 0, 0, 0, 107, 105, 1, 0, 0,
		0, 108, 112, 7, 3, 0, 0, 109, 110, 7, 4, 0, 0, 110, 113, 7, 2, 0, 0, 111,
		113, 5, 28, 0, 0, 112, 109, 1, 0, 0, 0, 112, 111, 1, 0, 0, 0, 112, 113,
		1, 0, 0, 0, 113, 11, 1, 0, 0, 0, 114, 120, 3, 16, 8, 0, 115, 116, 7, 5,
		0, 0, 116, 119, 3, 16, 8, 0, 117, 119, 3, 14, 7, 0, 118, 115, 1, 0, 0,
		0, 118, 117, 1, 0, 0, 0, 119, 122, 1, 0, 0, 0, 120, 118, 1, 0, 0, 0, 120,
		121, 1, 0, 0, 0, 121, 13, 1, 0, 0, 0, 122, 120, 1, 0, 0, 0, 123, 127, 3,
		20, 10, 0, 124, 126, 3, 30, 15, 0, 125, 124, 1, 0, 0, 0, 126, 129, 1, 0,
		0, 0, 127, 125, 1, 0, 0, 0, 127, 128, 1, 0, 0, 0, 128, 15, 1, 0, 0, 0,
		129, 127, 1, 0, 0, 0, 130, 134, 3, 18, 9, 0, 131, 133, 3, 30, 15, 0, 132,
		131, 1, 0, 0, 0, 133, 136, 1, 0, 0, 0, 134, 132, 1, 0, 0, 0, 134, 135,
		1, 0, 0, 0, 135, 17, 1, 0, 0, 0, 136, 134, 1, 0, 0, 0, 137, 156, 5, 16,
		0, 0, 138, 156, 5, 17, 0, 0, 139, 156, 5, 10, 0, 0, 140, 156, 3, 22, 11,
		0, 141, 156, 5, 11, 0, 0, 142, 156, 5, 13, 0, 0, 143, 156, 5, 14, 0, 0,
		144, 156, 5, 15, 0, 0, 145, 156, 3, 32, 16, 0, 146, 156, 3, 34, 17, 0,
		147, 156, 5, 27, 0, 0, 148, 156, 3, 38, 19, 0, 149, 156, 3, 20, 10, 0,
		150, 156, 3, 24, 12, 0, 151, 156, 3, 26, 13, 0, 152, 156, 5, 22, 0, 0,
		153, 156, 5, 47, 0, 0, 154, 156, 5, 49, 0, 0, 155, 137, 1, 0, 0, 0, 155,
		138, 1, 0, 0, 0, 155, 139, 1, 0, 0, 0, 155, 140, 1, 0, 0, 0, 155, 141,
		1, 0, 0, 0, 155, 142, 1, 0, 0, 0, 155, 143, 1, 0, 0, 0, 155, 144, 1, 0,
		0, 0, 155, 145, 1, 0, 0, 0, 155, 146, 1, 0, 0, 0, 155, 147, 1, 0, 0, 0,
		155, 148, 1, 0, 0, 0, 155, 149, 1, 0, 0, 0, 155, 150, 1, 0, 0, 0, 155,
		151, 1, 0, 0, 0, 155, 152, 1, 0, 0, 0, 155, 153, 1, 0, 0, 0, 155, 154,
		1, 0, 0, 0, 156, 19, 1, 0, 0, 0, 157, 167, 5, 29, 0, 0, 158, 162, 7, 6,
		0, 0, 159, 161, 3, 40, 20, 0, 160, 159, 1, 0, 0, 0, 161, 164, 1, 0, 0,
		0, 162, 160, 1, 0, 0, 0, 162, 163, 1, 0, 0, 0, 163, 165, 1, 0, 0, 0, 164,
		162, 1, 0, 0, 0, 165, 167, 5, 32, 0, 0, 166, 157, 1, 0, 0, 0, 166, 158,
		1, 0, 0, 0, 167, 21, 1, 0, 0, 0, 168, 171, 7, 7, 0, 0, 169, 170, 5, 6,
		0, 0, 170, 172, 7, 8, 0, 0, 171, 169, 1, 0, 0, 0, 171, 172, 1, 0, 0, 0,
		172, 182, 1, 0, 0, 0, 173, 177, 5, 20, 0, 0, 174, 176, 3, 40, 20, 0, 175,
		174, 1, 0, 0, 0, 176, 179, 1, 0, 0, 0, 177, 175, 1, 0, 0, 0, 177, 178,
		1, 0, 0, 0, 178, 180, 1, 0, 0, 0, 179, 177, 1, 0, 0, 0, 180, 182, 5, 32,
		0, 0, 181, 168, 1, 0, 0, 0, 181, 173, 1, 0, 0, 0, 182, 23, 1, 0, 0, 0,
		183, 184, 5, 31, 0, 0, 184, 189, 3, 28, 14, 0, 185, 186, 5, 9, 0, 0, 186,
		188, 3, 28, 14, 0, 187, 185, 1, 0, 0, 0, 188, 191, 1, 0, 0, 0, 189, 187,
		1, 0, 0, 0, 189, 190, 1, 0, 0, 0, 190, 192, 1, 0, 0, 0, 191, 189, 1, 0,
		0, 0, 192, 193, 5, 32, 0, 0, 193, 25, 1, 0, 0, 0, 194, 195, 5, 21, 0, 0,
		195, 200, 3, 28, 14, 0, 196, 197, 5, 9, 0, 0, 197, 199, 3, 28, 14, 0, 198,
		196, 1, 0, 0, 0, 199, 202, 1, 0, 0, 0, 200, 198, 1, 0, 0, 0, 200, 201,
		1, 0, 0, 0, 201, 203, 1, 0, 0, 0, 202, 200, 1, 0, 0, 0, 203, 204, 5, 32,
		0, 0, 204, 27, 1, 0, 0, 0, 205, 210, 3, 12, 6, 0, 206, 207, 5, 7, 0, 0,
		207, 209, 3, 12, 6, 0, 208, 206, 1, 0, 0, 0, 209, 212, 1, 0, 0, 0, 210,
		208, 1, 0, 0, 0, 210, 211, 1, 0, 0, 0, 211, 214, 1, 0, 0, 0, 212, 210,
		1, 0, 0, 0, 213, 205, 1, 0, 0, 0, 213, 214, 1, 0, 0, 0, 214, 29, 1, 0,
		0, 0, 215, 230, 5, 15, 0, 0, 216, 230, 3, 32, 16, 0, 217, 230, 3, 34, 17,
		0, 218, 230, 3, 36, 18, 0, 219, 223, 7, 9, 0, 0, 220, 222, 7, 10, 0, 0,
		221, 220, 1, 0, 0, 0, 222, 225, 1, 0, 0, 0, 223, 221, 1, 0, 0, 0, 223,
		224, 1, 0, 0, 0, 224, 230, 1, 0, 0, 0, 225, 223, 1, 0, 0, 0, 226, 230,
		3, 38, 19, 0, 227, 230, 5, 13, 0, 0, 228, 230, 5, 14, 0, 0, 229, 215, 1,
		0, 0, 0, 229, 216, 1, 0, 0, 0, 229, 217, 1, 0, 0, 0, 229, 218, 1, 0, 0,
		0, 229, 219, 1, 0, 0, 0, 229, 226, 1, 0, 0, 0, 229, 227, 1, 0, 0, 0, 229,
		228, 1, 0, 0, 0, 230, 31, 1, 0, 0, 0, 231, 232, 5, 35, 0, 0, 232, 233,
		3, 42, 21, 0, 233, 234, 5, 36, 0, 0, 234, 33, 1, 0, 0, 0, 235, 236, 5,
		33, 0, 0, 236, 237, 3, 42, 21, 0, 237, 238, 5, 34, 0, 0, 238, 35, 1, 0,
		0, 0, 239, 240, 5, 31, 0, 0, 240, 241, 3, 42, 21, 0, 241, 242, 5, 32, 0,
		0, 242, 37, 1, 0, 0, 0, 243, 247, 7, 11, 0, 0, 244, 246, 3, 40, 20, 0,
		245, 244, 1, 0, 0, 0, 246, 249, 1, 0, 0, 0, 247, 245, 1, 0, 0, 0, 247,
		248, 1, 0, 0, 0, 248, 250, 1, 0, 0, 0, 249, 247, 1, 0, 0, 0, 250, 251,
		5, 32, 0, 0, 251, 39, 1, 0, 0, 0, 252, 253, 7, 12, 0, 0, 253, 41, 1, 0,
		0, 0, 254, 259, 3, 44, 22, 0, 255, 256, 7, 13, 0, 0, 256, 258, 3, 44, 22,
		0, 257, 255, 1, 0, 0, 0, 258, 261, 1, 0, 0, 0, 259, 257, 1, 0, 0, 0, 259,
		260, 1, 0, 0, 0, 260, 263, 1, 0, 0, 0, 261, 259, 1, 0, 0, 0, 262, 254,
		1, 0, 0, 0, 262, 263, 1, 0, 0, 0, 263, 43, 1, 0, 0, 0, 264, 279, 3, 50,
		25, 0, 265, 271, 5, 38, 0, 0, 266, 272, 3, 48, 24, 0, 267, 268, 5, 33,
		0, 0, 268, 269, 3, 46, 23, 0, 269, 270, 5, 34, 0, 0, 270, 272, 1, 0, 0,
		0, 271, 266, 1, 0, 0, 0, 271, 267, 1, 0, 0, 0, 272, 280, 1, 0, 0, 0, 273,
		274, 7, 14, 0, 0, 274, 280, 3, 48, 24, 0, 275, 276, 5, 44, 0, 0, 276, 277,
		3, 46, 23, 0, 277, 278, 5, 34, 0, 0, 278, 280, 1, 0, 0, 0, 279, 265, 1,
		0, 0, 0, 279, 273, 1, 0, 0, 0, 279, 275, 1, 0, 0, 0, 279, 280, 1, 0, 0,
		0, 280, 45, 1, 0, 0, 0, 281, 286, 3, 48, 24, 0, 282, 283, 5, 9, 0, 0, 283,
		285, 3, 48, 24, 0, 284, 282, 1, 0, 0, 0, 285, 288, 1, 0, 0, 0, 286, 284,
		1, 0, 0, 0, 286, 287, 1, 0, 0, 0, 287, 290, 1, 0, 0, 0, 288, 286, 1, 0,
		0, 0, 289, 281, 1, 0, 0, 0, 289, 290, 1, 0, 0, 0, 290, 47, 1, 0, 0, 0,
		291, 297, 5, 46, 0, 0, 292, 297, 5, 47, 0, 0, 293, 297, 5, 48, 0, 0, 294,
		297, 5, 53, 0, 0, 295, 297, 3, 50, 25, 0, 296, 291, 1, 0, 0, 0, 296, 292,
		1, 0, 0, 0, 296, 293, 1, 0, 0, 0, 296, 294, 1, 0, 0, 0, 296, 295, 1, 0,
		0, 0, 297, 49, 1, 0, 0, 0, 298, 302, 7, 15, 0, 0, 299, 301, 7, 9, 0, 0,
		300, 299, 1, 0, 0, 0, 301, 304, 1, 0, 0, 0, 302, 300, 1, 0, 0, 0, 302,
		303, 1, 0, 0, 0, 303, 51, 1, 0, 0, 0, 304, 302, 1, 0, 0, 0, 38, 57, 63,
		66, 73, 77, 80, 84, 87, 92, 96, 103, 105, 112, 118, 120, 127, 134, 155,
		162, 166, 171, 177, 181, 189, 200, 210, 213, 223, 229, 247, 259, 262, 271,
		279, 286, 289, 296, 302,
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
	PactParserMINUS         = 50
	PactParserTRAILING      = 51
	PactParserDESC          = 52
	PactParserBAD_WORD      = 53
	PactParserBAD_TIME      = 54
	PactParserBAD_KEY       = 55
	PactParserBAD_STRING    = 56
	PactParserBAD_CHAR      = 57
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
	PactParserRULE_within     = 13
	PactParserRULE_item       = 14
	PactParserRULE_qualifier  = 15
	PactParserRULE_props      = 16
	PactParserRULE_behavior   = 17
	PactParserRULE_group      = 18
	PactParserRULE_call       = 19
	PactParserRULE_argument   = 20
	PactParserRULE_attributes = 21
	PactParserRULE_attribute  = 22
	PactParserRULE_values     = 23
	PactParserRULE_value      = 24
	PactParserRULE_name       = 25
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
		p.SetState(52)
		p.Member()
	}
	p.SetState(57)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOMMA {
		{
			p.SetState(53)
			p.Match(PactParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(54)
			p.Member()
		}

		p.SetState(59)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(60)
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
	Time() ITimeContext
	AllFALLBACK() []antlr.TerminalNode
	FALLBACK(i int) antlr.TerminalNode
	OPTIONAL() antlr.TerminalNode
	Tail() ITailContext

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
	p.SetState(63)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&14) != 0 {
		{
			p.SetState(62)
			p.Time()
		}

	}
	p.SetState(66)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserFALLBACK {
		{
			p.SetState(65)
			p.Match(PactParserFALLBACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
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

	for _la == PactParserFALLBACK {
		{
			p.SetState(69)
			p.Match(PactParserFALLBACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(70)
			p.Chain()
		}

		p.SetState(75)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(77)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserOPTIONAL {
		{
			p.SetState(76)
			p.Match(PactParserOPTIONAL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	p.SetState(80)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&62) != 0 {
		{
			p.SetState(79)
			p.Tail()
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
		p.SetState(82)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&14) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(84)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&1342177856) != 0 {
		{
			p.SetState(83)
			p.TimeEnd()
		}

	}
	p.SetState(87)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserDESC {
		{
			p.SetState(86)
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

	p.SetState(92)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserRANGE, PactParserCOMMA, PactParserCOLON:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(89)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&1073742400) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		{
			p.SetState(90)
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
			p.SetState(91)
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
	AllTAG() []antlr.TerminalNode
	TAG(i int) antlr.TerminalNode
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

func (s *TailContext) AllTAG() []antlr.TerminalNode {
	return s.GetTokens(PactParserTAG)
}

func (s *TailContext) TAG(i int) antlr.TerminalNode {
	return s.GetToken(PactParserTAG, i)
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
	p.SetState(96)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserCONTROL:
		{
			p.SetState(94)
			p.Match(PactParserCONTROL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserTIME, PactParserEVERY, PactParserHISTORY, PactParserLATE_TIME:
		{
			p.SetState(95)
			p.LateTime()
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	p.SetState(105)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&42949705790) != 0 {
		p.SetState(103)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PactParserCONTROL:
			{
				p.SetState(98)
				p.Match(PactParserCONTROL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PactParserTIME, PactParserEVERY, PactParserHISTORY, PactParserLATE_TIME:
			{
				p.SetState(99)
				p.LateTime()
			}

		case PactParserTAG:
			{
				p.SetState(100)
				p.Match(PactParserTAG)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PactParserLBRACE:
			{
				p.SetState(101)
				p.Props()
			}

		case PactParserLBRACK:
			{
				p.SetState(102)
				p.Behavior()
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
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

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&4503737687080960) != 0 {
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
	TYPE() antlr.TerminalNode
	KEY() antlr.TerminalNode
	QUOTED_KEY() antlr.TerminalNode
	TAG() antlr.TerminalNode
	Props() IPropsContext
	Behavior() IBehaviorContext
	COLON_NAME() antlr.TerminalNode
	Call() ICallContext
	Late() ILateContext
	Paren() IParenContext
	Within() IWithinContext
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

func (s *AnchorContext) TYPE() antlr.TerminalNode {
	return s.GetToken(PactParserTYPE, 0)
}

func (s *AnchorContext) KEY() antlr.TerminalNode {
	return s.GetToken(PactParserKEY, 0)
}

func (s *AnchorContext) QUOTED_KEY() antlr.TerminalNode {
	return s.GetToken(PactParserQUOTED_KEY, 0)
}

func (s *AnchorContext) TAG() antlr.TerminalNode {
	return s.GetToken(PactParserTAG, 0)
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

func (s *AnchorContext) Call() ICallContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ICallContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ICallContext)
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

func (s *AnchorContext) Within() IWithinContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IWithinContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IWithinContext)
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
	p.SetState(155)
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

	case PactParserDEPTH, PactParserDEPTH_DECIMAL, PactParserDEPTH_CALL:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(140)
			p.Depth()
		}

	case PactParserTYPE:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(141)
			p.Match(PactParserTYPE)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserKEY:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(142)
			p.Match(PactParserKEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserQUOTED_KEY:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(143)
			p.Match(PactParserQUOTED_KEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserTAG:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(144)
			p.Match(PactParserTAG)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserLBRACE:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(145)
			p.Props()
		}

	case PactParserLBRACK:
		p.EnterOuterAlt(localctx, 10)
		{
			p.SetState(146)
			p.Behavior()
		}

	case PactParserCOLON_NAME:
		p.EnterOuterAlt(localctx, 11)
		{
			p.SetState(147)
			p.Match(PactParserCOLON_NAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserNTH_CALL, PactParserDEPTH_PSEUDO:
		p.EnterOuterAlt(localctx, 12)
		{
			p.SetState(148)
			p.Call()
		}

	case PactParserLATE_NTH, PactParserLATE_DEPTH, PactParserLATE_NAME:
		p.EnterOuterAlt(localctx, 13)
		{
			p.SetState(149)
			p.Late()
		}

	case PactParserLPAREN:
		p.EnterOuterAlt(localctx, 14)
		{
			p.SetState(150)
			p.Paren()
		}

	case PactParserWITHIN_CALL:
		p.EnterOuterAlt(localctx, 15)
		{
			p.SetState(151)
			p.Within()
		}

	case PactParserCONT_AT:
		p.EnterOuterAlt(localctx, 16)
		{
			p.SetState(152)
			p.Match(PactParserCONT_AT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserINT:
		p.EnterOuterAlt(localctx, 17)
		{
			p.SetState(153)
			p.Match(PactParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserNAME:
		p.EnterOuterAlt(localctx, 18)
		{
			p.SetState(154)
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

	p.SetState(166)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserLATE_NAME:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(157)
			p.Match(PactParserLATE_NAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserLATE_NTH, PactParserLATE_DEPTH:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(158)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserLATE_NTH || _la == PactParserLATE_DEPTH) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		p.SetState(162)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&6692967796769344) != 0 {
			{
				p.SetState(159)
				p.Argument()
			}

			p.SetState(164)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(165)
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
	DEPTH_CALL() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext

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

func (s *DepthContext) DEPTH_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_CALL, 0)
}

func (s *DepthContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *DepthContext) AllArgument() []IArgumentContext {
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

func (s *DepthContext) Argument(i int) IArgumentContext {
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

	p.SetState(181)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserDEPTH, PactParserDEPTH_DECIMAL:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(168)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserDEPTH || _la == PactParserDEPTH_DECIMAL) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		p.SetState(171)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PactParserRANGE {
			{
				p.SetState(169)
				p.Match(PactParserRANGE)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(170)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&422212465852416) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

		}

	case PactParserDEPTH_CALL:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(173)
			p.Match(PactParserDEPTH_CALL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(177)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&6692967796769344) != 0 {
			{
				p.SetState(174)
				p.Argument()
			}

			p.SetState(179)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(180)
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
		p.SetState(183)
		p.Match(PactParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(184)
		p.Item()
	}
	p.SetState(189)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOMMA {
		{
			p.SetState(185)
			p.Match(PactParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(186)
			p.Item()
		}

		p.SetState(191)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(192)
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

// IWithinContext is an interface to support dynamic dispatch.
type IWithinContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	WITHIN_CALL() antlr.TerminalNode
	AllItem() []IItemContext
	Item(i int) IItemContext
	RPAREN() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsWithinContext differentiates from other interfaces.
	IsWithinContext()
}

type WithinContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyWithinContext() *WithinContext {
	var p = new(WithinContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_within
	return p
}

func InitEmptyWithinContext(p *WithinContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_within
}

func (*WithinContext) IsWithinContext() {}

func NewWithinContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *WithinContext {
	var p = new(WithinContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_within

	return p
}

func (s *WithinContext) GetParser() antlr.Parser { return s.parser }

func (s *WithinContext) WITHIN_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserWITHIN_CALL, 0)
}

func (s *WithinContext) AllItem() []IItemContext {
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

func (s *WithinContext) Item(i int) IItemContext {
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

func (s *WithinContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *WithinContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PactParserCOMMA)
}

func (s *WithinContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PactParserCOMMA, i)
}

func (s *WithinContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *WithinContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Within() (localctx IWithinContext) {
	localctx = NewWithinContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 26, PactParserRULE_within)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(194)
		p.Match(PactParserWITHIN_CALL)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(195)
		p.Item()
	}
	p.SetState(200)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOMMA {
		{
			p.SetState(196)
			p.Match(PactParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(197)
			p.Item()
		}

		p.SetState(202)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(203)
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
	p.EnterRule(localctx, 28, PactParserRULE_item)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(213)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&703733344234496) != 0 {
		{
			p.SetState(205)
			p.Chain()
		}
		p.SetState(210)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserFALLBACK {
			{
				p.SetState(206)
				p.Match(PactParserFALLBACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(207)
				p.Chain()
			}

			p.SetState(212)
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
	TAG() antlr.TerminalNode
	Props() IPropsContext
	Behavior() IBehaviorContext
	Group() IGroupContext
	COLON_NAME() antlr.TerminalNode
	COLON_PART() antlr.TerminalNode
	AllTYPE() []antlr.TerminalNode
	TYPE(i int) antlr.TerminalNode
	AllDOT_PART() []antlr.TerminalNode
	DOT_PART(i int) antlr.TerminalNode
	Call() ICallContext
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

func (s *QualifierContext) TAG() antlr.TerminalNode {
	return s.GetToken(PactParserTAG, 0)
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

func (s *QualifierContext) COLON_PART() antlr.TerminalNode {
	return s.GetToken(PactParserCOLON_PART, 0)
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

func (s *QualifierContext) Call() ICallContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ICallContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ICallContext)
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
	p.EnterRule(localctx, 30, PactParserRULE_qualifier)
	var _la int

	p.SetState(229)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserTAG:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(215)
			p.Match(PactParserTAG)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserLBRACE:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(216)
			p.Props()
		}

	case PactParserLBRACK:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(217)
			p.Behavior()
		}

	case PactParserLPAREN:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(218)
			p.Group()
		}

	case PactParserCOLON_NAME, PactParserCOLON_PART:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(219)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserCOLON_NAME || _la == PactParserCOLON_PART) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		p.SetState(223)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserTYPE || _la == PactParserDOT_PART {
			{
				p.SetState(220)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserTYPE || _la == PactParserDOT_PART) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(225)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	case PactParserNTH_CALL, PactParserDEPTH_PSEUDO:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(226)
			p.Call()
		}

	case PactParserKEY:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(227)
			p.Match(PactParserKEY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserQUOTED_KEY:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(228)
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
		p.SetState(231)
		p.Match(PactParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(232)
		p.Attributes()
	}
	{
		p.SetState(233)
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
		p.SetState(235)
		p.Match(PactParserLBRACK)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(236)
		p.Attributes()
	}
	{
		p.SetState(237)
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
		p.SetState(239)
		p.Match(PactParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(240)
		p.Attributes()
	}
	{
		p.SetState(241)
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

// ICallContext is an interface to support dynamic dispatch.
type ICallContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	RPAREN() antlr.TerminalNode
	NTH_CALL() antlr.TerminalNode
	DEPTH_PSEUDO() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext

	// IsCallContext differentiates from other interfaces.
	IsCallContext()
}

type CallContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyCallContext() *CallContext {
	var p = new(CallContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_call
	return p
}

func InitEmptyCallContext(p *CallContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PactParserRULE_call
}

func (*CallContext) IsCallContext() {}

func NewCallContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *CallContext {
	var p = new(CallContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PactParserRULE_call

	return p
}

func (s *CallContext) GetParser() antlr.Parser { return s.parser }

func (s *CallContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PactParserRPAREN, 0)
}

func (s *CallContext) NTH_CALL() antlr.TerminalNode {
	return s.GetToken(PactParserNTH_CALL, 0)
}

func (s *CallContext) DEPTH_PSEUDO() antlr.TerminalNode {
	return s.GetToken(PactParserDEPTH_PSEUDO, 0)
}

func (s *CallContext) AllArgument() []IArgumentContext {
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

func (s *CallContext) Argument(i int) IArgumentContext {
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

func (s *CallContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *CallContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PactParser) Call() (localctx ICallContext) {
	localctx = NewCallContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 38, PactParserRULE_call)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(243)
		_la = p.GetTokenStream().LA(1)

		if !(_la == PactParserNTH_CALL || _la == PactParserDEPTH_PSEUDO) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(247)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&6692967796769344) != 0 {
		{
			p.SetState(244)
			p.Argument()
		}

		p.SetState(249)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(250)
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
	MINUS() antlr.TerminalNode
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

func (s *ArgumentContext) MINUS() antlr.TerminalNode {
	return s.GetToken(PactParserMINUS, 0)
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
	p.EnterRule(localctx, 40, PactParserRULE_argument)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(252)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&6692967796769344) != 0) {
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
	p.EnterRule(localctx, 42, PactParserRULE_attributes)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(262)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PactParserDEPTH || _la == PactParserNAME {
		{
			p.SetState(254)
			p.Attribute()
		}
		p.SetState(259)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserCOMMA || _la == PactParserDESC {
			{
				p.SetState(255)
				_la = p.GetTokenStream().LA(1)

				if !(_la == PactParserCOMMA || _la == PactParserDESC) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(256)
				p.Attribute()
			}

			p.SetState(261)
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
	p.EnterRule(localctx, 44, PactParserRULE_attribute)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(264)
		p.Name()
	}
	p.SetState(279)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PactParserEQ:
		{
			p.SetState(265)
			p.Match(PactParserEQ)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(271)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PactParserDEPTH, PactParserSTRING, PactParserINT, PactParserDECIMAL, PactParserNAME, PactParserBAD_WORD:
			{
				p.SetState(266)
				p.Value()
			}

		case PactParserLBRACK:
			{
				p.SetState(267)
				p.Match(PactParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(268)
				p.Values()
			}
			{
				p.SetState(269)
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
			p.SetState(273)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&52364241272832) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}
		{
			p.SetState(274)
			p.Value()
		}

	case PactParserIN:
		{
			p.SetState(275)
			p.Match(PactParserIN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(276)
			p.Values()
		}
		{
			p.SetState(277)
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
	p.EnterRule(localctx, 46, PactParserRULE_values)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(289)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10062730417668096) != 0 {
		{
			p.SetState(281)
			p.Value()
		}
		p.SetState(286)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PactParserCOMMA {
			{
				p.SetState(282)
				p.Match(PactParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(283)
				p.Value()
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
	p.EnterRule(localctx, 48, PactParserRULE_value)
	p.SetState(296)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PactParserSTRING:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(291)
			p.Match(PactParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserINT:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(292)
			p.Match(PactParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDECIMAL:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(293)
			p.Match(PactParserDECIMAL)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserBAD_WORD:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(294)
			p.Match(PactParserBAD_WORD)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PactParserDEPTH, PactParserNAME:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(295)
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
	p.EnterRule(localctx, 50, PactParserRULE_name)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(298)
		_la = p.GetTokenStream().LA(1)

		if !(_la == PactParserDEPTH || _la == PactParserNAME) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(302)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PactParserCOLON_NAME || _la == PactParserCOLON_PART {
		{
			p.SetState(299)
			_la = p.GetTokenStream().LA(1)

			if !(_la == PactParserCOLON_NAME || _la == PactParserCOLON_PART) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

		p.SetState(304)
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
