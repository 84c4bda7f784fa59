// Package programs lists the whole programs that bench runs.
package programs

import (
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/bullets"
	"github.com/ashlar-go/ashlar/bench/internal/churn"
	"github.com/ashlar-go/ashlar/bench/internal/epidemic"
	"github.com/ashlar-go/ashlar/bench/internal/lists"
	"github.com/ashlar-go/ashlar/bench/internal/rungame"
	"github.com/ashlar-go/ashlar/bench/internal/sets"
	"github.com/ashlar-go/ashlar/bench/internal/survivors"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// All returns the programs in the order in which they are printed.
func All() []twin.Program {
	return slices.Concat(survivors.Programs(), rungame.Programs(), bullets.Programs(), epidemic.Programs(), churn.Programs(), sets.Programs(), lists.Programs(), adverse.Programs())
}
