//go:build !unix

package cli

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }

func reportPeak([]string) int { panic(errors.ErrUnsupported) }
