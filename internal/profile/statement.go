package profile

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// statement is a line of the text form. Each kind of statement is a type.
type statement interface {
	// subject is the words that tell the statement from all others.
	subject() string
	// rest is what stands behind them in canonical text, with a blank before it.
	rest() string
	// problem tells what is wrong with it, or "".
	problem() string
	// merge is what it says together with another one of the same subject. It returns false
	// if they contradict each other.
	merge(with statement) (statement, bool)
	// compared is what people compare: words that are the same or not, and figures for each of
	// so many frames.
	compared(frames uint64) (words string, figures []Figure)
	// into adds it to a profile, to which statements are added in the order of a file.
	into(p *Profile)
}

// hint is a statement that a program acts on, if it has what the statement is about.
type hint interface {
	statement
	// lacks tells what of it a program lacks, or "".
	lacks(s *index) string
}

// kind is a kind of statement.
type kind struct {
	word, synopsis string
	section        int // an empty line stands between sections in canonical text
	fact           bool
	acts           bool // Load reads it
	read           func(c *text.Cursor) statement
	of             func(p *Profile) []statement // all that a profile has; nil: they come with their systems
}

// kinds lists the kinds in the order of canonical text.
func kinds() []kind {
	return []kind{
		{"frames", "frames N", 0, true, true, readFrames, framesOf},
		{"off", "off", 1, false, true, readOff, offOf},
		{"budget", "budget [time TIME] [bytes N]", 1, false, true, readBudget, budgetOf},
		{"goal", "goal resident N|frame TIME", 1, false, true, readGoal, goalsOf},
		{"cold", "cold GROUP", 1, false, true, readCold, coldOf},
		{"pin", "pin GROUP", 1, false, true, readPin, pinnedOf},
		{"view", "view SYSTEM COMPONENT direct|gathered|cached|none", 1, false, true, readView, viewsOf},
		{"component", "component NAME size N align N", 2, true, false, readComponent, componentsOf},
		{"stored", "stored COMPONENT fixed|optional|thin reason TEXT entities N tables N", 3, true, false, readStored, storedOf},
		{"group", "group NAME [owns COMPONENT,…] rows N chunks N peak N last N", 4, true, false, readGroup, groupsOf},
		{"shared", "shared GROUP COMPONENT readers N built N refreshed N reused N bytes N [dropped N]", 5, true, false, readShared, sharedOf},
		{"system", "system NAME frames N [timed N p10 TIME p50 TIME p90 TIME p99 TIME]", 6, true, true, readSystem, systemsOf},
		{"access", "access SYSTEM GROUP COMPONENT read|write [scattered] rows N chunks N bytes N [unchanged N]", 6, true, false, readAccess, nil},
		{"choice", "choice SYSTEM GROUP COMPONENT direct|gathered|cached frames N chunks N stale N [order N] [direct COST] [gathered COST] [cached COST]", 6, true, true, readChoice, nil},
	}
}

// statements lists what a profile says, in the order of canonical text.
func (p *Profile) statements() (list []statement) {
	for _, k := range kinds() {
		if k.of != nil {
			list = append(list, k.of(p)...)
		}
	}
	return list
}

// assemble is the inverse. The profile shares no memory with others.
func assemble(list []statement) (p Profile) {
	for _, s := range list {
		s.into(&p)
	}
	return p
}

// Canonical returns a copy in the order in which it is written: all by name, except
// systems and accesses, which stay as they are. A profile shares no memory with its copy.
func (p Profile) Canonical() Profile { return assemble(p.statements()) }

// Check returns every problem that keeps a profile from being written: a name that is empty,
// too long or stated twice, a figure out of range. The error is a *[Problems].
func (p Profile) Check() error {
	ps := &Problems{}
	list := p.statements()
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		subject := s.subject()
		bad := s.problem()
		switch {
		case bad != "":
		case seen[subject]:
			bad = "it is stated twice: leave one"
		case len(subject)+len(s.rest()) > text.LineMax:
			bad = "its line is too long: use shorter names"
		}
		seen[subject] = true
		if bad != "" {
			ps.Add(Problem{Text: cut(subject) + ": " + bad})
		}
	}
	if len(list) > text.StatementMax {
		ps.Add(Problem{Text: "it has too many statements: record less"})
	}
	return ps.Err()
}

// cut is the beginning of a text.
func cut(subject string) string { return subject[:min(len(subject), 80)] }

// collect makes a list of statements, sorted by subject.
func collect[T any](of []T, make func(T) statement) []statement {
	list := inOrder(of, make)
	slices.SortStableFunc(list, func(a, b statement) int { return cmp.Compare(a.subject(), b.subject()) })
	return list
}

// inOrder makes a list of statements.
func inOrder[T any](of []T, make func(T) statement) (list []statement) {
	for _, x := range of {
		list = append(list, make(x))
	}
	return list
}

// itself makes a value of a kind a statement.
func itself[T statement](x T) statement { return x }

// equal merges statements that may not differ.
func equal[T interface {
	statement
	comparable
}](a T, b statement) (statement, bool) {
	return a, statement(a) == b
}
