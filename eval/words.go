package eval

// String tells in words how the plan runs, one line a step.
func (p *Plan) String() string { return "" }
