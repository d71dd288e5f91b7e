package config

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// RecordLimits returns how long recordings are kept, and how large all of them may be. 0 means no
// limit.
func (c *Config) RecordLimits() (age time.Duration, size int64) {
	age, _ = parseAge(c.text("record.max-age"))    // checked when it was read
	size, _ = parseSize(c.text("record.max-size")) // as well
	return age, size
}

// The forms of record.max-age and record.max-size.
const (
	agePattern  = `^(0|[0-9]+(\.[0-9]+)?(d|h))$`
	sizePattern = `^(0|[0-9]+(\.[0-9]+)?(MB|GB))$`
)

var amountForm = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// amount parses a number that is followed by one of some units, or 0.
func amount(text string, units map[string]float64) (float64, bool) {
	if text == "0" {
		return 0, true
	}
	for unit, factor := range units {
		if number, ok := strings.CutSuffix(text, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err == nil && amountForm.MatchString(number) && n*factor < 1<<62 {
				return n * factor, true
			}
		}
	}
	return 0, false
}

func parseAge(text string) (time.Duration, error) {
	n, ok := amount(text, map[string]float64{"d": 24 * float64(time.Hour), "h": float64(time.Hour)})
	if !ok {
		return 0, errors.New(`write days or hours, such as "30d" or "12h", or "0" for no limit`)
	}
	return time.Duration(n), nil
}

func parseSize(text string) (int64, error) {
	n, ok := amount(text, map[string]float64{"MB": 1e6, "GB": 1e9})
	if !ok {
		return 0, errors.New(`write megabytes or gigabytes, such as "500MB" or "5GB", or "0" for no limit`)
	}
	return int64(n), nil
}

func checkAge(text string) error {
	_, err := parseAge(text)
	return err
}

func checkSize(text string) error {
	_, err := parseSize(text)
	return err
}
