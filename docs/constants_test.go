package docs

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// tuningMost is how many constants of the library may decide a path or a time. It only falls;
// the aim is 40.
const tuningMost = 66

// texts are packages with constants that decide only the content of a text. Nothing in a
// program runs otherwise because of them.
var texts = map[string]string{
	"ecs/internal/lines":    "lengths of lines and lists",
	"profile/advice":        "what advice predicts; `go -C bench run . -advice` holds the predictions against programs",
	"profile":               "limits of the format of profiles",
	"profile/internal/text": "limits of the format of profiles",
}

// notTuning are constants that look like tuning, with the reason why they are not.
var notTuning = map[string]string{
	// Sizes and places: another value is another layout.
	"ecs/internal/entities.lineLen":   "a cache line",
	"ecs/internal/entities.pageLen":   "a page of records",
	"ecs/internal/entities.partLen":   "a word of bits",
	"ecs/internal/walk.heldMost":      "row numbers have 16 bits",
	"ecs/internal/record.lookFirst":   "the phase of a period",
	"ecs/internal/record.sampleFirst": "the phase of a period",
	"ecs/internal/record.grownLeast":  "which tables a profile has more of",
	"ecs/internal/walk.tellEvery":     "sums have 32 bits",
	"ecs/internal/raw.eachLane":       "a mask",
	"ecs/internal/store.edgeHash":     "a multiplier",
	"ecs/internal/walk.PartRows":      "another value is another result",
	"ecs/internal/store.mostHeld":     "a word of bits",
	"ecs/internal/store.page":         "lines of a message",
	"ecs/internal/queue.blockLen":     "a part of a page of records",
	"ecs/internal/crew.alone":         "above any number of workers",
	"ecs.dropsShown":                  "lines of a text",
	"ecs/internal/store.placeBits":    "a word of bits",
	"ecs/internal/store.ticksPage":    "a page of ticks",
	"ecs/internal/policy.most":        "a word of bits",
	"ecs/internal/tune.indexBytes":    "a record and an entry",
	"ecs/internal/policy.piece":       "a unit",
	"ecs/internal/policy.runRows":     "walk.RunLength",
	"arena.PageLen":                   "a page of elements",
	"arena.pageBytes":                 "a page of entries",
	"arena.RegionBytes":               "a region",
	"arena.SlotBytes":                 "a slot",
	"arena.addressSpace":              "of the processor",
	"arena.heapChunkSpace":            "width of a slot's number",
	"arena.heapStep":                  "of Go's heap",
	"arena.arrayStagger":              "places of a region",
	"arena.osPageMax":                 "of the operating systems",
	"arena.unlimited":                 "of the kernel",
	"chunk.Bytes":                     "a chunk",
	"chunk.Classes":                   "sizes of blocks",
	"chunk.Line":                      "a cache line",
	"chunk.Page":                      "a page of the system",
	"chunk.RegionChunks":              "a region",
	"chunk.sets":                      "sets of the first-level cache",
	"profile/histogram.partLog":       "buckets of a histogram",
	"profile/histogram.parts":         "buckets of a histogram",
	"arena/caches.bytesMax":           "a refusal",
	"arena/caches.countMax":           "a refusal",
	"arena/caches.indexMax":           "a refusal",
	"arena/caches.leafFeatures":       "of the processor",
	"arena/caches.leafAMD":            "of the processor",
	"arena/caches.leafIntel":          "of the processor",
	"memmgr.cellBytes":                "a cell of a directory",
	"memmgr/internal/spot.Poison":     "a byte",
	"views.PlaceCells":                "width of a place",
	"views.blockRows":                 "length of buffers: 16 rows are as fast (BenchmarkGather)",
	"views.cellBytes":                 "a cell of a directory",
	"views.noneBytes":                 "sizes that kernels are written for",

	// Limits: a program is refused beyond them, or something is no longer listed.
	"ecs.deepMost":                        "a refusal",
	"ecs/internal/queue.DropsMost":        "commands that are listed",
	"ecs.firstFrames":                     "a figure of trials",
	"ecs.nameMax":                         "length of a name",
	"ecs.valueMax":                        "size of a component",
	"ecs.walkedMost":                      "tables that advice is taken from",
	"ecs.workersMost":                     "a refusal",
	"ecs/internal/entities.Bare":          "the version in a word",
	"ecs/internal/entities.TagMax":        "tags of worlds",
	"ecs/internal/entities.maxMost":       "a refusal",
	"ecs/internal/entities.handoversMost": "memory of a list",
	"ecs/internal/order.scratchMost":      "memory that is taken unasked",
	"arena.heapFreeMin":                   "a refusal",
	"arena.heapSpare":                     "a refusal",
	"arena.physicalUsual":                 "the reservation of usual machines",
	"arena.reserveMin":                    "a refusal",
	"chunk.MaxColumns":                    "columns of a layout",
	"chunk.MaxRows":                       "rows of a chunk",
	"memmgr.AnnexMost":                    "a refusal",
	"ecs/internal/policy.roomMost":        "a refusal",
	"ecs/internal/policy.OrderMost":       "a refusal, and sizes of arrays",
	"memmgr/internal/spot.RetiredMost":    "memory of a list",

	// Defaults: programs set them by an option that describes them.
	"ecs.maxEntitiesDefault":        "Options.MaxEntities",
	"ecs.maxStepsDefault":           "Options.MaxSteps",
	"ecs/internal/record.timeEvery": "Options.TimeEvery",
	"memmgr.decayOver":              "Options.Decay",
	"memmgr.every":                  "Options.Every",
	"memmgr.budgetBytes":            "Budget.Bytes",
	"memmgr.budgetTime":             "Budget.Time",
}

