package thread

// PrefixOf is prefixOf, for tests that compare any two snapshots.
var PrefixOf = prefixOf
