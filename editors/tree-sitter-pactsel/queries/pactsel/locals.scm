; Selectors define no names; keys and tags name what the context holds.
(source_file) @local.scope
[(key) (quoted_key) (tag)] @local.reference
