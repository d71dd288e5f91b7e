package thread

import (
	"cmp"
	"slices"
)

// overlays replaces a call or result with its overlay, because providers accept only one of each,
// and a node with a key with its newest overlay. Other overlays are separate units.
func (r *renderer) overlays() {
	at := map[string]*unit{}
	versions := map[string]bool{} // keys of nodes that refer to others
	for _, u := range r.units {
		if key, ok := u.node.Key(); ok && len(u.node.Refs()) > 0 {
			versions[key] = true
		}
	}
	if len(versions) > 0 {
		r.units = r.newestVersions(versions)
	}
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if u.from == nil || !u.from.Raw {
			for _, ref := range u.node.Refs() {
				v := at[ref]
				if v == nil {
					continue
				}
				_, hasRole := u.node.Role()
				_, hasKind := u.node.Kind()
				_, hasTag := u.node.Tags()
				if u.kind != v.kind && (hasRole || hasKind || hasTag) {
					continue
				}
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

// newestVersions replaces the content of nodes with the given keys with that of their newest
// overlay, and removes the overlays.
func (r *renderer) newestVersions(keys map[string]bool) []*unit {
	byID := map[string]*unit{}
	for _, u := range r.units {
		if key, ok := u.node.Key(); ok && keys[key] {
			byID[u.id] = u
		}
	}
	original := func(u *unit) *unit {
		key, _ := u.node.Key()
		for _, ref := range u.node.Refs() {
			if o := byID[ref]; o != nil && newerNode(u, o) {
				if k, _ := o.node.Key(); k == key {
					return o
				}
			}
		}
		return nil
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
	return cmp.Or(u.node.CreatedNS().Cmp(than.node.CreatedNS()), u.node.CreationIndex().Cmp(than.node.CreationIndex())) > 0
}
