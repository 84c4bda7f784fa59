package profile

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// someMap is where the chunks of a small run lay: three of a group, and one of a table.
func someMap() Map {
	return Map{
		Frame: 10,
		Regions: []Region{
			{Range: "huge", Number: 0, Free: 0xffff_fff0, Dirty: 0x0000_00ff},
			{Range: "normal", Number: 0, Free: 0xffff_ff00, Dirty: 0x0000_000f, Quarantined: 0x0000_0002},
		},
		Chunks: []Placed{
			{Group: "body", Order: 0, Region: 0, Slot: 0, Rows: 60, Bytes: 1920, Moves: 3, Copied: 5000, Heat: 9},
			{Group: "body", Order: 1, Region: 0, Slot: 2, Rows: 60, Bytes: 1920, Pins: 1},
			{Group: "body", Order: 2, Region: 0, Slot: 1, Rows: 13, Bytes: 416, Moves: 1, Copied: 416},
			{Group: "body", Order: -1, Region: 0, Slot: 3},
			{Group: "table/mark", Order: 0, Region: 1, Slot: 0, Rows: 5, Bytes: 80},
		},
	}
}

// A map knows the profile of its run by the facts.
func TestMapBelongs(t *testing.T) {
	p := Profile{Frames: 3, Groups: []Group{{Name: "g", Rows: 5}}}
	m := Map{Of: p.sum()}
	other, laid := p, p
	other.Frames, laid.Layout = 4, "0123456789abcdef"
	if !m.Belongs(p) || m.Belongs(other) || m.Belongs(laid) {
		t.Error("it is of another run, or of any")
	}
	if !(Map{}).Belongs(p) || !m.Belongs(Profile{}) {
		t.Error("what is not known is refused")
	}
}

// A written map is the golden file, and read back it is the same map.
func TestMapGolden(t *testing.T) {
	m := someMap()
	m.Chunks[4].Group = `table/a "b", c`
	m.Whole, m.Of, m.Regions[1].Blocks = true, 0x8d1c02aa90b7e4f1, 1
	m.Regions = append(m.Regions, Region{Range: "normal", Number: 1, Free: 0xffff_fffe, Dirty: 3, Striped: true})
	m.Chunks = append(m.Chunks, Placed{Group: "table/sign", Region: 1, Rows: 7, Bytes: 84}, Placed{Group: "long", Region: 2, Rows: 800, Bytes: 64000})
	var got bytes.Buffer
	n, err := m.WriteTo(&got)
	if err != nil || int(n) != got.Len() {
		t.Fatalf("%d of %d bytes, %v", n, got.Len(), err)
	}
	golden := filepath.Join("testdata", "map.golden")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got\n%s\nwant %s:\n%s", got.String(), golden, want)
	}
	read, err := ParseMap(golden, bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, m) {
		t.Errorf("read\n%+v\nwant\n%+v", read, m)
	}
}

func TestMapFile(t *testing.T) {
	m := someMap()
	run := filepath.Join(t.TempDir(), "run")
	file := run + MapSuffix
	for range 2 { // the second takes the place of the first
		if err := WriteRun(run, Profile{}, m); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadMap(file); err != nil || !reflect.DeepEqual(read, m) {
			t.Errorf("%+v, %v", read, err)
		}
	}
	bad := m
	bad.Chunks = append(bad.Chunks, bad.Chunks[0])
	if err := WriteRun(run, Profile{}, bad); err == nil {
		t.Error("a map with a chunk twice was written")
	}
	if read, err := ReadMap(file); err != nil || !reflect.DeepEqual(read, m) {
		t.Errorf("the old file was touched: %+v, %v", read, err)
	}
}