// notYetShown are tuning constants without a command. None may be added.
var notYetShown = []string{
	"ecs/internal/walk.askedChunks",
	"ecs/internal/source.directRun",
	"ecs/internal/source.scarceLeast",
	"ecs/internal/source.scarceShare",
	"ecs/internal/record.sampleEvery",
	"ecs/internal/store.WarmMost",
	"ecs/internal/store.deadMost",
	"ecs/internal/store.rareAgain",
	"ecs/internal/store.rareMost",
	"ecs/internal/store.rareOne",
	"ecs/internal/store.rareSpan",
	"ecs/internal/store.tidyMost",
	"ecs/internal/store.tidyPages",
	"memmgr.stalledMuch",
}

// tunedBy are functions that compare with tuning numbers of their own. Each counts as a constant.
var tunedBy = []string{
	"ecs/internal/walk.passChunks", // a quarter
	"ecs/internal/store.add",       // three quarters of a table of edges
	"ecs/internal/store.share",     // 8 MB a second
	"ecs/internal/store.wipe",      // a quarter
	"memmgr.withSlack",             // a third, so that smaller and watch leave a quarter
}

// literalsIn are functions that compare with other numbers of their own, with the reason.
var literalsIn = map[string]string{
	"ecs.First":                    "width of a number",
	"ecs.complete":                 "the default of Options.FixedStep",
	"ecs.invalid":                  "the limit of Options.Tag",
	"ecs/internal/contract.room":   "a first allocation",
	"ecs/internal/order.byKeys":    "half of a key's bits",
	"ecs/internal/order.scratch":   "sizes of items",
	"ecs/internal/policy.complete": "three columns of a row",
	"ecs/internal/random.Float64":  "bits of a fraction",
	"ecs/internal/source.room":     "bytes to words",
	"ecs/internal/source.rowOf":    "row numbers have 16 bits",
	"ecs/internal/schedule.Alpha":  "below 1",
	"memmgr.lacking":               "percent: a tenth, as arena.Pressure says",
	"arena.mountsOf":               "fields of a line",
	"arena.near":                   "percent: a tenth of the limit is its end",
	"arena.reserveFor":             "the table in its comment",
	"arena.roundReserve":           "two halves of whole regions",
	"arena.stalled":                "percent",
	"chunk.layoutOf":               "percent",
	"profile/histogram.percentile": "percent",
	"memmgr.smaller":               "withSlack's quarter",
	"memmgr.watch":                 "withSlack's quarter",
}

// TestConstants: few constants decide paths and times, and each names the command that shows it.
func TestConstants(t *testing.T) {
	l, known := parseLibrary(t), parseCommands(t)
	n, exempt, unshown := len(tunedBy), map[string]bool{}, map[string]bool{}
	for _, c := range l.tuned() {
		dir := c.name[:strings.LastIndexByte(c.name, '.')]
		if _, is := notTuning[c.name]; is {
			exempt[c.name] = true
			continue
		}
		if texts[dir] != "" {
			continue
		}
		n++
		t.Logf("%s", c.name)
		switch err := known.shows(c.doc); {
		case slices.Contains(notYetShown, c.name):
			unshown[c.name] = true
			if err == nil {
				t.Errorf("%s is shown: take it off the list of those that are not", c.name)
			}
		case err != nil:
			t.Errorf("%s decides a path or a time: %v", c.name, err)
		}
	}
	t.Logf("%d constants, %d of them not shown", n, len(unshown)+len(tunedBy))
	if n > tuningMost {
		t.Errorf("%d constants decide paths or times, and %d may: drop one, or derive it from another", n, tuningMost)
	}
	for _, name := range slices.Sorted(maps.Keys(notTuning)) {
		if !exempt[name] {
			t.Errorf("%s is excepted, and need not be", name)
		}
	}
	for _, name := range notYetShown {
		if !unshown[name] {
			t.Errorf("%s is on the list of those not shown, and decides nothing", name)
		}
	}
}

// TestLiterals: code compares with names, but for a few numbers that every program has.
func TestLiterals(t *testing.T) {
	l := parseLibrary(t)
	exempt := map[string]bool{}
	for dir, files := range l.files {
		if texts[dir] != "" {
			continue
		}
		for _, f := range files {
			unsafe := strings.HasSuffix(l.fset.Position(f.Pos()).Filename, "_unsafe.go")
			l.literals(f, func(function string, x ast.Expr, value string) {
				switch name := dir + "." + function; {
				case slices.Contains(plain, value), unsafe && slices.Contains(kernels, value):
				case literalsIn[name] != "", slices.Contains(tunedBy, name):
					exempt[name] = true
				default:
					t.Errorf("%s: %s compares with %s: give it a name, and the command that shows it", l.fset.Position(x.Pos()), name, value)
				}
			})
		}
	}
	for _, name := range append(slices.Sorted(maps.Keys(literalsIn)), tunedBy...) {
		if !exempt[name] {
			t.Errorf("%s is excepted, and need not be", name)
		}
	}
}

// plain are numbers that code may compare with: ends and halves, and the bytes and bits of a word.
var plain = []string{"0", "1", "2", "8", "63", "64"}

// kernels are sizes of values that files with unsafe code have loops for.
var kernels = []string{"4", "12", "16", "24", "32"}
