// Package json compares the scanner of internal/canonjson with jsontext and encoding/json. Only the
// ratios within one run are meaningful. json.Valid checks less than the others: it accepts
// duplicate members, invalid UTF-8 and unpaired surrogates.
package json
