package layout_test

import "testing"

// A # within a quoted name begins no comment, nor does a quoted \" end the name.
func TestCommentBehindQuotedName(t *testing.T) {
	for line, why := range map[string]string{
		`cold "a # b"`:             "",
		`cold "a # b" # why`:       "why",
		`cold "a \" # b" # why`:    "why",
		`near "a" "b#c" # "d" # e`: `"d" # e`,
	} {
		if s := parsed(t, "ashlar layout 1\n"+line+"\n").Statements; len(s) != 1 || s[0].Why != why {
			t.Errorf("%s: %+v", line, s)
		}
	}
}