// Comments, blanks, order of figures and lines' ends don't matter.
func TestMapReadsLoosely(t *testing.T) {
	text := "\n# recorded on the test course\nashlar map 1 # one\r\nregion huge 7 " + strings.Repeat("x", 32) + "\tstriped # long\r\n\n" +
		"chunk body 3\tat huge 7 31 heat 9 rows 1#that's all\nframe 5\nwhole\nend"
	m, err := ParseMap("t", strings.NewReader(text))
	want := Map{Frame: 5, Whole: true, Regions: []Region{{Range: "huge", Number: 7, Dirty: 1<<32 - 1, Striped: true}}, Chunks: []Placed{{Group: "body", Order: 3, Slot: 31, Rows: 1, Heat: 9}}}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestMapMistakes(t *testing.T) {
	const head = "ashlar map 1\nregion normal 0 :~-.+xxx........................\n"
	for _, tt := range []struct{ text, want string }{
		{"", `t: the file is empty: the first line of a map is "ashlar map 1"`},
		{"# nothing\n\n", `t:2: the file is empty`},
		{"hello\n", `t:1:1: the file is not a map`},
		{"ashlar profile 1\n", `t:1:8: the file is an ashlar profile, not a map`},
		{"ashlar", `t:1:1: the file is not a map: the first line of one is "ashlar map 1"; name another file`},
		{"ashlar map 2\nwhat ever\n", `t:1:12: the file has version 2, and this program reads up to 1: use a newer ashlar`},
		{"ashlar map one\n", `t:1:12: "one" is not a version`},
		{"ashlar map 1\n\x00", `t:2:1: byte 0x00`},
		{head, "t:2: `end` is missing"},
		{head + "fly\nend\n", `t:3:1: "fly" is not a statement`},
		{head + "end\nframe 1\n", "t:4:1: `end` is in line 3"},
		{head + "frame x\nend\n", `t:3:7: "x" is not a valid number of a frame`},
		{head + "frame 1\nframe 2\nend\n", `t:4:1: line 3 states it already`},
		{head + "region normal 1 xx\nend\n", `t:3:17: "xx" is not a valid state of 32 blocks`},
		{head + "region normal 1 x..............................?\nend\n", `t:3:17: "x..............................?" is not a valid state`},
		{head + "region normal 1 x............................... stripy\nend\n", `t:3:50: unexpected "stripy"; the form is: region RANGE NUMBER STATES [striped]`},
		{head + "region normal 1 x..............................: striped\nend\n", `t:3:1: a striped region has shared blocks`},
		{head + "whole 1\nend\n", `t:3:7: unexpected "1"`},
		{head + "whole\nwhole\nend\n", `t:4:1: line 3 states it already`},
		{head + "region normal 0 ................................\nend\n", `t:3:1: line 2 states it already`},
		{head + "region normal 99999999999 ................................\nend\n", `t:3:15: "99999999999" is not a valid number of a region`},
		{head + "chunk a 0 at normal 0 0\nchunk a 0 at normal 0 5\nend\n", `t:4:1: line 3 states it already`},
		{head + "chunk a 0 at normal 0 0 bytes 60000\nchunk b 0 at normal 0 0 bytes 6000\nend\n", `t:4:1: it lies in block 0, in which other chunks leave no room for it`},
		{head + "chunk a 0 at normal 0 5\nchunk b 0 at normal 0 5\nend\n", `t:4:1: it lies in block 5, in which another chunk lies`},
		{head + "chunk a 0 at normal 0 1\nend\n", `t:3:1: it lies in block 1, which is not in use`},
		{head + "chunk a 0 at normal 0 2\nend\n", `t:3:1: it lies in block 2, which is not in use`},
		{head + "chunk a 0 at normal 0 32\nend\n", `t:3:23: "32" is not a valid block`},
		{head + "chunk a 0 at normal 1 0\nend\n", `t:3:1: no line above states region normal 1`},
		{head + "chunk a -1 at normal 0 0\nend\n", `t:3:9: "-1" is not a valid order`},
		{head + "chunk a 2147483648 at normal 0 0\nend\n", `t:3:9: "2147483648" is not a valid order in the group: write a whole number from 0 to 2147483647, or spare`},
		{head + "chunk a 0 normal 0 0\nend\n", `t:3:11: the place is missing`},
		{head + "chunk a 0 at normal 0 0 rows\nend\n", `t:3:29: `},
		{head + "chunk a 0 at normal 0 0 bytes 65537\nend\n", `t:3:1: it has 0 rows and 65537 bytes`},
		{head + "chunk a 0 at normal 0 0 rows 1 rows 1\nend\n", `t:3:32: rows is stated twice`},
		{head + "chunk a 0 at normal 0 0 fun 1\nend\n", `t:3:25: unexpected "fun"`},
		{head + "chunk \"a 0 at normal 0 0\nend\n", `t:3:7: the quote is not closed`},
		{head + "chunk \"\" 0 at normal 0 0\nend\n", `t:3:7: a name is empty`},
		{head + strings.Repeat("fly\n", 25) + "end\n", "and 5 more problems"},
		{head + "run 12\nend\n", `t:3:5: "12" is not a valid sum`},
		{head + "run 12345678123456zz\nend\n", `is not a valid sum: write 16 hexadecimal digits`},
		{head + "chunk a 0 at normal 0 0 pins 2147483648\nend\n", `t:3:30: "2147483648" is not a valid number of pins`},
		{head + "frame 1 # " + strings.Repeat("x", text.LineMax), `t:3:65536: the line has more than`},
		{strings.Repeat("#\n", text.FileMax/2+1), "the file has more than 16777216 bytes"},
	} {
		_, err := ParseMap("t", strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.80q: %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// Chunks may fill a block to its last byte.
func TestMapOfAFullBlock(t *testing.T) {
	m, err := ParseMap("t", strings.NewReader("ashlar map 1\nregion normal 0 :x..............................\n"+
		"chunk a 0 at normal 0 0 bytes 60000\nchunk b 0 at normal 0 0 bytes 5536\nchunk c 0 at normal 0 1 bytes 65536\nend\n"))
	if err != nil || len(m.Chunks) != 3 {
		t.Errorf("%d chunks, %v", len(m.Chunks), err)
	}
}

// A group may have several spares: each is known by its place.
func TestMapSpares(t *testing.T) {
	m := someMap()
	m.Chunks = append(m.Chunks, Placed{Group: "body", Order: -1, Region: 1, Slot: 4}, Placed{Group: "body", Order: -1, Region: 1, Slot: 5})
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if back, err := ParseMap("t", &b); err != nil || len(back.Chunks) != len(m.Chunks) {
		t.Errorf("%d chunks of %d, %v", len(back.Chunks), len(m.Chunks), err)
	}
}

// A map that can't be read back is not written.
func TestMapCheck(t *testing.T) {
	good := func() Map {
		m := someMap()
		return m
	}
	for want, spoil := range map[string]func(m *Map){
		"a name is empty":               func(m *Map) { m.Chunks[0].Group = "" },
		"range":                         func(m *Map) { m.Regions[0].Range = strings.Repeat("range", 1000) },
		"free, in quarantine or shared": func(m *Map) { m.Regions[0].Quarantined = 1 << 31 },
		"clean only if":                 func(m *Map) { m.Regions[1].Dirty = 0 },
		"region 2 of 2":                 func(m *Map) { m.Chunks[0].Region = 2 },
		"region -1 of 2":                func(m *Map) { m.Chunks[0].Region = -1 },
		"its block is 32: it has to be from 0 to 31": func(m *Map) { m.Chunks[0].Slot = 32 },
		"in block 1, in which another":               func(m *Map) { m.Chunks[0].Slot = 1 },
		"in block 1, in which other chunks":          func(m *Map) { m.Regions[0].Blocks, m.Chunks[0].Slot, m.Chunks[0].Bytes = 2, 1, 64<<10 },
		"huge 0: a block is free":                    func(m *Map) { m.Regions[0].Blocks = 1 << 4 },
		"normal 0: a block is free":                  func(m *Map) { m.Regions[1].Blocks = 1 << 5 },
		"striped region has shared":                  func(m *Map) { m.Regions[0].Blocks, m.Regions[0].Striped = 1, true },
		"in block 9, which is not":                   func(m *Map) { m.Chunks[0].Slot = 9 },
		"order is -2":                                func(m *Map) { m.Chunks[0].Order = -2 },
		"body 1: it is stated":                       func(m *Map) { m.Chunks[0].Order = 1 },
		"normal 0: it is stated":                     func(m *Map) { m.Regions[0].Range = "normal" },
		"its number of pins is -1":                   func(m *Map) { m.Chunks[0].Pins = -1 },
		"65537 bytes: at most":                       func(m *Map) { m.Chunks[0].Bytes = 65537 },
		"2147483648 rows":                            func(m *Map) { m.Chunks[0].Rows = 1 << 31 },
	} {
		m := good()
		spoil(&m)
		var b bytes.Buffer
		n, err := m.WriteTo(&b)
		if err == nil || n != 0 || b.Len() != 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", want, err, b.String())
		}
	}
	if err := (Map{}).check(); err != nil {
		t.Errorf("an empty map: %v", err)
	}
}

// A map that is read is written, and read again as the same.
func FuzzMap(f *testing.F) {
	golden, err := os.ReadFile(filepath.Join("testdata", "map.golden"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte("ashlar map 1\nregion a 0 " + strings.Repeat("x+.~-:..", 4) + "\nend"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseMap("t", bytes.NewReader(text))
		if err != nil {
			return
		}
		var one bytes.Buffer
		if _, err := m.WriteTo(&one); err != nil {
			t.Fatalf("read and not written: %v", err)
		}
		again, err := ParseMap("t", &one)
		if err != nil || !reflect.DeepEqual(m, again) {
			t.Fatalf("%v\n%+v\n%+v", err, m, again)
		}
	})
}
