package thread

import (
	"cmp"
	"slices"
)

// overlays replaces a call or result with its overlay, because providers accept only one of each,
// and a node with a key with its newest overlay. Other overlays are separate units.
func (r *renderer) overlays() {
	at := map[string]*unit{}
	originals := map[*unit]string{} // of the overlays
	for _, u := range r.units {
		if o, ok := u.node.Original(); ok {
			originals[u] = o.ID()
		}
	}
	if len(originals) > 0 {
		r.units = r.newestVersions(originals)
	}
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if u.from == nil || !u.from.Raw {
			_, hasRole := u.node.Role()
			_, hasKind := u.node.Kind()
			_, hasTag := u.node.Tags()
			if v := at[originals[u]]; v != nil && (u.kind == v.kind || !hasRole && !hasKind && !hasTag) {
				v.content, v.redacted, v.overlaid = u.content, u.redacted, true
				if u.name != "" {
					v.name = u.name
				}
				at[u.id] = v
				r.note(Changed, u, "replaces %s", v.id)
				return true
			}
			if u.kind == "call" || u.kind == "result" {
				at[u.id] = u
			}
		}
		return false
	})
}

// newestVersions replaces the content of a node with that of its newest overlay with its key, and
// removes these overlays. originals holds the ids of the originals of all overlays.
func (r *renderer) newestVersions(originals map[*unit]string) []*unit {
	byID := make(map[string]*unit, len(r.units))
	for _, u := range r.units {
		byID[u.id] = u
	}
	original := func(u *unit) *unit {
		o := byID[originals[u]]
		if o == nil {
			return nil
		}
		key, ok := u.node.Key()
		if of, _ := o.node.Key(); !ok || of != key {
			return nil
		}
		return o
	}
	first := map[*unit]*unit{} // first version of each overlay
	var path []*unit
	firstOf := func(u *unit) *unit {
		path = path[:0]
		for first[u] == nil {
			o := original(u)
			if o == nil {
				first[u] = u
				break
			}
			path, u = append(path, u), o
		}
		for _, overlay := range path {
			first[overlay] = first[u]
		}
		return first[u]
	}
	newest := map[*unit]*unit{} // by first version
	left := slices.DeleteFunc(slices.Clone(r.units), func(u *unit) bool {
		o := firstOf(u)
		if o == u {
			return false
		}
		if newest[o] == nil || newerNode(u, newest[o]) {
			newest[o] = u
		}
		r.note(Changed, u, "replaces %s", o.id)
		return true
	})
	for o, u := range newest {
		o.content, o.redacted, o.overlaid = u.content, u.redacted, true
		if u.name != "" {
			o.name = u.name
		}
	}
	return left
}

// newerNode reports whether the node of u was created after that of than.
func newerNode(u, than *unit) bool {
	return cmp.Or(u.node.Cycle().Cmp(than.node.Cycle()), u.node.CreationIndex().Cmp(than.node.CreationIndex())) > 0
}
