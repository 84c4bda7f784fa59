package profile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A written map is the golden file, and read back it is the same map.
func TestMapGolden(t *testing.T) {
	_, m := recorded()
	m.Chunks[4].Group = `table/a "b", c`
	m.Whole, m.Regions[1].Blocks = true, 1
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
	_, m := recorded()
	file := filepath.Join(t.TempDir(), "run.map")
	for range 2 { // the second takes the place of the first
		if err := m.WriteFile(file); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadMapFile(file); err != nil || !reflect.DeepEqual(read, m) {
			t.Errorf("%+v, %v", read, err)
		}
	}
	bad := m
	bad.Chunks = append(bad.Chunks, bad.Chunks[0])
	if err := bad.WriteFile(file); err == nil {
		t.Error("a map with a chunk twice was written")
	}
	if read, err := ReadMapFile(file); err != nil || !reflect.DeepEqual(read, m) {
		t.Errorf("the old file was touched: %+v, %v", read, err)
	}
	if _, err := ReadMapFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
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
		{"", `t:1: it is empty: a map begins with "ashlar map 1"`},
		{"# nothing\n\n", `t:2: it is empty`},
		{"hello\n", `t:1:1: it is no map`},
		{"ashlar profile 1\n", `t:1:1: it is no map but an ashlar profile: its map is in the file that the same run wrote beside it, with .map at the end`},
		{"ashlar", `t:1:1: it is no map: a map begins with "ashlar map 1"; name another file`},
		{"ashlar map 2\nwhat ever\n", `t:1:12: it has version 2, and this program knows up to 1: use a newer ashlar`},
		{"ashlar map one\n", `t:1:12: "one" is not a version`},
		{"ashlar map 1\n\x00", `t:2:1: byte 0x00`},
		{head, `t:2: it has no ` + "`end`"},
		{head + "fly\nend\n", `t:3:1: "fly" is no statement`},
		{head + "end\nframe 1\n", `t:4:1: ` + "`end` stands in line 3"},
		{head + "frame x\nend\n", `t:3:7: "x" is no number of a frame`},
		{head + "frame 1\nframe 2\nend\n", `t:4:1: it is stated in line 3 already`},
		{head + "region normal 1 xx\nend\n", `t:3:17: the states of 32 slots`},
		{head + "region normal 1 x..............................?\nend\n", `t:3:48: "?" is no state`},
		{head + "region normal 1 x............................... stripy\nend\n", `t:3:50: "stripy" is too much; the form is: region RANGE NUMBER STATES [striped]`},
		{head + "region normal 1 x..............................: striped\nend\n", `t:3:1: slots of a striped region are cut into blocks`},
		{head + "whole 1\nend\n", `t:3:7: "1" is too much`},
		{head + "whole\nwhole\nend\n", `t:4:1: it is stated in line 3 already`},
		{head + "region normal 0 ................................\nend\n", `t:3:1: it is stated in line 2 already`},
		{head + "region normal 99999999999 ................................\nend\n", `t:3:15: "99999999999" is no number of a region`},
		{head + "chunk a 0 at normal 0 0\nchunk a 0 at normal 0 5\nend\n", `t:4:1: it is stated in line 3 already`},
		{head + "chunk a 0 at normal 0 0 bytes 60000\nchunk b 0 at normal 0 0 bytes 6000\nend\n", `t:4:1: it lies in slot 0, in which other chunks leave no room for it`},
		{head + "chunk a 0 at normal 0 5\nchunk b 0 at normal 0 5\nend\n", `t:4:1: it lies in slot 5, in which another chunk lies`},
		{head + "chunk a 0 at normal 0 1\nend\n", `t:3:1: it lies in slot 1, which is not in use`},
		{head + "chunk a 0 at normal 0 2\nend\n", `t:3:1: it lies in slot 2, which is not in use`},
		{head + "chunk a 0 at normal 0 32\nend\n", `t:3:23: "32" is no slot`},
		{head + "chunk a 0 at normal 1 0\nend\n", `t:3:1: no line above states region normal 1`},
		{head + "chunk a -1 at normal 0 0\nend\n", `t:3:9: "-1" is no order`},
		{head + "chunk a 0 normal 0 0\nend\n", `t:3:11: at is missing`},
		{head + "chunk a 0 at normal 0 0 rows\nend\n", `t:3:29: `},
		{head + "chunk a 0 at normal 0 0 bytes 65537\nend\n", `t:3:31: "65537" is no bytes`},
		{head + "chunk a 0 at normal 0 0 rows 1 rows 1\nend\n", `t:3:32: rows is stated twice`},
		{head + "chunk a 0 at normal 0 0 fun 1\nend\n", `t:3:25: "fun" is not known here`},
		{head + "chunk \"a 0 at normal 0 0\nend\n", `t:3:7: the quote is not closed`},
		{head + "chunk \"\" 0 at normal 0 0\nend\n", `t:3:7: a name is empty`},
		{head + strings.Repeat("fly\n", 25) + "end\n", "and 5 problems more"},
		{head + "frame 1 # " + strings.Repeat("x", lineMax), `t:3:65536: the line has`},
		{strings.Repeat("#\n", fileMax/2+1), "it has more than 16777216 bytes"},
	} {
		_, err := ParseMap("t", strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.80q: %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// What can't be read back is not written.
func TestMapCheck(t *testing.T) {
	good := func() Map {
		_, m := recorded()
		return m
	}
	for want, spoil := range map[string]func(m *Map){
		"a name is empty":                  func(m *Map) { m.Chunks[0].Group = "" },
		"range":                            func(m *Map) { m.Regions[0].Range = strings.Repeat("range", 1000) },
		"both free and in quar":            func(m *Map) { m.Regions[0].Quarantined = 1 << 31 },
		"quarantine and clean":             func(m *Map) { m.Regions[1].Dirty = 0 },
		"region 2 of 2":                    func(m *Map) { m.Chunks[0].Region = 2 },
		"region -1 of 2":                   func(m *Map) { m.Chunks[0].Region = -1 },
		"in slot 32":                       func(m *Map) { m.Chunks[0].Slot = 32 },
		"in slot 1, in which another":      func(m *Map) { m.Chunks[0].Slot = 1 },
		"in slot 1, in which other chunks": func(m *Map) { m.Regions[0].Blocks, m.Chunks[0].Slot, m.Chunks[0].Bytes = 2, 1, 64<<10 },
		"cut into blocks and not in use":   func(m *Map) { m.Regions[0].Blocks = 1 << 4 },
		"cut into blocks and clean":        func(m *Map) { m.Regions[1].Blocks = 1 << 5 },
		"striped region are cut":           func(m *Map) { m.Regions[0].Blocks, m.Regions[0].Striped = 1, true },
		"in slot 9, which is not":          func(m *Map) { m.Chunks[0].Slot = 9 },
		"order is -2":                      func(m *Map) { m.Chunks[0].Order = -2 },
		"body 1: it is stated":             func(m *Map) { m.Chunks[0].Order = 1 },
		"normal 0: it is stated":           func(m *Map) { m.Regions[0].Range = "normal" },
		"pinned less than 0":               func(m *Map) { m.Chunks[0].Pins = -1 },
		"bytes 65537: it can":              func(m *Map) { m.Chunks[0].Bytes = 65537 },
		"rows 2147483648: it can":          func(m *Map) { m.Chunks[0].Rows = 1 << 31 },
	} {
		m := good()
		spoil(&m)
		var b bytes.Buffer
		n, err := m.WriteTo(&b)
		if err == nil || n != 0 || b.Len() != 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", want, err, b.String())
		}
	}
	if err := (Map{}).Check(); err != nil {
		t.Errorf("an empty map: %v", err)
	}
}

// Whatever is read is written to what is read as the same, and can be drawn for pprof.
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
		for _, p := range []interface{ CheckValid() error }{PprofMemory(m), PprofMoves(m)} {
			if err := p.CheckValid(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
