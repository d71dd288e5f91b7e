// Package json measures the scanner of internal/canonjson beside jsontext and
// encoding/json. Only ratios of one run mean something. json.Valid checks less:
// it accepts members that stand twice, invalid UTF-8 and half surrogate pairs.
package json
