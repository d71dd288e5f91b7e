[(selector) (paren) (within) (properties) (behavior) (group)] @fold
