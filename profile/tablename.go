package profile

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
)

// TableName is the parsed name of a table. A table is a group that the program did not declare:
// the rows of entities that have the same components. Its name lists these components, so a
// profile's statement about it is true for any program that has them:
//
//	table/pos+vel~poison   rows with pos and vel; some have poison
//	table/~poison          rows; some have poison
//	table/body/pos         rows of group body's components that have pos alone of them
//	thin/poison            rows with poison, each apart from the rest of its entity
//	table/pos+9-more@31c09 the same of many components: a count and a sum of all names
type TableName struct {
	Group    string   // that owns the components; "": no group owns them
	Fixed    []string // that all rows have
	Optional []string // that some rows have
	Thin     bool     // the rows are apart from the other rows of their entities
	cut      bool     // the table has more components than the name lists
}

const (
	tablePrefix = "table/"
	thinPrefix  = "thin/"
	tableMax    = 200 // bytes of components that are spelled out
)

// components returns the fixed and the optional ones, in the order of their columns.
func (t TableName) components() []string { return slices.Concat(t.Fixed, t.Optional) }

// String returns the name, of at most about 200 bytes plus two names. The names of components
// must not contain + ~ @ or /.
func (t TableName) String() string {
	var b strings.Builder
	switch {
	case t.Thin:
		b.WriteString(thinPrefix)
	case t.Group != "":
		b.WriteString(tablePrefix + t.Group + "/")
	default:
		b.WriteString(tablePrefix)
	}
	all, begin := t.components(), b.Len()
	for i, c := range all {
		sign := "~"
		if i == 0 && len(t.Fixed) > 0 {
			sign = ""
		} else if i < len(t.Fixed) {
			sign = "+"
		}
		if i > 0 && b.Len()-begin+len(c) > tableMax {
			fmt.Fprintf(&b, "%s%d-more@%x", sign, len(all)-i, t.sum())
			break
		}
		b.WriteString(sign + c)
	}
	return b.String()
}

// sum is FNV-1a of the names of all components, with the signs between them: of a~b~c where a is
// fixed, of ~b~c where none is, of a~ where all are.
func (t *TableName) sum() uint64 {
	h := fnv.New64a()
	io.WriteString(h, strings.Join(t.Fixed, "+")+"~"+strings.Join(t.Optional, "~"))
	return h.Sum64()
}

// ParseTable reads a name that String wrote. It returns false for names of other groups.
func ParseTable(name string) (t TableName, ok bool) {
	rest, ok := strings.CutPrefix(name, tablePrefix)
	if !ok {
		c, thin := strings.CutPrefix(name, thinPrefix)
		return TableName{Fixed: []string{c}, Thin: true}, thin && c != "" && !strings.ContainsAny(c, "+~@/")
	}
	if group, components, found := strings.Cut(rest, "/"); found {
		if t.Group, rest = group, components; group == "" {
			return t, false
		}
	}
	fixed, optional, some := strings.Cut(rest, "~")
	if fixed != "" {
		t.Fixed = strings.Split(fixed, "+")
	}
	last := &t.Fixed
	if some {
		t.Optional = strings.Split(optional, "~")
		last = &t.Optional
	}
	if n := len(*last) - 1; n >= 0 && strings.Contains((*last)[n], "@") { // stands for the rest
		t.cut, *last = true, (*last)[:n]
	}
	all := t.components()
	return t, len(all) > 0 && !slices.ContainsFunc(all, func(c string) bool { return c == "" || strings.ContainsAny(c, "+/@") })
}
