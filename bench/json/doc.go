// Package json measures the scanner of internal/canonjson beside jsontext and
// encoding/json. Only ratios of one run mean something. json.Valid checks less:
// it accepts duplicate members, invalid UTF-8 and unpaired surrogates.
package json
