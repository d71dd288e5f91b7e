; inherits: pactsel
