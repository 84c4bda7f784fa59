package profile

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// A table's name lists the components of its rows, and is one word of the text form.
func TestTableName(t *testing.T) {
	for name, want := range map[string]TableName{
		"table/pos":              {Fixed: []string{"pos"}},
		"table/pos+vel":          {Fixed: []string{"pos", "vel"}},
		"table/pos+vel~ill~a.b":  {Fixed: []string{"pos", "vel"}, Optional: []string{"ill", "a.b"}},
		"table/~ill":             {Optional: []string{"ill"}},
		"table/~ill~mad":         {Optional: []string{"ill", "mad"}},
		"table/body/pos~ill":     {Group: "body", Fixed: []string{"pos"}, Optional: []string{"ill"}},
		"table/thin/pos":         {Group: "thin", Fixed: []string{"pos"}},
		"thin/ill":               {Fixed: []string{"ill"}, Thin: true},
		"table/2-more+pos_-.9-m": {Fixed: []string{"2-more", "pos_-.9-m"}},
	} {
		if got := want.String(); got != name || text.Quote(got) != name {
			t.Errorf("%+v: %q, want %q", want, got, name)
		}
		if got, ok := ParseTable(name); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v %v, want %+v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "pos", "table", "table/", "tables/a", "table//a", "table/a/", "table/a/b/c", "table/+a", "table/a+", "table/a++b", "table/a+~b",
		"table/a~b+c", "table/~", "thin/", "thin/a+b", "thin/~a", "thin/a/b", "thin/1-more@1", "table/1-more@1", "table/a+1-more@1+b", "body/table/a"} {
		if got, ok := ParseTable(name); ok {
			t.Errorf("%q is taken for the table %+v", name, got)
		}
	}
}

// A long name is cut and still tells one table from another; the rest is in order.
func TestLongTableName(t *testing.T) {
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("component-%03d", i))
	}
	seen := make(map[string]bool)
	for i := range 20 {
		for _, table := range []TableName{{Fixed: many[:40+i]}, {Fixed: many[:10], Optional: many[10 : 40+i]}, {Fixed: many[:12], Optional: many[12 : 40+i]},
			{Fixed: many[:39-i], Group: "body"}, {Optional: many[:40+i]}, {Fixed: []string{"a", strings.Repeat("b", 255-i)}}} {
			name := table.String()
			if len(name) > 250 || seen[name] {
				t.Errorf("%q: %d bytes, twice: %v", name, len(name), seen[name])
			}
			seen[name] = true
			got, ok := ParseTable(name)
			all, has := table.components(), got.components()
			if cut := len(all) > len(has); !ok || got.cut != cut || got.Group != table.Group || len(has) == 0 || !reflect.DeepEqual(has, all[:len(has)]) {
				t.Errorf("%q: %+v %v", name, got, ok)
			}
			if !reflect.DeepEqual(got.Fixed, table.Fixed[:len(got.Fixed)]) || len(all) > 30 && (len(has) < 10 || !got.cut) {
				t.Errorf("%q: %+v", name, got)
			}
		}
	}
	if got, sum := (TableName{Fixed: many[:3], Optional: many[3:40]}).String(), "~26-more@8c8a521e9fc8dfbd"; !strings.HasSuffix(got, sum) {
		t.Errorf("%q: another sum of the names than %q, which profiles have", got, sum)
	}
	one := TableName{Fixed: []string{strings.Repeat("x", 255)}, Group: strings.Repeat("g", 255)}
	if got, ok := ParseTable(one.String()); !ok || !reflect.DeepEqual(got, one) || text.BadName(one.String()) != "" {
		t.Errorf("%+v %v", got, ok)
	}
}
