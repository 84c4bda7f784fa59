package advice

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// regionsMost is how many regions of a long table or group have pages of the usual size unless a layout states how
// many rows it will have. Later ones have huge pages.
const regionsMost = 4

const (
	regionBytes = 2 << 20
	pageBytes   = 4 << 10
	indexBytes  = 8 // of the handle in a row
)

// lengths finds tables and groups that filled regions in most frames. The next run has their pages at once, a region
// each, and not one by one as rows come.
func lengths(x in) (list []layout.Statement) {
	var apart []profile.Group // that are to have rows of their own
	for _, s := range parted(x) {
		apart = append(apart, x.p.Groups[slices.IndexFunc(x.p.Groups, func(g profile.Group) bool { return g.Name == s.Name })])
	}
	for _, g := range x.p.Groups {
		if name, owns := leftOf(g, apart); name != "" {
			list = x.length(list, name, owns, g.Peak, share(1, g.Rows, x.p.Frames), "at most", x.grown(g))
		}
	}
	for _, a := range apart {
		mean, last := uint64(0), uint64(0)
		for _, g := range x.tablesWith(a.Owns) {
			mean, last = mean+share(1, g.Rows, x.p.Frames), last+g.Last
		}
		list = x.length(list, a.Name, a.Owns, max(mean, last), mean, "at least at its peak", "")
	}
	return list
}

// length appends the statement of a group with so many rows at its peak and on average.
func (x in) length(list []layout.Statement, group string, owns []string, peak, mean uint64, as, grown string) []layout.Statement {
	row := uint64(indexBytes)
	for _, c := range owns {
		row += x.p.Size(c)
	}
	regions := min(times(peak, row)/regionBytes, regionsMost)
	if regions == 0 || mean < peak/2 {
		return list
	}
	gain := time.Duration(regions * regionBytes / pageBytes * pagePs / 1000)
	return append(list, layout.Statement{Word: layout.Rows, Name: group, N: int(rounded2(peak)),
		Why: fmt.Sprintf("%d %s, %d on average%s; about %v less until it has grown", peak, as, mean, grown, rounded(gain))})
}

// leftOf is the name of a group, and components that all its rows have, once other groups have rows of their own: of a
// table without the components of these; "" if none is left.
func leftOf(g profile.Group, apart []profile.Group) (name string, owns []string) {
	t, table := profile.ParseTable(g.Name)
	if !table || len(t.Fixed)+len(t.Optional) != len(g.Owns) { // or its name is cut
		return g.Name, g.Owns
	}
	for _, a := range apart {
		if !slices.ContainsFunc(a.Owns, func(c string) bool { return !slices.Contains(t.Fixed, c) }) {
			t.Fixed = slices.DeleteFunc(t.Fixed, func(c string) bool { return slices.Contains(a.Owns, c) })
		}
	}
	if len(t.Fixed)+len(t.Optional) == 0 {
		return "", nil
	}
	return t.String(), t.Fixed
}

// grown says from which frame on a group had half of its rows; "" if it was so from the beginning, or is not known.
func (x in) grown(g profile.Group) string {
	for _, s := range x.p.Growth {
		if s.Group == g.Name && s.Rows >= g.Peak/2 {
			if s.Frame > 1 {
				return fmt.Sprintf(", half of them from frame %d on", s.Frame)
			}
			break
		}
	}
	return ""
}
