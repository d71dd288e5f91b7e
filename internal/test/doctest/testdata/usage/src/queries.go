package queries

import "github.com/pactkit/pactkit"

var summary = pactkit.MustParse("@t0 (*[nodeType='summary'])")
